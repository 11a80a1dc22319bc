#include "base/json_out.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

namespace roofline {

std::string json_text(const std::function<void(JsonOut&)>& write) {
  std::string text;
  const Sink sink = [&text](std::string_view piece) { text += piece; };
  JsonOut out(sink);
  write(out);
  out.send();
  return text;
}

namespace {

/// The one door of text into documents: to `put` as valid UTF-8.
template <class Put>
void put_text(std::string_view text, const Put& put) {
  const bool ascii = std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  const std::string valid = ascii ? std::string() : valid_utf8(text);
  const std::string_view out = ascii ? text : std::string_view(valid);
  put(out.data(), static_cast<rapidjson::SizeType>(out.size()));
}

}  // namespace

void JsonOut::key(std::string_view name) {
  put_text(name, [this](const char* text, rapidjson::SizeType size) { writer_.Key(text, size); });
}

void JsonOut::value(std::string_view text) {
  put_text(text, [this](const char* at, rapidjson::SizeType size) { writer_.String(at, size); });
}

std::string shortest(double v) {
  if (!(v - v == 0)) return {};
  char buffer[32];
  const char* end = rapidjson::internal::dtoa(v, buffer, 324);
  std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  if (text.size() > 2 && text.substr(text.size() - 2) == ".0") text.remove_suffix(2);
  return std::string(text);
}

}  // namespace roofline
