#include "read/trace/trace.hpp"

#include <bit>

#ifdef __SSE2__  // of x86 and, by Emscripten's header, of WebAssembly
#include <emmintrin.h>
#endif

namespace roofline {
namespace {

constexpr std::size_t npos = std::string_view::npos;

std::size_t string_end(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1;;) {
    i = text.find_first_of("\"\\", i);
    if (i == npos) return npos;
    if (text[i] == '"') return i + 1;
    i += 2;
  }
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

std::size_t after_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

}  // namespace

namespace {

/// Looks for the end of an object or a list. What is in quotes is passed over.
class Brackets {
 public:
  /// The next bytes, one by one: where the value ends; npos: not among them.
  std::size_t one_by_one(std::string_view text, std::size_t i, std::size_t end) {
    for (; i < end; ++i) {
      const char c = text[i];
      if (escaped_) {
        escaped_ = false;
      } else if (quoted_) {
        escaped_ = c == '\\';
        quoted_ = c != '"';
      } else if (c == '"') {
        quoted_ = true;
      } else if (c == '{' || c == '[') {
        ++depth_;
      } else if ((c == '}' || c == ']') && --depth_ == 0) {
        return i + 1;
      }
    }
    return npos;
  }

#ifdef __SSE2__
  static constexpr std::size_t block = 64;
  /// The same of 64 bytes at once, by a bit for each: most of a trace is passed over, and this is what that costs.
  std::size_t of_block(std::string_view text, std::size_t i) {
    std::uint64_t quotes = 0, slashes = 0, opening = 0, closing = 0;
    for (std::size_t part = 0; part < block; part += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i + part));
      const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));  // '[' and ']' become '{' and '}', and nothing else does
      const auto where = [part](__m128i equal) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(equal))) << part;
      };
      quotes |= where(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
      slashes |= where(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
      opening |= where(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
      closing |= where(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    }
    if (slashes != 0 || escaped_) return one_by_one(text, i, i + block);
    // Each bit the parity of the quotes up to it: set within a text.
    std::uint64_t within = quotes;
    for (int shift = 1; shift < 64; shift *= 2) within ^= within << shift;
    if (quoted_) within = ~within;
    quoted_ = within >> 63 != 0;
    for (std::uint64_t bits = (opening | closing) & ~within; bits != 0; bits &= bits - 1) {
      if ((opening & bits & (~bits + 1)) != 0)
        ++depth_;
      else if (--depth_ == 0)
        return i + static_cast<std::size_t>(std::countr_zero(bits)) + 1;
    }
    return npos;
  }
#else
  static constexpr std::size_t block = 64;
  std::size_t of_block(std::string_view text, std::size_t i) { return one_by_one(text, i, i + block); }
#endif

 private:
  std::size_t depth_ = 0;
  bool quoted_ = false, escaped_ = false;
};

}  // namespace

std::size_t value_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) return npos;
  if (text[at] == '"') return string_end(text, at);
  if (text[at] != '{' && text[at] != '[') {
    for (; at < text.size(); ++at)
      if (const char c = text[at]; c == ',' || c == ']' || c == '}' || is_space(c)) return at;
    return npos;
  }
  Brackets brackets;
  for (; at + Brackets::block <= text.size(); at += Brackets::block)
    if (const std::size_t end = brackets.of_block(text, at); end != npos) return end;
  return brackets.one_by_one(text, at, text.size());
}

bool next_member(std::string_view object, std::size_t& at, TraceMember& member) {
  std::size_t i = after_spaces(object, at);
  if (at == 0) {
    if (i >= object.size() || object[i] != '{') return false;
    i = after_spaces(object, i + 1);
    if (i < object.size() && object[i] == '}') return at = object.size(), false;
  } else if (i < object.size() && object[i] == ',') {
    i = after_spaces(object, i + 1);
  } else {
    if (i < object.size() && object[i] == '}') at = object.size();
    return false;
  }
  if (i >= object.size() || object[i] != '"') return false;
  const std::size_t key_end = string_end(object, i);
  if (key_end == npos) return false;
  const std::size_t colon = after_spaces(object, key_end);
  if (colon >= object.size() || object[colon] != ':') return false;
  const std::size_t value = after_spaces(object, colon + 1), end = value_end(object, value);
  if (end == npos || end == value) return false;
  member = {object.substr(i + 1, key_end - i - 2), object.substr(value, end - value)};
  at = end;
  return true;
}

std::string_view category_of(std::string_view event) {
  constexpr std::string_view key = "\"cat\"";
  for (std::size_t at = event.find(key); at != npos; at = event.find(key, at + 1)) {
    if (at > 0 && event[at - 1] == '\\') continue;  // within a text
    const std::size_t colon = after_spaces(event, at + key.size());
    if (colon >= event.size() || event[colon] != ':') continue;
    const std::size_t quote = after_spaces(event, colon + 1);
    if (quote >= event.size() || event[quote] != '"') return {};
    const std::size_t end = event.find('"', quote + 1);
    return end == npos ? std::string_view() : event.substr(quote + 1, end - quote - 1);
  }
  return {};
}

Result<void> TraceScanner::read(TextWindow& window, bool last, const Use& use) {
  const std::string_view text = window.text();
  std::size_t at = 0;  // all before it is read
  const auto wrong = [&](std::size_t where, const std::string& expected) {
    truncated_ = where >= text.size();
    const std::string found = truncated_ ? "the end of the file" : "'" + std::string(1, text[where]) + "'";
    return Unexpected(window.lines().at(where, (truncated_ ? "the trace is truncated after " + quantity(events_, "event") + ": expected "
                                                           : std::string("not a trace: expected ")) +
                                                   expected + ", found " + found));
  };
  for (;;) {
    const std::size_t next = after_spaces(text, at);
    if (next >= text.size()) {
      if (last && part_ != Part::end) return wrong(next, part_ == Part::events ? "an event or ']'" : "a member or '}'");
      break;
    }
    const char c = text[next];
    if (part_ == Part::end) return wrong(next, "nothing more");
    if (part_ == Part::start) {
      if (c != '{' && c != '[') return wrong(next, "'{' or '['");
      list_ = c == '[';
      part_ = list_ ? Part::events : Part::members;
      at = next + 1;
    } else if (c == ',') {
      at = next + 1;
    } else if (part_ == Part::events && c == ']') {
      part_ = list_ ? Part::end : Part::members;
      at = next + 1;
    } else if (part_ == Part::events) {
      if (c != '{') return wrong(next, "an event: '{'");
      const std::size_t end = value_end(text, next);
      if (end == npos) {
        if (last) return wrong(text.size(), "the end of an event");
        break;
      }
      ++events_;
      use.event(text.substr(next, end - next), next);
      at = end;
    } else if (c == '}') {
      part_ = Part::end;
      at = next + 1;
    } else {
      if (c != '"') return wrong(next, "a member's name in quotes");
      const std::size_t name_end = string_end(text, next);
      const std::size_t colon = name_end == npos ? npos : after_spaces(text, name_end);
      const std::size_t value = colon == npos || colon >= text.size() ? npos : after_spaces(text, colon + 1);
      if (value == npos || value >= text.size()) {
        if (last) return wrong(text.size(), "a member");
        break;
      }
      if (text[colon] != ':') return wrong(colon, "':'");
      const std::string_view key = text.substr(next + 1, name_end - next - 2);
      if (key == "traceEvents" && text[value] == '[') {
        part_ = Part::events;
        at = value + 1;
        continue;
      }
      const std::size_t end = value_end(text, value);
      if (end == npos) {
        if (last) return wrong(text.size(), "the end of \"" + std::string(key) + '"');
        break;
      }
      use.member(key, text.substr(value, end - value));
      at = end;
    }
  }
  window.drop(at);
  return {};
}

}  // namespace roofline
