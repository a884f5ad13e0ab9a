#include "engine/types/basic_types.h"
#include <array>
namespace dscope::types {
namespace {
constexpr auto kBasic = std::to_array<BasicType>({
    {"char", Kind::Integer, 1, true},
    {"signed char", Kind::Integer, 1, true},
    {"unsigned char", Kind::Integer, 1, false},
    {"short", Kind::Integer, 2, true},
    {"unsigned short", Kind::Integer, 2, false},
    {"int", Kind::Integer, 4, true},
    {"unsigned int", Kind::Integer, 4, false},
    {"long", Kind::Integer, 8, true},
    {"unsigned long", Kind::Integer, 8, false},
    {"long long", Kind::Integer, 8, true},
    {"unsigned long long", Kind::Integer, 8, false},
    {"_Bool", Kind::Integer, 1, false},
    {"float", Kind::Float, 4, true},
    {"double", Kind::Float, 8, true},
    {"long double", Kind::Float, 16, true},
});

// Source: Solaris Dynamic Tracing Guide, "Types, Operators, and Expressions"; ids as Linux's user ABI has them.
constexpr auto kTypedefs = std::to_array<BasicTypedef>({
    {"int8_t", "signed char"},
    {"int16_t", "short"},
    {"int32_t", "int"},
    {"int64_t", "long"},
    {"uint8_t", "unsigned char"},
    {"uint16_t", "unsigned short"},
    {"uint32_t", "unsigned int"},
    {"uint64_t", "unsigned long"},
    {"intptr_t", "long"},
    {"uintptr_t", "unsigned long"},
    {"ptrdiff_t", "long"},
    {"size_t", "unsigned long"},
    {"ssize_t", "long"},
    {"off_t", "long"},
    {"time_t", "long"},
    {"uchar_t", "unsigned char"},
    {"ushort_t", "unsigned short"},
    {"uint_t", "unsigned int"},
    {"ulong_t", "unsigned long"},
    {"longlong_t", "long long"},
    {"u_longlong_t", "unsigned long long"},
    {"hrtime_t", "long long"},
    {"pid_t", "int"},
    {"id_t", "int"},
    {"uid_t", "unsigned int"},
    {"gid_t", "unsigned int"},
    {"mode_t", "unsigned int"},
    {"dev_t", "unsigned int"},
    {"zoneid_t", "int"},
    {"taskid_t", "int"},
    {"projid_t", "int"},
    {"poolid_t", "int"},
    {"ctid_t", "int"},
    {"processorid_t", "int"},
    {"chipid_t", "int"},
    {"psetid_t", "int"},
    {"lgrp_id_t", "int"},
    {"ipaddr_t", "unsigned int"},
    {"in_addr_t", "unsigned int"},
});
} // namespace

std::span<const BasicType> basicTypes() { return kBasic; }
std::span<const BasicTypedef> basicTypedefs() { return kTypedefs; }

std::string canonicalSpecifiers(std::string_view name)
{
    int longs = 0;
    bool isUnsigned = false, isSigned = false, any = false;
    std::string_view core;
    while (!name.empty()) {
        const auto blank = name.find(' ');
        const auto word = name.substr(0, blank);
        name.remove_prefix(blank == std::string_view::npos ? name.size() : blank + 1);
        if (word.empty()) continue;
        any = true;
        if (word == "long")
            ++longs;
        else if (word == "unsigned")
            isUnsigned = true;
        else if (word == "signed")
            isSigned = true;
        else if (word == "int") {
            if (core.empty()) core = word;
        } else if (word == "char" || word == "short" || word == "float" || word == "double")
            core = word;
        else
            return {};
    }

    if (!any || longs > 2 || (longs && (core == "short" || core == "char" || core == "float"))) return {};
    if (core == "float") return "float";
    if (core == "double") return longs ? "long double" : "double";
    if (core == "char") return isUnsigned ? "unsigned char" : isSigned ? "signed char" : "char";
    const std::string base = core == "short" ? "short" : longs == 2 ? "long long" : longs == 1 ? "long" : "int";
    return (isUnsigned ? "unsigned " : "") + base;
}
} // namespace dscope::types
