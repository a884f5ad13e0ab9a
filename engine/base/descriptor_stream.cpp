#include "engine/base/descriptor_stream.h"
#include <cerrno>
#include <unistd.h>
namespace dscope {
DescriptorStream::Buffer::Buffer(int to) : descriptor(to) { setp(bytes.data(), bytes.data() + bytes.size()); }

int DescriptorStream::Buffer::sync()
{
    const char* at = pbase();
    while (failure == 0 && at < pptr()) {
        const auto put = ::write(descriptor, at, static_cast<std::size_t>(pptr() - at));
        if (put > 0) at += put;
        if (put < 0 && errno != EINTR) failure = errno;
    }
    setp(bytes.data(), bytes.data() + bytes.size());
    return failure == 0 ? 0 : -1;
}

DescriptorStream::Buffer::int_type DescriptorStream::Buffer::overflow(int_type c)
{
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
}

DescriptorStream::DescriptorStream(int descriptor) : std::ostream(nullptr), m_buffer(descriptor) { rdbuf(&m_buffer); }
DescriptorStream::~DescriptorStream() { m_buffer.pubsync(); }
} // namespace dscope
