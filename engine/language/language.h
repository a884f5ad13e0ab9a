#pragma once
#include "engine/language/functions.h"
#include "engine/language/subroutines.h"
#include "engine/language/types.h"
#include "engine/language/variables.h"
#include <vector>
namespace dscope::language {
/// What all words have in common.
struct Word {
    std::string_view name;
    std::string_view since; ///< the version of D
    Stability stability;
    bool isInternal = false; ///< for our own libraries; programs do not know it
    bool yields = false;     ///< to a program's own variable of this name: Variable::yields
};
/// The function or variable of this name that D provides, those for our own libraries among them; nullptr where there is none.
const Word* findWord(std::string_view name);
/// Every function and variable that programs may use, sorted by name; each name once.
std::vector<std::string_view> wordNames();
/// Every function that programs may call, sorted by name.
std::vector<std::string_view> functionNames();
/// A type of kPlainTypes or kLibraryTypes.
bool isType(std::string_view name);
} // namespace dscope::language
