#include "engine/session/waiter.h"
#include <QObject>
#include <QTest>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
using namespace dscope;
using session::Waiter;
using std::chrono::milliseconds;

class TestWaiter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A process that has ended is readable for good: it must not keep us awake for the rest of a run.
    void whatHasEndedWakesOnce()
    {
        const auto child = ::fork();
        if (child == 0) ::_exit(0);
        const Fd ended(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
        QVERIFY(ended);
        auto waiter = Waiter::make();
        QVERIFY(waiter);
        QVERIFY(waiter->watchChanges(ended.get()));
        QVERIFY(waiter->wait(milliseconds(60'000)));
        QVERIFY(!waiter->wait(milliseconds(20)));
        QCOMPARE(::waitpid(child, nullptr, 0), child);
    }
    void whatIsReadableKeepsAwake()
    {
        int ends[2];
        QVERIFY(::pipe2(ends, O_CLOEXEC) == 0);
        const Fd from(ends[0]), to(ends[1]);
        auto waiter = Waiter::make();
        QVERIFY(waiter);
        QVERIFY(waiter->watch(from.get()));
        QVERIFY(!waiter->wait(milliseconds(1)));
        QVERIFY(::write(to.get(), "x", 1) == 1);
        QVERIFY(waiter->wait(milliseconds(60'000)));
        QVERIFY(waiter->wait(milliseconds(60'000)));
    }
    void whoIsToldToWakeWakes()
    {
        auto waiter = Waiter::make();
        QVERIFY(waiter);
        const std::uint64_t one = 1;
        QVERIFY(::write(waiter->wakeFd(), &one, sizeof one) == sizeof one);
        QVERIFY(waiter->wait(milliseconds(60'000)));
        waiter->nap(milliseconds(60'000)); // returns at once
    }
};
QTEST_GUILESS_MAIN(TestWaiter)
#include "tst_waiter.moc"
