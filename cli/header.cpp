#include "cli/run.h"
#include "engine/base/diagnostics.h"
#include "engine/base/output_file.h"
#include "engine/syntax/parser.h"
#include <algorithm>
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
/// The file's macros: probes over <sys/sdt.h>, and a question whether somebody looks, for which a count is defined here: no
/// step of its own is needed when linking.
std::string headerOf(const ast::Declaration& provider)
{
    std::string out;
    for (const auto& probe : provider.probes) {
        const auto counter = provider.name + "_" + probe.name + "_semaphore", macro = macroName(provider.name, probe.name);
        std::string parameters, arguments;
        for (std::size_t i = 0; i < probe.args.size(); ++i) {
            parameters += (i ? ", " : "") + ("arg" + std::to_string(i));
            arguments += ", arg" + std::to_string(i);
        }
        const auto count = probe.args.empty() ? std::string() : std::to_string(probe.args.size());
        out += "extern unsigned short " + counter + ";\n__attribute__((weak, visibility(\"hidden\"), section(\".probes\"))) unsigned short "
            + counter + ";\n";
        out += "#define\t" + macro + "(" + parameters + ") \\\n\tDTRACE_PROBE" + count + "(" + provider.name + ", " + probe.name + arguments
            + ")\n";
        out += "#define\t" + macro + "_ENABLED() \\\n\t__builtin_expect(*(volatile unsigned short *)&" + counter + " != 0, 0)\n\n";
    }
    return out;
}
} // namespace

int header(const Arguments& a)
{
    if (a.programs.empty()) {
        std::fputs("dtrace: -h requires a file with provider definitions: name it with -s\n", stderr);
        return 1;
    }
    syntax::Sources sources;
    Diagnostics diagnostics;
    for (const auto& program : a.programs) {
        syntax::Macros macros;
        macros.arguments = a.words;
        macros.used.resize(a.words.size());
        const auto file = sources.add({.name = program.script, .text = program.text, .parts = {}});
        const auto parsed = syntax::parse(sources, file, macros, diagnostics);
        if (!diagnostics.ok()) {
            const auto tags = a.options.flag("errtags") ? syntax::Tags::Shown : syntax::Tags::Hidden;
            for (const auto& d : diagnostics.all())
                std::fprintf(stderr, "dtrace: %s\n", syntax::headline(d, sources, tags).c_str());
            return 1;
        }
        std::string body;
        for (const auto& item : parsed.items)
            if (const auto* d = std::get_if<ast::Declaration>(&item.is); d && d->kind == ast::Declaration::Kind::Provider)
                body += headerOf(*d);
        auto path = program.script.substr(program.script.rfind('/') + 1);
        path = (path.ends_with(".d") ? path.substr(0, path.size() - 2) : path.empty() ? std::string("probes") : path) + ".h";
        if (!a.output.empty()) path = a.output;
        auto guard = "_" + upper(path.substr(path.rfind('/') + 1));
        for (auto& c : guard)
            if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
        auto out = OutputFile::open(path, OutputFile::Kind::Whole);
        if (out)
            out->stream() << "/* Made by dscope -h. */\n#ifndef\t" << guard << "\n#define\t" << guard
                          << "\n\n#ifndef _SDT_HAS_SEMAPHORES\n#define _SDT_HAS_SEMAPHORES 1\n#endif\n#include <sys/sdt.h>\n\n#ifdef "
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
