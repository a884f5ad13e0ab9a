#include "engine/language/elsewhere.h"
#include "engine/syntax/control_lines.h"
#include "engine/syntax/grammar.h"
#include <algorithm>
namespace dscope::syntax {
Grammar::Grammar(const Sources& sources, std::uint32_t file, std::string_view text, const Macros* macros, const IsType& isType)
    : m_sources(sources), m_file(file), m_macros(macros), m_isType(isType), m_lexer(text, file, macros)
{
}
Grammar::Deeper::Deeper(Grammar& grammar) : m_grammar(grammar)
{
    if (++m_grammar.m_depth > kMaxDepth) m_grammar.fail("D_SYNTAX", m_grammar.m_token.at, "program is nested too deeply");
}

void Grammar::fail(std::string_view tag, Span at, std::string message, std::vector<std::string> hints)
{
    if (m_failure) return;
    m_failure = Failure{tag, at, std::move(message), std::move(hints)};
    m_token = {Token::Kind::End, at, {}};
}
void Grammar::object(const std::optional<Objection>& objection, Span at)
{
    if (objection) fail(objection->tag, told(at), objection->message);
}
/// Where to complain about something just read: dtrace names the line it has read up to.
Span Grammar::told(Span at) const
{
    if (m_token.at.begin < at.end) return at;
    const auto between = std::string_view(m_sources.at(m_file).text).substr(at.begin, m_token.at.begin - at.begin);
    return between.find('\n') == std::string_view::npos ? at : m_token.at;
}
void Grammar::advance()
{
    if (m_failure) return;
    m_end = m_token.at.end;
    m_afterNewName = m_token.isWord() && !isKeyword(m_token.text) && !isBuiltin(m_token.text) && !m_seen.contains(m_token.text);
    if (m_token.isWord()) m_seen.insert(m_token.text);
    m_token = m_lexer.next(m_mode);
    if (const auto& failure = m_lexer.failure()) fail(failure->tag, failure->at, failure->message, failure->hints);
}
Token Grammar::peek() const
{
    Lexer ahead = m_lexer;
    return ahead.next(m_mode);
}
bool Grammar::accept(std::string_view spelling)
{
    if (!at(spelling)) return false;
    advance();
    return true;
}
bool Grammar::expect(std::string_view spelling)
{
    if (accept(spelling)) return true;
    unexpected();
    return false;
}
std::string Grammar::name()
{
    auto text = m_token.text;
    if (!m_token.isWord()) {
        unexpected();
        return {};
    }
    advance();
    return text;
}
/// What dtrace quotes in "syntax error near": the token, or, for a name it has not met before, the rest of the line
/// (it has looked ahead to tell types from variables by then).
std::string Grammar::nearText() const
{
    const auto spelling = m_sources.text(m_token.at);
    if (!m_token.isWord() || isKeyword(m_token.text) || isBuiltin(m_token.text) || m_seen.contains(m_token.text))
        return std::string(spelling);
    const std::string_view rest = std::string_view(m_sources.at(m_file).text).substr(m_token.at.begin);
    return std::string(rest.substr(0, rest.find('\n')));
}
void Grammar::unexpected(std::vector<std::string> hints)
{
    if (m_failure) return;
    if (ended()) {
        if (hints.empty() && m_open > 0)
            hints.push_back(m_open == 1 ? "a } is missing: the text ends within { }"
                                        : std::to_string(m_open) + " } are missing: the text ends within { }");
        fail(
            "D_SYNTAX", m_token.at, m_afterNewName ? "syntax error near end-of-input" : "syntax error near end of input", std::move(hints));
    } else
        fail("D_SYNTAX", m_token.at, "syntax error near \"" + nearText() + "\"", std::move(hints));
}

void Grammar::program(ast::Program& into, std::vector<ast::Pragma> pragmas)
{
    auto pragma = pragmas.begin();
    const auto pragmasBefore = [&](std::uint32_t begin) {
        for (; pragma != pragmas.end() && pragma->at.begin < begin; ++pragma)
            into.items.push_back({std::move(*pragma)});
    };
    m_mode = Mode::Probe;
    advance();
    while (!ended()) {
        pragmasBefore(m_token.at.begin);
        item(into);
    }
    pragmasBefore(UINT32_MAX);
}

/// A script of SystemTap: D has no two names of probes behind each other.
bool Grammar::isOfSystemTap()
{
    if (m_token.kind != Token::Kind::ProbeName || isType(m_token.text)) return false;
    const std::string_view rest = std::string_view(m_sources.at(m_file).text).substr(m_token.at.begin);
    const auto next = rest.find_first_not_of(" \t\n", m_token.text.size());
    if (next == std::string_view::npos || next == m_token.text.size() || !isWordPart(rest[next])) return false;
    auto hint = language::systemTapHint(rest);
    if (hint.empty()) return false;
    unexpected({std::move(hint)});
    return true;
}

void Grammar::item(ast::Program& into)
{
    if (isOfSystemTap()) return;
    Declarations found;
    const bool declares = m_token.kind == Token::Kind::ProbeName && beginsDeclaration();
    if (declares) {
        m_mode = Mode::Expression;
        m_lexer.back(m_token);
        m_token.kind = Token::Kind::Punctuation; // not a word of the program: read again
        advance();
        if (at("inline"))
            inlineDefinition(found);
        else if (at("translator"))
            translator(found);
        else if (at("provider"))
            provider(found);
        else
            declaration(found);
    }

    ast::Clause made;
    if (!declares) made = clause();
    if (m_failure) return;
    for (auto* list : {&m_nested, &found}) {
        for (auto& d : *list)
            into.items.push_back({std::move(d)});
        list->clear();
    }
    if (!declares) into.items.push_back({std::move(made)});
}

/// A probe name such as `tick-1s` or the start of a declaration such as `int*x;`? Both are made of the same characters.
bool Grammar::beginsDeclaration()
{
    const std::string_view text = m_token.text;
    if (isKeyword(text)) return true;
    if (m_macros && m_macros->probeNamesFirst) return false;
    if (text.find_first_of(":-.?!`$[") != std::string_view::npos || text == "BEGIN" || text == "END" || text == "ERROR") return false;
    const auto star = text.find('*');
    const auto word = text.substr(0, star);
    if (word.empty()) return false;
    if (isTypeKeyword(word) || isType(word)) return true;
    if (!isLikelyType(word)) return false;
    Lexer ahead = m_lexer;
    ahead.back(m_token);
    ahead.next(Mode::Expression);
    Token next = ahead.next(Mode::Expression);
    while (next.is("*"))
        next = ahead.next(Mode::Expression);
    return next.isWord();
}

ast::Clause Grammar::clause()
{
    const auto begin = m_token.at;
    ast::Clause made;
    do {
        made.probes.push_back(probeSpec());
    } while (!m_failure && accept(","));
    made.at = since(begin);
    if (at("/")) {
        const auto predicate = m_token.at;
        m_mode = Mode::Predicate;
        advance();
        made.predicate = expression();
        noteCondition(*made.predicate);
        m_mode = Mode::Expression;
        if (m_token.kind != Token::Kind::PredicateEnd) {
            if (this->at("{") || ended())
                unexpected({"a / is missing: a predicate stands between two of them, PROBE /CONDITION/ { ... }"});
            else if (auto hint = language::foreignProbeHint(made.probes.back().text); !hint.empty())
                unexpected({std::move(hint)}); // the path of a program in a probe: uprobe:/bin/bash:readline
            else
                unexpected();
            return made;
        }
        const auto at = made.predicate->at;
        advance();
        if (!this->at("{")) {
            fail("D_SYNTAX", Span{at.file, at.begin, std::max(at.end, predicate.end)},
                "expected actions { } following probe description and predicate");
            return made;
        }
    }

    if (at("{")) {
        m_mode = Mode::Expression;
        ++m_open;
        advance();
        made.hasBody = true;
        made.body = block();
        m_mode = Mode::Probe;
        made.at = {begin.file, begin.begin, m_token.at.end};
        expect("}");
        --m_open;
        return made;
    }
    if (!m_failure && !m_sources.at(m_file).name.empty())
        fail("D_SYNTAX", made.probes.front().at, "expected predicate and/or actions following probe description");
    return made;
}

ast::ProbeSpec Grammar::probeSpec()
{
    ast::ProbeSpec spec{m_token.text, m_token.at};
    if (m_token.kind == Token::Kind::ProbeName)
        spec.text = expandedProbe(m_token);
    else if (m_token.kind != Token::Kind::Integer) {
        unexpected();
        return spec;
    }
    advance();
    return spec;
}

/// $1, $$1 and $target within a probe description.
std::string Grammar::expandedProbe(const Token& token)
{
    if (!m_macros) return token.text;
    std::string out;
    const std::string_view text = token.text;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] != '$' || i + 1 == text.size()) {
            out += text[i++];
            continue;
        }
        std::size_t end = i + 1;
        if (text[end] == '$' && end + 1 < text.size()) ++end; // $$1: here the same as $1, which is text in any case
        const bool number = text[end] >= '0' && text[end] <= '9';
        if (number)
            while (end < text.size() && text[end] >= '0' && text[end] <= '9')
                ++end;
        else
            while (end < text.size() && isWordPart(text[end]) && text[end] != '`')
                ++end;
        const Span at{token.at.file, token.at.begin + static_cast<std::uint32_t>(i), token.at.begin + static_cast<std::uint32_t>(end)};
        Lexer lexer(text.substr(i, end - i), m_file, m_macros);
        const bool wasNamed = m_macros->zeroTarget.has_value();
        const Token value = lexer.next(Mode::Expression);
        if (!wasNamed && m_macros->zeroTarget) m_macros->zeroTarget = at;
        if (const auto& failure = lexer.failure()) {
            fail(failure->tag, at, failure->message, failure->hints);
            return out;
        }
        out += value.negative ? "-" + value.text : value.text;
        i = end;
    }
    return out;
}

std::vector<ast::Statement> Grammar::block()
{
    const Deeper deeper(*this);
    std::vector<ast::Statement> body;
    while (!ended() && !at("}"))
        statement(body);
    return body;
}

void Grammar::statement(std::vector<ast::Statement>& into)
{
    if (accept(";")) return;
    const auto begin = m_token.at;
    ast::Statement made;
    if (at("if")) {
        into.push_back(ifStatement());
        return;
    }
    if ((at("this") || at("self")) && peek().isWord()) {
        made.kind = ast::Statement::Kind::Declaration;
        declaration(made.declarations);
        made.at = since(begin);
        into.push_back(std::move(made));
        return;
    }
    made.expr = expression();
    made.at = since(begin);
    if (!at("}") && !accept(";")) {
        // What begins a statement. Behind a bare name it is rather a declaration of C, which has no place here.
        const bool begins = m_token.kind == Token::Kind::Aggregation
            || (m_token.isWord() && (!isKeyword(m_token.text) || at("this") || at("self") || at("if")));
        const bool isName = made.expr && made.expr->kind == ast::ExprKind::Identifier;
        unexpected(begins && !isName ? std::vector<std::string>{"a ; is missing before it"} : std::vector<std::string>());
    }
    into.push_back(std::move(made));
}

/// if (condition) statement-or-block [else statement-or-block]. Source: illumos, "if" in D programs (2014).
ast::Statement Grammar::ifStatement()
{
    const Deeper deeper(*this);
    ast::Statement made;
    made.kind = ast::Statement::Kind::If;
    const auto begin = m_token.at;
    const auto branch = [&](std::vector<ast::Statement>& body) {
        if (accept("{")) {
            ++m_open;
            body = block();
            expect("}");
            --m_open;
        } else
            statement(body);
    };
    advance();
    expect("(");
    made.expr = expression();
    noteCondition(*made.expr);
    expect(")");
    branch(made.then);
    if (accept("else")) branch(made.otherwise);
    made.at = since(begin);
    return made;
}

ast::Program parse(const Sources& sources, std::uint32_t file, const Macros& macros, Diagnostics& diagnostics, const IsType& isType)
{
    ast::Program program;
    auto pragmas = readPragmas(sources, file);
    const auto hasOption = [&](std::string_view name) {
        return std::any_of(
            pragmas.all.begin(), pragmas.all.end(), [&](const ast::Pragma& p) { return p.text == "option " + std::string(name); });
    };
    // These options are about reading the program: nobody else can heed them in time.
    Macros known = macros;
    known.defaultArgs = macros.defaultArgs || hasOption("defaultargs");
    known.probeNamesFirst = macros.probeNamesFirst || hasOption("pspec");
    known.used.resize(std::max(known.used.size(), known.arguments.size()));
    if (known.defaultArgs || hasOption("argref")) std::fill(known.used.begin(), known.used.end(), true);
    Grammar grammar(sources, file, pragmas.text, &known, isType);
    grammar.program(program, std::move(pragmas.all));
    macros.used = std::move(known.used);
    if (!macros.zeroTarget) macros.zeroTarget = known.zeroTarget;
    macros.asksForTarget = macros.asksForTarget || known.asksForTarget;
    const auto* failure = grammar.failure() ? &*grammar.failure() : nullptr;
    if (pragmas.failure && (!failure || pragmas.failure->at.begin < failure->at.begin)) failure = &*pragmas.failure;
    if (failure) diagnostics.error(failure->tag, failure->at, failure->message).hints = failure->hints;
    return program;
}

ast::ExprPtr Grammar::wholeExpression()
{
    advance();
    auto expr = expression();
    if (!ended()) unexpected();
    return m_failure ? nullptr : std::move(expr);
}
ast::ExprPtr parseExpression(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics)
{
    Grammar grammar(sources, file, sources.at(file).text, nullptr);
    auto expr = grammar.wholeExpression();
    if (const auto& failure = grammar.failure()) diagnostics.error(failure->tag, failure->at, failure->message).hints = failure->hints;
    return expr;
}
} // namespace dscope::syntax
