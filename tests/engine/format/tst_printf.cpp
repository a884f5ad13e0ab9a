// D's formats: what parses, what does not, and conversions held against C's own snprintf.
#include "engine/format/printf.h"
#include "engine/format/render.h"
#include <QObject>
#include <QTest>
#include <cstdio>
#include <cstdlib>
#include <limits>
using namespace dscope;
using namespace dscope::format;
using record::Field;
using record::FieldKind;

namespace {
/// Fields and the payload they stand in.
struct Arguments {
    std::vector<Field> fields;
    Bytes payload;
    template <typename T> Arguments& add(T value, const char* type = "")
    {
        const bool isSigned = std::is_signed_v<T>;
        append(isSigned ? FieldKind::Int : FieldKind::Uint, std::as_bytes(std::span(&value, 1)), type);
        return *this;
    }
    Arguments& text(std::string_view s, std::size_t size = 32)
    {
        std::string padded(s);
        padded.resize(size);
        append(FieldKind::String, std::as_bytes(std::span(padded)), "string");
        return *this;
    }
    void append(FieldKind kind, ByteView bytes, const char* type)
    {
        fields.push_back({kind, std::uint32_t(payload.size()), std::uint32_t(bytes.size()), "x", type});
        payload.insert(payload.end(), bytes.begin(), bytes.end());
    }
};
std::string print(std::string_view format, const Arguments& a, const Context& context = {})
{
    const auto parsed = parseFormat(format);
    if (!parsed) return "error: " + parsed.error().message;
    return render(context, *parsed, a.fields, a.payload);
}
template <typename... T> std::string c(const std::string& format, T... values)
{
    char buffer[512];
    const int n = std::snprintf(buffer, sizeof buffer, format.c_str(), values...);
    return std::string(buffer, std::size_t(n));
}
} // namespace

class TestPrintf : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// As the C library has it in locales whose digits stand in groups.
    void digitsStandInGroups_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("sizes");
        QTest::addColumn<qint64>("value");
        QTest::addColumn<QByteArray>("text");
        const QByteArray threes("\3\3"), once("\3\177"), india("\3\2");
        QTest::newRow("none is asked for") << QByteArray("%d") << threes << qint64{1234567} << QByteArray("1234567");
        QTest::newRow("three digits") << QByteArray("%'d") << threes << qint64{123} << QByteArray("123");
        QTest::newRow("four") << QByteArray("%'d") << threes << qint64{1234} << QByteArray("1,234");
        QTest::newRow("six") << QByteArray("%'d") << threes << qint64{123456} << QByteArray("123,456");
        QTest::newRow("negative") << QByteArray("%'i") << threes << qint64{-1234567} << QByteArray("-1,234,567");
        QTest::newRow("all of 64 bits") << QByteArray("%'u") << threes << qint64{-1} << QByteArray("18,446,744,073,709,551,615");
        QTest::newRow("one group, and the rest") << QByteArray("%'d") << once << qint64{1234567} << QByteArray("1234,567");
        QTest::newRow("three, then twos") << QByteArray("%'d") << india << qint64{123456789} << QByteArray("12,34,56,789");
        QTest::newRow("a locale without groups") << QByteArray("%'d") << QByteArray() << qint64{1234567} << QByteArray("1234567");
        QTest::newRow("in a column") << QByteArray("[%'12d]") << threes << qint64{1234567} << QByteArray("[   1,234,567]");
        QTest::newRow("at its left") << QByteArray("[%-'12d]") << threes << qint64{1234567} << QByteArray("[1,234,567   ]");
        QTest::newRow("zeros are not grouped") << QByteArray("%0'12d") << threes << qint64{-1234567} << QByteArray("-001,234,567");
        QTest::newRow("a plus") << QByteArray("%+'d") << threes << qint64{1234567} << QByteArray("+1,234,567");
        QTest::newRow("hexadecimal has no groups") << QByteArray("%'x") << threes << qint64{0x1234567} << QByteArray("1234567");
    }
    void digitsStandInGroups()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, sizes);
        QFETCH(qint64, value);
        QFETCH(QByteArray, text);
        Context context;
        context.grouping = {",", sizes.toStdString()};
        Arguments a;
        if (format.contains('u'))
            a.add(static_cast<std::uint64_t>(value));
        else
            a.add(static_cast<std::int64_t>(value));
        QCOMPARE(QByteArray::fromStdString(print(format.toStdString(), a, context)), text);
    }
    void withoutALocaleDigitsStandTogether()
    {
        QCOMPARE(print("%'d", Arguments().add(std::int64_t{1234567})), std::string("1234567"));
        ::setenv("LC_ALL", "C", 1);
        QCOMPARE(environmentGrouping().separator, std::string());
    }
    void aFormatFallsIntoTextAndConversions()
    {
        const auto f = parseFormat("a%%b%-*.3lld|%@'u\n%s tail");
        QVERIFY(f.has_value());
        QCOMPARE(f->size(), std::size_t(4));
        QCOMPARE((*f)[0].literal, std::string("a%b"));
        QCOMPARE((*f)[0].name(), std::string("lld"));
        QCOMPARE((*f)[0].flags, std::string("-"));
        QCOMPARE((*f)[0].width, -2);
        QCOMPARE((*f)[0].precision, 3);
        QCOMPARE((*f)[0].number, 2); // %% counts
        QCOMPARE((*f)[0].at, std::size_t(4));
        QVERIFY((*f)[1].aggregationValue);
        QCOMPARE((*f)[1].flags, std::string("'"));
        QCOMPARE((*f)[2].literal, std::string("\n"));
        QCOMPARE((*f)[3].literal, std::string(" tail"));
        QCOMPARE((*f)[3].verb, char(0));
        QVERIFY(parseFormat("")->empty());
    }
    void aBadFormatIsNamedAsDtraceNamesIt_data()
    {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("message");
        const auto row
            = [](const char* format, const char* message) { QTest::newRow(format) << QByteArray(format) << QByteArray(message); };
        row("%", "format conversion #1 name expected before end of format string");
        row("%d %5", "format conversion #2 name expected before end of format string");
        row("%y", "format conversion #1 is undefined: %y");
        row("%%%lls", "format conversion #2 is undefined: %lls");
        row("%1$d", "format conversion #1 uses unsupported positional format (%n$)");
        row("%5%", "format conversion #1 cannot be combined with other format flags: %%");
        row("%**d", "format conversion #1 has more than one '*' specified for the output width");
        row("%.*.*d", "format conversion #1 has more than one '.' specified");
        row("%.**d", "format conversion #1 has more than one '*' specified for the output precision");
    }
    void aBadFormatIsNamedAsDtraceNamesIt()
    {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, message);
        const auto f = parseFormat(std::string_view(format.constData(), std::size_t(format.size())));
        QVERIFY(!f);
        QCOMPARE(QByteArray::fromStdString(f.error().message), message);
    }
    void everyConversionHasARow_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const char* n : {"a", "A", "c", "C", "d", "e", "E", "f", "g", "G", "hd", "hi", "ho", "hu", "hx", "hX", "i", "k", "lc", "ld",
                 "li", "lo", "lu", "ls", "lx", "lX", "lld", "lli", "llo", "llu", "llx", "llX", "Le", "LE", "Lf", "Lg", "LG", "o", "p", "s",
                 "S", "T", "u", "wc", "ws", "x", "X", "Y"})
            QTest::newRow(n) << QByteArray(n);
    }
    void everyConversionHasARow()
    {
        QFETCH(QByteArray, name);
        const auto f = parseFormat("%" + name.toStdString());
        QVERIFY(f.has_value());
        const auto* row = rowOf(f->at(0));
        QVERIFY(row && !row->prototype.empty());
        QCOMPARE(row->name, std::string_view(name.constData()));
    }
    void numbersPrintAsInC()
    {
        const std::vector<std::string> shapes{"", "5", "-5", "+", " ", "08", ".3", "10.4", "-10.4", "+10", "#", "#10", "#010", "'"};
        const auto values = {std::numeric_limits<std::int64_t>::min(), std::int64_t(-123456789012), std::int64_t(-40000),
            std::int64_t(-129), std::int64_t(-1), std::int64_t(0), std::int64_t(1), std::int64_t(65), std::int64_t(127), std::int64_t(255),
            std::int64_t(70000), std::int64_t(4000000000), std::numeric_limits<std::int64_t>::max()};
        for (const auto& shape : shapes)
            for (const auto v : values) {
                const auto check = [&](const std::string& verb, const Arguments& a, const std::string& expected) {
                    const auto got = print("%" + shape + verb, a);
                    if (got != expected) qWarning("%%%s%s: <%s> is not <%s>", shape.c_str(), verb.c_str(), got.c_str(), expected.c_str());
                    return got == expected;
                };
                // Adapts to the size and sign of its argument; C has to be told them.
                QVERIFY(check("d", Arguments().add(std::int8_t(v)), c("%" + shape + "d", int(std::int8_t(v)))));
                QVERIFY(check("d", Arguments().add(std::int16_t(v)), c("%" + shape + "d", int(std::int16_t(v)))));
                QVERIFY(check("i", Arguments().add(std::int32_t(v)), c("%" + shape + "d", std::int32_t(v))));
                QVERIFY(check("d", Arguments().add(v), c("%" + shape + "lld", static_cast<long long>(v))));
                QVERIFY(check("d", Arguments().add(std::uint32_t(v)), c("%" + shape + "u", std::uint32_t(v))));
                QVERIFY(check("d", Arguments().add(std::uint64_t(v)), c("%" + shape + "llu", static_cast<unsigned long long>(v))));
                QVERIFY(check("lld", Arguments().add(std::uint64_t(v)), c("%" + shape + "lld", static_cast<long long>(v))));
                QVERIFY(check("hd", Arguments().add(std::uint16_t(v)), c("%" + shape + "hd", int(std::int16_t(v)))));
                QVERIFY(check("u", Arguments().add(std::int32_t(v)), c("%" + shape + "u", std::uint32_t(v))));
                QVERIFY(check("x", Arguments().add(std::int8_t(v)), c("%" + shape + "hhx", unsigned(std::uint8_t(v)))));
                QVERIFY(check("x", Arguments().add(std::int16_t(v)), c("%" + shape + "hx", unsigned(std::uint16_t(v)))));
                QVERIFY(check("X", Arguments().add(std::int32_t(v)), c("%" + shape + "X", std::uint32_t(v))));
                QVERIFY(check("x", Arguments().add(v), c("%" + shape + "llx", static_cast<unsigned long long>(v))));
                QVERIFY(check("p", Arguments().add(std::uint64_t(v)), c("%" + shape + "llx", static_cast<unsigned long long>(v))));
                QVERIFY(check("o", Arguments().add(std::int8_t(v)), c("%" + shape + "hho", unsigned(std::uint8_t(v)))));
                QVERIFY(check("o", Arguments().add(v), c("%" + shape + "llo", static_cast<unsigned long long>(v))));
                if (shape.find('.') == std::string::npos && shape.find_first_of("0#+' ") == std::string::npos && (v & 0xff) != 0)
                    QVERIFY(check("c", Arguments().add(std::int8_t(v)), c("%" + shape + "c", int(std::int8_t(v)))));
            }
    }
    void floatsPrintAsInC()
    {
        for (const double v : {0.0, 1.5, -2.25, 1e100, 3.14159265358979})
            for (const char* shape : {"", "10.3", "-12", "+", "012"})
                for (const char verb : {'e', 'E', 'f', 'g', 'G'}) {
                    Arguments a;
                    a.append(FieldKind::Bytes, std::as_bytes(std::span(&v, 1)), "double");
                    QCOMPARE(print(std::string("%") + shape + verb, a), c(std::string("%") + shape + verb, v));
                }
    }
    void stringsPrintAsInC_data()
    {
        QTest::addColumn<QByteArray>("shape");
        for (const char* s : {"", "10", "-10", ".3", "10.3", "-10.3", "2"})
            QTest::newRow(s) << QByteArray(s);
    }
    void stringsPrintAsInC()
    {
        QFETCH(QByteArray, shape);
        const std::string format = "%" + shape.toStdString() + "s|";
        QCOMPARE(print(format, Arguments().text("hello")), c(format, "hello"));
        QCOMPARE(print(format, Arguments().text("")), c(format, ""));
        QCOMPARE(print(format, Arguments().text("full", 4)), c(format, "full"));
    }
    void whatDtraceDoesItsOwnWay_data()
    {
        QTest::addColumn<QByteArray>("got");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char* name, const std::string& got, std::string_view expected) {
            QTest::newRow(name) << QByteArray::fromStdString(got) << QByteArray(expected.data(), qsizetype(expected.size()));
        };
        row("a precision of 0 is none", print("%.0s", Arguments().text("hello")), "hello");
        row("a 0 after the minus takes its place", print("%-08d", Arguments().add(5)), "00000005");
        row("%? is as wide as a pointer", print("%?d", Arguments().add(5)), "               5");
        row("dynamic width", print("[%*d]", Arguments().add(4).add(1)), "[   1]");
        row("dynamic width to the left", print("[%*d]", Arguments().add(-4).add(1)), "[1   ]");
        row("dynamic both", print("[%*.*s]", Arguments().add(4).add(2).text("hello")), "[  he]");
        row("%S escapes",
            print("%S",
                Arguments().text("a\n\t\"\\\x01\xff"
                                 "b")),
            "a\\n\\t\\\"\\\\\\001\\377b");
        row("%C escapes", print("%C%C", Arguments().add(char('\n')).add('x')), "\\nx");
        row("%c of 0", print("a%cb", Arguments().add('\0')), std::string_view("a\0b", 3));
        row("%% alone", print("100%%\n", Arguments()), "100%\n");
        row("too few arguments", print("<%d>", Arguments()), "<>");
        row("%a without a symbol", print("%a", Arguments().add(std::uint64_t(0x1234))), "0x1234");
    }
    void whatDtraceDoesItsOwnWay()
    {
        QFETCH(QByteArray, got);
        QFETCH(QByteArray, expected);
        QCOMPARE(got, expected);
    }
    void timesAreThoseOfTheTracedMachine()
    {
        const auto ns = Arguments().add(std::uint64_t(1'000'000'000'999'999'999));
        Context context;
        QCOMPARE(print("%Y", ns, context), std::string("2001 Sep  9 01:46:40"));
        QCOMPARE(print("%T", ns, context), std::string("Sun, 09 Sep 2001 01:46:40 UTC"));
        QCOMPARE(print("[%22Y]", ns, context), std::string("[  2001 Sep  9 01:46:40]"));
        context.zone = Zone(-(3 * 3600 + 1800));
        QCOMPARE(print("%Y", ns, context), std::string("2001 Sep  8 22:16:40"));
        QCOMPARE(print("%T", ns, context), std::string("Sat, 08 Sep 2001 22:16:40 -0330"));
    }
    void timesFollowTheRulesOfTheirZone()
    {
        // Source: DTrace for Linux, test/unittest/actions/printf/tst.conv_T (TZ=US/Pacific).
        Context context;
        context.zone = *Zone::parse("PST8PDT,M3.2.0,M11.1.0");
        const auto at = [](std::uint64_t seconds) { return Arguments().add(seconds * 1'000'000'000); };
        QCOMPARE(print("%T", at(0), context), std::string("Wed, 31 Dec 1970 16:00:00 PST"));
        QCOMPARE(print("%T", at(1062609821), context), std::string("Wed, 03 Sep 2003 10:23:41 PDT"));
        QCOMPARE(print("%T", at(0x7fffffff), context), std::string("Mon, 18 Jan 2038 19:14:07 PST"));
        QCOMPARE(print("%Y", at(0), context), std::string("1969 Dec 31 16:00:00"));
    }
    void wideStringsBecomeUtf8()
    {
        const std::uint32_t text[] = {'G', 0xfc, 0x20ac, 0x1f600, 0, 'x'};
        Arguments a;
        a.append(FieldKind::Bytes, std::as_bytes(std::span(text)), "wchar_t [6]");
        QCOMPARE(print("%ws", a), std::string("G\u00fc\u20ac\U0001f600"));
        QCOMPARE(print("%ls", a), std::string("G\u00fc\u20ac\U0001f600"));
        QCOMPARE(print("%wc", Arguments().add(0x20ac)), std::string("\u20ac"));
    }
    void symbolsAndStacks()
    {
        Context context;
        context.stacks.keep(StackId{3}, std::vector<record::Frame>{{0xffff0010, "vmlinux", "ksys_read", 0x10, record::Frame::Kind::Kernel}});
        context.stacks.keep(StackId{4},
            std::vector<record::Frame>{{0x401000, "a.out", "main", 0, record::Frame::Kind::User},
                {0x7f00, "libc.so.6", "", 0x7f00, record::Frame::Kind::Library}});
        Arguments symbol, process, stack;
        const std::uint32_t three = 3, four = 4;
        symbol.append(FieldKind::Symbol, std::as_bytes(std::span(&three, 1)), "");
        stack.append(FieldKind::UserStack, std::as_bytes(std::span(&four, 1)), "");
        process.append(FieldKind::Symbol, std::as_bytes(std::span(&four, 1)), "");
        QCOMPARE(print("%a", symbol, context), std::string("vmlinux`ksys_read+0x10"));
        QCOMPARE(print("%-25A|", symbol, context), std::string("vmlinux`ksys_read+0x10   |"));
        // A key that some printa() prints by %a, and some by %A.
        for (auto* address : {&symbol, &process})
            address->fields.back().shownSize = 8;
        QCOMPARE(print("%a", symbol, context), std::string("vmlinux`ksys_read+0x10"));
        QCOMPARE(print("%-12A|", symbol, context), std::string("0xffff0010  |"));
        QCOMPARE(print("%A", process, context), std::string("a.out`main"));
        QCOMPARE(print("%a", process, context), std::string("0x401000"));
        QCOMPARE(print("%k", stack, context), std::string("\na.out`main\nlibc.so.6`0x7f00\n"));
        QCOMPARE(print("%-2k", stack, context), std::string("\n  a.out`main\n  libc.so.6`0x7f00\n"));
        QCOMPARE(print("%12k", stack, context), std::string("\n  a.out`main\nlibc.so.6`0x7f00\n"));
    }
    void aHugeWidthIsBounded()
    {
        QCOMPARE(print("%99999999999d", Arguments().add(1)).size(), std::size_t(kWidestField));
        QCOMPARE(print("%*d", Arguments().add(std::numeric_limits<std::int64_t>::max()).add(1)).size(), std::size_t(kWidestField));
    }
};
QTEST_GUILESS_MAIN(TestPrintf)
#include "tst_printf.moc"
