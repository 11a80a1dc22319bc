#include "files.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <roofline/read/read.hpp>
#include <utility>

namespace roofline::cli {
namespace {

constexpr std::size_t max_whole = std::numeric_limits<std::uint32_t>::max();  // of what is read whole
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

/// gzip in pieces: all members of a file, one after the other.
class Unpacker {
 public:
  Unpacker() { fault_ = inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK ? "" : "out of memory"; }
  ~Unpacker() { inflateEnd(&stream_); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Hands on what `packed` unpacks to; false once `use` has enough or there is a fault.
  bool feed(std::string_view packed, const std::function<bool(std::string_view)>& use) {
    constexpr std::size_t most = 1u << 30;  // zlib counts in 32 bits
    for (; fault_.empty() && packed.size() > most; packed.remove_prefix(most))
      if (!feed(packed.substr(0, most), use)) return false;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.avail_out = 1;
    while (fault_.empty() && (stream_.avail_in > 0 || (!ended_ && stream_.avail_out == 0))) {
      if (std::exchange(ended_, false)) inflateReset(&stream_);
      stream_.next_out = reinterpret_cast<Bytef*>(unpacked_.data());
      stream_.avail_out = static_cast<uInt>(unpacked_.size());
      const uInt before = stream_.avail_in;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      consumed_ += before - stream_.avail_in;
      if (const std::size_t size = unpacked_.size() - stream_.avail_out; size > 0 && !use({unpacked_.data(), size})) return false;
      ended_ = status == Z_STREAM_END;
      if (status == Z_BUF_ERROR) break;
      if (status != Z_OK && !ended_) fault_ = stream_.msg ? stream_.msg : "unexpected data";
    }
    return fault_.empty();
  }
  /// After the last bytes: a member that has not ended is a fault.
  void finish() {
    if (fault_.empty() && !ended_) fault_ = "it ends too early";
  }
  [[nodiscard]] const std::string& fault() const { return fault_; }
  [[nodiscard]] std::uint64_t consumed() const { return consumed_; }  ///< of the packed bytes, up to the fault

 private:
  z_stream stream_{};
  std::string unpacked_ = std::string(piece, '\0');
  std::string fault_;
  std::uint64_t consumed_ = 0;
  bool ended_ = false;
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

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
  const auto keep_using = [&](std::string_view bytes) { return (used = use(bytes)).has_value(); };
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
  if (unpacker) unpacker->finish();
  if (unpacker && !unpacker->fault().empty())
    return fail("corrupt gzip at byte " + std::to_string(unpacker->consumed()) + " (" + unpacker->fault() +
                "): expected a whole gzip file");
  return {};
}

Result<std::string> read_file(const std::filesystem::path& path) {
  std::string all;
  const Result<void> read = read_pieces(path, [&](std::string_view bytes) -> Result<void> {
    all += bytes;
    if (all.size() > max_whole) return fail("larger than 4 GB: expected a smaller file");
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
  const bool all = unpacker.feed(packed, [&](std::string_view bytes) { return (text += bytes).size() < enough; });
  if (all) unpacker.finish();
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

Result<std::string> read_text(const std::filesystem::path& path) {
  Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes;
  return to_utf8(*bytes);
}

}  // namespace roofline::cli
