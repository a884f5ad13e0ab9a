#pragma once
#include "engine/base/result.h"
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::report {
/// A zip archive, as documents of offices are. Source: PKWARE, APPNOTE.TXT 6.3.3, without Zip64: less than 4 GiB and 65,535 files.
class Zip {
public:
    explicit Zip(std::ostream& out) : m_out(out) { }
    enum class Pack : std::uint8_t { Deflated, Stored };
    /// The same files give the same bytes: all are of 1980-01-01. `name`: UTF-8, with '/' between folders.
    void add(std::string_view name, std::string_view bytes, Pack pack = Pack::Deflated);
    /// Writes the directory. Error: something was not written, or it is larger than an archive may be.
    Result<> finish();

private:
    struct Entry {
        std::string name;
        std::uint32_t crc = 0, packed = 0, plain = 0, at = 0;
        std::uint16_t method = 0;
    };
    void common(std::string& head, const Entry& entry) const;
    std::ostream& m_out;
    std::vector<Entry> m_entries;
    std::uint64_t m_size = 0;
};
} // namespace dscope::report
