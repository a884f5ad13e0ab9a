#pragma once
#include "tests/support/programs_at_hand.h"
#include <QString>
#include <initializer_list>
namespace dscope::tests {
/// Why a test that asks heavy programs from outside (Prometheus, a JDK, LibreOffice, Chromium for many pages) is left out; empty when it
/// runs. Only `.ci/matrix readers` runs these tests: it installs the programs, and sets DSCOPE_HEAVY_READERS=1. Elsewhere they are left
/// out even where a program happens to be installed, so that ./tests/run checks the same on every machine.
inline QString whyNoReaders(std::initializer_list<const char*> programs = {})
{
    if (qEnvironmentVariableIsEmpty("DSCOPE_HEAVY_READERS")) return QStringLiteral("heavy reader: .ci/matrix readers runs this");
    for (const auto* program : programs)
        if (!has(program)) return QString::fromUtf8(program) + QStringLiteral(" is not installed (./cmake/install-packages readers)");
    return {};
}
} // namespace dscope::tests
