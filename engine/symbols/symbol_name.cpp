#include "engine/symbols/symbol_name.h"
#include <algorithm>
#include <elf.h>
namespace dscope::symbols {
namespace {
bool isOfVersion(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '+';
}
} // namespace

SymbolName symbolName(std::string_view written)
{
    const auto at = written.find('@');
    if (at == 0 || at == written.npos) return {written};
    const bool isDefault = written.substr(at).starts_with("@@");
    const auto version = written.substr(at + (isDefault ? 2 : 1));
    if (version.empty() || version == "plt" || !std::all_of(version.begin(), version.end(), isOfVersion)) return {written};
    return {written.substr(0, at), !isDefault};
}

OldVersions::OldVersions(const ElfFile& file, std::uint32_t tableType)
{
    if (tableType != SHT_DYNSYM) return;
    if (const auto* section = file.section(std::uint32_t{SHT_GNU_versym})) m_versions = file.contents(*section);
}

bool OldVersions::contains(std::size_t index) const
{
    constexpr std::uint16_t kHidden = 0x8000; // VERSYM_HIDDEN
    if (m_versions.size() / sizeof(std::uint16_t) <= index) return false;
    return (readAt<std::uint16_t>(m_versions, index * sizeof(std::uint16_t)) & kHidden) != 0;
}

std::size_t leadingUnderscores(std::string_view name) { return std::min(name.find_first_not_of('_'), name.size()); }

void CutNames::note(std::string_view name)
{
    if (const auto at = name.find('@'); at != name.npos && at != 0) m_cut.emplace(name.substr(0, at));
}
} // namespace dscope::symbols
