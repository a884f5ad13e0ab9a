#include "tests/support/streams.h"
#include <algorithm>
#include <array>
#include <random>
namespace dscope::test {
record::Program program(std::string source, std::vector<std::string> probes)
{
    record::Program p;
    p.source = std::move(source);
    p.host = "build01";
    p.kernel = "6.1.0";
    p.version = "0.1.0";
    p.started = kStart;
    p.wallClockOffset = 1'795'165'000 * kSecond; // 2026-11-20
    for (auto& text : probes) {
        record::Clause clause;
        clause.probes = std::move(text);
        clause.silent = true;
        p.clauses.push_back(std::move(clause));
    }
    return p;
}
void begin(Stream& stream, const record::Program& p)
{
    stream.emplace_back(p);
    std::uint32_t id = 100;
    for (const auto& clause : p.clauses)
        for (std::size_t at = 0; at < clause.probes.size();) {
            const auto end = std::min(clause.probes.find(", ", at), clause.probes.size());
            std::string text = clause.probes.substr(at, end - at);
            std::array<std::string, 4> parts; // of "provider:module:function:name", what is missing at the left is empty
            for (std::size_t part = parts.size(); part-- > 0;) {
                const auto colon = part > 0 ? text.rfind(':') : text.npos;
                parts[part] = colon == text.npos ? text : text.substr(colon + 1);
                text.resize(colon == text.npos ? 0 : colon);
            }
            stream.emplace_back(record::ProbeDef{ProbeId{++id}, parts[0], parts[1], parts[2], parts[3]});
            at = end + 2;
        }
}
record::Exit end(std::int64_t afterNs) { return {0, false, record::Nanoseconds(kStart + afterNs)}; }
Aggregation aggregation(std::string name, Aggregator function, std::string value, std::vector<Field> keys)
{
    Aggregation a;
    a.name = std::move(name);
    a.function = function;
    a.value = std::move(value);
    a.valueType = "int64_t";
    for (auto& key : keys) {
        key.offset = a.keySize;
        a.keySize += key.size;
    }
    a.keys = std::move(keys);
    return a;
}
Field textKey(std::string name) { return {FieldKind::String, 0, kKeyText, std::move(name), "string"}; }
Field numberKey(std::string name) { return {FieldKind::Int, 0, 8, std::move(name), "int64_t"}; }
Field stackKey(FieldKind kind) { return {kind, 0, 4, kind == FieldKind::Stack ? "stack()" : "ustack()", "stack"}; }
record::AggregationRows rows(std::uint32_t id, std::vector<record::AggregationRow> all)
{
    return {AggregationId{id}, record::Nanoseconds(kStart + kSecond), std::move(all)};
}
record::Frame frame(std::string module, std::string function, record::Frame::Kind kind)
{
    return {0x1000, std::move(module), std::move(function), 4, kind};
}
record::StackDef stack(std::uint32_t id, std::vector<record::Frame> outermost)
{
    return {StackId{id}, std::vector<record::Frame>(outermost.rbegin(), outermost.rend())};
}
Stream profile(std::size_t stacks, std::size_t functions, std::size_t depth, unsigned seed)
{
    Stream s;
    auto p = program("profile-997 /execname == \"render\"/ { @[ustack()] = count(); }", {"profile:::profile-997"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
    begin(s, p);
    std::mt19937 random(seed);
    static const std::vector<std::string> kNames{"parse", "Scene::build", "Mesh::split", "shade", "Light::sample(Ray const&, float)",
        "std::vector<int, std::allocator<int>>::push_back", "trace", "hit", "memcpy", "malloc",
        "texture::Cache::lookup(std::string const&)", "mix", "clamp", "render::Tile::run()", "write"};
    std::vector<record::AggregationRow> all;
    for (std::uint32_t i = 1; i <= stacks; ++i) {
        std::vector<record::Frame> frames{frame("render", "_start", record::Frame::Kind::User),
            frame("libc.so.6", "__libc_start_main", record::Frame::Kind::Library), frame("render", "main", record::Frame::Kind::User)};
        const std::size_t levels = 1 + random() % depth;
        std::size_t at = 0;
        for (std::size_t d = 0; d < levels; ++d) {
            // Few ways on from each function, the first the most travelled, so that stacks share their roots.
            const std::size_t way = std::min<std::size_t>(random() % 6, random() % 4);
            at = (at * 3 + way + 1) % functions;
            const auto kind = at % 5 == 3 ? record::Frame::Kind::Library
                : at % 11 == 7            ? record::Frame::Kind::Kernel
                                          : record::Frame::Kind::User;
            std::string name = kNames[at % kNames.size()] + (at < kNames.size() ? "" : "_" + std::to_string(at));
            frames.push_back(frame(kind == record::Frame::Kind::User ? "render"
                    : kind == record::Frame::Kind::Kernel            ? "vmlinux"
                                                                     : "libm.so.6",
                std::move(name), kind));
        }
        s.emplace_back(stack(i, frames));
        all.push_back({Key().stack(i).bytes(), {static_cast<std::int64_t>(1 + 4000 / (1 + random() % 400))}});
    }
    s.emplace_back(rows(0, all));
    s.emplace_back(end(5 * kSecond));
    return s;
}
Stream writeTimes(const std::vector<std::string>& programs)
{
    Stream s;
    auto p = program("syscall::write:entry { self->ts = timestamp; }\nsyscall::write:return /self->ts/ { @time[execname] = "
                     "quantize(timestamp - self->ts); self->ts = 0; }",
        {"syscall::write:entry", "syscall::write:return"});
    p.aggregations = {aggregation("time", Aggregator::Quantize, "timestamp - self->ts", {textKey("execname")})};
    begin(s, p);
    std::vector<record::AggregationRow> all;
    std::int64_t factor = 1;
    for (const auto& name : programs) {
        all.push_back({Key().text(name).bytes(),
            {power(11), 25 * factor, power(12), 97 * factor, power(13), 291 * factor, power(14), 219, power(15), 95 * factor, power(16), 5,
                power(17), 20, power(18), 8}});
        factor = factor % 3 + 1;
    }
    s.emplace_back(rows(0, all));
    s.emplace_back(end(10 * kSecond));
    return s;
}
Stream ticking(Aggregation shape, const std::vector<std::vector<record::AggregationRow>>& seconds, bool resets)
{
    Stream s;
    auto p = program("syscall::write:entry { @ = f(); } tick-1s { printa(@); clear(@); }", {"syscall::write:entry", "profile:::tick-1s"});
    p.clauses[1].silent = false;
    if (resets)
        p.clauses[1].actions
            = {{record::ActionKind::Printa, "", {}, {AggregationId{0}}}, {record::ActionKind::Clear, "", {}, {AggregationId{0}}}};
    p.aggregations = {std::move(shape)};
    begin(s, p);
    std::int64_t at = kStart;
    for (const auto& rows : seconds) {
        at += kSecond;
        s.emplace_back(record::AggregationRows{AggregationId{0}, record::Nanoseconds(at), rows});
        if (resets) s.emplace_back(record::Fired{ClauseId{1}, ProbeId{9}, 0, 0, 0, record::Nanoseconds(at), {}});
    }
    s.emplace_back(end(at - kStart));
    return s;
}
Stream written(const std::vector<std::string>& programs, bool second)
{
    Stream s;
    auto p = program("syscall::write:entry { @bytes[execname] = sum(arg2); @calls[execname] = count(); }", {"syscall::write:entry"});
    p.aggregations = {aggregation("bytes", Aggregator::Sum, "arg2", {textKey("execname")})};
    if (second) p.aggregations.push_back(aggregation("calls", Aggregator::Count, "", {textKey("execname")}));
    begin(s, p);
    std::vector<record::AggregationRow> sums, counts;
    std::int64_t bytes = 98'765'432;
    for (const auto& name : programs) {
        sums.push_back({Key().text(name).bytes(), {bytes}});
        counts.push_back({Key().text(name).bytes(), {1 + bytes / 5000}});
        bytes = bytes * 5 / 7;
    }
    s.emplace_back(rows(0, sums));
    if (second) s.emplace_back(rows(1, counts));
    s.emplace_back(end(3 * kSecond));
    return s;
}
Stream severalKinds(const std::vector<std::string>& programs)
{
    Stream s;
    auto p = program("syscall:::entry { @n[execname, probefunc] = count(); }", {"syscall:::entry"});
    const std::vector<Field> both{textKey("execname"), textKey("probefunc")}, call{textKey("probefunc")}, name{textKey("execname")};
    p.aggregations = {aggregation("n", Aggregator::Count, "", both), aggregation("lat", Aggregator::Quantize, "timestamp - self->t", both),
        aggregation("avg", Aggregator::Avg, "timestamp - self->t", call), aggregation("least", Aggregator::Min, "timestamp - self->t", call),
        aggregation("tot", Aggregator::Sum, "timestamp - self->t", name), aggregation("mx", Aggregator::Max, "timestamp - self->t", both)};
    begin(s, p);
    std::vector<std::vector<record::AggregationRow>> all(p.aggregations.size());
    std::int64_t value = 98'765'432;
    for (const auto& program : programs) {
        for (const auto which : {0, 1, 5})
            all[std::size_t(which)].push_back({Key().text(program).text("read").bytes(),
                which == 1 ? std::vector<std::int64_t>{power(11), value / 5000} : std::vector<std::int64_t>{value}});
        all[2].push_back({Key().text(program).bytes(), {3, value}});
        all[3].push_back({Key().text(program).bytes(), {value / 7}});
        all[4].push_back({Key().text(program).bytes(), {value * 3}});
        value = value * 6 / 7;
    }
    for (std::uint32_t id = 0; id < all.size(); ++id)
        s.emplace_back(rows(id, all[id]));
    s.emplace_back(end(3 * kSecond));
    return s;
}
std::vector<std::string> hostileNames()
{
    return {"<script>alert(1)</script>", "\"quoted\" & 'single'", "two\nlines\r\nand\ttab", std::string("bell\x07 esc\x1b[31m del\x7f"),
        "bad \xff\xfe\xc0\x80 utf-8 \xed\xa0\x80", "=1+cmd|' /C calc'!A0", "+1", "-1-2", "@SUM(A1)",
        "\xe2\x80\xae"
        "gnp.exe",
        "]]>", "-->", "back\\slash\\", "&lt;entity&#x41;", "a;b c", "\\N \\l {record|field}", "a,b",
        "\xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x94\xa5", std::string(60, 'W'), ""};
}
Stream opened(const std::vector<std::string>& files)
{
    Stream s;
    auto p = program("syscall::openat:entry { printf(\"%s %s\", execname, copyinstr(arg1)); }", {"syscall::openat:entry"});
    p.clauses[0].silent = false;
    p.clauses[0].payloadSize = 2 * kKeyText;
    p.clauses[0].actions = {{record::ActionKind::Printf, "%s %s",
        {{FieldKind::String, 0, kKeyText, "execname", "string"}, {FieldKind::String, kKeyText, kKeyText, "copyinstr(arg1)", "string"}},
        {}}};
    begin(s, p);
    s.emplace_back(record::ProbeDef{ProbeId{7}, "syscall", "vmlinux", "openat", "entry"});
    std::int64_t at = kStart;
    for (const auto& file : files)
        s.emplace_back(record::Fired{
            ClauseId{0}, ProbeId{7}, 1, 4242, 4242, record::Nanoseconds(at += 137 * kMillisecond), Key().text("cat").text(file).bytes()});
    s.emplace_back(end(2 * kSecond));
    return s;
}
Processes::Processes(std::int32_t target)
{
    auto p = program("proc:::create, proc:::exec-success, proc:::exit { }", {"proc:::create, proc:::exec-success, proc:::exit"});
    p.tellsOfProcesses = true;
    p.target = target;
    begin(m_stream, p);
}
Processes& Processes::existing(double ms, std::uint32_t pid, std::string name)
{
    auto e = event(ProcessEvent::Kind::Existing, ms, pid, 0);
    e.execname = name;
    e.args = {name};
    return add(std::move(e));
}
Processes& Processes::fork(double ms, std::uint32_t parent, std::uint32_t pid, bool vfork)
{
    auto e = event(ProcessEvent::Kind::Fork, ms, pid, parent);
    e.vfork = vfork;
    return add(std::move(e));
}
Processes& Processes::exec(double ms, std::uint32_t pid, std::string path, std::vector<std::string> args)
{
    auto e = event(ProcessEvent::Kind::Exec, ms, pid, 0);
    e.execname = path.substr(path.rfind('/') + 1);
    e.path = std::move(path);
    e.cwd = "/home/me/project";
    e.args = std::move(args);
    return add(std::move(e));
}
Processes& Processes::execFailed(double ms, std::uint32_t pid, std::string path, std::int32_t error)
{
    auto e = event(ProcessEvent::Kind::ExecFailed, ms, pid, 0);
    e.path = std::move(path);
    e.status = error;
    return add(std::move(e));
}
Processes& Processes::exit(double ms, std::uint32_t pid, std::int32_t status)
{
    auto e = event(ProcessEvent::Kind::Exit, ms, pid, 0);
    e.status = status;
    e.cpuTime = 3 * static_cast<std::uint64_t>(kMillisecond);
    return add(std::move(e));
}
Stream Processes::stream()
{
    m_stream.emplace_back(record::Exit{.status = 0, .interrupted = false, .when = m_last});
    return m_stream;
}
ProcessEvent Processes::event(ProcessEvent::Kind kind, double ms, std::uint32_t pid, std::uint32_t parent)
{
    ProcessEvent e;
    e.kind = kind;
    e.when = m_last = record::Nanoseconds(kStart + static_cast<std::int64_t>(ms * 1e6));
    e.pid = e.tid = pid;
    e.parent = parent;
    e.uid = 1000;
    return e;
}
Processes& Processes::add(ProcessEvent e)
{
    m_stream.emplace_back(std::move(e));
    return *this;
}
Stream build()
{
    Processes p(4101);
    std::uint32_t pid = 4101;
    p.existing(0, 900, "bash").existing(0, 4101, "dscope").exec(1, 4101, "/usr/bin/make", {"make", "-j4", "all"});
    p.fork(2, 900, 5900).exec(3, 5900, "/usr/bin/date", {"date"}).exit(4, 5900);
    const auto configure = ++pid;
    p.fork(5, 4101, configure).exec(6, configure, "/bin/sh", {"sh", "-c", "./configure --quiet"});
    for (int i = 0; i < 14; ++i) {
        const double at = 20 + i * 35;
        ++pid;
        p.fork(at, configure, pid)
            .exec(at + 1, pid, "/bin/sed", {"sed", "-e", "s/@PREFIX@/\\/usr/g", "config" + std::to_string(i) + ".in"})
            .exit(at + 6 + i % 3, pid);
    }
    ++pid;
    p.fork(540, configure, pid, true).exec(541, pid, "/usr/bin/cc", {"cc", "-c", "conftest.c"}).exit(572, pid, 1 << 8);
    p.exit(615, configure);
    const char* sources[] = {"lexer", "parser", "tree", "emit", "opt", "main"};
    double at = 620;
    for (int i = 0; i < 6; ++i) {
        const auto cc = ++pid, cc1 = ++pid;
        const double took = i == 1 ? 1600 : 300 + i * 37;
        const std::string file = std::string("src/") + sources[i] + ".c";
        p.fork(at, 4101, cc, true).exec(at + 1, cc, "/usr/bin/cc", {"cc", "-O2", "-c", file});
        p.fork(at + 3, cc, cc1, true)
            .exec(at + 4, cc1, "/usr/lib/gcc/x86_64-linux-gnu/12/cc1", {"cc1", "-quiet", file})
            .exec(at + took - 40, cc1, "/usr/bin/as", {"as", "--64", "-o", file + ".o"});
        p.exit(at + took, cc1).exit(at + took + 4, cc);
        at += 5;
    }
    at = 2300;
    const auto link = ++pid, collect = ++pid;
    p.fork(at, 4101, link, true)
        .exec(at + 1, link, "/usr/bin/cc",
            {"cc", "-o", "prog", "src/lexer.o", "src/parser.o", "src/tree.o", "src/emit.o", "src/opt.o", "src/main.o"});
    p.fork(at + 4, link, collect, true)
        .exec(at + 5, collect, "/usr/lib/gcc/x86_64-linux-gnu/12/collect2",
            {"collect2", "-dynamic-linker", "/lib64/ld-linux-x86-64.so.2", "-o", "prog"})
        .exec(at + 9, collect, "/usr/bin/ld", {"ld", "-o", "prog"});
    p.exit(at + 330, collect).exit(at + 340, link);
    at = 2660;
    const auto test = ++pid, prog = ++pid, missing = ++pid;
    p.fork(at, 4101, test).exec(at + 1, test, "/bin/sh", {"sh", "-c", "./prog --selftest; lintt src"});
    p.fork(at + 2, test, prog).exec(at + 3, prog, "/home/me/project/prog", {"./prog", "--selftest"}).exit(at + 113, prog, 11);
    p.fork(at + 114, test, missing).execFailed(at + 115, missing, "/usr/bin/lintt", 2).exit(at + 116, missing, 127 << 8);
    p.exit(at + 120, test, 127 << 8);
    const auto daemon = ++pid;
    p.fork(at + 125, 4101, daemon).exec(at + 126, daemon, "/usr/bin/ccache-daemon", {"ccache-daemon", "--serve"});
    p.exit(at + 200, 4101, 2 << 8);
    return p.stream();
}
Stream forest(std::size_t count, unsigned seed)
{
    Processes p;
    std::mt19937 random(seed);
    static const std::vector<std::string> kPrograms{"sh", "make", "cc", "cc1", "as", "sed", "grep", "ld", "ar", "python3"};
    p.existing(0, 100, "bash");
    std::vector<std::uint32_t> alive{100};
    double at = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t pid = 1000 + static_cast<std::uint32_t>(i % 15'000), parent = alive[random() % alive.size()];
        const auto& name = kPrograms[random() % kPrograms.size()];
        at += 0.05;
        p.fork(at, parent, pid).exec(at + 0.01, pid, "/usr/bin/" + name, {name, "-x", "file" + std::to_string(random() % 50)});
        alive.push_back(pid);
        if (alive.size() > 60) {
            const std::size_t which = 1 + random() % (alive.size() - 1);
            p.exit(at + 0.02, alive[which], random() % 40 == 0 ? 1 << 8 : random() % 90 == 0 ? 11 : 0);
            alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(which));
        }
    }
    return p.stream();
}
} // namespace dscope::test
