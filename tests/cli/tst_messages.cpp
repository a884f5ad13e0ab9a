// needs-programs: dscope
// not-sanitized: it runs dscope for each of 180 examples, whose places of code are those of programs that are not sanitized
// Each error tag of the compiler has an example, and docs/messages.md shows what dscope says of it. DSCOPE_UPDATE_GOLDEN=1 writes that page.
#include "tests/support/run_dscope.h"
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QObject>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
const QString kPage = QStringLiteral(DSCOPE_SOURCE "/docs/messages.md");
QString contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}
struct Example {
    QStringList words; ///< of the command line
    QString program, whyNone;
};
QMap<QString, Example> examples()
{
    QMap<QString, Example> all;
    const auto blocks = contents(QStringLiteral(TEST_DATA "/messages.txt")).split(QRegularExpression("^@@ ", QRegularExpression::MultilineOption));
    for (const auto& block : blocks.mid(1)) {
        auto words = block.section('\n', 0, 0).split(' ');
        const auto tag = words.takeFirst();
        const bool isNone = !words.isEmpty() && words.first() == "none";
        all[tag] = isNone ? Example{{}, {}, words.mid(1).join(' ')} : Example{words, block.section('\n', 1), {}};
    }
    return all;
}
/// As literals of the code.
QSet<QString> tagsOfTheCode()
{
    QSet<QString> all;
    static const QRegularExpression kTag("\"(D_[A-Z_0-9]+)\"");
    for (const auto* folder : {"engine", "providers", "cli"}) {
        QDirIterator files(QStringLiteral(DSCOPE_SOURCE "/") + folder, {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const auto text = contents(files.next());
            for (auto found = kTag.globalMatch(text); found.hasNext();)
                all.insert(found.next().captured(1));
        }
    }
    return all;
}
/// What dscope says; the names and numbers that differ from run to run are always the same ones.
QString said(const Example& example, const QTemporaryDir& dir)
{
    QFile script(dir.filePath("example.d"));
    if (!script.open(QIODevice::WriteOnly)) return {};
    script.write(example.program.toUtf8());
    script.close();
    // -c takes one word, and its program is among those of the tests.
    auto words = example.words;
    if (const auto at = words.indexOf("-c"); at >= 0) {
        const auto command = QStringLiteral(DSCOPE_PROGRAMS "/") + words.mid(at + 1).join(' ');
        words = words.mid(0, at) + QStringList{"-c", command};
    }
    auto text = QString::fromUtf8(runDscope(QStringList{"-x", "errtags", "-e", "-s", script.fileName()} + words).err);
    text.replace(script.fileName(), "example.d");
    return text.replace(QRegularExpression("\\bpid[0-9]{2,}"), "pid1234").replace(QRegularExpression("\\bprocess [0-9]{2,}"), "process 1234");
}
} // namespace

class TestMessages : public QObject {
    Q_OBJECT
    QMap<QString, QString> m_said;
    const QMap<QString, Example> m_examples = examples();

private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData()); // processes are looked into, and kernel types
    }
    void eachTagHasAnExample()
    {
        const auto tags = tagsOfTheCode();
        const auto keys = m_examples.keys();
        QVERIFY(tags.size() > 150);
        QCOMPARE(QStringList((tags - QSet<QString>(keys.begin(), keys.end())).values()), QStringList());
        QCOMPARE(QStringList((QSet<QString>(keys.begin(), keys.end()) - tags).values()), QStringList());
    }
    void anExampleIsRefusedWithItsTag_data()
    {
        QTest::addColumn<QString>("tag");
        for (auto it = m_examples.begin(); it != m_examples.end(); ++it)
            if (it->whyNone.isEmpty()) QTest::newRow(qPrintable(it.key())) << it.key();
    }
    void anExampleIsRefusedWithItsTag()
    {
        QFETCH(QString, tag);
        const QTemporaryDir dir;
        const auto text = said(m_examples[tag], dir);
        static const QRegularExpression kFirst("\\[(D_[A-Z_0-9]+)\\]");
        QVERIFY2(kFirst.match(text).captured(1) == tag, qPrintable(text));
        m_said[tag] = text;
    }
    void thePageShowsThem()
    {
        auto page = QStringLiteral("# Messages of the compiler\n\nA program that is wrong is refused with the place, what is wrong and, where dscope "
                                   "knows one, a way out. `-x errtags` puts the\nsituation's name before the message: dtrace has the same names, "
                                   "and scripts can rely on them. Each has an example here, a program and\nwhat dscope says of it; several "
                                   "messages may have one name. `tst_messages` compiles the examples and makes this page.\n");
        for (auto it = m_examples.begin(); it != m_examples.end(); ++it) {
            page += QStringLiteral("\n### ") + it.key() + QStringLiteral("\n");
            if (!it->whyNone.isEmpty()) {
                page += QStringLiteral("No example: ") + it->whyNone + QStringLiteral(".\n");
                continue;
            }
            page += QStringLiteral("```\n");
            if (!it->words.isEmpty()) page += QStringLiteral("$ dscope -s example.d ") + it->words.join(' ') + '\n';
            page += it->program + QStringLiteral("```\n```\n") + m_said[it.key()] + QStringLiteral("```\n");
        }
        if (qEnvironmentVariableIsSet("DSCOPE_UPDATE_GOLDEN")) {
            QFile file(kPage);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(page.toUtf8());
        }
        const auto known = contents(kPage);
        QCOMPARE(page.split('\n'), known.split('\n'));
    }
};
QTEST_GUILESS_MAIN(TestMessages)
#include "tst_messages.moc"
