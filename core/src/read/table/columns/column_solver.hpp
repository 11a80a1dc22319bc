// The proof behind a table's reading. A table states much twice: rate x time and intensity x bytes are FLOPs again, as the shape gives
// them, and bandwidth x time is bytes. Of all ways to read its columns, the one is found under which most of that agrees.
#pragma once

#include <array>
#include <cstdint>
#include <roofline/machine/format.hpp>
#include <vector>

#include "read/table/columns/column_map.hpp"

namespace roofline {

enum Quantity : std::uint8_t { time_of, flops_of, rate_of, bytes_of, bandwidth_of, intensity_of, shape_of };
inline constexpr std::size_t quantities = 7;

/// One way to read one quantity.
struct ColumnOption {
  int column = ColumnMap::none;  ///< none: it follows from the shape
  ColumnRole role = ColumnRole::none;
  double scale = 1;                          ///< to SI
  double cost = 0;                           ///< how far it is from what the header says
  bool total = false;                        ///< of all occurrences
  bool contrary = false;                     ///< the header's unit is wrong
  bool batched = false;                      ///< of a shape: the batch multiplies
  const char* change = nullptr;              ///< what the header does not say, for a sentence
  FormatId in = no_format, out = no_format;  ///< of bytes that follow from the shape: operands and results are in these
  std::vector<double> logs = {};             ///< of the amount of one occurrence, by row; NaN: not known
};

/// How far the logarithms of quantities that agree may differ.
inline constexpr double agreement = 0.06;
/// Whether quotients are 1, by their logarithms' absolute values: the median decides. Reorders them.
[[nodiscard]] bool agree(std::vector<double>& logs);
/// The middle of what is finite; NaN where nothing is.
[[nodiscard]] double median(std::vector<double>& values);

class ColumnUnitSolver {
 public:
  /// Options for each quantity; a quantity may have none.
  using Options = std::array<std::vector<ColumnOption>, quantities>;
  explicit ColumnUnitSolver(Options options);

  /// Of the best reading: how this quantity is read; null where nothing states it.
  [[nodiscard]] const ColumnOption* at(Quantity q) const { return options_[q].empty() ? nullptr : &options_[q][pick_[q]]; }
  [[nodiscard]] const std::vector<ColumnOption>& options(Quantity q) const { return options_[q]; }
  /// Less is better.
  [[nodiscard]] double score() const { return score_; }
  /// No other reading is as good and blames other headers.
  [[nodiscard]] bool unique() const { return unique_; }
  /// Nothing that the table states twice contradicts itself.
  [[nodiscard]] bool all_agree() const;
  /// Something that the table states twice agrees, and this quantity is part of it.
  [[nodiscard]] bool corroborated(Quantity q) const { return !corroborators(q).empty(); }
  /// The options of other quantities that it agrees with, one of each relation.
  [[nodiscard]] std::vector<const ColumnOption*> corroborators(Quantity q) const;

 private:
  using Pick = std::array<std::size_t, quantities>;
  /// Quantities whose logarithms, with these signs, add up to 0.
  struct Relation {
    std::array<int, quantities> sign;
    Pick stride{};
    std::vector<float> scores;  ///< by the options of its quantities; empty: it lacks one, or no row has them all
    [[nodiscard]] float score(const Pick& pick) const;
  };
  void tabulate(Relation& relation) const;
  void search();
  [[nodiscard]] bool blames_others(const Pick& a, const Pick& b) const;

  Options options_;
  std::vector<Relation> relations_;
  Pick pick_{};
  double score_ = 1e9;
  bool unique_ = true;
};

}  // namespace roofline
