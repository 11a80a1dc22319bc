// Typical time: the bound with what real kernels pay beyond it. docs/conventions.md has the formula.
#include <algorithm>
#include <cmath>
#include <roofline/analysis/analysis.hpp>

#include "analysis/slice.hpp"

namespace roofline {
namespace {

double known_or(const Figure& figure, double otherwise) { return figure.known() ? figure.value : otherwise; }

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

/// Kernels come with smaller tiles too: one is not taller than the matrix, in steps of the units' own 16.
double fitted(double tile, double length) { return std::min(tile, 16 * std::ceil(length / 16)); }

FormatId accumulator_of(const Overhead& overhead, FormatId compute) {
  if (overhead.accumulator) return *overhead.accumulator;
  const Formats& formats = Formats::catalogue();
  return formats.find(formats[compute].family == FormatFamily::integer ? "int32" : "fp32").value_or(compute);
}

}  // namespace

/// The formula, with what it takes of machine and settings at hand for many operations.
class Plan::TypicalModel {
 public:
  explicit TypicalModel(const Plan& plan)
      : plan_(plan),
        overhead_(plan.scenario_.overhead),
        total_rate_(plan.today_rates_.total),
        read_rate_(plan.today_rates_.read),
        write_rate_(plan.today_rates_.write),
        compute_(known_or(plan.scenario_.machine.achievable_compute, 1)),
        bandwidth_(known_or(plan.scenario_.machine.achievable_bandwidth, 1)),
        launch_s_(known_or(plan.scenario_.machine.launch_s, 0)),
        exposed_(1 - overhead_.overlap),
        split_(plan.read_resource_ != no_resource),
        waves_(overhead_.tile.rows > 0 && plan.scenario_.machine.units.known()),
        converts_(overhead_.network && std::min({total_rate_, read_rate_, write_rate_}) < unlimited) {
    for (std::size_t k = 0; k < plan.channel_of_.size(); ++k)
      if (plan.channel_of_[k] >= 0 && channels_ < channel_.size())
        channel_[channels_++] = {k, plan.today_rates_.channel[k], static_cast<std::uint8_t>(plan.channel_of_[k])};
  }

  struct Terms : Typical {
    std::uint8_t slowest = no_resource;  ///< the memory or link that transfer_s is of
  };

  /// Of op j, which has a bound.
  [[nodiscard]] Terms terms(const Slice& c, const Block& block, std::size_t j) const {
    Terms t;
    t.compute_s = block.compute_s[j] / compute_;
    if (waves_) add_waves(c, j, t);

    t.transfer_s = 0;
    const auto transfer = [&t](double time, std::uint8_t resource) {
      if (time > t.transfer_s) t.transfer_s = time, t.slowest = resource;  // false where not known
    };
    if (split_) {
      const Bytes derived = derived_bytes(c, j, plan_.today_[c.kind[j]], 1);
      const double scale = derived.total() > 0 ? block.bytes[j] / derived.total() : 1;
      transfer(derived.read * scale / read_rate_ / bandwidth_, plan_.read_resource_);
      transfer(derived.write * scale / write_rate_ / bandwidth_, plan_.write_resource_);
    } else {
      transfer(block.bytes[j] / total_rate_ / bandwidth_, plan_.device_resource_);
    }
    for (std::size_t k = 0; k < channels_; ++k) transfer(c.channels[channel_[k].index][j] / channel_[k].rate, channel_[k].resource);

    t.exposed_s = exposed_ * std::min(t.compute_s, t.transfer_s);
    t.launch_s = launch_s_ * c.occurrences[j];
    t.fused_time_s = std::max(t.compute_s, t.transfer_s) + t.exposed_s + t.launch_s;
    t.conversion_s = converts_ ? conversion_s(c, j) : 0;
    return t;
  }

 private:
  void add_waves(const Slice& c, std::size_t j, Terms& t) const {
    const Product product = product_of(plan_.workload_.classes[c.kind[j]], c, j);
    if (!(product.rows > 0)) return;
    const double units = plan_.scenario_.machine.units.value;
    const double rows = fitted(overhead_.tile.rows, product.rows), columns = fitted(overhead_.tile.columns, product.columns);
    t.waves = std::ceil(std::ceil(product.rows / rows) * std::ceil(product.columns / columns) / units);
    t.wave_efficiency = product.rows * product.columns / (t.waves * units * rows * columns);
    t.compute_s /= t.wave_efficiency;
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
  for (std::size_t j = 0; j < c.count; ++j) {
    if (!(block.predicted_s[j] > 0)) {
      typical_s[j] = 0;
      if (piece) piece[j] = no_resource;
      continue;
    }
    const TypicalModel::Terms t = model.terms(c, block, j);
    typical_s[j] = t.fused_time_s + t.conversion_s;
    if (piece) piece[j] = static_cast<std::uint8_t>(t.slowest << 1 | (t.compute_s > t.transfer_s ? 1 : 0));
  }
}

void Plan::add_typical(const Slice& slice, const Block& block, OpAnalysis& a) const {
  if (!(block.predicted_s[0] > 0)) return;
  a.typical = TypicalModel(*this).terms(slice, block, 0);
  a.typical_time_s = a.typical.fused_time_s + a.typical.conversion_s;

  const double working_set = a.derived_bytes / slice.occurrences[0];
  const auto& memories = scenario_.machine.memories;
  for (std::size_t m = 1; m < memories.size(); ++m)
    if (memories[m].capacity.known()) {  // the outermost whose size is known
      if (working_set <= memories[m].capacity.value) a.typical.cache = m;
      break;
    }
}

}  // namespace roofline
