// Messages in protocol buffers' wire format, read by ranges of a file: what is not asked for, such as weights, is stepped over.
#pragma once

#include <cstdint>
#include <roofline/network/byte_source.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "read/protobuf.hpp"

namespace roofline::onnx {

/// The bytes of a message or a text: from `begin` up to, and without, `end`.
struct Range {
  std::uint64_t begin = 0, end = 0;
  [[nodiscard]] std::uint64_t size() const { return end - begin; }
};

struct RangeField {
  protobuf::Field field;  ///< without its bytes
  Range range;            ///< of its bytes
  [[nodiscard]] bool is_bytes(std::uint32_t number) const { return field.is(number, protobuf::Wire::bytes); }
  [[nodiscard]] bool is_integer(std::uint32_t number) const { return field.is(number, protobuf::Wire::varint); }
};

/// One window of the file at a time. The first fault sticks; what is read after it means nothing.
class RangeReader {
 public:
  explicit RangeReader(const ByteSource& source) : source_(source) {}

  /// The next field of a message of which `rest` is left. False at its end, and after a fault.
  [[nodiscard]] bool next(Range& rest, RangeField& field);
  /// The bytes of a range. It lives until the next call; more than `most` are a fault.
  [[nodiscard]] std::string_view bytes(Range range, std::uint64_t most);
  [[nodiscard]] std::string text(Range range) { return std::string(bytes(range, longest_text)); }
  /// The whole numbers of a repeated field, which may be packed, into `out`.
  void integers(const RangeField& field, std::vector<std::int64_t>& out);
  /// Likewise of floats (fixed32) or doubles (fixed64).
  void reals(const RangeField& field, protobuf::Wire width, std::vector<double>& out);

  void fail(std::string message, std::uint64_t at);
  [[nodiscard]] bool failed() const { return !error_.message.empty(); }
  [[nodiscard]] const Error& error() const { return error_; }

  static constexpr std::uint64_t longest_text = 1 << 20;
  static constexpr std::uint64_t longest_list = 8 << 20;

 private:
  const ByteSource& source_;
  std::string window_;
  std::uint64_t window_at_ = 0;
  Error error_;
};

}  // namespace roofline::onnx
