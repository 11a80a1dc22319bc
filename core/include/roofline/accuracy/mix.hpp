// A format for each layer: the fastest that keeps a given accuracy on the layer's own numbers, and what all of them together buy.
#pragma once

#include <functional>
#include <map>
#include <roofline/analysis/finding.hpp>
#include <roofline/analysis/op_set.hpp>
#include <roofline/scenario/operands.hpp>
#include <string>
#include <vector>

namespace roofline {

/// The smallest speed-up for which a format is called faster.
inline constexpr double least_gain = 1.05;

/// One operation with weights. Times in s, over its occurrences.
struct LayerChoice {
  std::uint32_t op = 0;
  FormatId format = no_format;   ///< no_format: none that keeps the accuracy is faster, so it is unchanged
  double sqnr_db = unknown;      ///< infinite: exact
  double time_s = unknown;       ///< measured, else the estimate
  Range then_s;                  ///< with the format (whatif_times)
  Limit limit = Limit::unknown;  ///< no format is advised for `neither` and `unknown`
};

struct MixPoint {
  double threshold_db = unknown;
  double speedup = unknown;       ///< optimistic, of all operations together
  std::vector<FormatId> formats;  ///< taken by some layer here, and by none at the previous point
};

/// A format that would make layers faster, and the most that any of them keeps in it.
struct MixFormat {
  FormatId format = no_format;
  double sqnr_db = unknown;
};

struct Mix {
  std::vector<LayerChoice> layers;  ///< in source order
  double time_s = 0;                ///< of all operations of the set, those without a choice among them
  Range then_s;                     ///< the same with the choices
  std::vector<MixPoint> curve;      ///< falling thresholds: those at which some layer's choice changes
  Roles roles = Roles::all;         ///< that take the formats
  std::vector<MixFormat> refused;   ///< those that no layer can take at the threshold: without blocks first, the most accurate first
  FormatId uniform = no_format;     ///< the fastest that every layer which gains from it can take
  Range uniform_s;                  ///< of all operations, with `uniform` in those layers
  bool language_model = false;      ///< each operation represents all layers, so texts count operations, not layers
  std::size_t not_quantisable = 0;  ///< operations with a bound and without weights to quantise, which keep their formats
  double not_quantisable_s = 0;     ///< their time
  std::size_t limited_by_neither = 0, limit_unknown = 0;  ///< layers that are unchanged because of their limit
  std::size_t already_below = 0;                          ///< unchanged layers whose current weight format has an SQNR below the threshold
  MixFormat least_accurate;                               ///< of those, the least accurate format
  std::size_t left_out = 0;                               ///< operations that were not looked at: beyond the 20,000 with most time
};

/// SQNR of the operation's numbers in the format, dB; NaN: not known, so the format is not taken. Infinite: exact.
using Sqnr = std::function<double(std::uint32_t op, FormatId format)>;

/// `ops`: of a plan without a what-if on formats. `formats`: those to choose from. `roles`: the operands that take them.
[[nodiscard]] Mix mix_formats(const OpSet& ops, const std::vector<FormatId>& formats, Roles roles, double threshold_db, const Sqnr& sqnr);

/// The formats that no layer can take at the threshold (dB), in the order of Mix::refused. `most_db`: the highest SQNR of any layer in
/// each format, in dB.
[[nodiscard]] std::vector<MixFormat> refused_formats(const std::map<FormatId, double>& most_db, double threshold_db);

/// " No layer can use INT4 at 30 dB (best layer: 18.9 dB). INT8 can (worst layer: 40.5 dB)." Empty if no format is refused. `taken`: the
/// format that most layers take, or no_format; `least_db`: the lowest SQNR of these layers, in dB. `threshold`: as text, "30 dB".
[[nodiscard]] std::string refusal(const std::vector<MixFormat>& refused, FormatId taken, double least_db, const std::string& threshold);

/// "27 layers take INT8 in all operands, 3 take NF4 weights, 1 is unchanged": the largest count first. `layer`: the singular noun. `named`
/// returns a format with its operands.
[[nodiscard]] std::string layers_by_format(const std::map<FormatId, std::size_t>& counts, std::size_t unchanged, const std::string& layer,
                                           const std::function<std::string(FormatId)>& named);
/// The format that most layers take, on a tie the first; no_format if `counts` is empty.
[[nodiscard]] FormatId main_format(const std::map<FormatId, std::size_t>& counts);

/// "At 30 dB, 27 layers take INT8 in all operands: 1.4x to 1.6x. 30 operations without weights to quantise (24% of the time) keep
/// their formats. No layer can use INT4 at 30 dB (best layer: 18.9 dB). INT8 can (worst layer: 40.5 dB)." If layers take several
/// formats, it also states the fastest single one. Empty: there is no layer to choose for.
[[nodiscard]] Finding mix_finding(const Mix& mix, double threshold_db);

}  // namespace roofline
