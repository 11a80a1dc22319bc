// The open dimensions of a network file, in the order in which its reader finds them.
#pragma once

#include <roofline/network/network.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace roofline {

class OpenDimensions {
 public:
  /// Ignores a dimension whose name was added before.
  void add(Dimension dimension) {
    if (names_.insert(dimension.name).second) dimensions_.push_back(std::move(dimension));
  }
  [[nodiscard]] const std::vector<Dimension>& all() const { return dimensions_; }
  [[nodiscard]] std::vector<Dimension>& all() { return dimensions_; }

 private:
  std::vector<Dimension> dimensions_;
  std::set<std::string> names_;
};

}  // namespace roofline
