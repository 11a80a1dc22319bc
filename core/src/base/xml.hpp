// Small XML files: elements, attributes and text. No DTDs, no processing instructions beyond the prolog, no namespaces.
#pragma once

#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  std::string text;  ///< its own, all pieces joined, spaces at both ends removed

  [[nodiscard]] std::string_view attribute(std::string_view name) const;  ///< "" where there is none
  [[nodiscard]] const XmlElement* child(std::string_view name) const;     ///< the first of that name; null: there is none
};

/// The root element. The error has a line and a column.
[[nodiscard]] Result<XmlElement> parse_xml(std::string_view text);

}  // namespace roofline
