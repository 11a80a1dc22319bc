#include "llm/model/module_regex.hpp"

#include <algorithm>
#include <bit>

namespace roofline {
namespace {

using Node = ModuleRegex::Node;
using Kind = Node::Kind;

constexpr int max_depth = 16, unlimited = 1 << 20;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
std::size_t code(char c) { return static_cast<unsigned char>(c); }
bool is_itself_escaped(char c) { return c == '_' || !is_word(c); }
Node plain_text(char c) { return {Kind::text, std::string(1, c)}; }
bool is_plain_text(const Node& node) { return node.kind == Kind::text && node.least == 1 && node.most == 1; }

class RegexParser {
 public:
  explicit RegexParser(std::string_view pattern) : pattern_(pattern) {}

  std::optional<Node> parse() {
    Node all = alternatives();
    if (failed_ || at_ < pattern_.size()) return std::nullopt;
    return all;
  }

 private:
  [[nodiscard]] bool next_is(char c) const { return at_ < pattern_.size() && pattern_[at_] == c; }
  bool take(char c) { return next_is(c) && ++at_; }
  void fail() { failed_ = true, at_ = pattern_.size(); }

  Node alternatives() {
    Node out{Kind::alternatives};
    if (++nested_ > max_depth) fail();
    do out.parts.push_back(sequence());
    while (take('|'));
    --nested_;
    if (out.parts.size() > 1) return out;
    Node only = std::move(out.parts.front());
    return only;
  }
  Node sequence() {
    Node out;
    while (at_ < pattern_.size() && !next_is('|') && !next_is(')')) {
      Node part = element();
      repetitions(part);
      if (is_plain_text(part) && !out.parts.empty() && is_plain_text(out.parts.back()))
        out.parts.back().text += part.text;
      else
        out.parts.push_back(std::move(part));
    }
    return out;
  }
  Node element() {
    Node out{Kind::character};
    switch (const char c = pattern_[at_++]) {
      case '(':
        if (take('?') && !take(':')) fail();
        out = alternatives();
        if (!take(')')) fail();
        break;
      case '^':
        out.kind = Kind::begin;
        break;
      case '$':
        out.kind = Kind::end;
        break;
      case '.':
        out.characters.set();
        break;
      case '[':
        out.characters = character_class();
        break;
      case '\\':
        if (at_ < pattern_.size() && is_itself_escaped(pattern_[at_])) return plain_text(pattern_[at_++]);
        out.characters = escaped();
        break;
      case '*':
      case '+':
      case '?':
      case '{':
        fail();
        break;
      default:
        return plain_text(c);
    }
    return out;
  }
  void repetitions(Node& of) {
    if (take('*')) {
      of.least = 0, of.most = unlimited;
    } else if (take('+')) {
      of.most = unlimited;
    } else if (take('?')) {
      of.least = 0;
    } else if (take('{')) {
      of.least = count(0);
      of.most = take(',') ? count(unlimited) : of.least;
      if (!take('}')) fail();
    } else {
      return;
    }
    take('?');  // the shortest match is a match, too
  }
  int count(int absent) {
    if (at_ == pattern_.size() || !is_digit(pattern_[at_])) return absent;
    int out = 0;
    while (at_ < pattern_.size() && is_digit(pattern_[at_])) out = std::min(10 * out + (pattern_[at_++] - '0'), 1000);
    return out;
  }
  std::bitset<256> character_class() {
    std::bitset<256> out;
    const bool excluded = take('^');
    for (bool first = true; first || !next_is(']'); first = false) {
      if (at_ == pattern_.size()) return fail(), out;
      const char from = pattern_[at_++];
      if (from == '\\') {
        out |= escaped();
      } else if (next_is('-') && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']') {
        const std::size_t last = code(pattern_[at_ + 1]);
        if (last < code(from) || pattern_[at_ + 1] == '\\') return fail(), out;
        for (std::size_t c = code(from); c <= last; ++c) out.set(c);
        at_ += 2;
      } else {
        out.set(code(from));
      }
    }
    ++at_;
    return excluded ? ~out : out;
  }
  std::bitset<256> escaped() {
    std::bitset<256> out;
    if (at_ == pattern_.size()) return fail(), out;
    const char c = pattern_[at_++];
    const auto all = [&](bool (*is)(char)) {
      for (std::size_t i = 0; i < 256; ++i) out[i] = is(static_cast<char>(i));
    };
    if (c == 'd' || c == 'D')
      all(is_digit);
    else if (c == 'w' || c == 'W')
      all(is_word);
    else if (is_itself_escaped(c))
      return out.set(code(c));
    else
      fail();
    return c == 'D' || c == 'W' ? ~out : out;
  }

  std::string_view pattern_;
  std::size_t at_ = 0;
  int nested_ = 0;
  bool failed_ = false;
};

/// Bit set of positions between the characters of a text; each is tried once, unlike backtracking.
using Positions = std::uint64_t;

class Match {
 public:
  Match(std::string_view text, int& steps) : text_(text), steps_(steps) {}

  // NOLINTNEXTLINE(misc-no-recursion): the parser bounds the depth
  Positions end_positions(const Node& node, Positions from) {
    if (from == 0 || steps_ == 0) return 0;
    --steps_;
    const Positions allowed = node.kind == Kind::character ? positions_of(node.characters) : 0;
    Positions now = from, out = node.least == 0 ? from : 0;
    for (int times = 1; now != 0 && times <= node.most; ++times) {
      const Positions next = node.kind == Kind::character ? (now & allowed) << 1 : match_once(node, now);
      if (times >= node.least)
        now = next & ~out, out |= now;
      else if (next == now)
        return now;  // as after any number of repetitions
      else
        now = next;
    }
    return out;
  }

 private:
  [[nodiscard]] Positions positions_of(const std::bitset<256>& characters) const {
    Positions out = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) out |= Positions{characters[code(text_[i])]} << i;
    return out;
  }
  // NOLINTNEXTLINE(misc-no-recursion)
  Positions match_once(const Node& node, Positions from) {
    Positions out = 0;
    switch (node.kind) {
      case Kind::text:
        for (Positions left = from; left != 0; left &= left - 1)
          if (const auto i = static_cast<std::size_t>(std::countr_zero(left)); text_.substr(i).starts_with(node.text))
            out |= Positions{1} << (i + node.text.size());
        return out;
      case Kind::sequence:
        out = from;
        for (const Node& part : node.parts)
          if (out != 0) out = end_positions(part, out);
        return out;
      case Kind::alternatives:
        for (const Node& part : node.parts) out |= end_positions(part, from);
        return out;
      case Kind::begin:
        return from & 1;
      case Kind::end:
        return from & (Positions{1} << text_.size());
      case Kind::character:
        break;
    }
    return out;
  }

  std::string_view text_;
  int& steps_;
};

}  // namespace

std::optional<ModuleRegex> ModuleRegex::parse(std::string_view pattern) {
  std::optional<Node> root = RegexParser(pattern).parse();
  if (!root) return std::nullopt;
  ModuleRegex out;
  out.root_ = std::move(*root);
  return out;
}

bool ModuleRegex::matches(std::string_view text, bool at_start, int& steps) const {
  if (text.size() >= 64) return false;
  const Positions all = ~Positions{0} >> (63 - text.size());
  return Match(text, steps).end_positions(root_, at_start ? 1 : all) != 0;
}

std::string_view ModuleRegex::prefix() const {
  for (const Node& part : root_.parts)
    if (part.kind != Node::Kind::begin) return root_.kind == Kind::sequence && is_plain_text(part) ? part.text : std::string_view();
  return {};
}

}  // namespace roofline
