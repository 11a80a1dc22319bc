// JSON text for RapidJSON's reader, read where it lies and left as it is.
//
// RapidJSON's in-situ mode is its fastest, but it writes decoded strings over the text. Here a string without escapes (nearly all of them)
// is a view of the text; one with escapes is decoded into a side buffer. So offsets stay true, raw records can still be cut out of the
// text, and nothing is copied.
#pragma once

#include <rapidjson/reader.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace roofline {

class JsonText {
 public:
  using Ch = char;
  /// `text` must be followed by a NUL byte.
  explicit JsonText(std::string_view text = {}) { reset(text); }
  void reset(std::string_view text) {
    begin_ = p_ = text.data();
    end_ = begin_ + text.size();
  }

  // RapidJSON's stream concept.
  [[nodiscard]] Ch Peek() const { return *p_; }
  Ch Take() { return *p_++; }
  [[nodiscard]] std::size_t Tell() const { return static_cast<std::size_t>(p_ - begin_); }
  Ch* PutBegin() {
    string_begin_ = write_ = p_;
    escaped_ = nullptr;
    if (p_ > begin_ && p_[-1] == '"') write_ = p_ = skip_plain(p_);  // the body of a string, not the end of a number
    return const_cast<Ch*>(string_begin_);
  }
  void Put(Ch c) {
    if (escaped_) {
      escaped_->push_back(c);
    } else if (p_ - 1 == write_) {  // the character just taken: it already stands here
      ++write_;
    } else {
      escaped_ = &decoded_.emplace_back(string_begin_, write_);
      escaped_->push_back(c);
    }
  }
  void Flush() {}
  std::size_t PutEnd(Ch*) { return escaped_ ? escaped_->size() : static_cast<std::size_t>(write_ - string_begin_); }

  /// The string just read, whose length RapidJSON reports as `length`.
  [[nodiscard]] std::string_view string(std::size_t length) const {
    return escaped_ ? std::string_view(escaped_->data(), length) : std::string_view(string_begin_, length);
  }
  /// Where its opening quote lies.
  [[nodiscard]] std::size_t string_start() const { return static_cast<std::size_t>(string_begin_ - begin_) - 1; }
  void forget_decoded() {
    if (!decoded_.empty()) decoded_.clear();
  }
  [[nodiscard]] std::deque<std::string> take_decoded() { return std::move(decoded_); }

  void skip_space() {
    while (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t') ++p_;
  }
  [[nodiscard]] bool at_end() const { return p_ >= end_; }
  void seek(std::size_t position) { p_ = begin_ + position; }
  [[nodiscard]] const char* begin() const { return begin_; }
  [[nodiscard]] const char* end() const { return end_; }

 private:
  /// The first quote, backslash or control character at or after p. Eight bytes at a time; the NUL behind the text ends every search.
  const char* skip_plain(const char* p) const {
    constexpr std::uint64_t ones = 0x0101010101010101ull, highs = 0x8080808080808080ull;
    while (p + 8 <= end_) {
      std::uint64_t w;
      std::memcpy(&w, p, 8);
      const std::uint64_t quote = w ^ (ones * '"'), slash = w ^ (ones * '\\');
      const std::uint64_t hit = (((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((w - ones * 0x20) & ~w)) & highs;
      // Bytes after the first hit may be marked falsely, never those before it. The first byte is the lowest: little-endian.
      if (hit != 0) return p + std::countr_zero(hit) / 8;
      p += 8;
    }
    while (static_cast<unsigned char>(*p) >= 0x20 && *p != '"' && *p != '\\') ++p;
    return p;
  }

  const char *begin_ = nullptr, *p_ = nullptr, *end_ = nullptr;
  const char* string_begin_ = nullptr;
  const char* write_ = nullptr;
  std::string* escaped_ = nullptr;
  std::deque<std::string> decoded_;
};

/// How values are read: one root at a time, numbers as text (so that each keeps every digit and none is "too big"), NaN and Infinity as
/// Python writes them.
inline constexpr unsigned json_flags = rapidjson::kParseInsituFlag | rapidjson::kParseStopWhenDoneFlag |
                                       rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseNanAndInfFlag;

/// What the parser expected where it stopped, for messages: "',' or '}' after a member".
[[nodiscard]] const char* expected_by(rapidjson::ParseErrorCode code);

/// Skips one value; refuses deep nesting.
struct SkipHandler : rapidjson::BaseReaderHandler<rapidjson::UTF8<>, SkipHandler> {
  int depth = 0;
  bool enter() { return ++depth <= max_json_depth; }
  bool leave() { return --depth, true; }
  bool StartObject() { return enter(); }
  bool EndObject(rapidjson::SizeType) { return leave(); }
  bool StartArray() { return enter(); }
  bool EndArray(rapidjson::SizeType) { return leave(); }
};

}  // namespace roofline

namespace rapidjson {
/// The parser works on the stream itself: a local copy would lose what the handler asks for.
template <>
struct StreamTraits<roofline::JsonText> {
  enum { copyOptimization = 0 };
};
}  // namespace rapidjson
