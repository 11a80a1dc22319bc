// Sweeps: an operator over a range of one or two of its parameters, in several formats. Each point is a row of the analysis.
#pragma once

#include <optional>
#include <roofline/analysis/finding.hpp>
#include <roofline/calculator/calculator.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

inline constexpr double largest_swept = 9007199254740992.0;  ///< 2^53: above it not every whole number is exact
inline constexpr std::size_t most_swept = 4096;              ///< points of one axis

/// What is varied: one parameter, several that are equal ("m,n,k"), or one length of a shape ("input_shape.2").
struct SweepAxis {
  std::vector<std::string> keys;
  double from = 1, to = 1;
  bool log = true;         ///< steps by a factor, or equal ones
  std::size_t points = 0;  ///< at most; whole numbers that coincide are one point
  bool round = false;      ///< to the nearest n 2^e with n from 8 to 15: long lengths then fit tiles
};

/// "m=1..4096", with ":linear", ":round" and ":256" (points) after it in any order; steps by a factor, 64 points without them.
[[nodiscard]] Result<SweepAxis> parse_sweep_axis(std::string_view text);

/// Whole numbers, rising.
[[nodiscard]] std::vector<double> values_of(const SweepAxis& axis);

/// Along the first axis: from here up (down to the crossing before), another resource bounds. The first whole number, not the first point.
struct Crossing {
  std::size_t format = 0;  ///< index into Calculation::formats
  double at = 0;
  std::uint8_t from = no_resource, to = no_resource;
};

/// The formats that are fastest from `from`, a value of the first axis, up to the next Lead; their times agree within 0.1%. `from` is
/// searched for between the sweep's points, among whole numbers. Where one format overtakes another, the few
/// values at which they tie are not a Lead.
struct Lead {
  double from = 0;
  std::vector<std::size_t> formats;  ///< indices into Calculation::formats
};

/// Which formats are fastest by the estimates, within 0.1% of each other.
struct FastestFormats {
  static constexpr std::uint8_t none = 255;    ///< no time is known
  std::vector<std::vector<std::size_t>> sets;  ///< that occur; indices into Calculation::formats
  std::vector<std::uint8_t> at;                ///< per point, index into sets; none also beyond 255 sets
};

struct Sweep {
  std::vector<double> x, y;  ///< y has one value, 0, where only one parameter is varied
  std::vector<std::string> resources;
  bool in_macs = false;       ///< rates are shown in MAC/s: Scenario::ops_per_mac is 1
  bool one_peak = false;      ///< Machine::has_one_peak: then formats tie when compute bounds them
  std::vector<double> flops;  ///< per point, x fastest; NaN where the operator refuses the shape
  /// One format: per point, as flops.
  struct Series {
    std::vector<double> predicted_s;  ///< NaN: not known
    std::vector<std::uint8_t> bound;  ///< index into resources; no_resource: not known
    std::vector<double> unit_flops;   ///< of the unit that takes longer; over predicted_s it is the attainable FLOP/s
    std::vector<double> typical_s, fused_s;
  };
  std::vector<Series> series;
  std::vector<Crossing> crossings;  ///< of sweeps over one parameter
  std::vector<Lead> leads;          ///< of sweeps over one parameter, rising; points without a time belong to the lead before them
  std::vector<Lead> typical_leads;  ///< the same by the typical times
  FastestFormats fastest;           ///< of sweeps over two parameters
  std::size_t refused = 0;          ///< points that the operator refuses
};

/// Fails where a parameter is not one of the operator's, or no point of the sweep is a valid shape.
[[nodiscard]] Result<Sweep> sweep(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y,
                                  const Scenario& scenario);

/// "INT4 weights win below m = 17; INT8 wins from 17 up. By the bounds alone, they cross at m = 80."; "INT4 weights win below m = 17, tie
/// with FP8 E4M3 from 17; all are equally fast from 97 up. By the bounds alone, they cross at m = 80 and 166."; if the bounds order the
/// formats otherwise, a sentence more: "By the bounds alone, ...". With one format, it says what bounds it where. If formats tie because
/// the machine has one rate for all of them, the finding says so. The numbers are those of `leads`, `typical_leads` and `crossings`. Of two
/// parameters: "INT4 weights win at 61% of the points, INT8 at 39%."; empty in one format.
[[nodiscard]] Finding sweep_finding(const Calculation& calculation, const SweepAxis& x, const Sweep& sweep);

/// The sweep as "roofline-sweep/1", or as CSV with one row per point and format.
[[nodiscard]] std::string sweep_json(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y,
                                     const Sweep& sweep);
[[nodiscard]] std::string sweep_csv(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y,
                                    const Sweep& sweep);
/// What a cell of the table over two ranges shows. A letter after a time or a rate names what bounds it. `fastest`: one table, with the
/// fastest format by the estimates.
enum class SweepCell : std::uint8_t { time, rate, bound, fastest };
[[nodiscard]] Result<SweepCell> find_sweep_cell(std::string_view name);
/// For a terminal: where the bound changes and up to 20 points; of two ranges a table for each format, up to 10 columns by 20 rows.
[[nodiscard]] std::string sweep_table(const Calculation& calculation, const SweepAxis& x, const std::optional<SweepAxis>& y,
                                      const Sweep& sweep, SweepCell cell = SweepCell::time);

}  // namespace roofline
