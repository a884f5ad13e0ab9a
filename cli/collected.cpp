#include "cli/collected.h"
#include "cli/front_end.h"
#include "cli/interruption.h"
#include "cli/messages.h"
#include "cli/output.h"
#include "cli/picture.h"
#include "engine/base/bytes.h"
#include "engine/record/redact.h"
#include "engine/record/wire.h"
#include "engine/remote/broker.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <utility>
namespace dscope::cli {
namespace {
/// Takes what hosts send until all that is expected or known has ended, or `stops`. `keepUp` is called often.
Result<> collect(const remote::Address& from, remote::Collection& collection, const std::function<bool()>& stops,
    const std::function<void()>& touch, const std::function<Result<>()>& keepUp)
{
    DSCOPE_TRY(const auto broker, remote::natsBroker(from));
    std::string trouble;
    while (!stops()) {
        constexpr std::chrono::milliseconds kWait(100);
        auto kept = broker->next(kWait);
        if (!kept && kept.error().code != remote::kAway) return std::move(kept).error();
        if (!kept) {
            if (kept.error().message != trouble) tell("dtrace: waiting for " + from.shown + ": " + kept.error().message + '\n');
            trouble = kept.error().message;
            std::this_thread::sleep_for(kWait);
        } else if (*kept) {
            if (collection.take(**kept)) touch();
            trouble.clear();
        } else if (collection.hasEnded()) {
            const auto all = broker->hasGivenAll();
            if (all && *all) break;
        }
        DSCOPE_CHECK(keepUp());
    }
    return {};
}
Error noneOf(const remote::Address& from) { return Error{0, "no host has published anything of run " + from.run + " at " + from.shown}; }

/// What is known, for a front end.
class Pictures {
public:
    Pictures(const Arguments& a, const remote::Collection& collection, int descriptor)
        : m_arguments(a), m_collection(collection), m_descriptor(descriptor), m_next(Clock::now())
    {
    }

    void touch() { m_isNew = true; }

    Result<> keepUp()
    {
        const auto now = Clock::now();
        if (!m_isNew || now < m_next) return {};
        DSCOPE_TRY([[maybe_unused]] const bool isSent, send());
        m_isNew = false;
        // Most of the time is for what hosts send.
        constexpr int kShare = 4;
        m_next = Clock::now() + std::max<Clock::duration>(m_arguments.collect->every, (Clock::now() - now) * kShare);
        return {};
    }

    /// False: no host has told enough.
    Result<bool> send()
    {
        const Fd file(::memfd_create("dscope", MFD_CLOEXEC));
        if (!file) return Error{errno, std::string("cannot make a file in memory: ") + std::strerror(errno)};
        record::Writer writer(file.get());
        record::Redactor redact;
        const auto take = [&](const record::Record& r) { writer.take(m_arguments.redact ? redact(r) : r); };
        record::Exit exit;
        const auto keep = [&](const record::Record& r) {
            if (const auto* last = std::get_if<record::Exit>(&r))
                exit = *last;
            else
                take(r);
        };
        DSCOPE_TRY(const auto summary, merge(m_collection, *m_arguments.by, Printed::No, keep));
        if (summary.hosts == 0) return false;
        if (summary.isPartial()) writer.take(warningOf(summary.text()));
        for (const auto& text : m_arguments.redact ? std::vector<std::string>() : outliersOf(summary))
            writer.take(warningOf(text));
        writer.take(exit);
        DSCOPE_CHECK(writer.finish());
        return write(file.get());
    }

private:
    using Clock = std::chrono::steady_clock;
    Result<bool> write(int file) const
    {
        const auto size = static_cast<std::uint64_t>(::lseek(file, 0, SEEK_CUR));
        ::lseek(file, 0, SEEK_SET);
        Bytes bytes(sizeof size + size);
        std::memcpy(bytes.data(), &size, sizeof size);
        for (std::size_t at = sizeof size; at < bytes.size();) {
            const auto count = ::read(file, bytes.data() + at, bytes.size() - at);
            if (count <= 0) return Error{errno, std::string("cannot read a file in memory: ") + std::strerror(errno)};
            at += static_cast<std::size_t>(count);
        }
        for (std::size_t at = 0; at < bytes.size();) {
            const auto count = ::write(m_descriptor, bytes.data() + at, bytes.size() - at);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return Error{errno, std::string("--stream: ") + std::strerror(errno)};
            at += static_cast<std::size_t>(count);
        }
        return true;
    }

    const Arguments& m_arguments;
    const remote::Collection& m_collection;
    const int m_descriptor;
    Clock::time_point m_next;
    bool m_isNew = false;
};
} // namespace

Result<bool> readCollected(Arguments& a, const record::Source::Deliver& deliver, bool& failed)
{
    const auto& from = *a.collect;
    catchInterruptions();
    remote::Collection collection(from.run, from.hosts);
    Picture picture(a, collection, from.every);
    DSCOPE_CHECK(picture.open());
    DSCOPE_CHECK(collect(
        from, collection, isInterrupted, [&] { picture.touch(); },
        [&]() -> Result<> {
            picture.keepUp();
            return {};
        }));
    DSCOPE_TRY(const auto summary, picture.finish(deliver));
    failed = summary.lacksWhatWasSent();
    if (summary.hosts == 0) return noneOf(from);
    if (summary.cut > 0) tell("dtrace: one of the published recordings is cut: the run went on after what is shown here\n");
    return false;
}

int streamCollected(const Arguments& a)
{
    auto line = takeLine(a.stream);
    if (!line) return fail(line.error().message);
    catchInterruptions();
    ::signal(SIGPIPE, SIG_IGN);
    const auto& from = *a.collect;
    remote::Collection collection(from.run, from.hosts);
    Pictures pictures(a, collection, line->frames.get());
    const auto stops = [&] { return isInterrupted() || askedBy(line->control.get()) == Asked::End; };
    auto done = collect(
        from, collection, stops, [&] { pictures.touch(); }, [&] { return pictures.keepUp(); });
    if (done) {
        const auto sent = pictures.send();
        if (!sent || !*sent) done = sent ? noneOf(from) : sent.error();
    }
    return done ? 0 : fail(done.error().message);
}
} // namespace dscope::cli
