#include "llm/model/config_reader.hpp"

namespace roofline {

double count_of(const Json& list, std::string_view text) {
  double n = 0;
  for (const Json& item : list) n += text_of(item) == text ? 1 : 0;
  return n;
}

const char* ConfigReader::find(std::span<const char* const> keys) const {
  for (const char* key : keys)
    if (!member(json_, key).is_null()) return key;
  return nullptr;
}

double ConfigReader::size(std::span<const char* const> keys, double otherwise, double least) {
  const char* key = find(keys);
  if (!key) {
    if (std::isnan(otherwise)) missing_.emplace_back(keys.front());
    return otherwise;
  }
  if (const double v = number_of(member(json_, key)); takes_means_ && v >= least && v <= most_counted) return v;
  return whole(key, least, least);
}

bool ConfigReader::flag(std::initializer_list<const char*> keys, bool otherwise) {
  const char* key = find(std::span(keys.begin(), keys.size()));
  return key ? MemberReader::flag(key, otherwise) : otherwise;
}

double ConfigReader::fraction(std::initializer_list<const char*> keys, double otherwise) {
  const char* key = find(std::span(keys.begin(), keys.size()));
  if (!key) return otherwise;
  const Json& value = member(json_, key);
  const double v = number_of(value);
  if (v > 0 && v <= 1) return v;
  fault(key, "expected a fraction above 0 and up to 1, found " + shown(value));
  return otherwise;
}

}  // namespace roofline
