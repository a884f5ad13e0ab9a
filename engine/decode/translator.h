#pragma once
#include "engine/decode/decoder.h"
#include "engine/decode/stack_table.h"
#include <array>
#include <optional>
#include <unordered_map>
namespace dscope::decode {
/// Turns payloads and keys from the kernel's layout, where stacks are addresses, into the schema's, where they are ids.
class Translator {
public:
    explicit Translator(StackNamer& namer) : m_namer(namer) { }
    /// `raw`: layout.rawSize bytes. `userStacks`: a RawUserStack with its bytes for each UserStack field in order; when
    /// there is but one for several fields, it serves all. `pid`: whose addresses they are.
    /// None: a stack in it was walked by the kernel, and its frames are still to come.
    Result<std::optional<Bytes>> translate(const object::Object::RawLayout& layout, ByteView raw, std::span<const ByteView> userStacks,
        std::uint32_t pid, const record::Source::Deliver& deliver);
    /// Names the stacks of such keys, which translate() will be asked for next: it is faster to name them together, in the order of
    /// their callers.
    void name(const object::Object::RawLayout& layout, std::span<const ByteView> keys, const record::Source::Deliver& deliver);
    /// What is wrong with a stack of the last translate(), which has record::kUnreadableStack in its place.
    Result<> unreadable();
    /// A RawStack and its addresses.
    Result<> walked(ByteView raw, const record::Source::Deliver& deliver);
    /// So many walked stacks are known that it is time to release() some.
    bool knowsMany() const { return m_walked.size() > m_mostWalked; }
    using WalkKey = std::array<std::uint64_t, 2>;
    struct KeyHash {
        std::size_t operator()(const WalkKey& key) const { return key[0]; }
    };
    /// A key of an aggregation in the kernel's layout for one that came with a copied stack: translate() knows its stacks then, and
    /// gives them names. None where the layout has no room for such keys of stacks, or has what must be named at once.
    Result<std::optional<Bytes>> keyOfCopies(const object::Object::RawLayout& layout, ByteView raw, ByteView userStack, std::uint32_t pid,
        const record::Source::Deliver& deliver);
    /// A key of a stack is in use: the next release() leaves it.
    void use(const WalkKey& key);
    /// Forgets the walked stacks that were released before and did not come again; releases all others but those in use():
    /// the kernel is to forget them by `forget`, and will send them again.
    Result<> release(const std::function<Result<>(const WalkKey&)>& forget);
    bool isFull() const { return m_table.isFull(); }
    /// As StackTable::forget().
    void forget(const std::function<bool(StackId)>& isHeld, const record::Source::Deliver& deliver);

private:
    StackId kernelStack(ByteView addresses, const record::Source::Deliver& deliver);
    Result<StackId> stackValue(const object::Object::RawField& field, ByteView raw, const record::Source::Deliver& deliver);
    record::Frame symbol(const object::Object::RawField& field, ByteView raw, std::uint32_t pid);

    StackNamer& m_namer;
    StackTable m_table;
    std::optional<Error> m_unreadable;
    struct Walked {
        StackId id{};
        bool released = false, used = false;
        bool copied = false;                    ///< the kernel knows nothing of it
        std::unique_ptr<StackNamer::Held> held; ///< null: it was named and has its id
    };
    Result<std::optional<StackId>> userStack(
        const object::Object::RawField& field, ByteView raw, std::uint32_t pid, const record::Source::Deliver& deliver);
    std::optional<StackId> walkedStack(ByteView key, const record::Source::Deliver& deliver);
    StackId idOf(Walked& walked, const record::Source::Deliver& deliver);
    void nameAll(std::vector<Walked*> held, const record::Source::Deliver& deliver); ///< in the order of their callers
    /// So many come between two calls of release(), or as many as are in use: whoever shows the stacks keeps the frames of all that are
    /// known here, some kilobytes for each.
    static constexpr std::size_t kFewestWalked = 1U << 13U;
    std::unordered_map<WalkKey, Walked, KeyHash> m_walked;
    std::size_t m_mostWalked = kFewestWalked;
    std::vector<std::uint64_t> m_addresses;                  ///< of the walked stack that has just come
    std::unordered_map<std::string, StackId> m_kernelStacks; ///< by their addresses: naming them is what takes time
};
/// Splits what follows a payload into its user stacks. Error when they reach past the end.
Result<std::vector<ByteView>> userStacksIn(ByteView rest, std::size_t count);
} // namespace dscope::decode
