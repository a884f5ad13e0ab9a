#pragma once
#include "engine/syntax/declaration_rules.h"
#include "engine/syntax/lexer.h"
#include "engine/syntax/names.h"
#include <map>
#include <set>
namespace dscope::syntax {
/// Recursive descent over D's grammar. After the first failure every method returns quickly with what it has: the
/// current token is then End, and stays so.
/// Source of the grammar: Solaris Dynamic Tracing Guide, "D Program Structure" and "Types, Operators, and Expressions".
class Grammar {
public:
    Grammar(const Sources& sources, std::uint32_t file, std::string_view text, const Macros* macros, const IsType& isType = {});

    void program(ast::Program& into, std::vector<ast::Pragma> pragmas);
    ast::ExprPtr wholeExpression();
    Prototype prototype();
    const std::optional<Failure>& failure() const { return m_failure; }

private:
    using Mode = Lexer::Mode;
    /// How deep trees and nesting may get, so that no program overflows a stack, here or in later passes.
    static constexpr std::uint32_t kMaxDepth = 500;
    class Deeper;

    // tokens
    void advance();
    Token peek() const;
    bool at(std::string_view spelling) const { return m_token.is(spelling); }
    bool accept(std::string_view spelling);
    bool expect(std::string_view spelling);
    bool ended() const { return m_token.kind == Token::Kind::End; }
    std::string name();
    void fail(std::string_view tag, Span at, std::string message, std::vector<std::string> hints = {});
    void unexpected(std::vector<std::string> hints = {});
    std::string nearText() const;
    void object(const std::optional<Objection>& objection, Span at);
    Span told(Span at) const;
    Span since(Span begin) const { return {begin.file, begin.begin, m_end}; }

    // parse_program.cpp
    void item(ast::Program& into);
    bool isOfSystemTap();
    bool beginsDeclaration();
    ast::Clause clause();
    ast::ProbeSpec probeSpec();
    std::vector<ast::Statement> block();
    void statement(std::vector<ast::Statement>& into);
    ast::Statement ifStatement();
    std::string expandedProbe(const Token& token);

    /// Where declarations go; structs and enums defined within a type come before what uses them.
    using Declarations = std::vector<ast::Declaration>;

    // parse_declaration.cpp
    void declaration(Declarations& into);
    void inlineDefinition(Declarations& into);
    void translator(Declarations& into);
    void provider(Declarations& into);

    // parse_specifiers.cpp
    struct Specifiers {
        ast::TypeName type;
        std::string storage; ///< typedef, this, self, static, ...
        bool any = false;
    };
    struct SpecifierRules {
        bool isParameter = false, withStorage = false;
    };
    Specifiers specifiers(Declarations& into, SpecifierRules rules);
    void structSpecifier(Declarations& into, ast::TypeName& type);
    void enumSpecifier(Declarations& into, ast::TypeName& type);
    void fields(Declarations& into, ast::Declaration& definition);
    void field(const ast::TypeName& type, ast::Declaration& definition);
    void enumerator(ast::Declaration& definition, std::int64_t& value);
    void define(const std::string& type);
    bool beginsType() const;
    bool isType(std::string_view word) const;
    bool isLikelyType(std::string_view word) const;
    bool couldBeType(std::string_view word) const;

    // parse_declarator.cpp
    struct Declarator {
        std::string name;
        Span at;
        std::vector<ast::TypeName::Modifier> modifiers;
        std::vector<std::vector<std::string>> parameterNames; ///< of each Function or tuple, in step with modifiers
    };
    struct DeclaratorRules {
        bool needsName = false, mayBeAbstract = false;
    };
    Declarator declarator(DeclaratorRules rules);
    void directDeclarator(Declarator& into, DeclaratorRules rules);
    void arraySuffix(ast::TypeName::Modifier& modifier, std::vector<std::string>& names);
    std::vector<ast::TypeName> parameters(std::string_view closing, std::vector<std::string>& names, bool& variadic);
    ast::TypeName typeName();

    // constant.cpp
    std::optional<std::int64_t> constant(const ast::Expr& expr) const;

    // parse_expression.cpp
    ast::ExprPtr expression();
    ast::ExprPtr assignment();
    ast::ExprPtr conditional();
    ast::ExprPtr binary(int precedence);
    ast::ExprPtr cast();
    ast::ExprPtr unary();
    ast::ExprPtr postfix();
    ast::ExprPtr primary();
    ast::ExprPtr sizeofExpression();
    bool beginsCast();
    bool beginsParenthesizedType() const;
    void arguments(ast::Expr& into, std::string_view closing);
    ast::ExprPtr make(ast::ExprKind kind, Span begin);
    ast::ExprPtr with(ast::ExprPtr parent, ast::ExprPtr kid);
    void noteCondition(const ast::Expr& condition) const;
    void noteGuard(const ast::Expr& left, const ast::Expr& right) const;
    void noteComparison(const ast::Expr& left, const ast::Expr& right) const;

    const Sources& m_sources;
    std::uint32_t m_file;
    const Macros* m_macros;
    IsType m_isType;
    Lexer m_lexer;
    Mode m_mode = Mode::Expression;
    Token m_token;
    std::uint32_t m_end = 0;     ///< where the token before the current one ended
    int m_open = 0;              ///< { that are not closed yet
    bool m_afterNewName = false; ///< dtrace words the end of the text differently there
    std::optional<Failure> m_failure;
    std::uint32_t m_depth = 0;
    std::uint32_t m_anonymous = 0;
    std::set<std::string, std::less<>> m_typedefs, m_variables, m_seen;
    std::set<std::string, std::less<>> m_defined;                 ///< struct, union and enum types with members
    std::map<std::string, std::int64_t, std::less<>> m_constants; ///< enumerators, and inlines with a constant value
    Declarations m_nested; ///< structs defined where no declaration is expected: in casts, parameters
};
/// Counts nesting while it lives; fails the grammar when there is too much.
class Grammar::Deeper {
public:
    explicit Deeper(Grammar& grammar);
    ~Deeper() { --m_grammar.m_depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

private:
    Grammar& m_grammar;
};
} // namespace dscope::syntax
