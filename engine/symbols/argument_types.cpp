#include "engine/symbols/argument_types.h"
#include "engine/host/processor.h"
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
/// Empty where D has no words for it: what has no name or is declared within a class, and names of C++ with brackets.
std::string textOf(const types::Type& type, const std::string& program)
{
    using types::Kind;
    const auto blank = type.name.find(' ');
    switch (type.kind) {
    case Kind::Void: return "void";
    case Kind::Integer: return integerText(type);
    case Kind::Typedef: return isWord(type.name) && !type.isLocal ? program + '`' + type.name : textOf(*type.target, program);
    case Kind::Struct:
    case Kind::Union:
    case Kind::Enum:
        if (type.isLocal || blank == std::string::npos || !isWord(std::string_view(type.name).substr(blank + 1))) return {};
        return type.name.substr(0, blank + 1) + program + '`' + type.name.substr(blank + 1);
    case Kind::Pointer: {
        auto target = textOf(*type.target, program);
        if (target.empty()) target = "void"; // something in the program's memory
        return target + (target.ends_with('*') ? "*" : " *");
    }
    default: return {};
    }
}
/// A word of D's for whole numbers and addresses; empty where it is neither.
std::string wordOf(const types::Type* type, const std::string& program)
{
    const auto* plain = types::resolved(type);
    switch (plain->kind) {
    case types::Kind::Pointer: return "userland " + textOf(*type, program);
    case types::Kind::Integer: return integerText(*plain).empty() ? std::string() : textOf(*type, program);
    case types::Kind::Enum: {
        const auto named = textOf(*type, program);
        return named.empty() ? plain->isSigned ? "int" : "unsigned int" : named;
    }
    default: return {};
    }
}
std::string spelledByProgram(const types::Type* type)
{
    const auto* plain = types::resolved(type);
    if (type->name.empty() && plain->name.empty()) return plain->kind == types::Kind::Array ? "a vector" : "a struct without a name";
    return type->name.empty() ? plain->name : type->name;
}
std::string atStack(std::uint32_t behind)
{
    return "uregs[R_SP] + " + std::to_string(static_cast<std::uint32_t>(host::kProcessor.onStack) + behind);
}
/// Why D cannot have what is neither number nor address nor a struct in memory that it has a name for, and where it is all the same.
void refuse(ArgumentType& out, const types::Type* type, bool isResult)
{
    using In = ArgumentPlace::In;
    const auto name = types::resolved(type)->kind == types::Kind::Float ? "a " + spelledByProgram(type) : spelledByProgram(type);
    const auto word = "arg" + std::to_string(isResult ? 1 : out.place.number);
    const auto tell = [&](const std::string& why, std::string hint) {
        out.why = "is " + name + why;
        out.hint = std::move(hint);
    };
    if (out.place.isAddress) {
        tell(", for which D has no name", "its address is " + (out.place.in == In::Stack ? "at " + atStack(out.place.number) : word));
    } else if (out.place.in == In::Nowhere) {
        tell(", which has no bytes", {});
    } else if (out.place.in == In::Stack) {
        const bool isRecord = types::resolved(type)->kind == types::Kind::Struct || types::resolved(type)->kind == types::Kind::Union;
        tell(isRecord ? ", for which D has no name" : ", and D has no such values",
            "its bytes are at " + atStack(out.place.number) + " when the function is entered");
    } else if (out.place.in == In::Register) {
        tell(", which comes in a register, not in memory", "its bytes are " + word);
    } else if (out.place.in == In::Several) {
        tell(", which comes in several registers",
            isResult ? "what of it is not floating-point begins in arg1"
                     : "what of it is not floating-point is among arg0, arg1, ..., which are the registers in their order");
    } else {
        tell(", which comes in a register for floating point, and probes see none of those",
            isResult ? "" : "a probe at an instruction behind the one that stores it in memory can read it there, by copyin()");
    }
}
ArgumentType typeAt(const types::Type* type, const ArgumentPlace& place, const std::string& program, bool isResult = false)
{
    const auto& plain = *types::resolved(type);
    ArgumentType out;
    out.place = place;
    out.type = wordOf(type, program);
    const bool isWord = !out.type.empty();
    const auto own = isWord ? std::string() : textOf(*type, program);
    if (!isWord) out.type = own.empty() ? spelledByProgram(type) : own;
    if (place.in == ArgumentPlace::In::Unknown) {
        out.why = "is in a place that the debug information does not tell";
    } else if (!isWord) {
        const bool isRecord = plain.kind == types::Kind::Struct || plain.kind == types::Kind::Union;
        out.isObject = isRecord && !own.empty() && (place.isAddress || place.in == ArgumentPlace::In::Stack);
        if (!out.isObject) refuse(out, type, isResult);
    }
    return out;
}
} // namespace

ArgumentTypes argumentTypes(const types::Type& function, std::string_view program, const MembersOf& members, CallingConvention convention)
{
    using In = ArgumentPlace::In;
    constexpr std::size_t kMost = 10; // args[0] to args[9]
    ArgumentTypes out;
    const std::string name(program);
    const auto result = resultPlace(function, members, convention);
    if (types::resolved(function.target)->kind != types::Kind::Void) out.result = typeAt(function.target, result, name, true);
    const auto places = argumentPlaces(function, members, convention);
    for (std::size_t i = 0; i < places.size(); ++i)
        out.arguments.push_back(typeAt(function.parameters[i], places[i], name));

    const std::string registers = "arg0, arg1, ... are the registers in their order";
    const auto isUnknown = [](const ArgumentType& one) { return one.place.in == In::Unknown; };
    if (function.passing == types::Passing::NotTold) { // then it may have more than are told
        const ArgumentType unknown{.type = "uint64_t", .place = {}, .why = "is in a place that the debug information does not tell"};
        out.arguments.resize(std::max(kMost, places.size()), unknown);
        for (auto& one : out.arguments)
            one.hint = registers;
    } else if (const auto first = std::find_if(out.arguments.begin(), out.arguments.end(), isUnknown); first != out.arguments.end()) {
        const auto cause = first - out.arguments.begin();
        for (auto one = first; one != out.arguments.end(); ++one) {
            one->why += ", because of " + (cause == 0 && result.in == In::Unknown ? "the result" : "argument " + std::to_string(cause));
            one->hint = "g++ 7 and later tell how classes are passed without -gstrict-dwarf, clang++ with -fstandalone-debug; " + registers;
        }
    }
    return out;
}

types::TypeSource* FunctionTypes::sourceOf(const host::Host& host, int pid, const ProcessObject& mapped, CodeFile& code)
{
    if (!m_table) m_table = std::make_unique<types::TypeTable>(host);
    const auto [at, isNew] = m_sources.try_emplace(&code);
    if (isNew) {
        const auto places = DebugPlaces::ofProcess(host, static_cast<std::uint32_t>(pid), mapped.path);
        if (auto opened = debugTypes(code.elf(), places, *m_table)) at->second = std::move(*opened);
    }
    return at->second.get();
}

std::vector<std::string> FunctionTypes::names(
    const host::Host& host, int pid, const ProcessObject& mapped, CodeFile& code, const CodeFile::Function& function)
{
    if (function.name.find('.') != std::string::npos) return {};
    auto* source = sourceOf(host, pid, mapped, code);
    return source ? source->parameterNames(function.start) : std::vector<std::string>();
}

ArgumentTypes FunctionTypes::of(
    const host::Host& host, int pid, const ProcessObject& mapped, CodeFile& code, const CodeFile::Function& function)
{
    // What the compiler made of a function may take other arguments: its name has a dot then.
    if (function.name.find('.') != std::string::npos) return {};
    const auto program = "pid" + std::to_string(pid) + '.' + (mapped.main ? "a.out" : mapped.name);
    if (program.find_first_of("-+") != std::string::npos) return {};
    auto* source = sourceOf(host, pid, mapped, code);
    const auto* type = source ? source->function(function.start) : nullptr;
    if (!type) return {};
    return argumentTypes(
        *type, program, [&](const types::Type* t) { return source->members(t); }, nativeConvention());
}
} // namespace dscope::symbols
