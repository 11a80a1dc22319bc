// What a processor is measured with: arithmetic in registers, walks over memory, and a few operators. One source, kernels.cpp, is compiled
// once per instruction set; the native command chooses among them, and the page has the one of WebAssembly (wasm/measure/measure.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace roofline::measure {

/// Rows [row, row_end) of C = A B and the columns of the panels [panel, panel_end) of B, which is of k x n.
struct ProductPart {
  std::int64_t n = 0, k = 0;
  std::int64_t row = 0, row_end = 0;
  std::int64_t panel = 0, panel_end = 0;
};

/// Multiply-adds in registers, in independent chains, and nothing else.
struct Arithmetic {
  double (*run)(std::int64_t rounds);  ///< the sum of all accumulators, by which the results are checked
  double operations_per_round;         ///< a multiply-add is two
};

/// The kernels for one instruction set. Sizes are counts of elements, except where they are bytes.
struct Kernels {
  const char* name;  ///< "AVX-512 with VNNI"
  int vector_bits;
  bool fused;  ///< one instruction multiplies and adds
  Arithmetic fp64, fp32, int8;

  /// Walks over `bytes`, a multiple of 1,024. `read` returns the sum of the floats, so that no load can be left out.
  float (*read)(const float* from, std::size_t bytes);
  void (*write)(float* to, std::size_t bytes, float value);
  void (*copy)(float* to, const float* from, std::size_t bytes);

  int panel_columns;  ///< columns of B that its packed form keeps together
  int int8_depth;     ///< rows of B that it keeps together in INT8; k is a multiple of it
  /// B in the form that the products read: n is a multiple of panel_columns.
  void (*pack_fp32)(const float* b, float* packed, std::int64_t n, std::int64_t k);
  void (*pack_int8)(const std::int8_t* b, std::int8_t* packed, std::int64_t n, std::int64_t k);
  void (*product_fp32)(const float* a, const float* packed, float* c, const ProductPart& part);
  /// `scratch`: (row_end - row) * k 16-bit numbers.
  void (*product_int8)(const std::uint8_t* a, const std::int8_t* packed, std::int32_t* c, const ProductPart& part, std::int16_t* scratch);

  /// Of each of `rows` rows of `columns`, which is a multiple of 16.
  void (*softmax)(const float* in, float* out, std::int64_t rows, std::int64_t columns);
  void (*layer_norm)(const float* in, float* out, std::int64_t rows, std::int64_t columns);
  void (*row_sums)(const float* in, float* out, std::int64_t rows, std::int64_t columns);
  /// The rows become columns [column, column + rows) of `out`, whose rows are `height` long.
  void (*transpose)(const float* in, float* out, std::int64_t rows, std::int64_t columns, std::int64_t column, std::int64_t height);
  void (*add)(const float* a, const float* b, float* out, std::int64_t count);  ///< count is a multiple of 16
};

}  // namespace roofline::measure
