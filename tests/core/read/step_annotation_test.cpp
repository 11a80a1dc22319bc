// The steps of inference engines, as their annotations state them.
#include "read/trace/step_annotation.hpp"

#include "support.hpp"

using namespace roofline;

namespace {

struct Row {
  const char* text;
  double prefill, new_tokens, context, decode, decode_context;
  const char* description;
};

void check_same(double found, double expected) {
  if (known(expected))
    CHECK(found == expected);
  else
    CHECK_FALSE(known(found));
}

}  // namespace

TEST_CASE("step annotation: both engines' dialects", "[step]") {
  const Row rows[] = {
      {"execute_5_context_1(sq4sk4sqsq16sqsk16)_generation_1(sq1sk11sqsq1sqsk11)", 1, 4, 4, 1, 11,
       "prefill of 1 sequence, 4 new tokens, 4 tokens of context together; decode of 1 sequence, 11 tokens of context together"},
      {"execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086sqsq32sqsk55086)", 0, 0, 0, 32, 55086,
       "decode of 32 sequences, 55,086 tokens of context together"},
      {"execute_context_1(4)_generation_1(1)", 1, 4, unknown, 1, unknown, "prefill of 1 sequence, 4 new tokens; decode of 1 sequence"},
      {"execute_context_0(0)_generation_7(7)", 0, 0, 0, 7, unknown, "decode of 7 sequences"},
      {"step[DECODE bs=32]", 0, 0, 0, 32, unknown, "decode of 32 sequences"},
      {"step[DECODE bs=32 toks=32]", 0, 0, 0, 32, unknown, "decode of 32 sequences"},
      {"step[EXTEND bs=8 toks=4096]", 8, 4096, unknown, 0, 0, "prefill of 8 sequences, 4,096 new tokens"},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const std::optional<StepAnnotation> step = parse_step(row.text);
    REQUIRE(step);
    CHECK(step->prefill.requests == row.prefill);
    check_same(step->prefill.queries, row.new_tokens);
    check_same(step->prefill.keys, row.context);
    CHECK(step->decode.requests == row.decode);
    CHECK(step->decode.queries == row.decode);
    check_same(step->decode.keys, row.decode_context);
    CHECK(step->states_context() == (known(row.context) && known(row.decode_context)));
    CHECK(description(*step) == row.description);
  }
}

TEST_CASE("step annotation: causal pairs are those counted one by one", "[step]") {
  // Two prompts, 3 new tokens after 2 and 4 from the start, and a decode at 11.
  double pairs = 0;
  for (const auto& [queries, keys] : {std::pair(3, 5), std::pair(4, 4), std::pair(1, 11)})
    for (int q = 0; q < queries; ++q) pairs += keys - queries + q + 1;
  const auto step = parse_step("execute_8_context_2(sq7sk9sqsq25sqsk31)_generation_1(sq1sk11sqsq1sqsk11)");
  REQUIRE(step);
  CHECK(step->whole().pairs() == pairs);
  CHECK(step->whole().queries == 8);
  CHECK(step->whole().keys == 20);
}

TEST_CASE("step annotation: anything else is none", "[step]") {
  for (const char* text : {"", "ProfilerStep#3", "execute_", "execute_5_context_1(sq4sk4)_generation_1(1)", "step[", "step[DECODE]",
                           "step[DECODE bs=0]", "step[DECODE bs=32", "step[IDLE bs=1]", "execute_context_0(0)_generation_0(0)",
                           "execute_context_1(4)_generation_1(1) and more", "execute_context_x(4)_generation_1(1)"}) {
    INFO(text);
    CHECK_FALSE(parse_step(text));
  }
}
