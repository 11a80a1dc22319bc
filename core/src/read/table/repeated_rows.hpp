// Finds rows that would be counted twice: an operator that is listed again with the kernels of the operator it calls, as framework
// profilers do; and sums or means of the rows above.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/interner.hpp"
#include "read/table/kernel_amounts.hpp"

namespace roofline {

class WorkloadBuilder;

class RepeatedRows {
 public:
  /// Whether an earlier row has the same work, count and time to the last digit, under another operator's name. Only of names such as
  /// "aten::mm" and of times that are no round numbers: two that agree by chance are counted twice.
  [[nodiscard]] bool seen(const Amounts& a, std::string_view name);
  /// Whether the row states the sum of the rows before it and has no name or one such as "Total", that of the rows since the last such sum
  /// and is a "Subtotal", or their mean and is an "Average" or a "Geomean".
  [[nodiscard]] bool is_total(const Amounts& a, std::string_view name);
  void report(WorkloadBuilder& rows) const;

 private:
  /// Time, FLOPs and bytes of all occurrences.
  using Quantities = std::array<double, 3>;
  struct Stated {
    explicit Stated(const Amounts& a);
    Quantities values;  ///< NaN: not stated
  };
  struct Sums {
    void add(const Stated& row);
    [[nodiscard]] bool equal(const Stated& row, double times) const;
    double rows = 0;
    Quantities values{};
  };
  bool leave_out(std::string_view name);

  Sums all_, section_;                    ///< of all rows; of those since the last sum
  double product_ = 1, exponent_ = 0;     ///< product_ * 2^exponent_: of all times, for their geometric mean
  bool any_unnamed_ = false;              ///< of the rows counted: then a row without a name says nothing by that
  std::size_t totals_ = 0, counted_ = 0;  ///< left out; counted in spite of their names
  std::string total_, counted_name_;      ///< the names of the first
  HashIndex index_;
  Interner names_;
  std::vector<std::uint32_t> name_of_;  // by element of the index
  std::size_t left_out_ = 0;
  std::string outer_, inner_;  // of the first
};

}  // namespace roofline
