// Profilers of frameworks list an operator and the one it calls as two rows with the same kernels behind them: each would count them.
#pragma once

#include <string>
#include <string_view>

#include "base/interner.hpp"
#include "read/table/kernel_amounts.hpp"

namespace roofline {

class WorkloadBuilder;

class SameKernels {
 public:
  /// Whether an earlier row has the same work, count and time to the last digit, under another operator's name. Only of names such as
  /// "aten::mm" and of times that are no round numbers: two that agree by chance are counted twice.
  [[nodiscard]] bool seen(const Amounts& a, std::string_view name);
  void report(WorkloadBuilder& rows) const;

 private:
  HashIndex index_;
  Interner names_;
  std::vector<std::uint32_t> name_of_;  // by element of the index
  std::size_t left_out_ = 0;
  std::string outer_, inner_;  // of the first
};

}  // namespace roofline
