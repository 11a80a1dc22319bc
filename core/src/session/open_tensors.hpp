// Opens a tensor file (tensor.hpp) of any size by its first bytes, then takes the bytes of one tensor at a time.
#pragma once

#include <roofline/tensor/tensor.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// Answers are JSON, or {"error"}.
class OpenTensors {
 public:
  /// Opens a file by its first bytes, tensor_start of them or more. The answer is tensors_json(), or {"header_bytes"}: how many it needs;
  /// 0: it is not a tensor file.
  [[nodiscard]] std::string open(std::string name, std::string_view start, std::uint64_t file_size);

  /// tensors_json() of one tensor that is packed, by its place in the list. `start`: the first packed_start bytes that it unpacks to, or
  /// all.
  [[nodiscard]] std::string unpack(std::size_t index, std::string_view start);

  /// "roofline-accuracy/1" of a tensor, whose bytes are given; no name: the only one.
  [[nodiscard]] std::string accuracy(std::string_view tensor, std::string_view bytes) const;

 private:
  std::string name_;
  TensorFile file_;
};

}  // namespace roofline
