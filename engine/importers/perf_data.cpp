#include "engine/base/fd.h"
#include "engine/text/importer.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
namespace dscope::importers {
std::unique_ptr<text::Importer> make_perf(); // what perf prints of its recording is that format's text
namespace {
using text::Guess;

/// `perf script` at work: what it prints comes through a pipe, what it complains about is kept.
class PerfScript {
public:
    static Result<PerfScript> start(const std::string& file)
    {
        PerfScript out;
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) return Error{errno, "cannot make a pipe"};
        out.m_out = Fd(ends[0]);
        Fd in(ends[1]);
        out.m_complaints = Fd(::memfd_create("perf", MFD_CLOEXEC));
        const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        if (!out.m_complaints || !nothing) return Error{errno, "cannot make a file in memory"};

        // -f: whose file it is does not matter, root reads those of users.
        std::array<std::string, 10> words{"perf", "script", "--header", "--ns", "--show-lost-events", "-f", "-F", "+pid", "-i", file};
        std::array<char*, words.size() + 1> argv{};
        for (std::size_t i = 0; i < words.size(); ++i)
            argv[i] = words[i].data();
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, nothing.get(), 0);
        ::posix_spawn_file_actions_adddup2(&actions, in.get(), 1);
        ::posix_spawn_file_actions_adddup2(&actions, out.m_complaints.get(), 2);
        // It is to die of a pipe that nobody reads, though we ignore that signal.
        posix_spawnattr_t attributes;
        ::posix_spawnattr_init(&attributes);
        sigset_t signals;
        ::sigemptyset(&signals);
        ::sigaddset(&signals, SIGPIPE);
        ::posix_spawnattr_setsigdefault(&attributes, &signals);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        const int failed = ::posix_spawnp(&out.m_pid, argv[0], &actions, &attributes, argv.data(), environ);
        ::posix_spawnattr_destroy(&attributes);
        ::posix_spawn_file_actions_destroy(&actions);
        if (failed == 0) return out;
        out.m_pid = 0;
        return Error{failed,
            "it is perf's own recording, which perf itself must read, and perf could not be run here (" + std::string(std::strerror(failed))
                + "): install it (apt install linux-perf), or where perf is, perf script -i " + file
                + " > stacks.txt, and import stacks.txt"};
    }

    PerfScript(PerfScript&& other) noexcept
        : m_pid(std::exchange(other.m_pid, 0)), m_out(std::move(other.m_out)), m_complaints(std::move(other.m_complaints))
    {
    }
    PerfScript& operator=(PerfScript&&) = delete;
    ~PerfScript() { (void)end(); }
    Fd takeOutput() { return std::move(m_out); }

    /// Its status as wait(2) gives it. What it still has to say is not read.
    int end()
    {
        m_out.reset();
        int status = 0;
        if (m_pid != 0)
            while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) { }
        m_pid = 0;
        return status;
    }

    /// The first line of what it complained about that is no mere notice; empty when it did not.
    std::string complaint() const
    {
        std::string text(std::size_t{64} << 10, '\0');
        const auto size = ::pread(m_complaints.get(), text.data(), text.size(), 0);
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
        text::Lines lines{std::string_view(text)};
        std::string_view line;
        while (lines.next(line))
            if (const auto from = line.find_first_not_of(" \t"); from != std::string_view::npos) return std::string(line.substr(from, 200));
        return {};
    }

private:
    PerfScript() = default;
    pid_t m_pid = 0;
    Fd m_out, m_complaints;
};

class PerfData final : public text::Importer {
public:
    std::string_view name() const override { return "perf.data"; }
    std::string_view summary() const override { return "recordings of perf, read by perf script, which has to be there"; }
    bool isBinary() const override { return true; }

    Guess guess(std::string_view head) const override
    {
        // Source: tools/perf/util/header.c, __perf_magic2 and 1, in either byte order.
        for (const std::string_view magic : {"PERFILE2", "2ELIFREP", "PERFFILE"})
            if (head.starts_with(magic)) return Guess::Yes;
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        if (guess(lines.head()) != Guess::Yes) return text::Imported::nothing("it is no recording of perf", lines.head(), 0);
        if (lines.path().empty() || lines.path() == "-")
            return Error{0, "perf goes back and forth in its recording: give the file's name, or perf script | dscope --import -"};
        if (lines.compression() != text::Compression::None)
            return Error{0,
                "perf goes back and forth in its recording, which is compressed: unpack it with \""
                    + std::string(text::nameOf(lines.compression())) + " -d\", and import that"};
        DSCOPE_TRY(auto script, PerfScript::start(lines.path()));
        auto text = text::Lines::from(script.takeOutput(), "what perf script prints");
        auto imported = text ? make_perf()->read(*text) : Result<text::Imported>(std::move(text).error());
        text = Error{0, ""}; // closes the pipe
        const int status = script.end();
        const auto said = script.complaint();
        // Where nothing can be read, what perf says of it tells more than that nothing was there.
        const bool wasLeft = !imported && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE;
        if (!wasLeft && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
            return Error{0, "perf script could not read it" + (said.empty() ? std::string() : ": \"" + said + '"')};
        if (!imported && !said.empty()) return std::move(imported).error().in("perf script says \"" + said + '"');
        return imported;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_perf_data() { return std::make_unique<PerfData>(); }
} // namespace dscope::importers
