#pragma once
#include <cstdint>
#include <string_view>
/// The words of D that this program provides: the one table of the language. Each word is one row, which says what it is called,
/// how it is used, since when D has it, how far one may rely on it and what it does. The compiler, the editor, the reference in
/// docs/reference.md and the fuzz dictionary all read these rows; a test fails where one of them knows more or less.
namespace dscope::language {
/// How far one may rely on a word. Source: Solaris Dynamic Tracing Guide, chapter "Stability".
enum class Stability : std::uint8_t {
    Stable,      ///< Stable/Stable/Common
    Evolving,    ///< Evolving/Evolving/Common
    PrivateData, ///< Stable/Private/Common: the name stays, what it points to belongs to the kernel
};
/// What a word does beside giving a value.
enum class Effect : std::uint8_t {
    None,        ///< only looks
    Scratch,     ///< takes memory of its own: of option scratchsize, a speculation, what strtok() remembers
    Destructive, ///< changes the traced system: needs -w
};
/// Printed in the reference and run by the tests: trace(expression) prints `value`.
struct Example {
    std::string_view expression, value;
};
constexpr int kNoArgument = -1;

/// The name in a prototype such as "void *alloca(size_t)", and in a declaration such as "string execname".
constexpr std::string_view nameIn(std::string_view prototype)
{
    const auto head = prototype.substr(0, prototype.find('('));
    return head.substr(head.find_last_of(" *") + 1);
}
/// What comes before the name: "void *".
constexpr std::string_view typeIn(std::string_view prototype)
{
    auto type = prototype.substr(0, prototype.find('(') == std::string_view::npos ? prototype.size() : prototype.find('('));
    type.remove_suffix(nameIn(prototype).size());
    while (!type.empty() && type.back() == ' ')
        type.remove_suffix(1);
    return type;
}
/// How many arguments a prototype takes. Those in [] may be left out; "..." stands for any number.
struct Count {
    std::size_t least = 0, most = 0;
};
constexpr std::size_t kAnyNumber = 1024;
constexpr Count argumentsIn(std::string_view prototype)
{
    const auto open = prototype.find('(');
    const auto list = prototype.substr(open + 1, prototype.rfind(')') - open - 1);
    Count count;
    bool isOptional = false, isEmpty = true;
    const auto end = [&] {
        if (isEmpty) return;
        ++count.most;
        if (!isOptional) ++count.least;
        isEmpty = true;
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list.substr(i).starts_with("...")) return {count.least, kAnyNumber};
        if (list[i] == ',') {
            end();
        } else if (list[i] == '[') {
            isOptional = true;
        } else if (list[i] != ' ' && list[i] != ']')
            isEmpty = false;
    }
    end();
    return count;
}
/// The type of the only argument, "int"; empty where there are several, none, or one that may be anything (@).
constexpr std::string_view soleArgumentIn(std::string_view prototype)
{
    const auto open = prototype.find('(');
    const auto list = prototype.substr(open + 1, prototype.rfind(')') - open - 1);
    return list.find_first_of(",[@.") == std::string_view::npos ? list : std::string_view();
}
} // namespace dscope::language
