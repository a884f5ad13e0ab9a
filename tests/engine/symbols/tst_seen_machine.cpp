// What symbols ask of the machine comes through its Host: here one whose /proc is a folder of the test.
#include "engine/symbols/file_root.h"
#include "engine/symbols/mapped_file.h"
#include "engine/symbols/process_objects.h"
#include "tests/support/rooted_host.h"
#include <QDir>
#include <QFile>
#include <QObject>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>
using namespace dscope;
using dscope::tests::RootedHost;

class TestSeenMachine : public QObject {
    Q_OBJECT
    static constexpr std::uint32_t kPid = 0x3ffffff; ///< beyond what Linux gives
    QTemporaryDir m_folder;
    std::string path(const QString& name) const { return m_folder.filePath(name).toStdString(); }
    ino_t write(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(name));
        if (!QDir().mkpath(QFileInfo(file).path()) || !file.open(QIODevice::WriteOnly)) return 0;
        file.write(text);
        file.close();
        struct stat about { };
        return ::stat(file.fileName().toLocal8Bit().constData(), &about) == 0 ? about.st_ino : 0;
    }
private Q_SLOTS:
    void aProcessOfAnotherMachineIsSeenThroughItsHost()
    {
        const auto process = "proc/" + QString::number(kPid);
        const auto inode = write(process + "/exe", "the program");
        QVERIFY(inode != 0);
        const auto other = write(process + "/map_files/7000-8000", "a library");
        write(process + "/maps",
            "4000-5000 r-xp 00000000 00:00 " + QByteArray::number(quint64(inode)) + " /bin/program\n7000-8000 r-xp 00000000 00:00 "
                + QByteArray::number(quint64(other)) + " /lib/library.so (deleted)\n");
        const RootedHost host(m_folder.path().toStdString());

        const auto objects = symbols::objectsOf(host, int(kPid));
        QVERIFY2(objects, objects ? "" : objects.error().message.c_str());
        QCOMPARE(objects->size(), 2U);
        QCOMPARE((*objects)[0].name, std::string("program"));
        QVERIFY((*objects)[0].main && !(*objects)[1].main);

        const auto text = host.read("/proc/" + std::to_string(kPid) + "/maps");
        QVERIFY(text);
        const auto maps = symbols::ProcessMaps::parse(*text);
        for (const auto& [mapping, expected] : {std::pair{maps.all().at(0), "the program"}, std::pair{maps.all().at(1), "a library"}}) {
            const auto file = symbols::openMapped(host, kPid, mapping);
            QVERIFY2(file, mapping.path.c_str());
            char bytes[16]{};
            QCOMPARE(QByteArray(bytes, int(::read(file.get(), bytes, sizeof bytes))), QByteArray(expected));
        }
        QVERIFY(!symbols::openMapped(*host::local(), kPid, maps.all().at(0)));
    }
    void aRootOfAnotherMachineIsSeenThroughItsHost()
    {
        write(QStringLiteral("proc/self/ns/mnt"), {});
        write(QStringLiteral("proc/self/root/file"), {});
        const auto process = "proc/" + QString::number(kPid);
        write(process + "/ns/mnt", {});
        write(process + "/root/file", "theirs");
        const RootedHost host(m_folder.path().toStdString());
        const auto root = symbols::FileRoot::ofProcess(host, kPid);
        QVERIFY(root);
        QVERIFY(root->open("/file"));
        QVERIFY(!symbols::FileRoot::ofProcess(*host::local(), kPid));
    }
};
QTEST_GUILESS_MAIN(TestSeenMachine)
#include "tst_seen_machine.moc"
