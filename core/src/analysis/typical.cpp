// Typical time: the bound with what real kernels pay beyond it. docs/reference/conventions.md has the formula.
#include <algorithm>
#include <cmath>
#include <optional>
#include <roofline/analysis/analysis.hpp>
#include <roofline/base/number.hpp>

#include "analysis/slice.hpp"
#include "base/simd.hpp"
#include "machine/all_reduce.hpp"

namespace roofline {
namespace {

using namespace simd;

/// Kernels come with smaller tiles too: one is not taller than the matrix, in steps of the units' own 16.
double fitted(double tile, double length) { return std::min(tile, 16 * std::ceil(length / 16)); }

FormatId accumulator_of(const Overhead& overhead, FormatId compute) {
  if (overhead.accumulator) return *overhead.accumulator;
  const Formats& formats = Formats::catalogue();
  return formats.find(formats[compute].family == FormatFamily::integer ? "int32" : "fp32").value_or(compute);
}

/// The format of activations between operations; nullopt: each operation's own. If Overhead::network is not set, a model whose activations
/// have less than 8 bits works in BF16, unless its stack's kernels read such formats directly (StackTerms::native).
std::optional<FormatId> network_of(const OpClass& op_class, const Overhead& overhead, const StackTerms& terms) {
  if (overhead.network) return overhead.network;
  constexpr double narrow_bits = 8;
  const bool fitted_to_models = op_class.layer_share > 0 && terms.layer_s.value_or(0) > 0;
  if (!fitted_to_models || terms.native.value_or(0) > 0 || op_class.activation == no_format) return std::nullopt;
  static const std::optional<FormatId> bf16 = Formats::catalogue().find("bf16");
  return Formats::catalogue()[op_class.activation].bits < narrow_bits ? bf16 : std::nullopt;
}

}  // namespace

// --- terms by class --------------------------------------------------------------------------------------------------------------------

void Plan::compile_terms() {
  const bool model = std::any_of(workload_.classes.begin(), workload_.classes.end(), [](const OpClass& c) { return c.layer_share > 0; });
  stack_use_ = model ? StackUse::language_model : StackUse::operations;
  stack_ = &scenario_.stack_for(stack_use_);
  in_force_ = scenario_.terms_for(stack_use_);
  bandwidth_ = scenario_.machine.achievable_memory().value * in_force_.bandwidth.value_or(1);
  channel_rates_ = today_rates_.channel;
  for (std::size_t k = 0; k < channel_of_.size(); ++k)
    if (channel_of_[k] >= 0 && resources_[static_cast<std::size_t>(channel_of_[k])].kind == ResourceKind::link)
      channel_rates_[k] *= link_fraction(in_force_, resources_[static_cast<std::size_t>(channel_of_[k])].name);
  terms_.reserve(workload_.classes.size());
  for (std::size_t i = 0; i < workload_.classes.size(); ++i) {
    terms_.push_back(class_terms(i));
    const ClassTerms& t = terms_.back();
    stack_reads_roles_ |=
        t.dequantise_s > 0 || t.prompt_tokens > 0 || network_of(workload_.classes[i], scenario_.overhead, in_force_).has_value();
  }
  tilings_.resize(2 * workload_.distinct_sizes.size());
}

double Plan::reached(Unit unit, FormatId format) const {
  const auto capped = [](double fraction) { return fraction > 1 ? 1 : fraction; };  // NaN stays NaN
  const double of_machine = capped(scenario_.machine.achievable(unit, format).value);
  return unit == Unit::matrix ? capped(of_machine * in_force_.compute.value_or(1)) : of_machine;
}

Plan::ClassTerms Plan::class_terms(std::size_t number) const {
  const OpClass& op_class = workload_.classes[number];
  const ClassRates& r = today_[number];
  const Machine& machine = scenario_.machine;
  const Formats& formats = Formats::catalogue();
  const bool model = op_class.layer_share > 0, communication = op_class.family == OpFamily::communication;
  const auto term = [&](std::optional<double> StackTerms::* of) { return (in_force_.*of).value_or(0); };
  const double memory_rate = std::min(today_rates_.total, today_rates_.read) * bandwidth_;

  ClassTerms t;
  const FormatId computes = op_class.matrix_work ? r.compute : r.vector_compute;
  t.compute = reached(op_class.matrix_work ? Unit::matrix : Unit::vector, computes);
  if (op_class.matrix_work) {
    static const FormatId int8 = formats.find("int8").value_or(no_format), fp16 = formats.find("fp16").value_or(no_format);
    const double half_int8 = machine.peak(Unit::matrix, int8) / 2;
    if (term(&StackTerms::accumulate_fp16) > 0 && r.compute == fp16 && half_int8 > r.matrix) t.compute *= half_int8 / r.matrix;
  }
  // One instruction is two FLOPs of the vector unit's rate in FP32.
  static const FormatId fp32 = formats.find("fp32").value_or(no_format);
  const double instructions = known_or(machine.peak(Unit::vector, fp32), r.vector) / 2;
  constexpr double flops_per_score = 5;
  const bool dequantised = dequantises(in_force_, machine, op_class.weight, op_class.activation);
  if (dequantised) {
    t.dequantise_s = term(&StackTerms::dequantise) / instructions;
    const bool integer = formats[op_class.activation].family == FormatFamily::integer;  // kernels that multiply the quantised as they are
    if (term(&StackTerms::dequantise_memory) > 0 && !integer)
      t.prompt_weight_s = 2 * formats[op_class.activation].bytes() / memory_rate;  // written, and read
  }
  const bool fused_attention = op_class.family == OpFamily::attention && op_class.matrix_work && op_class.vector_work;
  if (model) {
    if (!op_class.matrix_work && !communication && op_class.family != OpFamily::embedding)
      t.elementwise = in_force_.elementwise.value_or(1) - 1;
    if (fused_attention) t.scores_s = term(&StackTerms::score_bytes) / flops_per_score / memory_rate;
    t.weight_s = r.weight / memory_rate;
    t.once = op_class.family == OpFamily::embedding && (!op_class.matrix_work || term(&StackTerms::head_once) > 0);
    t.layer_s = op_class.layer_share * term(&StackTerms::layer_s);
    if (op_class.family == OpFamily::moe && op_class.type == "experts") {
      t.layer_s += term(&StackTerms::moe_layer_s) + (dequantised ? term(&StackTerms::narrow_moe_layer_s) : 0);
      t.slower = 1 / in_force_.experts.value_or(1);
      t.compute /= t.slower;
    }
    if (op_class.type == "kv_a_proj") t.layer_s += term(&StackTerms::latent_layer_s);
    t.prompt_tokens = op_class.prompt_tokens;
  } else if (fused_attention) {
    t.compute = machine.achievable(Unit::matrix, r.compute).value * in_force_.attention.value_or(in_force_.compute.value_or(1));
  }
  t.launch_s = !model && fused_attention ? in_force_.attention_s.value_or(term(&StackTerms::launch_s)) : term(&StackTerms::launch_s);
  if (!workload_.network_json.empty() && workload_.size() > 0)
    t.launch_s += term(&StackTerms::run_s) / static_cast<double>(workload_.size());
  if (communication) {
    t.all_reduce_latency_s = all_reduce_latency_s(in_force_, machine.link_rate());
    if (op_class.type == "all_reduce") t.link = std::max(1.0, term(&StackTerms::sum_bytes) / r.activation);
  }
  t.product = op_class.family == OpFamily::matrix_product;
  return t;
}

// --- the sum ---------------------------------------------------------------------------------------------------------------------------

/// The formula, two ops at a time, with what it takes of machine and settings at hand for many operations.
class Plan::TypicalModel {
 public:
  explicit TypicalModel(const Plan& plan)
      : plan_(plan),
        overhead_(plan.scenario_.overhead),
        total_rate_(plan.today_rates_.total),
        read_rate_(plan.today_rates_.read),
        write_rate_(plan.today_rates_.write),
        bandwidth_(plan.bandwidth_),
        exposed_(1 - plan.in_force_.overlap.value_or(1)),
        chunk_(plan.in_force_.prefill_chunk.value_or(0)),
        tile_edge_(plan.in_force_.tile_edge.value_or(0)),
        tile_s_(plan.in_force_.tile_s.value_or(0)),
        misaligned_(plan.in_force_.misaligned.value_or(1)),
        split_(plan.read_resource_ != no_resource),
        waves_((overhead_.tile.rows > 0 || tile_edge_ > 0) && plan.scenario_.machine.units.known()),
        converts_(std::min({total_rate_, read_rate_, write_rate_}) < unlimited &&
                  std::any_of(plan.workload_.classes.begin(), plan.workload_.classes.end(),
                              [&](const OpClass& op_class) { return network_of(op_class, overhead_, plan.in_force_).has_value(); })) {
    for (std::size_t k = 0; k < plan.channel_of_.size(); ++k)
      if (plan.channel_of_[k] >= 0 && channels_ < channel_.size()) {
        channel_[channels_++] = {k, plan.channel_rates_[k], static_cast<std::uint8_t>(plan.channel_of_[k])};
        if (plan.resources_[static_cast<std::size_t>(plan.channel_of_[k])].name == scale_out_name) scale_out_ = k;
      }
  }

  /// Rounds of one tile per unit; NaN where the operation is no such product.
  struct Waves {
    double count = unknown, efficiency = unknown;
    /// What the computing time is to be divided by.
    [[nodiscard]] double factor() const { return known(efficiency) ? efficiency : 1; }
  };
  /// Two operations at once, one per vector lane. Undefined where an operation has no known bound.
  struct Terms {
    Pair compute_s, transfer_s, exposed_s, waves_s{}, dequantise_s, elementwise_s, scores_s, chunks_s{}, layers_s, all_reduce_latency_s,
        launches_s;
    Pair fused_time_s, conversion_s{};
    Mask slowest;  ///< the memory or link that transfer_s is of
    std::array<Waves, 2> waves;
    [[nodiscard]] Pair total() const { return fused_time_s + conversion_s; }
  };

  template <class At>
  [[nodiscard]] ROOFLINE_INLINE Terms terms(const Slice& c, const Block& block, At at) const {
    const ClassTerms &a = plan_.terms_[c.op_class[at.j]], &b = plan_.terms_[c.op_class[at.second()]];
    Terms t;
    t.compute_s = at.load(block.compute_s.data()) / Pair{a.compute, b.compute};
    if (waves_) {
      t.waves = {waves(c, at.j, a, t.compute_s[0]), waves(c, at.second(), b, t.compute_s[1])};
      const Pair filled = t.compute_s / Pair{t.waves[0].factor(), t.waves[1].factor()};
      t.waves_s = filled - t.compute_s;
      t.compute_s = filled;
    }
    const Pair vector_flops = at.load(c.vector_flops);

    Pair memory;
    t.transfer_s = both(0);
    t.slowest = both_whole(no_resource);
    const auto transfer = [&t](Pair time, std::uint8_t resource) ROOFLINE_INLINE {
      const Mask longer = time > t.transfer_s;  // false where not known
      t.transfer_s = select(longer, time, t.transfer_s);
      t.slowest = select(longer, both_whole(resource), t.slowest);
    };
    if (split_) {
      const Bytes first = moved(c, block, at.j), second = moved(c, block, at.second());
      transfer(Pair{first.read, second.read} / both(read_rate_) / both(bandwidth_), plan_.read_resource_);
      transfer(Pair{first.write, second.write} / both(write_rate_) / both(bandwidth_), plan_.write_resource_);
      memory = t.transfer_s;
    } else {
      memory = at.load(block.bytes) / both(total_rate_) / both(bandwidth_) * Pair{a.slower, b.slower};
      transfer(memory, plan_.device_resource_);
    }
    for (std::size_t k = 0; k < channels_; ++k)
      transfer(at.load(c.channels[channel_[k].index]) * Pair{a.link, b.link} / both(channel_[k].rate), channel_[k].resource);

    const Mask computes = t.compute_s > t.transfer_s;
    t.exposed_s = both(exposed_) * select(computes, t.transfer_s, t.compute_s);
    t.elementwise_s = keep(memory > both(0), memory * Pair{a.elementwise, b.elementwise});
    t.scores_s = vector_flops * Pair{a.scores_s, b.scores_s};
    const Pair passes{this->passes(c, a), this->passes(c, b)}, weights = at.load(c.weight);
    t.dequantise_s = weights * passes * Pair{a.dequantise_s + in_prompt(c, a), b.dequantise_s + in_prompt(c, b)};
    t.chunks_s = weights * (passes - both(1)) * Pair{a.weight_s, b.weight_s};
    const Pair kernels = passes * at.load(c.occurrences);
    t.layers_s = kernels * Pair{a.layer_s, b.layer_s};
    t.all_reduce_latency_s = kernels * Pair{a.all_reduce_latency_s, b.all_reduce_latency_s};
    if (scale_out_)
      t.all_reduce_latency_s += keep(at.load(c.channels[*scale_out_]) > both(0), kernels * both(scale_out_latency_s(plan_.in_force_)));
    t.launches_s = kernels * Pair{a.launch_s, b.launch_s};
    t.fused_time_s = select(computes, t.compute_s, t.transfer_s) + t.exposed_s + t.launches_s;
    t.fused_time_s += t.elementwise_s + t.scores_s + t.dequantise_s + t.chunks_s + t.layers_s + t.all_reduce_latency_s;
    if (converts_) t.conversion_s = Pair{conversion_s(c, at.j, a), conversion_s(c, at.second(), b)};
    return t;
  }

  /// Of one lane.
  [[nodiscard]] TypicalTerms by_term(const Terms& t, std::size_t lane) const {
    TypicalTerms out{};
    const auto put = [&](TypicalTerm term, double s) { out[static_cast<std::size_t>(term)] = s; };
    const double compute = t.compute_s[lane], transfer = t.transfer_s[lane], waves = t.waves_s[lane];
    const auto slowest = static_cast<std::uint8_t>(t.slowest[lane]);
    const bool device = slowest == plan_.device_resource_ || slowest == plan_.read_resource_ || slowest == plan_.write_resource_;
    put(TypicalTerm::compute, compute - waves);
    put(device ? TypicalTerm::memory : TypicalTerm::link, transfer);
    put(TypicalTerm::overlap, t.exposed_s[lane] - std::min(compute, transfer));
    put(TypicalTerm::waves, waves);
    put(TypicalTerm::dequantise, t.dequantise_s[lane]);
    put(TypicalTerm::elementwise, t.elementwise_s[lane]);
    put(TypicalTerm::scores, t.scores_s[lane]);
    put(TypicalTerm::chunks, t.chunks_s[lane]);
    put(TypicalTerm::layers, t.layers_s[lane]);
    put(TypicalTerm::all_reduce_latency, t.all_reduce_latency_s[lane]);
    put(TypicalTerm::launches, t.launches_s[lane]);
    put(TypicalTerm::conversion, t.conversion_s[lane]);
    return out;
  }

 private:
  [[nodiscard]] Bytes moved(const Slice& c, const Block& block, std::size_t j) const {
    return split_bytes(c, j, plan_.today_[c.op_class[j]], 1, block.bytes[j]);
  }

  [[nodiscard]] static double prompt_tokens(const Slice& c, const ClassTerms& t) {
    return c.prompt_tokens > 0 ? c.prompt_tokens : t.prompt_tokens;
  }
  [[nodiscard]] double passes(const Slice& c, const ClassTerms& t) const {
    if (!(chunk_ > 0) || t.once) return 1;
    return std::max(1.0, std::ceil(prompt_tokens(c, t) / chunk_));
  }
  /// A few tokens are multiplied from narrow weights as decode does.
  [[nodiscard]] static double in_prompt(const Slice& c, const ClassTerms& t) { return prompt_tokens(c, t) >= 32 ? t.prompt_weight_s : 0; }

  [[nodiscard]] Waves waves(const Slice& c, std::size_t j, const ClassTerms& t, double compute_s) const {
    if (!t.product || !c.sizes) return {};
    const OpSizes& product = plan_.workload_.distinct_sizes[c.sizes[j]];
    if (product.batch != 1) return {};  // 0: its sizes are not known; more: no stack was measured on products side by side
    const double units = plan_.scenario_.machine.units.value;
    if (overhead_.tile.rows > 0) {
      const double rows = fitted(overhead_.tile.rows, product.m), columns = fitted(overhead_.tile.columns, product.n);
      const double count = std::ceil(std::ceil(product.m / rows) * std::ceil(product.n / columns) / units);
      return {count, product.m * product.n / (count * units * rows * columns)};
    }
    const double one_s = compute_s / c.occurrences[j];
    Tiling& last = plan_.tilings_[(c.sizes[j] + std::size_t{31} * c.op_class[j]) % plan_.tilings_.size()];
    if (last.op_class != c.op_class[j] || last.sizes != c.sizes[j] || last.compute_s != one_s) {
      const Waves found = best_tile(product, units, one_s, plan_.today_[c.op_class[j]].activation);
      last = {c.op_class[j], c.sizes[j], one_s, found.count, found.efficiency};
    }
    return {last.waves, last.efficiency};
  }

  /// The tile of a library's choice: the one that is done first.
  [[nodiscard]] Waves best_tile(const OpSizes& p, double units, double compute_s, double bytes) const {
    constexpr double sizes[] = {16, 32, 64, 128, 256}, least_inner = 4096;
    Waves best;
    double least = std::numeric_limits<double>::infinity();
    for (const double rows : sizes)
      for (const double columns : sizes) {
        const double tiles = std::ceil(p.m / rows) * std::ceil(p.n / columns), count = std::ceil(tiles / units);
        // Fewer tiles than units: the long way inside is split among those that would wait.
        const double split = std::max(1.0, std::floor(std::min(units / tiles, p.k / least_inner)));
        const double share = count * units * rows * columns / (p.m * p.n) / split;
        const double time = compute_s * share * (1 + tile_edge_ / 2 * (1 / rows + 1 / columns)) + count * tile_s_;
        if (time < least) least = time, best.count = count;
      }
    if (bytes < 4 && std::fmod(p.k * bytes, 16) != 0) least *= misaligned_;
    best.efficiency = compute_s / least;
    return best;
  }

  /// Activations that are narrower than the network around them are made from its own and turned back, each in a pass over the device
  /// memory. A weight that is narrower than the activations is widened on chip, where it costs nothing.
  [[nodiscard]] double conversion_s(const Slice& c, std::size_t j, const ClassTerms& t) const {
    const OpClass& op_class = plan_.workload_.classes[c.op_class[j]];
    const ClassRates& r = plan_.today_[c.op_class[j]];
    const FormatId compute = c.vector_flops[j] / r.vector > c.matrix_flops[j] / r.matrix ? r.vector_compute : r.compute;
    const std::optional<FormatId> wide = network_of(op_class, overhead_, plan_.in_force_);
    if (!wide || op_class.activation == no_format || op_class.roles_unknown || compute == no_format) return 0;
    const Formats& formats = Formats::catalogue();
    const double own = formats[op_class.activation].bytes(), network = formats[*wide].bytes();
    if (!(own < network)) return 0;
    const double rate = std::min({total_rate_, read_rate_, write_rate_}) * bandwidth_, launch = t.launch_s * c.occurrences[j];
    if (!overhead_.network) {  // a model's products write the wide format; only their inputs are converted first
      const double wider = network - own;
      return (c.activation[j] * (op_class.matrix_work ? network + own : wider) + c.output[j] * wider) / rate;
    }
    double time = 0;
    if (c.activation[j] > 0) time += c.activation[j] * (network + own) / rate + launch;
    if (c.output[j] > 0) time += c.output[j] * (formats[accumulator_of(overhead_, compute)].bytes() + network) / rate + launch;
    return time;
  }

  struct ChannelRate {
    std::size_t index;
    double rate;
    std::uint8_t resource;
  };
  const Plan& plan_;
  const Overhead& overhead_;
  double total_rate_, read_rate_, write_rate_;  ///< B/s of the device memory
  double bandwidth_;                            ///< fraction of it
  double exposed_, chunk_, tile_edge_, tile_s_, misaligned_;
  bool split_, waves_, converts_;
  std::array<ChannelRate, max_resources> channel_;  ///< those that the machine has
  std::size_t channels_ = 0;
  std::optional<std::size_t> scale_out_;  ///< the channel between scale-up domains
};

void Plan::typical(const Slice& slice, const Block& block, double* typical_s, std::uint8_t* piece) const {
  const TypicalModel model(*this);
  const Slice c = slice;  // Local copy: the stores below may alias.
  in_pairs(c.count, [&](auto at) ROOFLINE_INLINE {
    const TypicalModel::Terms t = model.terms(c, block, at);
    at.store(typical_s, keep(at.load(block.predicted_s.data()) > both(0), t.total()));
    if (!piece) return;
    const Mask pieces = t.slowest + t.slowest - (t.compute_s > t.transfer_s);  // a mask is minus one
    piece[at.j] = static_cast<std::uint8_t>(pieces[0]);
    piece[at.second()] = static_cast<std::uint8_t>(pieces[1]);
  });
}

double Plan::fixed_overhead(std::size_t op, double time_s, double bound_s) const {
  if (!(time_s > bound_s)) return 0;
  const ClassTerms& t = terms_[workload_.op_class[op]];
  return std::min(time_s - bound_s, workload_.count_of(op) * (t.launch_s + t.layer_s + t.all_reduce_latency_s));
}

void Plan::add_terms(const Slice& slice, const Block& block, const double* weight, TypicalTerms& sums) const {
  const TypicalModel model(*this);
  in_pairs(slice.count, [&](auto at) {
    const TypicalModel::Terms t = model.terms(slice, block, at);
    for (std::size_t lane = 0; lane < (at.second() == at.j ? 1 : 2); ++lane) {
      if (!(block.predicted_s[at.j + lane] > 0)) continue;
      const TypicalTerms own = model.by_term(t, lane);
      for (std::size_t i = 0; i < own.size(); ++i) sums[i] += own[i] * weight[at.j + lane];
    }
  });
}

void Plan::add_typical(const Slice& slice, const Block& block, OpAnalysis& a) const {
  if (!(block.predicted_s[0] > 0)) return;
  const TypicalModel model(*this);
  const TypicalModel::Terms t = model.terms(slice, block, At<true>{0});
  a.typical.compute_s = t.compute_s[0];
  a.typical.transfer_s = t.transfer_s[0];
  a.typical.exposed_s = t.exposed_s[0];
  a.typical.launch_s = t.launches_s[0];
  a.typical.fused_time_s = t.fused_time_s[0];
  a.typical.conversion_s = t.conversion_s[0];
  a.typical.waves = t.waves[0].count;
  a.typical.wave_efficiency = t.waves[0].efficiency;
  a.typical.terms = model.by_term(t, 0);
  a.typical_time_s = t.total()[0];

  const double working_set = a.derived_bytes / slice.occurrences[0];
  const auto& memories = scenario_.machine.memories;
  for (std::size_t m = 1; m < memories.size(); ++m)
    if (memories[m].capacity.known()) {  // the outermost whose size is known
      if (working_set <= memories[m].capacity.value) a.typical.cache = m;
      break;
    }
}

}  // namespace roofline
