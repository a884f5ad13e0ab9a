#pragma once
#include <array>
#include <string_view>
/// System calls that scripts of others name, and what programs call on Linux.
namespace dscope::language {
struct RenamedCall {
    std::string_view known, ours;
};
/// Names that Solaris, FreeBSD and 32-bit systems have. Where Linux has the call too, the C library makes another one: glibc's open() is
/// openat since 2.26, stat() and lstat() newfstatat since 2.33. Source: sysdeps/unix/sysv/linux in glibc.
inline constexpr std::array kRenamedCalls{
    RenamedCall{"exec", "execve"},
    RenamedCall{"exece", "execve"},
    RenamedCall{"open", "openat"},
    RenamedCall{"open64", "openat"},
    RenamedCall{"openat64", "openat"},
    RenamedCall{"open_nocancel", "openat"},
    RenamedCall{"creat64", "openat"},
    RenamedCall{"stat", "newfstatat"},
    RenamedCall{"stat64", "newfstatat"},
    RenamedCall{"lstat", "newfstatat"},
    RenamedCall{"lstat64", "newfstatat"},
    RenamedCall{"fstat64", "newfstatat"},
    RenamedCall{"fstatat", "newfstatat"},
    RenamedCall{"fstatat64", "newfstatat"},
    RenamedCall{"xstat", "newfstatat"},
    RenamedCall{"lxstat", "newfstatat"},
    RenamedCall{"fork", "clone"},
    RenamedCall{"fork1", "clone"},
    RenamedCall{"forkall", "clone"},
    RenamedCall{"forksys", "clone"},
    RenamedCall{"rfork", "clone"},
    RenamedCall{"rexit", "exit_group"},
    RenamedCall{"select", "pselect6"},
    RenamedCall{"pread", "pread64"},
    RenamedCall{"pwrite", "pwrite64"},
    RenamedCall{"mmap64", "mmap"},
    RenamedCall{"so_socket", "socket"},
    RenamedCall{"waitsys", "wait4"},
    RenamedCall{"getdirentries", "getdents64"},
};
constexpr std::string_view ourCall(std::string_view known)
{
    for (const auto& each : kRenamedCalls)
        if (each.known == known) return each.ours;
    return {};
}
} // namespace dscope::language
