#include "cli/compile.h"
#include "cli/run.h"
#include "engine/probe/registry.h"
#include <charconv>
#include <cstdio>
namespace dscope::cli {
namespace {
void heading() { std::printf("%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME"); }
void stability(const char* what)
{
    std::printf("\n\t%s\n\t\tIdentifier Names: Private\n\t\tData Semantics:   Private\n\t\tDependency Class: Unknown\n", what);
}
void row(const probe::Registry& registry, const probe::Registry::Probe& p, bool verbose)
{
    std::printf("%5u %10s %17s %33s %s\n", p.id.value, p.name.provider.c_str(), p.name.module.c_str(), p.name.function.c_str(),
        p.name.name.c_str());
    if (!verbose) return;
    stability("Probe Description Attributes");
    stability("Argument Attributes");
    std::printf("\n\tArgument Types\n");
    const auto description = registry.describe(p);
    if (!description || description->args.empty())
        std::printf("\t\tNone\n");
    else
        for (std::size_t i = 0; i < description->args.size(); ++i) {
            const auto& arg = description->args[i];
            std::printf("\t\targs[%zu]: %s\n", i, arg.translated.empty() ? arg.native.c_str() : arg.translated.c_str());
        }
    std::printf("\n");
}
} // namespace

int list(const Arguments& a)
{
    const auto host = host::local();
    const probe::Registry registry(*host, providers::all());
    heading();
    auto show = [&](const probe::Pattern& pattern) -> Result<bool> {
        DSCOPE_TRY(const auto probes, registry.match(pattern));
        for (const auto& p : probes)
            row(registry, p, a.verbose);
        return !probes.empty();
    };
    if (a.programs.empty()) {
        if (auto shown = show({}); !shown) {
            std::fprintf(stderr, "dtrace: %s\n", shown.error().message.c_str());
            return 1;
        }
        return 0;
    }
    for (const auto& p : a.programs) {
        // A description alone lists what matches; a program lists what it would enable.
        if (p.script.empty() && p.text.find_first_of("{/,") == p.text.npos) {
            std::uint32_t id = 0;
            const auto* end = p.text.data() + p.text.size();
            if (!p.text.empty() && std::from_chars(p.text.data(), end, id).ptr == end) {
                if (const auto probe = registry.byId(ProbeId{id}))
                    row(registry, *probe, a.verbose);
                else
                    std::fprintf(stderr, "dtrace: failed to match %s: No probe matches description\n", p.text.c_str());
                continue;
            }
            const auto pattern = probe::parsePattern(p.text);
            if (!pattern) {
                std::fprintf(stderr, "dtrace: %s\n", pattern.error().message.c_str());
                return 1;
            }
            const auto shown = show(*pattern);
            if (!shown)
                std::fprintf(stderr, "dtrace: %s\n", shown.error().message.c_str());
            else if (!*shown)
                std::fprintf(stderr, "dtrace: failed to match %s:%s:%s:%s: No probe matches description\n", pattern->provider.c_str(),
                    pattern->module.c_str(), pattern->function.c_str(), pattern->name.c_str());
            continue;
        }
        Arguments one = a;
        one.programs = {p};
        const auto compiled = compile(one, *host, registry, 0);
        if (!compiled) return 1;
        for (const auto& enabled : compiled->program.probes)
            if (const auto probe = registry.byId(enabled.id))
                row(registry, *probe, a.verbose);
            else if (const auto made
                     = registry.match({enabled.name.provider, enabled.name.module, enabled.name.function, enabled.name.name});
                     made)
                for (const auto& m : *made)
                    row(registry, m, a.verbose);
    }
    return 0;
}
} // namespace dscope::cli
