#include "base/zip/zip.hpp"

#include "base/little_endian.hpp"

namespace roofline::zip {
namespace {

constexpr std::string_view local_mark = "PK\x03\x04", central_mark = "PK\x01\x02", end_mark = "PK\x05\x06", end64_mark = "PK\x06\x06",
                           locator_mark = "PK\x06\x07";
constexpr std::size_t central_size = 46, end_size = 22, end64_size = 56, locator_size = 20;
constexpr std::uint64_t elsewhere = 0xffffffff;  ///< a number that only ZIP64's record holds

/// The numbers of eight bytes that the extra field has for those that did not fit, in their order.
void widen(Member& member, std::string_view extra) {
  while (extra.size() >= 4) {
    const std::uint64_t id = little_endian(extra, 0, 2), bytes = little_endian(extra, 2, 2);
    if (bytes > extra.size() - 4) return;
    std::string_view field = extra.substr(4, bytes);
    extra.remove_prefix(4 + bytes);
    if (id != 1) continue;
    for (std::uint64_t* value : {&member.size, &member.packed, &member.local}) {
      if (*value != elsewhere || field.size() < 8) continue;
      *value = little_endian(field, 0, 8);
      field.remove_prefix(8);
    }
  }
}

}  // namespace

bool is_archive(std::string_view start) { return start.substr(0, local_mark.size()) == local_mark; }

std::optional<Directory> find_directory(std::string_view end, std::uint64_t file_size) {
  const std::size_t at = end.rfind(end_mark);
  if (at == std::string_view::npos || end.size() - at < end_size) return std::nullopt;
  Directory out{little_endian(end, at + 16, 4), little_endian(end, at + 12, 4), little_endian(end, at + 10, 2)};
  if (at >= locator_size && end.substr(at - locator_size, 4) == locator_mark) {
    const std::uint64_t offset = little_endian(end, at - locator_size + 8, 8), start = file_size - end.size();
    if (offset < start || offset - start > end.size() || end.size() - (offset - start) < end64_size) return std::nullopt;
    const std::string_view record = end.substr(static_cast<std::size_t>(offset - start), end64_size);
    if (record.substr(0, 4) != end64_mark) return std::nullopt;
    out = {little_endian(record, 48, 8), little_endian(record, 40, 8), little_endian(record, 32, 8)};
  }
  if (out.offset > file_size || out.bytes > file_size - out.offset || out.members > out.bytes / central_size) return std::nullopt;
  return out;
}

std::optional<std::vector<Member>> read_directory(std::string_view text, std::uint64_t members) {
  std::vector<Member> out;
  for (std::uint64_t i = 0; i < members; ++i) {
    if (text.size() < central_size || text.substr(0, 4) != central_mark) return std::nullopt;
    const auto name = static_cast<std::size_t>(little_endian(text, 28, 2)), extra = static_cast<std::size_t>(little_endian(text, 30, 2)),
               comment = static_cast<std::size_t>(little_endian(text, 32, 2));
    if (name + extra + comment > text.size() - central_size) return std::nullopt;
    Member member{text.substr(central_size, name), little_endian(text, 10, 2), little_endian(text, 16, 4),
                  little_endian(text, 20, 4),      little_endian(text, 24, 4), little_endian(text, 42, 4)};
    widen(member, text.substr(central_size + name, extra));
    out.push_back(member);
    text.remove_prefix(central_size + name + extra + comment);
  }
  return out;
}

std::optional<std::uint64_t> data_offset(const Member& member, std::string_view header) {
  if (header.size() < local_header || header.substr(0, 4) != local_mark) return std::nullopt;
  return member.local + local_header + little_endian(header, 26, 2) + little_endian(header, 28, 2);
}

}  // namespace roofline::zip
