// plain: tests/vm runs it in other kernels, where nothing is sanitized
#include "engine/host/host.h"
#include "engine/session/maps.h"
#include <QObject>
#include <QTest>
#include <bpf/bpf.h>
#include <set>
#include <unistd.h>
using namespace dscope;
using object::MapKind;

class TestMaps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        if (::geteuid() != 0) QSKIP("making BPF maps needs root");
    }
    void readsEveryKeyOnceInBatches()
    {
        // 2000 values of 8 KiB on two CPUs: what is read at once is far less than all.
        const auto maps = one({"large", MapKind::PerCpuHash, 8, 8192, 2048, true});
        QVERIFY(maps);
        std::vector<std::uint64_t> values(1024 * m_cpus);
        for (std::uint64_t key = 0; key < 2000; ++key) {
            values[1024] = key;
            QCOMPARE(bpf_map_update_elem(maps->fd(MapId{0}), &key, values.data(), BPF_ANY), 0);
        }
        std::set<std::uint64_t> seen;
        bool right = true;
        QVERIFY(maps->read(MapId{0}, [&](ByteView key, std::span<const std::byte> value) {
            const auto k = readAt<std::uint64_t>(key, 0);
            right = right && seen.insert(k).second && value.size() == 8192 * m_cpus && readAt<std::uint64_t>(value, 8192) == k;
        }));
        QVERIFY(right);
        QCOMPARE(seen.size(), 2000U);
    }
    void readsAnEmptyMapAsNothing()
    {
        const auto maps = one({"empty", MapKind::Hash, 8, 8, 1});
        QVERIFY(maps);
        int calls = 0;
        QVERIFY(maps->read(MapId{0}, [&](ByteView, std::span<const std::byte>) { ++calls; }));
        QCOMPARE(calls, 0);
    }
    void readsMoreThanABatchOfOneBucket()
    {
        // Few buckets, many keys: the kernel hands over whole buckets.
        const auto maps = one({"narrow", MapKind::Hash, 8, 60000, 200, true});
        QVERIFY(maps);
        std::vector<char> value(60000);
        for (std::uint64_t key = 0; key < 200; ++key)
            QCOMPARE(bpf_map_update_elem(maps->fd(MapId{0}), &key, value.data(), BPF_ANY), 0);
        std::set<std::uint64_t> seen;
        QVERIFY(maps->read(MapId{0}, [&](ByteView key, std::span<const std::byte>) { seen.insert(readAt<std::uint64_t>(key, 0)); }));
        QCOMPARE(seen.size(), 200U);
    }
    void takesAKeyWithItsValue()
    {
        const auto maps = one({"hash", MapKind::PerCpuHash, 8, 16, 10});
        QVERIFY(maps);
        std::vector<std::uint64_t> values(2 * m_cpus, 5);
        const std::uint64_t key = 3;
        QCOMPARE(bpf_map_update_elem(maps->fd(MapId{0}), &key, values.data(), BPF_ANY), 0);
        const auto taken = maps->take(MapId{0}, std::as_bytes(std::span(&key, 1)));
        QVERIFY(taken);
        QCOMPARE(taken->size(), 16 * m_cpus);
        QCOMPARE(readAt<std::uint64_t>(*taken, 8), 5U);
        const auto again = maps->take(MapId{0}, std::as_bytes(std::span(&key, 1)));
        QVERIFY(again && again->empty());
    }
    void fillsArraysElementByElement()
    {
        Bytes initial;
        for (int i = 0; i < 10; ++i)
            initial.push_back(std::byte(i));
        const auto maps = one({"table", MapKind::Array, 4, 4, 5, false, false, initial});
        QVERIFY(maps);
        const auto second = maps->element(MapId{0}, 1), third = maps->element(MapId{0}, 2), fourth = maps->element(MapId{0}, 3);
        QVERIFY(second && third && fourth);
        QCOMPARE(readAt<std::uint32_t>(*second, 0), 0x07060504U);
        QCOMPARE(readAt<std::uint32_t>(*third, 0), 0x00000908U); // the rest of it is zero
        QCOMPARE(readAt<std::uint32_t>(*fourth, 0), 0U);
    }
    void freezesMaps()
    {
        const auto maps = one({"strings", MapKind::Array, 4, 4, 1, false, true, Bytes(4)});
        QVERIFY(maps);
        const std::uint32_t key = 0, value = 1;
        QCOMPARE(bpf_map_update_elem(maps->fd(MapId{0}), &key, &value, BPF_ANY), -EPERM);
    }
    void programsThatComeLaterShareAllButWhatIsOfTheirCode()
    {
        // The same name twice: the field decides.
        const object::Map table{.name = "same", .keySize = 4, .valueSize = 4, .isOfCode = true},
            data{.name = "same", .keySize = 4, .valueSize = 4};
        object::Object object;
        object.maps = {table, data};
        object.control = MapId{99};
        const auto first = session::Maps::create(object, int(m_cpus));
        QVERIFY(first);
        for (const auto id : {MapId{0}, MapId{1}}) {
            const std::uint32_t key = 0, value = 7;
            QCOMPARE(bpf_map_update_elem(first->fd(id), &key, &value, BPF_ANY), 0);
        }
        const auto second = first->extended(object);
        QVERIFY(second);
        QCOMPARE(readAt<std::uint32_t>(*second->element(MapId{0}, 0), 0), 0U);
        QCOMPARE(readAt<std::uint32_t>(*second->element(MapId{1}, 0), 0), 7U);
    }
    void saysWhatCouldNotBeMade()
    {
        const auto maps = one({"huge", MapKind::Array, 4, 8, 0xffffffff});
        QVERIFY(!maps);
        QVERIFY2(maps.error().message.starts_with("creating map huge: "), maps.error().message.c_str());
    }

private:
    Result<session::Maps> one(object::Map map) const
    {
        object::Object object;
        object.maps = {std::move(map)};
        object.control = MapId{99};
        return session::Maps::create(object, int(m_cpus));
    }
    /// Possible CPUs, which per-CPU values are as wide as.
    const std::size_t m_cpus = std::size_t(host::local()->cpuCount());
};
QTEST_GUILESS_MAIN(TestMaps)
#include "tst_maps.moc"
