#include "io/files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <roofline/read/read.hpp>
#include <utility>

#include "io/gzip.hpp"

namespace roofline::cli {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20;

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

bool keeps = false;
std::string kept;

}  // namespace

void keep_standard_input() { keeps = true; }
const std::string& kept_standard_input() { return kept; }

std::string display_name(const std::filesystem::path& path) { return path == "-" ? "standard input" : path.string(); }

std::string describe(const std::filesystem::path& path, const Error& error) { return display_name(path) + ": " + error.text(); }

Result<void> check_readable(const std::filesystem::path& path) {
  const Result<File> file = open_file(path);
  if (!file) return Unexpected(file.error());
  return {};
}

namespace {

/// Up to bytes.size() of a file; of what comes piece by piece no more than there is, but the two that gzip is told by.
std::size_t read_some(std::FILE* file, std::string& bytes, Pieces pieces, bool first) {
  if (pieces == Pieces::large) return std::fread(bytes.data(), 1, bytes.size(), file);
  std::size_t size = 0;
  do {
    const ssize_t count = ::read(::fileno(file), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  } while (first && size < 2);
  return size;
}

}  // namespace

Result<void> read_pieces(const std::filesystem::path& path, const std::function<Result<void>(std::string_view)>& use, Pieces pieces) {
  const Result<File> file = open_file(path);
  if (!file) return Unexpected(file.error());
  Result<void> used;
  const auto keep_using = [&](std::string_view bytes) {
    if (keeps && path == "-") kept += bytes;
    return (used = use(bytes)).has_value();
  };
  std::string bytes(piece, '\0');
  std::unique_ptr<Unpacker> unpacker;
  bool first = true;
  while (const std::size_t count = read_some(file->get(), bytes, pieces, first)) {
    const std::string_view read = std::string_view(bytes).substr(0, count);
    if (std::exchange(first, false) && is_gzip(read)) unpacker = std::make_unique<Unpacker>();
    if (!(unpacker ? unpacker->feed(read, keep_using) : keep_using(read))) break;
  }
  if (!used) return used;
  if (std::ferror(file->get())) return fail(std::string("cannot be read (") + std::strerror(errno) + "): expected a file that can be read");
  if (unpacker && !unpacker->finish(keep_using) && !used) return used;
  if (unpacker && !unpacker->fault().empty())
    return fail("corrupt gzip at byte " + std::to_string(unpacker->consumed()) + " (" + unpacker->fault() +
                "): expected a whole gzip file");
  return {};
}

Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t most) {
  std::string all;
  const Result<void> read = read_pieces(path, [&](std::string_view bytes) -> Result<void> {
    if (bytes.size() > most - all.size()) return fail("larger than " + std::to_string(most >> 20) + " MiB: expected a smaller file");
    all += bytes;
    return {};
  });
  if (!read) return Unexpected(read.error());
  return all;
}

Result<std::string> unpack_part(std::string_view deflated, const PackedPart& part, std::uint64_t most) {
  std::string packed("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  packed += deflated;
  if (deflated.size() == part.bytes)
    for (const std::uint64_t number : {std::uint64_t{part.crc}, part.size})
      for (int byte = 0; byte < 4; ++byte) packed += static_cast<char>(number >> (8 * byte));
  // One byte more than there should be, so that the end is looked at, and no more, however much there is.
  const std::uint64_t enough = most < part.size ? most : part.size + 1;
  std::string text, fault;
  Unpacker unpacker;
  const auto take = [&](std::string_view bytes) { return (text += bytes).size() < enough; };
  if (unpacker.feed(packed, take)) unpacker.finish(take);
  fault = text.size() > part.size ? "there is more" : unpacker.fault();
  if (!fault.empty())
    return fail("cannot be unpacked (" + fault + "): expected the " + std::to_string(part.size) + " bytes that the archive states");
  text.resize(std::min<std::size_t>(text.size(), most));
  return text;
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

FileSource::FileSource(const std::filesystem::path& path) : file_(std::fopen(path.c_str(), "rb"), &std::fclose) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  size_ = failed || !file_ ? 0 : size;
}

bool FileSource::fill(std::uint64_t offset, char* to, std::size_t bytes) const {
  return fseeko(file_.get(), static_cast<off_t>(offset), SEEK_SET) == 0 && std::fread(to, 1, bytes, file_.get()) == bytes;
}

Result<std::string> read_text(const std::filesystem::path& path) {
  Result<std::string> bytes = read_file(path, most_text);
  if (!bytes) return bytes;
  return to_utf8(*bytes);
}

}  // namespace roofline::cli
