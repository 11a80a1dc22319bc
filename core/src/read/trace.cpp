#include "read/trace.hpp"

#include <roofline/base/text.hpp>

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

std::size_t value_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) return npos;
  if (text[at] == '"') return string_end(text, at);
  if (text[at] != '{' && text[at] != '[') {
    const std::size_t end = text.find_first_of(",]} \n\r\t", at);
    return end;
  }
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size();) {
    switch (text[i]) {
      case '"':
        i = string_end(text, i);
        if (i == npos) return npos;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (--depth == 0) return i + 1;
        break;
      default:
        break;
    }
    ++i;
  }
  return npos;
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
    const std::string found = where < text.size() ? "'" + std::string(1, text[where]) + "'" : "the end of the file";
    return Unexpected(
        window.lines().at(where, (where < text.size() ? "not a trace: expected "
                                                      : "the trace is truncated after " + std::to_string(events_) + " events: expected ") +
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
