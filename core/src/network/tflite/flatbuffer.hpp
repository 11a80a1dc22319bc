// FlatBuffers through their vtables, read by ranges: only what is asked for, every offset checked against the file.
// https://flatbuffers.dev/internals/
#pragma once

#include <cstdint>
#include <roofline/network/byte_source.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include "base/bit_cast.hpp"

namespace roofline::tflite {

class FlatBuffer;

/// Bytes of the file.
struct Range {
  std::uint64_t begin = 0, size = 0;
};

/// A table of a FlatBuffer, or none: then it has no fields. Fields are named by their slots in the vtable.
class Table {
 public:
  Table() = default;
  Table(FlatBuffer& file, std::uint64_t at, std::uint64_t vtable, std::uint64_t slots, std::uint64_t size)
      : file_(&file), at_(at), vtable_(vtable), slots_(slots), size_(size) {}

  [[nodiscard]] std::uint64_t at() const { return at_; }
  /// A field that the file leaves out is `otherwise`.
  template <class T>
  [[nodiscard]] T number(std::uint64_t slot, T otherwise = T()) const;
  [[nodiscard]] bool flag(std::uint64_t slot, bool otherwise = false) const { return number<std::uint8_t>(slot, otherwise ? 1 : 0) != 0; }
  /// `what`: of messages ("a tensor's quantisation").
  [[nodiscard]] Table table(std::uint64_t slot, const char* what) const;
  [[nodiscard]] std::vector<Table> tables(std::uint64_t slot, const char* what) const;
  [[nodiscard]] std::string text(std::uint64_t slot, const char* what) const;
  template <class T>
  [[nodiscard]] std::vector<T> numbers(std::uint64_t slot, const char* what) const;
  /// Where a vector of bytes is. Size 0: there is none.
  [[nodiscard]] Range bytes(std::uint64_t slot, const char* what) const;

 private:
  [[nodiscard]] std::uint64_t field(std::uint64_t slot, std::uint64_t width) const;  ///< 0: left out
  [[nodiscard]] Range vector(std::uint64_t slot, std::uint64_t width, const char* what) const;

  FlatBuffer* file_ = nullptr;
  std::uint64_t at_ = 0, vtable_ = 0, slots_ = 0, size_ = 0;
};

/// Keeps the first fault; after it there is nothing more in the file.
class FlatBuffer {
 public:
  explicit FlatBuffer(const ByteSource& source);

  [[nodiscard]] Table root();
  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] bool failed() const { return !error_.message.empty(); }
  [[nodiscard]] const Error& error() const { return error_; }
  void fail(std::string message, std::uint64_t at);

  /// Little-endian, of up to 8 bytes. 0 where the file ends before.
  [[nodiscard]] std::uint64_t integer(std::uint64_t at, std::uint64_t width);
  template <class T>
  [[nodiscard]] T value(std::uint64_t at) {
    const std::uint64_t bits = integer(at, sizeof(T));
    if constexpr (std::is_same_v<T, float>)
      return bit_cast<float>(static_cast<std::uint32_t>(bits));
    else
      return static_cast<T>(bits);
  }
  [[nodiscard]] std::string text(Range range);
  /// The table that the offset at `at` leads to.
  [[nodiscard]] Table table(std::uint64_t at, const char* what);
  /// The elements of the vector that the offset at `at` leads to, each `width` bytes: their place and their number in bytes.
  [[nodiscard]] Range vector(std::uint64_t at, std::uint64_t width, const char* what);
  /// Counts what is read of vectors: tables that share theirs could make a small file endless.
  [[nodiscard]] bool spend(std::uint64_t bytes, std::uint64_t at);

 private:
  struct Page {
    std::uint64_t number = ~std::uint64_t{0};
    std::string bytes;
  };
  [[nodiscard]] std::uint64_t follow(std::uint64_t at, const char* what);
  [[nodiscard]] const Page* page(std::uint64_t number);

  const ByteSource& source_;
  std::uint64_t size_, left_;
  std::vector<Page> pages_;
  Error error_;
};

template <class T>
T Table::number(std::uint64_t slot, T otherwise) const {
  const std::uint64_t at = field(slot, sizeof(T));
  return at == 0 ? otherwise : file_->value<T>(at);
}

template <class T>
std::vector<T> Table::numbers(std::uint64_t slot, const char* what) const {
  std::vector<T> out;
  const Range range = vector(slot, sizeof(T), what);
  if (range.size == 0 || !file_->spend(range.size, range.begin)) return out;
  out.reserve(static_cast<std::size_t>(range.size / sizeof(T)));
  for (std::uint64_t i = 0; i < range.size && !file_->failed(); i += sizeof(T)) out.push_back(file_->value<T>(range.begin + i));
  return out;
}

}  // namespace roofline::tflite
