#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include "engine/record/record.h"
#include <cstdint>
#include <vector>
namespace dscope::remote {
/// What is sent of a run at once (docs/formats.md): numbers whose meaning is that of the topic, and records.
struct Message {
    std::uint64_t sequence = 0; ///< grows with what is told by the same subject; equal: the same is told
    std::vector<std::uint64_t> facts;
    std::vector<record::Record> records;
};
/// The bytes that a message is sent as, with a checksum.
struct Envelope {
    enum class Kind : std::uint8_t {
        Whole, ///< the body is a packed message
        Parts, ///< the body is a PartList: the message is in subjects of its own
        Part,  ///< the body is a stretch of a packed message
    } kind = Kind::Whole;
    std::uint64_t sequence = 0;
    Bytes body;
};
/// Where the parts of a message are.
struct PartList {
    std::uint32_t slot = 0, count = 0;
    std::uint64_t size = 0;     ///< of all parts
    std::uint32_t checksum = 0; ///< of all parts, one after the other
};
/// What is said of a message, or of the records in one, that cannot be as it is.
Error damaged(const std::string& why);
/// The most bytes that a message has when it is unpacked.
constexpr std::size_t kMessageLimit = std::size_t{1} << 28;
/// The most parts of a message.
constexpr std::uint32_t kMostParts = 4096;
/// Error: it is larger than kMessageLimit.
Result<Bytes> pack(const Message& message);
/// Error: what is damaged, or that a newer dscope made it. Records are well-formed each by itself; whether they follow from one another
/// is for record::StreamCheck.
Result<Message> unpack(std::uint64_t sequence, ByteView body);
Bytes seal(Envelope::Kind kind, std::uint64_t sequence, ByteView body);
Result<Envelope> open(ByteView payload);
Bytes bytesOf(const PartList& parts);
Result<PartList> partListOf(ByteView body);
/// How many bytes seal() adds.
constexpr std::size_t kEnvelopeSize = 8 + 2 + 2 + 1 + 8 + 4;
} // namespace dscope::remote
