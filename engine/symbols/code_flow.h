#pragma once
#include "engine/symbols/code_effect.h"
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>
namespace dscope::symbols {
/// Follows every way through code, and what the stack is like on it. Addresses are those the file is linked for.
class CodeFlow {
public:
    using Read = std::function<ByteView(std::uint64_t address)>; ///< code from there on; empty where there is none
    explicit CodeFlow(Read read) : m_read(std::move(read)) { }
    /// What is there is not followed.
    void leaveOut(std::uint64_t address);
    /// A function begins there.
    void addFunction(std::uint64_t address);
    /// Perhaps one does: its address is taken. To be asked after the functions that are known.
    void addPointedTo(std::uint64_t address);
    struct Place {
        FrameShape shape;
        std::uint8_t length = 0; ///< of the instruction
        bool isTrue = false;     ///< the way here and the ways on agree
    };
    /// What was found, by address, once all has been added.
    std::map<std::uint64_t, Place> places();
    const std::set<std::uint64_t>& functions() const { return m_functions; }
    /// What instructions took the address of.
    const std::set<std::uint64_t>& pointers() const { return m_pointers; }

private:
    /// Whether some way from a place returns. Perhaps: it calls a function of another file in place of a return.
    enum class Returns : std::uint8_t { No, Perhaps, Yes };
    struct Known {
        FrameShape shape;
        std::uint8_t length = 0;
        CodeEffect::Way way = CodeEffect::Way::On;
        Returns returns = Returns::No;
        bool mayEnd = false;                 ///< a call of what returns perhaps
        bool isWaiting = false;              ///< in m_waiting
        std::array<std::uint64_t, 2> next{}; ///< what `from` of others tells, the other way round; 0: none
        std::vector<std::uint64_t> from;
    };
    void reach(std::uint64_t address, const FrameShape& shape, std::optional<std::uint64_t> from);
    void follow();
    void step(std::uint64_t address);
    std::set<std::uint64_t> before(std::vector<std::uint64_t> places) const;
    void call(std::uint64_t address, const CodeEffect& effect, FrameShape after);
    void doubt(std::uint64_t address) { m_doubtful.push_back(address); }
    void markReturning(std::uint64_t address, Returns how);
    bool isWithin(std::uint64_t address) const;

    Read m_read;
    CodeDecoder m_decoder;
    std::map<std::uint64_t, Known> m_known;
    std::set<std::uint64_t> m_functions, m_pointers, m_leftOut;
    std::set<std::uint64_t> m_jumpsWithin; ///< where a jump goes to a place of the same function that is not known
    std::vector<std::uint64_t> m_doubtful; ///< no code, or ways that do not agree
    std::vector<std::uint64_t> m_todo;
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>>
        m_waiting; ///< calls, by what is called: it was not seen to return for sure
};
} // namespace dscope::symbols
