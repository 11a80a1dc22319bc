#include "network/record_text.hpp"

#include <algorithm>

#include "base/json_out.hpp"
#include "base/parse_number.hpp"

namespace roofline {

std::string json_quoted(std::string_view text) {
  return json_text([&](JsonOut& out) { out.value(text); });
}

void RecordText::key(std::string_view name) { members_.append(",\"").append(name).append("\":"); }

RecordText& RecordText::set(std::string_view name, double number) {
  const std::string digits = shortest(number);
  if (digits.empty()) return *this;
  key(name);
  members_ += digits;
  return *this;
}

RecordText& RecordText::set(std::string_view name, bool value) {
  key(name);
  members_ += value ? "true" : "false";
  return *this;
}

RecordText& RecordText::set(std::string_view name, std::string_view text) {
  key(name);
  members_ += json_quoted(text);
  return *this;
}

RecordText& RecordText::add(std::string_view name, double number) {
  const std::string start = ",\"" + std::string(name) + "\":";
  const std::size_t at = members_.find(start);
  if (at == std::string::npos) return set(name, number);
  const std::size_t begin = at + start.size(), end = std::min(members_.find(',', begin), members_.size());
  members_.replace(begin, end - begin, shortest(parse_number(members_.substr(begin, end - begin)) + number));
  return *this;
}

RecordText& RecordText::replace(std::string_view name, std::string_view with) {
  const std::string_view old = text(name);
  if (old.empty()) return set(name, with);
  members_.replace(static_cast<std::size_t>(old.data() - members_.data()), old.size(), with);
  return *this;
}

std::string_view RecordText::text(std::string_view name) const {
  const std::string start = ",\"" + std::string(name) + "\":\"";
  const std::size_t at = members_.find(start);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + start.size();
  return std::string_view(members_).substr(begin, members_.find('"', begin) - begin);
}

namespace {

void append(std::string& text, const std::vector<double>& list) {
  text += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string digits = shortest(list[i]);
    text.append(i > 0 ? "," : "").append(digits.empty() ? "null" : digits);
  }
  text += ']';
}

}  // namespace

RecordText& RecordText::set(std::string_view name, const std::vector<double>& list) {
  key(name);
  append(members_, list);
  return *this;
}

RecordText& RecordText::set(std::string_view name, const std::vector<std::vector<double>>& lists) {
  key(name);
  members_ += '[';
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (i > 0) members_ += ',';
    append(members_, lists[i]);
  }
  members_ += ']';
  return *this;
}

}  // namespace roofline
