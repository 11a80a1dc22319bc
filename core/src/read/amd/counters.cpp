#include "read/amd/counters.hpp"

#include <algorithm>
#include <initializer_list>
#include <roofline/base/text.hpp>
#include <roofline/machine/format.hpp>

#include "base/interner.hpp"

namespace roofline {
namespace {

struct Precision {
  const char* counter;  // its suffix
  const char* format;
  bool required;  // absent on GPUs that lack the instructions: then there are none
};
constexpr Precision vector_precisions[] = {{"F16", "fp16", true}, {"F32", "fp32", true}, {"F64", "fp64", true}};
constexpr Precision matrix_precisions[] = {{"F16", "fp16", true}, {"BF16", "bf16", true},    {"F32", "fp32", true},
                                           {"F64", "fp64", true}, {"F8", "fp8_e4m3", false}, {"F6F4", "mxfp4", false},
                                           {"I8", "int8", false}};

constexpr double lanes = 64;                    // of a wavefront: what one vector instruction works on
constexpr double operations_of_mop = 512;       // one unit of the MFMA counters
constexpr double lds_bytes_per_cycle = 4 * 32;  // 32 banks of 4 bytes

/// Adds up FLOPs by precision, and which has the most.
struct Sum {
  CountedWork& work;
  double most = 0;
  void add(double& total, double flops, const char* format) {
    total += flops;
    if (!(flops > 0)) return;
    work.mixed = work.mixed || work.format != no_format;
    if (flops > most) most = flops, work.format = Formats::catalogue().find(format).value_or(no_format);
  }
};

}  // namespace

CountedWork work_of(const Counter& counter) {
  CountedWork work;
  const auto count = [&](const std::string& name) { return counter(name); };
  work.matrix_flops = work.vector_flops = 0;
  Sum sum{work};
  for (const Precision& p : matrix_precisions) {
    const double mops = count(std::string("SQ_INSTS_VALU_MFMA_MOPS_") + p.counter);
    sum.add(work.matrix_flops, operations_of_mop * (p.required ? mops : known_or(mops, 0)), p.format);
  }
  for (const Precision& p : vector_precisions) {
    const auto instructions = [&](const char* kind) { return count(std::string("SQ_INSTS_VALU_") + kind + '_' + p.counter); };
    sum.add(work.vector_flops, lanes * (instructions("ADD") + instructions("MUL") + 2 * instructions("FMA") + instructions("TRANS")),
            p.format);
  }
  work.lds_bytes = (count("SQ_LDS_IDX_ACTIVE") - count("SQ_LDS_BANK_CONFLICT")) * lds_bytes_per_cycle;
  work.l1_bytes = count("TCP_TOTAL_CACHE_ACCESSES_sum") * 64;
  work.l2_bytes = (count("TCP_TCC_READ_REQ_sum") + count("TCP_TCC_WRITE_REQ_sum") + count("TCP_TCC_ATOMIC_WITH_RET_REQ_sum") +
                   count("TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum")) *
                  64;
  // The requests of L2 to memory are 32, 64 or, from the MI300 on (TCC_EA0, with BUBBLE), 128 bytes each.
  const std::string ea = known(count("TCC_EA0_RDREQ_sum")) ? "TCC_EA0_" : "TCC_EA_";
  const double reads = count(ea + "RDREQ_sum"), reads_32 = count(ea + "RDREQ_32B_sum");
  const double reads_128 = ea == "TCC_EA0_" ? count("TCC_BUBBLE_sum") : 0;
  const double writes = count(ea + "WRREQ_sum"), writes_64 = count(ea + "WRREQ_64B_sum");
  work.hbm_bytes = reads_128 * 128 + reads_32 * 32 + (reads - reads_128 - reads_32) * 64 + writes_64 * 64 + (writes - writes_64) * 32;
  return work;
}

std::string architecture_of(const std::function<bool(std::string_view counter)>& collected) {
  const auto any = [&](std::initializer_list<std::string_view> counters) {
    return std::any_of(counters.begin(), counters.end(), collected);
  };
  if (any({"SQ_INSTS_VALU_MFMA_MOPS_F6F4"})) return "gfx950";
  if (any({"TCC_EA0_RDREQ_sum", "TCC_EA0_WRREQ_sum", "TCC_BUBBLE_sum"})) return "gfx942";
  const bool before_mi300 = any({"TCC_EA_RDREQ_sum", "TCC_EA_WRREQ_sum"});
  return before_mi300 && any({"SQ_INSTS_VALU_MFMA_MOPS_F16"}) ? "gfx90a" : "";  // an MI100 counts no FLOPs
}

CountedKernels::CountedKernels(const ReadOptions& options, SourceFormat source_format)
    : rows_(options.source_name, source_format, options.limits),
      l2_(rows_.add_channel("L2", false)),
      l1_(rows_.add_channel("L1", false)),
      lds_(rows_.add_channel("LDS", false)) {
  rows_.workload().own_records = true;
}

void CountedKernels::add(const CountedKernel& kernel, std::string_view record) {
  const CountedWork& w = kernel.work;
  OpClass traits;
  traits.type = traits.category = "kernel";
  traits.symbol = Symbol::diamond;
  OpNumbers n;
  n.time_s = kernel.time_s;
  n.matrix_flops = w.matrix_flops, n.vector_flops = w.vector_flops;
  n.given_bytes = w.hbm_bytes;
  const bool flops = w.flops_known(), bytes = known(w.hbm_bytes);
  if (!flops) n.matrix_flops = unknown, n.vector_flops = 0;
  traits.time_only = !flops && !bytes;
  traits.activation = w.format;
  traits.matrix_work = w.matrix_flops > 0;
  traits.vector_work = w.vector_flops > 0;
  traits.measured_bytes = bytes;
  traits.roles_unknown = bytes;
  n.activation = w.hbm_bytes / (w.format == no_format ? 1 : Formats::catalogue()[w.format].bytes());
  counted_ += flops || bytes || known(w.l2_bytes) || known(w.l1_bytes) || known(w.lds_bytes) ? 1 : 0;
  without_flops_ += flops ? 0 : 1;
  without_bytes_ += bytes ? 0 : 1;
  mixed_ += w.mixed ? 1 : 0;
  timed_ += known(kernel.time_s) ? 1 : 0;
  rows_.push({rows_.op_class(traits), times(n, kernel.dispatches), rows_.keep(kernel.name), rows_.keep_record(record),
              static_cast<std::uint32_t>(hash_text(kernel.name))});
  rows_.set_channel(l2_, w.l2_bytes * kernel.dispatches);
  rows_.set_channel(l1_, w.l1_bytes * kernel.dispatches);
  rows_.set_channel(lds_, w.lds_bytes * kernel.dispatches);
}

Workload CountedKernels::take() {
  const auto of_all = [&](std::size_t n) { return with_commas(n) + " of " + quantity(rows_.size(), "kernel"); };
  if (rows_.size() == 0) rows_.note(Severity::warning, "the file holds no kernels");
  if (counted_ == 0 && rows_.size() > 0)
    rows_.note(Severity::info,
               "no counters of FLOPs (SQ_INSTS_VALU_ADD_F32, SQ_INSTS_VALU_MFMA_MOPS_F16 and the like) or of bytes "
               "(TCC_EA_RDREQ_sum, TCC_EA0_RDREQ_sum and the like): time only");
  if (counted_ > 0 && without_flops_ > 0)
    rows_.note(Severity::info,
               of_all(without_flops_) +
                   " without the counters of FLOPs (SQ_INSTS_VALU_ADD_F32 and the like, SQ_INSTS_VALU_MFMA_MOPS_F16 and the "
                   "like): their FLOPs are not known");
  if (counted_ > 0 && without_bytes_ > 0)
    rows_.note(Severity::info, of_all(without_bytes_) +
                                   " without the counters of memory traffic (TCC_EA_RDREQ_sum and the like, or "
                                   "TCC_EA0_RDREQ_sum and the like): their bytes are not known");
  if (mixed_ > 0) rows_.note(Severity::info, of_all(mixed_) + " compute in several formats: each is judged by the one with the most FLOPs");
  if (timed_ == 0 && rows_.size() > 0)
    rows_.note(Severity::warning, "no kernel has a time: Start_Timestamp and End_Timestamp are not there");
  Workload work = rows_.take();
  // A memory that no kernel has a figure of is none of theirs.
  std::erase_if(work.channels,
                [](const Channel& c) { return std::none_of(c.bytes.begin(), c.bytes.end(), [](double bytes) { return known(bytes); }); });
  return work;
}

}  // namespace roofline
