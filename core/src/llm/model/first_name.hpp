// Notes on a list of names that may be long.
#pragma once

#include <roofline/base/text.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// The first of some names, shortened, and the number of the others.
class FirstName {
 public:
  void add(std::string_view name) {
    if (count_++ == 0) first_ = '"' + shortened(name, 60) + '"';
  }
  [[nodiscard]] bool any() const { return count_ > 0; }
  /// `"lm_head" and 3 more`.
  [[nodiscard]] std::string text() const { return count_ > 1 ? first_ + " and " + with_commas(count_ - 1) + " more" : first_; }

 private:
  std::string first_;
  std::size_t count_ = 0;
};

}  // namespace roofline
