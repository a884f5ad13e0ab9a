#include "engine/types/layout.h"
#include "engine/types/type_table.h"
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QTest>
#include <cstddef>
#include <fstream>
#include <sstream>
using namespace dscope;
using types::Kind;
using types::Type;
using types::TypeTable;

namespace {
/// The machine's files and nothing else; or none at all.
class Files final : public host::Host {
public:
    explicit Files(bool any = true) : m_any(any) { }
    Result<std::string> read(const std::string& path) const override
    {
        std::ifstream in(path, std::ios::binary);
        if (!m_any || !in) return Error{ENOENT, "cannot open " + path};
        std::ostringstream all;
        all << in.rdbuf();
        return std::move(all).str();
    }
    Result<std::vector<std::string>> entries(const std::string&) const override { return std::vector<std::string>{}; }
    Fd open(const std::string&, int) const override { return Fd(); }
    std::optional<struct stat> status(const std::string&) const override { return {}; }
    std::uint32_t kernelVersion() const override { return 0; }
    std::string kernelRelease() const override { return {}; }
    std::string hostName() const override { return {}; }
    int cpuCount() const override { return 1; }
    std::vector<int> onlineCpus() const override { return {0}; }

private:
    bool m_any;
};
bool hasBtf() { return std::ifstream("/sys/kernel/btf/vmlinux").good(); }

struct Packed1 {
    char c;
    int i;
    short s;
};
struct Nested {
    char c;
    struct {
        short a;
        long b;
    } in;
    char tail;
};
struct Arrays {
    char name[5];
    int values[3];
    char end;
};
union Mixed {
    char c;
    long l;
    int i[3];
};
struct Pointers {
    char c;
    void* p;
    char d;
};
} // namespace

class TypeTableTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void spellsTypesAsCDoes_data();
    void spellsTypesAsCDoes();
    void sizesBasicTypesWithoutTheKernel_data();
    void sizesBasicTypesWithoutTheKernel();
    void placesMembersAsTheCompilerDoes();
    void placesBitFieldsAsTheCompilerDoes();
    void declarationsWinOverTheKernel();
    void completesForwardDeclarationsInPlace();
    void tellsWhyThereAreNoKernelTypes();
    void agreesWithBpftoolOnEveryStruct();
    void findsMembersWithinAnonymousOnes();
    void findsKernelEnumerators();
    void readsTheKernelInMilliseconds();
};

void TypeTableTest::spellsTypesAsCDoes_data()
{
    QTest::addColumn<QString>("expected");
    for (const char* t : {"int", "string", "char *", "char **", "char [16]", "char *[3]", "char (*)[3]", "int (*)(int, char *)",
             "userland char *", "int [2][3]"})
        QTest::newRow(t) << QString::fromLatin1(t);
}
void TypeTableTest::spellsTypesAsCDoes()
{
    QFETCH(QString, expected);
    const Files host(false);
    TypeTable t(host);
    const auto* c = t.find("char");
    const auto* i = t.find("int");
    const Type* all[] = {i, t.string(), t.pointerTo(c), t.pointerTo(t.pointerTo(c)), t.arrayOf(c, 16), t.arrayOf(t.pointerTo(c), 3),
        t.pointerTo(t.arrayOf(c, 3)), t.pointerTo(t.function(i, {i, t.pointerTo(c)})), t.pointerTo(c, types::Space::User), t.arrayOf(t.arrayOf(i, 3), 2)};
    QStringList spellings;
    for (const auto* one : all)
        spellings << QString::fromStdString(types::spelled(one));
    QVERIFY2(spellings.contains(expected), qPrintable(spellings.join(QStringLiteral("; "))));
}

void TypeTableTest::sizesBasicTypesWithoutTheKernel_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<bool>("isSigned");
    QTest::newRow("char") << 1 << true;
    QTest::newRow("unsigned char") << 1 << false;
    QTest::newRow("unsigned") << 4 << false;
    QTest::newRow("long unsigned int") << 8 << false;
    QTest::newRow("unsigned long long int") << 8 << false;
    QTest::newRow("short int") << 2 << true;
    QTest::newRow("int64_t") << 8 << true;
    QTest::newRow("uintptr_t") << 8 << false;
    QTest::newRow("pid_t") << 4 << true;
    QTest::newRow("uid_t") << 4 << false;
    QTest::newRow("hrtime_t") << 8 << true;
    QTest::newRow("double") << 8 << true;
    QTest::newRow("string") << 256 << false;
    QTest::newRow("caddr_t") << 8 << false;
}
void TypeTableTest::sizesBasicTypesWithoutTheKernel()
{
    QFETCH(int, size);
    QFETCH(bool, isSigned);
    const Files host(false);
    TypeTable table(host);
    const auto* t = types::resolved(table.find(QTest::currentDataTag()));
    QVERIFY(t);
    QCOMPARE(t->size, static_cast<std::uint64_t>(size));
    QCOMPARE(t->isSigned, isSigned);
    QVERIFY(table.whyNoKernelTypes().empty()); // never looked
}

void TypeTableTest::placesMembersAsTheCompilerDoes()
{
    const Files host(false);
    TypeTable t(host);
    const auto* c = t.find("char");
    const auto* s = t.find("short");
    const auto* i = t.find("int");
    const auto* l = t.find("long");
    const auto check = [&](Kind kind, std::vector<types::FieldDeclaration> fields, std::size_t size, std::vector<std::size_t> offsets) {
        const auto layout = types::layOut(t, kind, fields);
        QCOMPARE(layout.size, size);
        for (std::size_t k = 0; k < offsets.size(); ++k)
            QCOMPARE(layout.members[k].bitOffset, offsets[k] * 8);
    };
    check(Kind::Struct, {{"c", c, {}}, {"i", i, {}}, {"s", s, {}}}, sizeof(Packed1), {0, offsetof(Packed1, i), offsetof(Packed1, s)});
    const auto inner = types::layOut(t, Kind::Struct, std::vector<types::FieldDeclaration>{{"a", s, {}}, {"b", l, {}}});
    const auto* in = t.define({.kind = Kind::Struct, .name = "struct in", .size = inner.size}, inner.members);
    check(Kind::Struct, {{"c", c, {}}, {"in", in, {}}, {"tail", c, {}}}, sizeof(Nested), {0, offsetof(Nested, in), offsetof(Nested, tail)});
    check(Kind::Struct, {{"name", t.arrayOf(c, 5), {}}, {"values", t.arrayOf(i, 3), {}}, {"end", c, {}}}, sizeof(Arrays),
        {0, offsetof(Arrays, values), offsetof(Arrays, end)});
    check(Kind::Union, {{"c", c, {}}, {"l", l, {}}, {"i", t.arrayOf(i, 3), {}}}, sizeof(Mixed), {0, 0, 0});
    check(Kind::Struct, {{"c", c, {}}, {"p", t.pointerTo(t.voidType()), {}}, {"d", c, {}}}, sizeof(Pointers),
        {0, offsetof(Pointers, p), offsetof(Pointers, d)});
}

void TypeTableTest::placesBitFieldsAsTheCompilerDoes()
{
    struct Bits {
        unsigned a : 3;
        unsigned b : 30;
        unsigned char c : 2;
        unsigned : 0;
        unsigned d : 5;
        short e;
        unsigned long f : 40;
    };
    const Files host(false);
    TypeTable t(host);
    const auto* u = t.find("unsigned int");
    const std::vector<types::FieldDeclaration> fields{{"a", u, std::uint8_t{3}}, {"b", u, std::uint8_t{30}},
        {"c", t.find("unsigned char"), std::uint8_t{2}}, {"", u, std::uint8_t{0}}, {"d", u, std::uint8_t{5}}, {"e", t.find("short"), {}},
        {"f", t.find("unsigned long"), std::uint8_t{40}}};
    const auto layout = types::layOut(t, Kind::Struct, fields);
    QCOMPARE(layout.size, sizeof(Bits));
    // The compiler tells where a bit-field lies by what it sets.
    const auto where = [](auto set) {
        alignas(8) unsigned char raw[sizeof(Bits)] = {};
        Bits b{};
        set(b);
        std::memcpy(raw, &b, sizeof b);
        for (std::uint32_t bit = 0; bit < sizeof(Bits) * 8; ++bit)
            if (raw[bit / 8] >> (bit % 8) & 1) return bit;
        return ~0u;
    };
    const std::uint32_t expected[] = {where([](Bits& b) { b.a = 1; }), where([](Bits& b) { b.b = 1; }), where([](Bits& b) { b.c = 1; }),
        where([](Bits& b) { b.d = 1; }), where([](Bits& b) { b.e = 1; }), where([](Bits& b) { b.f = 1; })};
    QCOMPARE(layout.members.size(), std::size(expected));
    for (std::size_t k = 0; k < std::size(expected); ++k)
        QCOMPARE(layout.members[k].bitOffset, expected[k]);
}

void TypeTableTest::declarationsWinOverTheKernel()
{
    const Files host;
    TypeTable t(host);
    const auto* mine = t.define({.kind = Kind::Struct, .name = "struct task_struct", .size = 4}, {{"x", t.find("int"), 0, 0}});
    QCOMPARE(t.find("struct task_struct"), mine);
    QVERIFY(t.member(mine, "x"));
    QVERIFY(!t.member(mine, "pid"));
}

void TypeTableTest::completesForwardDeclarationsInPlace()
{
    const Files host(false);
    TypeTable t(host);
    const auto* forward = t.define({.kind = Kind::Struct, .name = "struct later"});
    QVERIFY(t.members(forward).empty());
    const auto* whole = t.define({.kind = Kind::Struct, .name = "struct later", .size = 4}, {{"x", t.find("int"), 0, 0}});
    QCOMPARE(whole, forward);
    QCOMPARE(t.members(forward).size(), std::size_t{1});
}

void TypeTableTest::tellsWhyThereAreNoKernelTypes()
{
    const Files host(false);
    TypeTable t(host);
    QVERIFY(!t.find("struct task_struct"));
    QVERIFY(QString::fromStdString(t.whyNoKernelTypes()).contains(QStringLiteral("/sys/kernel/btf/vmlinux")));
    const auto offset = t.offsetOf("task_struct", "pid");
    QVERIFY(!offset);
    QVERIFY(QString::fromStdString(offset.error().message).contains(QStringLiteral("task_struct")));
}

void TypeTableTest::agreesWithBpftoolOnEveryStruct()
{
    if (!hasBtf()) QSKIP("this kernel has no BTF");
    QProcess bpftool;
    bpftool.start(QStringLiteral("bpftool"),
        {QStringLiteral("btf"), QStringLiteral("dump"), QStringLiteral("file"), QStringLiteral("/sys/kernel/btf/vmlinux"),
            QStringLiteral("format"), QStringLiteral("raw")});
    if (!bpftool.waitForStarted() || !bpftool.waitForFinished(60000) || bpftool.exitCode() != 0) QSKIP("bpftool is not there");
    const Files host;
    TypeTable table(host);
    const std::string dump = bpftool.readAllStandardOutput().toStdString();
    std::istringstream lines(dump);
    std::string line, name;
    const Type* now = nullptr;
    std::map<std::string, int> seen;
    std::size_t member = 0, checked = 0, structs = 0;
    while (std::getline(lines, line)) {
        char text[256];
        unsigned id, size, offset, bits = 0;
        if (line.empty() || line[0] != '\t') {
            now = nullptr;
            const bool isStruct = std::sscanf(line.c_str(), "[%u] STRUCT '%255[^']' size=%u", &id, text, &size) == 3 && text[0] != '(';
            if (!isStruct || ++seen[text] > 1) continue; // of several with one name the first counts
            name = text;
            now = table.find("struct " + name);
            QVERIFY2(now, text);
            QCOMPARE(now->size, std::uint64_t{size});
            member = 0;
            ++structs;
        } else if (now
            && std::sscanf(line.c_str(), "\t'%255[^']' type_id=%u bits_offset=%u bitfield_size=%u", text, &id, &offset, &bits) >= 3) {
            const auto& all = table.members(now);
            QVERIFY2(member < all.size(), name.c_str());
            QCOMPARE(QByteArray::fromStdString(all[member].name.empty() ? "(anon)" : all[member].name), QByteArray(text));
            QCOMPARE(all[member].bitOffset, offset);
            QCOMPARE(all[member].bitWidth, static_cast<std::uint8_t>(bits));
            ++member;
            ++checked;
        }
    }
    QVERIFY(structs > 5000);
    QVERIFY(checked > 50000);
}

void TypeTableTest::findsMembersWithinAnonymousOnes()
{
    if (!hasBtf()) QSKIP("this kernel has no BTF");
    const Files host;
    TypeTable t(host);
    // struct mm_struct is one anonymous struct around nearly everything; pgd lies in it.
    const auto* mm = t.find("struct mm_struct");
    QVERIFY(mm);
    const auto pgd = t.member(mm, "arg_start");
    QVERIFY(pgd);
    QVERIFY(*t.offsetOf("mm_struct", "arg_end") == pgd->bitOffset / 8 + 8);
    QCOMPARE(*t.offsetOf("task_struct", "thread.sp"), *t.offsetOf("task_struct", "thread") + *t.offsetOf("thread_struct", "sp"));
}

void TypeTableTest::findsKernelEnumerators()
{
    if (!hasBtf()) QSKIP("this kernel has no BTF");
    const Files host;
    TypeTable t(host);
    const auto e = t.enumerator("PIDTYPE_TGID"); // include/linux/pid.h: the second of enum pid_type
    QVERIFY(e);
    QCOMPARE(e->first, std::int64_t{1});
    QCOMPARE(QString::fromStdString(types::spelled(e->second)), QStringLiteral("enum pid_type"));
    QVERIFY(!t.enumerator("NO_SUCH_ENUMERATOR"));
}

void TypeTableTest::readsTheKernelInMilliseconds()
{
    if (!hasBtf()) QSKIP("this kernel has no BTF");
    const Files host;
    TypeTable t(host);
    QBENCHMARK_ONCE { QVERIFY(t.find("struct task_struct")); }
}

QTEST_GUILESS_MAIN(TypeTableTest)
#include "tst_type_table.moc"
