#include "engine/language/language.h"
#include "engine/sema/analyser.h"
#include "engine/sema/builtins.h"
#include "engine/sema/functions.h"
#include "engine/syntax/names.h"
#include "engine/types/layout.h"
#include <algorithm>
#include <cctype>
/// Declarations: variables, types, inlines, translators; and types by name.
namespace dscope::sema {
using types::Kind;
namespace {
/// The text that dtrace quotes in "syntax error near" for the undeclared type `name` at or after `from`. dtrace's parser takes the
/// name for a variable and fails at the next token; within offsetof(), which needs a type, it fails at the name itself. A word is
/// quoted with the rest of its line. Empty if `name` is not there.
std::string_view nearUnknownType(std::string_view source, std::size_t from, std::string_view name)
{
    constexpr std::string_view kBlank = " \t\r\n", kOffsetOf = "offsetof";
    const auto line = [&](std::size_t at) { return source.substr(at, source.find('\n', at) - at); };
    const auto at = source.find(name, from);
    if (at == std::string_view::npos) return {};
    auto before = source.substr(0, at);
    const auto drop = [&] { before = before.substr(0, before.find_last_not_of(kBlank) + 1); };
    drop();
    if (before.ends_with('(')) {
        before.remove_suffix(1);
        drop();
        if (before.ends_with(kOffsetOf)) return line(at);
    }
    const auto next = source.find_first_not_of(" \t\r\n*", at + name.size());
    if (next == std::string_view::npos) return {};
    const char c = source[next];
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) ? line(next) : source.substr(next, 1);
}
} // namespace

void Analyser::declare(const ast::Declaration& d)
{
    using K = ast::Declaration::Kind;
    switch (d.kind) {
    case K::Variable: declareVariable(d); break;
    case K::Typedef: declareTypedef(d); break;
    case K::Struct:
    case K::Union: declareStruct(d); break;
    case K::Enum: declareEnum(d); break;
    case K::Inline: declareInline(d); break;
    case K::Translator: declareTranslator(d); break;
    case K::Provider: break; // of USDT; says what others may probe, nothing to this program
    }
}

const Type* Analyser::findType(const std::string& name)
{
    if (const auto* t = m_types.find(name)) return t;
    // A library may declare it. "struct psinfo" is found there by its tag.
    const auto blank = name.rfind(' ');
    return loadLibraryWith(blank == std::string::npos ? name : name.substr(blank + 1)) ? m_types.find(name) : nullptr;
}

const Type* Analyser::namedType(const std::string& base, Span at)
{
    std::string name = base;
    for (const std::string_view qualifier : {"const ", "volatile ", "restrict "})
        for (auto i = name.find(qualifier); i != std::string::npos; i = name.find(qualifier))
            if (i == 0 || name[i - 1] == ' ')
                name.erase(i, qualifier.size());
            else
                break;

    // "vmlinux`struct foo" and "struct vmlinux`foo" both name the kernel's foo, "a.out`struct foo" that of the traced program.
    std::string program, whyNotOfProgram;
    if (const auto tick = name.rfind('`'); tick != std::string::npos) {
        const auto blank = name.rfind(' ', tick);
        const auto begin = blank == std::string::npos ? 0 : blank + 1;
        program = name.substr(begin, tick - begin);
        name.erase(begin, tick + 1 - begin);
        if (auto* source = m_types.sourceOf(program, whyNotOfProgram)) {
            if (const auto* t = source->find(name)) return t;
            whyNotOfProgram = program + " has no such type";
        }
    }
    if (!whyNotOfProgram.empty()) {
        auto& d = m_diagnostics.error("D_IDENT_UNDEF", at, text("failed to resolve ", base, ": Unknown type name"));
        d.hints.push_back(std::move(whyNotOfProgram));
        return nullptr;
    }

    // What D declares comes first, then libraries, then the kernel: a library's psinfo_t must not lose to a kernel type.
    if (const auto* t = findType(name)) return t;
    for (const auto& [keyword, kind] : {std::pair{std::string_view("struct "), Kind::Struct}, {std::string_view("union "), Kind::Union},
             {std::string_view("enum "), Kind::Enum}})
        if (name.starts_with(keyword)) return m_types.define({.kind = kind, .name = name});
    if (!m_toldUndefined.insert("type " + name).second) return nullptr;
    if (const auto first = name.substr(0, name.find(' '));
        first == "short" || first == "long" || first == "unsigned" || first == "signed") {
        error("D_UNKNOWN", at, "failed to resolve type ", name, " : Unknown type name");
        return nullptr;
    }

    const auto near = nearUnknownType(m_sources.at(at.file).text, at.begin, base);
    auto& d = near.empty() ? m_diagnostics.error("D_IDENT_UNDEF", at, text("failed to resolve ", name, ": Unknown type name"))
                           : m_diagnostics.error("D_SYNTAX", at, text("syntax error near \"", near, '"'));
    if (!near.empty()) d.hints.push_back(text("there is no type ", name));
    if (!m_types.whyNoKernelTypes().empty())
        d.hints.push_back(
            "the kernel's types are not known: " + m_types.whyNoKernelTypes() + "; " + std::string(types::TypeTable::kWhoHasKernelTypes));
    return nullptr;
}

/// Whether a type is named as one of a traced program, whose pointers lead into that.
static bool isOfProgram(types::TypeTable& types, std::string_view base)
{
    const auto tick = base.rfind('`');
    if (tick == base.npos) return false;
    const auto blank = base.rfind(' ', tick);
    const auto begin = blank == base.npos ? 0 : blank + 1;
    std::string why;
    return types.sourceOf(base.substr(begin, tick - begin), why) != nullptr;
}

const Type* Analyser::resolve(const ast::TypeName& name)
{
    using M = ast::TypeName::Modifier::Kind;
    const auto* t = namedType(name.base, name.at);
    if (!t) return nullptr;
    const auto space = types::spaceOf(name.isUser || isOfProgram(m_types, name.base));
    for (const auto& m : name.modifiers) {
        switch (m.kind) {
        case M::Pointer: t = m_types.pointerTo(t, space); break;
        case M::Array:
            if (m.isTuple) break;
            if (m.countExpr) {
                const auto count = rvalue(*m.countExpr);
                if (!count) return nullptr;
                if (count->kind != ExprKind::Integer || count->integer < 0) {
                    error("D_DECL_ARRSUB", m.countExpr->at,
                        "positive integral constant expression or tuple signature expected as array declaration subscript");
                    return nullptr;
                }
                t = m_types.arrayOf(t, static_cast<std::uint64_t>(count->integer));
            } else
                t = m_types.arrayOf(t, m.count);
            break;
        case M::Function: {
            std::vector<const Type*> parameters;
            for (const auto& p : m.parameters) {
                parameters.push_back(resolve(p));
                if (!parameters.back()) return nullptr;
            }
            t = m_types.function(t, std::move(parameters));
            break;
        }
        }
    }
    return t;
}

void Analyser::declareVariable(const ast::Declaration& d)
{
    const auto* type = resolve(d.type);
    if (!type) {
        m_scope.poisoned.insert({d.scope, d.name});
        return;
    }

    std::vector<const Type*> tuple;
    for (const auto& m : d.type.modifiers) {
        if (!m.isTuple) continue;
        for (const auto& p : m.parameters) {
            tuple.push_back(resolve(p));
            if (!tuple.back()) return;
        }
    }

    if (!tuple.empty() && d.scope == ast::Scope::This) {
        error("D_DECL_LOCASSC", d.at, "associative arrays may not be declared as local variables: ", d.name);
        return;
    }

    if (d.scope == ast::Scope::Global) {
        giveWay(d.name);
        // A name that a library defines as an inline (curpsinfo) is reported further below.
        const bool provided = syntax::isBuiltin(d.name) && !m_scope.inlines.contains(d.name) && !rules::isFunction(type);
        if (provided && !m_inLibrary && !syntax::isYounger(d.name, m_program.options.text("version"))) {
            error("D_DECL_IDRED", d.at, "built-in identifier redeclared: ", d.name);
            return;
        }
        if (m_scope.inlines.contains(d.name)) {
            error("D_DECL_IDRED", d.at, "identifier redeclared: ", d.name);
            return;
        }
    }

    if (rules::isVoid(type)) {
        error("D_DECL_VOIDOBJ", d.at, "cannot have void object: ", d.name);
        return;
    }

    const auto kind = types::resolved(type)->kind;
    if (!d.isExtern && (kind == Kind::Struct || kind == Kind::Union || kind == Kind::Enum) && type->size == 0) {
        error("D_DECL_INCOMPLETE", d.at, "incomplete struct/union/enum ", types::spelled(type), ": ", d.name);
        return;
    }

    if (const auto* known = m_scope.variable(d.scope, d.name)) {
        const auto kindName = [](bool array) { return array ? "associative array" : "scalar"; };
        bool agrees = rules::same(known->type, type) && known->tuple.size() == tuple.size();
        for (std::size_t i = 0; agrees && i < tuple.size(); ++i)
            agrees = rules::same(known->tuple[i], tuple[i]);
        if (!agrees)
            error("D_DECL_IDRED", d.at, "identifier redeclared: ", d.name, "\n\t current: ", kindName(!tuple.empty()), ' ',
                types::spelled(type), "\n\tprevious: ", kindName(known->isArray()), ' ', types::spelled(known->type));
        return;
    }
    m_scope.add(d.scope, d.name, type, std::move(tuple));
    if (m_inLibrary) m_libraryVariables.insert({d.scope, d.name});
}

void Analyser::declareTypedef(const ast::Declaration& d)
{
    if (d.scope == ast::Scope::Global && m_scope.variable(ast::Scope::Global, d.name)) {
        error("D_DECL_IDRED", d.at, "global variable identifier redeclared: ", d.name);
        return;
    }
    const auto* target = resolve(d.type);
    if (!target) return;
    if (!m_inLibrary && !m_typedefs.insert(d.name).second) {
        error("D_DECL_IDRED", d.at, "typedef redeclared: ", d.name);
        return;
    }
    m_types.define({.kind = Kind::Typedef, .name = d.name, .size = target->size, .isSigned = target->isSigned, .target = target});
}

void Analyser::declareStruct(const ast::Declaration& d)
{
    const bool isStruct = d.kind == ast::Declaration::Kind::Struct;
    const std::string_view keyword = isStruct ? "struct" : "union";
    const auto kind = isStruct ? Kind::Struct : Kind::Union;
    const std::string name = d.name.empty() || d.name.starts_with(keyword) ? d.name : text(keyword, ' ', d.name);
    if (!d.complete) {
        if (!m_types.find(name)) m_types.define({.kind = kind, .name = name});
        return;
    }

    if (!m_inLibrary && !name.empty() && !m_typedefs.insert(name).second) {
        error("D_DECL_TYPERED", d.at, "struct/union/enum redeclared: ", name); // of one program; the kernel's may be hidden
        return;
    }

    // Known before its members are, so that they can point to it.
    const auto* type = m_types.define({.kind = kind, .name = name});
    std::vector<types::FieldDeclaration> fields;
    std::set<std::string> names;
    for (const auto& f : d.fields) {
        const auto* t = resolve(f.type);
        if (!t) return;
        if (!f.name.empty() && !names.insert(f.name).second) {
            error("D_UNKNOWN", f.at, "failed to define member '", f.name, "': Duplicate member or variable name");
            return;
        }
        const auto* plain = types::resolved(t);
        if (plain == type || (plain->size == 0 && (rules::isStructured(plain) || rules::isVoid(plain)))) {
            error("D_DECL_INCOMPLETE", f.at, "incomplete struct/union/enum ", types::spelled(t), ": ", f.name);
            return;
        }
        auto bits = f.bits;
        if (f.bitsExpr) {
            const auto width = rvalue(*f.bitsExpr);
            if (!width) return;
            if (width->kind != ExprKind::Integer || width->integer < 0) {
                error("D_DECL_BFCONST", f.at, "positive integral constant expression expected as bit-field size");
                return;
            }
            bits = static_cast<std::uint64_t>(width->integer);
        }
        if (bits) {
            if (!rules::isInteger(t)) {
                error("D_DECL_BFTYPE", f.at, "invalid type for bit-field: ", f.name);
                return;
            }
            if (*bits > t->size * 8) {
                error("D_DECL_BFSIZE", f.at, "bit-field too big for type: ", f.name);
                return;
            }
        }
        fields.push_back({f.name, t, bits ? std::optional(static_cast<std::uint8_t>(*bits)) : std::nullopt});
    }
    auto layout = types::layOut(m_types, kind, fields);
    if (name.empty()) return;
    m_types.define({.kind = kind, .name = name, .size = layout.size}, std::move(layout.members));
}

void Analyser::declareEnum(const ast::Declaration& d)
{
    const std::string name = d.name.empty() || d.name.starts_with("enum ") ? d.name : "enum " + d.name;
    if (!d.complete) return;
    if (!m_inLibrary && !name.empty() && !m_typedefs.insert(name).second) {
        error("D_DECL_TYPERED", d.at, "struct/union/enum redeclared: ", name);
        return;
    }

    Type type{.kind = Kind::Enum, .name = name, .size = 4, .isSigned = true};
    std::int64_t next = 0;
    Bindings earlier; // tags serve the values of later ones
    const auto* outer = std::exchange(m_bindings, &earlier);
    const struct Restore {
        const Bindings*& place;
        const Bindings* before;
        ~Restore() { place = before; }
    } restore{m_bindings, outer};
    for (const auto& [tag, value] : d.items) {
        if (value) {
            const auto v = rvalue(*value);
            if (!v) return;
            if (v->kind != ExprKind::Integer) {
                error("D_DECL_ENCONST", value->at, "enumerator '", tag, "' must be assigned to an integral constant expression");
                return;
            }
            if (v->integer > 0x7fffffff || v->integer < -0x7fffffffLL - 1) {
                error("D_DECL_ENOFLOW", value->at, "enumerator '", tag, "' value overflows INT_MAX (", 0x7fffffff, ')');
                return;
            }
            next = v->integer;
        }
        if (!m_enumerators.insert(tag).second) {
            error("D_UNKNOWN", d.at, "failed to define enumerator '", tag, "': Duplicate member or variable name");
            return;
        }
        earlier.names[tag] = Value{constant(next, named("int"), d.at)};
        type.enumerators.push_back({tag, next++});
    }
    m_types.define(std::move(type));
}

void Analyser::declareInline(const ast::Declaration& d)
{
    const auto redefined = [&](std::string_view kind) {
        error("D_DECL_IDRED", d.at, "identifier redefined: ", d.name, "\n\t current: inline definition\n\tprevious: ", kind);
    };
    if (findBuiltin(d.name) || argumentNumber(d.name) >= 0) return redefined("scalar ");
    giveWay(d.name);
    if (m_inLibrary && syntax::isYielding(d.name) && (m_scope.inlines.contains(d.name) || m_scope.variable(ast::Scope::Global, d.name)))
        return;
    if (const auto* v = m_scope.variable(ast::Scope::Global, d.name)) return redefined(v->isArray() ? "associative array " : "scalar ");
    if (m_scope.inlines.contains(d.name)) return redefined("scalar inline");
    const auto functions = language::functionNames();
    if (std::binary_search(functions.begin(), functions.end(), d.name)) return redefined("function ");
    const auto* type = resolve(d.type);
    if (!type) return;
    if (rules::isVoid(type)) {
        error("D_DECL_VOIDOBJ", d.at, "cannot declare void inline: ", d.name);
        return;
    }

    const Inline made{type, &d};
    // An error in the program's own definition is reported even if it is never used; a library's definition is checked when it is
    // used. A name is not known within its own definition.
    if (!m_inLibrary && d.tuple.empty() && d.init) {
        ast::Expr use;
        use.kind = ast::ExprKind::Identifier;
        use.text = d.name;
        use.at = d.at;
        if (!expandInline(made, use)) {
            m_scope.poisoned.insert({ast::Scope::Global, d.name});
            return;
        }
    }
    m_scope.inlines[d.name] = made;
}

void Analyser::declareTranslator(const ast::Declaration& d)
{
    const auto* output = resolve(d.type);
    if (!output) return;
    const Span end{d.at.file, d.at.end > d.at.begin ? d.at.end - 1 : d.at.begin, d.at.end};
    if (!rules::isStructured(output)) {
        error("D_XLATE_SOU", end, "translator output type must be a struct or union");
        return;
    }

    if (output->size == 0) {
        error("D_XLATE_SOU", end, "incomplete struct/union/enum ", types::spelled(output));
        return;
    }

    Translator t;
    t.output = output;
    t.input = &d.inputType;
    t.inputName = d.inputName;
    t.at = d.at;
    for (const auto& [member, expr] : d.items)
        t.members[member] = expr.get();
    if (!m_inLibrary) {
        const auto* input = resolve(d.inputType);
        if (!input) return;
        for (const auto& other : m_scope.translators) {
            if (!rules::same(other.output, output)) continue;
            const auto* from = resolve(*other.input);
            if (!from || !rules::same(from, input)) continue;
            error("D_XLATE_REDECL", end, "translator from ", types::spelled(input), " to ", types::spelled(output),
                " has already been declared");
            return;
        }
        // Errors in members are reported even if the translator is never used.
        auto formal = make(ExprKind::Variable, input, d.at);
        for (const auto& [member, expr] : d.items) {
            const Value object{.expr = formal, .translator = &t};
            if (!translatedMember(object, member, expr->at)) return;
        }
    }
    m_scope.translators.push_back(std::move(t));
}
} // namespace dscope::sema
