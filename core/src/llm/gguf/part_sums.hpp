// The formats of a model's weights from the formats of its tensors.
#pragma once

#include <array>
#include <map>
#include <roofline/llm/weight_formats.hpp>
#include <vector>

namespace roofline {

/// Adds up tensors by the classes that they belong to.
class PartSums {
 public:
  /// `parts`: several where a tensor fuses them; each has the same bytes per element.
  void add(const std::vector<WeightPart>& parts, double elements, double bytes, FormatId format);

  /// Each class in the format that holds most of its elements, at the bytes that one takes on average. Classes without tensors have the
  /// format that is most usual in all.
  [[nodiscard]] WeightFormats formats() const;

 private:
  struct Sum {
    double elements = 0, bytes = 0;
    std::map<FormatId, double> by_format;  ///< elements
  };
  std::array<Sum, weight_parts> parts_;
};

}  // namespace roofline
