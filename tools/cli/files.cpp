#include "files.hpp"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <roofline/read.hpp>

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

/// All members of a gzip file, one after the other.
Result<std::string> unpack(const std::string& packed) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return fail("cannot be unpacked: out of memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  std::string text;
  std::size_t consumed = 0, produced = 0;
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
    if (produced > max_input) return too_large();
    if (status == Z_STREAM_END) {
      if (consumed == packed.size()) {
        text.resize(produced);
        return text;
      }
      inflateReset(&stream);
    } else if (status != Z_OK) {
      return fail("corrupt gzip at byte " + std::to_string(consumed) + " (" + (stream.msg ? stream.msg : "unexpected data") +
                  "): expected a whole gzip file");
    }
  }
  return fail("corrupt gzip: it ends too early, after " + std::to_string(packed.size()) + " bytes: expected a whole gzip file");
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
  return is_gzip(bytes) ? unpack(bytes) : bytes;
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
