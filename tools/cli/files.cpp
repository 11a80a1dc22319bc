#include "files.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <roofline/read/read.hpp>

namespace roofline::cli {
namespace {

// What offsets into the text can hold; also what keeps a small gzip of endless zeros from taking all memory.
constexpr std::size_t max_input = std::numeric_limits<std::uint32_t>::max();

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};

using File = std::unique_ptr<std::FILE, Close>;

Result<File> open_file(const std::filesystem::path& path) {
  if (path == "-") return File(stdin);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return fail("is a folder: expected a file");
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) return fail(std::string("cannot be opened (") + std::strerror(errno) + "): expected a file that can be read");
  return file;
}

Unexpected too_large() { return fail("larger than 4 GB: expected a smaller file"); }

struct Unpacked {
  std::string text;
  std::string fault;         ///< what is wrong with the rest; "": nothing
  std::size_t consumed = 0;  ///< of the packed bytes, up to the fault
};

/// All members of a gzip file, one after the other, until there are `most` bytes.
Unpacked unpack(std::string_view packed, std::size_t most) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return {{}, "out of memory"};
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  std::string text;
  std::size_t consumed = 0, produced = 0;
  const auto end = [&](std::string fault) {
    text.resize(produced);
    return Unpacked{std::move(text), std::move(fault), consumed};
  };
  while (consumed < packed.size()) {
    if (produced == text.size()) text.resize(std::max<std::size_t>(2 * text.size(), std::size_t{1} << 16));
    // zlib counts in 32 bits: a long buffer is passed in pieces.
    const std::size_t in = std::min<std::size_t>(packed.size() - consumed, 1u << 30);
    const std::size_t out = std::min<std::size_t>(text.size() - produced, 1u << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + consumed));
    stream.avail_in = static_cast<uInt>(in);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + produced);
    stream.avail_out = static_cast<uInt>(out);
    const int status = inflate(&stream, Z_NO_FLUSH);
    consumed += in - stream.avail_in;
    produced += out - stream.avail_out;
    if (produced >= most) return end({});
    if (status == Z_STREAM_END) {
      if (consumed == packed.size()) return end({});
      inflateReset(&stream);
    } else if (status != Z_OK) {
      return end(stream.msg ? stream.msg : "unexpected data");
    }
  }
  return end("it ends too early");
}

Result<std::string> unpack_file(const std::string& packed) {
  Unpacked unpacked = unpack(packed, max_input + std::size_t{1});
  if (unpacked.text.size() > max_input) return too_large();
  if (!unpacked.fault.empty())
    return fail("corrupt gzip at byte " + std::to_string(unpacked.consumed) + " (" + unpacked.fault + "): expected a whole gzip file");
  return std::move(unpacked.text);
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

std::string display_name(const std::filesystem::path& path) { return path == "-" ? "standard input" : path.string(); }

std::string describe(const std::filesystem::path& path, const Error& error) { return display_name(path) + ": " + error.text(); }

Result<void> check_readable(const std::filesystem::path& path) {
  const Result<File> file = open_file(path);
  if (!file) return Unexpected(file.error());
  return {};
}

Result<std::string> read_file(const std::filesystem::path& path) {
  const Result<File> file = open_file(path);
  if (!file) return Unexpected(file.error());
  std::string bytes;
  std::size_t size = 0;
  for (std::size_t count = 1; count > 0; size += count) {
    if (size > max_input) return too_large();
    if (bytes.size() - size < std::size_t{1} << 16) bytes.resize(std::max<std::size_t>(2 * bytes.size(), std::size_t{1} << 20));
    count = std::fread(bytes.data() + size, 1, bytes.size() - size, file->get());
  }
  if (std::ferror(file->get())) return fail(std::string("cannot be read (") + std::strerror(errno) + "): expected a file that can be read");
  bytes.resize(size);
  return is_gzip(bytes) ? unpack_file(bytes) : bytes;
}

Result<std::string> unpack_part(std::string_view deflated, const PackedPart& part, std::uint64_t most) {
  std::string packed("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  packed += deflated;
  if (deflated.size() == part.bytes)
    for (const std::uint64_t number : {std::uint64_t{part.crc}, part.size})
      for (int byte = 0; byte < 4; ++byte) packed += static_cast<char>(number >> (8 * byte));
  // One byte more than there should be, so that the end is looked at, and no more, however much there is.
  Unpacked unpacked = unpack(packed, most < part.size ? most : part.size + 1);
  if (unpacked.text.size() > part.size) unpacked.fault = "there is more";
  if (!unpacked.fault.empty())
    return fail("cannot be unpacked (" + unpacked.fault + "): expected the " + std::to_string(part.size) +
                " bytes that the archive states");
  unpacked.text.resize(std::min<std::size_t>(unpacked.text.size(), most));
  return std::move(unpacked.text);
}

Result<std::string> read_part(const std::filesystem::path& path, std::uint64_t offset, std::uint64_t size) {
  const Result<File> file = open_file(path);
  if (!file) return Unexpected(file.error());
  std::string bytes(size, '\0');
  const bool found = fseeko(file->get(), static_cast<off_t>(offset), SEEK_SET) == 0;
  if (found) bytes.resize(std::fread(bytes.data(), 1, size, file->get()));
  if (!found || std::ferror(file->get()))
    return fail(std::string("cannot be read (") + std::strerror(errno) + "): expected a file that can be read");
  return bytes;
}

Result<std::string> read_text(const std::filesystem::path& path) {
  Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes;
  return to_utf8(std::move(*bytes));
}

}  // namespace roofline::cli
