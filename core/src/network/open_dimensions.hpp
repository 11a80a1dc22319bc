// The lengths that a file leaves open, as its reader meets them.
#pragma once

#include <roofline/network/network.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace roofline {

class OpenDimensions {
 public:
  /// Of several dimensions with one name the first counts.
  void add(Dimension dimension) {
    if (names_.insert(dimension.name).second) dimensions_.push_back(std::move(dimension));
  }
  [[nodiscard]] const std::vector<Dimension>& all() const { return dimensions_; }

 private:
  std::vector<Dimension> dimensions_;
  std::set<std::string> names_;
};

}  // namespace roofline
