#pragma once
#include <string_view>
#include <vector>
namespace dscope::demangle {
/// The brackets of a function's name as languages print it. Operators of C++, arrows and quoted characters are none.
struct Brackets {
    explicit Brackets(std::string_view text);
    static constexpr auto kNone = std::string_view::npos;
    bool isBalanced = true;
    /// Where the parenthesis opens that the last character closes; npos: that is none, or it is within other brackets.
    std::size_t lastList = kNone;
    std::size_t beforeLast = kNone;  ///< where the parenthesis opens that closes right before it: "(*f(int))(long)", "operator()(int)"
    std::size_t conversion = kNone;  ///< outside of brackets: behind the first "operator " that names a type
    std::vector<std::size_t> blanks; ///< outside of brackets, up to there, that are not part of an operator's name
};
/// A letter, a digit, "_", "$", a byte of a character beyond ASCII.
bool isWord(char c);
bool endsWithWord(std::string_view text, std::string_view word);
/// Behind the operator of C++ whose name begins at `at`: its sign ("operator<"), its word ("operator new[]") or the blank of a conversion;
/// `at`: none begins there.
std::size_t behindOperator(std::string_view text, std::size_t at);
} // namespace dscope::demangle
