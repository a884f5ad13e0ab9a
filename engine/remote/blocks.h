#pragma once
#include "engine/record/record.h"
#include "engine/remote/message.h"
#include "engine/remote/subject.h"
#include <deque>
#include <vector>
namespace dscope::remote {
/// A message of a run and where it belongs.
struct Told {
    Topic topic = Topic::Program;
    std::uint32_t number = 0;
    Message message;
};
/// Records that only become more, in blocks: one grows and is told again when it has, and when it is full the next begins. A block says
/// how many records those before it have, so that a missing one is noticed.
class Blocks {
public:
    /// `size`: bytes of a block, about.
    Blocks(Topic topic, std::size_t size) : m_topic(topic), m_size(size) { }
    void add(record::Record record, std::size_t size);
    /// Blocks that are full, each given once, and then the one that grows, if it has grown since it was given.
    std::vector<Told> take();
    /// The number of the block that grows; take() gives it again although it has not grown.
    std::uint32_t growing() const { return m_growing.number; }
    void giveAgain() { m_given = 0; }
    std::uint64_t count() const { return m_count; } ///< of all records

private:
    struct Block {
        std::uint32_t number = 0;
        std::uint64_t before = 0; ///< records in the blocks before it
        std::size_t size = 0;     ///< about
        std::vector<record::Record> records;
    };
    Topic m_topic;
    std::size_t m_size;
    std::deque<Block> m_full;
    Block m_growing;
    std::size_t m_given = 0; ///< records of the growing block that take() gave
    std::uint64_t m_count = 0;
};
} // namespace dscope::remote
