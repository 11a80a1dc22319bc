#include "io/gzip.hpp"

#include <zlib.h>

#include <new>
#include <utility>

namespace roofline::cli {
namespace {

// Small, because the buffer is cleared for each file.
constexpr std::size_t piece = std::size_t{1} << 16;
constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
constexpr int as_gzip = 16 + MAX_WBITS;

}  // namespace

struct Unpacker::State {
  z_stream stream{};
  std::string unpacked = std::string(piece, '\0');
  bool ended = false;
};

Unpacker::Unpacker() : state_(std::make_unique<State>()) { fault_ = inflateInit2(&state_->stream, as_gzip) == Z_OK ? "" : "out of memory"; }

Unpacker::~Unpacker() { inflateEnd(&state_->stream); }

bool Unpacker::feed(std::string_view packed, const Use& use) {
  for (; fault_.empty() && packed.size() > most; packed.remove_prefix(most))
    if (!feed(packed.substr(0, most), use)) return false;
  z_stream& stream = state_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.avail_out = 1;
  while (fault_.empty() && (stream.avail_in > 0 || (!state_->ended && stream.avail_out == 0))) {
    if (std::exchange(state_->ended, false)) inflateReset(&stream);
    std::string& unpacked = state_->unpacked;
    stream.next_out = reinterpret_cast<Bytef*>(unpacked.data());
    stream.avail_out = static_cast<uInt>(unpacked.size());
    const uInt before = stream.avail_in;
    const int status = inflate(&stream, Z_NO_FLUSH);
    consumed_ += before - stream.avail_in;
    if (const std::size_t size = unpacked.size() - stream.avail_out; size > 0 && !use({unpacked.data(), size})) return false;
    state_->ended = status == Z_STREAM_END;
    if (status == Z_BUF_ERROR) break;
    if (status != Z_OK && !state_->ended) fault_ = stream.msg ? stream.msg : "unexpected data";
  }
  return fault_.empty();
}

bool Unpacker::finish(const Use&) {
  if (fault_.empty() && !state_->ended) fault_ = "it ends too early";
  return fault_.empty();
}

std::string packed(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, as_gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::string out;
  std::string chunk(piece, '\0');
  do {
    const std::string_view next = bytes.substr(0, most);
    bytes.remove_prefix(next.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next.data()));
    stream.avail_in = static_cast<uInt>(next.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
      stream.avail_out = static_cast<uInt>(chunk.size());
      deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
      out.append(chunk.data(), chunk.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
  deflateEnd(&stream);
  return out;
}

}  // namespace roofline::cli
