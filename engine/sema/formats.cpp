#include "engine/format/printf.h"
#include "engine/sema/analyser.h"
#include "engine/types/stack_value.h"
/// printf's conversions against its arguments, as dtrace checks them.
namespace dscope::sema {
namespace {
/// An integer of the named type's size; hexadecimal ones are printed without regard to sign.
bool isExactly(const Type* wanted, const Type* given, bool ignoreSign)
{
    const auto* w = types::resolved(wanted);
    const auto* g = types::shown(given);
    return w->kind == g->kind && w->size == g->size && (ignoreSign || w->isSigned == g->isSigned);
}
} // namespace

/// The name of the code at an address, as %a and %A print it.
ExprPtr Analyser::namedAddress(const ExprPtr& address, types::Space space)
{
    auto symbol = make(ExprKind::Cast, m_types.symbol(), address->at, {converted(address, named("uintptr_t"))});
    symbol->symbol = {.by = SymbolName::By::Address, .ofProcess = space == types::Space::User};
    return symbol;
}

/// What prints an address or a number for which %s was asked.
std::string Analyser::howToPrint(const ast::Expr& argument, const Expr& value) const
{
    const auto as = written(argument.at);
    const auto ofProcess = "copyinstr(" + as + ") is the string at an address of the process",
               ofKernel = "stringof(" + as + ") the one at an address of the kernel";
    if (leadsIntoProcess(value)) return ofProcess;
    if (rules::isPointer(value.type) || value.kind == ExprKind::ProbeArgument) return ofProcess + ", " + ofKernel;
    const std::string number = "%d prints a number";
    return types::shown(value.type)->size == 8 && value.kind == ExprKind::Variable ? number + "; " + ofProcess : number;
}

/// Checks `args`, and turns those that are recorded in another form into it (char arrays into strings, %a into symbols).
/// `aggregation` is what %@ prints, for printa; its keys are `args`, and may be more than the format shows: only %a changes them.
bool Analyser::checkFormat(
    const ast::Expr& call, std::string_view format, std::size_t firstArgument, std::vector<ExprPtr>& args, const Aggregation* aggregation)
{
    const auto& name = call.text;
    if (format.empty()) {
        error("D_PRINTF_FMT_EMPTY", call.at, name, "( ) format string is empty");
        return false;
    }

    const auto conversions = format::parseFormat(format);
    if (!conversions) {
        error("D_SYNTAX", call.kids[0]->at, conversions.error().message);
        return false;
    }

    std::int64_t target = 0;
    for (const auto& [macro, value] : m_environment.macros.numbers)
        if (macro == "target") target = value;

    const auto* counted = named(aggregation && aggregation->function == record::Aggregator::Count ? "uint64_t" : "int64_t");
    std::size_t next = 0;
    for (const auto& c : *conversions) {
        if (!c.verb) continue;
        const auto* row = format::rowOf(c);
        for (const bool isWidth : {true, false}) {
            if ((isWidth ? c.width : c.precision) != -2) continue;
            const std::string_view star = isWidth ? "*" : ".*";
            if (next >= args.size()) {
                error("D_PRINTF_DYN_PROTO", call.at, name, "( ) prototype mismatch: conversion #", c.number, " (%", c.name(),
                    ") is missing a corresponding \"", star, "\" argument");
                return false;
            }
            if (!rules::isInteger(args[next]->type)) {
                error("D_PRINTF_DYN_TYPE", call.at, name, "( ) argument #", next + firstArgument, " is incompatible with conversion #",
                    c.number, " prototype:\n\tconversion: % ", star, ' ', c.name(),
                    "\n\t prototype: int\n\t  argument: ", types::spelled(args[next]->type));
                return false;
            }
            ++next;
        }
        ExprPtr pseudo;
        ExprPtr* arg = nullptr;
        std::string what;
        if (c.aggregationValue) {
            if (!aggregation) {
                error("D_PRINTF_AGG_CONV", call.at, "%@ conversion requires an aggregation and is not for use with ", name, "( )");
                return false;
            }
            pseudo = make(ExprKind::Variable, counted, call.at);
            arg = &pseudo;
            what = "aggregating action";
        } else if (next >= args.size()) {
            error("D_PRINTF_ARG_PROTO", call.at, name, "( ) prototype mismatch: conversion #", c.number, " (%", c.name(),
                ") is missing a corresponding value argument");
            return false;
        } else {
            what = text("argument #", next + firstArgument);
            arg = &args[next++];
        }
        const auto* t = (*arg)->type;
        const bool address = rules::isInteger(t) || rules::isPointer(t);
        bool right = false;
        switch (row->takes) {
        case format::Takes::Integer: right = rules::isInteger(t); break;
        case format::Takes::Character: right = rules::isInteger(t) && types::shown(t)->size <= 4; break;
        case format::Takes::Floating: right = rules::isFloat(t); break;
        case format::Takes::Pointer: right = address; break;
        case format::Takes::KernelAddress: right = address || rules::isSymbol(t); break;
        case format::Takes::UserAddress: right = rules::isSymbol(t) || (target != 0 && address); break;
        case format::Takes::String: right = rules::isString(t) || rules::isCharArray(t); break;
        case format::Takes::WideString:
            right = types::resolved(t)->kind == types::Kind::Array && rules::isInteger(rules::targetOf(t)) && rules::targetOf(t)->size == 4;
            break;
        case format::Takes::Stack: right = rules::isStack(t) || types::isStackValue(t); break;
        case format::Takes::Time: right = rules::isInteger(t) && types::shown(t)->size == 8; break;
        case format::Takes::Exact: right = isExactly(named(row->prototype), t, c.verb == 'x' || c.verb == 'X'); break;
        }
        if (!right) {
            auto& d = m_diagnostics.error("D_PRINTF_ARG_TYPE", call.at,
                text(name, "( ) ", what, " is incompatible with conversion #", c.number, " prototype:\n\tconversion: %", c.name(),
                    "\n\t prototype: ", row->prototype, "\n\t  argument: ", types::spelled(t)));
            if (rules::isString(t) && row->takes == format::Takes::Integer) d.hints.emplace_back("%s prints a string");
            if (row->takes == format::Takes::String && address && !aggregation)
                d.hints.push_back(howToPrint(*call.kids[next + firstArgument - 2], **arg));
            if (t == m_aggregationType) d.hints.emplace_back("printa(\"%@d\\n\", @a) prints an aggregation by a format");
            return false;
        }
        const bool asSymbol = address && (row->takes == format::Takes::KernelAddress || row->takes == format::Takes::UserAddress);
        if (aggregation && !asSymbol) continue;
        if (rules::isCharArray(t) && row->takes == format::Takes::String)
            *arg = asString(*arg);
        else if (types::resolved(t)->kind == types::Kind::Array && address)
            *arg = decayed({.expr = *arg, .lvalue = true});
        if (asSymbol) *arg = namedAddress(*arg, row->takes == format::Takes::UserAddress ? types::Space::User : types::Space::Kernel);
    }

    if (!aggregation && next < args.size()) {
        error("D_PRINTF_ARG_EXTRA", call.at, name, "( ) prototype mismatch: only ", next, " arguments required by this format string");
        return false;
    }
    return true;
}
} // namespace dscope::sema
