// What one operation does: its family, the sizes of its matrices, its FLOPs and elements.
#pragma once

#include <cstdint>
#include <roofline/base/enum_names.hpp>

namespace roofline {

/// What an operation is, whatever it is called or shown as. Readers, derivations and language models set it; other: not known.
enum class OpFamily : std::uint8_t {
  other,
  matrix_product,
  convolution,
  attention,
  normalisation,
  reduction,
  elementwise,
  pooling,
  resampling,
  data_movement,
  communication,
  embedding,   ///< of a language model, as those that follow: the table, and the LM head
  projection,  ///< a product before or after attention
  mlp,
  moe,
  cache
};
/// Its names are the categories that operations are shown under where the source gives them none.
template <>
inline constexpr std::array<const char*, 16> names_of<OpFamily>{
    "other",      "matrix product", "convolution",   "attention", "normalisation", "reduction", "element-wise", "pooling",
    "resampling", "data movement",  "communication", "embedding", "projection",    "MLP",       "moe",          "cache"};

/// Sizes of one occurrence of a matrix product or of attention. All 0: another operation, or sizes that are not known.
struct OpSizes {
  /// Of each of `batch` products of M x K by K x N. Batches that share the second matrix are rows of one product.
  /// Of attention: queries, keys, and the width of a head. NaN: not the same in all occurrences.
  double m = 0, n = 0, k = 0;
  double batch = 0;   ///< of attention: sequences
  double heads = 0;   ///< of attention: query heads
  double window = 0;  ///< of attention: keys that a query sees at most; 0: all
  bool operator==(const OpSizes&) const = default;
  [[nodiscard]] bool known() const { return batch > 0; }
};

/// The work of one operation. FLOPs count a multiply-accumulate as two; the rest are elements moved to or from the
/// device memory, by role, so that bytes under any format are elements times width.
struct Work {
  double matrix_flops = 0;
  double vector_flops = 0;
  double weight = 0;      ///< parameters read
  double activation = 0;  ///< activations read
  double output = 0;      ///< activations written
  double kv_read = 0;     ///< key-value cache read
  double kv_write = 0;    ///< key-value cache written
  OpSizes sizes = {};
};

}  // namespace roofline
