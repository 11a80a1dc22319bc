// What the tests of profiles share: a row by its name, and what was said of it.
#pragma once

#include <algorithm>

#include "support.hpp"

namespace roofline {

inline std::size_t row_named(const Workload& w, std::string_view name) {
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w.name_of(i) == name) return i;
  FAIL("no row " << name);
  return 0;
}

inline bool says(const Workload& w, std::string_view text) {
  return std::any_of(w.diagnostics.begin(), w.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.message.find(text) != std::string::npos; });
}

inline double flops_of(const Workload& w, std::size_t i) { return w.matrix_flops[i] + (w.vector_flops.empty() ? 0 : w.vector_flops[i]); }

/// The message that a file is refused with.
inline std::string refusal_of(std::string_view bytes) {
  const Result<Workload> w = read(bytes, {});
  REQUIRE(!w);
  return w.error().text();
}

/// Rows and times are the same, whatever pieces the bytes come in.
inline void check_in_pieces(const std::string& bytes) {
  const Workload whole = open(bytes);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{300}}) {
    ReadOptions options;
    options.head_bytes = 256;
    Reader reader(options);
    for (std::size_t at = 0; at < bytes.size(); at += piece) REQUIRE(reader.feed(std::string_view(bytes).substr(at, piece)));
    const Result<Workload> w = reader.finish();
    REQUIRE(w);
    CHECK(w->source_format == whole.source_format);
    REQUIRE(w->size() == whole.size());
    for (std::size_t i = 0; i < w->size(); ++i) CHECK(same(w->time_s[i], whole.time_s[i]));
  }
}

}  // namespace roofline
