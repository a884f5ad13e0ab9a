#include "engine/probe/pattern.h"
#include "engine/types/type_table.h"
#include <algorithm>
#include <array>
namespace dscope::providers {
namespace {
/// What is told of a request in its tracepoints, and where, by the kernel's own types.
struct Kernel {
    bool hasPartitions = false;         ///< struct hd_struct: what a request is made to, until 5.10; since then struct block_device
    bool hasFolios = true;              ///< struct folio, since 5.16
    std::string made = "raw[0]";        ///< the struct bio of block_bio_queue
    std::string head = "compound_head"; ///< member of struct page that leads to the first page of a folio; compound_info in 7.x
    std::string alias = "d_u";          ///< member of struct dentry that is in the list of its inode\'s names; d_alias in 7.x
    bool tellsErrno = false;            ///< block_rq_complete, until 5.15; since then blk_status_t
};
Kernel kernelOf(types::TypeTable& types)
{
    // Of a tracepoint's prototype, whose first parameter is the tracing's own.
    const auto parameters = [&types](const std::string& tracepoint) -> std::vector<const types::Type*> {
        const auto* type = types.find("btf_trace_" + tracepoint);
        if (type) type = types::resolved(type);
        if (type && type->kind == types::Kind::Pointer) type = types::resolved(type->target);
        return type && type->kind == types::Kind::Function ? type->parameters : std::vector<const types::Type*>();
    };
    Kernel kernel;
    if (!types.find("struct bio")) return kernel; // no types: what is made of them says so
    kernel.hasPartitions = types.find("struct hd_struct") != nullptr;
    kernel.hasFolios = types.find("struct folio") != nullptr;
    if (parameters("block_bio_queue").size() == 3) kernel.made = "raw[1]"; // behind the queue
    if (!types.offsetOf("page", kernel.head) && types.offsetOf("page", "compound_info")) kernel.head = "compound_info";
    if (!types.offsetOf("dentry", kernel.alias) && types.offsetOf("dentry", "d_alias")) kernel.alias = "d_alias";
    const auto completes = parameters("block_rq_complete");
    kernel.tellsErrno = completes.size() > 2 && types::resolved(completes[2])->size == sizeof(int);
    return kernel;
}
/// `text` with the expression of a struct bio * for BIO, and the type of what a page belongs to for FOLIO.
std::string over(const Kernel& kernel, std::string_view text)
{
    std::string out(text);
    const auto put = [&out](std::string_view word, const std::string& by) {
        for (auto at = out.find(word); at != std::string::npos; at = out.find(word, at + by.size()))
            out.replace(at, word.size(), by);
    };
    put("BIO", "((struct bio *)" + kernel.made + ")");
    put("ALIAS", kernel.alias);
    put("HEAD", kernel.head);
    put("FOLIO", kernel.hasFolios ? "struct folio" : "struct page");
    return out;
}
/// Functions that end a request made by read(2) or write(2) with O_DIRECT: what bi_private of such a request leads to.
struct DirectEnd {
    std::string_view function;
    std::string_view file, offset; ///< D over this->dscope_new and BIO
};
#define DSCOPE_DIO "((struct iomap_dio *)BIO->bi_private)"
// Source: fs/iomap/direct-io.c; dio->size has been added to when a request is submitted.
constexpr DirectEnd kDirectEnds[] = {
    {"iomap_dio_bio_end_io", "(uintptr_t)" DSCOPE_DIO "->iocb->ki_filp",
        DSCOPE_DIO "->iocb->ki_pos + " DSCOPE_DIO "->size - this->dscope_new.bytes"},
};
// Source: include/linux/blk_types.h, include/linux/genhd.h
constexpr std::string_view kDevice = "this->dscope_new.device = (uintptr_t)&BIO->bi_bdev->bd_device,"
                                     "this->dscope_new.disk = (uintptr_t)&BIO->bi_bdev->bd_disk->part0->bd_device,";
constexpr std::string_view kPartition = "this->dscope_new.device = (uintptr_t)&BIO->bi_disk->part_tbl->part[BIO->bi_partno]->__dev,"
                                        "this->dscope_new.disk = (uintptr_t)&BIO->bi_disk->part0.__dev,";
// Source: include/linux/blk_types.h. Of the operations only these move data: read, write, zone append.
constexpr std::string_view kNote
    = "this->dscope_new.thread = (uintptr_t)curthread,"
      "this->dscope_new.alias = offsetof(struct dentry, ALIAS),"
      "this->dscope_new.sector = BIO->bi_iter.bi_sector,"
      "this->dscope_new.iodone = (uintptr_t)BIO->bi_end_io,"
      "this->dscope_new.flags = BIO->bi_opf,"
      "this->dscope_new.bytes = (this->dscope_new.flags & 0xff) < 2 || (this->dscope_new.flags & 0xff) == 7"
      " ? BIO->bi_iter.bi_size : 0,"
      "this->dscope_new.page = this->dscope_new.bytes"
      " ? (uintptr_t)BIO->bi_io_vec[BIO->bi_iter.bi_idx].bv_page : 0,"
      // A page of a larger folio tells where that begins.
      "this->dscope_new.folio = this->dscope_new.page"
      " ? dscope_peek(this->dscope_new.page + offsetof(struct page, HEAD)) : 0,"
      // A page that is not the first has bit 0 set in there, of the first one's address or of a mask that gives it.
      // Source: include/linux/page-flags.h, _compound_head()
      "this->dscope_new.folio = !(this->dscope_new.folio & 1) ? this->dscope_new.page"
      " : this->dscope_new.folio >= 0xffffffff80000000 ? this->dscope_new.page & this->dscope_new.folio : this->dscope_new.folio - 1,"
      "this->dscope_new.mapping = this->dscope_new.folio"
      " ? dscope_peek(this->dscope_new.folio + offsetof(FOLIO, mapping)) : 0,"
      // Not every page has a mapping there: it is one if its inode says so, too.
      "this->dscope_new.inode = dscope_peek(this->dscope_new.mapping + offsetof(struct address_space, host)),"
      "this->dscope_new.inode = this->dscope_new.mapping"
      " && dscope_peek(this->dscope_new.inode + offsetof(struct inode, i_mapping)) == this->dscope_new.mapping"
      // Metadata belongs to the inode of the device (BDEVFS_MAGIC), which is no file.
      " && ((struct inode *)this->dscope_new.inode)->i_sb->s_magic != 0x62646576 ? this->dscope_new.inode : 0,"
      "this->dscope_new.offset = this->dscope_new.inode"
      " ? (int64_t)((((FOLIO *)this->dscope_new.folio)->index << 12)"
      "   + (this->dscope_new.page - this->dscope_new.folio) / sizeof(struct page) * 4096"
      "   + BIO->bi_io_vec[BIO->bi_iter.bi_idx].bv_offset) : 0,";
// B_READ or B_WRITE; B_PHYS for memory of a process (the low bit of its mapping is set), B_PAGEIO for that of a file; B_ASYNC
// when nobody waits for it: read ahead (bit 19), or written without REQ_SYNC (11), REQ_FUA (17) and REQ_PREFLUSH (18).
constexpr std::string_view kFlags
    = "this->dscope_new.flags = (this->dscope_new.flags & 1 ? 0x100 : 0x40)"
      " | (this->dscope_new.file || this->dscope_new.mapping & 1 ? 0x20 : this->dscope_new.inode ? 0x10 : 0)"
      " | ((this->dscope_new.flags & 1 ? !(this->dscope_new.flags & 0x60800) : (this->dscope_new.flags >> 19) & 1) ? 0x400 : 0),"
      // One that is known has ended, as its memory is another's now: no program was run for that.
      "dscope_io[(uintptr_t)BIO].device ? dscope_unseen() : 0,"
      "dscope_io[(uintptr_t)BIO] = this->dscope_new, 1";
constexpr std::string_view kMade = "self->dscope_made = (uintptr_t)BIO, 1"; ///< for those who ask what a thread waits for

constexpr std::string_view kIsKnown = "dscope_io[this->dscope_ended].device != 0";

/// The address of a function of the kernel's own, as D text; empty when there is none of that name.
std::string addressOf(const std::string& symbols, std::string_view function)
{
    const auto line = " " + std::string(function) + "\n";
    const auto at = symbols.find(line);
    if (at == std::string::npos) return {};
    const auto begin = symbols.rfind('\n', at);
    const auto from = begin == std::string::npos ? 0 : begin + 1;
    return "0x" + symbols.substr(from, symbols.find(' ', from) - from);
}

/// Requests to disks: made, done, waited for. A request is a struct bio, what a file system asks for and what a buf is on
/// Solaris; the block layer may merge several into one that the disk sees, or split one.
/// Source of the tracepoints: include/trace/events/{block,sched}.h.
class Io final : public probe::Provider {
public:
    std::string_view name() const override { return "io"; }
    std::string_view summary() const override { return "requests to disks: made, done, waited for"; }
    std::string_view example() const override { return "io:::start"; }

    Result<> list(const host::Host&, const probe::Pattern& wanted, const Found& found) const override
    {
        for (const auto* probe : {"done", "start", "wait-done", "wait-start"}) {
            probe::Name name{"io", "vmlinux", "", probe};
            if (probe::matches(wanted, name)) found(std::move(name));
        }
        return {};
    }

    Result<probe::Description> describe(const host::Host& host, const probe::Name& probe) const override
    {
        using probe::Hook, probe::RawTracepoint;
        const auto at = [](std::string tracepoint, std::string when, std::string again = {}) {
            return Hook{.at = RawTracepoint{std::move(tracepoint)}, .when = std::move(when), .again = std::move(again)};
        };

        const auto arguments = [](const std::string& bio) -> std::vector<probe::Arg> {
            return {{bio, "struct bio *", "bufinfo_t *"}, {bio, "struct bio *", "devinfo_t *"}, {bio, "struct bio *", "fileinfo_t *"}};
        };
        if (!m_kernel) {
            types::TypeTable types(host);
            m_kernel = kernelOf(types);
        }

        // block_bio_queue(bio), or (queue, bio), in the thread that asks. Equal for all probes: a request is noted once.
        const auto noted = at("block_bio_queue", note(host)), made = at("block_bio_queue", over(*m_kernel, kMade));
        // block_bio_complete(queue, bio), of drivers that take requests as they are; parts of requests that were split complete
        // too, and are not ours. block_rq_complete(request, status, bytes), of all others: for each of those that were merged.
        const std::string bioEnds = "this->dscope_ended = raw[1]," + std::string(kIsKnown),
                          bioStatus = "((struct bio *)this->dscope_ended)->bi_status";
        const std::string requestEnds
            = "this->dscope_ended = this->dscope_next ? this->dscope_next : (uintptr_t)((struct request *)raw[0])->bio,"
              "this->dscope_next = this->dscope_ended ? (uintptr_t)((struct bio *)this->dscope_ended)->bi_next : 0,"
              "this->dscope_sum = this->dscope_ended"
              " ? this->dscope_sum + ((struct bio *)this->dscope_ended)->bi_iter.bi_size : 0,"
              "this->dscope_sum <= (uint32_t)raw[2] && "
            + std::string(kIsKnown),
            requestStatus = m_kernel->tellsErrno ? "((int)raw[1] ? 1000 - (int)raw[1] : 0)" : "(uint8_t)raw[1]",
            next = "this->dscope_next != 0";
        const auto done = [&](const std::string& ends, const std::string& status) {
            return ends + " && (dscope_io[this->dscope_ended].status = " + status
                + ", dscope_io[this->dscope_ended].resid = dscope_io[this->dscope_ended].status ? dscope_io[this->dscope_ended].bytes : 0, "
                  "1)";
        };

        const auto forget = [&](const std::string& ends, const std::string& status) {
            return ends
                + " && (this->dscope_wait = dscope_io[this->dscope_ended].thread + 1,"
                  "dscope_io[this->dscope_wait].waited == this->dscope_ended ? (dscope_io[this->dscope_wait].status = "
                + status + ", 0) : 0, dscope_io[this->dscope_ended] = 0, 1)";
        };

        const auto bioForgotten = at("block_bio_complete", forget(bioEnds, bioStatus)),
                   requestForgotten = at("block_rq_complete", forget(requestEnds, requestStatus), next);
        // sched_switch(preempted, previous, next, state), in the thread that leaves. The request may end meanwhile on another CPU: it is
        // looked up once. And before the thread is back another one may wait for a request at the same address: the copy is the thread's.
        // sched_exit_tp(switched), in the thread that has come back; kernels before 6.17 have the begin of a function alone, where programs
        // run in no certain order: there the copy is kept until the thread leaves again, or for good.
        const bool tellsBack = host.hasTracepoint("sched_exit_tp");
        const std::string forgetWait = "(self->dscope_waits ? (dscope_io[self->dscope_waits] = 0, self->dscope_waits = 0, 1) : 0)";
        const auto waits = at("sched_switch",
            '(' + (tellsBack ? std::string() : forgetWait + ", ")
                + "!(raw[0] & 1) && ((struct task_struct *)raw[1])->in_iowait && self->dscope_made"
                  " && (this->dscope_new = dscope_io[self->dscope_made], this->dscope_new.thread == (uintptr_t)curthread)"
                  " && (this->dscope_new.waited = self->dscope_made, self->dscope_waits = (uintptr_t)curthread + 1,"
                  " dscope_io[self->dscope_waits] = this->dscope_new, 1))");
        const std::string isBack = "self->dscope_waits != 0";
        const auto waited
            = tellsBack ? at("sched_exit_tp", isBack) : Hook{.at = probe::functionOf(host, "finish_task_switch"), .when = isBack};
        const auto waitForgotten = at("sched_exit_tp", forgetWait);
        const std::vector<Hook> always{noted, bioForgotten, requestForgotten};
        const auto with = [&](std::vector<Hook> more) {
            more.insert(more.end(), always.begin(), always.end());
            return more;
        };

        const auto description = [](std::vector<Hook> hooks, std::vector<probe::Arg> args, std::vector<Hook> watches) {
            return probe::Description{.hooks = std::move(hooks), .args = std::move(args), .watches = std::move(watches)};
        };
        if (probe.name == "start") return description({noted}, arguments(m_kernel->made), always);
        if (probe.name == "done")
            return description(
                {at("block_bio_complete", done(bioEnds, bioStatus)), at("block_rq_complete", done(requestEnds, requestStatus), next)},
                arguments("this->dscope_ended"), always);
        const auto waiting = [&](std::vector<Hook> more) {
            if (tellsBack) more.push_back(waitForgotten);
            return with(std::move(more));
        };
        if (probe.name == "wait-start") return description({waits}, arguments("self->dscope_waits"), waiting({made}));
        if (probe.name == "wait-done") return description({waited}, arguments("self->dscope_waits"), waiting({made, waits}));
        return Error{0, "no probe " + probe.spelled()};
    }

private:
    std::string note(const host::Host& host) const
    {
        const auto symbols = host.read("/proc/kallsyms");
        auto text = std::string(m_kernel->hasPartitions ? kPartition : kDevice) + std::string(kNote);
        std::string file = "0", offset = "this->dscope_new.offset";
        for (const auto& end : kDirectEnds) {
            const auto address = symbols ? addressOf(*symbols, end.function) : std::string();
            if (address.empty()) continue;
            const auto isIt = "this->dscope_new.iodone == " + address;
            file = isIt + " ? " + std::string(end.file) + " : " + file;
            offset = isIt + " ? (int64_t)(" + std::string(end.offset) + ") : " + offset;
        }
        text += "this->dscope_new.file = " + file + ", this->dscope_new.offset = " + offset
            + ", this->dscope_new.inode = this->dscope_new.file ? (uintptr_t)((struct file *)this->dscope_new.file)->f_inode"
              " : this->dscope_new.inode,";
        return over(*m_kernel, text + std::string(kFlags));
    }

    mutable std::optional<Kernel> m_kernel; ///< made when first needed, as reading its types takes time
};
#undef DSCOPE_DIO
} // namespace
std::unique_ptr<probe::Provider> make_io() { return std::make_unique<Io>(); }
} // namespace dscope::providers
