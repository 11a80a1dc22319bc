// Tensor files: NumPy's .npy and .npz, and safetensors. Only the header and one tensor's bytes are looked at, so that a file of any size
// will do; of .npz, whose directory stands at its end, the whole file is the header. What an .npz keeps deflated is unpacked by the caller.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <roofline/base/result.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Many numbers, read piece by piece: `read` fills `out` with those from index `first` on. Blocks run along rows, none spans two.
struct Values {
  std::uint64_t size = 0;
  std::uint64_t row = 1;  ///< length of a row; divides `size`
  std::function<void(std::uint64_t first, std::span<double> out)> read;
};

/// How one element lies in memory. Floating: a sign, exponent and mantissa bits, as IEEE 754 has them.
struct ElementType {
  bool floating = false, is_signed = true, big_endian = false;
  int bytes = 0;  ///< 0: not readable
  int exponent_bits = 0, mantissa_bits = 0;
  bool infinities = true;  ///< false (FP8 E4M3): the largest exponent is an ordinary one, and all bits set is the only NaN
};

/// What an archive keeps deflated (RFC 1951). Between the ten bytes that begin a gzip file and `crc` and `size`, little-endian, which end
/// one, it is a gzip file (RFC 1952): so framed, it is unpacked and checked like any other.
struct PackedPart {
  std::uint64_t offset = 0, bytes = 0;  ///< where it lies in the file
  std::uint64_t size = 0;               ///< unpacked
  std::uint32_t crc = 0;                ///< of what is unpacked
};

struct TensorInfo {
  std::string name;  ///< "" in .npy
  std::string type;  ///< as the file writes it: "BF16", "<f4"
  ElementType element;
  std::vector<std::uint64_t> shape;
  std::uint64_t offset = 0, bytes = 0;  ///< where its data lies in the file
  bool reversed = false;                ///< Fortran order: the first axis is the one that lies together
  std::optional<PackedPart> packed;     ///< `offset` counts in what this unpacks to; read_packed() fills all but the name

  [[nodiscard]] std::uint64_t elements() const;
  /// Length of a row: all axes but the outermost, as a layer's weights are seen as outputs by inputs.
  [[nodiscard]] std::uint64_t row() const;
};

struct TensorFile {
  std::string format;               ///< "npy", "npz", "safetensors"
  std::vector<TensorInfo> tensors;  ///< in the order of their data
};

inline constexpr std::size_t tensor_start = 16;  ///< how much of a file's start tells how long its header is

/// Bytes of the header, from the file's first `tensor_start` bytes (fewer: the whole file); 0: it is no tensor file.
[[nodiscard]] std::uint64_t tensor_header_size(std::string_view start, std::uint64_t file_size);

/// `header` is the first tensor_header_size() bytes of a file of `file_size`.
[[nodiscard]] Result<TensorFile> read_tensor_header(std::string_view header, std::uint64_t file_size);

inline constexpr std::size_t packed_start = (1 << 16) + 16;  ///< how much of what a packed part unpacks to read_packed() wants

/// A tensor that read_tensor_header() left packed: what its own header says. `start`: the first packed_start bytes that it unpacks to, or
/// all.
[[nodiscard]] Result<void> read_packed(TensorInfo& tensor, std::string_view start);

/// The tensor of that name; without one, the only tensor. Fails where it cannot be read, too.
[[nodiscard]] Result<const TensorInfo*> find_tensor(const TensorFile& file, std::string_view name);

/// The numbers in a tensor's `bytes`, which must outlive them.
[[nodiscard]] Values tensor_values(const TensorInfo& tensor, std::string_view bytes);

/// What a file holds, as JSON: {"format", "tensors": [{"name", "type", "shape", "elements", "offset", "bytes", "readable"}]}.
/// Of a packed tensor "packed", too: its offset, bytes, size and crc.
[[nodiscard]] std::string tensors_json(const TensorFile& file);

}  // namespace roofline
