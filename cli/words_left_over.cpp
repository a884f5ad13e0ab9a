#include "cli/words_left_over.h"
#include <algorithm>
namespace dscope::cli {
namespace {
/// As a shell takes it for one word.
std::string shellWord(const std::string& word)
{
    std::string out = "'";
    for (const char c : word)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + '\'';
}
bool isProgram(const std::string& word) { return word.find_first_of("{:") != word.npos || word == "BEGIN" || word == "END"; }
} // namespace

void takeWordsLeftOver(Arguments& a)
{
    auto& words = a.words;
    if (!a.programs.empty() || words.size() < 2 || a.dialect == record::Dialect::DtraceForLinux) return;

    if (a.mode == Arguments::Mode::List) {
        for (std::size_t i = 1; i < words.size(); ++i)
            a.programs.push_back({words[i], {}});
        words.resize(1);
        return;
    }

    if (a.mode != Arguments::Mode::Run || !a.compileOnly || !isProgram(words[1])) return;
    // A program that the shell took apart is one again; behind a whole one there are its arguments.
    std::string program = words[1];
    std::size_t next = 2;
    while (next < words.size() && program.find('}') == program.npos)
        program += ' ' + words[next++];
    std::string same = program, arguments;
    std::replace(same.begin(), same.end(), '\n', ' '); // one line
    for (auto i = next; i < words.size(); ++i)
        arguments += ' ' + shellWord(words[i]);
    a.remarks.push_back(
        "-e before a program runs it, as bpftrace does; to dtrace it means compile only: dscope -n " + shellWord(same) + arguments);
    a.programs.push_back({std::move(program), {}});
    a.compileOnly = false;
    words.erase(words.begin() + 1, words.begin() + static_cast<std::ptrdiff_t>(next));
}
} // namespace dscope::cli
