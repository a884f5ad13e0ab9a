#include "cli/recording.h"
#include <unistd.h>
namespace dscope::cli {
namespace {
constexpr std::chrono::seconds kWriteEvery{1};
} // namespace

Result<> Recording::open(const std::string& path, OutputFile::Kind kind)
{
    DSCOPE_TRY(m_file, OutputFile::open(path, kind));
    // A Writer writes its head, be it when it goes away: not over what was there before the run has begun.
    if (kind != OutputFile::Kind::Growing) m_writer = std::make_unique<record::Writer>(m_file->descriptor());
    return {};
}
Result<> Recording::begin()
{
    if (!m_file) return {};
    DSCOPE_CHECK(m_file->begin());
    if (!m_writer) m_writer = std::make_unique<record::Writer>(m_file->descriptor());
    m_writer->flush();
    m_written = std::chrono::steady_clock::now();
    if (auto failed = takeFailure()) return *failed;
    return {};
}
void Recording::take(const record::Record& record)
{
    if (m_writer) m_writer->take(record);
}
std::uint64_t Recording::size() const
{
    const auto end = m_writer ? ::lseek(m_file->descriptor(), 0, SEEK_CUR) : -1; // of what has no size, as a pipe: none
    return end < 0 ? 0 : static_cast<std::uint64_t>(end);
}
void Recording::keepUp()
{
    const auto now = std::chrono::steady_clock::now();
    if (!m_writer || now - m_written < kWriteEvery) return;
    if (auto kept = m_file->checkKept(); !kept && !m_lost) m_lost = std::move(kept).error();
    m_writer->flush();
    m_written = now;
}
std::optional<Error> Recording::takeFailure()
{
    if (!m_writer || m_isTold || !(m_writer->failure() || m_lost)) return {};
    m_isTold = true;
    return m_lost ? *m_lost : m_file->refused(*m_writer->failure());
}
Result<> Recording::finish()
{
    if (!m_writer || m_isTold) return {};
    if (!m_lost && m_writer->finish()) {
        const auto again = m_file->isLocked() ? m_file->reopened() : Fd();
        const bool isIntact = !again || m_writer->isIntact(again.get());
        DSCOPE_CHECK(m_file->commit());
        if (!isIntact)
            return m_file->refused(Error{0, "another program emptied it or wrote into it during the run, and it can't be read as a whole"});
        m_isWritten = true;
        return {};
    }
    if (auto failed = takeFailure()) return *failed;
    return {};
}
} // namespace dscope::cli
