#include "cli/provider_scripts.h"
#include "cli/run.h"
#include "engine/base/input_file.h"
#include "engine/base/output_file.h"
#include <algorithm>
#include <cstdio>
/// dscope -G: the step of builds between compiling and linking.
namespace dscope::cli {
namespace {
Result<> write(const std::string& path, const Bytes& bytes)
{
    DSCOPE_TRY(OutputFile out, OutputFile::open(path, OutputFile::Kind::Whole));
    out.stream().write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return out.commit();
}
bool hasClause(const ParsedScript& script)
{
    return std::any_of(script.program.items.begin(), script.program.items.end(),
        [](const ast::Program::Item& item) { return std::holds_alternative<ast::Clause>(item.is); });
}
/// What is made of a script without -o, as dtrace names it.
std::string objectOf(const std::string& script, const std::string& stem) { return script.ends_with(".d") ? stem + ".o" : "d.out"; }
} // namespace

int link(const Arguments& a)
{
    if (a.programs.empty()) {
        std::fputs("dtrace: -G requires a file with provider definitions: name it with -s\n", stderr);
        return 1;
    }

    const auto scripts = parsedScripts(a);
    if (!scripts) return 1;
    DeclaredProbes all;
    for (const auto& script : *scripts)
        for (const auto& [provider, probes] : script.probes)
            all[provider].insert(probes.begin(), probes.end());
    const auto& first = a.programs.front().script;
    const auto failed = [&](const std::string& file, const Error& why) {
        std::fprintf(stderr, "dtrace: failed to link script %s: %s: %s\n", first.c_str(), file.c_str(), why.message.c_str());
        return 1;
    };

    const bool hasClauses = std::any_of(scripts->begin(), scripts->end(), hasClause);
    if (all.empty() && !hasClauses) return failed(first, Error{0, "it declares no provider"});
    if (hasClauses && a.dialect == record::Dialect::Dtrace)
        std::fprintf(stderr, "dtrace: script %s: its clauses are not linked in: they run with -s\n", first.c_str());
    std::vector<std::pair<std::string, Bytes>> changed;
    for (std::size_t i = 1; i < a.words.size(); ++i) { // words[0] is the script
        const auto& path = a.words[i];
        const auto text = readWholeFile(path);
        if (!text) return failed(path, text.error());
        const auto* from = reinterpret_cast<const std::byte*>(text->data());
        const Bytes before(from, from + text->size());
        auto after = withProbes(before, all);
        if (!after) return failed(path, after.error());
        if (*after != before) changed.emplace_back(path, std::move(*after));
    }

    for (const auto& [path, bytes] : changed)
        if (const auto written = write(path, bytes); !written) return failed(path, written.error());
    for (std::size_t i = 0; i < scripts->size(); ++i) {
        const auto& script = (*scripts)[i];
        const auto path = a.output.empty() ? objectOf(a.programs[i].script, script.stem) : a.output;
        if (const auto written = write(path, probeCounts(a.output.empty() ? script.probes : all)); !written)
            return failed(path, written.error());
        if (!a.output.empty()) break;
    }
    return 0;
}
} // namespace dscope::cli
