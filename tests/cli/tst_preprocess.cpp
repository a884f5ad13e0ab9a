// needs-programs: dscope
// -C and the options about cpp. A program that compiles (-e: status 0) shows what cpp was told.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;

class TestPreprocess : public QObject {
    Q_OBJECT
    QTemporaryDir m_dir;
    QString write(const QString& name, const QByteArray& text)
    {
        QFile file(m_dir.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(text);
        return file.fileName();
    }
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(QDir(m_dir.path()).mkdir("more"));
        QVERIFY(!write("more/types.h", "typedef char foo;\n").isEmpty());
        QVERIFY(!write("near.h", "typedef char foo;\n").isEmpty());
    }
    void programsCompile_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("compiles");
        const auto row = [](const char* name, const QStringList& words, const char* text, bool compiles = true) { QTest::newRow(name) << words << QByteArray(text) << compiles; };
        row("not asked for", {}, "#if 1\nBEGIN\n#endif\n{ }", false);
        row("-C", {"-C"}, "#if 1\nBEGIN\n#endif\n{ }");
        row("-x cpp", {"-x", "cpp"}, "#if 1\nBEGIN\n#endif\n{ }");
        row("#! is no directive", {"-C"}, "#!/usr/sbin/dtrace -Cs\nBEGIN { }");
        row("-D", {"-C", "-D", "PROBE=BEGIN"}, "PROBE { }");
        row("-x define", {"-C", "-x", "define=PROBE=BEGIN"}, "PROBE { }");
        row("several", {"-C", "-x", "define=A=BEGIN", "-x", "define=B=END"}, "A, B { }");
        row("-U", {"-C", "-U", "__linux"}, "#ifndef __linux\nBEGIN { }\n#endif");
        row("-x undef", {"-C", "-x", "undef=__linux"}, "#ifndef __linux\nBEGIN { }\n#endif");
        row("what D defines", {"-C"}, "#if defined(__linux) && defined(__unix) && defined(__SUNW_D) && defined(__SUNW_D_64) && __SUNW_D_VERSION\nBEGIN { }\n#endif");
        row("what DTrace for Linux defines", {"-C"}, "#if defined(__Linux) && __SUNW_D_VERSION == 0x02000000\nBEGIN { }\n#endif");
        row("no types that D lacks", {"-C"}, "#ifdef __SIZEOF_INT128__\ntypedef unsigned __int128 wide;\n#endif\nBEGIN { }");
        row("names of modules are not replaced", {"-C"}, "inline int unix = 3; inline int linux = 4; BEGIN { trace(unix + linux); }");
        row("-I", {"-C", "-I", "MORE"}, "#include \"types.h\"\nBEGIN { trace((foo)1); }");
        row("-x incdir", {"-C", "-x", "incdir=MORE"}, "#include <types.h>\nBEGIN { trace((foo)1); }");
        row("no directory", {"-C"}, "#include \"types.h\"\nBEGIN { trace((foo)1); }", false);
        row("beside the script", {"-C"}, "#include \"near.h\"\nBEGIN { trace((foo)1); }");
        row("the system's headers", {"-C"}, "#include <linux/posix_types.h>\nBEGIN { trace((__kernel_pid_t)1); }");
        row("functions of the system's headers are not D", {"-C"}, "#include <endian.h>\n#if __BYTE_ORDER == __LITTLE_ENDIAN\nBEGIN { trace((__uint16_t)1); }\n#endif");
        row("functions of one's own are not D either", {"-C"}, "int f(int x) { return x; }\nBEGIN { }", false);
        for (const char* header : {"sys/types.h", "netinet/in.h", "signal.h", "stdio.h", "linux/if_ether.h", "linux/ipv6.h", "linux/fs.h"})
            row(header, {"-C"}, (QByteArray("#include <") + header + ">\nBEGIN { }").constData());
        row("-X s", {"-C", "-X", "s"}, "#ifndef __STDC__\nBEGIN { }\n#endif");
        row("-X c", {"-C", "-Xc"}, "#ifdef __STDC__\nBEGIN { }\n#endif");
        row("-x stdc=s", {"-C", "-x", "stdc=s"}, "#ifndef __STDC__\nBEGIN { }\n#endif");
        row("-x stdc=c", {"-C", "-x", "stdc=c"}, "#ifdef __STDC__\nBEGIN { }\n#endif");
        row("-x cppargs splits at blanks", {"-C", "-x", "cppargs=-DA=BEGIN -DB=END"}, "A, B { }");
    }
    void programsCompile()
    {
        QFETCH(QStringList, words);
        QFETCH(QByteArray, text);
        QFETCH(bool, compiles);
        words.replaceInStrings("MORE", m_dir.filePath("more"));
        const auto run = runDscope(words + QStringList{"-e", "-s", write("program.d", text)});
        QVERIFY2(run.status == (compiles ? 0 : 1), run.err.constData());
        if (compiles) QCOMPARE(run.err, QByteArray());
    }
    void theInterpretersLineMayStandBehindComments()
    {
        const auto run = runDscope({"-C", "-e", "-s",
            write("below.d", "/* whose it is */\n\n#!/usr/sbin/dtrace -Cs\n/* what for */\n#define N 1\nBEGIN { trace(N); }\n")});
        QVERIFY2(run.status == 0 && run.err.isEmpty(), run.err);
        const auto wrong = runDscope({"-C", "-e", "-s", write("within.d", "/* whose it is */\nBEGIN { }\n#!/usr/sbin/dtrace -Cs\n")});
        QVERIFY2(wrong.status == 1 && wrong.err.contains("/dev/stdin:3:"), wrong.err);
    }
    void whatCppRefusesIsToldInItsWordsAndOurs()
    {
        const auto path = write("wrong.d", "BEGIN { }\n#else\n");
        const auto run = runDscope({"-C", "-e", "-s", path});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.err.contains("/dev/stdin:2:"), run.err.constData());
        QVERIFY2(run.err.endsWith("dtrace: failed to compile script " + path.toUtf8() + ": Preprocessor failed to process input program\n"), run.err.constData());
    }
    void includedFilesAreListed_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("-H") << QStringList{"-H"};
        QTest::newRow("-x cpphdrs") << QStringList{"-x", "cpphdrs"};
    }
    void includedFilesAreListed()
    {
        QFETCH(QStringList, words);
        const auto run = runDscope(words + QStringList{"-C", "-e", "-s", write("includes.d", "#include \"near.h\"\nBEGIN { }\n")});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.err.contains(". " + m_dir.filePath("near.h").toUtf8()), run.err.constData());
    }
    void anotherCppIsTaken()
    {
        const auto run = runDscope({"-C", "-x", "cpppath=/bin/false", "-e", "-s", write("program.d", "BEGIN { }")});
        QCOMPARE(run.status, 1);
    }
};
QTEST_GUILESS_MAIN(TestPreprocess)
#include "tst_preprocess.moc"
