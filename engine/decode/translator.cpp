#include "engine/decode/translator.h"
#include "engine/object/raw.h"
#include "engine/record/value.h"
#include <algorithm>
#include <unordered_set>
#include <utility>
namespace dscope::decode {
namespace {
using object::Object;
using record::FieldKind;
constexpr std::size_t kMostKernelStacks = 1U << 14U; // their frames are kept, too

void putId(Bytes& bytes, std::uint32_t offset, StackId id)
{
    DSCOPE_ASSERT(offset + sizeof id.value <= bytes.size());
    std::memcpy(bytes.data() + offset, &id.value, sizeof id.value);
}
} // namespace

Result<std::vector<ByteView>> userStacksIn(ByteView rest, std::size_t count)
{
    std::vector<ByteView> stacks;
    for (std::size_t i = 0; i < count; ++i) {
        if (rest.size() < sizeof(object::RawUserStack)) return Error{0, "a record ends within a user stack"};
        const std::size_t size = sizeof(object::RawUserStack) + readAt<object::RawUserStack>(rest, 0).length;
        if (rest.size() < size) return Error{0, "a record ends within the bytes of a user stack"};
        stacks.push_back(rest.first(size));
        rest = rest.subspan(size);
    }
    return stacks;
}

StackId Translator::kernelStack(ByteView addresses, const record::Source::Deliver& deliver)
{
    std::vector<std::uint64_t> frames;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= addresses.size(); at += sizeof(std::uint64_t)) {
        const auto address = readAt<std::uint64_t>(addresses, at);
        if (address == 0) break;
        frames.push_back(address);
    }
    std::string key(reinterpret_cast<const char*>(frames.data()), frames.size() * sizeof(std::uint64_t));
    if (const auto known = m_kernelStacks.find(key); known != m_kernelStacks.end()) return known->second;
    const auto id = m_table.id(m_namer.kernel(frames), deliver);
    if (m_kernelStacks.size() >= kMostKernelStacks) m_kernelStacks.clear();
    m_kernelStacks.emplace(std::move(key), id);
    return id;
}

/// A dt_stack_t, whose members the program may have written to.
Result<StackId> Translator::stackValue(const Object::RawField& field, ByteView raw, const record::Source::Deliver& deliver)
{
    const auto head = readAt<object::RawStackValue>(raw, 0);
    if (head.depth > field.limit) return Error{0, "processing aborted: Data record has incorrect size"};
    const auto addresses = raw.subspan(sizeof head, sizeof(std::uint64_t) * head.depth);
    if (head.isUser == 0) return kernelStack(addresses, deliver);
    std::vector<std::uint64_t> frames(head.depth);
    if (head.depth != 0) std::memcpy(frames.data(), addresses.data(), addresses.size());
    return m_table.id(m_namer.walked(head.pid, frames, object::WalkEnd::Asked), deliver);
}

record::Frame Translator::symbol(const Object::RawField& field, ByteView raw, std::uint32_t pid)
{
    // In the key of an aggregation in the kernel the pid comes before the address, since no record says whose address it is.
    const bool ownPid = field.rawSize >= 2 * sizeof(std::uint64_t);
    const auto owner = ownPid ? static_cast<std::uint32_t>(readAt<std::uint64_t>(raw, field.rawOffset)) : pid;
    const auto address = readAt<std::uint64_t>(raw, field.rawOffset + (ownPid ? sizeof(std::uint64_t) : 0));
    using Detail = Object::RawField::Detail;
    // Linux gives the upper half of all addresses to the kernel.
    const bool isKernels = field.detail == Detail::AnyAddress && static_cast<std::int64_t>(address) < 0;
    auto frame = field.user && !isKernels ? m_namer.userSymbol(owner, address) : m_namer.kernelSymbol(address);
    // Addresses within one function, or one module, are then one and the same, and so is what is told of them.
    if (field.detail == Detail::Function && !frame.function.empty()) {
        frame.address -= frame.offset;
        frame.linked -= std::min(frame.linked, frame.offset);
        frame.offset = 0;
    } else if (field.detail == Detail::Function && !frame.module.empty() && frame.offset != 0) {
        frame.address = frame.offset;
        frame.linked = 0;
    } else if (field.detail == Detail::Module && !frame.module.empty()) {
        frame.function.clear();
        frame.address = frame.offset = frame.linked = 0;
    } else {
        return frame;
    }
    frame.line = 0;
    frame.file = {};
    return frame;
}

Result<std::optional<Bytes>> Translator::translate(const Object::RawLayout& layout, ByteView raw, std::span<const ByteView> userStacks,
    std::uint32_t pid, const record::Source::Deliver& deliver)
{
    if (raw.size() < layout.rawSize) return Error{0, "a record is shorter than its layout says"};
    Bytes out(layout.size);
    std::size_t from = 0, to = 0, user = 0;
    // An id may be followed by padding up to where the next field is to be aligned, an address never: the bytes between
    // two stacks go to the end of the room between them.
    const auto copyUntil = [&](std::size_t rawEnd, std::size_t end) {
        const auto size = std::min(rawEnd - from, end - to);
        if (size != 0) std::memcpy(out.data() + end - size, raw.data() + from, size);
    };

    for (const auto& field : layout.stacks) {
        DSCOPE_ASSERT(field.rawOffset >= from && field.offset >= to && field.rawOffset + field.rawSize <= layout.rawSize);
        copyUntil(field.rawOffset, field.offset);
        StackId id;
        switch (field.kind) {
        case FieldKind::Stack: {
            const auto stack = raw.subspan(field.rawOffset, field.rawSize);
            if (!field.isValue) {
                id = kernelStack(stack, deliver);
                break;
            }
            if (auto known = stackValue(field, stack, deliver)) {
                id = *known;
            } else {
                id = record::kUnreadableStack;
                m_unreadable = std::move(known).error();
            }
            break;
        }
        case FieldKind::UserStack: {
            const auto stack
                = userStacks.empty() ? raw.subspan(field.rawOffset, field.rawSize) : userStacks[std::min(user++, userStacks.size() - 1)];
            DSCOPE_TRY(const auto known, userStack(field, stack, pid, deliver));
            if (!known) return std::optional<Bytes>();
            id = *known;
            break;
        }
        case FieldKind::Symbol: id = m_table.id({symbol(field, raw, pid)}, deliver); break;
        default: DSCOPE_BUG("a field that needs no translation");
        }
        putId(out, field.offset, id);
        from = field.rawOffset + field.rawSize;
        to = field.offset + sizeof id.value;
    }
    copyUntil(layout.rawSize, layout.size);
    return std::optional<Bytes>(std::move(out));
}

void Translator::name(const Object::RawLayout& layout, std::span<const ByteView> keys, const record::Source::Deliver& deliver)
{
    std::vector<Walked*> held;
    for (const auto& field : layout.stacks) {
        if (field.kind != FieldKind::UserStack || field.rawSize != object::kWalkKey) continue;
        for (const auto key : keys)
            if (const auto known = m_walked.find(readAt<WalkKey>(key, field.rawOffset)); known != m_walked.end() && known->second.held)
                held.push_back(&known->second);
    }

    nameAll(std::move(held), deliver);
}

void Translator::nameAll(std::vector<Walked*> held, const record::Source::Deliver& deliver)
{
    std::sort(held.begin(), held.end(), [](const Walked* a, const Walked* b) {
        const auto left = a->held->places(), right = b->held->places();
        return std::lexicographical_compare(left.rbegin(), left.rend(), right.rbegin(), right.rend());
    });
    for (auto* walked : held)
        idOf(*walked, deliver);
}

Result<> Translator::unreadable()
{
    if (auto trouble = std::exchange(m_unreadable, {})) return *std::move(trouble);
    return {};
}

/// `raw`: a RawUserStack with its bytes, or the key of a walked stack alone.
Result<std::optional<StackId>> Translator::userStack(
    const Object::RawField& field, ByteView raw, std::uint32_t pid, const record::Source::Deliver& deliver)
{
    if (raw.size() == object::kWalkKey) return walkedStack(raw, deliver);
    if (raw.size() < sizeof(object::RawUserStack)) return Error{0, "a record lacks its user stack"};
    if (readAt<object::RawUserStack>(raw, 0).flags & object::kWalked) return walkedStack(raw.first(object::kWalkKey), deliver);
    return std::optional<StackId>(m_table.id(m_namer.user(pid, raw, field), deliver));
}

StackId Translator::idOf(Walked& walked, const record::Source::Deliver& deliver)
{
    if (walked.held) walked.id = m_table.id(std::exchange(walked.held, nullptr)->name(), deliver);
    return walked.id;
}

std::optional<StackId> Translator::walkedStack(ByteView key, const record::Source::Deliver& deliver)
{
    const auto known = m_walked.find(readAt<WalkKey>(key, 0));
    return known == m_walked.end() ? std::nullopt : std::optional(idOf(known->second, deliver));
}

Result<> Translator::walked(ByteView raw, const record::Source::Deliver& deliver)
{
    if (raw.size() < sizeof(object::RawStack)) return Error{0, "a stack is cut"};
    const auto head = readAt<object::RawStack>(raw, 0);
    if ((raw.size() - sizeof head) / sizeof(std::uint64_t) < head.count) return Error{0, "a stack ends within its frames"};
    const auto [at, isNew] = m_walked.try_emplace({head.key[0], head.key[1]});
    auto& walked = at->second;
    if (!isNew) {
        walked.released = false;
        return {};
    }
    m_addresses.resize(head.count);
    if (head.count != 0) std::memcpy(m_addresses.data(), raw.data() + sizeof head, head.count * sizeof(std::uint64_t));
    const auto end = static_cast<object::WalkEnd>(head.end);
    if (m_namer.holdsMuch()) {
        std::vector<Walked*> held;
        for (auto& [other, stack] : m_walked)
            if (stack.held) held.push_back(&stack);
        nameAll(std::move(held), deliver);
    }
    walked.held = m_namer.hold(head.header.pid, m_addresses, end);
    if (!walked.held) walked.id = m_table.id(m_namer.walked(head.header.pid, m_addresses, end), deliver);
    return {};
}

Result<std::optional<Bytes>> Translator::keyOfCopies(
    const Object::RawLayout& layout, ByteView raw, ByteView userStack, std::uint32_t pid, const record::Source::Deliver& deliver)
{
    const auto isNamedAtOnce = [](const Object::RawField& field) {
        return field.kind == FieldKind::UserStack ? field.rawSize != object::kWalkKey : field.kind != FieldKind::Stack;
    };
    if (std::any_of(layout.stacks.begin(), layout.stacks.end(), isNamedAtOnce)) return std::optional<Bytes>();
    Bytes key(raw.begin(), raw.begin() + layout.rawSize);
    for (const auto& field : layout.stacks) {
        if (field.kind != FieldKind::UserStack) continue;
        if (userStack.size() < sizeof(object::RawUserStack)) return Error{0, "a sample lacks its user stack"};
        auto stackKey = readAt<WalkKey>(userStack, 0);
        if (!(readAt<object::RawUserStack>(userStack, 0).flags & object::kWalked)) {
            auto stack = m_namer.copied(pid, userStack, field);
            Walked copied{.copied = true, .held = std::move(stack.held)};
            stackKey = {stack.digest.low, stack.digest.high};
            if (!copied.held) {
                copied.id = m_table.id(std::move(stack.frames), deliver);
                stackKey = {copied.id.value, UINT64_MAX}; // no digest
            }
            m_walked.try_emplace(stackKey, std::move(copied)).first->second.released = false;
        }
        std::memcpy(key.data() + field.rawOffset, stackKey.data(), sizeof stackKey);
    }
    return std::optional<Bytes>(std::move(key));
}

void Translator::use(const WalkKey& key)
{
    if (const auto known = m_walked.find(key); known != m_walked.end()) known->second.used = true;
}

Result<> Translator::release(const std::function<Result<>(const WalkKey&)>& forget)
{
    std::size_t inUse = 0;
    for (auto it = m_walked.begin(); it != m_walked.end();) {
        auto& [key, stack] = *it;
        if (std::exchange(stack.used, false)) {
            stack.released = false;
            ++inUse;
        } else if (stack.released) {
            it = m_walked.erase(it);
            continue;
        } else {
            if (!stack.copied) DSCOPE_CHECK(forget(key));
            stack.released = true;
        }
        ++it;
    }
    m_mostWalked = m_walked.size() + std::max(kFewestWalked, inUse);
    return {};
}

void Translator::forget(const std::function<bool(StackId)>& isHeld, const record::Source::Deliver& deliver)
{
    std::unordered_set<std::uint32_t> known; // by its addresses: then the table is not asked
    for (const auto& [addresses, id] : m_kernelStacks)
        known.insert(id.value);
    for (const auto& [key, stack] : m_walked)
        known.insert(stack.id.value);
    m_table.forget([&](StackId id) { return known.contains(id.value) || isHeld(id); }, deliver);
}
} // namespace dscope::decode
