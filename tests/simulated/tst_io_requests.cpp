// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf engine/types providers
// What io keeps of requests while they are under way: it follows each one by the address of its struct bio, which is soon another's.
#include "engine/types/type_table.h"
#include "simulated_run.h"
#include <QObject>
#include <QTest>
using namespace dscope;
using namespace dscope::tests;

class TestIoRequests : public QObject {
    Q_OBJECT
    static constexpr std::uint64_t kBio = 0xffff'8884'0000'0000, kDevice = 0xffff'8884'0001'0000, kDisk = 0xffff'8884'0002'0000,
                                   kLeaves = 0xffff'8884'0003'0000;

    /// A kernel in which the block layer makes and ends requests, one at a time.
    class Requests {
    public:
        static bool areKnown()
        {
            FakeHost host;
            types::TypeTable types(host);
            return types.offsetOf("bio", "bi_bdev") && types.offsetOf("block_device", "bd_disk") && types.offsetOf("gendisk", "part0");
        }
        void begin(const char* program)
        {
            QVERIFY(run.options.set("quiet", ""));
            const auto started = run.start(program);
            QVERIFY2(started, started ? "" : started.error().message.c_str());
            put(kDevice, "block_device", {{"bd_disk", kDisk}});
            put(kDisk, "gendisk", {{"part0", kDevice}});
            // A thread that leaves and waits for a disk, as all bits of it are set.
            run.world().kernel.put(kLeaves, Bytes(m_types.find("struct task_struct")->size, std::byte{0xff}));
        }
        /// It moves no data, as one that flushes the disk's cache.
        void make(std::uint64_t sector)
        {
            put(kBio, "bio", {{"bi_bdev", kDevice}, {"bi_iter.bi_sector", sector}});
            fire({.probe = "io:::start", .raw = {{0, kBio}, {1, kBio}}});
        }
        void end() { fire({.probe = "io:::done", .raw = {{1, kBio}}}); }
        void wait() { fire({.probe = "io:::wait-start", .raw = {{0, 0}, {1, kLeaves}}}); }
        void goOn() { fire({.probe = "io:::wait-done"}); }
        void thread(std::uint32_t id)
        {
            run.world().pid = run.world().tid = id;
            run.setTask(1);
        }
        void finish() { QVERIFY(run.finish()); }
        SimulatedRun run;

    private:
        struct Word {
            std::string_view member;
            std::uint64_t value;
        };
        void put(std::uint64_t address, std::string_view name, const std::vector<Word>& words)
        {
            Bytes bytes(m_types.find("struct " + std::string(name))->size);
            for (const auto& word : words) {
                const auto offset = m_types.offsetOf(name, word.member);
                QVERIFY2(offset, word.member.data());
                std::memcpy(bytes.data() + *offset, &word.value, sizeof word.value);
            }
            run.world().kernel.put(address, bytes);
        }
        void fire(const SimulatedRun::Firing& firing)
        {
            const auto fired = run.fire(firing);
            QVERIFY2(fired, fired ? "" : fired.error().message.c_str());
        }
        types::TypeTable m_types{run.host()};
    };
    static constexpr const char* kBoth = "io:::start, io:::done { printf(\"%s %d\\n\", probename, args[0]->b_blkno); }";

private Q_SLOTS:
    void initTestCase()
    {
        if (!Requests::areKnown()) QSKIP("the kernel describes no types (BTF), or has no struct block_device in its requests");
    }
    void oneWhoseEndWasNotSeenIsTold()
    {
        Requests requests;
        requests.begin(kBoth);
        requests.make(8);
        requests.end();
        requests.make(16); // the kernel runs no program when it ends
        requests.make(24);
        requests.end();
        requests.finish();
        QCOMPARE(QString::fromStdString(requests.run.output()), QString("start 8\ndone 8\nstart 16\nstart 24\ndone 24\n\n"));
        QCOMPARE(QString::fromStdString(requests.run.messages()),
            QString(
                "dtrace: 1 firing not seen (the probe was still running on that CPU, had used most of its time, or the CPU was idle)\n"));
    }
    void oneIsNotedOnceWhateverIsAskedOfIt()
    {
        Requests requests;
        requests.begin("io:::start, io:::done, io:::wait-start, io:::wait-done { printf(\"%s %d\\n\", probename, args[0]->b_blkno); }");
        requests.thread(101);
        for (const auto sector : {8U, 16U}) {
            requests.make(sector);
            requests.end();
        }
        requests.finish();
        QCOMPARE(QString::fromStdString(requests.run.output()), QString("start 8\ndone 8\nstart 16\ndone 16\n\n"));
        QCOMPARE(QString::fromStdString(requests.run.messages()), QString());
    }
    void oneThatEndsInAPauseIsOver()
    {
        Requests requests;
        requests.begin(kBoth);
        requests.make(8);
        requests.run.pause();
        requests.end();
        requests.run.goOn();
        requests.make(16);
        requests.end();
        requests.finish();
        QCOMPARE(QString::fromStdString(requests.run.output()), QString("start 8\nstart 16\ndone 16\n\n"));
        QCOMPARE(QString::fromStdString(requests.run.messages()), QString());
    }
    /// The first thread is not back yet when the second one waits for a request at the same address.
    void twoThreadsMayWaitForRequestsAtOneAddress()
    {
        Requests requests;
        requests.begin("io:::wait-start, io:::wait-done { printf(\"%d %s %d\\n\", tid, probename, args[0]->b_blkno); }");
        requests.thread(101);
        requests.make(8);
        requests.wait();
        requests.end();
        requests.thread(102);
        requests.make(16);
        requests.wait();
        requests.thread(101);
        requests.goOn();
        requests.thread(102);
        requests.end();
        requests.goOn();
        requests.finish();
        QCOMPARE(QString::fromStdString(requests.run.output()),
            QString("101 wait-start 8\n102 wait-start 16\n101 wait-done 8\n102 wait-done 16\n\n"));
        QCOMPARE(QString::fromStdString(requests.run.messages()), QString());
    }
};
QTEST_GUILESS_MAIN(TestIoRequests)
#include "tst_io_requests.moc"
