// The names of enumerations as files, the command and the page know them: one table per enumeration, beside it.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <roofline/base/text.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// names_of<Status> are the names of Status' values, in their order. Empty: the enumeration has none.
template <class Enum>
inline constexpr std::array<const char*, 0> names_of{};

template <class Enum>
  requires(!names_of<Enum>.empty())
[[nodiscard]] constexpr const char* to_string(Enum value) {
  return names_of<Enum>[static_cast<std::size_t>(value)];
}

template <class Enum>
[[nodiscard]] constexpr std::optional<Enum> named(std::string_view name) {
  for (std::size_t i = 0; i < names_of<Enum>.size(); ++i)
    if (name == names_of<Enum>[i]) return static_cast<Enum>(i);
  return std::nullopt;
}

/// "name, type or status": for messages that say what was expected.
template <class Enum>
[[nodiscard]] std::string any_of_names() {
  return joined(names_of<Enum>, ", ", " or ");
}

}  // namespace roofline
