#pragma once
#include <QByteArray>
#include <QByteArrayList>
#include <QFile>
#include <QList>
#include <algorithm>
#include <cstdint>
#include <elfutils/libdwfl.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <gelf.h>
#include <map>
#include <memory>
#include <sys/types.h>
#include <unistd.h>
#include <vector>
namespace dscope::tests {
/// Stacks of a process as libdw walks them: of a thread that the caller, its ptracer, has stopped, from its registers and memory; or
/// from registers and bytes of the stack that somebody took. What is mapped is looked at anew when it has changed. Of one thread.
class LibdwWalk {
public:
    struct Stack {
        QByteArrayList frames; ///< innermost first: "file:0xADDRESS" as the file is linked, "0xADDRESS" where none is mapped
        std::vector<bool> hasTable; ///< whether something tells how the code there is unwound
        bool ended = false; ///< at an undefined return address; else libdw gave up, or `most` was reached
    };
    /// What a thread was at some moment.
    struct Sample {
        quint64 pc = 0;
        std::vector<Dwarf_Word> registers; ///< by DWARF's numbers
        quint64 start = 0;                 ///< address of the bytes
        QByteArray bytes;                  ///< of its stack
    };
    enum class From { Stopped, Sample };
    explicit LibdwWalk(pid_t process, From from = From::Stopped) : m_process(process), m_from(from) { }

    Stack of(const Sample& sample, int most)
    {
        m_sample = &sample;
        return of(m_process, most);
    }
    Stack of(pid_t thread, int most)
    {
        lookAtMappings();
        struct Walk {
            LibdwWalk& self;
            Stack stack;
            int most;
        } walk{*this, {}, most};
        const int result = m_dwfl == nullptr ? -1
                                             : dwfl_getthread_frames(
                                                 m_dwfl.get(), thread,
                                                 [](Dwfl_Frame* frame, void* data) -> int {
                                                     auto& w = *static_cast<Walk*>(data);
                                                     Dwarf_Addr pc = 0;
                                                     bool isActivation = false;
                                                     if (w.stack.frames.size() >= w.most || !dwfl_frame_pc(frame, &pc, &isActivation)) return DWARF_CB_ABORT;
                                                     const bool isCode = w.self.add(w.stack, pc, isActivation);
                                                     return isCode ? DWARF_CB_OK : DWARF_CB_ABORT;
                                                 },
                                                 &walk);
        walk.stack.ended = result == 0;
        return std::move(walk.stack);
    }

private:
    /// An executable one.
    struct Mapping {
        quint64 start, end, offset;
        QByteArray path;
        bool isFile;
    };
    struct End {
        void operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }
    };
    /// False where there is no code: no frame, then.
    bool add(Stack& stack, Dwarf_Addr pc, bool isActivation)
    {
        const auto place = isActivation ? pc : pc - 1;
        const auto* mapping = mappingAt(place);
        if (mapping == nullptr && !isActivation) return false;
        // libdw takes all between the first and the last mapping of a file for that file, and all of it for one displacement.
        auto* module = mapping != nullptr && mapping->isFile ? dwfl_addrmodule(m_dwfl.get(), place) : nullptr;
        GElf_Addr bias = 0;
        auto* elf = module != nullptr ? dwfl_module_getelf(module, &bias) : nullptr;
        const bool isFile = elf != nullptr;
        if (isFile && mapping->path != "[vdso]") bias = displacement(elf, *mapping);
        stack.hasTable.push_back(isFile && hasEntry(module, place));
        if (!isFile) {
            stack.frames.push_back("0x" + QByteArray::number(quint64{pc}, 16));
            return true;
        }
        const QByteArray path = dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
        auto name = path.startsWith("[vdso") ? QByteArray("[vdso]") : path.mid(path.lastIndexOf('/') + 1);
        if (name.endsWith(" (deleted)")) name.chop(10);
        stack.frames.push_back(name + ":0x" + QByteArray::number(quint64{pc - bias}, 16));
        return true;
    }
    /// Whether a table of the file's tells of that address.
    static bool hasEntry(Dwfl_Module* module, Dwarf_Addr place)
    {
        const auto tells = [&](Dwarf_CFI* cfi, Dwarf_Addr bias) {
            Dwarf_Frame* frame = nullptr;
            const bool does = cfi != nullptr && dwarf_cfi_addrframe(cfi, place - bias, &frame) == 0;
            std::free(frame);
            return does;
        };
        Dwarf_Addr bias = 0;
        if (auto* cfi = dwfl_module_eh_cfi(module, &bias); tells(cfi, bias)) return true;
        auto* cfi = dwfl_module_dwarf_cfi(module, &bias);
        return tells(cfi, bias);
    }
    /// What lies between addresses and those that the file is linked for.
    static GElf_Addr displacement(Elf* elf, const Mapping& mapping)
    {
        std::size_t count = 0;
        elf_getphdrnum(elf, &count);
        for (int i = 0; i < int(count); ++i) {
            GElf_Phdr segment;
            if (gelf_getphdr(elf, i, &segment) == nullptr || segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
            const auto begin = std::max<quint64>(mapping.offset, segment.p_offset);
            if (begin < std::min<quint64>(mapping.offset + (mapping.end - mapping.start), segment.p_offset + segment.p_filesz))
                return mapping.start - mapping.offset - (segment.p_vaddr - segment.p_offset);
        }
        return mapping.start;
    }
    const Mapping* mappingAt(quint64 address) const
    {
        const auto next = m_mappings.upper_bound(address);
        if (next == m_mappings.begin() || address >= std::prev(next)->second.end) return nullptr;
        return &std::prev(next)->second;
    }
    void lookAtMappings()
    {
        QFile maps("/proc/" + QString::number(m_process) + "/maps");
        QByteArray code;
        m_mappings.clear();
        if (maps.open(QIODevice::ReadOnly))
            for (const auto& line : maps.readAll().split('\n')) {
                const auto words = line.simplified().split(' ');
                if (words.size() < 5) continue;
                const auto range = words[0].split('-');
                const auto start = range[0].toULongLong(nullptr, 16), end = range[1].toULongLong(nullptr, 16);
                const auto path = words.size() > 5 ? words[5] : QByteArray();
                const bool isFile = words[4] != "0" || path == "[vdso]";
                if (isFile) code += line + '\n';
                if (words[1].contains('x')) m_mappings[start] = {start, end, words[2].toULongLong(nullptr, 16), path, isFile};
            }
        s_current = this;
        if (m_dwfl && code == m_code) return;
        m_code = code;
        static const Dwfl_Callbacks callbacks{
            .find_elf = findElf,
            .find_debuginfo = [](Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) { return -1; },
            .section_address = nullptr,
            .debuginfo_path = nullptr};
        m_dwfl.reset(dwfl_begin(&callbacks));
        dwfl_linux_proc_report(m_dwfl.get(), m_process);
        dwfl_report_end(m_dwfl.get(), nullptr, nullptr);
        if (!(m_from == From::Stopped ? dwfl_linux_proc_attach(m_dwfl.get(), m_process, true) == 0 : attachSamples())) m_dwfl.reset();
    }
    bool attachSamples()
    {
        static const Dwfl_Thread_Callbacks callbacks{
            .next_thread = [](Dwfl*, void* self, void** each) -> pid_t {
                if (*each != nullptr) return 0;
                *each = self;
                return static_cast<LibdwWalk*>(self)->m_process;
            },
            .get_thread = nullptr,
            .memory_read = [](Dwfl*, Dwarf_Addr address, Dwarf_Word* word, void* self) {
                const auto& sample = *static_cast<LibdwWalk*>(self)->m_sample;
                if (address < sample.start || address + sizeof *word > sample.start + quint64(sample.bytes.size())) return false;
                std::memcpy(word, sample.bytes.data() + (address - sample.start), sizeof *word);
                return true;
            },
            .set_initial_registers = [](Dwfl_Thread* thread, void* self) {
                const auto& sample = *static_cast<LibdwWalk*>(self)->m_sample;
                dwfl_thread_state_register_pc(thread, sample.pc);
                return dwfl_thread_state_registers(thread, 0, unsigned(sample.registers.size()), sample.registers.data());
            },
            .detach = nullptr,
            .thread_detach = nullptr};
        return dwfl_attach_state(m_dwfl.get(), nullptr, m_process, &callbacks, this);
    }
    /// The very file that is mapped, whatever became of its path and whoever sees that.
    static int findElf(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, char** path, Elf** elf)
    {
        for (const auto& [start, mapping] : s_current->m_mappings) {
            if (!QByteArray(name).startsWith('/') || !mapping.isFile || !QByteArray(name).startsWith(mapping.path)) continue;
            char link[64];
            std::snprintf(link, sizeof link, "/proc/%d/map_files/%llx-%llx", int(s_current->m_process), start, mapping.end);
            if (const int fd = ::open(link, O_RDONLY | O_CLOEXEC); fd >= 0) return fd;
        }
        return dwfl_linux_proc_find_elf(module, data, name, base, path, elf);
    }
    inline static thread_local LibdwWalk* s_current = nullptr; // a callback of libdw's is told nothing else
    pid_t m_process;
    From m_from;
    const Sample* m_sample = nullptr;
    QByteArray m_code;
    std::map<quint64, Mapping> m_mappings; ///< by start
    std::unique_ptr<Dwfl, End> m_dwfl;
};
} // namespace dscope::tests
