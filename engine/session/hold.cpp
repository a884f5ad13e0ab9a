#include "engine/session/hold.h"
#include "engine/base/bytes.h"
#include "engine/host/processor.h"
#include "engine/symbols/elf_file.h"
#include "engine/symbols/process_maps.h"
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <optional>
#include <span>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
namespace dscope::session {
namespace {
Error cannotHold(std::string_view what)
{
    return Error{errno, "cannot hold the command until its libraries are mapped (" + std::string(what) + "): " + std::strerror(errno)};
}

struct Start {
    std::uint64_t entry = 0, loader = 0; ///< loader: where the dynamic linker is mapped, 0 for a static program
};
std::optional<Start> startOf(const host::Host& host, pid_t pid)
{
    const auto entries = host.read("/proc/" + std::to_string(pid) + "/auxv");
    if (!entries || entries->empty()) return {};
    const auto bytes = std::as_bytes(std::span(*entries));
    Start start;
    for (std::size_t at = 0; at + sizeof(Elf64_auxv_t) <= bytes.size(); at += sizeof(Elf64_auxv_t)) {
        const auto entry = readAt<Elf64_auxv_t>(bytes, at);
        if (entry.a_type == AT_ENTRY) start.entry = entry.a_un.a_val;
        if (entry.a_type == AT_BASE) start.loader = entry.a_un.a_val;
    }
    return start;
}

/// Where the dynamic linker calls when the list of objects changes, and its state of that list.
/// Source: <link.h>, struct r_debug; glibc's elf/dl-debug.c and musl's ldso/dynlink.c name both so.
constexpr std::uint64_t kStateInList = 24; // offsetof(struct r_debug, r_state); it begins with r_version, 0 until there is a list
struct Rendezvous {
    std::uint64_t call = 0, state = 0;
    LinkerCall place;
};
std::optional<Rendezvous> rendezvous(const host::Host& host, pid_t pid, std::uint64_t loader)
{
    const auto process = "/proc/" + std::to_string(pid);
    auto elf = symbols::ElfFile::open(host.open(process + "/exe", O_RDONLY));
    const auto* section = elf ? elf->section(".interp") : nullptr;
    if (!section) return {};
    const auto bytes = elf->contents(*section);
    std::string path(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    path.resize(::strnlen(path.data(), path.size()));
    auto file = process + "/root" + path;
    auto linker = symbols::ElfFile::open(host.open(file, O_RDONLY));
    const auto* table = linker ? linker->section(std::uint32_t{SHT_DYNSYM}) : nullptr;
    if (!table || table->link >= linker->sections().size() || linker->segments().empty()) return {};
    const auto symbols = linker->contents(*table), names = linker->contents(linker->sections()[table->link]);
    const auto base = loader - (linker->segments().front().address & ~std::uint64_t{0xfff});
    Rendezvous found;
    for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
        const auto symbol = readAt<Elf64_Sym>(symbols, at);
        if (symbol.st_name >= names.size() || symbol.st_value == 0) continue;
        const auto* name = reinterpret_cast<const char*>(names.data()) + symbol.st_name;
        const std::string_view view(name, ::strnlen(name, names.size() - symbol.st_name));
        if (view == "_dl_debug_state") found.call = base + symbol.st_value;
        if (view == "_r_debug") found.state = base + symbol.st_value + kStateInList;
    }

    if (!found.call || !found.state) return {};
    const auto offset = linker->offsetOf(found.call - base);
    if (!offset) return {};
    found.place = {std::move(file), *offset};
    return found;
}

/// At what a child that is waited for has stopped.
enum class Stop : std::uint8_t { Trap, Exec };
/// The next stop of the child; a signal on its way is handed to it. The status when it ended.
Result<Held> wait(pid_t pid, Stop wanted)
{
    for (;;) {
        int status = 0;
        if (::waitpid(pid, &status, __WALL) < 0) {
            if (errno == EINTR) continue;
            return cannotHold("wait");
        }
        if (WIFEXITED(status) || WIFSIGNALED(status)) return Held{true, status};
        const int event = status >> 16, signal = WSTOPSIG(status);
        if (wanted == Stop::Exec ? event == PTRACE_EVENT_EXEC : (event == 0 && signal == SIGTRAP)) return Held{};
        const int pass = event == 0 ? signal : 0;
        if (::ptrace(PTRACE_CONT, pid, nullptr, pass) != 0) return cannotHold("go on");
    }
}

// What of a stopped thread is each processor's own: its registers by name, an instruction that traps (all bits of kTrapBits), and
// whether bytes of an instruction call something.
#if defined(__x86_64__)
constexpr long kTrap = 0xcc, kTrapBits = 0xff;
auto& instructionOf(user_regs_struct& registers) { return registers.rip; }
auto& argumentOf(user_regs_struct& registers) { return registers.rdi; }
/// Source: Intel's SDM, volume 2, CALL: E8, FF /2; linkers pad it with prefixes.
bool isCall(std::uint64_t bytes)
{
    const auto isPrefix = [](std::uint64_t b) { return b == 0x67 || b == 0x3e || b == 0xf2 || (b >= 0x40 && b <= 0x4f); };
    while (isPrefix(bytes & 0xff))
        bytes >>= 8;
    return (bytes & 0xff) == 0xe8 || ((bytes & 0xff) == 0xff && (bytes >> 11 & 7) == 2);
}
#elif defined(__aarch64__)
constexpr long kTrap = 0xd4200000, kTrapBits = 0xffffffff; // BRK #0
auto& instructionOf(user_regs_struct& registers) { return registers.pc; }
auto& argumentOf(user_regs_struct& registers) { return registers.regs[0]; }
/// Source: Arm Architecture Reference Manual, C6.2: BL, BLR.
bool isCall(std::uint64_t bytes) { return (bytes & 0xfc000000) == 0x94000000 || (bytes & 0xfffffc1f) == 0xd63f0000; }
#endif
/// Gets or sets the registers of the stopped thread: 0, or -1 with errno.
long registersOf(__ptrace_request request, pid_t pid, user_regs_struct& registers)
{
    iovec all{&registers, sizeof registers};
    return ::ptrace(request, pid, reinterpret_cast<void*>(NT_PRSTATUS), &all);
}

/// Runs the child until it is about to execute `address`.
Result<Held> runTo(pid_t pid, std::uint64_t address)
{
    auto* const at = reinterpret_cast<void*>(address);
    errno = 0;
    const long before = ::ptrace(PTRACE_PEEKTEXT, pid, at, nullptr);
    if (errno != 0) return cannotHold("read");
    if (::ptrace(PTRACE_POKETEXT, pid, at, (before & ~kTrapBits) | kTrap) != 0) return cannotHold("stop");
    if (::ptrace(PTRACE_CONT, pid, nullptr, nullptr) != 0) return cannotHold("go on");
    DSCOPE_TRY(const auto held, wait(pid, Stop::Trap));
    if (held.ended) return held;
    if (::ptrace(PTRACE_POKETEXT, pid, at, before) != 0) return cannotHold("restore");
    user_regs_struct registers{};
    if (registersOf(PTRACE_GETREGSET, pid, registers) != 0) return cannotHold("registers");
    if (instructionOf(registers) != address + static_cast<std::uint64_t>(host::kProcessor.breakpoint))
        return Error{0, "the command met a breakpoint of its own before it had begun"};
    instructionOf(registers) = address;
    if (registersOf(PTRACE_SETREGSET, pid, registers) != 0) return cannotHold("registers");
    return Held{};
}
bool isCode(const host::Host& host, pid_t pid, std::uint64_t address)
{
    const auto text = host.read("/proc/" + std::to_string(pid) + "/maps");
    auto maps = symbols::ProcessMaps::parse(text ? std::string_view(*text) : std::string_view{});
    return maps.find(address) != nullptr; // which knows executable mappings only
}
/// Steps from the program's entry point: the start code calls the C library with the address of main() as its first argument, so
/// no symbol is needed. A program that does otherwise is held after some steps.
Result<Held> runToMain(const host::Host& host, pid_t pid)
{
    constexpr int kMostSteps = 64;
    for (int step = 0; step < kMostSteps; ++step) {
        user_regs_struct registers{};
        if (registersOf(PTRACE_GETREGSET, pid, registers) != 0) return cannotHold("registers");
        errno = 0;
        const long bytes = ::ptrace(PTRACE_PEEKTEXT, pid, reinterpret_cast<void*>(instructionOf(registers)), nullptr);
        const auto main = argumentOf(registers);
        if (errno == 0 && isCall(static_cast<std::uint64_t>(bytes)) && isCode(host, pid, main)) return runTo(pid, main);
        if (::ptrace(PTRACE_SINGLESTEP, pid, nullptr, nullptr) != 0) return cannotHold("step");
        DSCOPE_TRY(const auto held, wait(pid, Stop::Trap));
        if (held.ended) return held;
    }
    return Held{};
}
/// Whether it is a program of this machine's own kind, whose registers and tables we know.
bool is64Bit(const host::Host& host, pid_t pid)
{
    const auto file = host.open("/proc/" + std::to_string(pid) + "/exe", O_RDONLY);
    std::array<unsigned char, EI_NIDENT> ident{};
    return file && ::read(file.get(), ident.data(), ident.size()) == static_cast<ssize_t>(ident.size()) && ident[EI_CLASS] == ELFCLASS64;
}
} // namespace

Result<Held> holdAt(const host::Host& host, Stage stage, pid_t child, void (*go)(void*), void* context)
{
    if (::ptrace(PTRACE_SEIZE, child, nullptr, PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) != 0) return cannotHold("ptrace");
    go(context);
    DSCOPE_TRY(Held held, wait(child, Stop::Exec));
    if (held.ended || stage == Stage::Exec || !is64Bit(host, child)) return held;
    const auto start = startOf(host, child);
    if (!start || start->entry == 0) return held;
    if (stage == Stage::Main) {
        DSCOPE_TRY(held, runTo(child, start->entry));
        return held.ended ? Result<Held>(held) : runToMain(host, child);
    }

    const auto meeting = start->loader ? rendezvous(host, child, start->loader) : std::nullopt;
    if (!meeting) {
        // A static program's code is all mapped by now.
        if (start->loader) { DSCOPE_TRY(held, runTo(child, start->entry)); }
        return held;
    }

    // Called twice: when objects begin to be added, and when all are there.
    for (int calls = 0; calls < 16; ++calls) {
        DSCOPE_TRY(held, runTo(child, meeting->call));
        if (held.ended) return held;
        errno = 0;
        const long state = ::ptrace(PTRACE_PEEKDATA, child, reinterpret_cast<void*>(meeting->state), nullptr);
        if (errno != 0) return cannotHold("state");
        if (::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) return cannotHold("step");
        DSCOPE_TRY(held, wait(child, Stop::Trap));
        if (held.ended || (state & 0xffffffffL) == 0) return held; // RT_CONSISTENT
    }
    return Error{0, "the command's dynamic linker never finished mapping its libraries"};
}

std::optional<LinkerCall> linkerCall(const host::Host& host, pid_t process)
{
    const auto start = startOf(host, process);
    if (!start || !start->loader) return {};
    auto found = rendezvous(host, process, start->loader);
    if (!found) return {};
    return std::move(found->place);
}

bool isBeingLinked(const host::Host& host, pid_t process)
{
    const auto start = startOf(host, process);
    if (!start || start->entry == 0) return true; // the kernel is still at work on exec()
    if (!start->loader) return false;
    const auto found = rendezvous(host, process, start->loader);
    if (!found) return false;
    const auto memory = host.open("/proc/" + std::to_string(process) + "/mem", O_RDONLY);
    const auto word = [&memory](std::uint64_t address) -> std::optional<std::int32_t> {
        std::int32_t value = 0;
        if (::pread(memory.get(), &value, sizeof value, static_cast<off_t>(address)) != sizeof value) return {};
        return value;
    };
    if (!memory) return false;
    const auto version = word(found->state - kStateInList), state = word(found->state);
    return version && state && (*version == 0 || *state != 0); // RT_CONSISTENT
}

void letGo(pid_t child) { ::ptrace(PTRACE_DETACH, child, nullptr, nullptr); }
} // namespace dscope::session
