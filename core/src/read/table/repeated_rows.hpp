// Finds rows that would be counted twice: an operator that is listed again with the kernels of the operator it calls, as framework
// profilers do; and sums or means of the rows above.
#pragma once

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
  /// Whether the row states the sum of the rows before it and has no name or one such as "Total", or their mean and is an "Average".
  [[nodiscard]] bool is_total(const Amounts& a, std::string_view name);
  void report(WorkloadBuilder& rows) const;

 private:
  double rows_ = 0, time_s_ = 0, flops_ = 0, bytes_ = 0;  ///< sums of what is known
  std::size_t totals_ = 0;
  std::string total_;  ///< the name of the first
  HashIndex index_;
  Interner names_;
  std::vector<std::uint32_t> name_of_;  // by element of the index
  std::size_t left_out_ = 0;
  std::string outer_, inner_;  // of the first
};

}  // namespace roofline
