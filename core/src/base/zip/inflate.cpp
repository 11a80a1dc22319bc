#include "base/zip/inflate.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace roofline {
namespace {

constexpr int longest_code = 15;

/// A canonical Huffman code (RFC 1951, section 3.2.2): how many codes have each length, and the symbols in the order of their codes.
class Code {
 public:
  /// False where more codes are stated than their lengths have room for.
  bool set(std::span<const std::uint8_t> lengths) {
    count_.fill(0);
    for (const std::uint8_t length : lengths) ++count_[length];
    int free = 1;
    for (int length = 1; length <= longest_code; ++length)
      if ((free = 2 * free - count_[static_cast<std::size_t>(length)]) < 0) return false;
    std::array<int, longest_code + 2> at{};
    for (std::size_t length = 1; length <= longest_code; ++length) at[length + 1] = at[length] + count_[length];
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] != 0) symbols_[static_cast<std::size_t>(at[lengths[symbol]]++)] = static_cast<std::uint16_t>(symbol);
    return true;
  }

  /// The next symbol; -1: the bits are no code, or they end.
  template <class Bits>
  int next(Bits& bits) const {
    int code = 0, first = 0, index = 0;
    for (std::size_t length = 1; length <= longest_code; ++length) {
      const int bit = bits.take(1);
      if (bit < 0) return -1;
      code |= bit;
      if (code - count_[length] < first) return symbols_[static_cast<std::size_t>(index + code - first)];
      index += count_[length];
      first = (first + count_[length]) << 1;
      code <<= 1;
    }
    return -1;
  }

 private:
  std::array<int, longest_code + 1> count_{};
  std::array<std::uint16_t, 288> symbols_{};
};

class Inflating {
 public:
  Inflating(std::string_view in, std::uint64_t size) : in_(in), size_(size) {}

  /// Null where all went well.
  const char* run() {
    for (bool last = false; !last;) {
      last = take(1) == 1;
      const int kind = take(2);
      const char* wrong = kind == 0   ? stored()
                          : kind == 1 ? with_fixed_codes()
                          : kind == 2 ? with_own_codes()
                                      : "a block is of no known kind";
      if (wrong) return wrong;
    }
    return out_.size() == size_ ? nullptr : "it unpacks to less than the archive states";
  }

  /// The next `count` bits, the first lowest; -1: they end.
  int take(int count) {
    while (held_ < count) {
      if (at_ == in_.size()) return -1;
      bits_ |= static_cast<std::uint32_t>(static_cast<unsigned char>(in_[at_++])) << held_;
      held_ += 8;
    }
    const auto value = static_cast<int>(bits_ & ((1U << count) - 1));
    bits_ >>= count;
    held_ -= count;
    return value;
  }

  std::string take_out() { return std::move(out_); }

 private:
  static constexpr const char* ends_early = "it ends early";
  static constexpr const char* too_much = "it unpacks to more than the archive states";
  static constexpr const char* bad_code = "its codes are damaged";

  const char* stored() {
    bits_ = 0, held_ = 0;  // what is left of the byte
    if (in_.size() - at_ < 4) return ends_early;
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(in_[at_ + i])); };
    const std::size_t length = byte(0) | byte(1) << 8;
    if ((length ^ (byte(2) | byte(3) << 8)) != 0xffff) return "the length of a stored block is damaged";
    at_ += 4;
    if (in_.size() - at_ < length) return ends_early;
    if (length > size_ - out_.size()) return too_much;
    out_ += in_.substr(at_, length);
    at_ += length;
    return nullptr;
  }

  const char* with_fixed_codes() {
    std::array<std::uint8_t, 288> lengths{};
    std::fill_n(lengths.begin(), 144, std::uint8_t{8});
    std::fill_n(lengths.begin() + 144, 112, std::uint8_t{9});
    std::fill_n(lengths.begin() + 256, 24, std::uint8_t{7});
    std::fill_n(lengths.begin() + 280, 8, std::uint8_t{8});
    std::array<std::uint8_t, 30> distances{};
    distances.fill(5);
    return literals_.set(lengths) && distances_.set(distances) ? codes() : bad_code;
  }

  const char* with_own_codes() {
    const int literals = take(5) + 257, distances = take(5) + 1, meta = take(4) + 4;
    if (literals > 286 || distances > 30 || literals < 257 || distances < 1 || meta < 4) return bad_code;
    constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    std::array<std::uint8_t, 320> lengths{};
    for (int i = 0; i < meta; ++i) {
      const int length = take(3);
      if (length < 0) return ends_early;
      lengths[order[static_cast<std::size_t>(i)]] = static_cast<std::uint8_t>(length);
    }
    if (!literals_.set(std::span(lengths).first(19))) return bad_code;
    lengths.fill(0);
    const auto all = static_cast<std::size_t>(literals) + static_cast<std::size_t>(distances);
    for (std::size_t i = 0; i < all;) {
      const int symbol = literals_.next(*this);
      if (symbol < 0) return bad_code;
      if (symbol < 16) {
        lengths[i++] = static_cast<std::uint8_t>(symbol);
        continue;
      }
      if (symbol == 16 && i == 0) return bad_code;
      const int more = symbol == 16 ? take(2) : symbol == 17 ? take(3) : take(7);
      const std::size_t times = static_cast<std::size_t>(more) + (symbol == 18 ? 11 : 3);
      if (more < 0 || times > all - i) return bad_code;
      std::fill_n(lengths.begin() + static_cast<std::ptrdiff_t>(i), times, symbol == 16 ? lengths[i - 1] : std::uint8_t{0});
      i += times;
    }
    const auto first = static_cast<std::size_t>(literals);
    if (!literals_.set(std::span(lengths).first(first)) || !distances_.set(std::span(lengths).subspan(first, all - first))) return bad_code;
    return codes();
  }

  /// Literals and copies of what came before, up to the block's end (RFC 1951, section 3.2.5).
  const char* codes() {
    constexpr std::array<std::size_t, 29> base = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                                  31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    constexpr std::array<std::size_t, 30> far_base = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                                      33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                                      1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    while (true) {
      const int symbol = literals_.next(*this);
      if (symbol < 0) return bad_code;
      if (symbol == 256) return nullptr;
      if (symbol < 256) {
        if (out_.size() == size_) return too_much;
        out_ += static_cast<char>(symbol);
        continue;
      }
      if (symbol > 285) return bad_code;
      const int extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4;
      const int more = take(extra), far = distances_.next(*this);
      if (more < 0 || far < 0 || far > 29) return bad_code;
      const int far_more = take(far < 4 ? 0 : far / 2 - 1);
      if (far_more < 0) return ends_early;
      const auto length = base[static_cast<std::size_t>(symbol - 257)] + static_cast<std::size_t>(more);
      const auto distance = far_base[static_cast<std::size_t>(far)] + static_cast<std::size_t>(far_more);
      if (distance > out_.size()) return "it copies from before its start";
      if (length > size_ - out_.size()) return too_much;
      for (std::size_t i = 0; i < length; ++i) out_ += out_[out_.size() - distance];
    }
  }

  std::string_view in_;
  std::uint64_t size_;
  std::size_t at_ = 0;
  std::uint32_t bits_ = 0;
  int held_ = 0;
  std::string out_;
  Code literals_, distances_;
};

}  // namespace

Result<std::string> inflate(std::string_view deflated, std::uint64_t size) {
  Inflating inflating(deflated, size);
  if (const char* wrong = inflating.run()) return fail(std::string("cannot be unpacked: ") + wrong);
  return inflating.take_out();
}

}  // namespace roofline
