#include "engine/symbols/frame_parts.h"
#include "engine/symbols/module.h"
#include <QObject>
#include <QTest>
#include <algorithm>
#include <fcntl.h>
using namespace dscope;
using namespace dscope::symbols;
namespace {
Fd systemLibrary(const QByteArray& name) { return Fd(::open(("/usr/lib/x86_64-linux-gnu/" + name).constData(), O_RDONLY | O_CLOEXEC)); }
} // namespace
class TestFrameParts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void functionsAreToldWithoutRules_data()
    {
        QTest::addColumn<QByteArray>("name");
        for (const auto* name : {"libc.so.6", "libstdc++.so.6", "libQt6Core.so.6", "ld-linux-x86-64.so.2"})
            QTest::newRow(name) << QByteArray(name);
    }
    /// Held against all rules of the section, which are read without the table of the header.
    void functionsAreToldWithoutRules()
    {
        QFETCH(QByteArray, name);
        const auto file = ElfFile::open(systemLibrary(name));
        if (!file) QSKIP("needs a library of Debian for x86-64 in /usr/lib/x86_64-linux-gnu");
        const auto* section = file->section(".eh_frame");
        QVERIFY(section);
        const auto bytes = file->contents(*section);
        const FrameRows all(bytes, section->address, FrameRows::Format::EhFrame);
        QVERIFY(all.functions().size() > 100);

        FrameParts parts(*file), loaded(*file);
        loaded.load();
        const auto isSame = [](const std::optional<FrameRows::Range>& a, const std::optional<FrameRows::Range>& b) {
            return a.has_value() == b.has_value() && (!a || (a->start == b->start && a->size == b->size && a->signal == b->signal));
        };
        std::vector<std::uint64_t> outermost;
        for (const auto& f : all.functions()) {
            const auto start = all.base() + f.start;
            for (const auto address : {start, start + f.size - 1, start + f.size}) {
                QVERIFY2(isSame(parts.function(address), all.function(address)), QByteArray::number(address, 16));
                QVERIFY2(isSame(loaded.function(address), all.function(address)), QByteArray::number(address, 16));
                const auto around = all.function(address);
                QCOMPARE(parts.mayBeginAt(address), around && around->start == address);
            }
            if (parts.isOutermost(start)) outermost.push_back(start);
            const auto* rule = all.find(start);
            QVERIFY(rule);
            QCOMPARE(parts.isOutermost(start), (*rule)[Column::ReturnAddress].kind == ColumnRule::Kind::Undefined);
        }
        QVERIFY2(parts.memory() < section->size, "the rules were read");
        auto found = parts.outermost();
        std::sort(found.begin(), found.end());
        QCOMPARE(found, outermost);
        QVERIFY(parts.memory() >= section->size);
        parts.forgetParts();
        QVERIFY(parts.memory() < section->size);
    }
    /// A compiler's libraries have 16 MB of rules, and dscope names stacks when it has done with them.
    void namesNeedNoRules()
    {
        auto file = ElfFile::open(systemLibrary("libstdc++.so.6"));
        if (!file) QSKIP("needs a library of Debian for x86-64 in /usr/lib/x86_64-linux-gnu");
        const auto* section = file->section(".eh_frame");
        QVERIFY(section);
        const auto size = section->size;
        Module names(*std::move(file), "libstdc++.so.6", {}), rules(*ElfFile::open(systemLibrary("libstdc++.so.6")), "libstdc++.so.6", {});
        const auto symbols = names.symbols().memory();
        FrameParts parts(rules.file());
        int arrivals = 0;
        for (const auto& segment : names.file().segments()) {
            if (!segment.executable) continue;
            for (auto at = segment.address; at < segment.address + segment.fileSize; at += 61) {
                const auto function = parts.function(at);
                if (!function) continue;
                ++arrivals;
                QCOMPARE(names.nameOf(at).function, rules.named(at).function);
                QCOMPARE(names.nameOf(at).offset, rules.named(at).offset);
                QVERIFY(names.arrivalAt(at) == Module::Arrival::Called || function->start == at);
            }
        }
        QVERIFY(arrivals > 1000);
        const auto own = names.memory() - names.namedMemory() - symbols;
        QVERIFY2(own < size, QByteArray::number(own));
    }
    /// A file that was closed tells what it told before: glibc's __start_context(), where makecontext() begins stacks.
    void closedFilesTellWhereStacksBegin()
    {
        auto one = ElfFile::open(systemLibrary("libc.so.6")), other = ElfFile::open(systemLibrary("libc.so.6"));
        if (!one || !other) QSKIP("needs Debian's libc.so.6 for x86-64 in /usr/lib/x86_64-linux-gnu");
        Module open(*std::move(one), "libc.so.6", {}), closed(*std::move(other), "libc.so.6", {});
        closed.settle();
        QVERIFY(closed.isSettled() && !open.isSettled());
        int outermost = 0;
        for (const auto start : open.frames().outermost()) {
            outermost += open.arrivalAt(start) == Module::Arrival::Outermost;
            QCOMPARE(closed.arrivalAt(start), open.arrivalAt(start));
            QCOMPARE(closed.stackEndAt(start - 1, false), open.stackEndAt(start - 1, false));
            QCOMPARE(closed.stackEndAt(start - 1, true), open.stackEndAt(start - 1, true));
        }
        QVERIFY(outermost > 0);
    }
};
QTEST_APPLESS_MAIN(TestFrameParts)
#include "tst_frame_parts.moc"
