#include <roofline/machine/format.hpp>
#include <roofline/machine/presets.hpp>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace roofline;

namespace {

const Formats& all() { return Formats::catalogue(); }

/// The id that a name resolves to; "" if it is unknown.
std::string resolve(std::string_view name) {
  const std::optional<FormatId> id = all().find(name);
  return id ? all()[*id].id : "";
}

FormatId id_of(std::string_view name) {
  const std::optional<FormatId> id = all().find(name);
  INFO(name);
  REQUIRE(id.has_value());
  return *id;
}

}  // namespace

TEST_CASE("formats: every file is read, is named after its id, and has a source") {
  const auto files = preset_files("formats");
  REQUIRE(all().size() == files.size());
  REQUIRE(all().size() < no_format);
  for (const PresetFile& file : files) {
    INFO(file.name);
    const Format& format = all()[id_of(file.name)];
    CHECK(format.id == file.name);
    CHECK_FALSE(format.name.empty());
    CHECK_FALSE(format.source.empty());
    CHECK(format.bits > 0);
    CHECK(format.storage_bits >= format.bits);
    CHECK(format.block >= 1);
    CHECK((format.block > 1) == (format.scale_bits > 0));
    CHECK(format.max_value > 0);
    if (format.family == FormatFamily::floating && !format.code_book())
      CHECK(format.bits == 1 + format.exponent_bits + format.mantissa_bits);
    if (format.family == FormatFamily::integer) CHECK((format.exponent_bits == 0 && format.mantissa_bits == 0));
  }
}

TEST_CASE("formats: bits per element, scales included") {
  const auto [name, bits] = GENERATE(table<std::string, double>({
      {"fp64", 64},       {"fp32", 32},      {"tf32", 32},         {"bf16", 16},         {"fp16", 16},         {"fp8_e4m3", 8},
      {"fp8_e5m2", 8},    {"mxfp8", 8.25},   {"mxfp8_e5m2", 8.25}, {"mxfp6_e3m2", 6.25}, {"mxfp6_e2m3", 6.25}, {"mxfp4", 4.25},
      {"mxint8", 8.25},   {"nvfp4", 4.5},    {"nf4", 4.5},         {"int64", 64},        {"int32", 32},        {"int16", 16},
      {"int8", 8},        {"int4", 4},       {"int2", 2},          {"int1", 1},          {"int4_g128", 4.125}, {"int4_g128_zp", 4.15625},
      {"int4_g64", 4.25}, {"int4_g32", 4.5}, {"int8_g128", 8.125}, {"q8_0", 8.5},        {"q6_k", 6.5625},     {"q5_k", 5.5},
      {"q4_k", 4.5},      {"q4_1", 5},       {"q4_0", 4.5},        {"q3_k", 3.4375},     {"q2_k", 2.625},      {"q4_k_m", 4.8515625},
  }));
  INFO(name);
  const Format& format = all()[id_of(name)];
  CHECK(format.effective_bits() == bits);
  CHECK(format.bytes() == bits / 8);
}

TEST_CASE("formats: operands in a format") {
  CHECK(all()[id_of("int8")].describe("weights") == "INT8 weights");
  CHECK(all()[id_of("int4_g128_zp")].describe("weights") == "INT4 weights in groups of 128, zero point");
}

TEST_CASE("formats: names that users write") {
  const auto [name, id] = GENERATE(table<std::string, std::string>({
      {"INT8", "int8"},
      {"s8", "int8"},
      {"qint8", "int8"},
      {"uint8", "int8"},
      {"bool", "int8"},
      {"torch.quint8", "int8"},
      {"f16", "fp16"},
      {"half", "fp16"},
      {"Float16", "fp16"},
      {"torch.float16", "fp16"},
      {"c10::Half", "fp16"},
      {"FP-16", "fp16"},
      {"tensor(float16)", "fp16"},
      {"tensor(float)", "fp32"},
      {"DT_FLOAT", "fp32"},
      {"float", "fp32"},
      {"tf.float32", "fp32"},
      {"DOUBLE", "fp64"},
      {"numpy.float64", "fp64"},
      {"BF16", "bf16"},
      {"bfloat16", "bf16"},
      {"c10::BFloat16", "bf16"},
      {"FP8", "fp8_e4m3"},
      {"e4m3fn", "fp8_e4m3"},
      {"torch.float8_e4m3fn", "fp8_e4m3"},
      {"FP8_E5M2", "fp8_e5m2"},
      {"E5M2", "fp8_e5m2"},
      {"MXFP8_E4M3", "mxfp8"},
      {"MXFP6", "mxfp6_e3m2"},
      {"FP4", "mxfp4"},
      {"NVFP4_KV", "nvfp4"},
      {"long", "int64"},
      {"int", "int32"},
      {"Q4_K", "q4_k"},
      {"Q4_K_M", "q4_k_m"},
      {"GGML_TYPE_Q6_K", "q6_k"},
      {"INT4-g128", "int4_g128"},
      {"uint4", "int4"},
      {"TF32", "tf32"},
  }));
  INFO(name);
  CHECK(resolve(name) == id);
}

TEST_CASE("formats: every id and alias resolves to its format, in any case") {
  for (const Format& format : all().all()) {
    CHECK(resolve(format.id) == format.id);
    for (const std::string& alias : format.aliases) {
      INFO(alias);
      CHECK(resolve(alias) == format.id);
      std::string upper = alias;
      for (char& c : upper)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      CHECK(resolve(upper) == format.id);
    }
  }
}

TEST_CASE("formats: an unknown name never resolves") {
  for (const char* name :
       {"", " ", "fp15", "fp", "8", "16", "int12", "float128", "complex64", "fp16x", "xfp16", "..", "torch.", "fp8_e3m4", "string"}) {
    INFO(name);
    CHECK(resolve(name).empty());
  }
}

TEST_CASE("formats: near matches") {
  CHECK(all().near("fp15") == std::vector<std::string>{"fp16"});
  CHECK(all().near("flaot16") == std::vector<std::string>{"fp16", "bf16"});
  CHECK(all().near("nvpf4") == std::vector<std::string>{"nvfp4"});
  CHECK(all().near("int9") == std::vector<std::string>{"int8", "int4", "int2"});  // ids before aliases, wide before narrow
  CHECK(all().near("quaternion").empty());
  CHECK(all().near("").empty());
  CHECK(all().near(std::string(100000, 'f')).empty());
}

TEST_CASE("formats: which formats hold every element of another exactly") {
  const auto holds = [](const char* outer, const char* inner) { return all().holds(id_of(outer), id_of(inner)); };
  for (const Format& format : all().all()) CHECK(holds(format.id.c_str(), format.id.c_str()));

  CHECK(holds("fp32", "fp16"));
  CHECK(holds("fp32", "bf16"));
  CHECK(holds("fp64", "fp32"));
  CHECK(holds("tf32", "bf16"));
  CHECK(holds("tf32", "fp16"));
  CHECK_FALSE(holds("tf32", "fp32"));
  CHECK_FALSE(holds("bf16", "fp16"));  // fewer mantissa bits
  CHECK_FALSE(holds("fp16", "bf16"));  // smaller range
  CHECK(holds("fp16", "fp8_e4m3"));
  CHECK(holds("fp16", "fp8_e5m2"));
  CHECK_FALSE(holds("fp8_e4m3", "fp8_e5m2"));
  CHECK_FALSE(holds("fp8_e5m2", "fp8_e4m3"));
  CHECK(holds("fp8_e4m3", "mxfp4"));
  CHECK(holds("fp8_e4m3", "mxfp6_e2m3"));
  CHECK(holds("fp8_e4m3", "mxfp6_e3m2"));
  CHECK_FALSE(holds("fp8_e5m2", "mxfp6_e2m3"));

  CHECK(holds("fp16", "int8"));
  CHECK(holds("bf16", "int8"));  // 7 magnitude bits in 8
  CHECK_FALSE(holds("fp16", "int16"));
  CHECK(holds("fp32", "int16"));
  CHECK_FALSE(holds("fp32", "int32"));
  CHECK(holds("fp64", "int32"));
  CHECK_FALSE(holds("fp64", "int64"));
  CHECK(holds("fp8_e4m3", "int4"));
  CHECK(holds("fp8_e5m2", "int4"));  // 3 magnitude bits in 3
  CHECK_FALSE(holds("mxfp4", "int4"));
  CHECK_FALSE(holds("mxfp6_e2m3", "int4"));  // -8 is beyond 7.5
  CHECK(holds("mxfp4", "int2"));

  CHECK(holds("int8", "int4"));
  CHECK(holds("int8", "q4_k"));
  CHECK_FALSE(holds("int4", "int8"));
  CHECK_FALSE(holds("int32", "fp8_e4m3"));  // a fraction is no integer
  CHECK_FALSE(holds("int8", "mxfp4"));

  CHECK(holds("fp32", "nf4"));  // a code book of FP32 values
  CHECK_FALSE(holds("fp16", "nf4"));
  CHECK_FALSE(holds("nf4", "int1"));
}

TEST_CASE("formats: every fallback is a known, different format, and every chain contains FP32") {
  for (const Format& format : all().all()) {
    INFO(format.id);
    REQUIRE_FALSE(format.fallback.empty());
    bool has_fp32 = false;
    std::set<std::string> seen{format.id};
    for (const std::string& next : format.fallback) {
      INFO(next);
      CHECK(resolve(next) == next);
      CHECK(seen.insert(next).second);
      CHECK(all()[id_of(next)].block == 1);
      if (next == "fp32" || format.id == "fp32") has_fp32 = true;
    }
    CHECK(has_fp32);
  }
}

TEST_CASE("formats: a chain has the formats that hold every element before the others") {
  for (const Format& format : all().all()) {
    if (format.id == "int32" || format.id == "nf4") continue;  // docs/reference/presets.md says why
    INFO(format.id);
    bool exact = true;
    for (const std::string& next : format.fallback) {
      const bool holds = all().holds(id_of(next), id_of(format.id));
      CHECK((exact || !holds));
      exact = holds;
    }
  }
}

TEST_CASE("formats: fallback chains") {
  const auto starts_with = [](const char* name, std::vector<std::string> first) {
    std::vector<std::string> chain = all()[id_of(name)].fallback;
    REQUIRE(chain.size() >= first.size());
    chain.resize(first.size());
    CHECK(chain == first);
  };
  starts_with("mxfp4", {"fp8_e4m3", "fp16"});
  starts_with("nvfp4", {"fp8_e4m3", "fp16"});
  starts_with("fp8_e4m3", {"fp16"});
  starts_with("int4", {"int8", "fp16"});
  starts_with("int8", {"fp16"});
  starts_with("q4_k", {"int4", "int8", "fp16"});
  starts_with("q4_k_m", {"int4", "int8", "fp16"});
}

TEST_CASE("normalised: letters and digits only, lower case") {
  CHECK(normalised("NVIDIA H100-SXM") == "nvidiah100sxm");
  CHECK(normalised("llama-3.1_405B") == "llama31405b");
  CHECK(normalised("--") == "");
  CHECK(normalised("\xC3\x84x") == "x");
}

TEST_CASE("near_matches: best first, at most three, none too different") {
  const std::vector<std::string> names{"softmax", "matmul", "addmm", "bmm", "mul", "mm"};
  CHECK(near_matches("matmull", names) == std::vector<std::string>{"matmul"});
  CHECK(near_matches("amtmul", names) == std::vector<std::string>{"matmul"});
  CHECK(near_matches("SOFT-MAX", names) == std::vector<std::string>{"softmax"});
  CHECK(near_matches("mmm", names) == std::vector<std::string>{"bmm", "mm"});
  CHECK(near_matches("mul", names) == std::vector<std::string>{"mul", "matmul"});  // a part of a name is near it
  CHECK(near_matches("convolution", names).empty());
  CHECK(near_matches("a", {"a1", "a2", "a3", "a4"}).size() == 3);
}
