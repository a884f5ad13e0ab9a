#include "cli/compile.h"
#include "engine/base/fd.h"
#include "engine/codegen/generate.h"
#include "engine/format/zone.h"
#include "engine/sema/analyse.h"
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char** environ;
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
    if (target) m.numbers.emplace_back("target", target);
    return m;
}
/// The text as cpp(1) leaves it. Its own messages go to standard error.
Result<std::string> preprocessed(const ProgramText& program, const Arguments& a)
{
    char name[] = "/tmp/dscope-cpp-XXXXXX";
    const Fd file(::mkstemp(name));
    if (!file) return Error{errno, "cannot make a temporary file for cpp"};
    ::unlink(name);
    // cpp takes "#!" for a directive; the empty line in its place keeps the numbers of the others.
    std::string_view text = program.text;
    if (text.starts_with("#!")) text.remove_prefix(std::min(text.find('\n'), text.size()));
    if (::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        return Error{errno, "cannot write a temporary file for cpp"};
    ::lseek(file.get(), 0, SEEK_SET);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return Error{errno, "cannot make a pipe"};
    Fd in(ends[0]), out(ends[1]);
    std::vector<std::string> words{a.options.isSet("cpppath") ? a.options.text("cpppath") : "cpp", "-nostdinc", "-undef", "-D__linux",
        "-D__linux__", "-D__unix", "-D__unix__", "-D__SUNW_D", "-D__SUNW_D_64", "-D__SUNW_D_VERSION=0x02000000", "-D__x86_64"};
    words.insert(words.end(), a.cppArguments.begin(), a.cppArguments.end());
    words.emplace_back("-");
    std::vector<char*> argv;
    for (auto& w : words)
        argv.push_back(w.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, file.get(), 0);
    ::posix_spawn_file_actions_adddup2(&actions, out.get(), 1);
    pid_t pid = 0;
    const int failed = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed) return Error{failed, "cannot run cpp: install it (apt install cpp) or name it with -x cpppath"};
    out.reset();
    std::string result;
    char buffer[65536];
    for (ssize_t got; (got = ::read(in.get(), buffer, sizeof buffer)) > 0;)
        result.append(buffer, static_cast<std::size_t>(got));
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{0, "cpp failed"};
    return result;
}
bool tell(const Diagnostics& diagnostics, const syntax::Sources& sources, bool errtags)
{
    // The tests of DTrace for Linux expect its line and nothing below.
    const auto told = ::getenv("_DTRACE_TESTING") ? syntax::headline : syntax::rendered;
    for (const auto& d : diagnostics.all())
        std::fprintf(stderr, "dtrace: %s\n", told(d, sources, errtags).c_str());
    return diagnostics.ok();
}
} // namespace

std::optional<Compiled> compile(const Arguments& a, const host::Host& host, const probe::Registry& registry, int target)
{
    syntax::Sources sources;
    Diagnostics diagnostics;
    std::vector<sema::Input> inputs;
    const bool errtags = a.options.flag("errtags");
    sema::Environment environment{
        host, registry, codegen::prototypes(), providers::libraries(), a.options, macros(a, target), a.allowNoMatch};
    for (const auto& p : a.programs) {
        std::string text = p.text;
        if (a.preprocess) {
            auto done = preprocessed(p, a);
            if (!done) {
                std::fprintf(stderr, "dtrace: failed to compile script %s: %s\n", p.script.c_str(), done.error().message.c_str());
                return {};
            }
            text = std::move(*done);
        }
        const auto file = sources.add({p.script, std::move(text), false});
        inputs.push_back({file, syntax::parse(sources, file, environment.macros, diagnostics)});
    }
    if (!diagnostics.ok()) {
        tell(diagnostics, sources, errtags);
        return {};
    }
    if (!a.options.flag("argref") && !a.options.flag("defaultargs"))
        for (std::size_t i = 1; i < a.words.size(); ++i)
            if (!environment.macros.used[i]) {
                std::fprintf(stderr, "dtrace: extraneous argument '%s' ($%zu is not referenced)\n", a.words[i].c_str(), i);
                return {};
            }
    auto program = sema::analyse(inputs, sources, environment, diagnostics);
    if (!tell(diagnostics, sources, errtags) || !program) return {};
    auto object = codegen::generate(*program);
    std::string text;
    for (const auto& p : a.programs) {
        if (!text.empty()) text += '\n';
        text += p.text;
    }
    object.schema.source = std::move(text);
    object.schema.name = a.programs.empty() ? "" : a.programs.front().script;
    object.schema.arguments.assign(a.words.begin() + 1, a.words.end());
    for (const auto& c : a.commands) {
        if (!object.schema.command.empty()) object.schema.command += "; ";
        object.schema.command += c;
    }
    if (::getenv("_DTRACE_TESTING")) object.schema.options.insert_or_assign("_testing", std::string(1, '1'));
    if (auto zone = format::machineZone(::getenv("TZ")); !zone.empty()) object.schema.options["_zone"] = std::move(zone);
    return Compiled{std::move(*program), std::move(object)};
}
} // namespace dscope::cli
