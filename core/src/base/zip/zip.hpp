// The directory of a ZIP archive (PKWARE's APPNOTE.TXT, sections 4.3.7 to 4.3.16), those beyond 4 GB among them (ZIP64).
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/base/result.hpp>
#include <string_view>
#include <vector>

namespace roofline::zip {

inline constexpr std::uint64_t stored = 0, deflated = 8;  ///< methods
inline constexpr std::uint64_t local_header = 30;         ///< bytes that tell where a member's data begins
/// What of an archive's end holds the place of its directory: its last record with the longest comment, and the two of ZIP64.
inline constexpr std::uint64_t tail = 22 + 0xffff + 20 + 56;

/// Whether a file begins as an archive with members does.
[[nodiscard]] bool is_archive(std::string_view start);

struct Directory {
  std::uint64_t offset = 0, bytes = 0, members = 0;
};

struct Member {
  std::string_view name;  ///< in the directory's text
  std::uint64_t method = 0, crc = 0;
  std::uint64_t packed = 0, size = 0;  ///< bytes, as stored and unpacked
  std::uint64_t local = 0;             ///< offset of its local header
};

/// `end`: the last bytes of an archive of `file_size`: zip::tail of them, or all. nullopt: it is not whole.
[[nodiscard]] std::optional<Directory> find_directory(std::string_view end, std::uint64_t file_size);

/// `text`: the directory's bytes. nullopt: it is not whole.
[[nodiscard]] std::optional<std::vector<Member>> read_directory(std::string_view text, std::uint64_t members);

/// Where a member's data begin. `header`: its local header, zip::local_header bytes. nullopt: it is none.
[[nodiscard]] std::optional<std::uint64_t> data_offset(const Member& member, std::string_view header);

}  // namespace roofline::zip
