#include "engine/symbols/jit_dump.h"
#include "engine/symbols/process_maps.h"
#include <sys/stat.h>
#include <unistd.h>
namespace dscope::symbols {
namespace {
constexpr std::uint32_t kMagic = 0x4a695444, kLoad = 0, kMove = 1;
constexpr std::size_t kFileHead = 40, kRecordHead = 16;
constexpr std::size_t kLongestName = 1 << 14;
constexpr std::size_t kLoadHead = 40; // pid, tid, vma, address, size, index; then the name and the code
constexpr int kMostAtOnce = 1 << 20;  // records
} // namespace

bool JitDump::isDump(std::string_view path)
{
    const auto name = moduleName(path);
    constexpr std::string_view kBegin = "jit-", kEnd = ".dump";
    if (name.size() <= kBegin.size() + kEnd.size() || !name.starts_with(kBegin) || !name.ends_with(kEnd)) return false;
    const auto number = std::string_view(name).substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
    return number.find_first_not_of("0123456789") == number.npos;
}

Bytes JitDump::bytes(std::uint64_t at, std::size_t size) const
{
    Bytes out(size);
    const auto n = ::pread(m_file.get(), out.data(), size, static_cast<off_t>(at));
    out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return out;
}

void JitDump::read(JitCode& code)
{
    struct stat status { };
    if (m_bad || ::fstat(m_file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (m_next == 0) {
        const auto head = bytes(0, kFileHead);
        if (head.size() < kFileHead) return; // being written
        m_next = readAt<std::uint32_t>(head, 8);
        m_bad = readAt<std::uint32_t>(head, 0) != kMagic || readAt<std::uint32_t>(head, 4) != 1 || m_next < kFileHead;
        if (m_bad) return;
    }
    for (int n = 0; n < kMostAtOnce && m_next + kRecordHead <= size; ++n) {
        const auto part = bytes(m_next, kRecordHead + kLoadHead + kLongestName);
        const auto length = readAt<std::uint32_t>(part, 4);
        m_bad = part.size() >= kRecordHead && length < kRecordHead;
        if (m_bad || part.size() < kRecordHead || length > size - m_next) return;
        const auto body = ByteView(part).first(std::min<std::size_t>(part.size(), length)).subspan(kRecordHead);
        record(readAt<std::uint32_t>(part, 0), body, code);
        m_next += length;
    }
}

void JitDump::record(std::uint32_t kind, ByteView body, JitCode& code) const
{
    const auto word = [&](std::size_t at) { return readAt<std::uint64_t>(body, at); };
    if (kind == kLoad && body.size() > kLoadHead)
        code.add(word(16), word(24), textAt(body, kLoadHead, kLongestName));
    else if (kind == kMove && body.size() >= kLoadHead)
        code.move(word(16), word(24), word(32));
}
} // namespace dscope::symbols
