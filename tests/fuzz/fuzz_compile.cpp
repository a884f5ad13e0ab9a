// needs: engine/syntax engine/sema engine/codegen engine/decode engine/format engine/bpf providers
// libFuzzer: whatever the text is, it is compiled or refused with places; what was compiled runs in the simulated machine
// without an access that the verifier would refuse and without end, and its recording prints what it printed.
// Firings of tests/data/simulated ("@@...") are not performed: each of the program's first probes fires instead.
#include "engine/syntax/source.h"
#include "simulated/case_file.h"
#include "simulated/simulated_run.h"
#include <cstdio>
#include <cstdlib>
#include <regex>
using namespace dscope;
using namespace dscope::tests;

namespace {
[[noreturn]] void wrong(const std::string& what)
{
    std::fprintf(stderr, "fuzz_compile: %s\n", what.c_str());
    std::abort();
}
void must(const Result<>& done)
{
    // What a firing asks for may be no probe of a simulated machine; that is not the program's doing.
    if (!done && done.error().message.find(" probes") == std::string::npos) wrong(done.error().message);
}
/// The kernel's types, read once: a copy a run costs less than a reading.
const std::string& kernelTypes()
{
    static const auto bytes = host::local()->read("/sys/kernel/btf/vmlinux");
    static const std::string none;
    return bytes ? *bytes : none;
}
/// Reading them takes most of the time of a run: texts without these words do without.
bool asksForKernelTypes(std::string_view program)
{
    for (const std::string_view word : {"args[", "cur", "ppid", "stack", "struct", "fds", "`", "xlate"})
        if (program.find(word) != std::string_view::npos) return true;
    return false;
}
/// `# 0 "file"` numbers the line after it 0, as cpp's own markers do.
bool numbersLinesFromZero(const std::string& text)
{
    static const std::regex marker(R"((^|\n)[ \t]*#[ \t]*(line[ \t]+)?0+([^0-9]|$))", std::regex::optimize);
    return std::regex_search(text, marker);
}
void allHavePlaces(const SimulatedRun& run)
{
    for (const auto& d : run.diagnostics().all()) {
        if (d.message.empty()) wrong("a diagnostic without words");
        const auto& text = run.sources().at(d.at.file).text;
        if (d.at.begin > d.at.end || d.at.end > text.size()) wrong("no such place: " + d.message);
        if (run.sources().position(d.at).line == 0 && !numbersLinesFromZero(text)) wrong("no line: " + d.message);
    }
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto program = caseFile({reinterpret_cast<const char*>(data), size}).program;
    SimulatedRun run;
    auto& host = run.host();
    host.passThrough.clear();
    if (asksForKernelTypes(program) && !kernelTypes().empty()) host.files["/sys/kernel/btf/vmlinux"] = kernelTypes();
    run.arguments = {"fuzz.d", "1", "a*"};
    const auto compiled = run.compile(program);
    allHavePlaces(run);
    if (!compiled) {
        if (run.diagnostics().ok()) wrong("refused without a reason: " + compiled.error().message);
        return 0;
    }
    auto& world = run.world();
    world.execname = "prog";
    world.pid = world.tid = 100;
    world.kernelStack = {0xffff'ffff'8100'0010, 0xffff'ffff'8100'0020};
    world.userStack = {0x40'1000, 0x40'2000};
    constexpr std::string_view kText = "/etc/passwd";
    world.user.put(0x1000, std::as_bytes(std::span(kText)));
    must(run.begin());
    run.setTask(1);
    constexpr std::size_t kMostProbes = 6;
    std::vector<SimulatedRun::Firing> firings;
    for (const auto& probe : run.object().probes) {
        if (probe.provider == "dtrace" || firings.size() == kMostProbes) continue;
        SimulatedRun::Firing firing;
        firing.probe = probe.provider + ':' + probe.module + ':' + probe.function + ':' + probe.name;
        firing.arguments = {{0, 3}, {1, 0x1000}, {2, std::uint64_t(-1)}};
        firing.result = 42;
        firings.push_back(std::move(firing));
    }
    for (int round = 0; round < 2; ++round)
        for (const auto& firing : firings) {
            run.world().now += 1'000'000;
            must(run.fire(firing));
        }
    must(run.finish());
    const auto again = run.replayed();
    if (!again) wrong(again.error().message);
    if (*again != run.output()) wrong("printed:\n" + run.output() + "\nreplayed:\n" + *again);
    return 0;
}
