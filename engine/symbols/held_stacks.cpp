#include "engine/symbols/held_stacks.h"
#include "engine/symbols/jit_names.h"
#include "engine/symbols/process_maps.h"
namespace dscope::symbols {
std::optional<HeldFiles::Place> HeldFiles::place(const Mapping& mapping, std::uint64_t address)
{
    if (!mapping.module) return {};
    const auto at = address - mapping.displacement;
    if (at >> kLinkedBits != 0) return {};
    if (m_last.module != mapping.module.get() || m_last.main != mapping.main) {
        const auto [number, isNew] = m_numbers.try_emplace({mapping.module.get(), mapping.main}, m_next);
        if (isNew && !hasNumber()) return m_numbers.erase(number), std::nullopt;
        if (isNew) m_files.emplace(m_next++, File{mapping.module, mapping.main, mapping.displacement, 0, nullptr});
        m_last = {mapping.module.get(), mapping.main, number->second};
    }
    return m_last.number << kLinkedBits | at;
}

std::optional<HeldFiles::Place> HeldFiles::place(File file, std::uint64_t address)
{
    file.displacement = address >> kLinkedBits << kLinkedBits;
    const auto [number, isNew] = m_generated.try_emplace({file.generated.get(), file.displacement, file.function, file.start}, m_next);
    if (isNew && !hasNumber()) return m_generated.erase(number), std::nullopt;
    if (isNew) {
        m_nameBytes += 2 * file.function.size();
        m_files.emplace(m_next++, std::move(file));
    }
    return number->second << kLinkedBits | linked(address);
}

void HeldFiles::hold(std::span<const Place> places)
{
    for (std::size_t i = 0, next = 0; i < places.size(); i = next) {
        while (next < places.size() && places[next] >> kLinkedBits == places[i] >> kLinkedBits)
            ++next;
        m_files.at(places[i] >> kLinkedBits).frames += next - i;
    }
    m_frames += places.size();
}

void HeldFiles::release(std::span<const Place> places)
{
    for (std::size_t i = 0, next = 0; i < places.size(); i = next) {
        while (next < places.size() && places[next] >> kLinkedBits == places[i] >> kLinkedBits)
            ++next;
        const auto file = m_files.find(places[i] >> kLinkedBits);
        if ((file->second.frames -= next - i) != 0) continue;
        const auto& gone = file->second;
        if (gone.generated) {
            m_nameBytes -= 2 * gone.function.size();
            m_generated.erase({gone.generated.get(), gone.displacement, gone.function, gone.start});
        } else
            m_numbers.erase({gone.module.get(), gone.main});
        m_files.erase(file);
        m_last = {};
    }
    m_frames -= places.size();
}

HeldStack::HeldStack(std::shared_ptr<HeldFiles> files, std::span<const HeldFiles::Place> places)
    : m_files(std::move(files)), m_places(places.begin(), places.end())
{
    m_files->hold(m_places);
}

HeldStack::~HeldStack()
{
    if (m_files) m_files->release(m_places);
}
} // namespace dscope::symbols
