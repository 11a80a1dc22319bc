// What bytes are text, and what the others look like.
#include "read/text/utf8.hpp"

#include <roofline/read/read.hpp>
#include <utility>

#include "base/letters.hpp"

namespace roofline {
namespace {

struct Magic {
  std::string_view bytes;
  std::string_view name;
  std::size_t at = 0;  ///< where they stand
};

constexpr Magic magics[] = {
    {{"\x1f\x8b", 2}, "gzip data that is damaged or was compressed twice"},
    {{"PK\x03\x04", 4}, "a zip archive: unpack it first, or save a spreadsheet as CSV"},
    {{"\x80\x04\x95", 3}, "a pickle of Python's, which can run code and is never opened: write what is in it as JSON or CSV"},
    {"RKNN", "an RKNN model, not a profile of its run: rknn.eval_perf() prints one"},
    {{"\x01HEF", 4}, "a Hailo model, not a profile of its run: hailortcli benchmark --csv writes one"},
    {"ftrt", "a TensorRT engine, not a profile of its run: trtexec --loadEngine=FILE --exportProfile=p.json --exportLayerInfo=l.json"},
    {"IMOD", "an Ascend model, not a profile of its run: msprof writes op_summary.csv"},
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
    // Models: what is to be run, and nothing of a run
    {"GGUF", "a GGUF model, not a profile of its run"},
    {"TFL3", "a TensorFlow Lite model, not a profile of its run", 4},
    {"\x89HDF", "an HDF5 file, such as Keras keeps models in, not a profile of a run"},
    {"\x93NUMPY", "a NumPy array: roofline accuracy reads it"},
    {"SQLite format 3", "a database, such as Nsight Systems and rocprofv3 write: export its kernels as CSV"},
};

constexpr std::size_t longest_magic = 15;

/// A protocol buffer whose first fields are a small version and then producer, domain, graph or operator set.
bool is_onnx(std::string_view start) {
  return start.size() > 2 && start[0] == 0x08 && start[1] > 0 && start[1] < 0x20 && contains("\x12\x1a\x22\x3a\x42", start[2]);
}

/// The length of a JSON header in eight bytes, and that.
bool is_safetensors(std::string_view start) { return start.size() > 9 && start.substr(4, 6) == std::string_view("\0\0\0\0{\"", 6); }

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

}  // namespace

Result<std::string_view> TextDecoder::decode(std::string_view bytes, bool last) {
  if (form_ == Form::open) {
    constexpr std::size_t enough = longest_magic;  // for every mark below
    if (held_.empty() && bytes.size() >= enough) {
      if (auto ok = find_form(bytes); !ok) return Unexpected(ok.error());
    } else {
      held_ += bytes;
      if (held_.size() < enough && !last) return std::string_view();
      if (held_.empty()) return fail("the file is empty: expected JSON, CSV or a profile");
      text_ = std::exchange(held_, {});
      bytes = text_;
      if (auto ok = find_form(bytes); !ok) return Unexpected(ok.error());
    }
    bytes.remove_prefix(skipped_);
  }
  if (form_ != Form::utf8) {
    if (auto ok = from_utf16(bytes, last); !ok) return Unexpected(ok.error());
    bytes = text_;
  }
  blank_ = blank_ && bytes.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (last && blank_) return fail("the file is blank: expected JSON, CSV or a profile");
  return bytes;
}

Result<void> TextDecoder::find_form(std::string_view start) {
  const auto starts = [&](std::string_view mark) { return start.substr(0, mark.size()) == mark; };
  const auto zero = [&](std::size_t i) { return start[i] == 0; };
  form_ = Form::utf8;
  if (starts("\xff\xfe") || starts("\xfe\xff")) {
    form_ = starts("\xfe\xff") ? Form::utf16_big : Form::utf16_little;
    skipped_ = 2;
  } else if (start.size() >= 4 && zero(0) != zero(1) && zero(0) == zero(2) && zero(1) == zero(3)) {  // without a mark
    form_ = zero(0) ? Form::utf16_big : Form::utf16_little;
  } else if (starts("\xef\xbb\xbf")) {
    skipped_ = 3;
  }
  if (form_ != Form::utf8) return {};
  const auto refused = [](std::string_view what) { return fail("this is " + std::string(what) + "; expected JSON or CSV text"); };
  for (const Magic& magic : magics)
    if (start.size() > magic.at && start.substr(magic.at, magic.bytes.size()) == magic.bytes) return refused(magic.name);
  if (is_onnx(start)) return refused("an ONNX model, not a profile of its run");
  if (is_safetensors(start)) return refused("a safetensors file, weights: roofline accuracy reads it");
  return {};
}

/// The text of held_ and `bytes`; what may belong to the next piece is held: half of a unit, or of a pair of them.
Result<void> TextDecoder::from_utf16(std::string_view bytes, bool last) {
  const std::string all = std::exchange(held_, {}) + std::string(bytes);
  text_.clear();
  const auto unit = [&](std::size_t i) {
    const auto a = static_cast<unsigned char>(all[i]), b = static_cast<unsigned char>(all[i + 1]);
    return static_cast<std::uint32_t>(form_ == Form::utf16_big ? a << 8 | b : b << 8 | a);
  };
  std::size_t i = 0;
  for (; i + 1 < all.size(); i += 2) {
    std::uint32_t c = unit(i);
    if (c >= 0xD800 && c < 0xDC00) {
      if (i + 3 >= all.size() && !last) break;
      const std::uint32_t low = i + 3 < all.size() ? unit(i + 2) : 0;
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        i += 2;
      }
    }
    if (c >= 0xD800 && c < 0xE000) c = 0xFFFD;  // half a pair
    append_utf8(text_, c);
  }
  held_ = all.substr(i);
  if (last && !held_.empty()) return fail("the file is truncated: expected two bytes for each character of UTF-16, found an odd number");
  return {};
}

Unexpected nul_byte(const LineIndex& lines, std::size_t at) {
  return Unexpected(lines.at(at, "a NUL byte: this is binary data of no known kind; expected JSON or CSV text"));
}

Result<std::string> to_utf8(std::string_view bytes) {
  TextDecoder decoder;
  const Result<std::string_view> text = decoder.decode(bytes, true);
  if (!text) return Unexpected(text.error());
  if (const std::size_t nul = text->find('\0'); nul != std::string_view::npos) return nul_byte(LineIndex(*text), nul);
  return std::string(*text);
}

}  // namespace roofline
