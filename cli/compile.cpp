#include "cli/compile.h"
#include "cli/libraries.h"
#include "cli/preprocess.h"
#include "engine/codegen/generate.h"
#include "engine/format/zone.h"
#include "engine/sema/analyse.h"
#include "engine/sema/stability.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
namespace dscope::cli {
namespace {
syntax::Macros macros(const Arguments& a, int target)
{
    syntax::Macros m;
    m.arguments = a.words;
    m.used.resize(a.words.size());
    m.defaultArgs = a.options.flag("defaultargs");
    m.probeNamesFirst = a.options.flag("pspec");
    m.numbers = {{"pid", ::getpid()}, {"ppid", ::getppid()}, {"uid", ::getuid()}, {"euid", ::geteuid()}, {"gid", ::getgid()},
        {"egid", ::getegid()}, {"sid", ::getsid(0)}, {"pgid", ::getpgid(0)}, {"projid", 0}, {"taskid", 0}};
    m.numbers.emplace_back("target", target); // 0 when nothing is traced by -c or -p
    return m;
}
/// What the texts of the command line mean, all of them together.
class Front {
public:
    Front(const Arguments& a, const host::Host& host, const probe::Registry& registry, int target)
        : m_arguments(a), m_environment{host, registry, providers::libraries(), a.options, macros(a, target), a.allowNoMatch,
                              a.mode == Arguments::Mode::List}
    {
    }
    /// std::nullopt after telling what is wrong.
    std::optional<sema::Program> analysed()
    {
        if (!m_arguments.programs.empty() && !readLibraries()) return {};
        for (const auto& p : m_arguments.programs) {
            std::string text = p.text;
            if (m_arguments.preprocess || m_arguments.options.flag("cpp")) {
                auto done = preprocessed(p, m_arguments);
                if (!done) {
                    std::fprintf(stderr, "dtrace: %s %s: %s\n", p.script.empty() ? "invalid probe specifier" : "failed to compile script",
                        (p.script.empty() ? p.text : p.script).c_str(), done.error().message.c_str());
                    return {};
                }
                text = std::move(*done);
            }
            const auto file = m_sources.add({p.script, std::move(text), false, p.parts, p.text});
            m_inputs.push_back({file, syntax::parse(m_sources, file, m_environment.macros, m_diagnostics)});
        }
        std::optional<sema::Program> program;
        if (m_diagnostics.ok()) program = sema::analyse(m_inputs, m_sources, m_environment, m_diagnostics);
        if (!tell(m_diagnostics)) program.reset();
        return program;
    }
    /// What -v tells of each text; dtrace's name of it is that of its messages.
    std::string stability() const
    {
        std::string all;
        for (const auto& input : m_inputs) {
            const auto& source = m_sources.at(input.file);
            const auto what = source.name.empty() ? "description " + firstProbe(input.program) : "script " + source.name;
            all += sema::stabilityReport(input.program, source.parts, what);
        }
        return all;
    }
    /// std::nullopt after telling what asks for too much.
    std::optional<codegen::Object> generated(const sema::Program& program)
    {
        Diagnostics limits;
        auto object = codegen::generate(program, limits);
        tell(limits);
        return object;
    }

private:
    static std::string firstProbe(const ast::Program& program)
    {
        for (const auto& item : program.items)
            if (const auto* c = std::get_if<ast::Clause>(&item.is); c && !c->probes.empty()) return c->probes.front().text;
        return {};
    }
    bool readLibraries()
    {
        const auto isThere = [this](const std::string& kind, const std::string& name) { return sema::isThere(m_environment, kind, name); };
        auto read = userLibraries(m_arguments.options, isThere);
        if (!read) {
            std::fprintf(stderr, "dtrace: %s\n", read.error().message.c_str());
            return false;
        }
        m_libraryFiles = *std::move(read);
        const auto provided = providers::libraries();
        m_libraries.assign(provided.begin(), provided.end());
        // Told from the one that needs most to the one that needs none, as DTrace for Linux does.
        if (m_arguments.options.flag("debug"))
            for (auto file = m_libraryFiles.rbegin(); file != m_libraryFiles.rend(); ++file)
                std::fprintf(stderr, "dscope DEBUG %d: library %s\n", static_cast<int>(::getpid()), file->path.c_str());
        for (const auto& file : m_libraryFiles)
            m_libraries.push_back({file.path, file.text, true});
        m_environment.libraries = m_libraries;
        return true;
    }
    bool tell(const Diagnostics& diagnostics) const
    {
        const bool errtags = m_arguments.options.flag("errtags");
        // DTrace for Linux stops at the first error, and its tests expect its line and nothing below.
        const bool testing = m_arguments.options.flag("_testing");
        for (const auto& d : diagnostics.all()) {
            const auto text = testing ? syntax::headline(d, m_sources, errtags) : syntax::rendered(d, m_sources, errtags);
            std::fprintf(stderr, "dtrace: %s\n", text.c_str());
            if (testing && d.severity == Diagnostic::Severity::Error) break;
        }
        return diagnostics.ok();
    }
    const Arguments& m_arguments;
    sema::Environment m_environment;
    syntax::Sources m_sources;
    Diagnostics m_diagnostics;
    std::vector<sema::Input> m_inputs;
    std::vector<LibraryFile> m_libraryFiles;
    std::vector<DLibrary> m_libraries;
};
} // namespace

std::optional<std::vector<probe::Pattern>> described(
    const Arguments& a, const host::Host& host, const probe::Registry& registry, int target)
{
    auto program = Front(a, host, registry, target).analysed();
    if (!program) return {};
    return std::move(program->described);
}

std::optional<Compiled> compile(const Arguments& a, const host::Host& host, const probe::Registry& registry, int target)
{
    Front front(a, host, registry, target);
    auto program = front.analysed();
    if (!program) return {};
    auto object = front.generated(*program);
    if (!object) return {};
    std::string text;
    for (const auto& p : a.programs) {
        if (!text.empty()) text += '\n';
        text += p.text;
    }
    object->schema.source = std::move(text);
    object->schema.name = a.programs.empty() ? "" : a.programs.front().script;
    object->schema.arguments.assign(a.words.begin() + 1, a.words.end());
    for (const auto& c : a.commands) {
        if (!object->schema.command.empty()) object->schema.command += "; ";
        object->schema.command += c;
    }
    if (auto zone = format::machineZone(::getenv("TZ")); !zone.empty()) object->schema.options["_zone"] = std::move(zone);
    return Compiled{std::move(*program), std::move(*object), a.verbose ? front.stability() : std::string()};
}
} // namespace dscope::cli
