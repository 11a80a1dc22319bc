// The KL divergence of quantised models: against measurements that the fit has not seen.
#include <cmath>
#include <roofline/llm/quality_table.hpp>
#include <roofline/llm/quantize.hpp>
#include <roofline/machine/presets.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

Divergence of(const Model& model, std::string_view name, bool imatrix = true) {
  const Result<Mixture> mixed = mixture(model, name, imatrix);
  REQUIRE(mixed);
  return divergence(model, *mixed, imatrix);
}
Model preset(std::string_view id) { return *Models::presets().find(id); }

}  // namespace

// llama.cpp, tools/perplexity/README.md: Llama 3 8B, with an importance matrix. The fit did not use them.
TEST_CASE("divergence: Llama 3 8B's published mixtures lie within their bands", "[llm]") {
  const struct {
    const char* name;
    double kld;
  } published[] = {{"Q8_0", .001355},   {"Q6_K", .005452},    {"Q5_K_M", .010762}, {"Q5_K_S", .016595}, {"Q4_K_M", .028152},
                   {"Q4_K_S", .031951}, {"IQ4_NL", .035742},  {"IQ4_XS", .036334}, {"Q3_K_L", .073077}, {"Q3_K_M", .084358},
                   {"IQ3_M", .102534},  {"IQ3_XXS", .183625}, {"Q3_K_S", .199821}, {"IQ2_M", .325989},  {"IQ2_XS", .546},
                   {"IQ2_XXS", .812},   {"IQ1_M", 1.393},     {"IQ1_S", 2.25}};
  std::vector<double> factors;
  for (const auto& [name, kld] : published) {
    const Divergence d = of(preset("llama-3-8b"), name);
    INFO(name << " " << d.low << " " << d.kld << " " << d.high);
    CHECK(d.basis == DivergenceBasis::predicted);
    CHECK((d.low < kld && kld < d.high));
    factors.push_back(std::max(d.kld / kld, kld / d.kld));
  }
  std::nth_element(factors.begin(), factors.begin() + factors.size() / 2, factors.end());
  CHECK(factors[factors.size() / 2] < 1.5);
}

TEST_CASE("divergence: a file made without an importance matrix may be worse", "[llm]") {
  CHECK(of(preset("llama-3-8b"), "Q4_K_M", false).high > of(preset("llama-3-8b"), "Q4_K_M").high);
  const Divergence q2 = of(preset("llama-3-8b"), "Q2_K", false);
  CHECK(q2.high > .445);  // published, as above
}

TEST_CASE("divergence: a measured model has its own figures", "[llm]") {
  Model qwen = preset("qwen3-4b");
  const Divergence predicted = of(qwen, "Q6_K");
  qwen.name = "Qwen3 4B Instruct 2507";  // as its GGUF files are called
  const Divergence d = of(qwen, "Q6_K");
  CHECK(d.basis == DivergenceBasis::measured);
  CHECK(predicted.basis == DivergenceBasis::predicted);
  CHECK_THAT(d.kld, WithinRel(.003884, 1e-3));  // GGUF Tool Suite, all tensors in Q6_K, as this mixture has them
  CHECK((d.low == d.kld && d.high == d.kld));
  // Nobody measured Q4_K_M, only its types.
  const Divergence mixed = of(qwen, "Q4_K_M");
  CHECK(mixed.basis == DivergenceBasis::derived);
  CHECK((mixed.low < mixed.kld && mixed.kld < mixed.high &&
         mixed.high / mixed.low < of(preset("qwen3-4b"), "Q4_K_M").high / of(preset("qwen3-4b"), "Q4_K_M").low));
  // DeepSeek V3.1 was not measured in IQ2_S: a mixture with it is predicted.
  Model deepseek = preset("deepseek-v3");
  deepseek.name = "DeepSeek-V3.1-Terminus";
  CHECK(of(deepseek, "Q4_K_M").basis == DivergenceBasis::derived);
  CHECK(of(deepseek, "IQ2_M").basis == DivergenceBasis::predicted);
}

TEST_CASE("divergence: a name alone is no measured model", "[llm]") {
  Model small = preset("qwen3.5-4b");
  small.id = small.name = "Qwen3.5-27B";
  const Divergence d = of(small, "Q6_K");
  CHECK(d.basis == DivergenceBasis::predicted);
  CHECK(d.low < d.kld);
}

TEST_CASE("divergence: 16 bits lose nothing, and more bits never more", "[llm]") {
  for (const char* id : {"llama-3.1-8b", "qwen3-30b-a3b", "deepseek-v3", "phi-3-mini"}) {
    INFO(id);
    CHECK(of(preset(id), "F16").kld == 0);
    double last = std::numeric_limits<double>::infinity();
    for (const char* name : {"IQ1_S", "IQ2_XXS", "IQ3_XXS", "IQ4_XS", "Q5_K_S", "Q6_K", "Q8_0"}) {
      const Divergence d = of(preset(id), name);
      INFO(name);
      CHECK((d.kld > 0 && d.kld < last));
      last = d.kld;
    }
  }
}

TEST_CASE("quality table: the error names the number that is missing", "[llm]") {
  const std::string whole = std::string(gguf_quality_preset());
  const auto path_without = [&](const std::string& part, const std::string& instead) {
    std::string text = whole;
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    const Result<QualityTable> table = parse_quality_table(text.replace(at, part.size(), instead));
    return table ? std::string() : table.error().path;
  };
  CHECK(path_without("\"credit\"", "\"credits\"").empty());
  CHECK(path_without("\"latent\"", "\"late\"") == "types.iq1_s.latent");
  CHECK(path_without("\"parameters_exponent\"", "\"exponent\"") == "parameters_exponent");
  CHECK(path_without("\"output\":0.083", "\"output\":\"0.083\"") == "shares.output");
  CHECK(path_without("\"shares\"", "\"share\"") == "shares");
}
