// What fuzz targets check with. Each of their checks must hold for every input: one that fails is a fault in the core.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <roofline/read/read.hpp>
#include <string_view>

/// Stops the process where it does not hold, so that a fuzzer keeps the input.
inline void check(bool holds) {
  if (!holds) std::abort();
}

/// True for one input in `n`, and for the same ones every time: for what takes much longer than the rest.
inline bool one_in(std::uint32_t n, std::string_view input) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : input) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash >> 8) % n == 0;
}

/// Whether all coordinates of a drawing are finite. They stand in its tags; between these are names, which may say anything.
inline bool finite_drawing(std::string_view svg) {
  for (std::size_t begin = svg.find('<'); begin != std::string_view::npos; begin = svg.find('<', begin + 1)) {
    const std::string_view tag = svg.substr(begin, svg.find('>', begin) - begin);
    if (tag.find("nan") != std::string_view::npos || tag.find("inf") != std::string_view::npos) return false;
  }
  return true;
}
