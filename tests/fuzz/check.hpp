// A condition that must hold for every input; the process stops where it does not, so that a fuzzer keeps the input.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <roofline/read/read.hpp>

inline void check(bool holds) {
  if (!holds) std::abort();
}
