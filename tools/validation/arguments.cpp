#include "arguments.hpp"

#include <stdexcept>

namespace roofline::validation {

Arguments arguments_of(int argc, const char* const* argv, std::initializer_list<const char*> options, std::size_t most_files) {
  std::string expected;
  for (const char* option : options) expected += (expected.empty() ? "" : ", ") + std::string(option);
  Arguments out;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (!argument.starts_with('-')) {
      if (out.files.size() == most_files)
        throw std::invalid_argument("\"" + argument + "\": expected at most " + std::to_string(most_files) + " file" +
                                    (most_files == 1 ? "" : "s"));
      out.files.push_back(argument);
      continue;
    }
    bool found = false;
    for (const char* option : options) found |= argument == option;
    if (!found) throw std::invalid_argument("unknown option \"" + argument + "\"; expected " + (expected.empty() ? "none" : expected));
    out.options.insert(argument);
  }
  return out;
}

}  // namespace roofline::validation
