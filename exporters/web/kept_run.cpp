#include "exporters/web/kept_run.h"
#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::exporters {
namespace {
constexpr off_t kLargest = off_t{48} << 20; // bytes of a recording that an HTML page may hold
} // namespace

KeptRun::KeptRun() : m_file(::memfd_create("dscope", MFD_CLOEXEC))
{
    if (m_file) m_writer = std::make_unique<record::Writer>(m_file.get());
}

void KeptRun::take(const record::Record& record)
{
    if (!m_writer) return;
    m_writer->take(record);
    constexpr std::size_t kNow = 4096;
    if (++m_taken % kNow != 0 || ::lseek(m_file.get(), 0, SEEK_CUR) < kLargest) return;
    m_writer.reset();
    m_file.reset();
}

std::string KeptRun::finish()
{
    std::string recording;
    if (!m_writer || !m_writer->finish()) return recording;
    m_writer.reset();
    const auto size = ::lseek(m_file.get(), 0, SEEK_CUR);
    recording.resize(static_cast<std::size_t>(std::max<off_t>(size, 0)));
    if (::pread(m_file.get(), recording.data(), recording.size(), 0) != size) recording.clear();
    m_file.reset();
    return recording;
}
} // namespace dscope::exporters
