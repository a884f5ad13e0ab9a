#pragma once
#include "engine/host/host.h"
#include "engine/symbols/code_file.h"
#include "engine/symbols/process_objects.h"
#include "engine/types/type_table.h"
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::symbols {
/// What a function takes and gives, as D spells the types of a program.
struct ArgumentTypes {
    /// Of its parameters, from the first on, up to the first that is not passed in a register of its own as whole numbers and
    /// addresses are.
    std::vector<std::string> arguments;
    std::string result; ///< empty: none, or not such a value
};
/// `function`: Kind::Function. `program`: the name by which D finds its types: "a.out".
ArgumentTypes argumentTypes(const types::Type& function, std::string_view program);
/// Those of functions of processes, by the debug information of their files, which are opened once.
class FunctionTypes {
public:
    /// Nothing where nobody tells them, or D has no name for the file. `code`: that of `mapped`; it is kept while this is.
    ArgumentTypes of(const host::Host& host, int pid, const ProcessObject& mapped, CodeFile& code, const CodeFile::Function& function);

private:
    std::unique_ptr<types::TypeTable> m_table;
    std::map<const CodeFile*, std::unique_ptr<types::TypeSource>> m_sources; ///< null: it tells none
};
} // namespace dscope::symbols
