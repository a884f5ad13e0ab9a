#pragma once
#include "engine/host/host.h"
#include "engine/symbols/calling_convention.h"
#include "engine/symbols/code_file.h"
#include "engine/symbols/process_objects.h"
#include "engine/types/type_table.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::symbols {
/// One thing that a function takes or gives.
struct ArgumentType {
    std::string type; ///< as D spells the types of a program; where D has no words for it, as the program does
    ArgumentPlace place;
    bool isObject = false; ///< a struct or union in memory: at `place`, or where that says
    std::string why, hint; ///< not empty: D cannot have it, and what to do. "is a double, ..."
};
/// What a function takes and gives.
struct ArgumentTypes {
    std::vector<ArgumentType> arguments;
    std::optional<ArgumentType> result; ///< nothing: unknown, or void
};
/// `function`: Kind::Function. `program`: the name by which D finds its types: "a.out".
ArgumentTypes argumentTypes(const types::Type& function, std::string_view program, const MembersOf& members, CallingConvention convention);
/// Those of functions of processes, by the debug information of their files, which are opened once.
class FunctionTypes {
public:
    /// Nothing where nobody tells them, or D has no name for the file. `code`: that of `mapped`; it is kept while this is.
    ArgumentTypes of(const host::Host& host, int pid, const ProcessObject& mapped, CodeFile& code, const CodeFile::Function& function);
    /// Those of its arguments, in the same order. Nothing where nobody tells them.
    std::vector<std::string> names(
        const host::Host& host, int pid, const ProcessObject& mapped, CodeFile& code, const CodeFile::Function& function);

private:
    types::TypeSource* sourceOf(const host::Host& host, int pid, const ProcessObject& mapped, CodeFile& code);

    std::unique_ptr<types::TypeTable> m_table;
    std::map<const CodeFile*, std::unique_ptr<types::TypeSource>> m_sources; ///< null: it tells none
};
} // namespace dscope::symbols
