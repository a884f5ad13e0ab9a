// needs: engine/record engine/format
// Whatever stands in a recording: reading it and printing it neither crashes nor takes memory without bound.
// Build with -DDSCOPE_FUZZ=ON (clang, -fsanitize=fuzzer,address,undefined); links engine/record and engine/format.
#include "engine/format/structured_printer.h"
#include "engine/format/text_printer.h"
#include "engine/record/frame.h"
#include "engine/record/wire.h"
#include <sys/mman.h>
#include <unistd.h>
using namespace dscope;
using namespace dscope::record;

namespace {
/// The bytes as one stored block of a recording with right checksums: so that the fuzzer reaches the records.
Bytes wrapped(ByteView records)
{
    ByteWriter body;
    body.put(FrameKind::Stored);
    body.raw(records);
    ByteWriter file;
    file.raw(std::as_bytes(std::span(kMagic)));
    file.put(kMajor);
    file.put(kMinor);
    file.put(guardedLength(std::uint32_t(body.bytes().size())));
    file.put(Crc32c().add(body.bytes()).value());
    file.raw(body.bytes());
    return file.take();
}

void readAndPrint(ByteView bytes)
{
    const int fd = ::memfd_create("recording", MFD_CLOEXEC);
    if (fd < 0 || (!bytes.empty() && ::pwrite(fd, bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))) {
        ::close(fd);
        return;
    }
    std::size_t printed = 0;
    const auto count = [&](std::string_view s) { printed += s.size(); };
    format::TextPrinter printer(count, count);
    format::StructuredPrinter document({}, count, count);
    Reader reader(fd);
    for (bool more = true; more;) {
        const auto read = reader.poll(std::chrono::milliseconds(0), [&](const Record& r) {
            printer.take(r);
            document.take(r);
        });
        more = read && *read;
    }
    ::close(fd);
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    // The first byte chooses: the file as it is, or its records.
    if (size == 0 || size > kBlockLimit) return 0;
    const ByteView bytes = std::as_bytes(std::span(data + 1, size - 1));
    readAndPrint((data[0] & 1) != 0 ? wrapped(bytes) : Bytes(bytes.begin(), bytes.end()));
    return 0;
}
