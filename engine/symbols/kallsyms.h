#pragma once
#include "engine/symbols/symbol_table.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::symbols {
/// The kernel's functions by address, and its data where the kernel tells of them (CONFIG_KALLSYMS_ALL), from the text of
/// /proc/kallsyms. Source: nm(1) and kernel/kallsyms.c, s_show().
class Kallsyms {
public:
    Kallsyms() = default;
    explicit Kallsyms(std::string_view text);
    struct Named {
        std::string_view function, module; ///< module: "vmlinux" for the kernel itself; live as long as this object
        std::uint64_t offset = 0;          ///< into the function
    };
    std::optional<Named> find(std::uint64_t address) const;
    /// False where the file was empty, or all its addresses are zero (kptr_restrict, no privileges).
    bool known() const { return !m_entries.empty(); }
    std::size_t size() const { return m_entries.size(); }

private:
    struct Entry {
        std::uint64_t start = 0;
        std::uint32_t name = 0;
        std::uint16_t length = 0, module = 0;
        bool code = false, global = false, weak = false;
    };
    std::string_view nameOf(const Entry& e) const { return std::string_view(m_names).substr(e.name, e.length); }
    std::string m_names;
    std::vector<std::string> m_modules;
    std::vector<Entry> m_entries;
};
} // namespace dscope::symbols
