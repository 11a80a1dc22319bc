// Files as the commands read them: whole or in pieces, and unpacked where they are gzip.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <roofline/base/result.hpp>
#include <roofline/network/byte_source.hpp>
#include <roofline/tensor/tensor.hpp>
#include <string>
#include <string_view>

namespace roofline::cli {

inline constexpr std::uint64_t most_whole = std::uint64_t{4} << 30;         ///< bytes of what is read whole
inline constexpr std::uint64_t most_network_held = std::uint64_t{1} << 30;  ///< of a network that is read whole
inline constexpr const char* too_large_to_hold =
    "a network that comes through a pipe, or packed, is held in memory: expected at most 1 GiB; a plain file may have any size";
inline constexpr std::uint64_t most_text = std::uint64_t{64} << 20;  ///< of settings, machines, models, registries

/// The bytes of a file, or of standard input for "-"; gzip is recognised by content and unpacked.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t most = most_whole);

/// Whether pieces are large, or as a pipe hands them over, so that what has come in is not waited on.
enum class Pieces { large, as_they_come };

/// Hands the same bytes to `use` piece by piece, so that only one is held; `use` may end it with an error.
[[nodiscard]] Result<void> read_pieces(const std::filesystem::path& path, const std::function<Result<void>(std::string_view)>& use,
                                       Pieces pieces = Pieces::large);

/// What is read from standard input is kept from now on: a report has it within it.
void keep_standard_input();
[[nodiscard]] const std::string& kept_standard_input();

/// read_file, up to most_text, as UTF-8 text without a byte order mark.
[[nodiscard]] Result<std::string> read_text(const std::filesystem::path& path);

/// The first `most` bytes of what an archive keeps deflated in a part; of the whole of it length and checksum are checked, too.
[[nodiscard]] Result<std::string> unpack_part(std::string_view deflated, const PackedPart& part, std::uint64_t most);

/// `size` bytes from `offset` on, fewer where the file ends; not unpacked.
[[nodiscard]] Result<std::string> read_part(const std::filesystem::path& path, std::uint64_t offset, std::uint64_t size);

/// A file that is read by ranges.
class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::filesystem::path& path);
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 protected:
  bool fill(std::uint64_t offset, char* to, std::size_t bytes) const override;

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::uint64_t size_ = 0;
};

/// A file that was read whole.
class HeldSource final : public ByteSource {
 public:
  explicit HeldSource(std::string bytes) : bytes_(std::move(bytes)) {}
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 protected:
  bool fill(std::uint64_t offset, char* to, std::size_t bytes) const override {
    return bytes_.copy(to, bytes, static_cast<std::size_t>(offset)) == bytes;
  }

 private:
  std::string bytes_;
};

/// Nothing where `path` can be opened as a file; else why not.
[[nodiscard]] Result<void> check_readable(const std::filesystem::path& path);

/// How messages call it: the path as given, "standard input" for "-".
[[nodiscard]] std::string display_name(const std::filesystem::path& path);

/// "FILE: what: what was expected", with the error's line, column or JSON path.
[[nodiscard]] std::string describe(const std::filesystem::path& path, const Error& error);

}  // namespace roofline::cli
