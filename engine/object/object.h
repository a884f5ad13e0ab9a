#pragma once
#include "engine/bpf/insn.h"
#include "engine/bpf/map_kind.h"
#include "engine/object/walk.h"
#include "engine/probe/provider.h"
#include "engine/record/record.h"
#include <optional>
#include <string>
#include <vector>
namespace dscope::object {
/// TaskStorage: the kernel wants BTF for it (an int key, a value type of valueSize bytes) and no maxEntries.
/// Programs: what tail calls find programs in.
using bpf::MapKind;
/// A BPF map that the session creates before it loads the programs.
struct Map {
    std::string name; ///< at most 15 characters, for bpftool
    MapKind kind = MapKind::Array;
    std::uint32_t keySize = 4, valueSize = 8, maxEntries = 1; ///< RingBuffer: maxEntries is the size in bytes, a power of 2
    bool preallocate = false;                                 ///< Hash, PerCpuHash
    bool frozen = false;                                      ///< read-only for programs too: string literals
    Bytes initial;                                            ///< Array: value of element 0.. ; empty: zeros
    bool isOfCode = false;   ///< tables and scratch memory of these very programs: not shared with those that are compiled later
    bool shared = false;     ///< Array: the session has it in its memory too
    bool forEachCpu = false; ///< Array: maxEntries is that of one CPU
};
/// A place in the code that needs a map: the 64-bit immediate at `slot` (two slots).
struct Relocation {
    std::size_t slot;
    MapId map;
    bool value = false; ///< the address of element 0's value plus `offset`, else the map itself
    std::uint32_t offset = 0;
};
/// FunctionEntry, FunctionReturn: of the one kernel function that the program is loaded for; Kprobe: of many, and of uprobes.
enum class ProgramType : std::uint8_t { RawTracepoint, Tracepoint, PerfEvent, Kprobe, FunctionEntry, FunctionReturn };
constexpr std::uint64_t kByAddress = std::uint64_t{1} << 63; ///< of a cookie
constexpr unsigned kNumberShift = 48;                        ///< above any address of user space
/// One eBPF program: its instructions, the maps that it needs, and the places where it is attached.
struct Code {
    std::string name; ///< at most 15 characters
    ProgramType type = ProgramType::RawTracepoint;
    std::vector<bpf::Slot> slots;
    std::vector<Relocation> relocations;
    struct Line {
        std::size_t slot;
        Span at;
    };
    std::vector<Line> lines;          ///< which D text an instruction came from, ascending
    std::vector<probe::Place> attach; ///< where; Manual: run by the session (BEGIN, END)
    /// BPF cookie to attach with, by index into `attach`; empty: none. Programs that serve many kprobes or uprobes.
    std::vector<std::uint64_t> cookies;
    /// A Hash u64 -> u64 that the session fills. Programs for many kernel functions: the address of a function -> its index into
    /// `attach`. Programs with cookies: when several places share a cookie (kByAddress), (low bits of the shared cookie <<
    /// kNumberShift | address) -> the place's own cookie.
    std::optional<MapId> addresses;
    /// The rest of a long program, which it reaches by tail calls: element i + 1 of `partsMap` has to be parts[i], loaded for the
    /// same places.
    std::vector<Code> parts;
    MapId partsMap;
    /// Element of Object::drops that counts its firings, whatever they do, from kDropKinds on. Of timers on all CPUs, whose samples of an
    /// idle CPU would be seen.
    std::optional<std::uint32_t> firings;
    std::vector<ProbeId> served; ///< by index into `attach`, with cookies: whose place it is
};
constexpr std::uint32_t kDropKinds = static_cast<std::uint32_t>(record::Drop::Kind::Firing) + 1;
/// A compiled program: everything the session needs to load and run it, and its readers to understand it.
struct Object {
    std::vector<Map> maps;
    std::vector<Code> programs;           ///< BEGIN and END as Manual, in any order; ERROR is part of the others
    record::Program schema;               ///< clauses and aggregations; the session adds host, times, target
    std::vector<record::ProbeDef> probes; ///< of enabled probes
    MapId control;                        ///< Array of one Control
    MapId ring;                           ///< RingBuffer of RawRecords (engine/object/raw.h)
    MapId drops; ///< PerCpuArray of u64 indexed by record::Drop::Kind: what was lost so far; then firings (Code::firings)
    std::vector<MapId> aggregationMaps; ///< by AggregationId; PerCpuHash or Hash, key -> aggregation_value.h
    /// By AggregationId: a Hash key -> the same, once, for the keys that the first had no memory for when they came. Both
    /// may have a key, whose value is that of both then. None where the first has its memory from the beginning.
    std::vector<std::optional<MapId>> aggregationReserves;
    /// Where programs aggregate to while Control::aside says so: a map and its reserve, as the two above, which nobody writes then.
    struct Aside {
        MapId map;
        std::optional<MapId> reserve;
    };
    /// By AggregationId. Only of what is cleared or truncated.
    std::vector<std::optional<Aside>> aggregationAsides;
    /// Keys, and what they hold, which a program finds without asking the kernel: a PerCpuArray of one value, which is so many slots. Each
    /// key has one place there on each CPU, and the first key that needs a place keeps it. A slot is a SlotState, a key, and what the
    /// aggregation's map has for one. Both may have a key, whose value is that of both then.
    struct Front {
        MapId map;
        std::uint32_t slots = 1, keySize = 8, valueSize = 8;
        std::uint32_t slotSize() const { return static_cast<std::uint32_t>(sizeof(std::uint64_t)) + keySize + valueSize; }
    };
    std::vector<std::optional<Front>> aggregationFronts; ///< by AggregationId
    std::vector<bool> foldedInUserSpace;    ///< by AggregationId: has a ustack() key that is copied, arrives as RawSamples alone
    std::vector<std::uint64_t> mostSamples; ///< by AggregationId: rows that those may make; 0: any number
    /// Raw layout of each clause's payload, where it differs from the schema's: stacks are still addresses.
    struct RawField {
        record::FieldKind kind;           ///< Stack, UserStack or Symbol
        std::uint32_t rawOffset, rawSize; ///< Stack: u64 addresses, 0-terminated; UserStack: u64, see raw.h; Symbol: u64 address
        std::uint32_t offset;             ///< in the schema's layout, 4 bytes
        std::uint32_t limit = 0;          ///< UserStack: frames wanted
        bool user = false;                ///< Symbol: of user space
        /// AnyAddress: that of `user`, but of the kernel where the kernel's addresses are.
        enum class Detail : std::uint8_t { Address, AnyAddress, Function, Module } detail = Detail::Address;
        WalkEnd atLimit = WalkEnd::Asked; ///< UserStack: how one ends that has more
        bool isValue = false;             ///< Stack: a dt_stack_t with room for `limit` frames, of the kernel or of a process
    };
    struct RawLayout {
        std::uint32_t rawSize = 0, size = 0;
        std::vector<RawField> stacks; ///< ascending; bytes between them are copied
    };
    std::vector<RawLayout> clauseLayouts;       ///< by ClauseId
    std::vector<RawLayout> keyLayouts;          ///< by AggregationId
    std::vector<std::uint32_t> variableOffsets; ///< by VariableId: in the memory of globals, or of clause-local variables
    bool fits = true;                           ///< false: option dynvarsize or aggsize has no room for one element
    std::uint64_t specSize = 32 << 10;          ///< option specsize: bytes of a speculation
    std::uint32_t userStackBytes = 0;           ///< most bytes of user stack a record may carry; 0: none does
    /// What walks of user stacks in the kernel need (engine/object/walk.h). Absent: none is walked, those that are recorded are copied.
    struct Walks {
        MapId spaces;    ///< Hash: process number (u64), or kNobodysSpace -> WalkSpace
        MapId epochs;    ///< Array of one value: kWalkEpochs words
        MapId files;     ///< Hash: WalkFileKey -> WalkFile
        MapId forgotten; ///< Array of one value: how often the tables were forgotten (u64)
        MapId rules;     ///< Array of one value: kWalkRules words
        MapId rows;      ///< Array of WalkRow, kRowsOfChunk an element; at most kWalkRows
        MapId pages;     ///< Array of kWalkPages u32, kPagesOfChunk an element
        MapId memory;    ///< Array: the walks under way
        MapId kept;      ///< Array: the last walks of threads; Array of one value: what keys are made with
        MapId powers;
        MapId rest;          ///< Array: memory for a RawStackRest of each CPU
        MapId stacks;        ///< Hash: the keys of stacks whose frames were sent -> anything
        bool ourOwn = false; ///< also in BEGIN and END, which our own process fires
    };
    std::optional<Walks> walks;
};
} // namespace dscope::object
