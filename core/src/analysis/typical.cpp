// Typical time: the bound with what real kernels pay beyond it. docs/conventions.md has the formula.
#include <algorithm>
#include <cmath>
#include <roofline/analysis/analysis.hpp>
#include <roofline/base/number.hpp>

#include "analysis/slice.hpp"
#include "base/simd.hpp"

namespace roofline {
namespace {

using namespace simd;

/// Rows and columns of a matrix product by a weight, of one occurrence; zero where the operation is none.
struct Product {
  double rows = 0, columns = 0;
};

/// From the work alone, whatever it was read from: FLOPs are 2 M N K, outputs M N, activations M K, weights K N (and N of a bias).
Product product_of(const OpClass& op_class, const Plan::Slice& c, std::size_t j) {
  if (op_class.category != "matrix product" || c.vector_flops[j] > 0) return {};
  const double n = c.occurrences[j];
  const double outputs = c.output[j] / n, inner = c.matrix_flops[j] / (2 * c.output[j]), rows = c.activation[j] / n / inner;
  const double columns = outputs / rows, weights = c.weight[j] / n;
  const bool whole = rows >= 1 && columns >= 1 && std::floor(rows) == rows && std::floor(columns) == columns;
  return whole && (weights == inner * columns || weights == (inner + 1) * columns) ? Product{rows, columns} : Product{};
}

/// Rounds of one tile per unit; NaN where the operation is no such product.
struct Waves {
  double count = unknown, efficiency = unknown;
  /// What the computing time is to be divided by.
  [[nodiscard]] double factor() const { return known(efficiency) ? efficiency : 1; }
};

/// Kernels come with smaller tiles too: one is not taller than the matrix, in steps of the units' own 16.
double fitted(double tile, double length) { return std::min(tile, 16 * std::ceil(length / 16)); }

FormatId accumulator_of(const Overhead& overhead, FormatId compute) {
  if (overhead.accumulator) return *overhead.accumulator;
  const Formats& formats = Formats::catalogue();
  return formats.find(formats[compute].family == FormatFamily::integer ? "int32" : "fp32").value_or(compute);
}

}  // namespace

/// The formula, two ops at a time, with what it takes of machine and settings at hand for many operations.
class Plan::TypicalModel {
 public:
  explicit TypicalModel(const Plan& plan)
      : plan_(plan),
        overhead_(plan.scenario_.overhead),
        total_rate_(plan.today_rates_.total),
        read_rate_(plan.today_rates_.read),
        write_rate_(plan.today_rates_.write),
        compute_(known_or(plan.scenario_.machine.achievable_compute.value, 1)),
        bandwidth_(known_or(plan.scenario_.machine.achievable_bandwidth.value, 1)),
        launch_s_(known_or(plan.scenario_.machine.launch_s.value, 0)),
        exposed_(1 - overhead_.overlap),
        split_(plan.read_resource_ != no_resource),
        waves_(overhead_.tile.rows > 0 && plan.scenario_.machine.units.known()),
        converts_(overhead_.network && std::min({total_rate_, read_rate_, write_rate_}) < unlimited) {
    for (std::size_t k = 0; k < plan.channel_of_.size(); ++k)
      if (plan.channel_of_[k] >= 0 && channels_ < channel_.size())
        channel_[channels_++] = {k, plan.today_rates_.channel[k], static_cast<std::uint8_t>(plan.channel_of_[k])};
  }

  /// Of two ops: each lane one. Where no bound is known they mean nothing.
  struct Terms {
    Pair compute_s, transfer_s, exposed_s, launch_s, fused_time_s, conversion_s{};
    Mask slowest;  ///< the memory or link that transfer_s is of
    std::array<Waves, 2> waves;
    [[nodiscard]] Pair total() const { return fused_time_s + conversion_s; }
  };

  template <class At>
  [[nodiscard]] ROOFLINE_INLINE Terms terms(const Slice& c, const Block& block, At at) const {
    Terms t;
    t.compute_s = at.load(block.compute_s.data()) / both(compute_);
    if (waves_) {
      t.waves = {waves(c, at.j), waves(c, at.second())};
      t.compute_s /= Pair{t.waves[0].factor(), t.waves[1].factor()};
    }

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
    } else {
      transfer(at.load(block.bytes) / both(total_rate_) / both(bandwidth_), plan_.device_resource_);
    }
    for (std::size_t k = 0; k < channels_; ++k)
      transfer(at.load(c.channels[channel_[k].index]) / both(channel_[k].rate), channel_[k].resource);

    const Mask computes = t.compute_s > t.transfer_s;
    t.exposed_s = both(exposed_) * select(computes, t.transfer_s, t.compute_s);
    t.launch_s = both(launch_s_) * at.load(c.occurrences);
    t.fused_time_s = select(computes, t.compute_s, t.transfer_s) + t.exposed_s + t.launch_s;
    if (converts_) t.conversion_s = Pair{conversion_s(c, at.j), conversion_s(c, at.second())};
    return t;
  }

 private:
  [[nodiscard]] Bytes moved(const Slice& c, const Block& block, std::size_t j) const {
    const Bytes derived = derived_bytes(c, j, plan_.today_[c.kind[j]], 1);
    const double scale = derived.total() > 0 ? block.bytes[j] / derived.total() : 1;
    return {derived.read * scale, derived.write * scale};
  }

  [[nodiscard]] Waves waves(const Slice& c, std::size_t j) const {
    const Product product = product_of(plan_.workload_.classes[c.kind[j]], c, j);
    if (!(product.rows > 0)) return {};
    const double units = plan_.scenario_.machine.units.value;
    const double rows = fitted(overhead_.tile.rows, product.rows), columns = fitted(overhead_.tile.columns, product.columns);
    const double count = std::ceil(std::ceil(product.rows / rows) * std::ceil(product.columns / columns) / units);
    return {count, product.rows * product.columns / (count * units * rows * columns)};
  }

  /// Activations that are narrower than the network around them are made from its own and turned back, each in a pass over the device
  /// memory. A weight that is narrower than the activations is widened on chip, where it costs nothing.
  [[nodiscard]] double conversion_s(const Slice& c, std::size_t j) const {
    const OpClass& kind = plan_.workload_.classes[c.kind[j]];
    const ClassRates& r = plan_.today_[c.kind[j]];
    const FormatId compute = c.vector_flops[j] / r.vector > c.matrix_flops[j] / r.matrix ? r.vector_compute : r.compute;
    if (kind.activation == no_format || kind.roles_unknown || compute == no_format) return 0;
    const Formats& formats = Formats::catalogue();
    const double own = formats[kind.activation].bytes(), network = formats[*overhead_.network].bytes();
    if (!(own < network)) return 0;
    const double rate = std::min({total_rate_, read_rate_, write_rate_}) * bandwidth_, launch = launch_s_ * c.occurrences[j];
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
  double compute_, bandwidth_;                  ///< achievable fractions
  double launch_s_, exposed_;
  bool split_, waves_, converts_;
  std::array<ChannelRate, max_resources> channel_;  ///< those that the machine has
  std::size_t channels_ = 0;
};

void Plan::typical(const Slice& slice, const Block& block, double* typical_s, std::uint8_t* piece) const {
  const TypicalModel model(*this);
  const Slice c = slice;  // its own: what is stored meanwhile cannot change it, as far as compilers know
  in_pairs(c.count, [&](auto at) ROOFLINE_INLINE {
    const TypicalModel::Terms t = model.terms(c, block, at);
    at.store(typical_s, keep(at.load(block.predicted_s.data()) > both(0), t.total()));
    if (!piece) return;
    const Mask pieces = t.slowest + t.slowest - (t.compute_s > t.transfer_s);  // a mask is minus one
    piece[at.j] = static_cast<std::uint8_t>(pieces[0]);
    piece[at.second()] = static_cast<std::uint8_t>(pieces[1]);
  });
}

void Plan::add_typical(const Slice& slice, const Block& block, OpAnalysis& a) const {
  if (!(block.predicted_s[0] > 0)) return;
  const TypicalModel::Terms t = TypicalModel(*this).terms(slice, block, At<true>{0});
  a.typical.compute_s = t.compute_s[0];
  a.typical.transfer_s = t.transfer_s[0];
  a.typical.exposed_s = t.exposed_s[0];
  a.typical.launch_s = t.launch_s[0];
  a.typical.fused_time_s = t.fused_time_s[0];
  a.typical.conversion_s = t.conversion_s[0];
  a.typical.waves = t.waves[0].count;
  a.typical.wave_efficiency = t.waves[0].efficiency;
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
