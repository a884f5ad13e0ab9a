// needs: graph/models engine/record
// Which stacks and frames are drawn: by hand what each rule leaves, from records and from folded text alike.
#include <QObject>
#include <QTest>
#ifndef Q_MOC_RUN
#include "engine/record/folded.h"
#include "graph/stack_rules.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "tests/support/counted.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/drawn/folded_lines.h"
#include "tests/support/drawn/visuals.h"
#include "tests/support/streams.h"
#endif
using namespace dscope;
using namespace dscope::graph;
using namespace dscope::test;
namespace {
using Counted = std::vector<std::pair<std::string, std::int64_t>>;
const Counted kCounted{{"hot`main;hot`mix;libc.so.6`memcpy", 4}, {"hot`main;hot`mix;libc.so.6`malloc;libm.so.6`sin", 3},
    {"hot`main;hot`walk;hot`walk;hot`walk;libc.so.6`free", 2}, {"hot`main;hot`a;hot`b;hot`a;hot`b;hot`a", 1},
    {"libc.so.6`start;libc.so.6`idle", 5}};

NamePattern pattern(const char* text)
{
    auto made = NamePattern::of(text);
    if (!made) qFatal("%s", made.error().message.c_str());
    return *made;
}
QStringList left(const StackRules& rules)
{
    Store store;
    store.read(rules);
    store.take(tests::countedStacks(kCounted));
    QStringList out;
    stacksOf(store)->eachLine([&](std::string_view stack, std::int64_t value) { out << q(stack) + ' ' + QString::number(value); });
    out.sort();
    return out;
}
QStringList words(const char* text) { return QString::fromUtf8(text).split(','); }
} // namespace

class TestStackRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsStacksThatHaveTheName()
    {
        StackRules rules;
        rules.keep(pattern("^hot`mix$"));
        QCOMPARE(left(rules), words("hot`main;hot`mix;libc.so.6`malloc;libm.so.6`sin 3,hot`main;hot`mix;libc.so.6`memcpy 4"));
        rules.keep(pattern("idle"));
        QCOMPARE(left(rules).size(), 3);
    }
    void dropsStacksThatHaveTheName()
    {
        StackRules rules;
        rules.drop(pattern("idle|mix"));
        QCOMPARE(left(rules), words("hot`main;hot`a;hot`b;hot`a;hot`b;hot`a 1,hot`main;hot`walk;hot`walk;hot`walk;libc.so.6`free 2"));
    }
    void foldsNeighbours()
    {
        StackRules rules;
        rules.keep(pattern("mix"));
        rules.fold(pattern("^lib"));
        QCOMPARE(left(rules), words("hot`main;hot`mix;[folded] 3,hot`main;hot`mix;libc.so.6 4"));
    }
    void foldsRecursionDirectAndThroughOthers()
    {
        StackRules rules;
        rules.keep(pattern("walk|hot`a"));
        rules.foldRecursion();
        QCOMPARE(left(rules), words("hot`main;hot`a;hot`b;hot`a 1,hot`main;hot`walk;libc.so.6`free 2"));
    }
    void countsHowOftenAFunctionCallsItself()
    {
        const auto times = [](std::vector<std::uint32_t> frames) {
            std::vector<StackStep> steps;
            for (const auto frame : frames)
                steps.push_back({frame});
            foldRecursion(steps);
            QString out;
            for (const auto& step : steps)
                out += QStringLiteral("%1x%2 ").arg(step.frame).arg(step.times);
            return out.trimmed();
        };
        QCOMPARE(times({1, 2, 3}), QStringLiteral("1x1 2x1 3x1"));
        QCOMPARE(times({1, 2, 2, 2, 3}), QStringLiteral("1x1 2x3 3x1"));
        QCOMPARE(times({1, 2, 3, 2, 3, 2, 3, 4}), QStringLiteral("1x1 2x3 3x1 4x1"));
        QCOMPARE(times({}), QString());
    }
    void mineIsWhatIsNoLibrary()
    {
        StackRules rules;
        rules.mine(std::nullopt);
        QCOMPARE(left(rules),
            words("hot`main;hot`a;hot`b;hot`a;hot`b;hot`a 1,hot`main;hot`mix;[folded] 3,hot`main;hot`mix;libc.so.6 4,"
                  "hot`main;hot`walk;hot`walk;hot`walk;libc.so.6 2"));
        StackRules named;
        named.mine(pattern("^libm"));
        QCOMPARE(left(named), words("hot;libc.so.6;libm.so.6`sin 3").replaceInStrings("hot;libc.so.6;", "[folded];"));
    }
    void saysWhatItShows()
    {
        StackRules rules;
        rules.keep(pattern("mix"));
        rules.drop(pattern("sin"));
        Store store;
        store.read(rules);
        for (const auto& r : stacks({{"main;mix", 4}, {"main;mix;sin", 3}, {"main;idle", 2}}))
            store.take(r);
        const auto shown = stacksOf(store);
        QCOMPARE(shown->total(), 4);
        QStringList said;
        for (const auto& line : shown->ruled())
            said << q(line);
        QCOMPARE(said.join(QStringLiteral("; ")), QStringLiteral("without stacks that have sin; only stacks that have mix; 4 of 9 samples are shown"));
    }
    void aPageSaysThatNothingIsLeft()
    {
        StackRules rules;
        rules.keep(pattern("nowhere"));
        Store store;
        store.read(rules);
        for (const auto& r : stacks({{"main;mix", 4}}))
            store.take(r);
        for (const auto& kind : kinds())
            if (kind.heeds.amounts == Heeds::Amounts::Stacks && kind.fits(store))
                QVERIFY2(textOf(kind.make(store)->figure({})).find("No stack is left") != std::string::npos, kind.name.data());
    }
    void aWrongExpressionIsAnError()
    {
        const auto wrong = NamePattern::of("mix(");
        QVERIFY(!wrong);
        QVERIFY(q(wrong.error().message).startsWith(QStringLiteral("\"mix(\" is not a regular expression: ")));
    }
};
QTEST_GUILESS_MAIN(TestStackRules)
#include "tst_stack_rules.moc"
