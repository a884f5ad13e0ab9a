#pragma once
#include "engine/base/result.h"
#include "engine/bpf/insn.h"
#include <string>
namespace dscope::bpf {
/// Where an encoded instruction list needs a map's descriptor or the address of its value.
struct MapUse {
    std::size_t slot;
    MapId map;
    bool value;
    std::uint32_t offset;
};
struct Encoded {
    std::vector<Slot> slots;
    std::vector<MapUse> maps;
    std::vector<std::pair<std::size_t, Span>> lines;   ///< first slot of each run of equal Span
};
/// Labels resolved; jumps longer than 16 bits take gotol. A label never bound is a bug of ours.
Encoded encode(const std::vector<Insn>& code);
/// Parse the assembly that the bpf_conformance corpus uses ("jeq %r1, 7, done"); what disassemble() prints is accepted too.
Result<std::vector<Slot>> assemble(std::string_view text);
/// As text, an instruction a line; `maps` names the map uses.
std::string disassemble(std::span<const Slot> slots, std::span<const MapUse> maps = {});
} // namespace dscope::bpf
