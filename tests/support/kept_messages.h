#pragma once
#include "engine/remote/broker.h"
#include <map>
#include <mutex>
namespace dscope::test {
/// What a broker keeps, in memory, and what it does to its clients.
struct KeptMessages {
    std::mutex mutex;
    std::map<std::string, remote::Kept> bySubject;
    std::uint64_t number = 0, taken = 0;
    std::uint64_t takes = UINT64_MAX; ///< messages until it is away
    std::size_t most = 1 << 20;

    std::map<std::string, remote::Kept> all()
    {
        const std::lock_guard lock(mutex);
        return bySubject;
    }
};
/// A client of it. It answers at once; what it has taken is kept whatever becomes of the client.
class MemoryBroker final : public remote::Broker {
public:
    explicit MemoryBroker(std::shared_ptr<KeptMessages> kept) : m_kept(std::move(kept)) { }
    Result<std::uint64_t> keep(const std::string& subject, ByteView payload, std::uint64_t after) override
    {
        const std::lock_guard lock(m_kept->mutex);
        if (m_kept->taken >= m_kept->takes) return Error{remote::kAway, "no server answers"};
        const auto known = m_kept->bySubject.find(subject);
        if ((known == m_kept->bySubject.end() ? 0 : known->second.number) != after) return Error{remote::kOther, "another one"};
        if (payload.size() > m_kept->most) return Error{0, "larger than the broker takes"};
        m_kept->bySubject[subject] = {subject, ++m_kept->number, Bytes(payload.begin(), payload.end())};
        ++m_kept->taken;
        return m_kept->number;
    }
    Result<std::optional<remote::Kept>> last(const std::string& subject) override
    {
        const std::lock_guard lock(m_kept->mutex);
        if (m_kept->taken >= m_kept->takes) return Error{remote::kAway, "no server answers"};
        std::optional<remote::Kept> newest;
        const auto star = subject.find('*');
        for (const auto& [name, kept] : m_kept->bySubject) {
            const bool fits = star == std::string::npos ? name == subject
                                                        : name.starts_with(subject.substr(0, star)) && name.ends_with(".program");
            if (fits && (!newest || newest->number < kept.number)) newest = kept;
        }
        return newest;
    }
    Result<std::optional<remote::Kept>> next(std::chrono::milliseconds) override
    {
        const std::lock_guard lock(m_kept->mutex);
        const remote::Kept* oldest = nullptr;
        for (const auto& [name, kept] : m_kept->bySubject)
            if (kept.number > m_seen && (!oldest || oldest->number > kept.number)) oldest = &kept;
        if (!oldest) return std::optional<remote::Kept>();
        m_seen = oldest->number;
        return std::optional(*oldest);
    }
    Result<bool> hasGivenAll() override { return m_seen >= m_kept->number; }
    std::size_t mostBytes() const override { return m_kept->most; }

private:
    std::shared_ptr<KeptMessages> m_kept;
    std::uint64_t m_seen = 0;
};
} // namespace dscope::test
