// The calculator: requests, rows, and the golden cases of the tool it replaces.
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/session/session.hpp>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

Calculation calculation(const std::string& type, const std::vector<std::string>& parameters, const std::vector<std::string>& formats) {
  auto made = parse_calculation(type, parameters, formats);
  INFO((made ? std::string() : made.error().text()));
  REQUIRE(made);
  return std::move(*made);
}

Workload rows(const std::string& type, const std::vector<std::string>& parameters, const std::vector<std::string>& formats) {
  auto made = workload_of(calculation(type, parameters, formats));
  INFO((made ? std::string() : made.error().text()));
  REQUIRE(made);
  return std::move(*made);
}

std::string refused(const std::string& type, const std::vector<std::string>& parameters, const std::vector<std::string>& formats = {}) {
  const auto made = parse_calculation(type, parameters, formats);
  if (!made) return made.error().text();
  const auto workload = workload_of(*made);
  return workload ? "" : workload.error().text();
}

Machine simple(double peak, double bandwidth) { return simple_machine("simple", "Simple", peak, bandwidth); }

}  // namespace

TEST_CASE("calculator: golden cases, matrix times vector on a Jetson Orin Nano at 60 GB/s", "[calculator]") {
  const Workload w = rows("gemv", {"n=4096", "k=4096"}, {"fp16", "int8", "int4"});
  Machine m = simple(2.7e12, 60e9);
  m.matrix = {peak("fp16", 2.7e12), peak("int8", 5.5e12)};
  const Scenario s = on(m);
  const Plan plan(w, s);
  const OpAnalysis fp16 = plan.analyze(0), int8 = plan.analyze(1), int4 = plan.analyze(2);
  for (const OpAnalysis& a : {fp16, int8, int4}) {
    CHECK(a.flops == 33554432);
    CHECK(a.bound_by == 1);
  }
  CHECK(fp16.bytes == 33570816);
  CHECK(int8.bytes == 16785408);
  CHECK(int4.bytes == 8392704);
  CHECK(fp16.predicted_time_s == Approx(559.5136e-6).epsilon(1e-14));
  CHECK(int8.predicted_time_s == Approx(279.7568e-6).epsilon(1e-14));
  CHECK(int4.predicted_time_s == Approx(139.8784e-6).epsilon(1e-14));
  CHECK(fp16.attainable_flops == Approx(0.05997071742313324e12).epsilon(1e-15));
  CHECK(fp16.intensity == Approx(0.9995119570522206).epsilon(1e-15));
  CHECK(int8.intensity == Approx(1.9990239141044412).epsilon(1e-15));
  CHECK(int4.intensity == Approx(3.9980478282088825).epsilon(1e-15));
}

TEST_CASE("calculator: golden cases, a matrix product of 4096 cubed", "[calculator]") {
  const Workload w = rows("gemm", {"m=4096", "n=4096", "k=4096"}, {"fp16", "nvfp4"});
  Machine m = simple(200e12, 1000e9);
  m.matrix = {peak("fp16", 200e12), peak("nvfp4", 800e12)};
  const Scenario s = on(m);
  const OpAnalysis fp16 = Plan(w, s).analyze(0), nvfp4 = Plan(w, s).analyze(1);
  CHECK(fp16.bytes == 100663296);
  CHECK(fp16.predicted_time_s == Approx(687.19476736e-6).epsilon(1e-14));
  CHECK(fp16.intensity == Approx(4096.0 / 3).epsilon(1e-15));
  CHECK(fp16.bound_by == 0);
  CHECK(nvfp4.predicted_time_s == Approx(171.79869184e-6).epsilon(1e-14));
  // The tool adds a 32-bit scale per 1024 elements, 4.53125 bits and 28508160 bytes; the format's scale is per tensor: 4.5 bits.
  CHECK(nvfp4.bytes == 3 * 4096.0 * 4096 * 4.5 / 8);
}

TEST_CASE("calculator: golden case, attention of 32 heads over 2048 tokens", "[calculator]") {
  const Workload w = rows("attention", {"batch=1", "heads=32", "query_length=2048", "head_dim=128"}, {"fp16"});
  CHECK(w.matrix_flops[0] == 68719476736);
  CHECK(w.bytes[0] == 67108864);
  CHECK(w.matrix_flops[0] / w.bytes[0] == 1024);
  CHECK(w.vector_flops[0] == 5.0 * 32 * 2048 * 2048);  // the softmax, which the tool leaves out
}

// The tool's Llama-3 8B, decoding one token at a context of 4096 in FP16: 15590623744 bytes, 17180065792 FLOPs.
TEST_CASE("calculator: golden case, the operators of one decoded token", "[calculator]") {
  struct Part {
    double times;
    const char* type;
    std::vector<std::string> parameters;
    double their_vector_flops;  // where it counts otherwise
  };
  const double layers = 32;
  const Part parts[] = {
      {2 * layers, "gemm", {"n=4096", "k=4096"}, 0},
      {2 * layers, "gemm", {"n=1024", "k=4096"}, 0},
      {layers, "gemm", {"batch=8", "m=4", "n=4096", "k=128"}, 0},
      {layers, "softmax", {"input_shape=32,4096"}, 5.0 * 32 * 4096},
      {layers, "gemm", {"batch=8", "m=4", "n=128", "k=4096"}, 0},
      {layers, "rms_norm", {"input_shape=1,4096", "affine=false"}, 5.0 * 4096},
      {2 * layers, "gemm", {"n=14336", "k=4096"}, 0},
      {layers, "gemm", {"n=4096", "k=14336"}, 0},
      {layers, "silu_mul", {"input_self=1,14336", "input_other=1,14336"}, 3.0 * 14336},
      {2 * layers, "add", {"input_self=1,4096", "input_other=1,4096"}, 4096},
      {1, "gemm", {"n=128256", "k=4096"}, 0},
  };
  double bytes = 0, flops = 0;
  for (const Part& part : parts) {
    const Workload w = rows(part.type, part.parameters, {"fp16"});
    bytes += part.times * w.bytes[0];
    flops += part.times * (w.matrix_flops[0] + part.their_vector_flops);
  }
  CHECK(bytes == 15590623744);
  CHECK(flops == 17180065792);
}

TEST_CASE("calculator: totals of PyTorch's and fvcore's own tests, operator by operator", "[calculator]") {
  const auto flops = [](const char* type, const std::vector<std::string>& parameters) {
    return rows(type, parameters, {"fp32"}).matrix_flops[0];
  };
  // PyTorch: mm, addmm, matmul, einsum and a linear layer.
  CHECK(flops("mm", {"m=4", "k=5", "n=6"}) + flops("addmm", {"inputs=[[4,6],[4,5],[5,6]]"}) + flops("matmul", {"m=5", "k=6", "n=7"}) +
            flops("matmul", {"m=6", "k=7", "n=8"}) + flops("linear", {"input_shape=8,9", "weight_shape=10,9"}) ==
        3012);
  // A product and its two gradients.
  CHECK(3 * flops("mm", {"m=5", "k=5", "n=5"}) == 750);
  // fvcore, MACs: nct,ncp->ntp of (1, 5, 2) and (1, 5, 12); nc,nchw->hw of (3, 4) and (3, 4, 2, 3).
  CHECK(flops("bmm", {"batch=1", "m=2", "k=5", "n=12"}) == 2 * 120);
  CHECK(flops("mm", {"m=1", "k=12", "n=6"}) == 2 * 72);
  // ResNet-18 at 224 x 224: PyTorch counts 10884440064 forward and backward, three times the forward pass.
  struct Layer {
    double times;
    int size, in, out, kernel, stride;
  };
  const Layer layers[] = {{1, 224, 3, 64, 7, 2},   {4, 56, 64, 64, 3, 1},   {1, 56, 64, 128, 3, 2},  {3, 28, 128, 128, 3, 1},
                          {1, 56, 64, 128, 1, 2},  {1, 28, 128, 256, 3, 2}, {3, 14, 256, 256, 3, 1}, {1, 28, 128, 256, 1, 2},
                          {1, 14, 256, 512, 3, 2}, {3, 7, 512, 512, 3, 1},  {1, 14, 256, 512, 1, 2}};
  double forward = flops("linear", {"input_shape=1,512", "weight_shape=1000,512"});
  for (const Layer& l : layers) {
    const std::string size = std::to_string(l.size);
    forward += l.times * flops("conv2d", {"input_shape=1," + std::to_string(l.in) + ',' + size + ',' + size,
                                          "output_channels=" + std::to_string(l.out), "kernel_size=" + std::to_string(l.kernel),
                                          "stride=" + std::to_string(l.stride), "padding=" + std::to_string(l.kernel / 2)});
  }
  CHECK(3 * forward == 10884440064);
}

TEST_CASE("calculator: one row per format, in the order given", "[calculator]") {
  const Workload w = rows("gemm", {"m=2", "n=3", "k=5", "weight_type=int8"}, {"bf16", "fp16:fp32", "FP8::fp32"});
  REQUIRE(w.size() == 3);
  CHECK(w.source == "gemm m=2 n=3 k=5 weight_type=int8");
  CHECK(w.source_format == SourceFormat::calculation);
  CHECK(w.name_of(0) == "bf16");
  CHECK(w.name_of(1) == "fp16:fp32");
  CHECK(w.name_of(2) == "fp8_e4m3::fp32");
  const auto id = [](FormatId f) { return Formats::catalogue()[f].id; };
  CHECK(id(w.class_of(0).weight) == "int8");  // a parameter holds for every row
  CHECK(id(w.class_of(1).activation) == "fp32");
  CHECK(id(w.class_of(1).output) == "fp32");
  CHECK(id(w.class_of(2).activation) == "fp8_e4m3");
  CHECK(id(w.class_of(2).output) == "fp32");
  CHECK(rows("gemm", {"n=3", "k=5"}, {}).name_of(0) == "fp16");
  const Workload a = rows("attention", {"heads=8", "head_dim=64", "query_length=1", "context=128"}, {"fp16:fp16::int8"});
  CHECK(id(a.class_of(0).kv) == "int8");
}

TEST_CASE("calculator: what is wrong with a request", "[calculator]") {
  CHECK(refused("gemn", {}) == "unknown operator \"gemn\": did you mean matmul or gemv?");
  CHECK(refused("gemm", {"kk=3"}) == "kk: is no parameter of matmul: did you mean k?");
  CHECK(refused("gemm", {"m"}) == "m: expected KEY=VALUE, such as n=4096");
  CHECK(refused("gemm", {"n=4", "k=4"}, {"fp15"}) == "--formats: unknown format \"fp15\": did you mean fp16?");
  CHECK(refused("gemm", {"n=4", "k=4"}, {""}).find("no format is named") != std::string::npos);
  CHECK(refused("gemm", {"n=4", "k=4"}, {"fp16:fp16:fp16:fp16:fp16"}).find("four parts") != std::string::npos);
  CHECK(refused("gemm", {"n=4", "k=4", "dtype=int8"}) == "dtype: is given by the formats to compare: expected no data_type");
  CHECK(parse_calculation("linear", {"input_shape=4,16", "output_channels=8"}, {"fp16"}));
  CHECK(refused("gemm", {"n=0", "k=4"}) == "n: is 0: expected a positive whole number");
  CHECK(refused("gemm", {"n=4", "k=1.5"}) == "k: is 1.5: expected a positive whole number");
  CHECK(refused("gemm", {"n=4", "k=many"}) == "k: is a string: expected a positive whole number");
  CHECK(refused("conv", {"input_shape=1,64", "output_channels=8", "kernel_size=3"}) ==
        "input_shape: [1, 64] has 2 dimensions: expected at least 3");
  CHECK(refused("gemm", {"n=4", "k=4", "weight_type=fp15"}).find("unknown weight_type \"fp15\"") != std::string::npos);
  CHECK(parse_calculation("[]").error().text().find("type: is null; expected an operator") == 0);
  CHECK(parse_calculation(R"({"type": "gemm", "parameters": 3})").error().text().find("parameters: expected an object") == 0);
}

TEST_CASE("calculator: a session opens an operator and shows its formulas with the numbers put in", "[calculator][session]") {
  Session session;
  const std::string request = R"({"type": "gemm", "parameters": {"m": 1, "n": 4096, "k": 4096}, "formats": ["fp16", "int8"]})";
  const Json opened = Json::parse(session.build("operator", request));
  CHECK(number_of(member(opened["opened"], "ops")) == 2);
  CHECK(text_of(opened["opened"]["format"]) == "operator");
  const Json detail = Json::parse(session.detail(0, ""));
  CHECK(text_of(detail["formulas"][0]["with_numbers"]) == "2 * B * M * N * K = 2 * 1 * 1 * 4096 * 4096 = 33554432");
  CHECK(Json::parse(session.build("operator", R"({"type": "gemm", "parameters": {"n": -1}})")).contains("error"));
  CHECK(number_of(member(Json::parse(session.frame().json)["all"], "ops")) == 2);  // what was open still is
}

TEST_CASE("calculator: the error of a comparison is that of the coarsest operand, the output too", "[calculator]") {
  const Workload w = rows("gemm", {"m=64", "n=64", "k=64"}, {"fp16", "fp16:fp16:int2"});
  const Scenario scenario = on(simple(1e12, 1e11));
  const std::vector<FormatComparison> compared = compare_formats(Plan(w, scenario), 0);
  CHECK(compared[1].sqnr_db == sqnr_db(format("int2"), Sample::gaussian));
  CHECK(compared[1].sqnr_db < compared[0].sqnr_db);
}
