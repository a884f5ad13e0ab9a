#pragma once
#include "engine/base/fd.h"
#include "engine/record/record.h"
#include "engine/record/wire.h"
#include <memory>
#include <string>
namespace dscope::exporters {
/// A run's recording, kept beside it for the figures that open again. It gives up what would be too large to stand in one.
class KeptRun {
public:
    KeptRun();
    void take(const record::Record& record);
    /// The whole recording, at the end of the run and once; empty when it was too large.
    std::string finish();

private:
    Fd m_file;
    std::unique_ptr<record::Writer> m_writer;
    std::size_t m_taken = 0;
};
} // namespace dscope::exporters
