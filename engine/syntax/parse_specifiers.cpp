#include "engine/syntax/grammar.h"
#include <algorithm>
namespace dscope::syntax {
using ast::Declaration;
namespace {
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
        if (isShort && longs > 0) return sign + "short long"; // no such type, as whoever resolves it says
        if (isShort) return sign + "short";
        if (longs > 0) return sign + (longs > 1 ? "long long" : "long");
        return sign + "int";
    }
};
} // namespace

/// The keyword of "a.out`struct".
static std::string_view tagBehind(std::string_view word)
{
    for (const std::string_view tag : {"struct", "union", "enum"})
        if (word.size() > tag.size() && word.ends_with(tag) && word[word.size() - tag.size() - 1] == '`') return tag;
    return {};
}

bool Grammar::isType(std::string_view word) const
{
    const auto bare = word.substr(word.rfind('`') + 1);
    // Only files have dots in their names, and only types are asked of them: a.out`point_t, a.out`struct point.
    if (bare.size() != word.size() && word.substr(0, word.size() - bare.size()).find('.') != word.npos) return true;
    return m_typedefs.contains(word) || (!m_variables.contains(word) && isKnownType(bare));
}
/// Of an unknown name: whether it may be a type where an expression is as likely.
bool Grammar::isLikelyType(std::string_view word) const
{
    if (m_isType) return m_isType(word);
    // Source: include/linux/types.h, include/asm-generic/int-ll64.h
    static constexpr std::string_view kKernel[] = {"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "__u8", "__u16", "__u32", "__u64",
        "__s8", "__s16", "__s32", "__s64", "__be16", "__be32", "__be64", "__le16", "__le32", "__le64", "bool"};
    return word.ends_with("_t") || std::find(std::begin(kKernel), std::end(kKernel), word) != std::end(kKernel);
}
/// Of any name: whether it may be a type where only a type can stand.
bool Grammar::couldBeType(std::string_view word) const { return isType(word) || !m_isType || m_isType(word); }
bool Grammar::beginsType() const
{
    return m_token.isWord()
        && (isTypeKeyword(m_token.text) || isStorage(m_token) || isType(m_token.text)
            || (!isKeyword(m_token.text) && isLikelyType(m_token.text)));
}

Grammar::Specifiers Grammar::specifiers(Declarations& into, SpecifierRules rules)
{
    const Deeper deeper(*this);
    Specifiers read;
    Arithmetic arithmetic;
    const auto begin = m_token.at;
    auto& base = read.type.base;
    std::string_view kind; // "struct", "union", "enum", "typedef" for named types; empty for arithmetic ones
    const auto combination = [&] {
        if (base.empty()) return true;
        fail("D_DECL_COMBO", m_token.at, "invalid type combination");
        return false;
    };
    while (m_token.isWord() && !m_failure) {
        if (isQualifier(m_token.text)) {
            read.type.isConst = read.type.isConst || at("const");
            advance();
        } else if (rules.withStorage && (isStorage(m_token) || at("this") || at("self"))) {
            if (rules.isParameter && !at("register")) {
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
        } else if (const auto tag = tagBehind(m_token.text); !tag.empty()) {
            kind = tag;
            if (!combination()) break;
            const auto scope = m_token.text.substr(0, m_token.text.size() - tag.size());
            advance();
            if (!m_token.isWord()) unexpected();
            base = std::string(tag) + ' ' + scope + m_token.text;
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

    const auto invalid = [&](std::string_view tag, std::string_view why) {
        fail(tag, told(read.type.at), "invalid type declaration: " + std::string(why));
    };
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
        const auto read = specifiers(into, {});
        if (at(";") && (read.type.base.starts_with("struct ") || read.type.base.starts_with("union "))) {
            // C11's anonymous struct or union: its members count as the outer one's.
            definition.fields.push_back({.name = {}, .type = read.type, .bits = {}, .at = read.type.at});
        } else {
            do {
                field(read.type, definition);
            } while (!m_failure && accept(","));
        }
        expect(";");
    }
    expect("}");
}

void Grammar::field(const ast::TypeName& type, Declaration& definition)
{
    const auto begin = m_token.at;
    ast::Field made;
    made.type = type;
    if (!at(":")) {
        auto declared = declarator({.needsName = true});
        made.name = std::move(declared.name);
        made.type.modifiers = std::move(declared.modifiers);
    }

    const bool isBitField = accept(":");
    if (isBitField) {
        auto width = conditional();
        const auto bits = constant(*width);
        if (bits && *bits <= 0) fail("D_DECL_BFCONST", told(width->at), "positive integral constant expression expected as bit-field size");
        if (bits)
            made.bits = static_cast<std::uint64_t>(*bits);
        else
            made.bitsExpr = std::move(width);
    }

    made.at = since(begin);
    object(objectionTo(made, isBitField), begin);
    const auto twice = [&](const ast::Field& other) { return !made.name.empty() && other.name == made.name; };
    if (std::any_of(definition.fields.begin(), definition.fields.end(), twice))
        fail("D_UNKNOWN", told(begin), "failed to define member '" + made.name + "': Duplicate member or variable name");
    definition.fields.push_back(std::move(made));
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
        if (at("}") && !definition.items.empty()) break; // a comma after the last one
        enumerator(definition, value);
    } while (!m_failure && accept(","));
    expect("}");
    definition.at = since(begin);
    if (!m_failure) into.push_back(std::move(definition));
}

void Grammar::enumerator(Declaration& definition, std::int64_t& value)
{
    const auto where = m_token.at;
    if (m_token.isWord() && isType(m_token.text)) return unexpected(); // enum e { size_t }
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
            fail("D_DECL_ENCONST", told(since(where)),
                "enumerator '" + constantName + "' must be assigned to an integral constant expression");
        known = folded.has_value();
        value = folded.value_or(0);
    }

    const auto twice = [&](const auto& item) { return item.first == constantName; };
    if (std::any_of(definition.items.begin(), definition.items.end(), twice))
        fail("D_UNKNOWN", told(since(where)), "failed to define enumerator '" + constantName + "': Duplicate member or variable name");
    if (m_variables.contains(constantName) || isBuiltin(constantName))
        fail("D_DECL_IDRED", told(since(where)), "identifier redeclared: " + constantName);
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

} // namespace dscope::syntax
