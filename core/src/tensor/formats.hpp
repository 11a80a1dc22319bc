// The formats of tensor files. Each says whether a file is its own, how long the header is, and what it lists.
#pragma once

#include <roofline/tensor/tensor.hpp>

namespace roofline {

[[nodiscard]] std::uint64_t npy_header_size(std::string_view start);  ///< 0: it is none
[[nodiscard]] std::uint64_t safetensors_header_size(std::string_view start, std::uint64_t file_size);
[[nodiscard]] Result<TensorFile> read_npy(std::string_view header, std::uint64_t file_size);
[[nodiscard]] Result<TensorFile> read_npz(std::string_view file);  ///< the whole of it
[[nodiscard]] Result<TensorFile> read_safetensors(std::string_view header, std::uint64_t file_size);

/// Product of the lengths times `factor`; nullopt beyond 2^53.
[[nodiscard]] std::optional<std::uint64_t> size_of(const std::vector<std::uint64_t>& shape, std::uint64_t factor);

}  // namespace roofline
