// A file that is read by ranges, so that its weights need not be.
#pragma once

#include <cstdint>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// The bytes of a file: slices of a Blob on the page, reads at an offset in the command, a text in tests.
class ByteSource {
 public:
  static constexpr std::uint64_t most_at_once = std::uint64_t{64} << 20;

  virtual ~ByteSource() = default;
  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Exactly `bytes` bytes from `offset` on. Fails past the end of the file, and for more than most_at_once.
  [[nodiscard]] Result<std::string> read(std::uint64_t offset, std::uint64_t bytes) const;

 protected:
  /// The range is within the file. False where it cannot be read after all.
  virtual bool fill(std::uint64_t offset, char* to, std::size_t bytes) const = 0;
};

/// A file whose bytes are at hand.
class BytesAtHand final : public ByteSource {
 public:
  explicit BytesAtHand(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 protected:
  bool fill(std::uint64_t offset, char* to, std::size_t bytes) const override {
    return bytes_.copy(to, bytes, static_cast<std::size_t>(offset)) == bytes;
  }

 private:
  std::string_view bytes_;
};

}  // namespace roofline
