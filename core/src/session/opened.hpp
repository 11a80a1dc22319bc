// What is open, for the page.
#pragma once

#include <roofline/machine/machine.hpp>
#include <roofline/workload/workload.hpp>

#include "base/json.hpp"

namespace roofline {

/// How a workload came to be open.
struct Opening {
  bool joined = false;                       ///< times and work of the same layers, one of which was open before
  const Machine* guessed_machine = nullptr;  ///< that ran it, by words in the file; null: they tell none
  bool asks_for_model = false;               ///< of a trace of an inference engine's steps, which model ran: no model was given
};

/// The words of `before`, the run kept to compare with, are in its lists too, with no operations: filters apply to both runs. May be null.
[[nodiscard]] Json opened(const Workload& workload, const Workload* before, const Opening& how = {});

}  // namespace roofline
