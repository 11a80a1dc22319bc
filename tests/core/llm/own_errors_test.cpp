// Own errors of the tensors in GGUF files, relative to what is usual in the model.
#include <cmath>
#include <cstring>
#include <roofline/accuracy/weight_sample.hpp>
#include <roofline/llm/quantize_plan.hpp>

#include "llm/gguf_file.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

constexpr std::uint64_t row = 64, rows = 8;
constexpr std::uint32_t f32 = 0;

/// Numbers from -1 to 1, and one of each row that is `outlier` times as large: the larger, the more the others lose.
std::string weights(float outlier) {
  std::string out(4 * row * rows, '\0');
  for (std::uint64_t i = 0; i < row * rows; ++i) {
    const float value = i % row == 0 ? outlier : static_cast<float>((i * 7919 % 2003) / 1001.0 - 1);
    std::memcpy(out.data() + 4 * i, &value, 4);
  }
  return out;
}

/// A file with one ffn_up per outlier, the first of layer `first`.
std::string gguf(int first, const std::vector<float>& outliers) {
  gguf_file::Header header;
  header.metadata("general.architecture", "llama");
  std::string data;
  for (std::size_t i = 0; i < outliers.size(); ++i) {
    header.tensor("blk." + std::to_string(first + static_cast<int>(i)) + ".ffn_up.weight", {row, rows}, f32, 4 * row * rows);
    data += weights(outliers[i]);
  }
  return header.bytes() + data;
}

}  // namespace

TEST_CASE("own errors: those of a split model are relative to the whole model", "[llm]") {
  // The first file alone has small errors, the second alone large ones.
  const std::string whole = gguf(0, {1, 2, 3, 8, 16}), first = gguf(0, {1, 2, 3}), second = gguf(3, {8, 16});
  const BytesAtHand all(whole), one(first), two(second);
  const Result<OwnErrors> together = gguf_own_errors(all, "m.gguf");
  REQUIRE(together);
  REQUIRE(together->size() == 5);
  CHECK(together->at("blk.2.ffn_up.weight") == 1);
  CHECK(together->at("blk.0.ffn_up.weight") < 1);
  CHECK(together->at("blk.4.ffn_up.weight") > together->at("blk.3.ffn_up.weight"));
  const GgufSource parts[] = {{"m-00001-of-00002.gguf", &one}, {"m-00002-of-00002.gguf", &two}};
  const Result<OwnErrors> split = gguf_own_errors(parts);
  REQUIRE(split);
  CHECK(*split == *together);
}

TEST_CASE("own errors: weights that are all 0 tell nothing, and a damaged file is named", "[llm]") {
  gguf_file::Header header;
  header.metadata("general.architecture", "llama").tensor("blk.0.ffn_up.weight", {row, rows}, f32, 4 * row * rows);
  const std::string zeros = header.bytes() + std::string(4 * row * rows, '\0');
  const BytesAtHand source(zeros);
  const Result<OwnErrors> none = gguf_own_errors(source, "m.gguf");
  REQUIRE(none);
  CHECK(none->empty());
  const Result<WeightSample> sample = sample_weights(source, {header.bytes().size(), row * rows, row, format("fp32")});
  REQUIRE(sample);
  for (const char* id : {"int8", "int4_g32", "fp8_e4m3", "nf4", "nvfp4", "mxfp4"}) {
    INFO(id);
    CHECK(std::isnan(sqnr_db(*sample, format(id))));
  }
  const std::string good = gguf(0, {1}), bad = "GGUF";
  const BytesAtHand one(good), two(bad);
  const GgufSource parts[] = {{"m-00001-of-00002.gguf", &one}, {"m-00002-of-00002.gguf", &two}};
  const Result<OwnErrors> refused = gguf_own_errors(parts);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("m-00002-of-00002.gguf: ") == 0);
}
