#pragma once
#include "engine/object/object.h"
#include "engine/object/raw.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <set>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
/// The least that runs an Object on the real kernel, without libbpf and without the session: tests hold the generated
/// code against the verifier and look at the raw bytes.
namespace kernel {
using namespace dscope;
inline long bpf(int command, bpf_attr& attr) { return ::syscall(SYS_bpf, command, &attr, sizeof attr); }

class Loaded {
public:
    explicit Loaded(const object::Object& object) : m_object(object) { }
    ~Loaded()
    {
        for (const int fd : m_links)
            ::close(fd);
        for (const int fd : m_programs)
            ::close(fd);
        if (m_consumer) ::munmap(m_consumer, 4096);
        if (m_producer) ::munmap(m_producer, 4096 + 2 * std::size_t{m_ringSize});
        for (const int fd : m_maps)
            ::close(fd);
    }
    Loaded(const Loaded&) = delete;

    /// Empty when all maps and programs were taken; else what the kernel said.
    std::string load()
    {
        for (const auto& m : m_object.maps)
            if (const auto error = make(m); !error.empty()) return error;
        for (const auto& p : m_object.programs) {
            if (const auto error = load(p); !error.empty()) return error;
            for (std::uint32_t i = 0; i < p.parts.size(); ++i) {
                if (const auto error = load(p.parts[i]); !error.empty()) return error;
                write(p.partsMap, i + 1, &m_programs.back());
                ::close(m_programs.back());
                m_programs.pop_back();
            }
        }
        return {};
    }
    void setState(object::State state)
    {
        object::Control control{};
        control.state = static_cast<std::uint32_t>(state);
        write(m_object.control, 0, &control);
    }
    object::Control control()
    {
        object::Control control{};
        const std::uint32_t key = 0;
        lookup(m_object.control, &key, &control);
        return control;
    }
    /// Runs a Manual program, as the session does.
    bool runManual(std::size_t index)
    {
        std::uint64_t context[12] = {};
        bpf_attr attr{};
        attr.test.prog_fd = static_cast<std::uint32_t>(m_programs[index]);
        attr.test.ctx_in = reinterpret_cast<std::uint64_t>(context);
        attr.test.ctx_size_in = sizeof context;
        return bpf(BPF_PROG_TEST_RUN, attr) == 0;
    }
    void runAllManual()
    {
        for (std::size_t i = 0; i < m_programs.size(); ++i)
            if (std::holds_alternative<probe::Manual>(m_object.programs[i].attach.front())) runManual(i);
    }
    std::string attach()
    {
        for (std::size_t i = 0; i < m_programs.size(); ++i)
            for (const auto& place : m_object.programs[i].attach) {
                if (const auto* tp = std::get_if<probe::RawTracepoint>(&place)) {
                    bpf_attr attr{};
                    attr.raw_tracepoint.name = reinterpret_cast<std::uint64_t>(tp->name.c_str());
                    attr.raw_tracepoint.prog_fd = static_cast<std::uint32_t>(m_programs[i]);
                    const auto fd = static_cast<int>(bpf(BPF_RAW_TRACEPOINT_OPEN, attr));
                    if (fd < 0) return "attach " + tp->name + ": " + std::strerror(errno);
                    m_links.push_back(fd);
                }
                if (const auto* event = std::get_if<probe::PerfEvent>(&place)) {
                    const int cpus = event->everyCpu ? static_cast<int>(std::thread::hardware_concurrency()) : 1;
                    for (int cpu = 0; cpu < cpus; ++cpu) {
                        perf_event_attr attr{};
                        attr.size = sizeof attr;
                        attr.type = event->type;
                        attr.config = event->config;
                        attr.sample_period = event->period;
                        const auto fd = static_cast<int>(::syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC));
                        if (fd < 0) return std::string("perf_event_open: ") + std::strerror(errno);
                        m_links.push_back(fd);
                        if (::ioctl(fd, PERF_EVENT_IOC_SET_BPF, m_programs[i]) || ::ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
                            return std::string("perf ioctl: ") + std::strerror(errno);
                    }
                }
            }
        return {};
    }
    void detach()
    {
        for (const int fd : m_links)
            ::close(fd);
        m_links.clear();
    }
    /// Every record in the ring, in order.
    std::vector<Bytes> records()
    {
        std::vector<Bytes> out;
        auto* consumer = static_cast<std::atomic<std::uint64_t>*>(m_consumer);
        const auto* producer = static_cast<std::atomic<std::uint64_t>*>(m_producer);
        const auto* data = static_cast<const std::byte*>(m_producer) + 4096;
        auto at = consumer->load();
        while (at < producer->load(std::memory_order_acquire)) {
            const auto* head = data + (at & (m_ringSize - 1));
            const auto length = reinterpret_cast<const std::atomic<std::uint32_t>*>(head)->load(std::memory_order_acquire);
            if (length & BPF_RINGBUF_BUSY_BIT) break;
            const auto size = length & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);
            if (!(length & BPF_RINGBUF_DISCARD_BIT)) out.emplace_back(head + 8, head + 8 + size);
            at += (size + 8 + 7) & ~7u;
        }
        consumer->store(at);
        return out;
    }
    /// Every key of a map with its value (of all CPUs for per-CPU maps).
    std::vector<std::pair<Bytes, Bytes>> entries(MapId map)
    {
        const auto& m = m_object.maps.at(map.value);
        const bool perCpu = m.kind == object::MapKind::PerCpuArray || m.kind == object::MapKind::PerCpuHash;
        std::vector<std::pair<Bytes, Bytes>> out;
        Bytes key(m.keySize), next(m.keySize);
        const void* previous = nullptr;
        while (true) {
            bpf_attr attr{};
            attr.map_fd = static_cast<std::uint32_t>(m_maps[map.value]);
            attr.key = reinterpret_cast<std::uint64_t>(previous);
            attr.next_key = reinterpret_cast<std::uint64_t>(next.data());
            if (bpf(BPF_MAP_GET_NEXT_KEY, attr)) break;
            key = next;
            previous = key.data();
            Bytes value(((m.valueSize + 7) & ~7u) * (perCpu ? possibleCpus() : 1));
            if (lookup(map, key.data(), value.data())) out.emplace_back(key, std::move(value));
        }
        return out;
    }
    /// The sum over the CPUs of one word of a per-CPU value.
    static std::int64_t sum(const Bytes& perCpu, std::size_t valueSize, std::size_t word)
    {
        std::int64_t total = 0;
        const auto stride = (valueSize + 7) & ~std::size_t{7};
        for (std::size_t at = 0; at + stride <= perCpu.size(); at += stride)
            total += readAt<std::int64_t>(perCpu, at + 8 * word);
        return total;
    }
    std::int64_t drops()
    {
        std::int64_t total = 0;
        for (const auto& [key, value] : entries(m_object.drops))
            if (readAt<std::uint32_t>(key, 0) < object::kDropKinds) total += sum(value, 8, 0); // else counted firings
        return total;
    }
    static std::size_t possibleCpus() { return static_cast<std::size_t>(::sysconf(_SC_NPROCESSORS_CONF)); }
    std::uint32_t verified(std::size_t program) const { return m_verified.at(program); }

private:
    std::string make(const object::Map& m)
    {
        using object::MapKind;
        static constexpr std::uint32_t kTypes[] = {BPF_MAP_TYPE_ARRAY, BPF_MAP_TYPE_PERCPU_ARRAY, BPF_MAP_TYPE_HASH,
            BPF_MAP_TYPE_PERCPU_HASH, BPF_MAP_TYPE_TASK_STORAGE, BPF_MAP_TYPE_RINGBUF, BPF_MAP_TYPE_PROG_ARRAY};
        bpf_attr attr{};
        attr.map_type = kTypes[static_cast<int>(m.kind)];
        attr.key_size = m.keySize;
        attr.value_size = m.valueSize;
        attr.max_entries = m.maxEntries;
        if (m.forEachCpu) attr.max_entries *= static_cast<std::uint32_t>(::sysconf(_SC_NPROCESSORS_CONF));
        if ((m.kind == MapKind::Hash || m.kind == MapKind::PerCpuHash) && !m.preallocate) attr.map_flags |= BPF_F_NO_PREALLOC;
        if (m.kind == MapKind::TaskStorage) {
            attr.map_flags |= BPF_F_NO_PREALLOC;
            attr.btf_fd = static_cast<std::uint32_t>(btf(m.valueSize));
            attr.btf_key_type_id = 1;
            attr.btf_value_type_id = 3;
        }
        if (m.frozen) attr.map_flags |= BPF_F_RDONLY_PROG;
        std::memcpy(attr.map_name, m.name.data(), std::min<std::size_t>(m.name.size(), 15));
        const auto fd = static_cast<int>(bpf(BPF_MAP_CREATE, attr));
        if (fd < 0) return "map " + m.name + ": " + std::strerror(errno);
        m_maps.push_back(fd);
        const MapId id{static_cast<std::uint32_t>(m_maps.size() - 1)};
        for (std::uint32_t i = 0; std::size_t{i} * m.valueSize < m.initial.size(); ++i) {
            Bytes value(m.initial.begin() + i * m.valueSize,
                m.initial.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(m.initial.size(), (i + 1) * m.valueSize)));
            value.resize(m.valueSize);
            write(id, i, value.data());
        }
        if (m.frozen) {
            bpf_attr freeze{};
            freeze.map_fd = static_cast<std::uint32_t>(fd);
            bpf(BPF_MAP_FREEZE, freeze);
        }
        if (m.kind == MapKind::RingBuffer) {
            m_ringSize = m.maxEntries;
            m_consumer = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
            m_producer = ::mmap(nullptr, 4096 + 2 * std::size_t{m_ringSize}, PROT_READ, MAP_SHARED, fd, 4096);
        }
        return {};
    }
    static int btf(std::uint32_t valueSize)
    {
        // 1: int, 2: char, 3: char[valueSize] within a struct of its size.
        struct Blob {
            btf_header header{};
            btf_type integer{};
            std::uint32_t integerBits = 0;
            btf_type byte{};
            std::uint32_t byteBits = 0;
            btf_type array{};
            btf_array of{};
            char strings[12] = "\0int\0char\0";
        } blob;
        static_assert(sizeof(Blob) == sizeof(btf_header) + 3 * sizeof(btf_type) + 8 + sizeof(btf_array) + 12);
        blob.header = {BTF_MAGIC, BTF_VERSION, 0, sizeof(btf_header), 0, sizeof(Blob) - sizeof(btf_header) - 12,
            sizeof(Blob) - sizeof(btf_header) - 12, 12};
        blob.integer.name_off = 1;
        blob.integer.info = BTF_KIND_INT << 24;
        blob.integer.size = 4;
        blob.integerBits = (BTF_INT_SIGNED << 24) | 32;
        blob.byte.name_off = 5;
        blob.byte.info = BTF_KIND_INT << 24;
        blob.byte.size = 1;
        blob.byteBits = 8;
        blob.array.info = BTF_KIND_ARRAY << 24;
        blob.of = {2, 1, valueSize};
        bpf_attr attr{};
        attr.btf = reinterpret_cast<std::uint64_t>(&blob);
        attr.btf_size = sizeof blob;
        return static_cast<int>(bpf(BPF_BTF_LOAD, attr));
    }
    struct Functions {
        int btf = -1;
        std::vector<bpf_func_info> info;
    };
    /// The kernel asks for types of subprograms when one of them is a callback: each is a static `int f(void)`.
    static Functions functionsOf(const std::vector<bpf::Slot>& slots)
    {
        std::set<std::uint32_t> starts{0};
        bool callbacks = false;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const bool wide = slots[i].opcode == (BPF_LD | BPF_IMM | BPF_DW);
            const bool callback = wide && slots[i].src == BPF_PSEUDO_FUNC;
            const bool call = slots[i].opcode == (BPF_JMP | BPF_CALL) && slots[i].src == BPF_PSEUDO_CALL;
            if (callback || call) starts.insert(static_cast<std::uint32_t>(static_cast<std::int64_t>(i) + slots[i].imm + 1));
            callbacks = callbacks || callback;
            i += wide;
        }
        Functions found;
        if (!callbacks) return found;
        struct Blob {
            btf_header header{};
            btf_type integer{};
            std::uint32_t bits = 0;
            btf_type prototype{}, function{};
            char strings[8] = "\0int\0f";
        } blob;
        constexpr std::uint32_t kTypes = 3 * sizeof(btf_type) + 4;
        blob.header = {BTF_MAGIC, BTF_VERSION, 0, sizeof(btf_header), 0, kTypes, kTypes, sizeof blob.strings};
        blob.integer.name_off = 1;
        blob.integer.info = BTF_KIND_INT << 24;
        blob.integer.size = 4;
        blob.bits = (BTF_INT_SIGNED << 24) | 32;
        blob.prototype.info = static_cast<std::uint32_t>(BTF_KIND_FUNC_PROTO) << 24;
        blob.prototype.type = 1;
        blob.function.name_off = 5;
        blob.function.info = BTF_KIND_FUNC << 24;
        blob.function.type = 2;
        bpf_attr attr{};
        attr.btf = reinterpret_cast<std::uint64_t>(&blob);
        attr.btf_size = sizeof blob;
        found.btf = static_cast<int>(bpf(BPF_BTF_LOAD, attr));
        for (const auto start : starts)
            found.info.push_back({start, 3});
        return found;
    }
    std::string load(const object::Code& code)
    {
        static constexpr std::uint32_t kTypes[] = {BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_PROG_TYPE_PERF_EVENT, BPF_PROG_TYPE_KPROBE};
        auto slots = code.slots;
        for (const auto& r : code.relocations) {
            slots[r.slot].src = r.value ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD;
            slots[r.slot].imm = m_maps.at(r.map.value);
            slots[r.slot + 1].imm = r.value ? static_cast<std::int32_t>(r.offset) : 0;
        }
        const auto functions = functionsOf(slots);
        std::string log(1 << 24, '\0');
        bpf_attr attr{};
        if (functions.btf >= 0) {
            attr.prog_btf_fd = static_cast<std::uint32_t>(functions.btf);
            attr.func_info = reinterpret_cast<std::uint64_t>(functions.info.data());
            attr.func_info_cnt = static_cast<std::uint32_t>(functions.info.size());
            attr.func_info_rec_size = sizeof(bpf_func_info);
        }
        attr.prog_type = kTypes[static_cast<int>(code.type)];
        attr.insns = reinterpret_cast<std::uint64_t>(slots.data());
        attr.insn_cnt = static_cast<std::uint32_t>(slots.size());
        attr.license = reinterpret_cast<std::uint64_t>("GPL");
        std::memcpy(attr.prog_name, code.name.data(), std::min<std::size_t>(code.name.size(), 15));
        auto fd = static_cast<int>(bpf(BPF_PROG_LOAD, attr));
        if (fd < 0) {
            const int why = errno;
            attr.log_level = 1;
            attr.log_buf = reinterpret_cast<std::uint64_t>(log.data());
            attr.log_size = static_cast<std::uint32_t>(log.size());
            fd = static_cast<int>(bpf(BPF_PROG_LOAD, attr));
            if (fd < 0) {
                log.resize(std::strlen(log.c_str()));
                return "program " + code.name + ": " + std::strerror(why) + "\n"
                    + (log.size() > 6000 ? log.substr(log.size() - 6000) : log);
            }
        }
        m_programs.push_back(fd);
        bpf_prog_info info{};
        bpf_attr ask{};
        ask.info.bpf_fd = static_cast<std::uint32_t>(fd);
        ask.info.info_len = sizeof info;
        ask.info.info = reinterpret_cast<std::uint64_t>(&info);
        m_verified.push_back(bpf(BPF_OBJ_GET_INFO_BY_FD, ask) == 0 ? info.verified_insns : 0);
        return {};
    }
    bool lookup(MapId map, const void* key, void* value)
    {
        bpf_attr attr{};
        attr.map_fd = static_cast<std::uint32_t>(m_maps[map.value]);
        attr.key = reinterpret_cast<std::uint64_t>(key);
        attr.value = reinterpret_cast<std::uint64_t>(value);
        return bpf(BPF_MAP_LOOKUP_ELEM, attr) == 0;
    }
    void write(MapId map, std::uint32_t key, const void* value)
    {
        bpf_attr attr{};
        attr.map_fd = static_cast<std::uint32_t>(m_maps[map.value]);
        attr.key = reinterpret_cast<std::uint64_t>(&key);
        attr.value = reinterpret_cast<std::uint64_t>(value);
        bpf(BPF_MAP_UPDATE_ELEM, attr);
    }
    const object::Object& m_object;
    std::vector<int> m_maps, m_programs, m_links;
    std::vector<std::uint32_t> m_verified;
    void *m_consumer = nullptr, *m_producer = nullptr;
    std::uint32_t m_ringSize = 0;
};
} // namespace kernel
