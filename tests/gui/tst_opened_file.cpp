#include "gui/opened_file.h"
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
using dscope::gui::FileKind;

class TestOpenedFile : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
private Q_SLOTS:
    void aFileIsWhatItBeginsWith_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("contents");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("says");
        QTest::newRow("program") << "a.d" << QByteArray("BEGIN { }") << int(FileKind::Program) << "";
        QTest::newRow("program by another name") << "a.txt" << QByteArray("syscall:::entry { @ = count(); }") << int(FileKind::Program) << "";
        QTest::newRow("recording") << "a.dscope" << QByteArray("DSCOPE\n\0", 8) << int(FileKind::Recording) << "";
        QTest::newRow("folded stacks") << "a.folded" << QByteArray("main;work 12\nmain;rest 3\n") << int(FileKind::Foreign) << "";
        QTest::newRow("perf") << "perf.data" << QByteArray("PERFILE2\0\0\1\0", 12) << int(FileKind::Foreign) << "";
        const QByteArray packed("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcbM\xcc\xcc\xb3.\xcf/\xcaV04\xe2\xca\x05q\x8aR\x8bK\x14\x8c\xb9\x00\xca\xb2\x1bS\x19\x00\x00\x00", 42); // by gzip
        QTest::newRow("compressed stacks") << "a.folded.gz" << packed << int(FileKind::Foreign) << "";
        QTest::newRow("compressed stacks, cut") << "a.gz" << packed.chopped(3) << int(FileKind::Refused) << "its compressed data is cut near byte";
        QTest::newRow("a compressed program") << "a.d.gz" << QByteArray("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xcbO\xcaO\xa9T\xc8\xce\xcb//V(\xc9\xc8,\xe6\x02\x00\xd7" "dU&\x12\x00\x00\x00", 38)
                                              << int(FileKind::Refused) << "is no text";
        QTest::newRow("picture") << "a.png" << QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) << int(FileKind::Refused) << "is no text";
    }
    void aFileIsWhatItBeginsWith()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, contents);
        QFETCH(int, kind);
        QFETCH(QString, says);
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(contents);
        file.close();
        const auto what = dscope::gui::lookAt(file.fileName());
        QCOMPARE(int(what.kind), kind);
        QVERIFY2(what.why.contains(says) && what.why.isEmpty() == says.isEmpty(), qPrintable(what.why));
    }
    void whatIsNoFileIsTold()
    {
        QVERIFY(dscope::gui::lookAt(m_folder.path()).why.contains(QStringLiteral("is a folder")));
        QVERIFY(dscope::gui::lookAt(m_folder.filePath(QStringLiteral("missing"))).why.contains(QStringLiteral("could not be opened")));
    }
};
QTEST_GUILESS_MAIN(TestOpenedFile)
#include "tst_opened_file.moc"
