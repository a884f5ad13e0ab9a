#include "engine/symbols/argument_types.h"
#include "engine/symbols/debug_types.h"
#include <algorithm>
#include <cctype>
namespace dscope::symbols {
namespace {
bool isWord(std::string_view name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}
std::string integerText(const types::Type& type)
{
    if (type.name == "_Bool") return type.name;
    const std::string_view names[] = {"char", "short", "int", "long"};
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (type.size == std::uint64_t{1} << i) return (type.isSigned ? "" : "unsigned ") + std::string(names[i]);
    return {};
}
/// Empty where D has no words for it: what has no name, and names of C++ with brackets.
std::string textOf(const types::Type& type, const std::string& program)
{
    using types::Kind;
    const auto blank = type.name.find(' ');
    switch (type.kind) {
    case Kind::Void: return "void";
    case Kind::Integer: return integerText(type);
    case Kind::Typedef: return isWord(type.name) ? program + '`' + type.name : textOf(*type.target, program);
    case Kind::Struct:
    case Kind::Union:
    case Kind::Enum:
        if (blank == std::string::npos || !isWord(std::string_view(type.name).substr(blank + 1))) return {};
        return type.name.substr(0, blank + 1) + program + '`' + type.name.substr(blank + 1);
    case Kind::Pointer: {
        auto target = textOf(*type.target, program);
        if (target.empty()) target = "void"; // something in the program's memory
        return target + (target.ends_with('*') ? "*" : " *");
    }
    default: return {};
    }
}
/// As a register holds it; empty where it does not.
std::string inRegister(const types::Type* type, const std::string& program)
{
    const auto* plain = types::resolved(type);
    switch (plain->kind) {
    case types::Kind::Pointer: return "userland " + textOf(*type, program);
    case types::Kind::Integer: return textOf(*type, program);
    case types::Kind::Enum: {
        const auto named = textOf(*type, program);
        return named.empty() ? plain->isSigned ? "int" : "unsigned int" : named;
    }
    default: return {};
    }
}
} // namespace

ArgumentTypes argumentTypes(const types::Type& function, std::string_view program)
{
    ArgumentTypes out;
    const std::string name(program);
    out.result = inRegister(function.target, name);
    // A struct that is returned may take the first register, for its address.
    const auto gives = types::resolved(function.target)->kind;
    if (gives == types::Kind::Struct || gives == types::Kind::Union) return out;
    for (const auto* parameter : function.parameters) {
        auto text = inRegister(parameter, name);
        if (text.empty()) break;
        out.arguments.push_back(std::move(text));
    }
    return out;
}

ArgumentTypes FunctionTypes::of(
    const host::Host& host, int pid, const ProcessObject& mapped, CodeFile& code, const CodeFile::Function& function)
{
    // What the compiler made of a function may take other arguments: its name has a dot then.
    if (function.name.find('.') != std::string::npos) return {};
    const auto program = "pid" + std::to_string(pid) + '.' + (mapped.main ? "a.out" : mapped.name);
    if (program.find_first_of("-+") != std::string::npos) return {};
    if (!m_table) m_table = std::make_unique<types::TypeTable>(host);
    const auto [at, isNew] = m_sources.try_emplace(&code);
    if (isNew) {
        const auto places = DebugPlaces::ofProcess(host, static_cast<std::uint32_t>(pid), mapped.path);
        if (auto opened = debugTypes(code.elf(), places, *m_table)) at->second = std::move(*opened);
    }
    const auto* type = at->second ? at->second->function(function.start) : nullptr;
    return type ? argumentTypes(*type, program) : ArgumentTypes();
}
} // namespace dscope::symbols
