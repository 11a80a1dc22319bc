// The arguments of the tools that fit and validate.
#include "arguments.hpp"
#include "support.hpp"

using namespace roofline;
using validation::Arguments;

namespace {

Arguments of(std::vector<const char*> words) {
  words.insert(words.begin(), "tool");
  return validation::arguments_of(static_cast<int>(words.size()), words.data(), {"--inside", "--write"}, 1);
}

std::string refusal(const std::vector<const char*>& words) {
  try {
    (void)of(words);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("tool arguments: options and files in any order", "[measured]") {
  const Arguments arguments = of({"--write", "runs.csv"});
  CHECK(arguments.has("--write"));
  CHECK(!arguments.has("--inside"));
  CHECK(arguments.file_or(0, "default.csv") == "runs.csv");
  CHECK(arguments.file_or(1, "default") == "default");
}

TEST_CASE("tool arguments: unknown options and further files are refused with what was expected", "[measured]") {
  CHECK(refusal({"--wriet"}) == R"(unknown option "--wriet"; expected --inside, --write)");
  CHECK(refusal({"a.csv", "b.csv"}) == R"("b.csv": expected at most 1 file)");
}
