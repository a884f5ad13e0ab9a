#include "engine/tracer/preprocess.h"
#include "engine/base/fd.h"
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
extern char** environ;
namespace dscope::tracer {
namespace {
std::vector<std::string> lines(const std::string& text)
{
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) all.push_back(std::move(line));
    return all;
}
std::string directoryOf(const std::string& path)
{
    const auto slash = path.rfind('/');
    return slash == path.npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}
std::vector<std::string> commandLine(const std::string& cpp, const Text& program, const Request& a)
{
    // "linux" and "unix" are words of D programs: names of modules. GNU's cpp would make 1 of them. D is no GNU C: the system's
    // headers leave out what only that has.
    std::vector<std::string> words{cpp.substr(cpp.rfind('/') + 1), "-D__linux", "-D__Linux", "-D__unix", "-D__SVR4", "-D__SUNW_D",
        "-D__SUNW_D_64", "-D__SUNW_D_VERSION=0x02000000", "-Ulinux", "-Uunix", "-U__GNUC__", "-U__SIZEOF_INT128__", "-D__signed__=signed",
        "-D__attribute__(x)="};
    words.insert(words.end(), a.cppArguments.begin(), a.cppArguments.end());
    for (const auto& [option, letter] : {std::pair{"define", "-D"}, std::pair{"undef", "-U"}, std::pair{"incdir", "-I"}})
        for (const auto& each : lines(a.options.text(option)))
            words.push_back(letter + each);
    if (a.options.flag("cpphdrs")) words.emplace_back("-H");
    std::istringstream more(a.options.text("cppargs"));
    for (std::string word; more >> word;)
        words.push_back(std::move(word));
    // cpp reads a pipe: it does not know where the script lies, whose neighbours it may include.
    if (!program.script.empty()) words.insert(words.end(), {"-iquote", directoryOf(program.script)});
    words.emplace_back("/dev/stdin");
    return words;
}
/// Whether the line, which begins with '#', says that what follows is of one of the system's headers.
bool entersSystemHeader(std::string_view marker)
{
    const auto flags = marker.rfind('"');
    return flags != marker.npos && marker.find('3', flags) != marker.npos;
}
/// The text with blanks in place of the functions that the system's headers define, which are C and no D.
std::string withoutFunctions(std::string text)
{
    bool system = false;
    int depth = 0;
    char last = 0;         // the last letter that is no blank
    std::size_t begun = 0; // the declaration's first letter
    bool inFunction = false;
    std::size_t function = 0; // where the function begins that we are in
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '#' && (i == 0 || text[i - 1] == '\n')) {
            const auto end = std::min(text.find('\n', i), text.size());
            system = entersSystemHeader(std::string_view(text).substr(i, end - i));
            if (depth == 0 && !inFunction && (last == 0 || last == ';' || last == '}')) begun = end;
            i = end - 1;
            continue;
        }
        if (c == '"' || c == '\'') {
            for (++i; i < text.size() && text[i] != c && text[i] != '\n'; ++i)
                if (text[i] == '\\') ++i;
        } else if (c == '{') {
            if (depth++ == 0 && system && last == ')') {
                inFunction = true;
                function = begun;
            }
        } else if (c == '}' && depth > 0 && --depth == 0 && inFunction) {
            for (auto at = function; at <= i; ++at) {
                if (text[at] == '#' && (at == 0 || text[at - 1] == '\n')) at = text.find('\n', at); // cpp says there where we are
                if (text[at] != '\n') text[at] = ' ';
            }
            inFunction = false;
        }
        if (depth == 0 && (c == ';' || c == '}')) begun = i + 1;
        if (!std::isspace(static_cast<unsigned char>(c))) last = c;
    }
    return text;
}
/// Where "#!" stands, and how long its line is: first of all, or behind comments, as where a licence was put above it.
std::optional<std::pair<std::size_t, std::size_t>> interpreterLine(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size()) {
        if (text.substr(at).starts_with("/*")) {
            at = text.find("*/", at + 2);
            if (at == text.npos) break;
            at += 2;
        } else if (std::isspace(static_cast<unsigned char>(text[at]))) {
            ++at;
        } else {
            const bool begins = at == 0 || text[at - 1] == '\n';
            if (!begins || !text.substr(at).starts_with("#!")) break;
            return std::pair(at, std::min(text.find('\n', at), text.size()) - at);
        }
    }
    return std::nullopt;
}
} // namespace

Result<std::string> preprocessed(const Text& program, const Request& a)
{
    char name[] = "/tmp/dscope-cpp-XXXXXX";
    const Fd file(::mkostemp(name, O_CLOEXEC));
    if (!file) return Error{errno, "cannot make a temporary file for cpp"};
    ::unlink(name);

    // "#!" is none of cpp's directives; the empty line in its place keeps the numbers of the others.
    std::string_view text = program.text;
    std::string withoutInterpreter;
    if (const auto line = interpreterLine(text)) {
        withoutInterpreter = std::string(text).erase(line->first, line->second);
        text = withoutInterpreter;
    }
    // -x stdc=s is C before the standard. What a "system header" (3) undefines cpp does not warn of, as it does of -U.
    std::string all = a.options.text("stdc") == "s" ? "# 1 \"/dev/stdin\" 3\n#undef __STDC__\n# 1 \"/dev/stdin\"\n" : "";
    all += text;
    if (::write(file.get(), all.data(), all.size()) != static_cast<ssize_t>(all.size()))
        return Error{errno, "cannot write a temporary file for cpp"};
    ::lseek(file.get(), 0, SEEK_SET);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return Error{errno, "cannot make a pipe"};
    Fd in(ends[0]), out(ends[1]);
    const auto cpp = a.options.text("cpppath");
    auto words = commandLine(cpp, program, a);
    std::vector<char*> argv;
    for (auto& w : words)
        argv.push_back(w.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, file.get(), 0);
    ::posix_spawn_file_actions_adddup2(&actions, out.get(), 1);
    pid_t pid = 0;
    const int failed = ::posix_spawnp(&pid, cpp.c_str(), &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed) return Error{failed, "cannot run " + cpp + ": install it (apt install cpp) or name it with -x cpppath"};
    out.reset();
    std::string result;
    char buffer[65536];
    for (ssize_t got; (got = ::read(in.get(), buffer, sizeof buffer)) > 0;)
        result.append(buffer, static_cast<std::size_t>(got));
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return Error{0, "Preprocessor failed to process input program"};
    return withoutFunctions(std::move(result));
}
} // namespace dscope::tracer
