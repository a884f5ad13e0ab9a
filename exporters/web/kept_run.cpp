#include "exporters/web/kept_run.h"
#include "engine/record/counted_stacks.h"
#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::exporters {
namespace {
constexpr off_t kLargest = off_t{48} << 20; // bytes of a recording that an HTML page may hold

/// Error: the bytes are not all there.
Result<std::string> contents(const Fd& file)
{
    const auto size = ::lseek(file.get(), 0, SEEK_END);
    std::string bytes(static_cast<std::size_t>(std::max<off_t>(size, 0)), '\0');
    if (::pread(file.get(), bytes.data(), bytes.size(), 0) != size) return Error{0, "what was kept of the run is gone"};
    return bytes;
}
} // namespace

KeptRun::KeptRun() : m_file(::memfd_create("dscope", MFD_CLOEXEC))
{
    if (m_file) m_writer = std::make_unique<record::Writer>(m_file.get());
}

void KeptRun::take(const record::Record& record)
{
    if (!m_writer) return;
    if (const auto* stacks = std::get_if<record::CountedStacks>(&record)) {
        m_counted.push_back(*stacks);
        return;
    }
    if (const auto* parts = std::get_if<record::StackParts>(&record)) {
        m_parts = *parts;
        return;
    }
    if (const auto* exit = std::get_if<record::Exit>(&record)) {
        m_exit = *exit;
        return;
    }
    m_writer->take(record);
    constexpr std::size_t kNow = 4096;
    if (++m_taken % kNow != 0 || ::lseek(m_file.get(), 0, SEEK_CUR) < kLargest) return;
    m_writer.reset();
    m_file.reset();
}

void KeptRun::finish()
{
    if (m_writer) m_writer->flush();
}

std::vector<record::CountedStacks> KeptRun::bounded(std::size_t mostText, std::size_t& leftOut) const
{
    std::size_t size = 0;
    for (const auto& stacks : m_counted)
        size += record::textSize(stacks);
    std::vector<record::CountedStacks> all = record::byMeasure(m_counted), out;
    if (size <= mostText) return all;
    for (const auto& stacks : all) {
        const double share = static_cast<double>(record::textSize(stacks)) / static_cast<double>(size);
        out.push_back(record::heaviest(stacks, static_cast<std::size_t>(share * static_cast<double>(mostText) / 4)));
        leftOut += stacks.all().size() - out.back().all().size();
    }
    return out;
}

bool KeptRun::hasOneMeasure() const { return !m_counted.empty() && record::byMeasure(m_counted).size() == 1; }

KeptRun::Recording KeptRun::recording(std::size_t mostText) const
{
    std::size_t leftOut = 0;
    const auto all = bounded(mostText, leftOut);
    auto out = packed(all, leftOut == 0 && all.size() <= 1);
    out.leftOut = leftOut;
    return out;
}

KeptRun::Recording KeptRun::packed(const std::vector<record::CountedStacks>& all, bool isAll) const
{
    Recording out;
    const Fd rest(::memfd_create("dscope", MFD_CLOEXEC));
    if (!m_writer || m_writer->failure() || !rest) return out;
    record::Writer writer(rest.get(), m_writer->records());
    for (const auto& stacks : all)
        writer.take(stacks);
    if (m_parts) {
        auto parts = *m_parts;
        parts.hasLines = parts.hasLines && isAll; // else they would name others
        if (!parts.hasLines)
            for (auto& part : parts.parts)
                part.lines.clear();
        writer.take(parts);
    }
    if (m_exit) writer.take(*m_exit);
    if (!writer.finish()) return out;
    const auto begin = contents(m_file), end = contents(rest);
    if (begin && end && begin->size() + end->size() <= static_cast<std::size_t>(kLargest)) out.bytes = *begin + *end;
    return out;
}
} // namespace dscope::exporters
