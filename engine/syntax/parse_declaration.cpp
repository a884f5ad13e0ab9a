#include "engine/syntax/grammar.h"
#include <algorithm>
namespace dscope::syntax {
using ast::Declaration;
using Modifier = ast::TypeName::Modifier;
namespace {
bool isQualifier(const Token& token) { return token.is("const") || token.is("volatile") || token.is("restrict"); }
bool isStorage(const Token& token)
{
    return token.is("typedef") || token.is("static") || token.is("extern") || token.is("auto") || token.is("register");
}
/// The arithmetic words of a declaration, and the one spelling of the type they make together.
struct Arithmetic {
    int longs = 0;
    bool isShort = false, isSigned = false, isUnsigned = false;
    bool any() const { return longs > 0 || isShort || isSigned || isUnsigned; }

    std::string combined(std::string_view base) const
    {
        if (base == "char") return isUnsigned ? "unsigned char" : isSigned ? "signed char" : "char";
        if (base == "double") return longs > 0 ? "long double" : "double";
        if (!base.empty() && base != "int") return std::string(base);
        const std::string sign = isUnsigned ? "unsigned " : "";
        if (isShort) return sign + "short";
        if (longs > 0) return sign + (longs > 1 ? "long long" : "long");
        return sign + "int";
    }
};
} // namespace

bool Grammar::isType(std::string_view word) const
{
    const auto bare = word.substr(word.rfind('`') + 1);
    return m_typedefs.contains(word) || (!m_variables.contains(word) && isKnownType(bare));
}
/// Of an unknown name: whether it may be a type where an expression is as likely.
bool Grammar::isLikelyType(std::string_view word) const { return m_isType ? m_isType(word) : word.ends_with("_t"); }
/// Of any name: whether it may be a type where only a type can stand.
bool Grammar::couldBeType(std::string_view word) const { return isType(word) || !m_isType || m_isType(word); }
bool Grammar::beginsType() const
{
    return m_token.isWord() && (isTypeKeyword(m_token.text) || isStorage(m_token) || isType(m_token.text) || (!isKeyword(m_token.text) && isLikelyType(m_token.text)));
}

/// What an expression of constants is worth; nullopt when it takes types or values to know.
std::optional<std::int64_t> Grammar::constant(const ast::Expr& expr) const
{
    using ast::ExprKind;
    using ast::Op;
    const auto kid = [&](std::size_t i) { return constant(*expr.kids[i]); };
    const auto wrap = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
    switch (expr.kind) {
    case ExprKind::Integer: return wrap(expr.value);
    case ExprKind::Identifier: {
        const auto found = m_constants.find(expr.text);
        if (found == m_constants.end()) return std::nullopt;
        return found->second;
    }
    case ExprKind::Unary: {
        const auto v = kid(0);
        if (!v) return std::nullopt;
        const auto u = static_cast<std::uint64_t>(*v);
        switch (expr.op) {
        case Op::Plus: return *v;
        case Op::Neg: return wrap(0 - u);
        case Op::Not: return *v == 0;
        case Op::BitNot: return wrap(~u);
        default: return std::nullopt;
        }
    }
    case ExprKind::Conditional: {
        const auto v = kid(0);
        if (!v) return std::nullopt;
        return kid(*v != 0 ? 1 : 2);
    }
    case ExprKind::Binary: {
        const auto a = kid(0), b = kid(1);
        if (!a || !b) return std::nullopt;
        const auto x = static_cast<std::uint64_t>(*a), y = static_cast<std::uint64_t>(*b);
        const bool undefined = *b == 0 || (*a == INT64_MIN && *b == -1);
        switch (expr.op) {
        case Op::Add: return wrap(x + y);
        case Op::Sub: return wrap(x - y);
        case Op::Mul: return wrap(x * y);
        case Op::Div: return undefined ? std::nullopt : std::optional(*a / *b);
        case Op::Mod: return undefined ? std::nullopt : std::optional(*a % *b);
        case Op::Shl: return y < 64 ? std::optional(wrap(x << y)) : std::nullopt;
        case Op::Shr: return y < 64 ? std::optional(*a >> y) : std::nullopt;
        case Op::BitAnd: return wrap(x & y);
        case Op::BitOr: return wrap(x | y);
        case Op::BitXor: return wrap(x ^ y);
        case Op::And: return *a != 0 && *b != 0;
        case Op::Or: return *a != 0 || *b != 0;
        case Op::LogXor: return (*a != 0) != (*b != 0);
        case Op::Eq: return *a == *b;
        case Op::Ne: return *a != *b;
        case Op::Lt: return *a < *b;
        case Op::Le: return *a <= *b;
        case Op::Gt: return *a > *b;
        case Op::Ge: return *a >= *b;
        default: return std::nullopt;
        }
    }
    default: return std::nullopt;
    }
}

Grammar::Specifiers Grammar::specifiers(Declarations& into, bool isParameter, bool withStorage)
{
    const Deeper deeper(*this);
    Specifiers read;
    Arithmetic arithmetic;
    const auto begin = m_token.at;
    auto& base = read.type.base;
    std::string_view kind;      // "struct", "union", "enum", "typedef" for named types; empty for arithmetic ones
    const auto combination = [&] {
        if (base.empty()) return true;
        fail("D_DECL_COMBO", m_token.at, "invalid type combination");
        return false;
    };
    while (m_token.isWord() && !m_failure) {
        if (isQualifier(m_token)) {
            read.type.isConst = read.type.isConst || at("const");
            advance();
        } else if (withStorage && (isStorage(m_token) || at("this") || at("self"))) {
            if (isParameter && !at("register")) {
                fail("D_DECL_PARMCLASS", m_token.at, "inappropriate storage class for function or associative array parameter");
                break;
            }
            if (!read.storage.empty()) {
                fail("D_DECL_CLASS", m_token.at, "only one storage class allowed in a declaration");
                break;
            }
            read.storage = m_token.text;
            advance();
        } else if (at("struct") || at("union")) {
            kind = at("struct") ? "struct" : "union";
            if (!combination()) break;
            if (arithmetic.any()) {
                // dtrace complains when it sees the brace: that line is told.
                advance();
                if (m_token.isWord() && peek().is("{")) advance();
                read.type.at = m_token.at;
                break;
            }
            structSpecifier(into, read.type);
        } else if (at("enum")) {
            kind = "enum";
            if (!combination()) break;
            enumSpecifier(into, read.type);
        } else if (at("long")) {
            ++arithmetic.longs;
            advance();
        } else if (at("short") || at("signed") || at("unsigned")) {
            (at("short") ? arithmetic.isShort : at("signed") ? arithmetic.isSigned : arithmetic.isUnsigned) = true;
            advance();
        } else if (at("void") || at("char") || at("int") || at("float") || at("double") || at("string")) {
            if (!combination()) break;
            if (at("string")) kind = "typedef";
            base = m_token.text;
            advance();
        } else if (isKeyword(m_token.text)) {
            break;
        } else if (at("userland") && peek().isWord() && base.empty()) {
            read.type.isUser = true;
            advance();
        } else if (base.empty() && !arithmetic.any()) {
            // `self x, y;`: no type, so int.
            const Token next = read.storage.empty() ? Token{} : peek();
            if (next.is(";") || next.is(",") || next.is("[") || next.is("=") || !couldBeType(m_token.text)) break;
            kind = "typedef";
            base = m_token.text;
            advance();
        } else
            break;
        read.any = true;
    }
    read.type.at = since(begin);
    if (m_failure) return read;
    if (!read.any || (base.empty() && !arithmetic.any() && read.storage.empty() && !read.type.isConst)) {
        unexpected();
        return read;
    }
    const auto invalid = [&](std::string_view tag, std::string_view why) { fail(tag, told(read.type.at), "invalid type declaration: " + std::string(why)); };
    if (base == "char" && (arithmetic.isShort || arithmetic.longs > 0))
        invalid("D_DECL_CHARATTR", "short and long may not be used with char type");
    else if (base == "void" && arithmetic.any())
        invalid("D_DECL_VOIDATTR", "attributes may not be used with void type");
    else if ((!kind.empty() || base == "float" || base == "double") && (arithmetic.isSigned || arithmetic.isUnsigned))
        invalid("D_DECL_SIGNINT", "signed and unsigned may only be used with integer type");
    else if (!kind.empty() && arithmetic.longs > 0)
        invalid("D_DECL_LONGINT", "long and long long may only be used with integer or floating-point type");
    if (kind.empty()) base = arithmetic.combined(base);
    return read;
}

void Grammar::structSpecifier(Declarations& into, ast::TypeName& type)
{
    const auto begin = m_token.at;
    Declaration definition;
    definition.kind = at("struct") ? Declaration::Kind::Struct : Declaration::Kind::Union;
    type.base = m_token.text + " ";
    advance();
    if (m_token.isWord())
        definition.name = name();
    else if (at("{"))
        definition.name = "__anonymous_" + std::to_string(m_file) + "_" + std::to_string(++m_anonymous);
    else
        unexpected();
    type.base += definition.name;
    if (!at("{")) return;
    if (definition.name.find('`') != std::string::npos) {
        advance();
        if (at("}")) unexpected();
        fail("D_DECL_SCOPE", begin, "D scoping operator may not be used in a type name");
        return;
    }
    define(type.base);
    advance();
    fields(into, definition);
    definition.at = since(begin);
    if (!m_failure) into.push_back(std::move(definition));
}

void Grammar::fields(Declarations& into, Declaration& definition)
{
    if (at("}")) unexpected();
    while (!m_failure && !at("}")) {
        const auto read = specifiers(into, false, false);
        do {
            ast::Field field;
            field.at = m_token.at;
            field.type = read.type;
            if (at(";")) {
                // C11's anonymous struct or union: its members count as the outer one's.
                if (!read.type.base.starts_with("struct ") && !read.type.base.starts_with("union "))
                    unexpected();
                definition.fields.push_back(std::move(field));
                break;
            }
            const auto named = m_token.at;
            if (!at(":")) {
                auto declared = declarator(true, false);
                field.name = std::move(declared.name);
                field.type.modifiers = std::move(declared.modifiers);
            }
            const bool isBitField = accept(":");
            if (isBitField) {
                auto width = conditional();
                const auto bits = constant(*width);
                if (bits && *bits <= 0)
                    fail("D_DECL_BFCONST", told(width->at), "positive integral constant expression expected as bit-field size");
                if (bits)
                    field.bits = static_cast<std::uint64_t>(*bits);
                else
                    field.bitsExpr = std::move(width);
            }
            field.at = since(field.at);
            object(objectionTo(field, isBitField), named);
            const auto twice = [&](const ast::Field& other) { return !field.name.empty() && other.name == field.name; };
            if (std::any_of(definition.fields.begin(), definition.fields.end(), twice))
                fail("D_UNKNOWN", told(named), "failed to define member '" + field.name + "': Duplicate member or variable name");
            definition.fields.push_back(std::move(field));
        } while (!m_failure && accept(","));
        expect(";");
    }
    expect("}");
}

void Grammar::enumSpecifier(Declarations& into, ast::TypeName& type)
{
    const auto begin = m_token.at;
    Declaration definition;
    definition.kind = Declaration::Kind::Enum;
    advance();
    if (m_token.isWord())
        definition.name = name();
    else if (at("{"))
        definition.name = "__anonymous_" + std::to_string(m_file) + "_" + std::to_string(++m_anonymous);
    else
        unexpected();
    type.base = "enum " + definition.name;
    if (!at("{")) return;
    define(type.base);
    advance();
    std::int64_t value = -1;
    do {
        if (at("}") && !definition.items.empty()) break;    // a comma after the last one
        enumerator(definition, value);
    } while (!m_failure && accept(","));
    expect("}");
    definition.at = since(begin);
    if (!m_failure) into.push_back(std::move(definition));
}

void Grammar::enumerator(Declaration& definition, std::int64_t& value)
{
    const auto where = m_token.at;
    auto constantName = name();
    if (constantName.find('`') != std::string::npos)
        fail("D_DECL_SCOPE", where, "D scoping operator may not be used in an enumerator name (" + constantName + ")");
    ast::ExprPtr assigned;
    bool known = true;
    ++value;
    if (accept("=")) {
        assigned = assignment();
        const auto folded = constant(*assigned);
        if (assigned->kind == ast::ExprKind::String || assigned->kind == ast::ExprKind::Call)
            fail("D_DECL_ENCONST", told(since(where)), "enumerator '" + constantName + "' must be assigned to an integral constant expression");
        known = folded.has_value();
        value = folded.value_or(0);
    }
    const auto twice = [&](const auto& item) { return item.first == constantName; };
    if (std::any_of(definition.items.begin(), definition.items.end(), twice))
        fail("D_UNKNOWN", told(since(where)), "failed to define enumerator '" + constantName + "': Duplicate member or variable name");
    if (m_variables.contains(constantName) || isBuiltin(constantName)) fail("D_DECL_IDRED", told(since(where)), "identifier redeclared: " + constantName);
    if (known && (value > INT32_MAX || value < INT32_MIN))
        fail("D_DECL_ENOFLOW", told(since(where)), "enumerator '" + constantName + "' value overflows INT_MAX (2147483647)");
    if (known && !m_failure) m_constants[constantName] = value;
    m_variables.insert(constantName);
    definition.items.emplace_back(std::move(constantName), std::move(assigned));
}
/// A second definition of a struct, union or enum is an error; declaring one again is none.
void Grammar::define(const std::string& type)
{
    if (!m_defined.insert(type).second) fail("D_DECL_TYPERED", m_token.at, "type redeclared: " + type);
}

/// C's declarators, read from the outside in and kept from the inside out: `*(*x[3])(int)` is Pointer Function Pointer Array.
Grammar::Declarator Grammar::declarator(bool needsName, bool mayBeAbstract)
{
    const Deeper deeper(*this);
    Declarator read;
    read.at = m_token.at;
    std::size_t pointers = 0;
    while (at("*") && !m_failure) {
        ++pointers;
        advance();
        while (isQualifier(m_token)) advance();
    }
    for (; pointers > 0; --pointers) {
        read.modifiers.push_back({.kind = Modifier::Kind::Pointer});
        read.parameterNames.emplace_back();
    }
    directDeclarator(read, needsName, mayBeAbstract);
    return read;
}

void Grammar::directDeclarator(Declarator& into, bool needsName, bool mayBeAbstract)
{
    Declarator inner;
    bool grouped = false;
    if (m_token.isWord() && !isKeyword(m_token.text) && needsName | !mayBeAbstract) {
        into.at = m_token.at;
        into.name = name();
    } else if (at("(")) {
        // In an abstract declarator "(" begins either a group or the parameters of a function: `int (*)(int)`, `int (int)`.
        const Token next = peek();
        grouped = next.is("*") || next.is("(") || next.is("[") || (!mayBeAbstract && next.isWord()) || (needsName && next.isWord() && !isTypeKeyword(next.text) && !isType(next.text));
        if (grouped) {
            advance();
            inner = declarator(needsName, mayBeAbstract);
            expect(")");
        } else if (!mayBeAbstract)
            unexpected();
    } else if (!mayBeAbstract) {
        unexpected();
    }
    std::vector<Modifier> suffixes;
    std::vector<std::vector<std::string>> names;
    while (!m_failure && (at("[") || at("("))) {
        Modifier modifier{.kind = at("[") ? Modifier::Kind::Array : Modifier::Kind::Function};
        std::vector<std::string> parameterNames;
        if (at("["))
            arraySuffix(modifier, parameterNames);
        else {
            advance();
            modifier.parameters = parameters(")", parameterNames, modifier.isVariadic);
        }
        if (!m_failure && (modifier.isTuple || modifier.kind == Modifier::Kind::Function)) object(objectionTo(modifier, parameterNames), into.at);
        suffixes.push_back(std::move(modifier));
        names.push_back(std::move(parameterNames));
    }
    std::reverse(suffixes.begin(), suffixes.end());
    std::reverse(names.begin(), names.end());
    const auto append = [](auto& to, auto& from) { to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end())); };
    append(into.modifiers, suffixes);
    append(into.parameterNames, names);
    if (!grouped) return;
    append(into.modifiers, inner.modifiers);
    append(into.parameterNames, inner.parameterNames);
    into.name = std::move(inner.name);
    into.at = inner.at;
}

void Grammar::arraySuffix(Modifier& modifier, std::vector<std::string>& names)
{
    advance();
    if (accept("]")) return;
    const Token next = peek();
    const bool tuple = at("...") || beginsType() || (m_token.isWord() && !isKeyword(m_token.text) && (next.isWord() || (next.is(",") && !m_constants.contains(m_token.text))));
    if (tuple) {
        modifier.isTuple = true;
        modifier.parameters = parameters("]", names, modifier.isVariadic);
        return;
    }
    auto count = conditional();
    expect("]");
    if (const auto folded = constant(*count)) {
        if (*folded > UINT32_MAX) fail("D_DECL_ARRBIG", count->at, "array dimension too big");
        if (*folded < 0)
            fail("D_DECL_ARRSUB", count->at, "positive integral constant expression or tuple signature expected as array declaration subscript");
        modifier.count = static_cast<std::uint64_t>(*folded);
    }
    if (!constant(*count) || modifier.count == 0) modifier.countExpr = std::move(count);
}

std::vector<ast::TypeName> Grammar::parameters(std::string_view closing, std::vector<std::string>& names, bool& variadic)
{
    const Deeper deeper(*this);
    std::vector<ast::TypeName> all;
    if (accept(closing)) return all;
    do {
        if (accept("...")) {
            variadic = true;
            break;
        }
        auto read = specifiers(m_nested, true, true);
        auto declared = declarator(true, true);
        read.type.modifiers = std::move(declared.modifiers);
        read.type.at = since(read.type.at);
        names.push_back(std::move(declared.name));
        all.push_back(std::move(read.type));
    } while (!m_failure && accept(","));
    expect(closing);
    return all;
}

ast::TypeName Grammar::typeName()
{
    auto read = specifiers(m_nested, false, false);
    if (m_failure) return read.type;
    read.type.modifiers = declarator(false, true).modifiers;
    read.type.at = since(read.type.at);
    return read.type;
}

void Grammar::declaration(Declarations& into)
{
    const auto begin = m_token.at;
    const bool inClause = at("this") || at("self") ? m_depth > 0 : false;
    const auto read = specifiers(into, false, true);
    const auto end = [&] {
        if (!inClause) m_mode = Mode::Probe;
        if (inClause && at("}")) return;
        if (!at(";")) {
            m_mode = Mode::Expression;
            unexpected();
        }
        advance();
    };
    if (at(";")) {
        const bool tagged = read.type.base.starts_with("struct ") || read.type.base.starts_with("union ") || read.type.base.starts_with("enum ");
        if (!tagged) fail("D_DECL_USELESS", told(read.type.at), "useless declaration");
        if (tagged && (into.empty() || into.back().name != read.type.base.substr(read.type.base.find(' ') + 1))) {
            Declaration forward;
            forward.kind = read.type.base[0] == 's' ? Declaration::Kind::Struct : read.type.base[0] == 'u' ? Declaration::Kind::Union : Declaration::Kind::Enum;
            forward.name = read.type.base.substr(read.type.base.find(' ') + 1);
            forward.complete = false;
            forward.at = since(begin);
            into.push_back(std::move(forward));
        }
        end();
        return;
    }
    do {
        auto declared = declarator(true, false);
        if (m_failure) return;
        Declaration made;
        made.kind = read.storage == "typedef" ? Declaration::Kind::Typedef : Declaration::Kind::Variable;
        made.scope = read.storage == "this" ? ast::Scope::This : read.storage == "self" ? ast::Scope::Self : ast::Scope::Global;
        made.name = declared.name;
        made.type = read.type;
        made.type.modifiers = std::move(declared.modifiers);
        made.isExtern = read.storage == "extern";
        made.at = since(begin);
        object(objectionToArrays(made.type), declared.at);
        object(objectionTo(made, read.storage), declared.at);
        if (made.kind == Declaration::Kind::Typedef) {
            if (!m_typedefs.insert(made.name).second) fail("D_DECL_IDRED", told(declared.at), "typedef redeclared: " + made.name);
        } else if (made.scope == ast::Scope::Global)
            m_variables.insert(made.name);
        into.push_back(std::move(made));
    } while (accept(","));
    end();
}

void Grammar::inlineDefinition(Declarations& into)
{
    const auto begin = m_token.at;
    Declaration made;
    made.kind = Declaration::Kind::Inline;
    advance();
    auto read = specifiers(into, false, true);
    auto declared = declarator(true, false);
    if (m_failure) return;
    made.name = std::move(declared.name);
    made.type = std::move(read.type);
    if (!declared.modifiers.empty() && declared.modifiers.back().isTuple) {
        auto& keys = declared.modifiers.back().parameters;
        for (std::size_t i = 0; i < keys.size(); ++i) made.tuple.emplace_back(declared.parameterNames.back()[i], std::move(keys[i]));
        declared.modifiers.pop_back();
    }
    made.type.modifiers = std::move(declared.modifiers);
    m_variables.insert(made.name);
    expect("=");
    made.init = assignment();
    if (const auto value = constant(*made.init); value && made.tuple.empty()) m_constants[made.name] = *value;
    made.at = since(begin);
    m_mode = Mode::Probe;
    if (!at(";")) m_mode = Mode::Expression;
    expect(";");
    if (!m_failure) into.push_back(std::move(made));
}

/// translator OUT < IN NAME > { member = expression; ... };
void Grammar::translator(Declarations& into)
{
    const auto begin = m_token.at;
    Declaration made;
    made.kind = Declaration::Kind::Translator;
    advance();
    made.type = typeName();
    expect("<");
    auto read = specifiers(m_nested, false, false);
    auto declared = declarator(true, false);
    made.inputType = std::move(read.type);
    made.inputType.modifiers = std::move(declared.modifiers);
    made.inputName = std::move(declared.name);
    m_variables.insert(made.inputName);
    expect(">");
    expect("{");
    while (!m_failure && !at("}")) {
        auto member = name();
        expect("=");
        auto value = assignment();
        expect(";");
        made.items.emplace_back(std::move(member), std::move(value));
    }
    expect("}");
    made.at = since(begin);
    if (at(";")) m_mode = Mode::Probe;
    expect(";");
    if (!m_failure) into.push_back(std::move(made));
}

/// provider NAME { probe NAME(types) [: (types)]; ... };   for dtrace -h
void Grammar::provider(Declarations& into)
{
    const auto begin = m_token.at;
    Declaration made;
    made.kind = Declaration::Kind::Provider;
    advance();
    made.name = name();
    expect("{");
    const auto list = [&](auto& to) {
        std::vector<std::string> names;
        bool variadic = false;
        expect("(");
        auto types = parameters(")", names, variadic);
        for (std::size_t i = 0; i < types.size(); ++i) to.emplace_back(std::move(names[i]), std::move(types[i]));
    };
    while (!m_failure && !at("}")) {
        Declaration::ProviderProbe probe;
        probe.at = m_token.at;
        expect("probe");
        probe.name = name();
        list(probe.args);
        if (accept(":")) {
            probe.isTranslated = true;
            list(probe.translated);
        }
        expect(";");
        probe.at = since(probe.at);
        made.probes.push_back(std::move(probe));
    }
    expect("}");
    made.at = since(begin);
    if (at(";")) m_mode = Mode::Probe;
    expect(";");
    if (!m_failure) into.push_back(std::move(made));
}
} // namespace dscope::syntax
