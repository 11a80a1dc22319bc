// Cutting events out of a trace: by blocks of bytes what one byte after the other would find.
#include "read/trace/trace.hpp"

#include <cstdint>
#include <roofline/read/tensors.hpp>

#include "catch.hpp"
#include "read/operations/formulas.hpp"

using namespace roofline;

namespace {

/// Where the object that `text` begins with ends, a byte at a time.
std::size_t end_byte_by_byte(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '{' || c == '['))
      ++depth;
    else if (!quoted && (c == '}' || c == ']') && --depth == 0)
      return i + 1;
  }
  return std::string_view::npos;
}

}  // namespace

TEST_CASE("trace: an object ends where its brackets close, whatever stands in quotes", "[trace]") {
  std::uint32_t state = 1;
  const auto below = [&](std::uint32_t n) { return (state = state * 1664525 + 1013904223) / 65536 % n; };
  constexpr std::string_view pieces[] = {"\"", "\\\"", "\\\\", "{", "}", "[", "]", "x", "\"a}\"", "0123456789abcdef", ": ", ",", "\\"};
  std::size_t ended = 0;
  for (int run = 0; run < 20000; ++run) {
    std::string text = "{";
    for (std::uint32_t n = below(120); n > 0; --n) text += pieces[below(static_cast<std::uint32_t>(std::size(pieces)))];
    const std::size_t end = end_byte_by_byte(text);
    INFO(text);
    REQUIRE(value_end(text, 0) == end);
    REQUIRE(value_end(std::string(run % 70, ' ') + text, static_cast<std::size_t>(run % 70)) ==
            (end == std::string_view::npos ? end : end + static_cast<std::size_t>(run % 70)));
    ended += end != std::string_view::npos ? 1 : 0;
  }
  CHECK(ended > 5000);  // and not because nothing ends
}

TEST_CASE("trace: the members of an object, as they stand", "[trace]") {
  const auto members = [](std::string_view object) {
    std::string out;
    TraceMember m;
    std::size_t at = 0;
    while (next_member(object, at, m)) out += std::string(m.key) + '=' + std::string(m.value) + ';';
    return out + (at == object.size() ? "whole" : "broken");
  };
  CHECK(members("{}") == "whole");
  CHECK(members(R"( { "a" : 1,"b":"x\"}", "c": {"d": [1, 2]}, "e":null } )") == R"(a=1;b="x\"}";c={"d": [1, 2]};e=null;whole)");
  for (const char* broken : {"[]", "{\"a\"}", "{\"a\": }", "{\"a\": 1 \"b\": 2}", "{a: 1}", "{\"a\": 1,}", "{\"a\": 1"}) {
    INFO(broken);
    CHECK(members(broken).ends_with("broken"));
  }
}

TEST_CASE("trace: the tensors of an operator's event", "[trace]") {
  const Keys keys;
  const Registry registry;
  const std::string addmm =
      R"({"ph": "X", "cat": "cpu_op", "name": "aten::addmm", "args": {"Input Dims": [[3072], [4096, 1024], [1024, 3072], [], []],
      "Input type": ["c10::Half", "c10::Half", "c10::Half", "Scalar", "Scalar"], "Concrete Inputs": ["", "", "", "1", "1"]}})";
  const OperationTensors t = tensors_of(addmm, keys, registry);
  CHECK(t.output == std::vector<double>{4096, 3072});
  REQUIRE(t.reads.size() == 3);
  CHECK(t.reads[0].shape == std::vector<double>{4096, 1024});
  // So does how its work is counted.
  CHECK(derivation_of(addmm, keys, registry).formulas.at(0).with_numbers == "2 * B * M * N * K = 2 * 1 * 4096 * 3072 * 1024 = 25769803776");
  CHECK(tensors_of(R"({"name": "aten::unheard_of", "args": {"Input Dims": [[2]]}})", keys, registry).reads.empty());
}
