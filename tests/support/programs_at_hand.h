#pragma once
#include <QStandardPaths>
namespace dscope::tests {
/// Whether the machine has this program (a compiler, a tool that tells the truth): tests that need one it lacks skip.
inline bool has(const char* program) { return !QStandardPaths::findExecutable(QString::fromUtf8(program)).isEmpty(); }
} // namespace dscope::tests
