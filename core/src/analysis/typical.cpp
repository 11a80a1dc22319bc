// Typical time: the bound with what real kernels pay beyond it. docs/conventions.md has the formula.
#include <algorithm>
#include <cmath>
#include <roofline/analysis/analysis.hpp>

namespace roofline {
namespace {

double known_or(const Figure& figure, double otherwise) { return figure.known() ? figure.value : otherwise; }

/// Rows and columns of a matrix product by a weight, of one occurrence; zero where the operation is none.
struct Product {
  double rows = 0, columns = 0;
};

/// From the work alone, whatever it was read from: FLOPs are 2 M N K, outputs M N, activations M K, weights K N (and N of a bias).
Product product_of(const Workload& w, std::size_t op, const OpAnalysis& a) {
  if (w.class_of(op).category != "matrix product" || w.weight.empty() || a.vector_flops > 0) return {};
  const double n = w.count_of(op);
  const double outputs = w.output[op] / n, inner = a.matrix_flops / (2 * w.output[op]), rows = w.activation[op] / n / inner;
  const double columns = outputs / rows, weights = w.weight[op] / n;
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

void Plan::add_typical(std::size_t op, OpAnalysis& a) const {
  const Machine& machine = scenario_.machine;
  const Overhead& overhead = scenario_.overhead;
  const Formats& formats = Formats::catalogue();
  const OpClass& kind = workload_.class_of(op);
  const double count = workload_.count_of(op);
  Typical& t = a.typical;
  if (!(a.predicted_time_s > 0)) return;

  const auto at_least = [](double value) { return value > 0 ? value : 0; };  // not known: nothing
  t.compute_s = at_least(a.min_time_s[0]) / known_or(machine.achievable_compute, 1);
  if (overhead.tile.rows > 0 && machine.units.known()) {
    const Product product = product_of(workload_, op, a);
    if (product.rows > 0) {
      const double rows = fitted(overhead.tile.rows, product.rows), columns = fitted(overhead.tile.columns, product.columns);
      t.waves = std::ceil(std::ceil(product.rows / rows) * std::ceil(product.columns / columns) / machine.units.value);
      t.wave_efficiency = product.rows * product.columns / (t.waves * machine.units.value * rows * columns);
      t.compute_s /= t.wave_efficiency;
    }
  }
  const double bandwidth = known_or(machine.achievable_bandwidth, 1);
  t.transfer_s = t.conversion_s = 0;
  for (std::size_t i = 1; i < resources_.size(); ++i) {
    const bool device = i == device_resource_ || i == read_resource_ || i == write_resource_;
    t.transfer_s = std::max(t.transfer_s, at_least(a.min_time_s[i]) / (device ? bandwidth : 1));
  }
  t.exposed_s = (1 - overhead.overlap) * std::min(t.compute_s, t.transfer_s);
  const double launch = known_or(machine.launch_s, 0);
  t.launch_s = launch * count;
  t.fused_time_s = std::max(t.compute_s, t.transfer_s) + t.exposed_s + t.launch_s;

  // Activations that are narrower than the network around them are made from its own and turned back, each in a pass over the device
  // memory. A weight that is narrower than the activations is widened on chip, where it costs nothing.
  const double rate = std::min(today_rates_.total, std::min(today_rates_.read, today_rates_.write)) * bandwidth;
  if (overhead.network && kind.activation != no_format && !kind.roles_unknown && a.compute != no_format &&
      formats[kind.activation].bytes() < formats[*overhead.network].bytes() && rate < unlimited) {
    const double network = formats[*overhead.network].bytes();
    const double inputs = workload_.activation[op], outputs = workload_.output.empty() ? 0 : workload_.output[op];
    if (inputs > 0) t.conversion_s += inputs * (network + formats[kind.activation].bytes()) / rate + launch * count;
    if (outputs > 0) t.conversion_s += outputs * (formats[accumulator_of(overhead, a.compute)].bytes() + network) / rate + launch * count;
  }
  a.typical_time_s = t.fused_time_s + t.conversion_s;

  const double working_set = a.derived_bytes / count;
  for (std::size_t m = 1; m < machine.memories.size() && t.cache == 0; ++m)
    if (machine.memories[m].capacity.known()) {  // the outermost whose size is known
      if (working_set <= machine.memories[m].capacity.value) t.cache = m;
      break;
    }
}

}  // namespace roofline
