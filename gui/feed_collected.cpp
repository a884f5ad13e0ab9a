// A feed of the runs of many hosts, which come as pictures of all that is known.
#include "engine/base/fd.h"
#include "engine/format/text_printer.h"
#include "engine/record/wire.h"
#include "exporters/web/kept_run.h"
#include "gui/feed_parts.h"
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::gui {
namespace {
constexpr int kWait = 100;                                   ///< ms
constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30; ///< of a picture

/// Takes pictures from a pipe: each a recording behind its length.
class Pictures {
public:
    explicit Pictures(int fd) : m_fd(fd) { }
    bool isOver() const { return m_isOver; }

    /// The newest that has come whole, as a file in memory, or nothing. Error: what comes is no picture.
    Result<Fd> next()
    {
        pollfd readable{m_fd, POLLIN, 0};
        if (::poll(&readable, 1, kWait) <= 0) return Fd();
        std::array<char, 65536> bytes{};
        const auto count = ::read(m_fd, bytes.data(), bytes.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) return Fd();
        if (count < 0) return Error{errno, std::string("cannot read what the helper sends: ") + std::strerror(errno)};
        m_isOver = count == 0;
        m_bytes.append(bytes.data(), static_cast<std::size_t>(count));
        Fd newest;
        std::uint64_t size = 0;
        std::size_t at = 0;
        while (m_bytes.size() - at >= sizeof size) {
            std::memcpy(&size, m_bytes.data() + at, sizeof size);
            if (size > kMostBytes) return Error{0, "what the helper sends is no recording of many hosts"};
            if (m_bytes.size() - at - sizeof size < size) break;
            newest = Fd(::memfd_create("dscope", MFD_CLOEXEC));
            const auto* from = m_bytes.data() + at + sizeof size;
            if (!newest || ::write(newest.get(), from, size) != static_cast<ssize_t>(size))
                return Error{errno, "there is no memory for the runs"};
            ::lseek(newest.get(), 0, SEEK_SET);
            at += sizeof size + size;
        }
        m_bytes.erase(0, at);
        return newest;
    }

private:
    int m_fd;
    std::string m_bytes;
    bool m_isOver = false;
};
} // namespace

void Feed::collect()
{
    const Fd input(m_fd);
    Pictures pictures(input.get());
    const auto code = rememberingReader(m_places);
    auto shown = std::make_shared<Snapshot>();
    // Makes `shown` of a recording.
    const auto read = [&](const Fd& file) -> Result<> {
        auto snapshot = std::make_shared<Snapshot>();
        graph::Store store;
        const auto kept = std::make_shared<exporters::KeptRun>();
        std::string text;
        format::TextPrinter printer([&](std::string_view s) { text += s; }, [](std::string_view) {});
        record::Reader reader(file.get());
        for (bool more = true; more && !m_stop;) {
            DSCOPE_TRY(more, reader.poll({}, [&](const record::Record& r) {
                if (const auto* told = std::get_if<record::Diagnostic>(&r)) {
                    snapshot->said.push_back(told->text);
                    return;
                }
                ++snapshot->records;
                if (const auto* drop = std::get_if<record::Drop>(&r)) snapshot->losses[drop->kind] += drop->count;
                store.take(r);
                printer.take(r);
                kept->take(r);
            }));
        }
        kept->finish();
        showStore(*snapshot, store, m_places, code);
        showProgram(*snapshot, store);
        snapshot->run = std::make_shared<const exporters::Run>(exporters::Run{false, {}, kept});
        snapshot->output = QString::fromStdString(text);
        shown = std::move(snapshot);
        return {};
    };

    bool isNew = false;
    const auto tell = [&] {
        auto now = std::make_shared<Snapshot>(*shown);
        if (!now->finished) {
            now->output.clear(); // each picture prints all
            now->run.reset();    // and the run is whole at its end
        }
        isNew = false;
        m_waiting = true;
        Q_EMIT progressed(now);
    };
    QString trouble;
    while (!m_stop && trouble.isEmpty() && !pictures.isOver()) {
        const auto picture = pictures.next();
        const auto done = !picture ? Result<>(picture.error()) : *picture ? read(*picture) : Result<>();
        if (!done) trouble = QString::fromStdString(done.error().message);
        isNew = isNew || (picture && *picture);
        if (isNew && !m_waiting) tell();
    }
    if (m_stop) return;
    shown = std::make_shared<Snapshot>(*shown);
    shown->trouble = trouble;
    shown->finished = true;
    tell();
}
} // namespace dscope::gui
