#include "engine/demangle/itanium.h"
#include "engine/demangle/itanium_steps.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
namespace dscope::demangle {
namespace {
bool isDecimalDigit(char c) { return c >= '0' && c <= '9'; }
/// " [clone .cold] [clone .part.0]" of ".cold.part.0"; none if it is nothing of that kind.
std::optional<std::string> clonesOf(std::string_view rest)
{
    std::string out;
    while (!rest.empty()) {
        const auto isPart = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        if (rest.size() < 2 || rest[0] != '.' || !isPart(rest[1]) || isDecimalDigit(rest[1])) return {};
        std::size_t end = 1;
        while (end < rest.size() && isPart(rest[end]))
            ++end;
        while (end + 1 < rest.size() && rest[end] == '.' && isDecimalDigit(rest[end + 1]))
            end = std::min(rest.find_first_not_of("0123456789", end + 1), rest.size());
        out += " [clone " + std::string(rest.substr(0, end)) + ']';
        rest.remove_prefix(end);
    }
    return out;
}
} // namespace

ItaniumName readItanium(std::string_view symbol)
{
    if (symbol.size() > kLongestItanium) return {{}, true};
    if (!symbol.starts_with("_Z")) return {};
    ItaniumReader in(symbol);
    auto text = in.symbol();
    if (!in.ok() || text.empty()) return {{}, in.isTooMuch()};
    return {std::move(text), false};
}
std::optional<std::string> demangledItanium(std::string_view symbol) { return readItanium(symbol).text; }

std::string ItaniumReader::symbol()
{
    m_at = 2;
    const auto* node = encoding();
    const auto clones = clonesOf(m_in.substr(std::min(m_at, m_in.size())));
    if (!clones) fail();
    if (!m_ok) return {};
    ItaniumPrinter printer(m_budget);
    auto text = printer.printed(node) + *clones;
    m_ok = printer.ok();
    return text;
}

char ItaniumReader::next()
{
    if (m_at < m_in.size()) return m_in[m_at++];
    fail();
    return '\0';
}
bool ItaniumReader::eat(std::string_view text)
{
    if (!m_in.substr(std::min(m_at, m_in.size())).starts_with(text)) return false;
    m_at += text.size();
    return true;
}
const ItaniumNode* ItaniumReader::fail()
{
    m_ok = false;
    return nullptr;
}
const ItaniumNode* ItaniumReader::make(Node node)
{
    node.weight = 1 + node.text.size();
    for (const auto* part : node.parts)
        if (part) node.weight += part->weight;
    // Substitutions may double what is read with each of them.
    if (node.weight > kMostWeight) {
        node.weight = kMostWeight;
        spend();
    }
    return &m_nodes.emplace_back(std::move(node));
}
const ItaniumNode* ItaniumReader::text(std::string_view text) { return make({Kind::Text, std::string(text), {}}); }
const ItaniumNode* ItaniumReader::remember(const Node* node)
{
    m_substitutions.push_back(node);
    return node;
}

std::string_view ItaniumReader::digits()
{
    const auto from = m_at;
    while (isDecimalDigit(peek()))
        ++m_at;
    return m_in.substr(from, m_at - from);
}
std::optional<std::size_t> ItaniumReader::number()
{
    const auto all = digits();
    std::size_t value = 0;
    const auto read = std::from_chars(all.data(), all.data() + all.size(), value);
    return all.empty() || read.ec != std::errc() ? std::nullopt : std::optional(value);
}
std::size_t ItaniumReader::sequence()
{
    std::size_t value = 0;
    if (eat("_")) return 0;
    while (m_ok && !eat("_")) {
        const char c = next();
        const bool isDigit = isDecimalDigit(c);
        if (!isDigit && (c < 'A' || c > 'Z')) fail();
        value = value * 36 + static_cast<std::size_t>(isDigit ? c - '0' : c - 'A' + 10);
        if (value > m_in.size()) fail();
    }
    return value + 1;
}

const ItaniumNode* ItaniumReader::encoding(Result result)
{
    const Deeper deeper(*this);
    if (!m_ok) return nullptr;
    if (peek() == 'T' || (peek() == 'G' && (peek(1) == 'V' || peek(1) == 'R' || peek(1) == 'T' || peek(1) == 'I'))) return special();
    Said said;
    const auto* const outer = m_arguments;
    m_arguments = nullptr;
    const bool named = m_namesFunction;
    m_namesFunction = true;
    const auto* whole = name(said);
    m_namesFunction = false;
    if (m_ok && m_at < m_in.size() && peek() != 'E' && peek() != '.') whole = signature(whole, said, result);
    m_namesFunction = named;
    m_arguments = outer;
    return whole;
}

/// "result name(parameters) const": a Function whose result's type may enclose the name.
const ItaniumNode* ItaniumReader::signature(const Node* name, const Said& said, Result shown)
{
    const Node* result = nullptr;
    if (eat("J") || (said.hasArguments && !said.isConversion && !said.isStructor)) result = type();
    if (shown == Result::Hidden) result = nullptr;
    const auto* parameters = types();
    if (said.isExplicit && parameters && !parameters->parts.empty()) {
        auto all = parameters->parts;
        all[0] = joined({text("this "), all[0]});
        parameters = make({Kind::List, {}, std::move(all)});
    }
    auto behind = said.qualifiers;
    if (eat("Q")) {
        const auto* clause = expression();
        if (!m_ok) return nullptr;
        ItaniumPrinter printer(m_budget);
        behind += " requires " + printer.printed(make({Kind::Named, {}, {text({}), clause, m_arguments}}));
        if (!printer.ok()) return fail();
    }
    if (!m_ok) return nullptr;
    // The name is where a pointer's sign would be: of a type that is a pointer to such a function, without the sign.
    const auto* function = make({Kind::Function, std::move(behind), {result, parameters}});
    return make({Kind::Named, {}, {function, name, m_arguments}});
}

const ItaniumNode* ItaniumReader::callOffset()
{
    const char kind = next();
    for (int i = kind == 'v' ? 2 : kind == 'h' ? 1 : 0; i > 0; --i) {
        eat("n");
        if (digits().empty() || !eat("_")) fail();
    }
    return kind == 'v' || kind == 'h' ? nullptr : fail();
}

const ItaniumNode* ItaniumReader::special()
{
    struct Special {
        std::string_view code, text;
        enum class Of : std::uint8_t { Type, Name, Encoding, Offset, Offsets } of;
    };

    using Of = Special::Of;
    static constexpr std::array<Special, 18> kAll{{{"TV", "vtable for ", Of::Type}, {"TT", "VTT for ", Of::Type},
        {"TI", "typeinfo for ", Of::Type}, {"TS", "typeinfo name for ", Of::Type}, {"TF", "typeinfo fn for ", Of::Type},
        {"TC", "construction vtable for ", Of::Type}, {"TJ", "java Class for ", Of::Type}, {"Th", "non-virtual thunk to ", Of::Offset},
        {"Tv", "virtual thunk to ", Of::Offset}, {"Tc", "covariant return thunk to ", Of::Offsets},
        {"TH", "TLS init function for ", Of::Name}, {"TW", "TLS wrapper function for ", Of::Name},
        {"TA", "template parameter object for ", Of::Name}, {"GV", "guard variable for ", Of::Name},
        {"GTt", "transaction clone for ", Of::Encoding}, {"GTn", "non-transaction clone for ", Of::Encoding},
        {"GI", "initializer for module ", Of::Name}, {"GR", "reference temporary #", Of::Name}}};
    const auto known = std::find_if(kAll.begin(), kAll.end(), [&](const Special& kind) { return eat(kind.code); });
    if (known == kAll.end()) return fail();
    const auto* words = text(known->text);
    if (known->code == "TC") {
        const auto* in = type();
        if (!number() || !eat("_")) return fail();
        return joined({words, type(), text("-in-"), in});
    }
    Said said;
    if (known->code == "GI") return joined({words, module(nullptr)});
    if (known->code == "TA") return joined({words, argument()});
    if (known->code == "GR") {
        const auto* object = name(said);
        return joined({words, text(std::to_string(sequence())), text(" for "), object});
    }
    if (known->of == Of::Type) return joined({words, type()});
    if (known->of == Of::Name) return joined({words, name(said)});
    if (known->of == Of::Offset) --m_at;
    if (known->of != Of::Encoding) callOffset();
    if (known->of == Of::Offsets) callOffset();
    return joined({words, encoding()});
}

const ItaniumNode* ItaniumReader::name(Said& said)
{
    const Deeper deeper(*this);
    if (!m_ok) return nullptr;
    if (peek() == 'N') return nested(said);
    if (peek() == 'Z') return local(said);
    const Node* one = nullptr;
    if (peek() == 'S' && peek(1) != 't') {
        bool isName = true;
        one = substitution(isName);
        if (peek() != 'I') return isName ? unqualified(nullptr, said, one) : fail(); // of a module, or no function
    } else {
        one = unscoped(said);
        if (peek() != 'I') return one;
        remember(one);
    }
    said.hasArguments = true;
    return joined({one, arguments()});
}

const ItaniumNode* ItaniumReader::unscoped(Said& said) { return unqualified(eat("St") ? text("std") : nullptr, said); }

const ItaniumNode* ItaniumReader::nested(Said& said)
{
    ++m_at;
    said.isExplicit = eat("H");
    if (!said.isExplicit) {
        said.qualifiers = qualifiers();
        if (eat("R"))
            said.qualifiers += " &";
        else if (eat("O"))
            said.qualifiers += " &&";
    }

    const Node* scope = nullptr;
    while (m_ok && !eat("E")) {
        bool isName = false, isKnown = false;
        if (peek() == 'I' && scope) {
            scope = joined({scope, arguments()});
            said.hasArguments = true;
        } else {
            said.hasArguments = said.isConversion = said.isStructor = false;
            if (peek() == 'T' && !scope) {
                scope = parameter();
            } else if (peek() == 'D' && (peek(1) == 't' || peek(1) == 'T') && !scope) {
                scope = decltypeType();
            } else if (peek() == 'S' && eat("St")) {
                scope = text("std"), isKnown = true;
            } else if (peek() == 'S') {
                isKnown = true;
                const auto* known = substitution(isName);
                scope = isName ? unqualified(scope, said, known) : known; // of a module
                isKnown = !isName;
            } else {
                scope = unqualified(scope, said);
                eat("M"); // an initializer of this member
            }
        }
        if (!isKnown && peek() != 'E') remember(scope);
    }
    return scope ? scope : fail();
}

const ItaniumNode* ItaniumReader::local(Said& said)
{
    ++m_at;
    const auto* function = encoding(Result::Hidden);
    if (!eat("E")) return fail();
    if (eat("s")) {
        discriminator();
        return joined({function, text("::string literal")});
    }
    if (eat("d")) {
        const auto index = peek() == '_' ? 0 : number().value_or(0) + 1;
        if (!eat("_")) return fail();
        return joined({function, text("::{default arg#" + std::to_string(index + 1) + "}::"), name(said)});
    }
    const auto* entity = name(said);
    discriminator();
    return joined({function, text("::"), entity});
}

void ItaniumReader::discriminator()
{
    if (peek() != '_' || (peek(1) != '_' && !isDecimalDigit(peek(1)))) return; // behind "GR" a number follows that may be "_"
    ++m_at;
    const bool isLong = eat("_");
    if (digits().empty() || (isLong && !eat("_"))) fail();
}

/// "W6shapesWP4part", behind the module `around` if there is one: remembered part by part.
const ItaniumNode* ItaniumReader::module(const Node* around)
{
    while (m_ok && eat("W")) {
        const std::string_view sign = eat("P") ? ":" : around ? "." : "";
        around = remember(make({Kind::Module, {}, {around, text(sign), sourceName()}}));
    }
    return around ? around : fail();
}

/// `of`: the module it is of, as far as that is read.
const ItaniumNode* ItaniumReader::unqualified(const Node* scope, Said& said, const Node* of)
{
    const Deeper deeper(*this);
    if (!m_ok) return nullptr;
    if (peek() == 'W') of = module(of);
    const bool isFriend = eat("F");
    eat("L");
    const Node* one = nullptr;
    if (isDecimalDigit(peek()))
        one = sourceName();
    else if (eat("DC")) {
        Nodes all;
        while (m_ok && !eat("E"))
            all.push_back(sourceName());
        one = joined({text("["), make({Kind::List, {}, std::move(all)}), text("]")});
    } else if (peek() == 'C' || (peek() == 'D' && isDecimalDigit(peek(1))))
        one = structor(said);
    else if (peek() == 'U')
        one = unnamed();
    else if (std::islower(static_cast<unsigned char>(peek())))
        one = operatorName(said);
    else
        return fail();
    if (of) one = joined({one, text("@"), of});
    one = tags(one);
    if (isFriend) one = joined({one, text("[friend]")});
    return scope ? joined({scope, text("::"), one}) : one;
}

const ItaniumNode* ItaniumReader::tags(const Node* name)
{
    const auto last = m_last;
    while (m_ok && eat("B"))
        name = joined({name, text("[abi:"), sourceName(), text("]")});
    m_last = last;
    return name;
}

const ItaniumNode* ItaniumReader::sourceName()
{
    const auto length = number();
    if (!length || *length == 0 || *length > m_in.size() - m_at) return fail();
    const auto name = m_in.substr(m_at, *length);
    m_at += *length;
    const bool isAnonymous
        = name.size() >= 10 && name.starts_with("_GLOBAL_") && name[9] == 'N' && std::string_view("._$").find(name[8]) != name.npos;
    m_last = isAnonymous ? "(anonymous namespace)" : std::string(name);
    return text(m_last);
}

const ItaniumNode* ItaniumReader::structor(Said& said)
{
    const bool isDestructor = next() == 'D';
    said.isStructor = true;
    const bool isInherited = !isDestructor && eat("I");
    const char kind = next();
    if (kind < '0' || kind > '5') return fail();
    const auto name = m_last;
    if (isInherited) type(); // of the class whose constructor it is
    m_last = name;
    return text((isDestructor ? "~" : "") + name);
}

const ItaniumNode* ItaniumReader::unnamed()
{
    if (eat("Ul")) return lambda();
    if (!eat("Ut")) return fail();
    const auto index = peek() == '_' ? 1 : number().value_or(0) + 2;
    if (!eat("_")) return fail();
    return text("{unnamed type#" + std::to_string(index) + '}');
}

/// Reads the declaration of a template parameter, "typename $T0", and adds its name to `names`.
const ItaniumNode* ItaniumReader::lambdaParameter(Nodes& names)
{
    const Deeper deeper(*this);
    const auto index = std::to_string(names.size());
    if (eat("Ty")) {
        names.push_back(text("$T" + index));
        return text("typename $T" + index);
    }
    if (eat("Tn")) {
        names.push_back(text("$N" + index));
        const auto* of = type();
        return joined({of, text(" $N" + index)});
    }
    if (eat("Tp")) {
        if (peek() == 'T' && peek(1) == 'y') {
            m_at += 2;
            names.push_back(text("$T" + index));
            return text("typename... $T" + index);
        }
        if (!eat("Tn")) return fail();
        names.push_back(text("$N" + index));
        const auto* of = type();
        return joined({of, text("... $N" + index)});
    }
    if (!eat("Tt")) return fail();
    Nodes inner, heads;
    while (m_ok && !eat("E"))
        heads.push_back(lambdaParameter(inner));
    names.push_back(text("$TT" + index));
    return joined({text("template"), make({Kind::Arguments, {}, std::move(heads)}), text(" class $TT" + index)});
}

const ItaniumNode* ItaniumReader::lambda()
{
    Nodes names, heads;
    while (m_ok && peek() == 'T' && std::string_view("yntp").find(peek(1)) != std::string_view::npos)
        heads.push_back(lambdaParameter(names));
    if (eat("Q")) expression();
    const auto* parameters = types();
    if (eat("Q")) expression();
    if (!eat("E")) return fail();
    const auto index = peek() == '_' ? 1 : number().value_or(0) + 2;
    if (!eat("_")) return fail();
    const auto* declared = heads.empty() ? nullptr : make({Kind::Arguments, {}, std::move(heads)});
    const auto* named = make({Kind::List, {}, std::move(names)});
    return make({Kind::Lambda, '#' + std::to_string(index), {declared, parameters, named}});
}

const ItaniumNode* ItaniumReader::operatorName(Said& said)
{
    if (eat("cv")) {
        said.isConversion = true;
        const auto* to = type();
        return joined({text("operator "), to});
    }
    if (eat("li")) return joined({text("operator\"\" "), sourceName()});
    if (peek() == 'v' && isDecimalDigit(peek(1))) {
        m_at += 2;
        return joined({text("operator "), sourceName()});
    }
    const auto* known = operatorOf(m_in.substr(m_at, 2));
    if (!known || known->sign.empty()) return fail();
    m_at += 2;
    const bool isWord = std::isalpha(static_cast<unsigned char>(known->sign.front()));
    return text("operator" + std::string(isWord ? " " : "") + std::string(known->sign));
}

/// "S_", "S0_", "Sa": `isName` is set where it is the module that a name follows.
const ItaniumNode* ItaniumReader::substitution(bool& isName)
{
    if (const auto* known = abbreviation()) {
        isName = false;
        return known;
    }
    if (!eat("S")) return fail();
    const auto index = sequence();
    if (!m_ok || index >= m_substitutions.size()) return fail();
    const auto* node = m_substitutions[index];
    isName = node && node->kind == Kind::Module;
    return node;
}

const ItaniumNode* ItaniumReader::abbreviation()
{
    struct Short {
        char letter;
        std::string_view text, whole, last;
    };
    static constexpr std::array<Short, 6> kAll{
        {{'a', "std::allocator", "std::allocator", "allocator"}, {'b', "std::basic_string", "std::basic_string", "basic_string"},
            {'s', "std::string", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "basic_string"},
            {'i', "std::istream", "std::basic_istream<char, std::char_traits<char> >", "basic_istream"},
            {'o', "std::ostream", "std::basic_ostream<char, std::char_traits<char> >", "basic_ostream"},
            {'d', "std::iostream", "std::basic_iostream<char, std::char_traits<char> >", "basic_iostream"}}};
    if (peek() != 'S') return nullptr;
    if (eat("St")) {
        Said said;
        return unqualified(text("std"), said);
    }
    const auto known = std::find_if(kAll.begin(), kAll.end(), [&](const Short& s) { return peek(1) == s.letter; });
    if (known == kAll.end()) return nullptr;
    m_at += 2;
    m_last = known->last;
    const auto* name = text(peek() == 'C' || (peek() == 'D' && isDecimalDigit(peek(1))) ? known->whole : known->text);
    if (peek() != 'B') return name;
    return remember(tags(name));
}
} // namespace dscope::demangle
