#pragma once
#include "engine/base/bytes.h"
#include <cstdint>
#include <optional>
namespace dscope::symbols {
/// Where an instruction leads.
enum class Flow : std::uint8_t { On, Return, Jump, Branch, IndirectJump, Stop };
/// An instruction, as far as probing needs it.
struct Decoded {
    std::uint64_t address = 0, target = 0; ///< target of Jump and Branch
    std::uint8_t length = 0;
    Flow flow = Flow::On;
    bool canProbe = true; ///< false: the kernel refuses a probe there, or lets the program go astray
    bool isSafe = true;   ///< false: not to be stepped over unless asked for
    bool byTable = false; ///< IndirectJump that goes to an entry of a table
    bool calls = false;   ///< it returns behind itself
};
/// One instruction of aarch64 after the other, in the order of a sweep: how a jump got its address is known from those before.
class Aarch64Decoder {
public:
    /// The instruction at the start of `code`; none where less than one is left.
    std::optional<Decoded> decode(ByteView code, std::uint64_t address);

private:
    std::uint64_t m_count = 0, m_loaded = 0, m_added = 0; ///< numbers of the last ones that belong to a jump by table
};
} // namespace dscope::symbols
