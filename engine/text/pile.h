#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>
namespace dscope::text {
/// Many small things one behind another, as a vector. It takes no more memory while it grows than it has things, since large blocks are
/// moved by their pages, and gives back what becomes free.
template <typename T> class Pile {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Pile() = default;
    Pile(Pile&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_size(std::exchange(other.m_size, 0)), m_room(std::exchange(other.m_room, 0))
    {
    }
    Pile& operator=(Pile&& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_room, other.m_room);
        return *this;
    }
    ~Pile() { std::free(m_data); }
    void push_back(const T& one)
    {
        if (m_size == m_room) room(m_room < 16 ? 16 : m_room + m_room / 2);
        m_data[m_size++] = one;
    }
    T* begin() { return m_data; }
    T* end() { return m_data + m_size; }
    const T* begin() const { return m_data; }
    const T* end() const { return m_data + m_size; }
    T& operator[](std::size_t i) { return m_data[i]; }
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    /// Drops what stands behind the first `size`.
    void cut(std::size_t size)
    {
        if (size >= m_size) return;
        m_size = size;
        if (size == 0)
            std::free(std::exchange(m_data, nullptr)), m_room = 0;
        else
            room(size);
    }

private:
    void room(std::size_t count)
    {
        auto* const data = static_cast<T*>(std::realloc(static_cast<void*>(m_data), count * sizeof(T)));
        if (!data) throw std::bad_alloc();
        m_data = data;
        m_room = count;
    }
    T* m_data = nullptr;
    std::size_t m_size = 0, m_room = 0;
};
} // namespace dscope::text
