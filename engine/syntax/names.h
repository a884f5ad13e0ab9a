#pragma once
#include <string_view>
namespace dscope::syntax {
/// A word of D's grammar, also those of C that D reserves without using them.
bool isKeyword(std::string_view word);
/// A keyword that can begin a type: int, unsigned, struct, const, string ...
bool isTypeKeyword(std::string_view word);
/// const, volatile, restrict
bool isQualifier(std::string_view word);
/// Of C, of D's translators and of the kernel: a type without being declared in the program.
bool isKnownType(std::string_view word);
/// A variable, subroutine or action that D provides, whatever the program calls its own.
bool isBuiltin(std::string_view word);
/// A variable of ours that is one of the program's own where that has one of this name.
bool isYielding(std::string_view word);
/// Is `word` younger than `version` of D ("1.2.1") and so nothing that a program written for that version means? False where
/// no version is asked for.
bool isYounger(std::string_view word, std::string_view version);
} // namespace dscope::syntax
