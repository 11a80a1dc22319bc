// Any bytes to one format's own reader, past the detection: refused with a reason, or a workload that holds together; in pieces alike.
#pragma once

#include <string>

#include "check.hpp"
#include "read/formats.hpp"

namespace roofline {

inline Result<Workload> read_with(OpenReader open, std::string_view bytes, std::size_t piece) {
  static const Keys keys;
  ReadOptions options;
  options.keys = &keys;
  const auto reader = open(options);
  TextWindow window;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    window.append(bytes.substr(at, piece));
    if (auto ok = reader->read(window, false); !ok) return Unexpected(ok.error());
  }
  if (auto ok = reader->read(window, true); !ok) return Unexpected(ok.error());
  return reader->take();
}

inline int check_reader(OpenReader open, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Result<Workload> whole = read_with(open, bytes, size + 1);
  if (one_in(8, bytes)) {
    const Result<Workload> pieces = read_with(open, bytes, 7);
    check(pieces.has_value() == whole.has_value());
    check(whole ? pieces->op_class == whole->op_class : pieces.error().text() == whole.error().text());
  }
  if (!whole) return check(!whole.error().message.empty()), 0;
  for (std::size_t i = 0; i < whole->size(); ++i) {
    check(whole->op_class[i] < whole->classes.size());
    check(whole->name[i].offset + std::size_t{whole->name[i].length} <= whole->text.size());
    check(!(whole->count_of(i) <= 0));
  }
  return 0;
}

}  // namespace roofline
