// needs-programs: dscope
// Programs that somebody has signed, for --serve. ssh-keygen signs and checks; a script does what sshd does with a forced command.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QObject>
#include <QStandardPaths>
#include <QTest>
using namespace dscope::tests;
namespace {
const QByteArray kProgram = "BEGIN { printf(\"it's signed\\n\"); exit(0); }\n";
void put(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(text);
}
QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
} // namespace

class TestSignedPrograms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        if (QStandardPaths::findExecutable("ssh-keygen").isEmpty()) QSKIP("ssh-keygen (package openssh-client) is not here");
        for (const auto* key : {"ann", "eve"})
            QCOMPARE(runDscope({"-q", "-t", "ed25519", "-N", "", "-f", at(key)}, {}, "ssh-keygen").status, 0);
        // Source: sshd(8), command="...": what was asked for is in the environment.
        put(at("ssh"), "#!/bin/sh\nfor last; do :; done\nexec env SSH_ORIGINAL_COMMAND=\"$last\" '" DSCOPE_BIN "/dscope' --serve '" + m_dir.path().toUtf8() + "/allowed'\n");
        QFile::setPermissions(at("ssh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QDir().mkpath(at("allowed"));
        put(at("slow.d"), kProgram);
    }

    void init()
    {
        trust("ann@example namespaces=\"dscope\" ");
        QFile::remove(at("slow.d.sig"));
    }

    void whatASignerHasSignedIsRun()
    {
        sign("ann");
        const auto run = ask();
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(run.out.trimmed(), QByteArray("web1: it's signed"));
    }

    void aSignatureIsNoHindranceWhereNobodyAsksForOne()
    {
        const auto run = runDscope({"--signature", "whatever", "-qs", at("slow.d")});
        QVERIFY2(run.status == 0, run.err);
        QCOMPARE(run.out.trimmed(), QByteArray("it's signed"));
    }

    void allElseIsRefusedWithTheReason_data()
    {
        QTest::addColumn<QByteArray>("signers"); // before the key of ann; nothing: there is no file
        QTest::addColumn<QString>("key");        // that signs; nothing: nobody does
        QTest::addColumn<QString>("purpose");
        QTest::addColumn<QByteArray>("why");
        const QByteArray ann = "ann@example namespaces=\"dscope\" ";
        QTest::newRow("nobody") << ann << "" << "dscope" << QByteArray("its administrator has to put it into ");
        QTest::newRow("another key") << ann << "eve" << "dscope" << QByteArray("the signature is by no key of ");
        QTest::newRow("for files") << ann << "ann" << "file" << QByteArray("the signature is not one of ann@example for this program: ssh-keygen fails: ");
        QTest::newRow("for others") << QByteArray("ann@example namespaces=\"git\" ") << "ann" << "dscope" << QByteArray("the signature is ");
        QTest::newRow("expired") << QByteArray("ann@example valid-before=\"20200101\" ") << "ann" << "dscope" << QByteArray("key has expired");
        QTest::newRow("no signers") << QByteArray() << "ann" << "dscope" << QByteArray("(it is signed, but there is no ");
    }
    void allElseIsRefusedWithTheReason()
    {
        QFETCH(const QByteArray, signers);
        QFETCH(const QString, key);
        QFETCH(const QString, purpose);
        QFETCH(const QByteArray, why);
        trust(signers);
        if (!key.isEmpty()) sign(key, purpose);
        refused(why);
    }

    void aChangedProgramIsRefused()
    {
        sign("ann");
        const auto done = ask({"-qn", QString::fromUtf8(kProgram) + "END { }"});
        QCOMPARE(done.status, 1);
        QVERIFY2(done.err.contains("the signature is not one of ann@example for this program"), done.err);
        // The one that is signed does not open the door for another.
        const auto two = ask({"-qs", at("slow.d"), "-n", "END { }"});
        QCOMPARE(two.status, 1);
        QVERIFY(!two.out.contains("signed"));
    }

    void aDamagedSignatureIsRefused()
    {
        put(at("slow.d.sig"), "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n");
        refused("the signature is by no key of ");
    }

    void whoMayChangeTheSignersMayNotBeAnybody()
    {
        sign("ann");
        QFile::setPermissions(at("allowed/allowed_signers"), QFile::ReadOwner | QFile::WriteOwner | QFile::WriteGroup);
        refused("allowed_signers may be changed by others: chmod go-w it");
    }

private:
    QString at(const QString& name) const { return m_dir.filePath(name); }
    void trust(const QByteArray& before)
    {
        QFile::remove(at("allowed/allowed_signers"));
        if (!before.isEmpty()) put(at("allowed/allowed_signers"), before + contents(at("ann.pub")));
    }
    void sign(const QString& key, const QString& purpose = QStringLiteral("dscope"))
    {
        QCOMPARE(runDscope({"-Y", "sign", "-f", at(key), "-n", purpose, at("slow.d")}, {}, "ssh-keygen").status, 0);
    }
    Outcome ask(QStringList program = {}) const
    {
        if (program.isEmpty()) program = QStringList{"-qs", at("slow.d")};
        QStringList words{"--on", "web1", "--each", "ssh=" + at("ssh")};
        if (QFile::exists(at("slow.d.sig"))) words << "--each" << "signature=" + at("slow.d.sig");
        return runDscope(words + program);
    }
    void refused(const QByteArray& why)
    {
        const auto done = ask();
        QCOMPARE(done.status, 1);
        QVERIFY2(done.err.contains("the program is none that is allowed on this host") || done.err.contains("may be changed by others"), done.err);
        QVERIFY2(done.err.contains(why), done.err);
        QCOMPARE(done.out, QByteArray());
    }
    QTemporaryDir m_dir;
};
QTEST_GUILESS_MAIN(TestSignedPrograms)
#include "tst_signed_programs.moc"
