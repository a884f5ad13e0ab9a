#include "engine/sema/analyse.h"
#include "engine/language/subroutines.h"
#include "engine/sema/analyser.h"
#include "engine/sema/base_library.h"
#include "engine/sema/clause_processes.h"
#include "engine/sema/kernel_data.h"
#include "engine/syntax/names.h"
#include "engine/syntax/provider_rules.h"
#include "engine/types/stack_value.h"
#include <algorithm>
#include <set>
namespace dscope::sema {
std::optional<Program> analyse(
    const std::vector<Input>& inputs, syntax::Sources& sources, const Environment& environment, Diagnostics& diagnostics)
{
    if (!diagnostics.ok()) return std::nullopt; // it did not parse: more complaints would only follow from that
    // Types of sizes 1 to 8 grow three times at most, and each analysis makes one grow that another waits for.
    constexpr int kMostAnalyses = 16;
    Widths widths;
    for (int n = 1;; ++n) {
        Diagnostics found;
        widths.startOver();
        auto program = Analyser(sources, environment, found, widths).run(inputs);
        if (widths.haveGrown() && n < kMostAnalyses) continue;
        for (const auto& each : found.all())
            diagnostics.add(each);
        return program;
    }
}

bool isThere(const Environment& environment, std::string_view kind, const std::string& name)
{
    if (kind == "module") {
        const auto inside = environment.host.entries("/sys/module/" + name);
        return name == "vmlinux" || (inside && !inside->empty());
    }
    const auto providers = environment.probes.providers();
    return std::any_of(providers.begin(), providers.end(), [&](const auto& each) { return each->serves(name); });
}

namespace {
/// Memory for alloca() and copyin() where no option says how much. All of it is resident on each CPU: twice, as the verifier adds what
/// an offset may be to what a size may be, and in uprobes for each of eight threads, which may interrupt one another there.
std::uint32_t scratchByDefault(int cpus)
{
    constexpr std::uint32_t kLargest = 65536, kLeast = 4096, kPieces = 2 * 8, kAffordable = 64U << 20U;
    auto size = kLargest;
    while (size > kLeast && std::uint64_t{size} * kPieces * static_cast<std::uint64_t>(std::max(cpus, 1)) > kAffordable)
        size /= 2;
    return size;
}
} // namespace

Analyser::Analyser(syntax::Sources& sources, const Environment& environment, Diagnostics& diagnostics, Widths& widths)
    : m_sources(sources), m_environment(environment), m_diagnostics(diagnostics), m_widths(widths),
      m_typeTable(std::make_shared<types::TypeTable>(environment.host)), m_types(*m_typeTable)
{
    m_types.setSources(environment.programTypes);
    m_program.options = environment.options;
    m_program.dialect = environment.dialect;
    if (environment.dialect == record::Dialect::DtraceForLinux) m_program.faultNumbers = FaultNumbers::ProbeAndClause;
    m_program.pidNamespace = environment.host.pidNamespace();
    m_available.push_back(baseLibrary());
    m_available.push_back(numbersLibrary(m_program.pidNamespace.has_value()));
    m_available.insert(m_available.end(), environment.libraries.begin(), environment.libraries.end());
    m_loaded.resize(m_available.size());
    m_prototypes.resize(language::kSubroutines.size());
    m_aggregationType = m_types.define({.kind = types::Kind::Void, .name = "aggregation"});
    m_aggregatingType = m_types.define({.kind = types::Kind::Void, .name = "aggregating function"});
    m_tracingType = m_types.define({.kind = types::Kind::Void, .name = "void"});
    m_translatedType = m_types.define({.kind = types::Kind::Void, .name = "translated data"});
    m_translatedPointerType = m_types.define({.kind = types::Kind::Void, .name = "pointer to translated data"});
}

std::optional<Program> Analyser::run(const std::vector<Input>& inputs)
{
    // Options first: they decide sizes of types and depths of stacks, also in text in front of them.
    for (const auto& input : inputs)
        for (const auto& item : input.program.items)
            if (const auto* p = std::get_if<ast::Pragma>(&item.is))
                pragma(*p);
            else if (const auto* d = std::get_if<ast::Declaration>(&item.is))
                m_declared.insert({d->scope, d->name});
    m_types.setStringSize(m_program.options.number("strsize"));
    if (!m_program.options.isSet("scratchsize") && m_program.dialect != record::Dialect::DtraceForLinux)
        m_program.scratchByDefault = scratchByDefault(m_environment.host.cpuCount());
    m_stackValue = types::defineStackValue(m_types, types::StackValue::room(m_program.options.number("maxframes")));
    loadUserLibraries();

    for (const auto& input : inputs) {
        syntax::checkProviders(input.program, m_diagnostics);
        m_matches = 0;
        m_firstProbe.clear();
        const auto clauses = m_program.clauses.size();
        for (const auto& item : input.program.items) {
            if (const auto* d = std::get_if<ast::Declaration>(&item.is))
                declare(*d);
            else if (const auto* c = std::get_if<ast::Clause>(&item.is))
                clause(*c);
        }
        const auto end = static_cast<std::uint32_t>(m_sources.at(input.file).text.size());
        const bool empty = clauses == m_program.clauses.size() && !(m_environment.listing && !m_program.described.empty());
        if (m_diagnostics.ok()) requireArgumentsUsed({input.file, end, end});
        if (empty && m_diagnostics.ok() && !m_program.options.flag("empty"))
            error("D_EMPTY", Span{input.file, end, end}, "empty D program translation unit");
        const auto& path = m_sources.at(input.file).name;
        if (!m_program.matched.empty()) m_program.matched += '\n';
        m_program.matched += text(path.empty() ? "description '" + m_firstProbe : "script '" + path, "' matched ", m_matches,
            m_matches == 1 ? " probe" : " probes");
    }

    if (m_diagnostics.ok()) requirePragmasUsed(inputs);
    if (m_diagnostics.ok())
        for (const auto& u : m_unsupported)
            m_diagnostics.error("D_UNKNOWN", u.at, u.message).hints.push_back(u.hint);
    if (!m_diagnostics.ok()) return std::nullopt;
    std::sort(m_program.probes.begin(), m_program.probes.end(), [](const EnabledProbe& a, const EnabledProbe& b) { return a.id < b.id; });
    requireResultsGivable();
    nameAddresses();
    warnOfRenamedCalls();
    if (m_asksKernelStack) findCallsListeners();
    m_program.variables.assign(m_scope.variables.begin(), m_scope.variables.end());
    for (auto& variable : m_program.variables) {
        if (const auto at = m_holdsScratch.find(variable.id.value); at != m_holdsScratch.end()) variable.holdsScratch = at->second;
        const auto leads = m_leadsIntoScratch.find(variable.id.value);
        variable.leadsIntoScratch = leads != m_leadsIntoScratch.end() && leads->second;
    }
    m_program.aggregations.assign(m_scope.aggregations.begin(), m_scope.aggregations.end());
    const auto& numbers = m_environment.macros.numbers;
    const auto target = std::find_if(numbers.begin(), numbers.end(), [](const auto& macro) { return macro.first == "target"; });
    findProcesses(m_program, target == numbers.end() ? 0 : target->second);
    m_program.types = std::move(m_typeTable);
    return std::move(m_program);
}

namespace {
bool givesResult(const std::vector<Statement>& body)
{
    return std::any_of(
        body.begin(), body.end(), [](const Statement& s) { return s.givesResult || givesResult(s.then) || givesResult(s.otherwise); });
}
/// Whether the kernel lets a program give the function's result. Source: lib/error-inject.c, ei_seq_show().
bool mayFail(const host::Host& host, const std::string& function)
{
    const auto list = host.read("/sys/kernel/debug/error_injection/list");
    if (!list) return false;
    std::istringstream lines(*list);
    for (std::string line; std::getline(lines, line);)
        if (line.substr(0, line.find_first_of(" \t")) == function) return true;
    return false;
}
} // namespace

/// Only kprobes may give a result, and only that of functions whose callers expect them to fail.
void Analyser::requireResultsGivable()
{
    for (const auto& probe : m_program.probes) {
        const bool gives = std::any_of(
            probe.clauses.begin(), probe.clauses.end(), [&](std::uint32_t i) { return givesResult(m_program.clauses[i].body); });
        if (!gives || (probe.takesResult && mayFail(m_environment.host, probe.name.function))) continue;
        m_program.refusesResult = probe.name.spelled();
        return;
    }
}

/// Where several listen to a tracepoint they are called by a function of its own. Source: include/linux/tracepoint.h,
/// include/trace/bpf_probe.h
void Analyser::findCallsListeners()
{
    std::set<std::string, std::less<>> tracepoints;
    for (const auto& probe : m_program.probes)
        for (const auto& hook : probe.hooks)
            if (const auto* at = std::get_if<probe::RawTracepoint>(&hook.at)) tracepoints.insert(at->name);
    if (tracepoints.empty()) return;
    const auto table = m_environment.host.read("/proc/kallsyms");
    if (!table) return;

    // Once through the table, which has some hundred thousand lines, however many tracepoints there are.
    const std::string_view lines(*table);
    for (const std::string prefix : {"__traceiter_", "__bpf_trace_"})
        for (auto at = lines.find(' ' + prefix); at != lines.npos; at = lines.find(' ' + prefix, at + 1)) {
            const auto begin = at + 1 + prefix.size();
            const auto known = tracepoints.find(lines.substr(begin, lines.find_first_of("\t\n", begin) - begin));
            if (known == tracepoints.end()) continue;
            const auto code = kernelSymbol(lines.substr(lines.rfind('\n', at) + 1), {}, prefix + *known);
            if (code && code->address != 0) m_program.callsListeners.push_back({*known, code->address, code->address + code->room});
        }
}

/// An argument of the command line that the program never names ($1 ...) is an error, unless option argref or defaultargs is set.
void Analyser::requireArgumentsUsed(Span at)
{
    const auto& options = m_program.options;
    const auto& macros = m_environment.macros;
    if (options.flag("argref") || options.flag("defaultargs")) return;
    for (std::size_t i = macros.used.size(); i-- > 1;)
        if (!macros.used[i]) {
            m_diagnostics.error("D_MACRO_UNUSED", at, text("extraneous argument '", macros.arguments[i], "' ($", i, " is not referenced)"))
                .hints.emplace_back(macros.arguments[i].find('{') != std::string::npos
                        ? "a program is one word of the command line: quote probe, predicate and actions together"
                        : "-x argref lets a program leave arguments unused");
            return;
        }
}

/// #pragma D attributes and #pragma D binding are about a name; one that nothing bears is a mistake.
void Analyser::requirePragmasUsed(const std::vector<Input>& inputs)
{
    std::set<std::string> names;
    for (const auto& input : inputs)
        for (const auto& item : input.program.items)
            if (const auto* d = std::get_if<ast::Declaration>(&item.is)) names.insert(d->name);
    for (const auto& input : inputs)
        for (const auto& item : input.program.items) {
            const auto* p = std::get_if<ast::Pragma>(&item.is);
            if (!p) continue;
            std::istringstream words(p->text);
            std::string what, value, name;
            words >> what >> value >> name;
            if ((what != "attributes" && what != "binding") || name == "provider") continue;
            if (names.contains(name) || syntax::isBuiltin(name) || m_scope.variable(ast::Scope::Global, name)) continue;
            error("D_PRAGMA_UNUSED", p->at, "unused #pragma ", what);
            return;
        }
}

void Analyser::pragma(const ast::Pragma& p)
{
    std::istringstream words(p.text);
    std::string name, argument, rest;
    words >> name >> argument;
    if (name == "option") {
        if (argument.empty()) {
            error("D_PRAGMA_MALFORM", p.at, "malformed #pragma option <option>=<val>");
            return;
        }
        if (words >> rest) {
            error("D_PRAGMA_MALFORM", p.at, "superfluous arguments specified for #pragma option");
            return;
        }
        const auto equals = argument.find('=');
        const auto option = argument.substr(0, equals), value = equals == std::string::npos ? std::string() : argument.substr(equals + 1);
        if (const auto* row = options::find(option); row && row->notInPrograms) {
            error("D_PRAGMA_OPTSET", p.at, "failed to set option '", option, "' to '", value,
                "': Option cannot be used from within a D program");
            return;
        }
        const auto set = m_program.options.set(option, value);
        if (!set) {
            error("D_PRAGMA_OPTSET", p.at, "failed to set option '", option, equals == std::string::npos ? "'" : "' to '" + value + "'",
                ": ", set.error().message);
            if (auto hint = options::meantBy(option); !hint.empty()) m_diagnostics.hint(std::move(hint));
        }
    } else if (name == "depends_on") {
        if (!(words >> rest)) {
            error("D_PRAGMA_MALFORM", p.at, "malformed #pragma depends_on <class> <name>");
            return;
        }
        if (argument == "library") {
            error("D_PRAGMA_DEPEND", p.at, "main program may not explicitly depend on a library");
        } else if (argument != "provider" && argument != "module") {
            error("D_PRAGMA_INVAL", p.at, "invalid class ", argument, " specified by #pragma depends_on");
        } else if (!isThere(m_environment, argument, rest))
            error("D_PRAGMA_DEPEND", p.at, "program requires ", argument, " ", rest);
    } else if (name == "error") {
        auto message = p.text.size() > 6 ? p.text.substr(6) : std::string();
        while (!message.empty() && message.back() == ' ')
            message.pop_back();
        error("D_PRAGERR", p.at, "#error: ", message);
    } else if (name != "attributes" && name != "binding" && name != "ident" && name != "line" && name != "warn" && name != "warning")
        error("D_PRAGMA_INVAL", p.at, "invalid D pragma: ", name);
}
} // namespace dscope::sema
