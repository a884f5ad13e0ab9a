#include "cli/provider_scripts.h"
#include "cli/request.h"
#include "cli/run.h"
#include "engine/base/diagnostics.h"
#include "engine/base/output_file.h"
#include "engine/syntax/control_lines.h"
#include "engine/syntax/parser.h"
#include "engine/syntax/provider_rules.h"
#include "engine/tracer/preprocess.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
namespace dscope::cli {
namespace {
std::string upper(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}
/// PROVIDER_PROBE, as dtrace spells the macro of provider:::pro-be (pro__be).
std::string macroName(const std::string& provider, const std::string& probe)
{
    std::string name = provider + "_" + probe;
    for (auto at = name.find("__"); at != name.npos; at = name.find("__", at))
        name.erase(at, 1);
    return upper(name);
}
/// The file's macros. Where <sys/sdt.h> is systemtap's a probe is a note that it writes, and a question whether somebody looks asks a
/// count that is defined here: no step of its own is needed when linking. Where it is another, or none, probes are calls, which -G takes
/// out.
std::string headerOf(const ast::Declaration& provider, const DeclaredProbes& declared)
{
    std::string noted;
    for (const auto& probe : provider.probes) {
        const auto counter = provider.name + "_" + probe.name + "_semaphore", macro = macroName(provider.name, probe.name);
        const auto argument = [](std::size_t i) { return "arg" + std::to_string(i); };
        const auto& known = declared.at(provider.name).at(probe.name);
        std::string parameters, seen, passed, types;
        for (std::size_t i = 0; i < known.passed.size(); ++i) {
            const std::string comma = i ? ", " : "";
            parameters += comma + argument(i);
            passed += comma + "(unsigned long)(" + argument(i) + ")";
            types += comma + "unsigned long";
        }
        for (const auto i : known.seen)
            seen += ", " + argument(i);
        const auto count = known.seen.empty() ? std::string() : std::to_string(known.seen.size());
        const auto function = "__dtrace_" + provider.name + "___" + probe.name;
        noted += "extern unsigned short " + counter
            + ";\n__attribute__((weak, visibility(\"hidden\"), section(\".probes\"))) unsigned short " + counter + ";\n";
        noted += "#define\t" + macro + "_ENABLED() \\\n\t__builtin_expect(*(volatile unsigned short *)&" + counter + " != 0, 0)\n";
        noted += "#ifdef\tSTAP_PROBE\n#define\t" + macro + "(" + parameters + ") \\\n\tDTRACE_PROBE" + count + "(" + provider.name + ", "
            + probe.name + seen + ")\n#else\n";
        noted += "extern void " + function + "(" + (types.empty() ? "void" : types) + ");\n#define\t" + macro + "(" + parameters
            + ") \\\n\t" + function + "(" + passed + ")\n#endif\n\n";
    }
    return noted;
}
/// The text without remarks, as declarations that were written for systemtap's dtrace have them: "# file: poll.c". To D and to cpp they
/// are directives that do not exist.
std::string withoutRemarks(std::string text)
{
    static constexpr auto kDirectives = std::to_array<std::string_view>({"define", "undef", "include", "include_next", "import", "if",
        "ifdef", "ifndef", "elif", "else", "endif", "error", "warning", "pragma", "line", "ident"});
    for (const auto& line : syntax::controlLines(text)) {
        if (line.kind != syntax::ControlLine::Kind::Other) continue;
        std::string_view words(text.data() + line.begin, line.end - line.begin);
        words.remove_prefix(std::min(words.find_first_not_of(" \t", words.find('#') + 1), words.size()));
        const auto word = words.substr(0, words.find_first_of(" \t("));
        if (word.empty() || word.front() == '"' || std::find(kDirectives.begin(), kDirectives.end(), word) != kDirectives.end()) continue;
        std::fill(text.begin() + line.begin, text.begin() + line.end, ' ');
    }
    return text;
}
std::nullopt_t told(const Arguments& a, const Diagnostics& diagnostics, const syntax::Sources& sources)
{
    const auto tags = a.options.flag("errtags") ? syntax::Tags::Shown : syntax::Tags::Hidden;
    for (const auto& d : diagnostics.all())
        std::fprintf(stderr, "dtrace: %s\n", syntax::headline(d, sources, tags).c_str());
    return std::nullopt;
}
} // namespace

std::optional<std::vector<ParsedScript>> parsedScripts(const Arguments& a)
{
    syntax::Sources sources;
    Diagnostics diagnostics;
    std::vector<ParsedScript> all;
    const auto failed = [](const std::string& script, const Error& why) {
        std::fprintf(stderr, "dtrace: failed to compile script %s: %s\n", script.c_str(), why.message.c_str());
        return std::nullopt;
    };
    const auto request = requestOf(a);
    for (const auto& program : a.programs) {
        tracer::Text written{.text = withoutRemarks(program.text), .script = program.script};
        if (!request) return failed(program.script, request.error());
        auto text
            = request->preprocess || a.options.flag("cpp") ? tracer::preprocessed(written, *request) : Result<std::string>(written.text);
        if (!text) return failed(program.script, text.error());
        syntax::Macros macros;
        macros.arguments = a.words;
        macros.used.resize(a.words.size());
        const auto file = sources.add({.name = program.script, .text = *std::move(text), .parts = {}});
        auto parsed = syntax::parse(sources, file, macros, diagnostics);
        if (!diagnostics.ok()) return told(a, diagnostics, sources);
        syntax::checkProviders(parsed, diagnostics);
        if (!diagnostics.ok()) return told(a, diagnostics, sources);
        auto probes = declaredProbes(parsed);
        if (!probes) return failed(program.script, probes.error());
        auto stem = program.script.substr(program.script.rfind('/') + 1);
        stem = stem.ends_with(".d") ? stem.substr(0, stem.size() - 2) : stem.empty() ? std::string("probes") : stem;
        all.push_back({std::move(stem), std::move(parsed), std::move(*probes)});
    }
    return all;
}

int header(const Arguments& a)
{
    if (a.programs.empty()) {
        std::fputs("dtrace: -h requires a file with provider definitions: name it with -s\n", stderr);
        return 1;
    }

    const auto scripts = parsedScripts(a);
    if (!scripts) return 1;
    for (const auto& script : *scripts) {
        std::string body;
        for (const auto& item : script.program.items)
            if (const auto* d = std::get_if<ast::Declaration>(&item.is); d && d->kind == ast::Declaration::Kind::Provider)
                body += headerOf(*d, script.probes);
        const auto path = a.output.empty() ? script.stem + ".h" : a.output;
        auto guard = "_" + upper(path.substr(path.rfind('/') + 1));
        for (auto& c : guard)
            if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        auto out = OutputFile::open(path, OutputFile::Kind::Whole);
        if (out)
            out->stream() << "/* Made by dscope -h. */\n#ifndef\t" << guard << "\n#define\t" << guard
                          << "\n\n#include <unistd.h>\n#include <inttypes.h>\n\n#ifndef _SDT_HAS_SEMAPHORES\n#define _SDT_HAS_SEMAPHORES "
                             "1\n#endif\n#ifdef __has_include\n#if "
                             "__has_include(<sys/sdt.h>)\n#include <sys/sdt.h>\n#endif\n#else\n#include <sys/sdt.h>\n#endif\n\n#ifdef "
                             "__cplusplus\nextern \"C\" {\n#endif\n\n"
                          << body << "#ifdef __cplusplus\n}\n#endif\n\n#endif\t/* " << guard << " */\n";
        if (const auto written = out ? out->commit() : Result<>(out.error()); !written) {
            std::fprintf(stderr, "dtrace: %s\n", written.error().message.c_str());
            return 1;
        }
    }
    return 0;
}
} // namespace dscope::cli
