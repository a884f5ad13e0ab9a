#include "engine/bpf/machine.h"
#include <QObject>
#include <QTest>
#include <cerrno>
using namespace dscope;
using namespace dscope::bpf;
class TestMachine : public QObject {
    Q_OBJECT
private:
    static Bytes bytesOf(std::string_view text)
    {
        const auto view = std::as_bytes(std::span(text));
        return {view.begin(), view.end()};
    }
    template <typename T> static ByteView view(const T& value) { return std::as_bytes(std::span(&value, 1)); }
    /// Assembles, links ("lddw %r1, map 0") and runs.
    static Result<std::uint64_t> run(Machine& machine, std::string_view text, std::vector<std::uint64_t> context = {})
    {
        auto code = assemble(text);
        if (!code) return std::move(code).error();
        std::vector<MapUse> uses;
        for (std::size_t i = 0; i < code->size(); ++i) {
            const auto& s = (*code)[i];
            if (s.opcode != 0x18) continue;
            if (s.src == 1 || s.src == 2)
                uses.push_back({i, MapId{static_cast<std::uint32_t>(s.imm)}, s.src == 2, static_cast<std::uint32_t>((*code)[i + 1].imm)});
            ++i;
        }
        DSCOPE_TRY(const auto linked, machine.link(*code, uses));
        return machine.run(linked, context);
    }
    static qint64 number(const Result<std::uint64_t>& result)
    {
        if (!result) QTest::qFail(result.error().message.c_str(), __FILE__, __LINE__);
        return result ? static_cast<qint64>(*result) : -99999;
    }
private Q_SLOTS:
    void updatesMapsByTheKernelsRules_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<quint32>("key");
        QTest::addColumn<bool>("there");
        QTest::addColumn<quint64>("flags");
        QTest::addColumn<int>("answer");
        // Source: bpf-helpers(7), map_update_elem; kernel/bpf/arraymap.c and hashtab.c.
        auto row = [](const char* name, MapKind kind, quint32 key, bool there, quint64 flags, int answer) {
            QTest::newRow(name) << int(kind) << key << there << flags << answer;
        };
        row("hash, any, new", MapKind::Hash, 1, false, 0, 0);
        row("hash, any, there", MapKind::Hash, 1, true, 0, 0);
        row("hash, new wanted, new", MapKind::Hash, 1, false, 1, 0);
        row("hash, new wanted, there", MapKind::Hash, 1, true, 1, -EEXIST);
        row("hash, old wanted, new", MapKind::Hash, 1, false, 2, -ENOENT);
        row("hash, old wanted, there", MapKind::PerCpuHash, 1, true, 2, 0);
        row("hash, unknown flags", MapKind::Hash, 1, false, 8, -EINVAL);
        row("array, any", MapKind::Array, 1, false, 0, 0);
        row("array, new wanted", MapKind::Array, 1, false, 1, -EEXIST);
        row("array, beyond", MapKind::PerCpuArray, 4, false, 0, -E2BIG);
    }
    void updatesMapsByTheKernelsRules()
    {
        QFETCH(int, kind);
        QFETCH(quint32, key);
        QFETCH(bool, there);
        QFETCH(quint64, flags);
        QFETCH(int, answer);
        Machine machine({{.kind = MapKind(kind), .keySize = 4, .valueSize = 8, .maxEntries = 4, .initial = {}}}, 2);
        auto& map = machine.map(MapId{0});
        const std::uint64_t seven = 7, nine = 9;
        if (there) QCOMPARE(map.update(view(key), view(seven), 0), 0);
        const auto text = "stw [%r10-4], " + std::to_string(key) + "\nstdw [%r10-16], 9\nlddw %r1, map 0\nmov %r2, %r10\nadd %r2, -4\n"
            + "mov %r3, %r10\nadd %r3, -16\nmov %r4, " + std::to_string(flags) + "\ncall 2\nexit";
        QCOMPARE(number(run(machine, text)), answer);
        const auto* value = map.find(view(key));
        if (answer == 0)
            QCOMPARE(readAt<std::uint64_t>({value, 8}, 0), nine);
        else if (there)
            QCOMPARE(readAt<std::uint64_t>({value, 8}, 0), seven);
        else if (map.spec().kind == MapKind::Hash)
            QVERIFY(!value);
    }

    void refusesMoreEntriesThanAMapHolds()
    {
        Machine machine({{.kind = MapKind::Hash, .maxEntries = 2, .initial = {}}}, 1);
        auto& map = machine.map(MapId{0});
        const std::uint64_t value = 1;
        for (std::uint32_t key = 0; key < 2; ++key)
            QCOMPARE(map.update(view(key), view(value), 0), 0);
        const std::uint32_t third = 3, first = 0;
        QCOMPARE(map.update(view(third), view(value), 0), -E2BIG);
        QCOMPARE(map.update(view(first), view(value), 0), 0);
        QCOMPARE(map.remove(view(first)), 0);
        QCOMPARE(map.remove(view(first)), -ENOENT);
        QCOMPARE(map.update(view(third), view(value), 0), 0);
    }

    /// A value that was removed while a program holds it stays memory until the program has ended.
    void keepsWhatARunningProgramHolds()
    {
        Machine machine({{.kind = MapKind::Hash, .maxEntries = 2, .initial = {}}}, 1);
        const std::uint32_t key = 5;
        const std::uint64_t value = 31;
        QCOMPARE(machine.map(MapId{0}).update(view(key), view(value), 0), 0);
        QCOMPARE(number(run(machine,
                     "stw [%r10-4], 5\nlddw %r1, map 0\nmov %r2, %r10\nadd %r2, -4\ncall 1\nmov %r6, %r0\n"
                     "lddw %r1, map 0\nmov %r2, %r10\nadd %r2, -4\ncall 3\nldxdw %r0, [%r6]\nexit")),
            31);
        QCOMPARE(machine.map(MapId{0}).size(), 0u);
    }

    void keepsAValueForEachCpu()
    {
        Machine machine({{.kind = MapKind::PerCpuHash, .valueSize = 8, .maxEntries = 8, .initial = {}}}, 3);
        const auto* count = "stw [%r10-4], 1\nstdw [%r10-16], 0\nlddw %r1, map 0\nmov %r2, %r10\nadd %r2, -4\ncall 1\njne %r0, 0, add\n"
                            "lddw %r1, map 0\nmov %r2, %r10\nadd %r2, -4\nmov %r3, %r10\nadd %r3, -16\nmov %r4, 1\ncall 2\n"
                            "lddw %r1, map 0\nmov %r2, %r10\nadd %r2, -4\ncall 1\n"
                            "add: mov %r1, 1\nlock add [%r0], %r1\nmov %r0, 0\nexit";
        for (const unsigned cpu : {2u, 0u, 2u}) {
            machine.world.cpu = cpu;
            QCOMPARE(number(run(machine, count)), 0);
        }
        std::vector<std::uint64_t> seen;
        machine.map(MapId{0}).each([&](ByteView key, ByteView values) {
            QCOMPARE(readAt<std::uint32_t>(key, 0), 1u);
            for (std::size_t cpu = 0; cpu < 3; ++cpu)
                seen.push_back(readAt<std::uint64_t>(values, cpu * 8));
        });
        QCOMPARE(seen, (std::vector<std::uint64_t>{1, 0, 2}));
    }

    void givesEachTaskItsStorage()
    {
        Machine machine({{.kind = MapKind::TaskStorage, .valueSize = 8, .maxEntries = 0, .initial = {}}}, 1);
        const auto text = [](int create) {
            return "call 158\nmov %r2, %r0\nlddw %r1, map 0\nmov %r3, 0\nmov %r4, " + std::to_string(create)
                + "\ncall 156\njeq %r0, 0, out\nldxdw %r1, [%r0]\nadd %r1, 1\nstxdw [%r0], %r1\nmov %r0, %r1\nout: exit";
        };
        machine.world.task = 0xffff888000001000;
        QCOMPARE(number(run(machine, text(0))), 0);
        QCOMPARE(number(run(machine, text(1))), 1);
        QCOMPARE(number(run(machine, text(1))), 2);
        machine.world.task = 0xffff888000002000;
        QCOMPARE(number(run(machine, text(1))), 1);
        QCOMPARE(number(run(machine, "call 158\nmov %r2, %r0\nlddw %r1, map 0\ncall 157\nexit")), 0);
        QCOMPARE(machine.map(MapId{0}).size(), 1u);
    }

    void addressesTheValueOfAnArray()
    {
        Machine machine({{.kind = MapKind::Array, .valueSize = 16, .maxEntries = 1, .readOnly = true, .initial = bytesOf("0123456789")},
                            {.kind = MapKind::Hash, .initial = {}}},
            1);
        QCOMPARE(number(run(machine, "lddw %r1, value 0+9\nldxb %r0, [%r1]\nexit")), '9');
        QCOMPARE(number(run(machine, "lddw %r1, value 0+10\nldxb %r0, [%r1]\nexit")), 0);
        QVERIFY(!run(machine, "lddw %r1, value 0+9\nldxdw %r0, [%r1]\nexit")); // reaches beyond
        QVERIFY(!run(machine, "lddw %r1, value 0+0\nstb [%r1], 1\nmov %r0, 0\nexit"));
        QVERIFY(!run(machine, "lddw %r1, value 0+16\nmov %r0, 0\nexit"));
        QVERIFY(!run(machine, "lddw %r1, value 1+0\nmov %r0, 0\nexit"));
        QVERIFY(!run(machine, "lddw %r1, map 2\nmov %r0, 0\nexit"));
    }

    void keepsRecordsInTheOrderOfTheirReservation()
    {
        Machine machine({{.kind = MapKind::RingBuffer, .maxEntries = 64, .initial = {}}}, 1);
        auto& ring = machine.ring(MapId{0});
        const auto* output = "stdw [%r10-8], 7\nlddw %r1, map 0\nmov %r2, %r10\nadd %r2, -8\nmov %r3, 8\nmov %r4, 0\ncall 130\nexit";
        for (int i = 0; i < 4; ++i)
            QCOMPARE(number(run(machine, output)), 0); // 16 bytes each, with the header
        QCOMPARE(number(run(machine, output)), -EAGAIN);
        QCOMPARE(number(run(machine, "lddw %r1, map 0\nmov %r2, 0\ncall 134\nexit")), 64);
        QCOMPARE(ring.take().size(), 4u);
        QCOMPARE(number(run(machine, output)), 0);
        auto* first = ring.reserve(8);
        QCOMPARE(number(run(machine, output)), 0);
        QCOMPARE(ring.take().size(), 1u); // what lies behind the reserved one waits
        QVERIFY(ring.discard(first));
        QVERIFY(!ring.discard(first));
        QCOMPARE(ring.take().size(), 1u);
        QCOMPARE(
            number(run(machine,
                "lddw %r1, map 0\nmov %r2, 12\nmov %r3, 0\ncall 131\njeq %r0, 0, out\nstw [%r0+8], 99\nmov %r1, %r0\nmov %r2, 0\ncall 132\n"
                "mov %r0, 1\nout: exit")),
            1);
        const auto records = ring.take();
        QCOMPARE(records.size(), 1u);
        QCOMPARE(records[0].size(), 12u);
        QCOMPARE(readAt<std::uint32_t>(records[0], 8), 99u);
    }

    void readsMemoryAsTheKernelDoes_data()
    {
        QTest::addColumn<int>("helper");
        QTest::addColumn<quint64>("address");
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("answer");
        QTest::addColumn<QByteArray>("bytes"); // 8 bytes, of 0xff before
        auto row = [](const char* name, int helper, quint64 address, int size, int answer, const char* hex) {
            QTest::newRow(name) << helper << address << size << answer << QByteArray::fromHex(hex);
        };
        row("user", 112, 0x1000, 4, 0, "68656c6cffffffff");
        row("user, nothing there", 112, 0x9000, 4, -EFAULT, "00000000ffffffff");
        row("user, beyond the end", 112, 0x1003, 4, -EFAULT, "00000000ffffffff");
        row("user, kernel address", 112, 0xffff888000000000, 4, -EFAULT, "00000000ffffffff");
        row("kernel", 113, 0xffff888000000001, 2, 0, "4254ffffffffffff");
        row("kernel, user address", 113, 0x1000, 2, -EFAULT, "0000ffffffffffff");
        row("nothing", 112, 0x9000, 0, 0, "ffffffffffffffff");
        row("user text", 114, 0x1000, 8, 6, "68656c6c6f00ffff");
        row("user text, cut", 114, 0x1000, 4, 4, "68656c00ffffffff");
        row("user text, exactly", 114, 0x1000, 6, 6, "68656c6c6f00ffff");
        row("user text, its NUL cut", 114, 0x1000, 5, 5, "68656c6c00ffffff");
        row("user text, empty", 114, 0x1005, 8, 1, "00ffffffffffffff");
        row("user text, one byte", 114, 0x1000, 1, 1, "00ffffffffffffff");
        row("kernel text", 115, 0xffff888000000000, 8, 4, "41425400ffffffff");
        row("kernel text without an end", 115, 0xffff888000001000, 8, -EFAULT, "0000000000000000");
        row("either: user", 4, 0x1000, 1, 0, "68ffffffffffffff");
        row("either: kernel", 4, 0xffff888000000000, 1, 0, "41ffffffffffffff");
    }
    void readsMemoryAsTheKernelDoes()
    {
        QFETCH(int, helper);
        QFETCH(quint64, address);
        QFETCH(int, size);
        QFETCH(int, answer);
        QFETCH(QByteArray, bytes);
        Machine machine({{.kind = MapKind::Array, .initial = Bytes(8, std::byte{0xff})}}, 1);
        machine.world.user.put(0x1000, bytesOf(std::string_view("hello\0", 6)));
        machine.world.kernel.put(0xffff888000000000, bytesOf(std::string_view("ABT\0", 4)));
        machine.world.kernel.put(0xffff888000001000, bytesOf("no end"));
        const auto text = "lddw %r1, value 0+0\nmov %r2, " + std::to_string(size) + "\nlddw %r3, " + std::to_string(address) + "\ncall "
            + std::to_string(helper) + "\nexit";
        QCOMPARE(number(run(machine, text)), answer);
        const std::uint32_t zero = 0;
        const auto* value = machine.map(MapId{0}).find(view(zero));
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(value), 8).toHex(), bytes.toHex());
    }

    void readsItsOwnMemoryAsKernelMemory()
    {
        Machine machine({{.kind = MapKind::Array, .valueSize = 5, .initial = bytesOf("abcd")}}, 1);
        QCOMPARE(number(run(machine, "lddw %r3, value 0+1\nmov %r1, %r10\nadd %r1, -8\nmov %r2, 8\ncall 115\nexit")), 4);
        QCOMPARE(number(run(machine, "lddw %r3, value 0+1\nmov %r1, %r10\nadd %r1, -8\nmov %r2, 8\ncall 113\nexit")), -EFAULT);
    }

    void tellsTheTask()
    {
        Machine machine({}, 1);
        auto& world = machine.world;
        world.pid = 41;
        world.tid = 42;
        world.uid = 1000;
        world.gid = 100;
        world.now = 5'000'000'000;
        world.suspended = 7;
        world.cpu = 0;
        world.cookie = 77;
        world.execname = "a-name-longer-than-15";
        world.userRegisters[16] = 0x401234;
        QCOMPARE(number(run(machine, "call 14\nexit")), (qint64{41} << 32) + 42);
        QCOMPARE(number(run(machine, "call 15\nexit")), (qint64{100} << 32) + 1000);
        QCOMPARE(number(run(machine, "call 5\nexit")), 5'000'000'000);
        QCOMPARE(number(run(machine, "call 125\nexit")), 5'000'000'007);
        QCOMPARE(number(run(machine, "call 174\nexit")), 77);
        QCOMPARE(number(run(machine, "call 158\nmov %r1, %r0\ncall 175\nldxdw %r0, [%r0+128]\nexit")), 0x401234);
        QCOMPARE(number(run(machine, "mov %r1, %r10\nadd %r1, -16\nmov %r2, 16\ncall 16\nldxdw %r0, [%r10-8]\nexit")),
            qint64(readAt<std::uint64_t>(bytesOf(std::string_view("onger-t\0", 8)), 0)));
        QCOMPARE(number(run(machine, "ldxdw %r0, [%r1+8]\nexit", {11, 22})), 22);
        QVERIFY(!run(machine, "ldxdw %r0, [%r1+16]\nexit", {11, 22}));
        QVERIFY(!run(machine, "stdw [%r1], 0\nmov %r0, 0\nexit", {11, 22}));
        QCOMPARE(number(run(machine, "mov %r1, 9\ncall 109\nexit")), 0);
        QCOMPARE(machine.signals().size(), 1u);
        QCOMPARE(machine.signals()[0].pid, 41u);
        QCOMPARE(machine.signals()[0].number, 9u);
        QVERIFY(!run(machine, "call 9999\nexit"));
    }

    void loadsBehindTypedPointers()
    {
        Machine machine({}, 1);
        machine.world.task = 0xffff888000100000;
        machine.world.typed.put(machine.world.task, bytesOf("0123456789abcdef"));
        machine.world.kernel.put(0xffff888000200000, bytesOf("0123456789abcdef"));
        QCOMPARE(number(run(machine, "call 158\nldxb %r0, [%r0+15]\nexit")), 'f');
        QVERIFY(!run(machine, "call 158\nldxw %r0, [%r0+13]\nexit"));
        QVERIFY(!run(machine, "call 158\nstb [%r0], 1\nmov %r0, 0\nexit"));
        QVERIFY(!run(machine, "lddw %r1, 0xffff888000200000\nldxb %r0, [%r1]\nexit")); // not typed: only through a helper
    }

    void copiesStacks_data()
    {
        QTest::addColumn<int>("flags");
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("answer");
        QTest::addColumn<quint64>("first");
        QTest::newRow("kernel") << 0 << 32 << 24 << quint64(10);
        QTest::newRow("kernel, cut") << 0 << 16 << 16 << quint64(10);
        QTest::newRow("kernel, one skipped") << 1 << 32 << 16 << quint64(11);
        QTest::newRow("user") << 0x100 << 32 << 8 << quint64(20);
        QTest::newRow("odd size") << 0 << 12 << -EINVAL << quint64(0);
        QTest::newRow("more skipped than there are") << 9 << 32 << -EFAULT << quint64(0);
    }
    void copiesStacks()
    {
        QFETCH(int, flags);
        QFETCH(int, size);
        QFETCH(int, answer);
        QFETCH(quint64, first);
        Machine machine({{.kind = MapKind::Array, .valueSize = 32, .initial = Bytes(32, std::byte{0xff})}}, 1);
        machine.world.kernelStack = {10, 11, 12};
        machine.world.userStack = {20};
        const auto text
            = "lddw %r2, value 0+0\nmov %r3, " + std::to_string(size) + "\nmov %r4, " + std::to_string(flags) + "\ncall 67\nexit";
        QCOMPARE(number(run(machine, text, {0})), answer);
        const std::uint32_t zero = 0;
        QCOMPARE(readAt<std::uint64_t>({machine.map(MapId{0}).find(view(zero)), 32}, 0), first);
    }

    void loopsAsOftenAsAsked_data()
    {
        QTest::addColumn<int>("rounds");
        QTest::addColumn<int>("stopAt");
        QTest::addColumn<int>("answer");
        QTest::newRow("all") << 5 << 100 << 5;
        QTest::newRow("none") << 0 << 100 << 0;
        QTest::newRow("stopped") << 5 << 2 << 3;
        QTest::newRow("too many") << 8 * 1024 * 1024 + 1 << 100 << -E2BIG;
    }
    void loopsAsOftenAsAsked()
    {
        QFETCH(int, rounds);
        QFETCH(int, stopAt);
        QFETCH(int, answer);
        Machine machine({}, 1);
        const auto text = "mov %r1, " + std::to_string(rounds) + "\nlddw %r2, function body\nmov %r3, 0\nmov %r4, 0\ncall 181\nexit\n"
            + "body: mov %r0, 0\njne %r1, " + std::to_string(stopAt) + ", out\nmov %r0, 1\nout: exit";
        QCOMPARE(number(run(machine, text)), answer);
    }
};
QTEST_GUILESS_MAIN(TestMachine)
#include "tst_machine.moc"
