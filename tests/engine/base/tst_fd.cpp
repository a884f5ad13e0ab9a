#include "engine/base/fd.h"
#include <QObject>
#include <QTest>
#include <fcntl.h>
using namespace dscope;
namespace {
/// Asked of the kernel, not of Fd.
bool isOpen(int fd) { return ::fcntl(fd, F_GETFD) != -1; }
int opened() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }
} // namespace

class TestFd : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aDescriptorIsClosedWithItsOwner()
    {
        const int fd = opened();
        {
            const Fd owner(fd);
            QVERIFY(owner);
            QCOMPARE(owner.get(), fd);
            QVERIFY(isOpen(fd));
        }
        QVERIFY(!isOpen(fd));
    }
    void whatIsMovedIsOwnedOnce()
    {
        const int fd = opened(), other = opened();
        Fd first(fd);
        {
            Fd second(other);
            second = std::move(first);
            QVERIFY(!isOpen(other));
            QCOMPARE(second.get(), fd);
            QCOMPARE(first.get(), -1);
            QVERIFY(!first);

            const Fd third(std::move(second));
            QVERIFY(isOpen(fd));
            QVERIFY(!second);
        }
        QVERIFY(!isOpen(fd));
    }
    void movingToItselfKeepsTheDescriptor()
    {
        Fd owner(opened());
        Fd& same = owner;
        owner = std::move(same);
        QVERIFY(owner);
        QVERIFY(isOpen(owner.get()));
    }
    void whatIsReleasedStaysOpen()
    {
        int fd = -1;
        {
            Fd owner(opened());
            fd = owner.release();
            QVERIFY(!owner);
        }
        QVERIFY(isOpen(fd));
        ::close(fd);
    }
    void noneIsNotClosed()
    {
        Fd none;
        QVERIFY(!none);
        none.reset();
        QCOMPARE(none.release(), -1);
    }
};
QTEST_GUILESS_MAIN(TestFd)
#include "tst_fd.moc"
