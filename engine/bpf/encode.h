#pragma once
#include "engine/base/result.h"
#include "engine/bpf/insn.h"
#include <string>
namespace dscope::bpf {
/// Where an encoded instruction list needs a map's descriptor or the address of its value.
struct MapUse {
    std::size_t slot; ///< the first of the two slots of ld_imm64
    MapId map;
    bool value; ///< the address of element 0's value plus `offset`, else the map itself
    std::uint32_t offset;
};
/// A program as the kernel takes it, once its map uses are patched.
struct Encoded {
    std::vector<Slot> slots;
    std::vector<MapUse> maps;
    std::vector<std::pair<std::size_t, Span>> lines; ///< first slot of each run of equal Span
};
/// Labels resolved. A jump that is longer than 16 bits reach goes by way of others, so that kernels before 6.6, which
/// have no long jump, take the code too. Until they are patched, map uses hold the number of the map (and the offset).
/// A label that is never bound, or bound twice, is a bug of ours.
Encoded encode(const std::vector<Insn>& code);
/// Parse the assembly that the bpf_conformance corpus uses ("jeq %r1, 7, done"); what disassemble() prints is accepted too.
/// The label `exit`, where it is not bound, is the last instruction. Errors name the line.
Result<std::vector<Slot>> assemble(std::string_view text);
/// As text, an instruction a line; `maps` names the map uses. What is no instruction is printed as `.slot` and its parts.
std::string disassemble(std::span<const Slot> slots, std::span<const MapUse> maps = {});
/// The same for readers: before the text the slot's number, its offset in 8-byte units and its fields in hexadecimal.
std::string listing(std::span<const Slot> slots, std::span<const MapUse> maps = {});
} // namespace dscope::bpf
