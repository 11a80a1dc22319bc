// A tensor of a GGUF file.
#pragma once

#include <roofline/llm/weight_formats.hpp>
#include <string>

namespace roofline {

struct GgufTensor {
  std::string name;              ///< "blk.0.ffn_down.weight"
  int layer = -1;                ///< -1: of none
  double row = 1, elements = 1;  ///< elements that are stored in one run, and in all
  FormatId format = no_format;   ///< that it is stored in
  double element_bytes = 0;      ///< stored in a type that `format` only comes near to (ik_llama.cpp's); 0: in `format` itself
  [[nodiscard]] double bytes() const { return elements * (element_bytes > 0 ? element_bytes : Formats::catalogue()[format].bytes()); }
};

}  // namespace roofline
