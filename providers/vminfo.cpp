#include "engine/probe/provider.h"
#include <linux/perf_event.h>
namespace dscope::providers {
/// What the kernel's `vm` statistics count. arg0 is by how much the count grows, arg1 and arg2 as in sysinfo.
/// Source of the tracepoints' arguments: arch/x86/include/asm/trace/exceptions.h, include/trace/events/{kmem,vmscan,block}.h;
/// of the error code's bits (1 the page was there, 2 a write, 4 from user mode): arch/x86/include/asm/trap_pf.h.
std::unique_ptr<probe::Provider> make_vminfo()
{
    using probe::Row;
    const auto grows = [](const std::string& by) {
        return std::vector<probe::Arg>{{by, "uint64_t", {}}, {"0", "uint64_t *", {}}, {"(int)cpu", "int", "cpuinfo_t *"}};
    };

    const auto one = grows("1");
    // Addresses of user space have the highest bit clear.
    constexpr std::string_view missing = "(raw[2] & 1) == 0 && (int64_t)raw[0] >= 0", present = "(raw[2] & 3) == 1 && (int64_t)raw[0] >= 0",
                               written = "(raw[2] & 3) == 3 && (int64_t)raw[0] >= 0";

    // GFP_HIGHUSER_MOVABLE | __GFP_ZERO: what an anonymous page is made with. Source: include/linux/gfp_types.h.
    constexpr std::string_view zeroed = "(raw[2] & 0x10a) == 0x10a";
    // struct bio::bi_opf: the lower 8 bits say what is done. Source: include/linux/blk_types.h.
    constexpr std::string_view reads = "(((struct bio *)raw[0])->bi_opf & 0xff) == 0",
                               writes = "(((struct bio *)raw[0])->bi_opf & 0xff) == 1";
    constexpr std::string_view swaps
        = "(((struct bio *)raw[0])->bi_opf & 0xff) == 1 && (((struct bio *)raw[0])->bi_opf & (1 << __REQ_SWAP)) != 0";
    const std::string pages = "(((struct bio *)raw[0])->bi_iter.bi_size + 4095) / 4096";
    probe::PerfEvent majorFault;
    majorFault.type = PERF_TYPE_SOFTWARE;
    majorFault.config = PERF_COUNT_SW_PAGE_FAULTS_MAJ;
    majorFault.period = 1;
    auto anyFault = majorFault;
    anyFault.config = PERF_COUNT_SW_PAGE_FAULTS;
    constexpr std::string_view kNotTold = "kernels for this processor do not tell what a page fault is for; vminfo:::as_fault counts all";
    std::vector<Row> rows{
        {.probe = "cow_fault", .args = one, .why = kNotTold}, // where the tracepoints below are not
        {.probe = "kernel_asflt", .args = one, .why = kNotTold}, {.probe = "prot_fault", .args = one, .why = kNotTold},
        {"anonpgout", "block_bio_queue", "", swaps, grows(pages)}, // pages without a file are written to swap
        {"as_fault", "page_fault_user", "", missing, one},         // a page of an address space was touched and is not there yet
        {"as_fault", "page_fault_kernel", "", missing, one},       // (by the kernel on behalf of the process: read(2) into it)
        {.probe = "as_fault", .args = one, .without = "page_fault_user", .event = anyFault}, // any page fault of a process
        {"cow_fault", "page_fault_user", "", written, one}, // a page that is shared until written was written: it is copied
        {"cow_fault", "page_fault_kernel", "", written, one},
        {"dfree", "mm_vmscan_lru_shrink_inactive", "", "raw[2] != 0", grows("raw[2]")}, // pages were freed because memory is short
        {"kernel_asflt", "page_fault_kernel", "", "(int64_t)raw[0] < 0", one},          // the kernel faulted on its own memory
        {.probe = "maj_fault", .args = one, .event = majorFault},                       // a page fault that had to wait for a device
        {"pgin", "block_bio_queue", "", reads, one},                                    // a request to read pages in
        {"pgout", "block_bio_queue", "", writes, one},                                  // a request to write pages out
        {"pgpgin", "block_bio_queue", "", reads, grows(pages)},                         // pages read in
        {"pgpgout", "block_bio_queue", "", writes, grows(pages)},                       // pages written out
        {"pgrrun", "mm_vmscan_kswapd_wake", "", "", one},                               // the page daemon begins to look for pages to free
        {"pgswapout", "block_bio_queue", "", swaps, grows(pages)},                      // pages written to swap
        {"prot_fault", "page_fault_user", "", present, one},                            // a page that is there may not be used in this way
        {"prot_fault", "page_fault_kernel", "", present, one},
        {"scan", "mm_vmscan_lru_isolate", "", "raw[3] != 0", grows("raw[3]")}, // pages looked at for freeing
        {"zfod", "mm_page_alloc", "", zeroed, grows("1 << (uint32_t)raw[1]")}, // a page of zeros is made where nothing was
    };

    const std::string_view noFile = "the kernel does not tell which kind of page a request to a device is for; vminfo:::pgpgin and "
                                    "vminfo:::pgpgout count all, args[1] of io:::start names the file";
    for (const std::string_view probe :
        {"anonfree", "anonpgin", "execfree", "execpgin", "execpgout", "fsfree", "fspgin", "fspgout", "pgswapin"})
        rows.push_back({.probe = probe, .args = one, .why = noFile});
    for (const std::string_view probe : {"swapin", "swapout"})
        rows.push_back({.probe = probe, .args = one, .why = "Linux swaps pages, never whole processes; vminfo:::pgswapout counts those"});
    for (const std::string_view probe : {"pgfrec", "pgrec", "rev", "softlock"})
        rows.push_back({.probe = probe, .args = one, .why = "the page daemon of Linux keeps no such count; sdt:vmscan tells what it does"});
    return probe::synthetic(
        {.name = "vminfo", .summary = "what the kernel's virtual memory statistics count, as it happens", .example = "vminfo:::maj_fault"},
        std::move(rows));
}
} // namespace dscope::providers
