// Messages in protocol buffers' wire format, field by field: https://protobuf.dev/programming-guides/encoding. Nothing is built and
// nothing recurses: a message within a message is a view of bytes, which its reader opens or leaves.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bit_cast.hpp"

namespace roofline::protobuf {

enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

struct Field {
  std::uint32_t number = 0;
  Wire wire = Wire::varint;
  std::uint64_t value = 0;  ///< of a varint or a fixed one; of bytes: how many
  std::string_view bytes;   ///< text or a message

  [[nodiscard]] bool is(std::uint32_t want, Wire as) const { return number == want && wire == as; }
  [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(value); }
  [[nodiscard]] double real() const {  ///< of a fixed field
    return wire == Wire::fixed32 ? static_cast<double>(bit_cast<float>(static_cast<std::uint32_t>(value))) : bit_cast<double>(value);
  }
};

/// What stands before a field's bytes. `size`: of this head.
struct Head {
  Field field;  ///< without its bytes
  std::size_t size = 0;
};

enum class Read : std::uint8_t {
  done,  ///< something was read
  end,   ///< the bytes end here; in the middle of something where there are any left
  bad    ///< no message continues so
};

/// The head of the field at the beginning of `bytes`, which may end within it.
[[nodiscard]] Read read_head(std::string_view bytes, Head& head);

/// The fields of one message in their order.
class Message {
 public:
  explicit Message(std::string_view bytes) : rest_(bytes) {}
  /// False at the end, and where the message is damaged.
  [[nodiscard]] bool next(Field& field);
  [[nodiscard]] bool damaged() const { return damaged_; }

 private:
  std::string_view rest_;
  bool damaged_ = false;
};

}  // namespace roofline::protobuf
