#pragma once
#include "engine/base/result.h"
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
/// A simulated run as text: a D program, what happens to it, what dtrace prints. tests/data/simulated/*.d, see README there.
namespace dscope::tests {
/// A line "@@word argument key=value ...".
struct Directive {
    std::size_t line = 0;
    std::string word;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> settings;
};
struct CaseFile {
    std::string program;
    std::vector<Directive> directives;
    std::string output;                  ///< @@expect: standard output
    std::optional<std::string> messages; ///< @@messages: standard error; not looked at when absent
};

/// Decimal, hexadecimal (0x), negative, or a duration (5ms, 2s) in ns.
inline std::optional<std::uint64_t> numberOf(std::string_view text)
{
    struct Unit {
        std::string_view name;
        std::uint64_t factor;
    };
    static constexpr Unit kUnits[]{{"", 1}, {"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};
    const bool minus = text.starts_with('-');
    if (minus) text.remove_prefix(1);
    const int base = text.starts_with("0x") ? 16 : 10;
    if (base == 16) text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc{}) return {};
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    for (const auto& u : kUnits)
        if (u.name == unit) return minus ? 0 - value * u.factor : value * u.factor;
    return {};
}

/// Words at blanks; "..." keeps blanks and knows \n \t \0 \\ \" and \xHH.
inline std::vector<std::string> wordsOf(std::string_view line)
{
    std::vector<std::string> words;
    std::string word;
    bool quoted = false, any = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"') {
            quoted = !quoted;
            any = true;
        } else if (quoted && c == '\\' && i + 1 < line.size()) {
            const char e = line[++i];
            if (e == 'x' && i + 2 < line.size()) {
                int value = 0;
                std::from_chars(line.data() + i + 1, line.data() + i + 3, value, 16);
                word += static_cast<char>(value);
                i += 2;
            } else {
                word += e == 'n' ? '\n' : e == 't' ? '\t' : e == '0' ? '\0' : e;
            }
        } else if (!quoted && (c == ' ' || c == '\t')) {
            if (any) words.push_back(std::move(word));
            word.clear();
            any = false;
        } else {
            word += c;
            any = true;
        }
    }
    if (any) words.push_back(std::move(word));
    return words;
}

inline Directive directiveOf(std::string_view line, std::size_t number)
{
    Directive out;
    out.line = number;
    auto words = wordsOf(line.substr(2));
    if (!words.empty()) out.word = words[0];
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto equals = words[i].find('=');
        const bool setting = (out.word == "fire" || out.word == "set") && equals != std::string::npos;
        if (setting)
            out.settings[words[i].substr(0, equals)] = words[i].substr(equals + 1);
        else
            out.arguments.push_back(words[i]);
    }
    return out;
}

inline CaseFile caseFile(std::string_view text)
{
    CaseFile out;
    std::string* block = &out.program;
    std::size_t number = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (!line.starts_with("@@")) {
            if (block) *block += std::string(line) + '\n';
            continue;
        }
        auto directive = directiveOf(line, number);
        block = nullptr;
        if (directive.word == "expect") {
            block = &out.output;
        } else if (directive.word == "messages") {
            block = &out.messages.emplace();
        } else {
            out.directives.push_back(std::move(directive));
        }
    }
    return out;
}
} // namespace dscope::tests
