#include "engine/base/result.h"
#include "graph/budget.h"
#include "graph/budget_words.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
// Reads what budgetOf() is given; the grammar is in budget.h.
namespace dscope::graph {
namespace {
constexpr std::string_view kAllFunctions = "count, sum, total, avg, min, max, share or a percentile as p99";
struct BudgetUnit {
    std::string_view name;
    Budget::Dimension dimension;
    double size;
};
constexpr double kKilo = 1024;
constexpr std::array<BudgetUnit, 17> kBudgetUnits{
    {{"", Budget::Dimension::Plain, 1}, {"k", Budget::Dimension::Plain, 1e3}, {"M", Budget::Dimension::Plain, 1e6},
        {"G", Budget::Dimension::Plain, 1e9}, {"%", Budget::Dimension::Percent, 1}, {"points", Budget::Dimension::Percent, 1},
        {"ns", Budget::Dimension::Time, 1}, {"us", Budget::Dimension::Time, 1e3}, {"\u00b5s", Budget::Dimension::Time, 1e3},
        {"ms", Budget::Dimension::Time, 1e6}, {"s", Budget::Dimension::Time, 1e9}, {"min", Budget::Dimension::Time, 60e9},
        {"h", Budget::Dimension::Time, 3600e9}, {"B", Budget::Dimension::Size, 1}, {"KiB", Budget::Dimension::Size, kKilo},
        {"MiB", Budget::Dimension::Size, kKilo* kKilo}, {"GiB", Budget::Dimension::Size, kKilo* kKilo* kKilo}}};
constexpr std::string_view kAllUnits = "%, points, ns, us, ms, s, min, h, B, KiB, MiB, GiB, k, M or G";

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Reads a budget from left to right.
class BudgetReader {
public:
    explicit BudgetReader(std::string_view text) : m_text(text) { }

    Result<Budget> read()
    {
        Budget budget;
        budget.text = m_text;
        DSCOPE_CHECK(readFunction(budget));
        if (!take("(")) return expected("\"(\" and what it is of");
        DSCOPE_CHECK(readWhat(budget));
        if (!take(")")) return expected("\")\"");
        DSCOPE_CHECK(readRelation(budget));
        DSCOPE_CHECK(readBound(budget));
        skip();
        if (m_at < m_text.size()) return expected("the end");
        return budget;
    }

private:
    void skip()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
    }

    bool take(std::string_view word)
    {
        skip();
        if (!m_text.substr(m_at).starts_with(word)) return false;
        m_at += word.size();
        return true;
    }

    template <typename Test> std::string_view takeWhile(Test test)
    {
        const auto from = m_at;
        while (m_at < m_text.size() && test(m_text[m_at]))
            ++m_at;
        return m_text.substr(from, m_at - from);
    }

    Error wrong(std::size_t at, const std::string& why) const
    {
        return Error{0, '"' + std::string(m_text) + "\", character " + std::to_string(at + 1) + ": " + why};
    }

    /// What stands here instead, to the next blank or bracket.
    Error expected(const std::string& what)
    {
        skip();
        auto end = m_text.find_first_of(" \t()[],", m_at);
        if (end == m_at) ++end;
        const auto found = m_text.substr(m_at, end - m_at);
        return wrong(m_at, "expected " + what + ", not " + (found.empty() ? "the end" : '"' + std::string(found) + '"'));
    }

    Result<> readFunction(Budget& budget)
    {
        skip();
        const auto from = m_at;
        const auto name = takeWhile([](char c) { return isNamePart(c) || c == '.'; });
        for (const auto& known : kBudgetWords)
            if (known.name == name) {
                budget.function = known.function;
                return {};
            }
        budget.function = Budget::Function::Percentile;
        const auto* end = name.data() + name.size();
        if (name.size() > 1 && name.front() == 'p') {
            const auto number = std::from_chars(name.data() + 1, end, budget.percentile, std::chars_format::fixed);
            if (number.ec == std::errc() && number.ptr == end) {
                if (budget.percentile > 0 && budget.percentile <= 100) return {};
                return wrong(from, "percentiles are above p0 and up to p100, and " + std::string(name) + " is not");
            }
        }
        m_at = from;
        return expected(std::string(kAllFunctions));
    }

    Result<std::string> readQuoted(char quote)
    {
        const auto from = m_at++;
        std::string out;
        for (; m_at < m_text.size() && m_text[m_at] != quote; ++m_at) {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size() && (m_text[m_at + 1] == quote || m_text[m_at + 1] == '\\')) ++m_at;
            out += m_text[m_at];
        }
        if (m_at == m_text.size()) return wrong(from, std::string("the ") + quote + " has no other to end it");
        ++m_at;
        if (out.empty()) return wrong(from, "nothing has no name");
        return out;
    }

    bool isNextOneOf(std::string_view characters)
    {
        skip();
        return m_at < m_text.size() && characters.find(m_text[m_at]) != std::string_view::npos;
    }

    Result<> readWhat(Budget& budget)
    {
        const bool isOfStacks = budget.function == Budget::Function::Share || budget.function == Budget::Function::Total;
        if (isNextOneOf("'\"/")) {
            const auto from = m_at;
            const char quote = m_text[m_at];
            DSCOPE_TRY(auto name, readQuoted(quote));
            if (!isOfStacks) return wrong(from, "a frame of stacks has a share and a total, and nothing else");
            if (quote != '/') {
                budget.of = Budget::NamedFrame{std::move(name)};
                return {};
            }
            auto pattern = NamePattern::of(std::move(name));
            if (!pattern) return wrong(from, pattern.error().message);
            budget.of = *std::move(pattern);
            return {};
        }

        if (!take("@")) return expected(isOfStacks ? "an aggregation as @lat, or a frame as 'main'" : "an aggregation as @lat");
        Budget::Rows rows;
        rows.name = takeWhile(isNamePart);
        if (take("[")) {
            do {
                DSCOPE_CHECK(readKey(rows));
            } while (take(","));
            if (!take("]")) return expected("\",\" or \"]\"");
        }
        budget.of = std::move(rows);
        return {};
    }

    Result<> readKey(Budget::Rows& rows)
    {
        if (take("*")) {
            rows.keys.emplace_back();
            return {};
        }
        if (isNextOneOf("'\"")) {
            DSCOPE_TRY(auto text, readQuoted(m_text[m_at]));
            rows.keys.emplace_back(std::move(text));
            return {};
        }
        skip();
        auto number = takeWhile([](char c) { return isNamePart(c) || c == '-'; });
        if (number.empty() || number.find_first_not_of("-0123456789abcdefxABCDEF") != std::string_view::npos) {
            m_at -= number.size();
            return expected("a key: \"text\", a number or *");
        }
        rows.keys.emplace_back(number);
        return {};
    }

    Result<> readRelation(Budget& budget)
    {
        using Relation = Budget::Relation;
        static constexpr std::array<std::pair<std::string_view, Relation>, 4> kRelations{
            {{"<=", Relation::AtMost}, {"<", Relation::Less}, {">=", Relation::AtLeast}, {">", Relation::More}}};
        for (const auto& [sign, relation] : kRelations)
            if (take(sign)) {
                budget.relation = relation;
                return {};
            }
        return expected("<, <=, > or >=");
    }

    Result<> readBound(Budget& budget)
    {
        const bool isMore = take("+");
        const bool isLess = !isMore && take("-");
        skip();
        const auto digits = takeWhile([](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.'; });
        const auto* end = digits.data() + digits.size();
        const auto number = std::from_chars(digits.data(), end, budget.number, std::chars_format::fixed);
        if (digits.empty() || number.ec != std::errc() || number.ptr != end) {
            m_at -= digits.size();
            return expected("a number");
        }

        skip();
        const auto from = m_at;
        const auto name = takeWhile([](char c) { return !std::isspace(static_cast<unsigned char>(c)); });
        const auto unit = std::find_if(kBudgetUnits.begin(), kBudgetUnits.end(), [&](const BudgetUnit& u) { return u.name == name; });
        if (unit == kBudgetUnits.end()) {
            m_at = from;
            return expected("a unit (" + std::string(kAllUnits) + ")");
        }

        budget.dimension = unit->dimension;
        budget.number *= unit->size * (isLess ? -1 : 1);
        const bool isPoints = name == "points";
        if (isMore || isLess)
            budget.bound = budget.dimension == Budget::Dimension::Percent && !isPoints ? Budget::Bound::Change : Budget::Bound::Distance;
        else if (isPoints)
            return wrong(
                from, "points are what a share gains or loses: write +" + std::string(digits) + " points, or % of the share itself");
        const bool isShare = budget.function == Budget::Function::Share;
        if (budget.bound == Budget::Bound::Value && (budget.dimension == Budget::Dimension::Percent) != isShare)
            return wrong(
                from, isShare ? "a share is in %" : "% is of a share; of what it was before, write +" + std::string(digits) + " %");
        if (budget.bound == Budget::Bound::Distance && isPoints != isShare)
            return wrong(from, isShare ? "a share gains or loses points, or % of itself" : "only a share gains or loses points");
        return {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};
} // namespace

Result<Budget> budgetOf(std::string_view text) { return BudgetReader(text).read(); }
} // namespace dscope::graph
