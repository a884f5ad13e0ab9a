#pragma once
#include <QDir>
#include <QString>
#include <QTest>
/// The programs of the public corpus bpf_conformance, which is not part of this repository.
namespace dscope::tests {
constexpr const char* kNoCorpus = "needs the bpf_conformance corpus: clone https://github.com/Alan-Jowett/bpf_conformance and set "
                                  "DSCOPE_BPF_CONFORMANCE to its folder tests";

/// A row "path" for each program in the folder that DSCOPE_BPF_CONFORMANCE names, else in `otherwise`. If there are none: one row with
/// an empty path, which the test skips with kNoCorpus.
inline void addCorpusRows(const QString& otherwise)
{
    QTest::addColumn<QString>("path");
    const QDir folder(qEnvironmentVariable("DSCOPE_BPF_CONFORMANCE", otherwise));
    const auto names = folder.entryList({QStringLiteral("*.data")}, QDir::Files);
    for (const auto& name : names)
        QTest::newRow(qPrintable(name)) << folder.filePath(name);
    if (names.isEmpty()) QTest::newRow("no corpus") << QString();
}
} // namespace dscope::tests
