#include "engine/remote/message.h"
#include "engine/record/crc.h"
#include "engine/record/wire.h"
#include <zstd.h>
namespace dscope::remote {
namespace {
constexpr std::string_view kMessageMagic{"DSCOPEM\n", 8};
constexpr std::uint16_t kMessageMajor = 1, kMessageMinor = 1;
constexpr int kFast = 1; // a host is traced meanwhile
constexpr std::size_t kMostFacts = 1 << 16;
} // namespace

Error damaged(const std::string& why) { return Error{0, "damaged: " + why}; }

Result<Bytes> pack(const Message& message)
{
    ByteWriter raw;
    raw.put(static_cast<std::uint32_t>(message.facts.size()));
    for (const auto fact : message.facts)
        raw.put(fact);
    for (const auto& record : message.records)
        raw.blob(record::encode(record));
    const auto& bytes = raw.bytes();
    if (bytes.size() > kMessageLimit)
        return Error{
            0, "what is to be sent has " + std::to_string(bytes.size()) + " bytes, and a message " + std::to_string(kMessageLimit)};

    Bytes packed(sizeof(std::uint32_t) + ZSTD_compressBound(bytes.size()));
    const auto size = static_cast<std::uint32_t>(bytes.size());
    std::memcpy(packed.data(), &size, sizeof size);
    const auto n = ZSTD_compress(packed.data() + sizeof size, packed.size() - sizeof size, bytes.data(), bytes.size(), kFast);
    if (ZSTD_isError(n)) return Error{ENOMEM, "no memory to pack a message"};
    packed.resize(sizeof size + n);
    return packed;
}

Result<Message> unpack(std::uint64_t sequence, ByteView body)
{
    const std::size_t size = readAt<std::uint32_t>(body, 0);
    if (body.size() < sizeof(std::uint32_t) || size > kMessageLimit) return damaged("a message is too large");
    Bytes raw(size);
    const auto packed = body.subspan(sizeof(std::uint32_t));
    const auto n = ZSTD_decompress(raw.data(), raw.size(), packed.data(), packed.size());
    if (ZSTD_isError(n) || n != size) return damaged("a message does not decompress");

    Message message{sequence, {}, {}};
    ByteReader in(raw);
    const auto facts = in.get<std::uint32_t>();
    if (facts > kMostFacts) return damaged("a message has too many numbers");
    for (std::uint32_t i = 0; i < facts; ++i)
        message.facts.push_back(in.get<std::uint64_t>());
    while (in.ok() && in.left() > 0) {
        auto record = record::decode(in.blobView());
        if (!record) return damaged(record.error().message);
        if (*record) message.records.push_back(std::move(**record));
    }
    if (!in.ok()) return damaged("a message is cut");
    return message;
}

Bytes seal(Envelope::Kind kind, std::uint64_t sequence, ByteView body)
{
    ByteWriter out;
    out.raw(std::as_bytes(std::span(kMessageMagic)));
    out.put(kMessageMajor);
    out.put(kMessageMinor);
    out.put(kind);
    out.put(sequence);
    const auto checksum = record::Crc32c().add(out.bytes()).add(body).value();
    out.put(checksum);
    out.raw(body);
    return out.take();
}

Result<Envelope> open(ByteView payload)
{
    const auto magic = std::as_bytes(std::span(kMessageMagic));
    if (payload.size() < kEnvelopeSize || !std::equal(magic.begin(), magic.end(), payload.begin())) return damaged("no message of dscope");
    constexpr std::size_t kHead = kEnvelopeSize - sizeof(std::uint32_t);
    const auto body = payload.subspan(kEnvelopeSize);
    if (record::Crc32c().add(payload.first(kHead)).add(body).value() != readAt<std::uint32_t>(payload, kHead))
        return damaged("a checksum does not match");
    if (readAt<std::uint16_t>(payload, magic.size()) != kMessageMajor)
        return Error{0, "another version of dscope sent it: use one version on all hosts"};
    const auto kind = readAt<std::uint8_t>(payload, magic.size() + 4);
    if (kind > static_cast<std::uint8_t>(Envelope::Kind::Part)) return damaged("a message is of no known kind");
    return Envelope{static_cast<Envelope::Kind>(kind), readAt<std::uint64_t>(payload, magic.size() + 5), Bytes(body.begin(), body.end())};
}

Bytes bytesOf(const PartList& parts)
{
    ByteWriter out;
    out.put(parts.slot);
    out.put(parts.count);
    out.put(parts.size);
    out.put(parts.checksum);
    return out.take();
}

Result<PartList> partListOf(ByteView body)
{
    ByteReader in(body);
    PartList parts;
    parts.slot = in.get<std::uint32_t>();
    parts.count = in.get<std::uint32_t>();
    parts.size = in.get<std::uint64_t>();
    parts.checksum = in.get<std::uint32_t>();
    if (!in.ok() || parts.slot > 1 || parts.count == 0 || parts.count > kMostParts || parts.size > 2 * kMessageLimit)
        return damaged("a list of parts is impossible");
    return parts;
}
} // namespace dscope::remote
