#pragma once
#include <array>
#include <cstdint>
#include <string_view>
/// How far one may rely on something. Source: Solaris Dynamic Tracing Guide, chapter "Stability".
namespace dscope::probe {
/// The stability of a name, of its data, and the class of machines that it depends on.
struct Attributes {
    // clang-format off
    enum class Level : std::uint8_t { Internal, Private, Obsolete, External, Unstable, Evolving, Stable, Standard };
    enum class Class : std::uint8_t { Unknown, Cpu, Platform, Group, Isa, Common };
    // clang-format on
    Level names = Level::Stable, data = Level::Stable;
    Class dependency = Class::Common;
    bool operator==(const Attributes&) const = default;
};
/// As they are spelled, by number.
inline constexpr std::array<std::string_view, 8> kLevels{
    "Internal", "Private", "Obsolete", "External", "Unstable", "Evolving", "Stable", "Standard"};
inline constexpr std::array<std::string_view, 6> kClasses{"Unknown", "CPU", "Platform", "Group", "ISA", "Common"};
constexpr std::string_view spelled(Attributes::Level level) { return kLevels[static_cast<std::size_t>(level)]; }
constexpr std::string_view spelled(Attributes::Class dependency) { return kClasses[static_cast<std::size_t>(dependency)]; }

// What occurs more than once.
inline constexpr Attributes kStable{}, kEvolving{Attributes::Level::Evolving, Attributes::Level::Evolving, Attributes::Class::Common},
    kEvolvingIsa{Attributes::Level::Evolving, Attributes::Level::Evolving, Attributes::Class::Isa},
    kPrivate{Attributes::Level::Private, Attributes::Level::Private, Attributes::Class::Unknown},
    kPrivateIsa{Attributes::Level::Private, Attributes::Level::Private, Attributes::Class::Isa};

/// Of a provider, of the parts of its probes' descriptions, and of the probes' arguments.
struct Stability {
    Attributes itself, module, function, name, arguments;
};
} // namespace dscope::probe
