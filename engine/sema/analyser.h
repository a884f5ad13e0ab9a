#pragma once
#include "engine/language/functions.h"
#include "engine/sema/analyse.h"
#include "engine/sema/fold.h"
#include "engine/sema/rules.h"
#include "engine/sema/scope.h"
#include "engine/sema/widths.h"
#include "engine/syntax/parser.h"
#include <optional>
#include <set>
#include <sstream>
namespace dscope::sema {
struct StackRow;
struct SymbolRow;
/// The result of analysing an expression. Empty after an error, which has been reported by then.
struct Value {
    ExprPtr expr; ///< of a translated value: its input, not yet translated
    const Translator* translator = nullptr;
    bool throughPointer = false; ///< translated: a pointer to the output type
    bool lvalue = false, writable = false;
    explicit operator bool() const { return expr != nullptr; }
};
/// Names that mean expressions while a translator or an inline is expanded.
struct Bindings {
    std::map<std::string, Value, std::less<>> names;
};
/// The D expressions of a provider's description see raw[] and the variables of libraries, not those of the program.
enum class Where : std::uint8_t { Program, Provider };

/// What is known while one clause is analysed.
struct ClauseState {
    const ast::Clause* clause = nullptr;
    std::string description;                             ///< of the first probe description that matched
    std::vector<probe::Registry::Probe> probes;          ///< all that the clause enables
    std::vector<const probe::Description*> descriptions; ///< of `probes`
    std::set<std::size_t> arguments;                     ///< n of argN and args[n] used
    bool speculates = false, commits = false, records = false, aggregates = false;
    bool outOfOrder = false; ///< reported already: the rest of the clause reports it no more
};

/// One compilation. Methods are grouped by construct, a file each.
class Analyser {
public:
    /// `widths`: what earlier analyses of the same program have found.
    Analyser(syntax::Sources& sources, const Environment& environment, Diagnostics& diagnostics, Widths& widths);
    std::optional<Program> run(const std::vector<Input>& inputs);

private:
    // analyse.cpp
    void pragma(const ast::Pragma& pragma);
    void requireArgumentsUsed(Span at);
    void requireResultsGivable();
    void findCallsListeners();
    void requirePragmasUsed(const std::vector<Input>& inputs);
    void loadUserLibraries();

    // clauses.cpp
    void clause(const ast::Clause& clause);
    void instance(const ast::Clause& clause, ClauseState state);
    void requireStability(const ast::Clause& clause);
    std::vector<Statement> statements(const std::vector<ast::Statement>& body);
    void statement(const ast::Statement& statement, std::vector<Statement>& into);
    ExprPtr condition(const ast::Expr& expr, std::string_view tag, std::string_view message);
    /// The branch of a ?: that a constant condition chooses, as dtrace does it while it parses: the other is no part of the
    /// program, whatever stands there. nullptr when the condition is known only at run time.
    const ast::Expr* chosen(const ast::Expr& conditional);
    bool isConstant(const ast::Expr& e);

    // probes.cpp
    struct Matched {
        std::string description;
        std::vector<probe::Registry::Probe> probes;
    };
    /// `bare`: of a clause that is nothing but descriptions.
    std::optional<Matched> match(const ast::ProbeSpec& spec, bool bare);
    /// Whether a description has probes.
    enum class Found : std::uint8_t { None, Some };
    struct RenamedCall {
        probe::Pattern named, ours;
        Span at;
        Found found;
    };
    void noteRenamedCall(const probe::Pattern& pattern, Span at, Found found);
    void warnOfRenamedCalls();
    enum class Types : std::uint8_t { AreNotAskedFor, Known }; ///< of args[]
    const probe::Description* describe(const probe::Registry::Probe& probe, Span at, Types types = Types::AreNotAskedFor);
    std::size_t enabled(const probe::Registry::Probe& probe, Span at); ///< index into Program::probes
    void accompany(const std::string& companion, const std::string& provider);
    void attach(EnabledProbe& probe, const std::vector<probe::Hook>& hooks);
    void requireArguments(EnabledProbe& into, const probe::Description& description, const std::set<std::size_t>& arguments, Span at);
    ExprPtr providerExpression(const std::string& expressionText, const std::string& native, const std::string& provider);
    const Type* typeFromText(const std::string& name, const std::string& provider);
    /// A variable whose assignment had an error: that was reported, so that it is missing need not be. If only clauses without
    /// probes (-Z) assign to it, nothing was reported, and it is missing.
    bool isMissedAlready(ast::Scope scope, const std::string& name) const
    {
        return m_scope.poisoned.contains({scope, name}) && !m_diagnostics.ok();
    }
    /// In a clause without probes (-Z). The types of args[] are unknown there, so assignments from them are dropped.
    bool isNeverRun() const { return m_clause && m_clause->probes.empty(); }

    // expressions.cpp
    Value expression(const ast::Expr& e);
    ExprPtr rvalue(const ast::Expr& e); ///< a plain value; translated ones are an error
    ExprPtr rvalue(const Value& value, Span at);
    /// What a variable or a tuple keeps of `value`: of a stack its frames, a dt_stack_t.
    ExprPtr kept(const ExprPtr& value) const;
    std::vector<ExprPtr> keptAll(std::vector<ExprPtr> values) const;
    Value integerLiteral(const ast::Expr& e);
    Value identifier(const ast::Expr& e);
    Value scopedVariable(const ast::Expr& e, ast::Scope scope);
    bool isVisible(ast::Scope scope, const std::string& name) const;
    Value symbolReference(const ast::Expr& e);
    Value builtin(const ast::Expr& e, std::string_view name);
    std::vector<Cpu> describeCpus() const;
    Value variableReference(const Variable& variable, Span at);
    Value sizeOf(const ast::Expr& e);
    Value offsetOf(const ast::Expr& e);
    Value castTo(const ast::Expr& e);
    Value stringOf(const ast::Expr& e);

    // operators.cpp
    Value unary(const ast::Expr& e);
    Value binary(const ast::Expr& e);
    Value conditional(const ast::Expr& e);
    Value comma(const ast::Expr& e);
    Value step(const ast::Expr& e);
    Value addressOf(const ast::Expr& e);
    ExprPtr arithmetic(ast::Op op, ExprPtr left, ExprPtr right, Span at);
    ExprPtr comparison(const ast::Expr& e, ExprPtr left, ExprPtr right);
    ExprPtr indexInto(const Type* array, ExprPtr index, Span at);
    ExprPtr offsetPointer(ast::Op op, const ExprPtr& pointer, ExprPtr index, Span at);
    Value incompatible(ast::Op op, const ExprPtr& left, const ExprPtr& right, Span at);

    // assignments.cpp
    Value assign(const ast::Expr& e);
    Value assignTranslated(const ast::Expr& target, const Value& translated, Span at);
    std::optional<Value> assignLetter(const ast::Expr& target, const ExprPtr& value, Span at);
    Value assignTarget(const ast::Expr& e, const ExprPtr& value);
    void requireStorable(const Value& target, Span at);
    bool createElement(const ast::Expr& target, const Type* type);
    bool assignable(const Type* type, const ExprPtr& value, Span at);
    ExprPtr assigned(const Value& target, const ExprPtr& value, std::string_view op, Span at);
    Variable* declaredBy(const ast::Expr& target, const Type* type);

    // undeclared.cpp
    Variable& addUndeclared(ast::Scope scope, const std::string& name, const Type* type, std::vector<const Type*> tuple = {});
    const Type* undeclaredType(const Undeclared& place, const Type* first);
    void give(const Undeclared& place, const Type* type);
    void giveVariable(const Expr& target, const Type* type);
    void giveKeys(const Variable& variable, const std::vector<ExprPtr>& keys);
    Width widthOf(const Type* type) const;
    const Type* typeOf(const Width& width, const Type* first);
    ExprPtr asIn(const ExprPtr& value, const Type* type);

    // scratch_pointers.cpp
    bool isScratch(const Expr& pointer) const;
    bool leadsIntoScratch(const Expr& e) const;
    bool leadsIntoProcess(const Expr& e) const;
    bool keepsScratch(const Expr& target, const Expr& value, Span at);

    // members.cpp
    Value member(const ast::Expr& e);
    enum class MemberOp : std::uint8_t { Dot, Arrow };
    std::vector<Choice> choicesOf(const types::Type* type);
    Value memberOf(const Value& object, const std::string& name, MemberOp by, Span at);
    Value index(const ast::Expr& e);
    Value madeOf(std::string_view construct, std::string_view text, const ExprPtr& given);
    Value element(const Variable& variable, const ast::Expr& e);
    Value dereference(const Value& pointer, Span at);
    ExprPtr decayed(const Value& value);
    Value argumentsElement(const ast::Expr& e);
    Value rawWord(const ast::Expr& e);
    Value userRegister(const ast::Expr& e);
    Value argumentByName(const ast::Expr& e);
    std::string namesArgument(const std::string& name) const;
    Value probeArgument(std::size_t n, Span at);
    Value argumentElsewhere(std::size_t n, const Type* native, Span at);

    // translators.cpp
    Value xlate(const ast::Expr& e);
    const Translator* translatorFor(const Expr& input, const Type* output);
    Value translatedMember(const Value& object, const std::string& name, Span at);
    Value expandInline(const Inline& in, const ast::Expr& e);
    Value translated(const ExprPtr& input, const Type* output, Span at);

    // calls.cpp
    Value call(const ast::Expr& e);
    void warnOfNoAddress(const ast::Expr& call, const Expr& address);
    Value construct(const ast::Expr& e, const language::Construct& row);
    Value subroutine(const ast::Expr& e, std::size_t index);
    const syntax::Prototype& prototype(std::size_t subroutine);
    Value stackCall(const ast::Expr& e, const StackRow& row);
    Value symbolCall(const ast::Expr& e, const SymbolRow& row);
    bool checkCount(const ast::Expr& e, std::string_view name, std::size_t least, std::size_t most);
    bool checkSignature(
        std::string_view name, std::string_view what, const std::vector<const Type*>& wanted, const std::vector<ExprPtr>& given, Span at);
    std::vector<ExprPtr> rvalues(const std::vector<ast::ExprPtr>& kids, std::size_t from = 0);

    // aggregations.cpp
    bool isAggregation(const ast::Expr& e) const;
    void aggregate(const ast::Expr& assignment, Statement& into);
    // by_cpu.cpp
    bool keepsCpus() const;
    Aggregation& addAggregation(const std::string& name);
    void aggregateByCpu(const ast::Expr& assignment, std::vector<Statement>& into);
    void controlByCpu(std::vector<Statement>& into);
    // aggregations.cpp
    bool aggregationKeys(const ast::Expr& target, Aggregation& aggregation, bool isNew, Statement& into);
    bool aggregationParameters(const ast::Expr& call, record::Aggregator function, std::array<std::int64_t, 4>& into, std::size_t& weight);
    bool sameParameters(const Aggregation& known, const std::array<std::int64_t, 4>& now, Span at);
    const Aggregation* aggregationArgument(const ast::Expr& call, std::size_t n, std::string_view tag, std::string_view undefinedTag);

    // actions.cpp, print_action.cpp, pcap_action.cpp
    bool action(const ast::Expr& call, Span at, std::vector<Statement>& into);
    void record(Statement& statement, const ast::Expr& written, ExprPtr value);
    bool traceAction(const ast::Expr& call, Statement& into);
    bool tracememAction(const ast::Expr& call, Statement& into);
    bool printAction(const ast::Expr& call, Statement& into); // print_action.cpp
    bool pcapAction(const ast::Expr& call, Statement& into);  // pcap_action.cpp
    bool printfAction(const ast::Expr& call, Statement& into);
    bool printaAction(const ast::Expr& call, Statement& into);
    bool freopenAction(const ast::Expr& call, Statement& into);
    bool aggregationAction(const ast::Expr& call, Statement& into);
    bool stackAction(const ast::Expr& call, Statement& into);
    bool plainAction(const ast::Expr& call, Statement& into);
    bool setoptAction(const ast::Expr& call, Statement& into);
    std::optional<std::string> formatArgument(const ast::Expr& call);
    void nameAddresses();
    void nameAddresses(std::vector<Statement>& body);
    ExprPtr namedAddress(const ExprPtr& address, types::Space space);
    bool checkFormat(const ast::Expr& call, std::string_view format, std::size_t firstArgument, std::vector<ExprPtr>& args,
        const Aggregation* aggregation);
    enum class Effect : std::uint8_t { Harmless, Destructive };
    bool recordsData(record::ActionKind kind, Effect effect, Span at);

    // declarations.cpp
    void declare(const ast::Declaration& d);
    void declareVariable(const ast::Declaration& d);
    void declareStruct(const ast::Declaration& d);
    void declareEnum(const ast::Declaration& d);
    void declareTypedef(const ast::Declaration& d);
    void declareInline(const ast::Declaration& d);
    void declareTranslator(const ast::Declaration& d);
    const Type* resolve(const ast::TypeName& name);
    const Type* namedType(const std::string& base, Span at);
    const Type* findType(const std::string& name);

    // libraries.cpp
    bool loadLibraryWith(std::string_view name);
    bool loadAllLibraries();
    bool libraryDefinesInline(std::string_view name) const;
    void giveWay(const std::string& name);
    void load(std::size_t library);

    // making expressions
    std::shared_ptr<Expr> make(ExprKind kind, const Type* type, Span at, std::vector<ExprPtr> kids = {}) const;
    ExprPtr converted(ExprPtr value, const Type* type); ///< to `type`; strings from char * and char []
    ExprPtr nullString(Span at) const;
    ExprPtr asString(const ExprPtr& value);
    const Type* named(std::string_view name); ///< a type that is always there
    const Type* typeOf(const Value& value);
    std::string typeName(const Value& value);
    std::string written(const ast::Expr& e) const; ///< the text of the program
    std::string written(Span span) const;

    // complaining
    template <typename... Parts> static std::string text(const Parts&... parts)
    {
        std::ostringstream out;
        (out << ... << parts);
        return out.str();
    }

    template <typename... Parts> Value error(std::string_view tag, Span at, const Parts&... parts)
    {
        m_diagnostics.error(tag, at, text(parts...));
        return {};
    }
    /// What can be done with an aggregation where a value is wanted: the hint of the newest diagnostic if `t` is of an aggregation.
    void hintOfVariable(const ast::Expr& aggregation);
    std::string howToPrint(const ast::Expr& argument, const Expr& value) const;
    void hintIfAggregation(const Type* t, std::string_view name = {});
    Value undefined(const ast::Expr& e, const std::string& shown, std::string_view what, const std::vector<std::string>& candidates);

    syntax::Sources& m_sources;
    const Environment& m_environment;
    Diagnostics& m_diagnostics;
    Widths& m_widths;
    std::set<std::pair<ast::Scope, std::string>> m_declared; ///< variables that the program declares somewhere
    std::set<std::uint32_t> m_undeclared;                    ///< by VariableId: those that it declares nowhere
    Program m_program;
    std::shared_ptr<types::TypeTable> m_typeTable;
    types::TypeTable& m_types;
    Scope m_scope;
    std::vector<std::optional<syntax::Prototype>> m_prototypes; ///< of language::kSubroutines, as far as they are used
    std::vector<DLibrary> m_available;                          ///< our own library, then the providers'
    std::vector<bool> m_loaded;                                 ///< by index of m_available
    std::deque<ast::Program> m_libraries;                       ///< their trees: translators and inlines point into them
    const Bindings* m_bindings = nullptr;
    Where m_where = Where::Program;
    ClauseState* m_clause = nullptr;
    bool m_inLibrary = false;
    std::set<std::string, std::less<>> m_kept;                       ///< names that yield, but are used already
    std::set<std::pair<ast::Scope, std::string>> m_libraryVariables; ///< that libraries declare
    std::uint32_t m_depth = 0;                                       ///< of inlines and translators within one another
    std::uint32_t m_expanded = 0;                                    ///< inlines for the outermost of them
    bool m_someClauseSkipped = false;               ///< its probes don't exist: variables that it would define may be missing elsewhere
    std::map<std::uint32_t, std::size_t> m_enabled; ///< index into Program::probes by probe number
    std::map<std::uint32_t, std::unique_ptr<probe::Description>> m_descriptions; ///< by probe number
    std::map<std::string, const Type*> m_typesByText;
    std::map<std::string, ExprPtr> m_providerExpressions; ///< by text and type
    std::deque<ast::ExprPtr> m_trees;                     ///< of provider expressions
    std::set<std::string> m_toldUndefined;
    std::vector<RenamedCall> m_renamedCalls;
    std::map<std::uint32_t, bool> m_holdsScratch;     ///< by VariableId: of pointers, whether into what alloca() gave, or from there
    std::map<std::uint32_t, bool> m_leadsIntoScratch; ///< by VariableId: of pointers, whether into what alloca() gave
    std::set<std::string> m_typedefs;                 ///< names of types that the program itself declares
    std::set<std::string> m_enumerators;
    std::map<std::string, Span> m_aggregationAt; ///< first statement that names it
    std::map<std::pair<std::uint32_t, std::size_t>, bool> m_addresses; ///< by AggregationId and key: those that %a prints, true: %A, too
    std::set<std::string> m_brokenAggregations;  ///< whose first statement was wrong
    std::set<std::string> m_companions;          ///< of providers, compiled already
    std::string m_firstProbe;                    ///< of the current input, as written
    std::size_t m_matches = 0;
    struct Unsupported {
        Span at;
        std::string message, hint;
    };
    bool m_asksKernelStack = false;
    std::vector<Unsupported> m_unsupported;  ///< right D that the machine cannot run
    const Type* m_aggregationType = nullptr; ///< what an aggregation is in an expression: not a value
    const Type* m_aggregatingType = nullptr; ///< the same of count() and the other aggregating functions
    const Type* m_translatedType = nullptr;  ///< the same of what a translator gives, as a whole
    const Type* m_translatedPointerType = nullptr;
    const Type* m_stackValue = nullptr;  ///< dt_stack_t
    const Type* m_tracingType = nullptr; ///< what an action gives: void, and one may not ask for it
};
} // namespace dscope::sema
