// The operators by family, one source file each; operators.cpp makes one list of them.
#pragma once

#include <roofline/operators/operator.hpp>
#include <span>

namespace roofline::families {

[[nodiscard]] std::span<const Operator> convolution();
[[nodiscard]] std::span<const Operator> matrix_product();
[[nodiscard]] std::span<const Operator> einsum();
[[nodiscard]] std::span<const Operator> attention();
[[nodiscard]] std::span<const Operator> elementwise();
[[nodiscard]] std::span<const Operator> reduction();
[[nodiscard]] std::span<const Operator> softmax();
[[nodiscard]] std::span<const Operator> normalisation();
[[nodiscard]] std::span<const Operator> pooling();
[[nodiscard]] std::span<const Operator> resize();
[[nodiscard]] std::span<const Operator> movement();
[[nodiscard]] std::span<const Operator> gather();

}  // namespace roofline::families
