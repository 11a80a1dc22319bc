// The command-line arguments of the tools that fit and validate.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

namespace roofline::validation {

struct Arguments {
  std::set<std::string> options;   ///< those given, such as "--write"
  std::vector<std::string> files;  ///< the others, in order
  [[nodiscard]] bool has(const char* option) const { return options.contains(option); }
  [[nodiscard]] std::string file_or(std::size_t at, const char* otherwise) const { return at < files.size() ? files[at] : otherwise; }
};

/// Throws std::invalid_argument on an option that is not among `options`, and on more than `most_files` files.
[[nodiscard]] Arguments arguments_of(int argc, const char* const* argv, std::initializer_list<const char*> options, std::size_t most_files);

}  // namespace roofline::validation
