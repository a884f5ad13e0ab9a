#include "exporters/report/zip.h"
#include <zlib.h>
namespace dscope::report {
namespace {
constexpr std::uint16_t kVersion = 20;        // 2.0: folders and deflate
constexpr std::uint16_t kUtf8 = 1U << 11;     // names
constexpr std::uint16_t kDate = 1U << 5 | 1U; // 1980-01-01
constexpr std::uint64_t kMostBytes = 0xFFFFFFFF, kMostFiles = 0xFFFF;

void put16(std::string& out, std::uint32_t value)
{
    out += static_cast<char>(value & 255);
    out += static_cast<char>(value >> 8 & 255);
}
void put32(std::string& out, std::uint32_t value)
{
    put16(out, value & 0xFFFF);
    put16(out, value >> 16);
}
/// Without zlib's own head: RFC 1951.
std::string deflated(std::string_view bytes)
{
    constexpr int kRaw = -15, kMemory = 8;
    z_stream stream{};
    DSCOPE_ASSERT(::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kRaw, kMemory, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(::deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data())); // it is not written to
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    DSCOPE_ASSERT(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    return out;
}
} // namespace

void Zip::common(std::string& head, const Entry& entry) const
{
    put16(head, kVersion);
    put16(head, kUtf8);
    put16(head, entry.method);
    put16(head, 0); // midnight
    put16(head, kDate);
    put32(head, entry.crc);
    put32(head, entry.packed);
    put32(head, entry.plain);
    put16(head, static_cast<std::uint32_t>(entry.name.size()));
    put16(head, 0); // no extra field: the office formats want none in their first file
}
void Zip::add(std::string_view name, std::string_view bytes, Pack pack)
{
    const std::string packed = pack == Pack::Deflated ? deflated(bytes) : std::string(bytes);
    Entry entry;
    entry.name = name;
    entry.method = pack == Pack::Deflated ? Z_DEFLATED : 0;
    entry.crc = static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
    entry.packed = static_cast<std::uint32_t>(packed.size());
    entry.plain = static_cast<std::uint32_t>(bytes.size());
    entry.at = static_cast<std::uint32_t>(m_size);
    std::string head;
    put32(head, 0x04034B50);
    common(head, entry);
    head += entry.name;
    m_out << head << packed;
    m_size += head.size() + packed.size();
    m_entries.push_back(std::move(entry));
}
Result<> Zip::finish()
{
    std::string directory;
    for (const auto& entry : m_entries) {
        put32(directory, 0x02014B50);
        put16(directory, kVersion);
        common(directory, entry);
        put16(directory, 0); // no comment
        put16(directory, 0); // the first disk
        put16(directory, 0); // no text, as far as is known
        put32(directory, 0); // no attributes
        put32(directory, entry.at);
        directory += entry.name;
    }

    if (m_size + directory.size() > kMostBytes || m_entries.size() > kMostFiles) return Error{0, "it would be larger than 4 GiB"};
    std::string end;
    put32(end, 0x06054B50);
    put32(end, 0); // of one disk
    put16(end, static_cast<std::uint32_t>(m_entries.size()));
    put16(end, static_cast<std::uint32_t>(m_entries.size()));
    put32(end, static_cast<std::uint32_t>(directory.size()));
    put32(end, static_cast<std::uint32_t>(m_size));
    put16(end, 0);
    m_out << directory << end;
    if (!m_out) return Error{0, "cannot write the archive"};
    return {};
}
} // namespace dscope::report
