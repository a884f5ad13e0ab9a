#pragma once
#include "engine/symbols/code_walk.h"
#include "engine/symbols/debug_files.h"
#include "engine/symbols/elf_file.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
namespace dscope::symbols {
/// The functions of a program or library, for probing. Addresses are those the file is linked for.
class CodeFile {
public:
    struct Function {
        std::string name;
        std::uint64_t start = 0, size = 0;
        bool indirect = false; ///< what is at `start` chooses the function (STT_GNU_IFUNC)
    };
    /// `path`: where we can open the file. `places`: where its separate debug file may lie.
    static Result<std::shared_ptr<CodeFile>> open(const std::string& path, const DebugPlaces& places);
    /// One for each address, in their order; of several names the one that symbols are shown by.
    const std::vector<Function>& functions() const { return m_functions; }
    /// The best name of one of functions() that is wanted: its own, else another one of what begins there; empty if there is none.
    std::string_view nameOf(const Function& function, const std::function<bool(std::string_view)>& isWanted) const;
    /// The function of that name, or of which it is another name; of several the one that is exported, in its default version.
    const Function* named(std::string_view name) const;
    /// All of that name, the same first: files of source have static functions of one name, libraries keep old versions.
    std::vector<const Function*> allNamed(std::string_view name) const;
    /// False of a stripped file without its separate debug file: only what it exports has a name.
    bool namesAll() const { return m_namesAll; }
    /// Where the byte at an address lies in the file.
    std::optional<std::uint64_t> offsetOf(std::uint64_t address) const { return m_elf.offsetOf(address); }
    CodeWalk walk(const Function& function);
    /// Whether the kernel can probe the function's first instruction.
    bool canProbeStart(const Function& function);
    /// The function that begins at an address, if any.
    const Function* startingAt(std::uint64_t address) const;
    /// The function whose code an address is in, if any.
    const Function* covering(std::uint64_t address) const;
    /// Bytes that the unwind entry at this very address covers.
    std::optional<std::uint64_t> sizeAt(std::uint64_t address);
    /// Where a symbol of any kind lies, as the file is linked.
    std::optional<std::uint64_t> symbolAddress(std::string_view name) const;
    const ElfFile& elf() const { return m_elf; }
    const FrameRows& rows();
    /// Where relocations place what resolvers choose: slot -> resolver, both as linked (R_X86_64_IRELATIVE).
    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& indirectSlots();

private:
    explicit CodeFile(ElfFile elf) : m_elf(std::move(elf)) { }
    void addSymbols(const ElfFile& file);
    void addGoFunctions();
    void finish();
    struct Symbol {
        Function function;
        int rank = 0;
        bool isOld = false; ///< of a version that is there for older programs
        int worth() const { return 4 * isOld + rank; }
    };
    struct Owner {
        std::size_t function = 0; ///< index of m_functions
        int worth = 0;            ///< the less the better
    };
    void own(const Symbol& symbol);
    void finishAddress(std::size_t from, std::size_t to);
    struct OtherName {
        std::size_t function = 0; ///< index of m_functions
        std::string name;
    };
    ElfFile m_elf;
    std::vector<Symbol> m_symbols;
    std::vector<Function> m_functions;
    std::unordered_map<std::string, Owner> m_byName;
    std::multimap<std::string, std::size_t, std::less<>> m_sameNames; ///< further functions of a name
    std::vector<OtherName> m_otherNames; ///< by function, the better ones first
    std::unique_ptr<FrameRows> m_rows;
    std::optional<std::vector<std::pair<std::uint64_t, std::uint64_t>>> m_slots;
    bool m_namesAll = false;
    Bytes m_code; ///< the segment that was read last
    std::uint64_t m_codeAt = 0;
};
} // namespace dscope::symbols
