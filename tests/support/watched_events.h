#pragma once
#include <QApplication>
#include <QByteArray>
#include <QEvent>
#include <QMetaObject>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>
/// How long the events of a window take. docs/scale.md promises that none takes more than 50 ms of the processor's time.
namespace dscope::tests {
inline double secondsOf(clockid_t clock)
{
    timespec t{};
    ::clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}
/// Knows what each event of a window has cost its thread; what an event sends itself counts as part of it.
class WatchedApplication final : public QApplication {
public:
    static constexpr double kLimit = 0.05; ///< s of CPU
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth > 0) return QApplication::notify(receiver, event);
        ++m_depth;
        const auto* type = receiver->metaObject()->className();
        const auto kind = int(event->type());
        const auto before = secondsOf(CLOCK_THREAD_CPUTIME_ID);
        const bool done = QApplication::notify(receiver, event);
        const auto cost = secondsOf(CLOCK_THREAD_CPUTIME_ID) - before;
        --m_depth;
        if (cost > m_longest) {
            m_longest = cost;
            m_where = QByteArray(type) + ", event " + QByteArray::number(kind);
        }
        if (cost > kLimit)
            m_long.push_back({cost, QByteArray(type) + ", event " + QByteArray::number(kind) + ", in " + (m_use ? m_use() : "")});
        return done;
    }
    /// What the window is used for, as QTest::currentTestFunction() tells.
    void ask(const char* (*use)()) { m_use = use; }
    void forget() { m_longest = 0; }
    double longest() const { return m_longest; }
    const QByteArray& where() const { return m_where; }
    /// Prints what took longer than the limit, the longest first. A machine that other work keeps busy, and a build with sanitizers, take
    /// longer for nothing, so it fails only where DSCOPE_WATCHDOG asks for that.
    int judged(int failed)
    {
        std::sort(m_long.begin(), m_long.end(), [](const Long& a, const Long& b) { return a.cost > b.cost; });
        for (std::size_t i = 0; i < std::min<std::size_t>(m_long.size(), 5); ++i)
            std::printf("WATCHDOG: an event took %.0f ms: %s\n", m_long[i].cost * 1000, m_long[i].what.constData());
        return failed != 0 || m_long.empty() || !qEnvironmentVariableIsSet("DSCOPE_WATCHDOG") ? failed : 1;
    }

private:
    struct Long {
        double cost;
        QByteArray what;
    };
    const char* (*m_use)() = nullptr;
    int m_depth = 0;
    double m_longest = 0;
    QByteArray m_where;
    std::vector<Long> m_long;
};
} // namespace dscope::tests
/// In place of QTEST_MAIN, for tests of the window.
#define DSCOPE_WINDOW_TEST(Test)                                    \
    int main(int argc, char* argv[])                                \
    {                                                               \
        dscope::tests::WatchedApplication application(argc, argv);  \
        application.ask(&QTest::currentTestFunction);               \
        Test test;                                                  \
        QTEST_SET_MAIN_SOURCE_PATH                                  \
        return application.judged(QTest::qExec(&test, argc, argv)); \
    }
