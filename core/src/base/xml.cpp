#include "base/xml.hpp"

#include <algorithm>
#include <array>

namespace roofline {
namespace {

constexpr int max_depth = 64;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Keeps the first fault; after it nothing more is read.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<XmlElement> document() {
    skip_between();
    XmlElement root = element(0);
    skip_between();
    if (!failed_ && at_ < text_.size()) stop("nothing after the root element");
    if (!failed_) return root;
    const std::string_view before = text_.substr(0, stopped_);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    return Unexpected(Error{"not valid XML: expected " + expected_, lines + 1, stopped_ - line_start + 1, {}});
  }

 private:
  void stop(std::string expected) {
    if (failed_) return;
    failed_ = true;
    stopped_ = at_;
    expected_ = std::move(expected);
    at_ = text_.size();
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) return stop("\"" + std::string(end) + "\"");
    at_ = found + end.size();
  }
  /// Space, comments and the prolog.
  void skip_between() {
    for (;;) {
      skip_space();
      if (take("<!--"))
        skip_past("-->");
      else if (take("<?"))
        skip_past("?>");
      else
        return;
    }
  }
  std::string name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    if (at_ == begin) stop("a name");
    return std::string(text_.substr(begin, at_ - begin));
  }
  /// Text up to `end`, entities put in.
  std::string characters(char end) {
    constexpr std::array<std::pair<std::string_view, char>, 5> entities = {
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
    std::string out;
    while (at_ < text_.size() && text_[at_] != end) {
      if (end != '<' && text_[at_] == '<') {
        stop("a closing quote");
        break;
      }
      if (text_[at_] != '&') {
        out += text_[at_++];
        continue;
      }
      const auto entity = std::find_if(entities.begin(), entities.end(), [&](const auto& e) { return take(e.first); });
      if (entity != entities.end())
        out += entity->second;
      else if (text_.substr(at_, 2) == "&#")
        skip_past(";"), out += '?';  // a character by number: none of the texts we read matter to that degree
      else
        stop("&lt; &gt; &amp; &quot; or &apos;");
    }
    return out;
  }

  XmlElement element(int depth) {
    XmlElement e;
    if (depth > max_depth) stop("at most " + std::to_string(max_depth) + " levels of elements");
    if (!take("<")) stop("an element");
    e.name = name();
    for (skip_space(); !failed_ && peek() != '>' && peek() != '/'; skip_space()) {
      std::string key = name();
      skip_space();
      if (!take("=")) stop("'=' after the attribute " + key);
      skip_space();
      const char quote = peek();
      if (quote != '"' && quote != '\'') stop("a quoted value of the attribute " + key);
      if (failed_) break;
      ++at_;
      e.attributes.emplace_back(std::move(key), characters(quote));
      if (!take(std::string_view(&quote, 1))) stop("a closing quote");
    }
    if (take("/>")) return e;
    if (!take(">")) stop("'>'");
    while (!failed_) {
      e.text += characters('<');
      if (take("<!--"))
        skip_past("-->");
      else if (take("</"))
        break;
      else
        e.children.push_back(element(depth + 1));
    }
    if (!failed_ && name() != e.name) stop("</" + e.name + ">");
    skip_space();
    if (!failed_ && !take(">")) stop("'>'");
    const auto first = std::find_if_not(e.text.begin(), e.text.end(), is_space);
    const auto last = std::find_if_not(e.text.rbegin(), e.text.rend(), is_space).base();
    e.text = first < last ? std::string(first, last) : std::string();
    return e;
  }

  std::string_view text_;
  std::size_t at_ = 0, stopped_ = 0;
  bool failed_ = false;
  std::string expected_;
};

}  // namespace

std::string_view XmlElement::attribute(std::string_view name) const {
  for (const auto& [key, value] : attributes)
    if (key == name) return value;
  return {};
}

const XmlElement* XmlElement::child(std::string_view name) const {
  for (const XmlElement& c : children)
    if (c.name == name) return &c;
  return nullptr;
}

Result<XmlElement> parse_xml(std::string_view text) { return Parser(text).document(); }

}  // namespace roofline
