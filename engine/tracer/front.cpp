#include "engine/tracer/front.h"
#include "engine/codegen/generate.h"
#include "engine/format/manners.h"
#include "engine/format/zone.h"
#include "engine/sema/analyse.h"
#include "engine/sema/print.h"
#include "engine/sema/stability.h"
#include "engine/session/abilities.h"
#include "engine/symbols/debug_types.h"
#include "engine/tracer/libraries.h"
#include "engine/tracer/preprocess.h"
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
namespace dscope::tracer {
namespace {
syntax::Macros macros(const Request& a, int target)
{
    syntax::Macros m;
    m.arguments = a.words;
    m.used.resize(a.words.size());
    m.defaultArgs = a.options.flag("defaultargs");
    m.probeNamesFirst = a.options.flag("pspec");
    m.numbers = {{"pid", ::getpid()}, {"ppid", a.asker > 0 ? a.asker : ::getppid()}, {"uid", ::getuid()}, {"euid", ::geteuid()},
        {"gid", ::getgid()}, {"egid", ::getegid()}, {"sid", ::getsid(0)}, {"pgid", ::getpgid(0)}, {"projid", 0}, {"taskid", 0}};
    m.numbers.emplace_back("target", target); // 0 when nothing is traced by -c or -p
    return m;
}
/// Of the processes that are traced, once they are the programs that they are to be.
types::TypeSources typesOfTargets(const host::Host& host, const probe::Registry& registry)
{
    return [&registry, all = symbols::typesOfProcesses(host, registry.targets())](
               types::TypeTable& table, std::string_view program, std::string& why) -> std::shared_ptr<types::TypeSource> {
        if (program == "vmlinux") return nullptr;
        if (const auto ready = registry.prepareTargets(); !ready) {
            why = ready.error().message;
            return nullptr;
        }
        return all(table, program, why);
    };
}
/// The first word of a command that only a shell would understand; empty where there is none. A ; may be that of find -exec.
std::string shellWord(const std::string& command)
{
    std::istringstream words(command);
    for (std::string word; words >> word;) {
        for (const auto* mark : {"|", "||", "&&", "&", ">", ">>", "<", "2>&1", "2>/dev/null", ">/dev/null"})
            if (word == mark) return word;
        if (word.front() == '"' || word.front() == '\'') return word;
    }
    return {};
}
/// What the texts of a request mean, all of them together.
class Front {
public:
    Front(const Request& request, const host::Host& host, const probe::Registry& registry, int target, Messages& messages)
        : m_request(request),
          m_messages(messages), m_environment{host, registry, providers::libraries(), request.options, macros(request, target),
                                    request.allowNoMatch, request.listing, request.dialect, typesOfTargets(host, registry)}
    {
    }

    /// Nothing after telling what is wrong.
    std::optional<sema::Program> analysed()
    {
        if (!m_request.programs.empty() && !readLibraries()) return {};
        for (const auto& p : m_request.programs) {
            std::string text = p.text;
            if (m_request.preprocess || m_request.options.flag("cpp")) {
                auto done = preprocessed(p, m_request);
                if (!done) {
                    const auto what = p.script.empty() ? "invalid probe specifier " + p.text : "failed to compile script " + p.script;
                    refuse(what + ": " + done.error().message, p.script);
                    return {};
                }
                text = std::move(*done);
            }
            const auto file = m_sources.add({.name = p.script, .text = std::move(text), .parts = p.parts, .given = p.text});
            m_inputs.push_back({file, syntax::parse(m_sources, file, m_environment.macros, m_diagnostics)});
        }
        preferEarlierFault();

        // A program that asks whether $target is 0 says itself what it does then.
        const auto& macros = m_environment.macros;
        if (const auto& at = macros.zeroTarget; at && !macros.asksForTarget && !m_request.listing && m_manners.warns)
            m_diagnostics.warning({}, *at, "$target is 0: there is neither -c COMMAND nor -p PID whose process it could be");
        if (!m_request.listing && m_manners.warns) warnOfShells();
        std::optional<sema::Program> program;
        if (m_diagnostics.ok()) program = sema::analyse(m_inputs, m_sources, m_environment, m_diagnostics);
        if (program && !m_request.listing && m_manners.warns) warnOfOtherProcesses(*program);
        showTrees(program ? &*program : nullptr);
        if (!tell(m_diagnostics)) program.reset();
        if (program && (!framesFit(program->options) || !cpuIsThere(program->options))) program.reset();
        return program;
    }

    /// What -v tells of each text; dtrace's name of it is that of its messages.
    std::string stability() const
    {
        std::string all;
        for (const auto& input : m_inputs) {
            const auto& source = m_sources.at(input.file);
            const auto what = source.name.empty() ? "description " + firstProbe(input.program) : "script " + source.name;
            all += sema::stabilityReport(m_environment.probes, input.program, source.parts, what);
        }
        return all;
    }

    std::string written() const
    {
        std::string all;
        for (const auto& input : m_inputs)
            all += (all.empty() ? "" : "\n") + syntax::print(input.program);
        return all;
    }

    /// Nothing after telling what asks for too much.
    std::optional<object::Object> generated(const sema::Program& program)
    {
        Diagnostics limits;
        auto object = codegen::generate(program, limits, abilities());
        tell(limits);
        return object;
    }

private:
    /// Where the text cannot be read to its end, what could be read may be wrong before that: D is told its first fault, as where types
    /// are looked at while the text is read.
    void preferEarlierFault()
    {
        const auto isError = [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::Error; };
        const auto& all = m_diagnostics.all();
        const auto unread = std::find_if(all.begin(), all.end(), isError);
        if (unread == all.end()) return;
        Diagnostics found, earlier;
        sema::analyse(m_inputs, m_sources, m_environment, found);
        for (const auto& d : found.all())
            if (isError(d) && d.at.file == unread->at.file && d.at.begin < unread->at.begin) earlier.add(d);
        if (!earlier.ok()) m_diagnostics = std::move(earlier);
    }

    /// The kernel walks its own stacks no further than its setting says, and DTrace for Linux takes no more for jstack() either. Stacks of
    /// ustack() are walked by ourselves.
    bool framesFit(const options::Options& options)
    {
        const auto setting = m_environment.host.read("/proc/sys/kernel/perf_event_max_stack");
        std::uint64_t most = 0;
        if (!setting || std::from_chars(setting->data(), setting->data() + setting->size(), most).ec != std::errc()) return true;
        for (const std::string name : {"stackframes", "jstackframes", "maxframes", "ustackframes"}) {
            // Deeper ones of processes are walked, but DTrace for Linux has no such stacks.
            if (name == "ustackframes" && m_request.dialect == record::Dialect::Dtrace) continue;
            if (!options.isSet(name) || options.number(name) <= most) continue;
            auto why = "failed to set -x " + name + ": Invalid value for specified option";
            if (m_manners.hints) why += "\n    hint: kernel.perf_event_max_stack lets a stack have " + std::to_string(most) + " frames";
            refuse(std::move(why), {});
            return false;
        }
        return true;
    }

    bool cpuIsThere(const options::Options& options)
    {
        if (!options.isSet("cpu")) return true;
        const auto online = m_environment.host.onlineCpus();
        const auto isThat = [wanted = options.number("cpu")](int cpu) { return static_cast<std::uint64_t>(cpu) == wanted; };
        if (online.empty() || std::any_of(online.begin(), online.end(), isThat)) return true;
        std::string why = "failed to set -x cpu: Invalid value for specified option";
        if (m_manners.hints) {
            why += "\n    hint: the CPUs that are online are";
            for (const int cpu : online)
                why += (cpu == online.front() ? " " : ", ") + std::to_string(cpu);
        }
        refuse(std::move(why), {});
        return false;
    }

    /// What the kernel gives programs, as far as tests let it.
    object::Abilities abilities() const
    {
        auto has = session::abilities().has;
        if (!m_request.options.isSet("_kernel")) return has;
        const auto number = [](std::string_view version) {
            unsigned major = 0, minor = 0;
            const auto* end = version.data() + version.size();
            const auto dot = std::from_chars(version.data(), end, major).ptr;
            if (dot != end) std::from_chars(dot + 1, end, minor);
            return std::pair(major, minor);
        };
        const auto wanted = number(m_request.options.text("_kernel"));
        for (const auto& facts : object::kAbilityFacts)
            if (number(facts.since) > wanted) has.remove(facts.ability);
        return has;
    }

    static std::string firstProbe(const ast::Program& program)
    {
        for (const auto& item : program.items)
            if (const auto* c = std::get_if<ast::Clause>(&item.is); c && !c->probes.empty()) return c->probes.front().text;
        return {};
    }

    bool readLibraries()
    {
        const auto isThere = [this](const std::string& kind, const std::string& name) { return sema::isThere(m_environment, kind, name); };
        auto read = userLibraries(m_request.options, isThere);
        if (!read) {
            refuse(read.error().message, {});
            return false;
        }
        m_libraryFiles = *std::move(read);
        const auto provided = providers::libraries();
        m_libraries.assign(provided.begin(), provided.end());
        // Told from the one that needs most to the one that needs none, as DTrace for Linux does.
        if (m_request.options.flag("debug"))
            for (auto file = m_libraryFiles.rbegin(); file != m_libraryFiles.rend(); ++file)
                m_messages.push_back({record::Diagnostic::Severity::Debug, {}, file->path, 0, 0, "library " + file->path,
                    "dscope DEBUG " + std::to_string(::getpid()) + ": library " + file->path});
        for (const auto& file : m_libraryFiles)
            m_libraries.push_back({file.path, file.text, true});
        m_environment.libraries = m_libraries;
        return true;
    }

    /// -x tree, a bit for each pass: as it was parsed, with types, and when code is made of it, which no longer changes it here.
    /// Source: libdtrace/dt_cc.c, whose first lines these are; its trees are of nodes, ours are D.
    void showTrees(const sema::Program* program) const
    {
        const auto& options = program ? program->options : m_request.options;
        if (!options.isSet("tree")) return;
        const auto show = [&](unsigned pass, const auto& text) {
            if ((options.number("tree") >> (pass - 1) & 1) == 0) return;
            auto shown = "Parse tree (Pass " + std::to_string(pass) + "):\n" + text();
            if (shown.back() == '\n') shown.pop_back();
            m_messages.push_back({record::Diagnostic::Severity::Debug, {}, {}, 0, 0, shown, shown});
        };
        for (const auto& input : m_inputs)
            show(1, [&] { return syntax::print(input.program); });
        for (const unsigned pass : {2U, 3U})
            if (program) show(pass, [&] { return sema::print(*program); });
    }

    /// A command is split at blanks, as dtrace does it, and every word goes to the program as it is.
    void warnOfShells() const
    {
        for (const auto& command : m_request.commands)
            if (const auto word = shellWord(command); !word.empty()) {
                const auto what = "-c knows no shell, so " + word + " is a word for the program: put the command in a script, and run that";
                m_messages.push_back({record::Diagnostic::Severity::Warning, {}, {}, 0, 0, what, "warning: " + what});
            }
    }

    /// Whether the clause is there for the process tree alone, which shows the command and what it starts, whatever else is seen: all of
    /// its probes are of `proc`, and it has no statement.
    bool isOfProcessTree(const sema::Program& program, const sema::Clause& clause) const
    {
        if (!clause.defaultAction) return false;
        const auto tellsOfProcesses = [this](const sema::EnabledProbe& probe) {
            const auto all = m_environment.probes.providers();
            return std::any_of(
                all.begin(), all.end(), [&](const auto& each) { return each->tellsOfProcesses() && each->serves(probe.name.provider); });
        };
        return std::all_of(program.probes.begin(), program.probes.end(), [&](const sema::EnabledProbe& probe) {
            const bool isItsOwn = std::any_of(
                probe.clauses.begin(), probe.clauses.end(), [&](std::uint32_t i) { return program.clauses[i].id == clause.id; });
            return !isItsOwn || tellsOfProcesses(probe);
        });
    }

    /// -c and -p set $target and decide when the run ends; they do not narrow what probes fire for. Told once, of the first clause.
    void warnOfOtherProcesses(const sema::Program& program)
    {
        const bool isCommand = !m_request.commands.empty();
        if (!isCommand && m_request.processes.empty()) return;
        const auto isWide = [&](const sema::Clause& c) {
            return c.processes == record::Clause::Processes::All && !c.readsProcess && c.yieldsData && !m_sources.at(c.at.file).isLibrary
                && !isOfProcessTree(program, c);
        };
        const auto first = std::find_if(program.clauses.begin(), program.clauses.end(), isWide);
        if (first == program.clauses.end()) return;
        m_diagnostics
            .warning({}, first->at,
                first->probes + " fires for every process on this machine: " + (isCommand ? "-c" : "-p") + " does not narrow it")
            .hints.emplace_back(first->predicate
                    ? "add && pid == $target to the predicate to trace that process alone, or && progenyof($target) to include what it "
                      "starts"
                    : "add the predicate /pid == $target/ to trace that process alone, or /progenyof($target)/ to include what it starts");
    }

    void refuse(std::string why, std::string script)
    {
        m_messages.push_back({record::Diagnostic::Severity::Error, {}, std::move(script), 0, 0, why, why});
    }

    bool tell(const Diagnostics& diagnostics) const
    {
        const auto tags = m_request.options.flag("errtags") ? syntax::Tags::Shown : syntax::Tags::Hidden;
        std::set<std::uint32_t> known; // files of which a message has shown the text
        for (const auto& d : diagnostics.all()) {
            const bool isAgain = d.severity == Diagnostic::Severity::Error && !known.insert(d.at.file).second;
            const auto given = isAgain ? syntax::Given::LeftOut : syntax::Given::Whole;
            auto text = m_manners.hints ? syntax::rendered(d, m_sources, tags, given) : syntax::headline(d, m_sources, tags, given);
            const bool isError = d.severity == Diagnostic::Severity::Error;
            const auto included = m_sources.includedFile(d.at);
            const auto position = m_sources.position(d.at);
            m_messages.push_back({isError ? record::Diagnostic::Severity::Error : record::Diagnostic::Severity::Warning, std::string(d.tag),
                included.empty() ? m_sources.at(d.at.file).name : included, position.line, position.column, d.message, std::move(text),
                d.choices});
            if (isError && !m_manners.tellsAllErrors) break;
        }
        return diagnostics.ok();
    }

    const Request& m_request;
    const format::Manners m_manners = format::mannersOf(m_request.dialect);
    Messages& m_messages;
    sema::Environment m_environment;
    syntax::Sources m_sources;
    Diagnostics m_diagnostics;
    std::vector<sema::Input> m_inputs;
    std::vector<LibraryFile> m_libraryFiles;
    std::vector<DLibrary> m_libraries;
};
} // namespace

std::optional<std::vector<probe::Pattern>> described(
    const Request& request, const host::Host& host, const probe::Registry& registry, int target, Messages& messages)
{
    auto program = Front(request, host, registry, target, messages).analysed();
    if (!program) return {};
    return std::move(program->described);
}

std::optional<Compiled> compile(const Request& a, const host::Host& host, const probe::Registry& registry, int target, Messages& messages)
{
    Front front(a, host, registry, target, messages);
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
    object->schema.zone = format::machineZone(::getenv("TZ"));
    object->schema.cpus = static_cast<std::uint32_t>(std::max(host.cpuCount(), 0));
    return Compiled{
        std::move(*program), std::move(*object), a.reports ? front.stability() : std::string(), a.writes ? front.written() : std::string()};
}
} // namespace dscope::tracer
