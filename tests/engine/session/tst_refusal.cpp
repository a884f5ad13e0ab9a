#include "engine/session/refusal.h"
#include <QObject>
#include <QTest>
#include <cerrno>
using namespace dscope;
class TestRefusal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void memoryThatIsNotThereNamesWhatTakesIt()
    {
        const auto said = session::refusal("creating a map", ENOMEM).message;
        for (const auto* option : {"-x bufsize", "-x aggsize", "-x ustacktables"})
            QVERIFY2(said.find(option) != std::string::npos, said.c_str());
    }
    void descriptorsThatAreNotThereNameTheLimit()
    {
        const auto said = session::refusal("opening an event", EMFILE).message;
        QVERIFY2(said.find("Too many open files (raise the limit with ulimit -n)") != std::string::npos, said.c_str());
    }
};
QTEST_GUILESS_MAIN(TestRefusal)
#include "tst_refusal.moc"
