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

std::string wordsLeftOver(const Arguments& arguments)
{
    const auto& words = arguments.words;
    if (!arguments.programs.empty() || words.size() < 2 || arguments.dialect == record::Dialect::DtraceForLinux) return {};

    if (arguments.mode == Arguments::Mode::List) {
        std::string ignored, meant;
        for (std::size_t i = 1; i < words.size(); ++i) {
            ignored += ' ' + shellWord(words[i]);
            meant += " -n " + shellWord(words[i]);
        }
        return "-l ignores" + ignored + ": use -l" + meant;
    }

    if (!arguments.compileOnly || !isProgram(words[1])) return {};
    // A program that the shell took apart is one again; behind a whole one there are its arguments.
    std::string program = words[1];
    std::size_t next = 2;
    while (next < words.size() && program.find('}') == program.npos)
        program += ' ' + words[next++];
    std::replace(program.begin(), program.end(), '\n', ' '); // one line
    std::string meant = shellWord(program);
    for (; next < words.size(); ++next)
        meant += ' ' + shellWord(words[next]);
    return "-e means compile only: use dscope -n " + meant;
}
} // namespace dscope::cli
