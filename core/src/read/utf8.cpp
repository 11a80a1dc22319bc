// What bytes are text, and what the others look like.
#include <algorithm>
#include <roofline/read/read.hpp>

namespace roofline {
namespace {

struct Magic {
  std::string_view bytes;
  std::string_view name;
};

constexpr Magic magics[] = {
    {{"\x1f\x8b", 2}, "gzip data that is damaged or was compressed twice"},
    {{"PK\x03\x04", 4}, "a zip archive: unpack it first"},
    {{"\x89PNG", 4}, "a PNG image"},
    {{"%PDF", 4}, "a PDF document"},
    {{"\x7f"
      "ELF",
      4},
     "an executable"},
    {{"\xff\xd8\xff", 3}, "a JPEG image"},
    {{"\x28\xb5\x2f\xfd", 4}, "Zstandard data: unpack it first"},
    {{"BZh", 3}, "bzip2 data: unpack it first"},
    {{"\xfd"
      "7zXZ",
      5},
     "xz data: unpack it first"},
};

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

Result<std::string> from_utf16(std::string_view bytes, bool big_endian) {
  if (bytes.size() % 2 != 0) return fail("the file is truncated: expected two bytes for each character of UTF-16, found an odd number");
  std::string out;
  out.reserve(bytes.size());
  const auto unit = [&](std::size_t i) {
    const auto a = static_cast<unsigned char>(bytes[i]), b = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<std::uint32_t>(big_endian ? a << 8 | b : b << 8 | a);
  };
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    std::uint32_t c = unit(i);
    if (c >= 0xD800 && c < 0xDC00 && i + 2 < bytes.size()) {
      const std::uint32_t low = unit(i + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    if (c >= 0xD800 && c < 0xE000) c = 0xFFFD;  // half a pair
    append_utf8(out, c);
  }
  return out;
}

}  // namespace

Result<std::string> to_utf8(std::string bytes) {
  if (bytes.empty()) return fail("the file is empty: expected a JSON array of operations");
  const std::string_view view = bytes;
  if (view.substr(0, 2) == std::string_view("\xff\xfe", 2)) {
    if (auto text = from_utf16(view.substr(2), false))
      bytes = std::move(*text);
    else
      return text;
  } else if (view.substr(0, 2) == std::string_view("\xfe\xff", 2)) {
    if (auto text = from_utf16(view.substr(2), true))
      bytes = std::move(*text);
    else
      return text;
  } else if (view.size() >= 4 && view[0] != 0 && view[1] == 0 && view[2] != 0 && view[3] == 0) {
    if (auto text = from_utf16(view, false))
      bytes = std::move(*text);  // little endian without a mark
    else
      return text;
  } else if (view.size() >= 4 && view[0] == 0 && view[1] != 0 && view[2] == 0 && view[3] != 0) {
    if (auto text = from_utf16(view, true))
      bytes = std::move(*text);
    else
      return text;
  } else if (view.substr(0, 3) == "\xef\xbb\xbf") {
    bytes.erase(0, 3);
  }
  for (const Magic& magic : magics)
    if (std::string_view(bytes).substr(0, magic.bytes.size()) == magic.bytes)
      return fail("this is " + std::string(magic.name) + "; expected JSON text");
  if (const std::size_t at = bytes.find('\0'); at != std::string::npos) {
    const std::string_view before = std::string_view(bytes).substr(0, at);
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    return Unexpected(Error{"a NUL byte: this is binary data; expected JSON text", line, at - (before.rfind('\n') + 1) + 1, {}});
  }
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos) return fail("the file is blank: expected a JSON array of operations");
  return bytes;
}

}  // namespace roofline
