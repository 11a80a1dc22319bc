// Number formats as profilers and libraries write them into their tables.
#pragma once

#include <roofline/machine/format.hpp>
#include <string_view>

namespace roofline {

/// The format that a cell names: "bf16", "f16:column" (CUTLASS), "f8_r" (rocBLAS, hipBLASLt), "matrix_bf16" (TraceLens),
/// "('c10::BFloat16', 'Scalar')" and "FLOAT16;INT32" (a profiler's list of arguments: the first floating format, else the first one).
/// no_format where it names none.
[[nodiscard]] FormatId format_in(std::string_view cell);

/// The format that a kernel's name says its operands are in: "ampere_sgemm_128x64_tn" FP32, "cutlass_80_tensorop_s1688gemm_128x128" TF32,
/// "volta_fp16_s884gemm_fp16", "sm90_xmma_gemm_bf16bf16_bf16f32_f32", "i8816gemm", "Cijk_Alik_Bljk_BBS_BH" BF16. no_format where it says
/// none.
[[nodiscard]] FormatId format_of_kernel(std::string_view name);

/// Whether a cell says how an operand is transposed, as BLAS writes it: "T", "N", "C".
[[nodiscard]] bool is_transpose(std::string_view cell);

}  // namespace roofline
