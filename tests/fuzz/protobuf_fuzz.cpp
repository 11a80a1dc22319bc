// Any bytes as a message in protocol buffers' wire format, and every field of bytes as a message again.
#include "check.hpp"
#include "read/protobuf.hpp"

using namespace roofline::protobuf;

namespace {

void check_message(std::string_view bytes, int depth) {
  Message message(bytes);
  Field field;
  std::size_t inside = 0;
  while (message.next(field)) {
    if (field.wire != Wire::bytes) continue;
    check(field.value == field.bytes.size());
    check(field.bytes.empty() || (field.bytes.data() >= bytes.data() && field.bytes.end() <= bytes.end()));
    inside += field.bytes.size();
    if (depth < 8) check_message(field.bytes, depth + 1);
  }
  check(inside <= bytes.size() && !message.next(field));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_message(bytes, 0);
  Head whole, part;
  // What can be told of a beginning holds for all of it.
  if (read_head(bytes, whole) == Read::done) {
    check(whole.size > 0 && whole.size <= size);
    for (std::size_t n = 0; n < whole.size; ++n) check(read_head(bytes.substr(0, n), part) == Read::end);
    check(read_head(bytes.substr(0, whole.size), part) == Read::done && part.field.number == whole.field.number);
  }
  return 0;
}
