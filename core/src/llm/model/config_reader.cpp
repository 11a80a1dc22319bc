#include "llm/model/config_reader.hpp"

#include <algorithm>

namespace roofline {

double count_of(const Json& list, std::string_view text) {
  double n = 0;
  for (const Json& item : list) n += text_of(item) == text ? 1 : 0;
  return n;
}

const Json& ConfigReader::find(std::initializer_list<const char*> keys) const {
  static const Json null;
  for (const char* key : keys)
    if (const Json& value = member(json_, key); !value.is_null()) return value;
  return null;
}

double ConfigReader::size(std::initializer_list<const char*> keys, double otherwise, double least) {
  const Json& value = find(keys);
  if (value.is_null()) {
    if (std::isnan(otherwise)) missing_.push_back(*keys.begin());
    return otherwise;
  }
  const double v = number_of(value);
  if (!(v >= least && v <= 1e9) || (v != std::floor(v) && !takes_means_)) {
    std::string found = dump(value);
    if (found.size() > 40) found = kind_of(value);
    wrong(*std::find_if(keys.begin(), keys.end(), [&](const char* k) { return &member(json_, k) == &value; }),
          "expected a whole number from " + std::to_string(static_cast<int>(least)) + " to 1000000000, found " + found);
    return least;
  }
  return v;
}

bool ConfigReader::flag(std::initializer_list<const char*> keys, bool otherwise) {
  const Json& value = find(keys);
  if (value.is_null()) return otherwise;
  if (!value.is_boolean()) wrong(*keys.begin(), std::string("expected true or false, found ") + kind_of(value));
  return value == Json(true);
}

double ConfigReader::fraction(std::initializer_list<const char*> keys, double otherwise) {
  const Json& value = find(keys);
  if (value.is_null()) return otherwise;
  const double v = number_of(value);
  if (!(v > 0 && v <= 1)) {
    wrong(*keys.begin(), std::string("expected a fraction up to 1, found ") + kind_of(value));
    return otherwise;
  }
  return v;
}

}  // namespace roofline
