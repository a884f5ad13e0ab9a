#pragma once
#include "engine/decode/decoder.h"
#include "engine/decode/stack_table.h"
namespace dscope::decode {
/// Turns payloads and keys from the kernel's layout, where stacks are addresses, into the schema's, where they are ids.
class Translator {
public:
    explicit Translator(StackNamer& namer) : m_namer(namer) { }
    /// `raw`: layout.rawSize bytes. `userStacks`: a RawUserStack with its bytes for each UserStack field in order; when
    /// there is but one for several fields, it serves all. `pid`: whose addresses they are.
    Result<Bytes> translate(const object::Object::RawLayout& layout, ByteView raw, std::span<const ByteView> userStacks, std::uint32_t pid,
        const record::Source::Deliver& deliver);
    bool isFull() const { return m_table.isFull(); }
    /// As StackTable::forget().
    void forget(const std::function<bool(StackId)>& isHeld, const record::Source::Deliver& deliver);

private:
    StackId kernelStack(ByteView addresses, const record::Source::Deliver& deliver);
    record::Frame symbol(const object::Object::RawField& field, ByteView raw, std::uint32_t pid);

    StackNamer& m_namer;
    StackTable m_table;
    std::unordered_map<std::string, StackId> m_kernelStacks; ///< by their addresses: naming them is what takes time
};
/// Splits what follows a payload into its user stacks. Error when they reach past the end.
Result<std::vector<ByteView>> userStacksIn(ByteView rest, std::size_t count);
} // namespace dscope::decode
