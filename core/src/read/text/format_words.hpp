// Number formats as profilers and libraries write them into their tables.
#pragma once

#include <roofline/machine/format.hpp>
#include <string_view>

namespace roofline {

/// The format that a cell names: "bf16", "f16:column" (CUTLASS), "f8_r" (rocBLAS, hipBLASLt), "matrix_bf16" (TraceLens),
/// "('c10::BFloat16', 'Scalar')" and "FLOAT16;INT32" (a profiler's list of arguments: the first floating format, else the first one).
/// no_format where it names none.
[[nodiscard]] FormatId format_in(std::string_view cell);

/// Whether a cell says how an operand is transposed, as BLAS writes it: "T", "N", "C".
[[nodiscard]] bool is_transpose(std::string_view cell);

}  // namespace roofline
