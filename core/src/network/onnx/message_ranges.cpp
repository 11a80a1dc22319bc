#include "network/onnx/message_ranges.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/little_endian.hpp"

namespace roofline::onnx {
namespace {

constexpr std::uint64_t window_bytes = 256 << 10;
constexpr std::uint64_t longest_head = 20;  // two varints

}  // namespace

void RangeReader::fail(std::string message, std::uint64_t at) {
  if (!failed()) error_ = Error{"byte " + with_commas(at) + ": " + std::move(message), 0, 0, {}};
}

std::string_view RangeReader::bytes(Range range, std::uint64_t most) {
  if (failed()) return {};
  if (range.size() > most) {
    fail("a text or a list of " + with_commas(range.size()) + " bytes: expected at most " + with_commas(most), range.begin);
    return {};
  }
  if (range.begin < window_at_ || range.end > window_at_ + window_.size()) {
    const std::uint64_t wanted = std::max(range.size(), std::min(window_bytes, source_.size() - range.begin));
    Result<std::string> read = source_.read(range.begin, wanted);
    if (!read) return fail(read.error().message, range.begin), std::string_view();
    window_ = std::move(*read);
    window_at_ = range.begin;
  }
  return std::string_view(window_).substr(static_cast<std::size_t>(range.begin - window_at_), static_cast<std::size_t>(range.size()));
}

bool RangeReader::next(Range& rest, RangeField& out) {
  if (failed() || rest.begin >= rest.end) return false;
  const std::string_view start = bytes({rest.begin, std::min(rest.end, rest.begin + longest_head)}, longest_head);
  protobuf::Head head;
  if (const protobuf::Read read = protobuf::read_head(start, head); read != protobuf::Read::done) {
    if (!failed()) fail("expected a field of a protocol buffer: the file is cut off, damaged or not an ONNX model", rest.begin);
    return false;
  }
  out.field = head.field;
  out.range = {rest.begin + head.size, rest.begin + head.size};
  if (head.field.wire == protobuf::Wire::bytes) {
    if (head.field.value > rest.end - out.range.begin) {
      fail("field " + std::to_string(head.field.number) + " has " + with_commas(head.field.value) + " bytes, and its message ends after " +
               with_commas(rest.end - out.range.begin) + ": the file is cut off or damaged",
           rest.begin);
      return false;
    }
    out.range.end += head.field.value;
  }
  rest.begin = out.range.end;
  return true;
}

void RangeReader::integers(const RangeField& field, std::vector<std::int64_t>& out) {
  if (field.field.wire == protobuf::Wire::varint) return out.push_back(field.field.integer());
  if (field.field.wire != protobuf::Wire::bytes) return;
  std::string_view packed = bytes(field.range, longest_list);
  while (!packed.empty()) {
    std::uint64_t value = 0;
    std::size_t at = 0;
    for (unsigned shift = 0;; shift += 7) {
      if (at >= packed.size() || shift >= 64) return fail("a list of whole numbers is damaged", field.range.begin);
      const auto byte = static_cast<unsigned char>(packed[at++]);
      value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) break;
    }
    out.push_back(static_cast<std::int64_t>(value));
    packed.remove_prefix(at);
  }
}

void RangeReader::reals(const RangeField& field, protobuf::Wire width, std::vector<double>& out) {
  if (field.field.wire == width) return out.push_back(field.field.real());
  if (field.field.wire != protobuf::Wire::bytes) return;
  const std::size_t size = width == protobuf::Wire::fixed32 ? 4 : 8;
  for (std::string_view packed = bytes(field.range, longest_list); packed.size() >= size; packed.remove_prefix(size)) {
    protobuf::Field one;
    one.wire = width;
    one.value = little_endian(packed, 0, size);
    out.push_back(one.real());
  }
}

}  // namespace roofline::onnx
