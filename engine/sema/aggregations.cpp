#include "engine/language/words.h"
#include "engine/sema/analyser.h"
#include "engine/sema/functions.h"
#include "engine/types/stack_value.h"
#include <algorithm>
#include <cmath>
#include <limits>
/// @name[keys] = function(arguments).
namespace dscope::sema {
using record::Aggregator;

bool Analyser::isAggregation(const ast::Expr& e) const { return e.kind == ast::ExprKind::Aggregation; }

/// The aggregation an action names as its n-th argument (from 0).
const Aggregation* Analyser::aggregationArgument(const ast::Expr& call, std::size_t n, std::string_view tag, std::string_view undefinedTag)
{
    const auto& argument = *call.kids[n];
    if (!isAggregation(argument)) {
        if (const auto v = expression(argument))
            error(tag, call.at, call.text, "( ) argument #", n + 1,
                " is incompatible with prototype:\n\tprototype: aggregation\n\t argument: ", typeName(v));
        return nullptr;
    }

    const auto* a = m_scope.aggregation(argument.text);
    if (!a) {
        if (m_someClauseSkipped) return nullptr; // it may be defined there
        auto& d = m_diagnostics.error(undefinedTag, argument.at, text("undefined aggregation: @", argument.text));
        std::vector<std::string> names;
        for (const auto& each : m_scope.aggregations)
            names.push_back(each.name);
        auto near = nearNames(argument.text, names);
        for (auto& name : near)
            name.insert(0, "@");
        if (!near.empty()) d.hints.push_back(didYouMean(near));
        return nullptr;
    }
    if (m_brokenAggregations.contains(a->name)) return nullptr; // what is wrong with it has been told
    return a;
}

/// bpftrace's maps hold values, too: @start[tid] = nsecs.
void Analyser::hintOfVariable(const ast::Expr& aggregation)
{
    m_diagnostics.hint(aggregation.text.empty() ? std::string("@ = sum(x) adds up; a value is kept by a variable: x = ...")
                                                : text("a value is kept by a variable, which has no @: ", aggregation.text,
                                                    "[...] = ..., or self->", aggregation.text, " = ... of each thread"));
}

void Analyser::aggregate(const ast::Expr& assignment, Statement& into)
{
    const auto& target = *assignment.kids[0];
    const auto& call = *assignment.kids[1];
    const auto* row = call.kind == ast::ExprKind::Call ? findAggregator(call.text) : nullptr;
    if (!row) {
        if (expression(call)) {
            error("D_AGG_FUNC", assignment.at, "@", target.text, " must be assigned the result of an aggregating function");
            hintOfVariable(target);
        }
        return;
    }
    if ((m_clause->commits || m_clause->speculates) && !std::exchange(m_clause->outOfOrder, true))
        error(m_clause->commits ? "D_AGG_COMM" : "D_AGG_SPEC", assignment.at, "aggregating actions may not follow ",
            m_clause->commits ? "commit( )" : "speculate( )");
    m_clause->aggregates = true;
    auto* known = m_scope.aggregation(target.text);
    if (known && known->function != row->function) {
        error("D_AGG_REDEF", assignment.at, "aggregation redefined: @", target.text, "\n\t current: @", target.text, " = ", call.text,
            "( )\n\tprevious: @", target.text, " = ", nameOf(known->function), "( ) : line ",
            m_sources.position(m_aggregationAt.at(target.text)).line);
        return;
    }
    const bool isNew = !known;
    if (isNew) {
        known = &addAggregation(target.text);
        known->function = row->function;
        m_aggregationAt[target.text] = assignment.at;
    }
    into.aggregation = known->id;
    const bool keysAreRight = aggregationKeys(target, *known, isNew, into);
    const bool countIsRight = checkCount(call, call.text, row->least, row->most == row->least ? row->least : language::kAnyNumber);
    if (!keysAreRight || !countIsRight) return;
    if (row->least == 0) return;

    const auto value = rvalue(*call.kids[0]);
    if (!value) return;
    if (!rules::isScalar(value->type)) {
        error("D_AGG_SCALAR", call.at, call.text, "( ) argument #1 must be of scalar type");
        return;
    }
    std::array<std::int64_t, 4> parameters{};
    std::size_t weightAt = 1;
    if (!aggregationParameters(call, row->function, parameters, weightAt)) return;
    if (call.kids.size() > weightAt + 1) {
        error("D_PROTO_LEN", call.at, call.text, "( ) prototype mismatch: ", call.kids.size(), " args passed, at most ", row->most,
            " expected");
        return;
    }
    if (!isNew && !sameParameters(*known, parameters, call.at)) return;
    known->parameters = parameters;
    if (isNew) {
        known->value = written(*call.kids[0]);
        known->valueType = value->type;
    }
    const auto* word = named("int64_t");
    into.values.push_back(converted(value, word));
    if (call.kids.size() > weightAt) {
        const auto weight = rvalue(*call.kids[weightAt]);
        if (!weight) return;
        if (!rules::isScalar(weight->type)) {
            error("D_PROTO_ARG", call.at, call.text, "( ) increment value (argument #", weightAt + 1, ") must be of scalar type");
            return;
        }
        into.values.push_back(converted(weight, word));
    }
}

bool Analyser::aggregationKeys(const ast::Expr& target, Aggregation& aggregation, bool isNew, Statement& into)
{
    auto keys = rvalues(target.kids);
    if (keys.size() != target.kids.size()) {
        if (isNew) m_brokenAggregations.insert(aggregation.name);
        return false;
    }
    if (m_program.options.isSet("tregs") && keys.size() > m_program.options.number("tregs")) {
        m_diagnostics.setRegion({}); // a limit of the code to be, not a fault of this place
        error("D_CG_EXPR", target.at, "Insufficient tuple registers to generate code");
        return false;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (rules::isDynamic(keys[i]->type) || rules::isVoid(keys[i]->type)) {
            error(
                "D_KEY_TYPE", keys[i]->at, types::spelled(keys[i]->type), " expression may not be used as aggregation index: key #", i + 1);
            if (isNew) m_brokenAggregations.insert(aggregation.name);
            return false;
        }
        if (rules::isCharArray(keys[i]->type)) keys[i] = asString(keys[i]);
    }
    if (isNew) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            aggregation.keys.push_back(undeclaredType({{}, aggregation.name, i}, keys[i]->type));
            aggregation.keyNames.push_back(written(*target.kids[i]));
        }
    } else {
        if (m_brokenAggregations.contains(aggregation.name)) return false;
        // What a variable kept of a stack is another key than the stack itself: all are as the first is.
        for (std::size_t i = 0; i < std::min(keys.size(), aggregation.keys.size()); ++i)
            if (types::isStackValue(aggregation.keys[i])) keys[i] = kept(keys[i]);
        if (!checkSignature("@" + aggregation.name, "key", aggregation.keys, keys, target.at)) return false;
        for (std::size_t i = 0; i < keys.size(); ++i)
            give({{}, aggregation.name, i}, keys[i]->type);
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = asIn(keys[i], aggregation.keys[i]);
    into.keys = std::move(keys);
    return true;
}

/// The constants of lquantize and llquantize; `weight` becomes the place where a weight may stand.
bool Analyser::aggregationParameters(const ast::Expr& call, Aggregator function, std::array<std::int64_t, 4>& into, std::size_t& weight)
{
    if (function != Aggregator::Lquantize && function != Aggregator::Llquantize) return true;
    std::vector<ExprPtr> args = rvalues(call.kids);
    if (args.size() != call.kids.size()) return false;
    const auto isConstant = [&](std::size_t n) { return args[n]->kind == ExprKind::Integer; };
    const auto value = [&](std::size_t n) { return args[n]->integer; };
    const auto positive
        = [&](std::size_t n) { return isConstant(n) && value(n) != 0 && (value(n) > 0 || !types::resolved(args[n]->type)->isSigned); };
    constexpr std::int64_t kMost16 = 0xffff;
    const auto wrong = [&](std::string_view tag, std::size_t n, std::string_view what) {
        error(tag, args[n]->at, call.text, "( ) argument #", n, ' ', what);
        return false;
    };
    if (function == Aggregator::Lquantize) {
        const auto is32
            = [](std::int64_t v) { return v >= std::numeric_limits<std::int32_t>::min() && v <= std::numeric_limits<std::int32_t>::max(); };
        if (!isConstant(1)) return wrong("D_LQUANT_BASETYPE", 1, "must be an integer constant");
        if (!is32(value(1))) return wrong("D_LQUANT_BASEVAL", 1, "must be a 32-bit quantity");
        if (!isConstant(2)) return wrong("D_LQUANT_LIMTYPE", 2, "must be an integer constant");
        if (!is32(value(2))) return wrong("D_LQUANT_LIMVAL", 2, "must be a 32-bit quantity");
        if (value(2) <= value(1)) {
            error("D_LQUANT_MISMATCH", call.at, "lquantize( ) base (argument #1) must be less than limit (argument #2)");
            return false;
        }
        std::int64_t step = 1;
        if (args.size() > 3) {
            if (!positive(3)) return wrong("D_LQUANT_STEPTYPE", 3, "must be a non-zero positive integer constant");
            step = value(3);
            if (step < 0 || step > kMost16) return wrong("D_LQUANT_STEPVAL", 3, "must be a 16-bit quantity");
        }
        const auto levels = (value(2) - value(1)) / step;
        if (levels == 0) {
            error("D_LQUANT_STEPLARGE", call.at, "lquantize( ) step (argument #3) too large: must have at least one quantization level");
            return false;
        }
        if (levels > kMost16) {
            error("D_LQUANT_STEPSMALL", call.at,
                "lquantize( ) step (argument #3) too small: number of quantization levels must be a 16-bit quantity");
            return false;
        }
        into = {value(1), value(2), step, 0};
        weight = 4;
        return true;
    }
    if (!isConstant(1)) return wrong("D_LLQUANT_FACTORTYPE", 1, "must be an integer constant");
    const auto factor = value(1);
    if (factor < 2 || factor > kMost16)
        return wrong("D_LLQUANT_FACTORVAL", 1, "must be an unsigned 16-bit quantity greater than or equal to 2");
    if (!isConstant(2)) return wrong("D_LLQUANT_LMAGTYPE", 2, "must be an integer constant");
    const auto low = value(2);
    if (low < 0 || low > kMost16) return wrong("D_LLQUANT_LMAGVAL", 2, "must be an unsigned 16-bit quantity");
    if (!isConstant(3)) return wrong("D_LLQUANT_HMAGTYPE", 3, "must be an integer constant");
    const auto high = value(3);
    if (high < 0 || high > kMost16) return wrong("D_LLQUANT_HMAGVAL", 3, "must be an unsigned 16-bit quantity");
    if (high < low) return wrong("D_LLQUANT_HMAGVAL", 3, "(high magnitude) must be at least argument #2 (low magnitude)");
    if (std::pow(static_cast<long double>(factor), static_cast<long double>(high + 1))
        > static_cast<long double>(std::numeric_limits<std::uint64_t>::max()))
        return wrong("D_LLQUANT_HMAGVAL", 3, "(high magnitude) will cause overflow of 64 bits");
    if (!positive(4)) return wrong("D_LLQUANT_STEPTYPE", 4, "must be a non-zero positive integer constant");
    const auto steps = value(4);
    if (steps < 0 || steps > kMost16) return wrong("D_LLQUANT_STEPVAL", 4, "must be an unsigned 16-bit quantity");
    const auto uneven = [&](std::string_view what) {
        error("D_LLQUANT_STEPVAL", call.at, "llquantize() argument #4 (steps) must ", what);
        return false;
    };
    if (steps < factor && factor % steps != 0) return uneven("evenly divide argument #1 (factor) when steps<factor");
    if (steps > factor) {
        if (steps % factor != 0) return uneven("be a multiple of argument #1 (factor) when steps>factor");
        if (low == 0 && (factor * factor) % steps != 0)
            return uneven("evenly divide the square of argument #1 (factor) when steps>factor and lmag==0");
        if (low > 0) {
            std::uint64_t power = 1;
            for (std::int64_t i = 0; i <= low; ++i)
                power *= static_cast<std::uint64_t>(factor);
            if (power % static_cast<std::uint64_t>(steps) != 0)
                return uneven("evenly divide pow(argument #1 (factor), lmag (argument #2) + 1) when steps>factor and lmag>0");
        }
    }
    into = {factor, low, high, steps};
    weight = 5;
    return true;
}

bool Analyser::sameParameters(const Aggregation& known, const std::array<std::int64_t, 4>& now, Span at)
{
    if (m_brokenAggregations.contains(known.name)) return false;
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kLinear{
        {{"D_LQUANT_MATCHBASE", "base"}, {"D_LQUANT_MATCHLIM", "limit"}, {"D_LQUANT_MATCHSTEP", "step"}}};
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kLogLinear{{{"D_LLQUANT_MATCHFACTOR", "factor"},
        {"D_LLQUANT_MATCHLMAG", "lmag"}, {"D_LLQUANT_MATCHHMAG", "hmag"}, {"D_LLQUANT_MATCHSTEPS", "steps"}}};
    const bool linear = known.function == Aggregator::Lquantize;
    const std::size_t count = linear ? kLinear.size() : known.function == Aggregator::Llquantize ? kLogLinear.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (known.parameters[i] == now[i]) continue;
        const auto& [tag, what] = linear ? kLinear[i] : kLogLinear[i];
        error(tag, at, linear ? "lquantize( ) " : "llquantize() ", what, " (argument #", i + 1,
            ") doesn't match previous declaration: expected ", known.parameters[i], ", found ", now[i]);
        return false;
    }
    return true;
}
} // namespace dscope::sema
