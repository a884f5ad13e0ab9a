#pragma once
#include "case_file.h"
#include "simulated_run.h"
/// Carries out what a case file says happens to its program.
namespace dscope::tests {
inline Result<> bad(const Directive& d, const std::string& what) { return Error{0, "line " + std::to_string(d.line) + ": " + what}; }

/// The numbers of a setting's name "raw12", after its stem; -1 when it is another.
inline int indexOf(std::string_view name, std::string_view stem)
{
    int n = -1;
    if (!name.starts_with(stem)) return -1;
    name.remove_prefix(stem.size());
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), n);
    return error == std::errc{} && end == name.data() + name.size() ? n : -1;
}
/// Who and where: what every firing may set.
struct Situation {
    std::uint32_t cpu = 0, pid = 100, tid = 100, ppid = 1, uid = 1000, gid = 100;
    std::string execname = "prog";
};
inline Result<> setting(const Directive& d, Situation& at, SimulatedRun::Firing& firing, bpf::World& world)
{
    for (const auto& [name, text] : d.settings) {
        if (name == "execname") at.execname = text;
        if (name == "execname" || name == "times") continue;
        const auto number = numberOf(text);
        if (!number) return bad(d, "not a number: " + text);
        const auto small = static_cast<std::uint32_t>(*number);
        if (name == "cpu")
            at.cpu = small;
        else if (name == "pid") {
            at.pid = small;
            if (!d.settings.contains("tid")) at.tid = small;
        } else if (name == "tid")
            at.tid = small;
        else if (name == "ppid")
            at.ppid = small;
        else if (name == "uid")
            at.uid = small;
        else if (name == "gid")
            at.gid = small;
        else if (name == "ret")
            firing.result = *number;
        else if (name == "ip")
            world.userRegisters[16] = *number;
        else if (name == "cs")
            world.userRegisters[17] = *number;
        else if (const int raw = indexOf(name, "raw"); raw >= 0)
            firing.raw[raw] = *number;
        else if (const int arg = indexOf(name, "arg"); arg >= 0 && arg < 6)
            firing.arguments[arg] = *number;
        else
            return bad(d, "unknown setting " + name);
    }
    return {};
}
inline Result<> memory(const Directive& d, SimulatedRun& run)
{
    if (d.arguments.size() < 3) return bad(d, "memory user|kernel ADDRESS \"text\" | words ...");
    const auto address = numberOf(d.arguments[1]);
    if (!address) return bad(d, "not an address: " + d.arguments[1]);
    ByteWriter bytes;
    if (d.arguments[2] == "words") {
        for (std::size_t i = 3; i < d.arguments.size(); ++i)
            bytes.put(numberOf(d.arguments[i]).value_or(0));
    } else {
        bytes.raw(std::as_bytes(std::span(d.arguments[2])));
        bytes.put('\0');
    }
    (d.arguments[0] == "user" ? run.world().user : run.world().kernel).put(*address, bytes.bytes());
    return {};
}
inline Result<> stack(const Directive& d, SimulatedRun& run)
{
    constexpr std::uint64_t kTop = SimulatedRun::kUserStackEnd - 4096;
    std::vector<std::uint64_t> addresses;
    for (std::size_t i = 1; i < d.arguments.size(); ++i) {
        const auto address = numberOf(d.arguments[i]);
        if (!address) return bad(d, "not an address: " + d.arguments[i]);
        addresses.push_back(*address);
    }
    if (d.arguments.empty() || addresses.empty()) return bad(d, "stack user|kernel ADDRESS ...");
    auto& world = run.world();
    if (d.arguments[0] == "kernel") {
        world.kernelStack = addresses;
        return {};
    }
    world.userStack = addresses;
    world.userRegisters[16] = addresses[0];
    world.userRegisters[19] = kTop;
    addresses.erase(addresses.begin());
    addresses.resize(4096 / 8); // a 0 ends it
    world.user.put(kTop, std::as_bytes(std::span(addresses)));
    return {};
}
inline Result<> perform(const CaseFile& file, SimulatedRun& run)
{
    Situation base;
    const auto enter = [&](const Situation& at) {
        auto& w = run.world();
        w.cpu = at.cpu;
        w.pid = at.pid;
        w.tid = at.tid;
        w.uid = at.uid;
        w.gid = at.gid;
        w.execname = at.execname;
        run.setTask(at.ppid);
    };
    bool started = false, interrupted = false;
    std::optional<std::int32_t> status;
    const auto start = [&]() -> Result<> {
        if (std::exchange(started, true)) return {};
        enter(base);
        return run.start(file.program);
    };
    for (const auto& d : file.directives) {
        if (d.word == "args") {
            run.arguments.insert(run.arguments.end(), d.arguments.begin(), d.arguments.end());
        } else if (d.word == "option") {
            for (const auto& o : d.arguments) {
                const auto equals = o.find('=');
                DSCOPE_CHECK(run.options.set(o.substr(0, equals), equals == o.npos ? "" : o.substr(equals + 1)));
            }
        } else if (d.word == "dialect") {
            if (d.arguments != std::vector<std::string>{"dtrace-for-linux"}) return bad(d, "dialect dtrace-for-linux");
            run.dialect = record::Dialect::DtraceForLinux;
        } else if (d.word == "memory") {
            DSCOPE_CHECK(memory(d, run));
        } else if (d.word == "stack") {
            DSCOPE_CHECK(stack(d, run));
        } else if (d.word == "symbol") {
            if (d.arguments.size() != 2) return bad(d, "symbol ADDRESS MODULE`FUNCTION");
            run.namer.add(numberOf(d.arguments[0]).value_or(0), d.arguments[1]);
        } else if (d.word == "set") {
            SimulatedRun::Firing none;
            DSCOPE_CHECK(setting(d, base, none, run.world()));
        } else if (d.word == "start") {
            DSCOPE_CHECK(start());
        } else if (d.word == "advance") {
            const auto by = d.arguments.empty() ? std::nullopt : numberOf(d.arguments[0]);
            if (!by) return bad(d, "advance DURATION");
            DSCOPE_CHECK(start());
            run.world().now += *by;
        } else if (d.word == "status") {
            if (d.arguments.size() != 1) return bad(d, "status NUMBER");
            status = static_cast<std::int32_t>(numberOf(d.arguments[0]).value_or(0));
        } else if (d.word == "needs") {
            continue;
        } else if (d.word == "interrupt") {
            interrupted = true;
        } else if (d.word == "fire") {
            DSCOPE_CHECK(start());
            if (d.arguments.size() != 1) return bad(d, "fire PROBE [name=value ...]");
            auto at = base;
            SimulatedRun::Firing firing;
            firing.probe = d.arguments[0];
            DSCOPE_CHECK(setting(d, at, firing, run.world()));
            enter(at);
            const auto times = d.settings.contains("times") ? numberOf(d.settings.at("times")).value_or(1) : 1;
            for (std::uint64_t n = 0; n < times; ++n)
                if (auto fired = run.fire(firing); !fired) return bad(d, fired.error().message);
            enter(base);
        } else {
            return bad(d, "unknown word " + d.word);
        }
    }
    DSCOPE_CHECK(start());
    DSCOPE_CHECK(run.finish(interrupted));
    if (status && *status != run.status()) return Error{0, "exit status " + std::to_string(run.status())};
    return {};
}
} // namespace dscope::tests
