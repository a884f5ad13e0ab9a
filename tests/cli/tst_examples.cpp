// needs-programs: dscope
// Every program in examples/ compiles, runs on a workload that makes it speak, and says what it should.
#include "tests/support/run_dscope.h"
#include <QDir>
#include <QObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
using namespace dscope::tests;
namespace {
struct Example {
    const char* file;
    QStringList arguments;          ///< after -s FILE; %P is where the workloads are
    const char* says;               ///< a regular expression over what it prints
    const char* view;               ///< drawn with it, or null
};
const QString kDirectWrites = QStringLiteral("/bin/dd if=/dev/zero of=%P/example.data bs=64k count=64 oflag=direct");
// A disk may be done with small ones before their writer comes to wait.
const QString kLargeWrites = QStringLiteral("/bin/dd if=/dev/zero of=%P/example.data bs=1M count=64 oflag=direct");
const QList<Example>& examples()
{
    static const QList<Example> all{
        {"process-tree.d", {"-c", "%P/storm root 9 /dev/null"}, R"(storm +\d+ \S*/storm leaf exit7 1\n)", "process-tree"},
        {"write-sizes.d", {"-c", "%P/known_writes 512 400"}, R"(512 \|@{40} 400 )", "histogram"},
        {"hot-stacks.d", {"-c", "%P/two_chains 1"}, R"(two_chains`wide_a\+0x[0-9a-f]+\n +two_chains`main\+0x)", "flame"},
        {"open-files.d", {"-c", "/bin/cat /etc/hostname"}, R"(cat +/etc/hostname\n)", "table"},
        {"execsnoop.d", {"-c", "/usr/bin/env nosuchprogram"},
            R"( +0 /usr/bin/env nosuchprogram\n(.*\n)* +\d+ +\d+ +\d+ +2 \S*/nosuchprogram\n)", "table"},
        {"opensnoop.d", {"-c", "/bin/cat /etc/hostname"}, R"( cat +\d+ +0 /etc/hostname\n)", "table"},
        {"statsnoop.d", {"-c", "/bin/ls -l /etc/hostname"}, R"( ls +\w+ +0 /etc/hostname\n)", "table"},
        {"rwsnoop.d", {"-c", "/bin/cat /etc/hostname"}, R"( cat +R +[1-9]\d* /etc/hostname\n( .*\n)* .* cat +R +0 /etc/hostname\n)",
            "table"},
        {"tcpsnoop.d", {"-c", "%P/known_packets"},
            R"( known_packets +127\.0\.0\.1 +\d+ -> +127\.0\.0\.1 +\d+ +100\n(.*\n)* .* known_packets .* <- .* 300\n)", "table"},
        {"write-timing.d", {"300ms", "-c", "%P/known_writes 512 100000"}, R"(known_writes +\n +value)", "histogram"},
        {"syscall-rates.d", {"-c", "/bin/sleep 5.5"}, R"(\d+ \S+ +\d+ \w+\n)", "bars"},
        {"write-stacks.d", {"-c", "%P/known_writes 512 400"},
            R"( write +\n( +libc\.so\.6`\w*syscall_cancel\+\w+\n)*[^\n]*write[^\n]*\n(.*\n)* +known_writes`main\+0x[0-9a-f]+\n(.*\n)* +400\n)",
            "flame"},
        {"new-processes.d", {"-c", "%P/storm root 9 /dev/null"}, R"(:exec-success +\S*/storm leaf exit7 1\s*\n)", "process-tree"},
        {"lifetimes.d", {"-c", "%P/storm root 90 /dev/null"}, R"(storm +\n +value)", "histogram"},
        {"seek-write.d", {"-c", "/bin/dd if=/dev/zero of=/dev/null bs=512 count=10 seek=3"},
            R"( 1 +1536 +1\n(.*\n)*write .*\n(.*\n)* +1 +512 +10\n)", "bars"},
        {"write-quant.d", {"1", "-c", "%P/known_writes 512 10000000"}, R"( write +\n +value.*\n.*\n +512 \|@{40} )", "histogram"},
        {"read-sizes.d", {"-c", "%P/kernel_work transfer 300"}, R"(kernel_work +\n +value(.*\n)* +8192 \|@+ +300 )", "histogram"},
        {"cross-calls.d", {"kernel_work", "-c", "%P/kernel_work contend 200"}, R"(munmap +\d+\n)", "bars"},
        {"time-slices.d", {"kernel_work", "-c", "%P/kernel_work pass 2000"}, R"(goes to sleep +\d{3,}\n(.*\n)* +nanoseconds on CPU +\n)",
            "histogram"},
        {"queue-wait.d", {"-c", "%P/kernel_work pass 2000"}, R"( +\d\n +value)", "histogram"},
        {"page-faults.d", {"-c", "%P/kernel_work touch 1000"}, R"(kernel_work +cow_fault +1\d{3}\n)", "bars"},
        {"lock-waits.d", {"-c", "%P/kernel_work contend 300"}, R"(rw-block +\d+\n)", "flame"},
        {"wall-clock.d", {"-c", "%P/kernel_work pass 2000"},
            R"(`schedule\+0x\w+\n(.*\n)* +kernel_work`pass\+0x\w+\n +kernel_work`main\+0x)", "flame"},
        {"off-cpu.d", {"-c", "%P/kernel_work pass 2000"}, R"(`schedule\+0x\w+\n(.*\n)* +kernel_work`pass\+0x\w+\n +kernel_work`main\+0x)",
            "flame"},
        {"wakers.d", {"-c", "%P/kernel_work pass 2000"},
            R"(kernel_work +\n +\S+wake\S+\n(.*\n)* +kernel_work`answer\+0x\w+\n(.*\n)* +\d{4}\n)", "flame"},
        {"crashes.d", {"-c", "%P/kernel_work fault 1"},
            R"((?s)kernel_work \(\d+\): no memory there at 0x0\n.*?kernel_work \(\d+\): divided by zero at 0x[0-9a-f]+\n.*?kernel_work \(\d+\): no such instruction)",
            "table"},
        {"sampled-programs.d", {"-c", "%P/kernel_work spin 500"}, R"(kernel_work +its own code +\d{2,}\n)", "bars"},
        {"iosnoop.d", {"-c", kDirectWrites}, R"( +\S+ +\S*/example\.data +W\n)", "table"},
        {"iotime.d", {"-c", kDirectWrites}, R"( +\S+ +\S*/example\.data +W +\d+\.\d{3}\n)", "table"},
        {"whoio.d", {"-c", kDirectWrites}, R"( +\S+ +dd +\d+ +\d{7,}\n)", "bars"},
        {"iothrough.d", {"-c", kDirectWrites}, R"(  \S+ \(/dev/\S+\)\n\n +value)", "histogram"},
        {"whowrite.d", {"-c", kDirectWrites}, R"( +dd +\S*/programs +\d+\n)", "bars"},
        {"iocpu.d", {"dd", "-c", kLargeWrites}, R"( <I/O wait> +\d+\n(.*\n)+  example\.data +\d+\n)", "bars"},
        {"where-in-file.d", {"dd", "example.data", "-c", kDirectWrites}, R"( 3 \|@+ +\d+ *\n)", "histogram"},
        {"ip-top.d", {"1s", "50", "-c", "%P/known_packets 3"}, R"(127\.0\.0\.1 +receive +\d+\n)", "table"},
        {"ip-sizes.d", {"-c", "%P/known_packets"}, R"( ::1 +known_packets +\n +value)", "histogram"},
        {"tcp-connections.d", {"-c", "%P/known_packets"},
            R"(127\.0\.0\.1:\d+ connected to 127\.0\.0\.1:\d+ in \d+ us\n(.*\n)*::1:\d+ refused)", "table"},
        {"call-stacks.d", {"-c", "/bin/ls /etc/hostname", "libc", "str*"}, R"(pid\d+:libc\.so\.6:(str\w+)\n +libc\.so\.6`\w*\1)", "table"},
        {"libc-trace.d", {"-F", "-c", "/bin/date"}, R"( -> setlocale *\n(.*\n)* +\d+ +<- setlocale *\n)", nullptr},
        {"disk-sizes.d", {"-c", kDirectWrites}, R"(start +\d+ dd \d+\n)", "table"},
        {"write-rates.d", {"-c", "%P/known_writes 512 400"}, R"(known_writes +204800\n)", "series"},
        {"call-times.d", {"500ms", "-c", "%P/known_writes 512 10000000"}, R"(known_writes +\n +value)", "heatmap"},
        {"who-opens-what.d", {"-c", "/bin/cat /etc/hostname"}, R"(cat +/etc +hostname +1\n)", "graph"},
        {"signal-graph.d", {"-c", "%P/storm root 9 /dev/null"},
            R"(digraph signals \{\n(.*\n)*\t"storm" -> "storm" \[label="signal 9, \d+ times"\];\n(.*\n)*\})", "graph"},
        {"call-chart.d", {"-F", "-c", "%P/two_chains 1"}, R"( -> main *\n +\d+ +[-=]> \w)", "flame-chart"},
        {"signals.d", {"-c", "%P/storm root 9 /dev/null"}, R"(storm \(\d+\) sends signal 9 to storm \(\d+\)\n)", "table"},
    };
    return all;
}
} // namespace

class TestExamples : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyExampleIsTried()
    {
        QStringList tried, there = QDir(DSCOPE_SOURCE "/examples").entryList({"*.d"}, QDir::Files);
        for (const auto& e : examples()) tried << e.file;
        tried.sort();
        there.sort();
        QCOMPARE(tried, there);
    }
    void theExampleSpeaks_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < examples().size(); ++i) QTest::newRow(examples()[i].file) << i;
    }
    void theExampleSpeaks()
    {
        if (const auto why = whyNoTracing(); !why.isEmpty()) QSKIP(why.constData());
        QFETCH(int, index);
        const auto& e = examples()[index];
        const QTemporaryDir dir;
        QStringList words{"-s", QString(DSCOPE_SOURCE "/examples/") + e.file};
        for (auto word : e.arguments) words << word.replace("%P", DSCOPE_PROGRAMS);
        const auto svg = dir.filePath("figure.svg");
        if (e.view) words << "--text" << "--export" << QString(e.view) + "=" + svg;
        const auto run = runDscope(words);
        QVERIFY2(run.status == 0, run.err.constData());
        QVERIFY2(QRegularExpression(e.says).match(QString::fromUtf8(run.out)).hasMatch(), run.out.left(4000).constData());
        if (e.view) QVERIFY(QFileInfo(svg).size() > 2'000);
    }
};
QTEST_GUILESS_MAIN(TestExamples)
#include "tst_examples.moc"
