// Any bytes as a gzip file: unpacked alike in one piece and in many, up to the same fault. And what is packed comes out again.
#include <string>

#include "../../tools/cli/io/gzip.hpp"
#include "check.hpp"

using namespace roofline::cli;

namespace {

constexpr std::size_t most = std::size_t{1} << 17;  // two of the unpacker's buffers; a few bytes may stand for many

struct Unpacked {
  std::string text, fault;
  bool enough = false;
};

Unpacked unpack(std::string_view bytes, std::size_t piece) {
  Unpacked out;
  const auto use = [&](std::string_view text) {
    out.text += text.substr(0, most - out.text.size());
    out.enough = out.text.size() == most;
    return !out.enough;
  };
  Unpacker unpacker;
  bool more = true;
  for (std::size_t at = 0; more && at < bytes.size(); at += piece) more = unpacker.feed(bytes.substr(at, piece), use);
  if (more) unpacker.finish(use);
  out.fault = unpacker.fault();
  check(unpacker.consumed() <= bytes.size());
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Unpacked whole = unpack(bytes, size + 1), pieces = unpack(bytes, 5);
  check(whole.text == pieces.text && whole.enough == pieces.enough && whole.fault == pieces.fault);
  const std::string_view start = bytes.substr(0, most);
  const Unpacked again = unpack(packed(start), most);
  check(again.fault.empty() && again.text == start);
  return 0;
}
