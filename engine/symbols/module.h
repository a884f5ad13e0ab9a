#pragma once
#include "engine/symbols/debug_files.h"
#include "engine/symbols/debuginfod.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/frame_parts.h"
#include "engine/symbols/go_functions.h"
#include "engine/symbols/source_lines.h"
#include "engine/symbols/symbol_table.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>
namespace dscope::symbols {
/// One mapped file: its unwind rules and its symbols, each read when first asked for. Addresses are those the file is
/// linked for.
class Module {
public:
    /// `name`: what its frames show.
    Module(ElfFile file, std::string name, DebugPlaces places);
    ~Module();
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    const std::string& name() const { return m_name; }
    const ElfFile& file() const { return m_file; }
    const DebugPlaces& places() const { return m_places; }
    /// Whether the rules of its code are made of nothing but the file itself, as they are of most.
    bool tellsItsRules() { return ownFrames(), !*m_rulesFromElsewhere; }
    /// As recordings have it.
    const record::Shared<record::CodeFile>& code() const { return m_code; }
    /// How its code is unwound. Good for this module alone, and no longer.
    FrameParts& frames();
    const SymbolTable& symbols(); ///< those of the file and of its debug files
    /// The symbol that covers a linked address, or the stub of the procedure linkage table.
    std::optional<SymbolTable::Symbol> symbolAt(std::uint64_t address);
    /// Where a signal trampoline begins that no unwind entry tells of, as in musl, if the address is there or at its end, where the
    /// instruction pointer is at the entry of its system call.
    std::optional<std::uint64_t> restorerAt(std::uint64_t address);
    /// All of those.
    const std::vector<std::uint64_t>& restorers();
    /// Where stacks end whatever the rules tell: Go's, and those that begin in a function whose address was put there by hand.
    const std::vector<StackEnd>& stackEnds();
    /// Those in [from, to) and some others, without a look at all rules.
    std::vector<StackEnd> stackEnds(std::uint64_t from, std::uint64_t to);
    /// Its rule; none where rules tell what holds. `exact`: the address is where a thread is, not the byte before a return address.
    std::optional<std::uint64_t> stackEndAt(std::uint64_t address, bool exact);
    /// How a stack came to a return address: by a call, which is before it, or ...
    enum class Arrival : std::uint8_t {
        Called,
        Outermost, ///< it is where a function begins that has no caller: makecontext() and others begin stacks so
        Unknown,   ///< it is where another function begins: the stack was made by hand, and nothing tells what lies beyond
    };
    Arrival arrivalAt(std::uint64_t address);
    /// Code that leaves the stack and the link register as its caller had them, and that no unwind entry tells of: stubs of the procedure
    /// linkage table.
    const std::vector<CodeRange>& stubs();
    bool isStubAt(std::uint64_t address);
    /// A stack was walked through it.
    void setWalked() { m_walked = true; }
    bool isWalked() const { return m_walked; }
    struct Named {
        std::string function; ///< demangled; empty when no symbol covers the address
        std::uint64_t offset
            = 0; ///< into the function; without one, the start of the unwind entry around the address, or of the gap between entries
        bool signal = false;             ///< within a signal trampoline
        std::vector<SourcePlace> places; ///< from the innermost inlined function to `function` itself, when lines are told; or none
    };
    /// Tell lines and inlined functions from here on.
    void tellLines(std::shared_ptr<SourceLines> lines) { m_lines = std::move(lines); }
    /// What its debug file did not tell is asked of the servers, and used when it has come.
    void askServers(std::shared_ptr<Debuginfod> servers) { m_servers = std::move(servers); }
    Named nameOf(std::uint64_t address);
    /// The same, kept, so that the second question for an address costs one search.
    const Named& named(std::uint64_t address);
    /// Read everything now and close the file.
    void settle();
    /// No stack is unwound any more: the memory of the rules is given back. Who asks for them nevertheless has them read again.
    void forgetRules();
    /// The same of rules that are read in parts, while stacks may still be unwound.
    void forgetParts();
    /// The same of symbols, once nothing is named any more.
    void forgetSymbols();
    bool isSettled() const { return !m_file.isOpen(); }
    std::size_t memory() const;                               ///< bytes, about
    std::size_t namedMemory() const { return m_namedMemory; } ///< the part of memory() that named() keeps for second questions
    void forgetNamed();

private:
    const SymbolTable& plt(const ElfFile::Section& section);
    void findStubs();
    const std::vector<StackEnd>& goEnds();
    void addBeginnings(std::vector<StackEnd>& ends, const std::vector<std::uint64_t>& outermost);
    bool isBeginning(std::uint64_t start);
    bool mayBeginStacks(std::uint64_t start, Bytes& before) const;
    FrameParts& ownFrames();
    FrameParts& functions();
    void dropFrames();
    std::uint64_t gapAround(std::uint64_t address);
    bool isCallBefore(std::uint64_t address, ByteView code) const;
    void takeFetched();
    bool hasLines() const;
    const std::string& demangled(const SymbolTable::Symbol& symbol);
    Bytes rulesFromElsewhere();
    Fd openLines() const;
    std::string m_name;
    DebugPlaces m_places;
    record::Shared<record::CodeFile> m_code;
    ElfFile m_file;
    std::unique_ptr<FrameParts> m_frames;
    std::unique_ptr<SymbolTable> m_symbols;
    std::map<const ElfFile::Section*, SymbolTable> m_plt; // stubs, by pltSections()
    std::shared_ptr<Debuginfod> m_servers;                // null: not to be asked, or they have answered
    std::uint64_t m_answersSeen = 0;
    std::unique_ptr<SymbolTable> m_fetched; // of the debug file that came from a server
    std::optional<ElfFile> m_fetchedFile;   // the same, for its lines
    std::shared_ptr<SourceLines> m_lines;   // null: not told
    // None: not asked for yet.
    std::optional<std::vector<std::uint64_t>> m_restorers;
    std::optional<std::vector<StackEnd>> m_goEnds, m_stackEnds;
    std::optional<std::vector<CodeRange>> m_stubs;
    std::optional<bool> m_rulesFromElsewhere;
    bool m_rulesAreComplete = false; ///< m_frames has those, too
    bool m_walked = false;
    std::unordered_map<std::uint64_t, Named> m_named;
    std::unordered_map<std::uint64_t, std::string> m_demangled; ///< by the address of the symbol: many addresses are in one function
    std::size_t m_namedMemory = 0;
};
} // namespace dscope::symbols
