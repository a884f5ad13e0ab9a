#pragma once
#include "engine/demangle/itanium_node.h"
#include <optional>
namespace dscope::demangle {
/// Recursive descent over a mangled name of C++. Anything unexpected makes ok() false; nodes are then of no use.
class ItaniumReader {
public:
    explicit ItaniumReader(std::string_view symbol) : m_in(symbol) { }
    /// "_Z", what it names, and which clone of it.
    std::string symbol();
    bool ok() const { return m_ok; }
    /// Whether it failed since the symbol is too deep, or says too much.
    bool isTooMuch() const { return m_budget.isSpent; }

private:
    using Node = ItaniumNode;
    using Kind = ItaniumNode::Kind;
    using Nodes = std::vector<const Node*>;
    struct Deeper;
    static constexpr int kDeepest = 200, kMostSteps = 50'000;
    static constexpr std::size_t kMostWeight = std::size_t{1} << 20;

    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_in.size() ? m_in[m_at + ahead] : '\0'; }
    char next();
    bool eat(std::string_view text);
    const Node* fail();
    void spend()
    {
        m_ok = false;
        m_budget.isSpent = true;
    }
    const Node* text(std::string_view text);
    const Node* joined(Nodes parts) { return make({Kind::Joined, {}, std::move(parts)}); }
    const Node* make(Node node);
    const Node* remember(const Node* node);
    std::optional<std::size_t> number(); ///< decimal digits
    std::size_t sequence();              ///< "_" is 0, "0_" is 1: of base 36 where a substitution is
    std::string_view digits();

    /// What a name tells of the function that has it.
    struct Said {
        bool hasArguments = false; ///< it ends in a template's arguments: its type has the result
        bool isConversion = false, isStructor = false, isExplicit = false;
        std::string qualifiers = {}; ///< " const"
    };
    enum class Result : std::uint8_t { Shown, Hidden };
    const Node* encoding(Result result = Result::Shown);
    const Node* signature(const Node* name, const Said& said, Result result);
    const Node* special();
    const Node* callOffset();
    const Node* name(Said& said);
    const Node* nested(Said& said);
    const Node* local(Said& said);
    const Node* unscoped(Said& said);
    const Node* unqualified(const Node* scope, Said& said, const Node* of = nullptr);
    const Node* module(const Node* around);
    const Node* tags(const Node* name);
    const Node* sourceName();
    const Node* operatorName(Said& said);
    const Node* structor(Said& said);
    const Node* unnamed();
    const Node* lambda();
    const Node* lambdaParameter(Nodes& names);
    const Node* substitution(bool& isName);
    const Node* abbreviation();
    void discriminator();

    const Node* arguments();
    const Node* argument();
    const Node* parameter();

    const Node* type();
    const Node* plainType();
    const Node* extendedType();
    const Node* floatType();
    const Node* vectorType();
    const Node* functionType(std::string qualifiers);
    const Node* arrayType();
    const Node* memberType();
    const Node* decltypeType();
    const Node* types(); ///< of parameters, to their end; "()" of void
    std::string qualifiers();

    const Node* expression();
    const Node* operation(std::string_view code);
    const Node* literal();
    const Node* unresolved();
    const Node* unresolvedScope();
    const Node* list(char end = 'E');
    const Node* inBrackets(const Node* node) { return joined({text("("), node, text(")")}); }

    std::string_view m_in;
    std::size_t m_at = 0;
    int m_depth = 0, m_steps = 0;
    bool m_ok = true;
    std::deque<Node> m_nodes;
    ItaniumPrinter::Budget m_budget;
    Nodes m_substitutions;
    const Node* m_arguments = nullptr; ///< of the last template in the name of a function that is read
    bool m_namesFunction = false;      ///< such a name is read, not a type
    std::string m_last;                ///< the last name of a class, for its constructors
};
} // namespace dscope::demangle
