#include "read/protobuf.hpp"

#include "base/little_endian.hpp"

namespace roofline::protobuf {
namespace {

Read read_varint(std::string_view bytes, std::size_t& at, std::uint64_t& value) {
  constexpr unsigned most = 64;
  value = 0;
  for (unsigned shift = 0; shift < most; shift += 7) {
    if (at >= bytes.size()) return Read::end;
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return Read::done;
  }
  return Read::bad;
}

Read read_fixed(std::string_view bytes, std::size_t width, std::size_t& at, std::uint64_t& value) {
  if (bytes.size() - at < width) return Read::end;
  value = little_endian(bytes, at, width);
  at += width;
  return Read::done;
}

}  // namespace

Read read_head(std::string_view bytes, Head& head) {
  head = {};
  std::uint64_t tag = 0;
  if (const Read read = read_varint(bytes, head.size, tag); read != Read::done) return read;
  if (tag >> 3 == 0 || tag >> 3 >= 1u << 29) return Read::bad;
  head.field.number = static_cast<std::uint32_t>(tag >> 3);
  head.field.wire = static_cast<Wire>(tag & 7);
  switch (head.field.wire) {
    case Wire::varint:
    case Wire::bytes:
      return read_varint(bytes, head.size, head.field.value);
    case Wire::fixed64:
      return read_fixed(bytes, 8, head.size, head.field.value);
    case Wire::fixed32:
      return read_fixed(bytes, 4, head.size, head.field.value);
  }
  return Read::bad;  // groups, which nobody writes any more, and what is no wire type
}

bool Message::next(Field& field) {
  if (rest_.empty() || damaged_) return false;
  Head head;
  damaged_ = read_head(rest_, head) != Read::done || (head.field.wire == Wire::bytes && head.field.value > rest_.size() - head.size);
  if (damaged_) return false;
  field = head.field;
  rest_.remove_prefix(head.size);
  if (field.wire == Wire::bytes) {
    field.bytes = rest_.substr(0, static_cast<std::size_t>(field.value));
    rest_.remove_prefix(field.bytes.size());
  }
  return true;
}

}  // namespace roofline::protobuf
