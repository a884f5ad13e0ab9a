#pragma once
#include "engine/language/words.h"
#include <optional>
#include <string>
namespace dscope::language {
/// What its row tells of a word to whoever asks for help on it.
struct Help {
    std::string_view prototype;     ///< or a variable's declaration
    std::string_view summary;       ///< a clause, lower case, no full stop
    std::string_view since;         ///< the version of D
    Stability stability = Stability::Stable;
    Effect effect = Effect::None;
    std::string_view refusal = {};  ///< why it cannot be had on Linux; empty: it can
    std::string example = {};       ///< a statement that uses it; empty only with a refusal
    std::string_view value = {};    ///< what the example prints, where that is always the same
};
/// Of a function or variable that programs may use; none of other words.
std::optional<Help> helpOf(std::string_view name);
} // namespace dscope::language
