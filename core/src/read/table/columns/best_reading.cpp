#include <cmath>
#include <roofline/base/number.hpp>
#include <utility>

#include "operators/matrix_product.hpp"
#include "read/table/columns/reading_steps.hpp"

namespace roofline {
namespace {

class OptionCollector {
 public:
  OptionCollector(const ColumnMap& map, const TableSample& sample, bool wrong_units)
      : map_(map), sample_(sample), wrong_units_(wrong_units) {}

  /// `rate_is_flops`: the column of rates holds amounts.
  [[nodiscard]] ColumnUnitSolver::Options collect(bool rate_is_flops) {
    constexpr std::size_t most_times = 8, most_sums = 4;
    add_all(time_of, ColumnRole::time, most_times);
    add_all(time_of, ColumnRole::time_sum, most_sums);
    add_used(flops_of, ColumnRole::flops);
    if (map_.has(ColumnRole::macs)) add(flops_of, ColumnRole::macs, map_.at(ColumnRole::macs), 2 * map_[ColumnRole::macs].scale);
    if (!rate_is_flops)
      add_used(rate_of, ColumnRole::rate);
    else
      add(flops_of, ColumnRole::flops, map_.at(ColumnRole::rate), map_[ColumnRole::rate].scale);
    add_used(bytes_of, ColumnRole::bytes);
    add_used(bandwidth_of, ColumnRole::bandwidth);
    add_used(intensity_of, ColumnRole::intensity);
    add_shape();
    return std::move(options_);
  }

 private:
  void add_all(Quantity q, ColumnRole role, std::size_t most) {
    std::vector<int> columns = map_.candidates(role);
    if (columns.size() > most) columns.resize(most);
    for (const int c : columns) add(q, role, c, map_[c].scale);
  }
  void add_used(Quantity q, ColumnRole role) {
    if (map_.has(role)) add(q, role, map_.at(role), map_[role].scale);
  }

  /// The column as its header says, and what it may be instead.
  void add(Quantity q, ColumnRole role, int column, double scale) {
    const bool amount = q == time_of || q == flops_of || q == bytes_of, says_total = map_.says_total(column, role);
    add_units(q, {.column = column, .role = role, .scale = scale, .total = says_total}, 0);
    if (!amount || !map_.has(ColumnRole::count)) return;
    // The "total" of FLOPs is often that of a kernel's parts, and says less than a time without it.
    const double contrary_cost = says_total && q != time_of ? 0.01 : 0.02;
    add_units(q, {.column = column, .role = role, .scale = scale, .total = !says_total}, contrary_cost);
  }

  /// In each unit that the column may have.
  void add_units(Quantity q, const ColumnOption& stated, double cost) {
    const ColumnMeaning& m = map_[stated.column];
    const double scale = stated.scale;
    const auto in = [&](double unit, double more, const char* change, bool contrary = false) {
      ColumnOption& o = options_[q].emplace_back(stated);
      o.scale = unit;
      o.cost = 0.0004 * m.rank + cost + more;
      o.change = change;
      o.contrary = contrary;
      for (std::size_t r = 0; r < sample_.rows(); ++r) {
        const double count = o.total ? known_or(sample_.value(ColumnRole::count, r), 1) : 1;
        double number = sample_.number(o.column, r);
        if (q == bytes_of)
          for (const int c : map_.bytes_beside) number += sample_.number(c, r);
        o.logs.push_back(std::log(number * unit / count));
      }
    };
    if (scale == 0) {
      if (q == bandwidth_of)
        for (const auto& [unit, name] : {std::pair(1e9, "GB/s"), std::pair(1e12, "TB/s"), std::pair(1e6, "MB/s")}) in(unit, 0.01, name);
      else if (!m.cycles)
        for (const auto& [unit, name] : {std::pair(1e-6, "us"), std::pair(1e-3, "ms"), std::pair(1e-9, "ns"), std::pair(1.0, "s")})
          in(unit, 0.01, name);
      return;
    }
    in(scale, 0, nullptr);
    if (m.prefixed && (q == bytes_of || q == bandwidth_of)) {
      const double binary = scale == 1e3 ? 0x1p10 : scale == 1e6 ? 0x1p20 : scale == 1e9 ? 0x1p30 : 0x1p40;
      in(binary, 0.005, "in powers of 1024");
    }
    if (!wrong_units_ || (q == intensity_of && !map_.has(ColumnRole::bytes))) return;
    if ((q == flops_of && stated.role == ColumnRole::flops) || q == rate_of || q == intensity_of) in(2 * scale, 0.05, "counting MACs");
    if (q == intensity_of) return;
    in(scale * 1e3, 0.3, "1000 times what its header says", true);
    in(scale * 1e-3, 0.3, "a thousandth of what its header says", true);
  }

  /// The work of the rows' shapes, and the bytes of a matrix product in the row's formats.
  void add_shape() {
    if (!map_.shaped() && !map_.has(ColumnRole::dims)) return;
    ColumnOption once, batched;
    batched.batched = true;
    std::vector<ColumnOption> bytes = product_formats();
    for (std::size_t r = 0; r < sample_.rows(); ++r) {
      const double batch = known_or(sample_.value(ColumnRole::batch, r), 1);
      double flops = sample_.call_flops(r);
      if (map_.product()) {
        const Work work = products(sample_.value(ColumnRole::m, r), sample_.value(ColumnRole::n, r), sample_.value(ColumnRole::k, r),
                                   map_.batched ? batch : 1)
                              .work();
        flops = work.matrix_flops / (map_.batched ? batch : 1);
        for (ColumnOption& option : bytes) option.logs.push_back(std::log(product_bytes(work, r, option)));
      } else if (map_.convolution()) {
        flops = 2;
        for (const ColumnRole role :
             {ColumnRole::height, ColumnRole::width, ColumnRole::channels, ColumnRole::kernel_p, ColumnRole::kernel_q, ColumnRole::filters})
          flops *= sample_.value(role, r);
      }
      once.logs.push_back(std::log(flops));
      batched.logs.push_back(once.logs.back() + std::log(batch));
    }
    std::vector<ColumnOption>& work = options_[options_[flops_of].empty() ? flops_of : shape_of];
    if (map_.has(ColumnRole::batch) && map_.shaped()) {
      (map_.batched ? once : batched).cost = 0.01;
      work.push_back(std::move(batched));
    }
    work.push_back(std::move(once));
    if (map_.product() && options_[bytes_of].empty()) options_[bytes_of] = std::move(bytes);
  }

  /// Of a matrix product: the formats that the columns name; without such columns, those that products usually are in.
  [[nodiscard]] std::vector<ColumnOption> product_formats() const {
    if (!map_.formats.empty()) return std::vector<ColumnOption>(1);
    constexpr std::pair<const char*, const char*> usual[] = {{"fp32", "fp32"},     {"bf16", "bf16"}, {"fp8_e4m3", "bf16"},
                                                             {"fp8_e4m3", "fp16"}, {"bf16", "fp32"}, {"fp8_e4m3", "fp32"}};
    std::vector<ColumnOption> out;
    for (const auto& [in, result] : usual) {
      ColumnOption& o = out.emplace_back();
      o.in = Formats::catalogue().find(in).value_or(no_format);
      o.out = Formats::catalogue().find(result).value_or(no_format);
      o.cost = 0.0001 * static_cast<double>(out.size());
    }
    return out;
  }
  [[nodiscard]] double product_bytes(const Work& work, std::size_t row, const ColumnOption& option) const {
    const FormatId format = option.in != no_format ? option.in : sample_.format(row);
    const auto width = [&](FormatId f) { return f == no_format ? unknown : Formats::catalogue()[f].bytes(); };
    const auto own = [&](ColumnRole role) {
      const FormatId f = map_.has(role) ? sample_[map_.at(role)].formats[row] : no_format;
      return width(f != no_format ? f : format);
    };
    return work.activation * width(format) + (work.weight > 0 ? work.weight * own(ColumnRole::weight_format) : 0) +
           work.output * (option.out != no_format ? width(option.out) : own(ColumnRole::output_format));
  }

  const ColumnMap& map_;
  const TableSample& sample_;
  const bool wrong_units_;
  ColumnUnitSolver::Options options_;
};

ColumnUnitSolver best_reading(const ColumnMap& map, const TableSample& sample, bool wrong_units) {
  ColumnUnitSolver best(OptionCollector(map, sample, wrong_units).collect(false));
  if (map.has(ColumnRole::rate) && map[ColumnRole::rate].maybe_rate && !map.has(ColumnRole::flops))
    if (ColumnUnitSolver amounts(OptionCollector(map, sample, wrong_units).collect(true)); amounts.score() + 0.02 < best.score())
      return amounts;
  return best;
}

}  // namespace

ColumnUnitSolver best_reading(const ColumnMap& map, const TableSample& sample) {
  ColumnUnitSolver best = best_reading(map, sample, false);
  if (!best.all_agree())
    if (ColumnUnitSolver mended = best_reading(map, sample, true); mended.unique() && mended.all_agree()) return mended;
  return best;
}

}  // namespace roofline
