#include "cli/options_text.h"
#include "engine/options/options.h"
#include <algorithm>
namespace dscope::cli {
namespace {
std::string padded(std::string_view text, std::size_t width)
{
    std::string out(text);
    out.resize(std::max(width, out.size() + 1), ' ');
    return out;
}
std::string_view unitOf(options::Type type)
{
    switch (type) {
    case options::Type::Boolean: return "yes|no";
    case options::Type::Number: return "NUMBER";
    case options::Type::Size: return "SIZE";
    case options::Type::Rate: return "RATE";
    case options::Type::Share: return "SHARE";
    case options::Type::Text: return "TEXT";
    }
    return "";
}
} // namespace

std::string optionsText()
{
    std::string out = "-x NAME[=VALUE] on the command line, #pragma D option NAME=VALUE in a program, DTRACE_OPT_NAME=VALUE in the\n"
                      "environment. * may also be changed by setopt() while a program runs; - may not be set in a program.\n"
                      "SIZE: bytes, with k, m, g or t; RATE: 10ms, 1s, 5min or 997hz; SHARE: 5% or 0.1%; yes|no: alone means yes.\n\n"
                      "  NAME           VALUE    DEFAULT   WHAT IT IS\n";
    for (const auto& row : options::rows()) {
        if (row.name.starts_with('_')) continue; // for tests
        out += row.atRunTime ? "* " : row.notInPrograms ? "- " : "  ";
        out += padded(row.name, 15) + padded(unitOf(row.type), 9) + padded(row.unset.empty() ? "(none)" : row.unset, 10);
        out += row.summary;
        if (!row.choices.empty()) {
            std::string choices(row.choices);
            std::replace(choices.begin(), choices.end(), ' ', '|');
            out += ": " + choices;
        }
        out += '\n';
    }
    return out;
}
} // namespace dscope::cli
