#pragma once
#include "engine/bpf/machine.h"
#include "engine/codegen/generate.h"
#include "engine/object/raw.h"
#include "engine/decode/decoder.h"
#include "engine/format/text_printer.h"
#include "engine/probe/registry.h"
#include "engine/record/value.h"
#include "engine/record/wire.h"
#include "engine/sema/analyse.h"
#include "engine/syntax/parser.h"
#include "tests/support/fake_host.h"
#include <map>
#include <memory>
/// A D program that runs without a kernel: compiled as the command line does it, loaded into a bpf::Machine, fired by the
/// test, and what it records decoded and printed as the live session does it.
namespace dscope::tests {
/// Frames by a table of symbols; a user stack's bytes are its return addresses, one after the other, up to a 0.
class TableNamer final : public decode::StackNamer {
    using Kind = record::Frame::Kind;

public:
    /// `place`: "module`function".
    void add(std::uint64_t address, std::string_view place)
    {
        const auto tick = place.find('`');
        m_symbols[address] = {std::string(place.substr(0, tick)), std::string(place.substr(tick + 1))};
    }
    record::FrameList kernel(std::span<const std::uint64_t> addresses) override
    {
        std::vector<record::Frame> out;
        for (const auto address : addresses)
            out.push_back(frame(address, Kind::Kernel));
        return out;
    }
    record::FrameList user(std::uint32_t, ByteView raw, const object::Object::RawField& field) override
    {
        const auto stack = readAt<object::RawUserStack>(raw, 0);
        std::vector<record::Frame> out{frame(stack.ip, Kind::User)};
        for (std::size_t at = sizeof stack; at + 8 <= sizeof stack + stack.length && out.size() < field.limit; at += 8) {
            const auto address = readAt<std::uint64_t>(raw, at);
            if (!address) break;
            out.push_back(frame(address, Kind::User));
        }
        return out;
    }
    void unwalked(std::uint32_t, object::WalkEnd, std::uint64_t) override { }
    record::FrameList walked(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end) override
    {
        std::vector<record::Frame> frames;
        for (const auto address : addresses)
            frames.push_back(userSymbol(pid, address));
        if (end != object::WalkEnd::Outermost) frames.push_back(truncated(record::Truncation::TooDeep));
        return frames;
    }
    record::Frame kernelSymbol(std::uint64_t address) override { return frame(address, Kind::Kernel); }
    record::Frame userSymbol(std::uint32_t, std::uint64_t address) override { return frame(address, Kind::User); }

private:
    struct Symbol {
        std::string module, function;
    };
    record::Frame frame(std::uint64_t address, Kind kind) const
    {
        record::Frame out;
        out.address = address;
        out.kind = kind;
        auto above = m_symbols.upper_bound(address);
        if (above == m_symbols.begin()) return out;
        const auto& [start, symbol] = *--above;
        out.module = symbol.module;
        out.function = symbol.function;
        out.offset = address - start;
        return out;
    }
    std::map<std::uint64_t, Symbol> m_symbols;
};

class SimulatedRun {
public:
    /// What is particular to one firing; the rest is in world().
    struct Firing {
        std::string probe;                      ///< names one probe: "syscall::read:entry"
        std::map<int, std::uint64_t> raw;       ///< words of the context
        std::map<int, std::uint64_t> arguments; ///< of a system call, by number
        std::uint64_t result = 0;               ///< of a system call
        /// Of a uprobe: all its places have one cookie, as the session attaches where an event of tracefs has many of them, and the
        /// program looks up its place by the address that it fires at (World::userRegisters).
        std::optional<std::uint64_t> sharedCookie = {};
    };
    SimulatedRun() : m_registry(m_host, providers::all()) { }
    SimulatedRun(const SimulatedRun&) = delete;
    options::Options options;
    record::Dialect dialect = record::Dialect::Dtrace;
    object::Abilities abilities = object::Abilities::all(); ///< what the simulated kernel gives programs
    std::vector<std::string> arguments{"dtrace"}; ///< $0, $1 ...
    TableNamer namer;
    bpf::World& world() { return m_machine ? m_machine->world : m_before; }
    const std::string& output() const { return m_output; }
    const std::string& messages() const { return m_messages; }
    std::int32_t status() const { return m_status; }
    const std::vector<record::Record>& records() const { return m_records; }

    /// Compiles, loads and fires BEGIN. The error is what dtrace would tell.
    Result<> start(const std::string& text)
    {
        DSCOPE_CHECK(compile(text));
        return begin();
    }
    /// What a program is compiled against: change it before.
    FakeHost& host() { return m_host; }
    /// What the last compile() told, and about which texts.
    const Diagnostics& diagnostics() const { return m_diagnostics; }
    const syntax::Sources& sources() const { return m_sources; }
    const object::Object& object() const { return m_object; }
    /// What a CPU has of a map of one value, for those who change it.
    std::span<std::byte> valueOf(MapId map, unsigned cpu)
    {
        const std::uint32_t zero = 0;
        return {m_machine->map(map).find(std::as_bytes(std::span(&zero, 1)), cpu), m_object.maps.at(map.value).valueSize};
    }
    /// Makes the object of a program. The error is what dtrace would tell.
    Result<> compile(const std::string& text)
    {
        syntax::Macros macros;
        macros.arguments = arguments;
        macros.used.resize(arguments.size());
        macros.numbers = {{"pid", 4242}, {"ppid", 4200}, {"uid", 1000}, {"euid", 1000}, {"gid", 100}, {"egid", 100}, {"target", 77}};
        const sema::Environment environment{m_host, m_registry, providers::libraries(), options, macros, false, false, dialect};
        const auto file = m_sources.add({"case.d", text});
        std::vector<sema::Input> inputs;
        inputs.push_back({file, syntax::parse(m_sources, file, environment.macros, m_diagnostics)});
        std::optional<sema::Program> program;
        if (m_diagnostics.ok()) program = sema::analyse(inputs, m_sources, environment, m_diagnostics);
        if (!m_diagnostics.ok() || !program) {
            std::string all;
            for (const auto& d : m_diagnostics.all())
                all += "dtrace: " + syntax::rendered(d, m_sources, syntax::Tags::Shown) + "\n";
            return Error{0, all};
        }
        auto object = codegen::generate(*program, m_diagnostics, abilities);
        if (!object) return Error{0, "dtrace: " + m_diagnostics.all().back().message};
        m_object = std::move(*object);
        m_object.schema.source = text;
        m_object.schema.name = "case.d";
        for (const auto& [name, value] : program->options.all())
            m_object.schema.options[name] = value;
        m_object.schema.cpus = static_cast<std::uint32_t>(m_host.cpuCount());
        m_object.schema.wallClockOffset = 1'000'000'000'000'000'000; // 2001-09-09 01:46:40 UTC
        return {};
    }
    /// Loads what compile() made and fires BEGIN.
    Result<> begin()
    {
        std::vector<bpf::MapSpec> maps;
        const auto cpus = static_cast<std::uint32_t>(m_host.cpuCount());
        for (const auto& map : m_object.maps)
            maps.push_back({map.kind, map.keySize, map.valueSize, map.maxEntries * (map.forEachCpu ? cpus : 1), map.frozen, map.initial});
        m_machine = std::make_unique<bpf::Machine>(std::move(maps), static_cast<unsigned>(m_host.cpuCount()));
        m_machine->world = m_before;
        for (const auto& code : m_object.programs) {
            DSCOPE_TRY(auto linked, link(code));
            m_linked.push_back(std::move(linked));
            for (std::uint32_t i = 0; i < code.parts.size(); ++i) {
                DSCOPE_TRY(auto part, link(code.parts[i]));
                m_machine->setProgram(code.partsMap, i + 1, std::move(part));
            }
        }
        m_decoder.emplace(
            m_object, namer, [this](MapId map, const auto& each) { return readMap(map, each); },
            [this](std::span<const MapId> from, std::span<const Bytes> keys, const decode::EachTaken& each) -> Result<> {
                for (const auto map : from)
                    for (const auto& key : keys) {
                        DSCOPE_TRY(const Bytes values, takeFromMap(map, key));
                        if (!values.empty()) each(key, values);
                    }
                return {};
            });
        deliver(m_object.schema);
        for (const auto& probe : m_object.probes)
            deliver(probe);
        auto c = control();
        c.wallOffset = static_cast<std::uint64_t>(m_object.schema.wallClockOffset);
        c.target = 77;
        c.cpus = cpus;
        setControl(c);
        DSCOPE_CHECK(fireManual(probe::Manual::When::Begin));
        if (control().state == static_cast<std::uint32_t>(object::State::Inactive)) setState(object::State::Active);
        return {};
    }
    /// Runs every program that is attached where the probe is, as the kernel would.
    Result<> fire(const Firing& firing)
    {
        DSCOPE_TRY(const auto pattern, probe::parsePattern(firing.probe));
        DSCOPE_TRY(const auto found, m_registry.match(pattern));
        if (found.size() != 1) return Error{0, firing.probe + " names " + std::to_string(found.size()) + " probes"};
        DSCOPE_TRY(const auto description, m_registry.describe(found[0]));
        const auto& hook = description.hooks.at(0);
        const auto context = contextOf(hook, firing);
        for (std::size_t i = 0; i < m_object.programs.size(); ++i)
            for (std::size_t k = 0; k < m_object.programs[i].attach.size(); ++k)
                if (same(m_object.programs[i].attach[k], hook.at)) {
                    const auto& cookies = m_object.programs[i].cookies;
                    const auto own = k < cookies.size() ? cookies[k] : 0;
                    m_machine->world.cookie = firing.sharedCookie ? object::kByAddress | *firing.sharedCookie : own;
                    DSCOPE_CHECK(run(i, context));
                }
        return drain();
    }
    /// Tells the programs at which address a uprobe's place is in its process, as the session does when it has seen the mapping.
    Result<> place(const std::string& probe, std::uint64_t sharedCookie, std::uint64_t address)
    {
        DSCOPE_TRY(const auto pattern, probe::parsePattern(probe));
        DSCOPE_TRY(const auto found, m_registry.match(pattern));
        if (found.size() != 1) return Error{0, probe + " names " + std::to_string(found.size()) + " probes"};
        DSCOPE_TRY(const auto description, m_registry.describe(found[0]));
        for (const auto& code : m_object.programs)
            for (std::size_t k = 0; k < code.attach.size(); ++k) {
                if (!code.addresses || !same(code.attach[k], description.hooks.at(0).at)) continue;
                const auto key = sharedCookie << object::kNumberShift | address;
                constexpr std::uint64_t kAny = 0; // BPF_ANY
                const auto bytes = [](const std::uint64_t& word) { return std::as_bytes(std::span(&word, 1)); };
                m_machine->map(*code.addresses).update(bytes(key), bytes(code.cookies.at(k)), kAny);
            }
        return {};
    }
    /// As Session::pause(): probes do not fire until it goes on.
    void pause() { setState(object::State::Paused); }
    void goOn() { setState(object::State::Active); }
    /// Fires END and prints what is left. `interrupted`: by SIGINT.
    Result<> finish(bool interrupted = false)
    {
        setState(object::State::Draining);
        DSCOPE_CHECK(fireManual(probe::Manual::When::End));
        setState(object::State::Stopped);
        reportDrops();
        DSCOPE_CHECK(m_decoder->aggregations(record::Nanoseconds(world().now), told()));
        deliver(record::Exit{m_status, interrupted, record::Nanoseconds(world().now)});
        return {};
    }
    /// What a replay of the recorded stream prints: must be output().
    Result<std::string> replayed() const
    {
        std::string out;
        format::TextPrinter printer([&](std::string_view text) { out += text; }, [](std::string_view) {});
        for (const auto& record : m_records) {
            DSCOPE_TRY(const auto again, record::decode(record::encode(record)));
            if (!again) return Error{0, "a record of unknown kind"};
            printer.take(*again);
        }
        return out;
    }
    /// Where user stacks end: mm_struct::start_stack of every task.
    static constexpr std::uint64_t kUserStackEnd = 0x7ffe'0000'1000;
    /// The current task, as far as generated code looks at it. Nothing when this machine tells no kernel types.
    void setTask(std::uint32_t parent)
    {
        constexpr std::uint64_t kTasks = 0xffff'8880'0000'0000, kStep = 0x10000, kMm = 0xffff'8881'0000'0000;
        world().task = kTasks + world().tid * kStep;
        const auto parentAt = kTasks + parent * kStep, leader = kTasks + world().pid * kStep;
        putStruct(kMm, "mm_struct", {{"start_stack", 8, kUserStackEnd}});
        putStruct(parentAt, "task_struct", {{"tgid", 4, parent}, {"pid", 4, parent}, {"mm", 8, kMm}});
        std::uint64_t name[2]{};
        std::memcpy(name, world().execname.data(), std::min<std::size_t>(world().execname.size(), 15));
        putStruct(world().task, "task_struct",
            {{"tgid", 4, world().pid}, {"pid", 4, world().tid}, {"real_parent", 8, parentAt}, {"parent", 8, parentAt},
                {"group_leader", 8, leader}, {"mm", 8, kMm}, {"comm", 8, name[0]}, {"comm", 8, name[1], 8}});
    }

    /// What the scratch memory of programs is full of when they begin.
    static constexpr std::uint8_t kOthersByte = 0xd7;

private:
    struct StructMember {
        std::string_view path;
        std::size_t size;
        std::uint64_t value;
        std::size_t more = 0; ///< bytes from where the member begins
    };
    /// A kernel struct as it lies in memory; the members not named are 0.
    void putStruct(std::uint64_t address, std::string_view name, const std::vector<StructMember>& members)
    {
        const auto* type = m_types.find("struct " + std::string(name));
        if (!type || !type->size) return;
        Bytes bytes(type->size);
        for (const auto& m : members)
            if (const auto offset = m_types.offsetOf(name, m.path)) std::memcpy(bytes.data() + *offset + m.more, &m.value, m.size);
        world().typed.put(address, bytes);
    }
    Result<std::vector<bpf::Slot>> link(const object::Code& code)
    {
        std::vector<bpf::MapUse> uses;
        for (const auto& r : code.relocations)
            uses.push_back({r.slot, r.map, r.value, r.offset});
        return m_machine->link(code.slots, uses);
    }
    /// r1's words. System calls have their registers in kernel memory, interrupts and breakpoints in the context itself.
    std::vector<std::uint64_t> contextOf(const probe::Hook& hook, const Firing& firing)
    {
        constexpr int kArguments[]{14, 13, 12, 7, 9, 8}; // di si dx r10 r8 r9
        constexpr std::size_t kNumber = 15, kResult = 10;
        auto& registers = world().userRegisters;
        std::vector<std::uint64_t> context(12);
        const auto* tracepoint = std::get_if<probe::RawTracepoint>(&hook.at);
        if (!tracepoint) {
            context.assign(registers.begin(), registers.end());
        } else if (tracepoint->name == "sys_enter" || tracepoint->name == "sys_exit") {
            registers[kNumber] = hook.selector;
            registers[kResult] = firing.result;
            for (const auto& [n, value] : firing.arguments)
                registers[static_cast<std::size_t>(kArguments[n])] = value;
            context[0] = bpf::World::kRegisters;
            context[1] = tracepoint->name == "sys_enter" ? hook.selector : firing.result;
        } else if (hook.selectorWord >= 0 && hook.selectorOffset < 0) {
            context[static_cast<std::size_t>(hook.selectorWord)] = hook.selector;
        }
        for (const auto& [n, value] : firing.raw)
            context.at(static_cast<std::size_t>(n)) = value;
        return context;
    }
    static bool same(const probe::Place& a, const probe::Place& b)
    {
        const auto key = [](const probe::Place& place) {
            return std::visit(
                [](const auto& p) -> std::string {
                    using P = std::decay_t<decltype(p)>;
                    if constexpr (std::is_same_v<P, probe::RawTracepoint>)
                        return "tracepoint " + p.name;
                    else if constexpr (std::is_same_v<P, probe::Tracepoint>)
                        return "event " + p.subsystem + ":" + p.event;
                    else if constexpr (std::is_same_v<P, probe::PerfEvent>)
                        return "perf " + std::to_string(p.type) + " " + std::to_string(p.config) + " " + std::to_string(p.period) + " "
                            + std::to_string(p.frequency) + std::to_string(p.everyCpu);
                    else if constexpr (std::is_same_v<P, probe::KernelFunction>)
                        return "function " + p.name + std::to_string(p.atReturn);
                    else if constexpr (std::is_same_v<P, probe::Uprobe>)
                        return "uprobe " + p.file + " " + std::to_string(p.offset) + " " + std::to_string(p.pid)
                            + std::to_string(p.atReturn);
                    else
                        return {};
                },
                place);
        };
        return !key(a).empty() && key(a) == key(b);
    }
    Result<> fireManual(probe::Manual::When when)
    {
        for (std::size_t i = 0; i < m_object.programs.size(); ++i) {
            const auto& code = m_object.programs[i];
            const bool isMeant = std::any_of(code.attach.begin(), code.attach.end(), [&](const probe::Place& place) {
                const auto* manual = std::get_if<probe::Manual>(&place);
                return manual && manual->when == when;
            });
            if (isMeant) DSCOPE_CHECK(run(i, std::vector<std::uint64_t>(12)));
        }
        return drain();
    }
    Result<> run(std::size_t program, const std::vector<std::uint64_t>& context)
    {
        leaveOthersBytes();
        auto result = m_machine->run(m_linked[program], context);
        if (result) return {};
        return std::move(result).error().in("program " + m_object.programs[program].name);
    }
    /// Fills the programs' scratch memory with kOthersByte, as if earlier firings of other processes had left it there.
    void leaveOthersBytes()
    {
        for (std::uint32_t i = 0; i < m_object.maps.size(); ++i) {
            const auto& map = m_object.maps[i];
            if (map.name != "scratch" || map.maxEntries > 1) continue; // several pieces: they say which thread has which
            for (std::uint32_t cpu = 0; cpu < m_machine->cpus(); ++cpu) {
                const std::uint32_t index = map.forEachCpu ? cpu : 0;
                std::fill_n(m_machine->map(MapId{i}).find(std::as_bytes(std::span(&index, 1)), cpu), map.valueSize, std::byte{kOthersByte});
            }
        }
    }
    record::Source::Deliver told()
    {
        return [this](const record::Record& record) {
            deliver(record);
            notice(record);
        };
    }
    void deliver(const record::Record& record)
    {
        m_records.push_back(record);
        m_printer.take(record);
    }
    void notice(const record::Record& record)
    {
        if (const auto* fired = std::get_if<record::Fired>(&record)) {
            for (const auto& action : m_object.schema.clauses.at(fired->clause.value).actions)
                if (action.kind == record::ActionKind::Exit)
                    m_status = static_cast<std::int32_t>(record::integerOf(action.fields.at(0), fired->payload));
        }
    }
    /// Whether bytes that an earlier firing left are among these.
    static bool haveOthersBytes(ByteView bytes)
    {
        constexpr std::size_t kInARow = 3; // fewer may be a number of the firing's own
        return std::search_n(bytes.begin(), bytes.end(), kInARow, std::byte{kOthersByte}) != bytes.end();
    }
    /// Every map but the scratch memory: what is kept, or read from outside.
    Result<> checkMaps()
    {
        for (std::uint32_t i = 0; i < m_object.maps.size(); ++i) {
            const auto& map = m_object.maps[i];
            if (map.name == "scratch" || map.shared || map.kind == bpf::MapKind::RingBuffer || map.kind == bpf::MapKind::Programs) continue;
            bool isClean = true;
            m_machine->map(MapId{i}).each(
                [&](ByteView key, ByteView values) { isClean = isClean && !haveOthersBytes(key) && !haveOthersBytes(values); });
            if (!isClean) return Error{0, "bytes of an earlier firing are kept in the map " + map.name};
        }
        return {};
    }
    Result<> drain()
    {
        DSCOPE_CHECK(checkMaps());
        for (const auto& raw : m_machine->ring(m_object.ring).take()) {
            if (haveOthersBytes(raw)) return Error{0, "bytes of an earlier firing are in a record"};
            DSCOPE_CHECK(m_decoder->ring(raw, told()));
        }
        return {};
    }
    std::byte* element(MapId map)
    {
        const std::uint32_t zero = 0;
        return m_machine->map(map).find(std::as_bytes(std::span(&zero, 1)));
    }
    object::Control control() { return readAt<object::Control>({element(m_object.control), sizeof(object::Control)}, 0); }
    void setControl(const object::Control& c) { std::memcpy(element(m_object.control), &c, sizeof c); }
    void setState(object::State state)
    {
        auto c = control();
        c.state = static_cast<std::uint32_t>(state);
        setControl(c);
    }
    Result<> readMap(MapId map, const std::function<void(ByteView, std::span<const std::byte>)>& each)
    {
        m_machine->map(map).each([&](ByteView key, ByteView values) { each(key, values); });
        return {};
    }
    Result<Bytes> takeFromMap(MapId map, ByteView key)
    {
        Bytes taken;
        m_machine->map(map).each([&](ByteView k, ByteView values) {
            if (std::equal(k.begin(), k.end(), key.begin(), key.end())) taken.assign(values.begin(), values.end());
        });
        if (!taken.empty()) m_machine->map(map).remove(key);
        m_machine->map(map).settle();
        return taken;
    }
    void reportDrops()
    {
        m_decoder->drops([this](const record::Record& record) { deliver(record); });
        m_machine->map(m_object.drops).each([&](ByteView key, ByteView values) {
            if (readAt<std::uint32_t>(key, 0) >= object::kDropKinds) return; // counted firings
            for (std::uint32_t cpu = 0; cpu < m_machine->cpus(); ++cpu)
                if (const auto count = readAt<std::uint64_t>(values, cpu * 8))
                    deliver(record::Drop{static_cast<record::Drop::Kind>(readAt<std::uint32_t>(key, 0)), cpu, count});
        });
    }

    FakeHost m_host;
    probe::Registry m_registry;
    syntax::Sources m_sources;
    Diagnostics m_diagnostics;
    types::TypeTable m_types{m_host};
    bpf::World m_before; ///< until there is a machine
    object::Object m_object;
    std::unique_ptr<bpf::Machine> m_machine;
    std::vector<std::vector<bpf::Slot>> m_linked; ///< as Object::programs
    std::optional<decode::Decoder> m_decoder;
    std::string m_output, m_messages;
    format::TextPrinter m_printer{[this](std::string_view t) { m_output += t; }, [this](std::string_view t) { m_messages += t; }};
    std::vector<record::Record> m_records;
    std::vector<record::Fault> m_faults;
    std::int32_t m_status = 0;
};
} // namespace dscope::tests
