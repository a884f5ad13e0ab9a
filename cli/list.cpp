#include "cli/messages.h"
#include "cli/request.h"
#include "cli/run.h"
#include "cli/words_left_over.h"
#include "engine/format/manners.h"
#include "engine/format/values.h"
#include "engine/probe/registry.h"
#include "engine/tracer/tracer.h"
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
namespace dscope::cli {
namespace {
void heading() { std::printf("%5s %10s %17s %33s %s\n", "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME"); }
void attributes(const char* what, const probe::Attributes& is)
{
    std::printf("\n\t%s\n\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n", what, spelled(is.names).data(),
        spelled(is.data).data(), spelled(is.dependency).data());
}
/// Names of traced files as they are, but on a terminal, which would obey control characters in them.
std::string shown(const std::string& name)
{
    static const bool isTerminal = ::isatty(STDOUT_FILENO) == 1;
    return isTerminal ? format::visible(name) : name;
}
void row(const std::string& id, const probe::Name& name)
{
    std::printf("%5s %10s %17s %33s %s\n", id.c_str(), shown(name.provider).c_str(), shown(name.module).c_str(),
        shown(name.function).c_str(), shown(name.name).c_str());
}
enum class Of : std::uint8_t { Kernel, Process };
void details(const probe::Stability& stability, const std::vector<probe::Arg>& args, Of of)
{
    // A description is as stable as the least of its parts: what a module or function is called is the kernel's affair.
    const bool isOurs = stability.name == probe::kStable;
    attributes("Probe Description Attributes", isOurs ? stability.name : probe::kPrivate);
    attributes("Argument Attributes", stability.arguments);
    std::printf("\n\tArgument Types\n");
    if (args.empty()) std::printf("\t\tNone\n");
    for (std::size_t i = 0; i < args.size(); ++i) {
        std::string_view type = args[i].translated.empty() ? args[i].native : args[i].translated;
        constexpr std::string_view kUser = "userland ";
        if (of == Of::Process && type.starts_with(kUser)) type.remove_prefix(kUser.size()); // as its provider declares it
        std::printf("\t\targs[%zu]: %.*s\n", i, static_cast<int>(type.size()), type.data());
    }
}
void row(const probe::Registry& registry, const probe::Registry::Probe& p, bool verbose)
{
    row(std::to_string(p.id.value), p.name);
    if (!verbose) return;
    auto description = registry.describe(p);
    if (description && description->typedArgs) description->args = description->typedArgs();
    details(p.provider->stability(), description ? description->args : std::vector<probe::Arg>{},
        p.provider->onDemand() ? Of::Process : Of::Kernel);
    std::printf("\n");
}
/// What D knows and this kernel cannot give, with the reason if `tellsWhy`; true when there is such.
bool unavailable(const probe::Registry& registry, const probe::Pattern& pattern, bool tellsWhy)
{
    const auto missing = registry.unavailable(pattern);
    for (const auto& u : missing) {
        row("-", u.name);
        probe::Stability stability;
        for (const auto& p : registry.providers())
            if (p->serves(u.name.provider)) stability = p->stability();
        details(stability, u.args, Of::Kernel);
        // The tests of DTrace for Linux know of no such thing.
        if (tellsWhy) std::printf("\n\tUnavailable\n\t\t%s\n", u.why.c_str());
        std::printf("\n");
    }
    return !missing.empty();
}
Result<std::unique_ptr<tracer::Tracer>> open(const Arguments& a)
{
    DSCOPE_TRY(auto request, requestOf(a));
    return tracer::Tracer::open(std::move(request));
}
} // namespace

int list(const Arguments& a)
{
    auto opened = open(a);
    if (!opened) {
        std::fprintf(stderr, "dtrace: %s\n", opened.error().message.c_str());
        return 1;
    }

    const auto& registry = (*opened)->registry();
    std::vector<probe::Pattern> wanted;
    if (a.programs.empty()) {
        wanted.emplace_back();
    } else {
        // Clauses may have predicates and actions here too: they have to be right, and mean nothing.
        tracer::Messages messages;
        auto patterns = (*opened)->described(messages);
        print(messages);
        if (!patterns) return 1;
        wanted = *std::move(patterns);
    }

    heading();
    for (const auto& pattern : wanted) {
        const auto probes = registry.match(pattern);
        if (!probes) {
            std::fprintf(stderr, "dtrace: %s\n", probes.error().message.c_str());
            if (a.programs.empty()) return 1;
            continue;
        }
        for (const auto& p : *probes)
            row(registry, p, a.verbose);
        const bool more = a.verbose && unavailable(registry, pattern, a.dialect == record::Dialect::Dtrace);
        if (!probes->empty() || more) continue;
        std::fprintf(stderr, "dtrace: failed to match %s:%s:%s:%s: No probe matches description\n", pattern.provider.c_str(),
            pattern.module.c_str(), pattern.function.c_str(), pattern.name.c_str());
        if (!format::mannersOf(a.dialect).hints) continue;
        for (const auto& hint : (*opened)->whyNone(pattern))
            std::fprintf(stderr, "    hint: %s\n", hint.c_str());
    }
    return 0;
}
} // namespace dscope::cli
