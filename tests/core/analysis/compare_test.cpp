// Two runs: matching, changes, totals. Figures: worked by hand on a machine of 100 FLOP/s and 10 B/s.
#include <cmath>
#include <roofline/analysis/selection.hpp>
#include <roofline/write/compare.hpp>
#include <roofline/write/markdown.hpp>

#include "json.hpp"
#include "support.hpp"

namespace roofline {
namespace {

const char* header = "name,type,M,N,K,dtype,time_us\n";

struct Runs {
  Workload before, after;
  Scenario scenario = on(simple_machine("m", "M", 1e12, 1e11));
  Plan a, b;
  Comparison c;
  Runs(const std::string& x, const std::string& y)
      : before(open(header + x)), after(open(header + y)), a(before, scenario), b(after, scenario), c(compare(a, b)) {}
  [[nodiscard]] Finding finding() const { return compare_finding(a, b, c.totals, c.predicted); }
  [[nodiscard]] std::string headline() const { return finding().text(); }
};

std::string written(const Runs& r, decltype(&write_compare_json) write) {
  std::string out;
  write(r.a, r.b, r.c, {}, [&](std::string_view piece) { out += piece; });
  return out;
}

TEST_CASE("A comparison says above the roof, not an efficiency beyond 100%", "[compare]") {
  const Runs r("one,gemm,1024,1024,1024,f16,100\n", "one,gemm,1024,1024,1024,f16,200\n");  // 2.1 ms at the roof
  const std::string table = written(r, [](const Plan& a, const Plan& b, const Comparison& c, const CompareOptions& o, const Sink& sink) {
    write_compare_table(a, b, c, o, sink);
  });
  CHECK(table.find("above the roof") != std::string::npos);
  CHECK(table.find('%') == table.rfind('%'));  // of the time lost alone
  const Json json = Json::parse(written(r, write_compare_json));
  CHECK((json["ops"][0]["above_roof_a"] == true && json["ops"][0]["above_roof_b"] == true));
}

TEST_CASE("A comparison says what each operation computes as", "[compare]") {
  const Runs r("one,gemm,64,64,64,f16,10\n", "one,gemm,64,64,64,bf16,9\n");
  const Json json = Json::parse(written(r, write_compare_json));
  CHECK((json["ops"][0]["format_a"] == "fp16" && json["ops"][0]["format_b"] == "bf16"));
}

TEST_CASE("Changes are sorted by their size, and totals add up", "[compare]") {
  const Runs r("one,gemm,64,64,64,f16,10\ntwo,gemm,64,64,64,f16,30\nthree,gemm,64,64,64,f16,5\ngone,gemm,8,8,8,f16,2\n",
               "three,gemm,64,64,64,f16,7\ntwo,gemm,64,64,64,f16,10\none,gemm,64,64,64,f16,9\nnew,gemm,2,2,2,f16,4\n");
  REQUIRE(r.c.ops.size() == 5);
  CHECK(r.c.totals.matched == 3);
  CHECK(r.c.totals.appeared == 1);
  CHECK(r.c.totals.vanished == 1);
  CHECK_FALSE(r.c.predicted);
  const auto& o = r.c.ops;
  CHECK((o[0].a == 1 && o[0].b == 1));
  CHECK_THAT(o[0].time_saved_s, WithinRel(20e-6, 1e-12));
  CHECK_THAT(o[0].time_ratio, WithinRel(1.0 / 3, 1e-12));
  CHECK((o[1].a == no_op && o[1].b == 3));  // what appeared costs its 4 us
  CHECK_THAT(o[1].time_saved_s, WithinRel(-4e-6, 1e-12));
  CHECK((o[2].a == 2 && o[2].b == 0));  // slower by 2 us
  CHECK_THAT(o[2].time_ratio, WithinRel(1.4, 1e-12));
  CHECK((o[3].a == 3 && o[3].b == no_op));  // what vanished saves its 2 us
  CHECK_THAT(o[3].time_saved_s, WithinRel(2e-6, 1e-12));
  CHECK((o[4].a == 0 && o[4].b == 2));
  CHECK(std::isnan(o[1].time_ratio));
  CHECK_THAT(r.c.totals.time_a_s, WithinRel(47e-6, 1e-12));
  CHECK_THAT(r.c.totals.time_b_s, WithinRel(30e-6, 1e-12));
  CHECK_THAT(r.c.totals.matched_time_a_s, WithinRel(45e-6, 1e-12));
  CHECK_THAT(r.c.totals.matched_time_b_s, WithinRel(26e-6, 1e-12));
  // 2 * 64^3 FLOPs at 1 TFLOP/s take 0.524288 us, and 3 * 64^2 * 2 bytes at 100 GB/s take 0.24576 us.
  CHECK_THAT(o[0].efficiency_change, WithinRel(0.524288 / 10 - 0.524288 / 30, 1e-9));
  CHECK(r.headline() ==
        "17 µs saved (36%); operations in both runs saved 19 µs. two alone saved 20 µs; 2 faster, 1 slower; 1 appeared, 1 vanished. "
        "Largest slowdown: three, 2 µs.");
}

TEST_CASE("Equal operations are matched in order, changed shapes by name", "[compare]") {
  const Runs r("k,gemm,64,64,64,f16,1\nk,gemm,64,64,64,f16,2\nk,gemm,32,32,32,f16,3\n",
               "k,gemm,32,32,32,f16,4\nk,gemm,64,64,64,f16,5\nk,gemm,64,64,64,f16,6\n");
  REQUIRE(r.c.totals.matched == 3);
  for (const OpChange& o : r.c.ops) {
    if (o.a == 0) CHECK(o.b == 1);
    if (o.a == 1) CHECK(o.b == 2);
    if (o.a == 2) CHECK(o.b == 0);
  }
  const Runs grown("k,gemm,64,64,64,f16,1\n", "k,gemm,128,64,64,f16,1\n");
  CHECK(grown.c.totals.matched == 1);
  const Runs other("k,gemm,64,64,64,f16,1\n", "k,bmm,64,64,64,f16,1\n");
  CHECK(other.c.totals.matched == 0);
}

TEST_CASE("What is left over is matched by type and work, and it says so", "[compare]") {
  const std::string rows = "same,gemm,64,64,64,f16,1\n";
  const Runs r(rows + "q_proj,gemm,32,32,32,f16,10\nk_proj,gemm,32,32,32,f16,20\ngone,gemm,16,32,16,f16,3\n",
               rows + "fused_0,gemm,32,32,32,f16,5\nfused_1,gemm,32,32,32,f16,10\nother,bmm,16,32,16,f16,3\n");
  CHECK((r.c.totals.matched == 3 && r.c.totals.renamed == 2 && r.c.totals.vanished == 1 && r.c.totals.appeared == 1));
  for (const OpChange& o : r.c.ops)
    if (o.a != no_op && o.b != no_op) CHECK((o.renamed == (o.a > 0) && o.b == o.a));  // equal ones in order
  CHECK(r.headline() ==
        "15 µs saved (44%). k_proj → fused_1 alone saved 10 µs; 2 faster, 0 slower, 1 unchanged; 1 appeared, 1 vanished. "
        "2 renamed operations are matched by type and shape.");
  // A time alone is no work: nothing says that these two are the same.
  const Workload x = open("name,time_us\nx,1\n"), y = open("name,time_us\ny,1\n");
  CHECK(compare(Plan(x, r.scenario), Plan(y, r.scenario)).totals.matched == 0);
}

namespace {

/// The layer list of an engine: a convolution, and one that adds a residual, both of the same shape.
std::string engine(const char* format, const char* residual, const char* first, const char* second) {
  const auto operand = [](const char* in) { return std::string(R"({"Dimensions":[1,64,56,56],"Format/Datatype":")") + in + "\"}"; };
  const auto layer = [&](const char* name, const std::string& inputs) {
    return std::string(R"({"Name":")") + name + R"(","LayerType":"CaskConvolution","ParameterType":"Convolution","Kernel":[3,3],)" +
           R"("Stride":[1,1],"PrePadding":[1,1],"PostPadding":[1,1],"OutMaps":64,"Weights":{"Type":"Half","Count":36864},"Inputs":[)" +
           inputs + R"(],"Outputs":[)" + operand(format) + "]}";
  };
  return R"({"Layers":[)" + layer(first, operand(format)) + ',' + layer(second, operand(format) + ',' + operand(residual)) + "]}";
}

/// A profile of ONNX Runtime: one product by each name, of the same size.
std::string session(const char* type, std::initializer_list<const char*> names) {
  std::string out;
  const std::string one = R"({"int8":[1]},)", scales = std::string_view(type) == "MatMul" ? "" : one + one;
  for (const char* name : names)
    out += std::string(out.empty() ? "[" : ",") + R"({"cat":"Node","name":")" + name +
           R"(_kernel_time","ts":1,"dur":5,"args":{"op_name":")" + type + R"(","input_type_shape":[{"int8":[8,16]},)" + scales +
           R"({"int8":[16,32]}],"output_type_shape":[{"int8":[8,32]}]}})";
  return out + ']';
}

Comparison compared(const std::string& before, const std::string& after) {
  const Workload a = open(before), b = open(after);
  const Scenario s = on(simple_machine("m", "M", 1e12, 1e11));
  return compare(Plan(a, s), Plan(b, s));
}

/// The later operation of each earlier one; -1: none.
std::vector<int> later(const Comparison& c) {
  std::map<std::uint32_t, int> found;
  for (const OpChange& o : c.ops)
    if (o.a != no_op) found[o.a] = o.b == no_op ? -1 : static_cast<int>(o.b);
  std::vector<int> out;
  for (const auto& [a, b] : found) out.push_back(b);
  return out;
}

}  // namespace

TEST_CASE("A residual in another format does not keep a fused convolution from being matched", "[compare]") {
  const Comparison c = compared(engine("FP16", "FP16", "Conv_3 + Relu_4", "Conv_5 + Add_6"),
                                engine("Int8", "FP16", "w1 + QuantizeLinear_20 + Conv_22", "w2 + QuantizeLinear_32 + Conv_34 + Add_36"));
  CHECK(later(c) == std::vector{0, 1});
  CHECK(c.totals.renamed == 2);
}

TEST_CASE("Quantised nodes are matched by name and type without the quantiser's additions", "[compare]") {
  // The quantised ones in another order: they are matched by name.
  const Comparison c =
      compared(session("MatMul", {"/q/MatMul", "/k/MatMul"}), session("QLinearMatMul", {"/k/MatMul_quant", "/q/MatMul_quant"}));
  CHECK(later(c) == std::vector{1, 0});
  CHECK(c.totals.renamed == 0);
}

TEST_CASE("Names that are numbered anew are matched in order within type and shape", "[compare]") {
  const Runs r("Add_1,gemm,64,64,64,f16,1\nAdd_2,gemm,32,32,32,f16,1\nMul_3,gemm,64,64,64,f16,1\nAdd_4,gemm,64,64,64,f16,1\n",
               "Mul_1,gemm,64,64,64,f16,1\nAdd_2,gemm,64,64,64,f16,1\nAdd_4,gemm,32,32,32,f16,1\nAdd_9,gemm,64,64,64,f16,1\n");
  CHECK(later(r.c) == std::vector{1, 2, 0, 3});
  CHECK(r.c.totals.renamed == 4);
  // Never across shapes.
  const Runs other("Add_1,gemm,64,64,64,f16,1\n", "Add_2,gemm,32,32,32,f16,1\n");
  CHECK(later(other.c) == std::vector{-1});
  // The same names in both: wider layers, not other numbers.
  const Runs wider("fc1,gemm,64,64,64,f16,1\nfc2,gemm,64,128,64,f16,1\n", "fc1,gemm,64,128,64,f16,1\nfc2,gemm,64,256,64,f16,1\n");
  CHECK(later(wider.c) == std::vector{0, 1});
  CHECK(wider.c.totals.renamed == 0);
}

TEST_CASE("An operation in another format is matched by its name before similar names", "[compare]") {
  const Runs r("layer0.fc,gemm,64,64,64,f16,1\nlayer1.fc,gemm,64,64,64,f16,1\nlayer5.fc,gemm,64,64,64,f16,1\n",
               "layer1.fc,gemm,64,64,64,int8,1\nlayer0.fc,gemm,64,64,64,int8,1\nhead,gemm,8,64,64,f16,1\n");
  CHECK(later(r.c) == std::vector{1, 0, -1});
  CHECK(r.c.totals.renamed == 0);
  CHECK(r.headline().find("name") == std::string::npos);
  // As fast as before, yet not hidden among what is unchanged.
  CHECK(r.c.totals.unchanged == 2);
  CHECK(r.c.totals.reformatted == 2);
  CHECK_THAT(r.c.totals.reformatted_time_s, WithinRel(2e-6, 1e-12));
  CHECK(r.headline().find(" slower, 2 as fast in another format") != std::string::npos);
  CHECK(written(r, write_compare_table).find("layer0.fc") != std::string::npos);
}

TEST_CASE("Types are summed, the largest change first", "[compare]") {
  const Runs r("one,gemm,64,64,64,f16,10\ntwo,gemm,64,64,64,f16,30\nold,bmm,8,8,8,f16,2\nrelu,relu,8,8,8,f16,\n",
               "one,gemm,64,64,64,f16,9\nfar,softmax,64,64,64,f16,4\ntwo,gemm,64,64,64,f16,10\nrelu,relu,8,8,8,f16,3\n");
  REQUIRE(r.c.by_type.size() == 4);
  CHECK_FALSE(r.c.by_family);
  const auto& t = r.c.by_type;
  CHECK((t[0].type == "gemm" && t[0].ops_a == 2 && t[0].ops_b == 2));
  CHECK_THAT(t[0].time_a_s, WithinRel(40e-6, 1e-12));
  CHECK_THAT(t[0].time_b_s, WithinRel(19e-6, 1e-12));
  CHECK_THAT(t[0].time_saved_s, WithinRel(21e-6, 1e-12));
  CHECK_THAT(t[0].time_ratio, WithinRel(19.0 / 40, 1e-12));
  CHECK((t[1].type == "softmax" && t[1].ops_a == 0 && t[1].ops_b == 1));  // it only costs time
  CHECK_THAT(t[1].time_saved_s, WithinRel(-4e-6, 1e-12));
  CHECK((std::isnan(t[1].time_a_s) && std::isnan(t[1].time_ratio)));
  CHECK((t[2].type == "bmm" && t[2].ops_b == 0));
  CHECK_THAT(t[2].time_saved_s, WithinRel(2e-6, 1e-12));
  CHECK((t[3].type == "relu" && std::isnan(t[3].time_saved_s)));  // nobody measured it before
  Comparison sorted = r.c;
  const auto order = [&](ChangeOrder by, bool descending) {
    sorted = r.c;
    sort_changes(r.a, r.b, sorted, by, descending);
    std::string out;
    for (const TypeChange& each : sorted.by_type) out += each.type + ' ';
    return out;
  };
  CHECK(order(ChangeOrder::saved, true) == "gemm bmm softmax relu ");
  CHECK(order(ChangeOrder::saved, false) == "softmax bmm gemm relu ");
  CHECK(order(ChangeOrder::name, false) == "bmm gemm relu softmax ");
  CHECK(order(ChangeOrder::after, true) == "gemm softmax relu bmm ");
  CHECK(order(ChangeOrder::change, false) == "bmm softmax gemm relu ");
}

TEST_CASE("The headline names the two types that changed most if no operation explains the change, and counts those without a time",
          "[compare]") {
  const Runs r(
      "a,gemm,64,64,64,f16,10\nb,gemm,64,64,64,f16,10\nx,gemm,64,64,64,f16,10\nc,relu,8,8,8,f16,10\nd,relu,8,8,8,f16,10\nold,view,8,8,8,"
      "f16,\n",
      "a,gemm,64,64,64,f16,14\nb,gemm,64,64,64,f16,14\nx,gemm,64,64,64,f16,14\nc,relu,8,8,8,f16,9\nd,relu,8,8,8,f16,9\nnew,cast,8,8,8,f16,"
      "1\n"
      "newer,reshape,8,8,8,f16,\n");
  CHECK(r.headline() ==
        "11 µs lost (22%). gemm lost 12 µs, relu saved 2 µs; 2 faster (2 µs saved), 3 slower (12 µs lost); 2 appeared, 1 vanished, 2 of "
        "these 3 without a time.");
  // One operation lost more than the whole, but another type saved as much again.
  const Runs against("a,gemm,64,64,64,f16,50\nb,gemm,64,64,64,f16,50\nc,relu,8,8,8,f16,10\n",
                     "a,gemm,64,64,64,f16,35\nb,gemm,64,64,64,f16,40\nc,relu,8,8,8,f16,55\n");
  CHECK(against.headline() == "20 µs lost (18%). relu lost 45 µs, gemm saved 25 µs; 2 faster (25 µs saved), 1 slower (45 µs lost).");
}

TEST_CASE("The headline names the module that most of the change is in, if no operation explains it", "[compare]") {
  const Runs r(
      "stem,gemm,64,64,64,f16,10\nlayer1.0.a,gemm,64,64,64,f16,10\nlayer1.1.a,relu,64,64,64,f16,10\nlayer3.0.a,gemm,8,8,8,f16,10\n"
      "layer3.1.b,relu,8,8,8,f16,10\nlayer3.2.b,relu,8,8,9,f16,10\n",
      "stem,gemm,64,64,64,f16,10\nlayer1.0.a,gemm,64,64,64,f16,12\nlayer1.1.a,relu,64,64,64,f16,10\nlayer3.0.a,gemm,8,8,8,f16,7\n"
      "layer3.1.b,relu,8,8,8,f16,7\nlayer3.2.b,relu,8,8,9,f16,7\n");
  CHECK(r.c.totals.module.name == "layer3");
  CHECK(r.headline() ==
        "7 µs saved (12%). layer3 saved 9 µs in 3 operations; 3 faster (9 µs saved), 1 slower (2 µs lost), 2 unchanged. "
        "Largest slowdown: layer1.0.a, 2 µs.");
}

TEST_CASE("A name that several operations share is followed by the sizes of the product", "[compare]") {
  const Runs r("lib,gemm,64,64,64,f16,10\nlib,gemm,32,64,64,f16,10\nown,gemm,8,8,8,f16,10\n",
               "lib,gemm,64,64,64,f16,30\nlib,gemm,32,64,64,f16,10\nown,gemm,8,8,8,f16,10\n");
  CHECK(r.headline() == "20 µs lost (67%). lib 64x64x64 alone lost 20 µs; 0 faster, 1 slower, 2 unchanged.");
  CHECK(written(r, write_compare_csv).find(",false,lib 64x64x64\r\n") != std::string::npos);
  CHECK(written(r, write_compare_csv).find(",false,own\r\n") != std::string::npos);
}

TEST_CASE("A quantised operator counts with the one it replaces", "[compare]") {
  const Comparison c = compared(session("MatMul", {"a", "b"}), session("QLinearMatMul", {"c"}));
  REQUIRE(c.by_type.size() == 1);
  CHECK(c.by_type[0].type == "MatMul");
  CHECK(c.by_type[0].types == std::vector<std::string>{"MatMul", "QLinearMatMul"});
  CHECK((c.by_type[0].ops_a == 2 && c.by_type[0].ops_b == 1));
}

TEST_CASE("Runs that hardly share a type are summed by family", "[compare]") {
  const Runs r("a,aten::mm,64,64,64,f16,10\nb,relu,8,8,8,f16,5\n", "a,gemm,64,64,64,f16,7\nb,add,8,8,8,f16,4\n");
  CHECK(r.c.by_family);
  REQUIRE(r.c.by_type.size() == 2);
  CHECK(r.c.by_type[0].type == "matrix product");
  CHECK(r.c.by_type[0].types == std::vector<std::string>{"aten::mm", "gemm"});
  const Runs partly("a,aten::mm,64,64,64,f16,10\nb,relu,8,8,8,f16,50\n", "a,gemm,64,64,64,f16,9\nb,relu,8,8,8,f16,4\n");
  CHECK_FALSE(partly.c.by_family);
}

TEST_CASE("Convolutions of cuDNN and MIOpen are matched", "[compare]") {
  const auto run = [](const char* type, const char* more) {
    return open(R"([{"name": "here", "type": ")" + std::string(type) + R"(", "data_type": "bf16", "input_shape": [4, 3, 224, 224], )" +
                R"("output_channels": 768, "kernel_size": 16, "stride": 16, "time_us": 30)" + more + "}]");
  };
  const Workload before = run("aten::cudnn_convolution", ""), after = run("aten::miopen_convolution", R"(, "bias": true)");
  const Scenario s = on(simple_machine("m", "M", 1e12, 1e11));
  const Comparison c = compare(Plan(before, s), Plan(after, s));
  CHECK(later(c) == std::vector{0});
  REQUIRE(c.by_type.size() == 1);
  CHECK(c.by_type[0].type == "convolution");
}

TEST_CASE("The documents have the sums by type", "[compare]") {
  std::string before, after;
  for (int i = 0; i < 13; ++i) {
    before += "op" + std::to_string(i) + ",gemm,64,64,64,f16,10\n";
    after += "op" + std::to_string(i) + ",gemm,64,64,64,f16,5\n";
  }
  after += "extra,relu,8,8,8,f16,7\n";
  const Runs r(before, after);
  const Json json = Json::parse(written(r, write_compare_json));
  CHECK(json["sum_by"] == "type");
  CHECK(
      json["by_type"].dump() ==
      R"([{"type":"gemm","types":["gemm"],"ops_a":13,"ops_b":13,"time_a_s":0.00013,"time_b_s":6.5e-05,"time_ratio":0.5,"time_saved_s":6.5e-05},)"
      R"({"type":"relu","types":["relu"],"ops_a":0,"ops_b":1,"time_a_s":null,"time_b_s":7e-06,"time_ratio":null,"time_saved_s":-7e-06}])");
  const std::string table = written(r, write_compare_table);
  CHECK(table.find("\ntype    ops  before  after  ratio  time change\n") != std::string::npos);
  CHECK(table.find("\ngemm     13  130 µs  65 µs    0.5       -65 µs\nrelu  0 → 1       -   7 µs      -        +7 µs\n") !=
        std::string::npos);
  CHECK(table.find("\nop0 ") != std::string::npos);
  CHECK(written(r, write_compare_markdown).find("| gemm | 13 | 130 µs | 65 µs | 0.5 | -65 µs |") != std::string::npos);
  const auto types = [&](decltype(&write_compare_json) write) {
    std::string out;
    write(r.a, r.b, r.c, {.by_type = true}, [&](std::string_view piece) { out += piece; });
    return out;
  };
  CHECK(types(write_compare_csv) ==
        "type,ops_a,ops_b,time_a_s,time_b_s,time_ratio,time_saved_s\r\n"
        "gemm,13,13,0.00013,0.000065,0.5,0.000065\r\nrelu,0,1,,0.000007,,-0.000007\r\n");
  CHECK(types(write_compare_table).find("op0") == std::string::npos);
  CHECK(types(write_compare_markdown).find("op0") == std::string::npos);
  // A few operations are seen at a glance.
  const Runs few("one,gemm,64,64,64,f16,10\n", "one,gemm,64,64,64,f16,5\nrelu,relu,8,8,8,f16,7\n");
  CHECK(written(few, write_compare_table).find("\ntype ") == std::string::npos);
}

TEST_CASE("What changes by 2% or less is unchanged", "[compare]") {
  const Runs r("up,gemm,64,64,64,f16,100\ndown,gemm,64,64,64,f16,100\nnear,gemm,64,64,64,f16,100\nless,gemm,64,64,64,f16,100\n",
               "up,gemm,64,64,64,f16,103\ndown,gemm,64,64,64,f16,97\nnear,gemm,64,64,64,f16,101.9\nless,gemm,64,64,64,f16,98.1\n");
  for (const OpChange& o : r.c.ops)
    CHECK(o.verdict == std::array{Verdict::slower, Verdict::faster, Verdict::unchanged, Verdict::unchanged}[o.a]);
  CHECK_THAT(r.c.totals.unchanged_time_s, WithinRel(200e-6, 1e-12));
  CHECK(r.headline() == "As fast as before within 2% (400 µs). 1 faster, 1 slower, 2 unchanged.");
  // The totals differ by 0.25%, but 20 us is 5% of them.
  const Runs opposed("up,gemm,64,64,64,f16,200\ndown,gemm,64,64,64,f16,200\n", "up,gemm,64,64,64,f16,220\ndown,gemm,64,64,64,f16,181\n");
  CHECK(opposed.headline() == "As fast as before within 2% (401 µs), though up lost 20 µs. 1 faster, 1 slower.");
  const Runs replaced("old,gemm,64,64,64,f16,200\nrest,gemm,8,8,8,f16,800\n", "rest,gemm,8,8,8,f16,800\nnew,relu,8,8,8,f16,198\n");
  CHECK(replaced.headline() ==
        "As fast as before within 2% (998 µs), though old is gone, which saved 200 µs. 0 faster, 0 slower, 1 unchanged; 1 appeared, 1 "
        "vanished.");
}

TEST_CASE("The spread of repeated runs is no change", "[compare]") {
  const auto run = [](const char* time, const char* spread) {
    return open("name,M,N,K,dtype,time_us,time_std_us\nk,64,64,64,f16," + std::string(time) + ',' + spread + '\n');
  };
  const Scenario s = on(simple_machine("m", "M", 1e12, 1e11));
  const auto verdict = [&](const Workload& x, const Workload& y) { return compare(Plan(x, s), Plan(y, s)).ops[0].verdict; };
  // 110 and 100 us: within the root of 8^2 + 8^2 = 11.3 us, not within that of 6^2 + 6^2 = 8.5 us.
  CHECK(verdict(run("110", "8"), run("100", "8")) == Verdict::unchanged);
  CHECK(verdict(run("110", "6"), run("100", "6")) == Verdict::faster);
  CHECK(verdict(run("100", "0.1"), run("101", "0.1")) == Verdict::unchanged);  // 2% is the least
  CHECK(verdict(run("100", "12"), run("110", "")) == Verdict::unchanged);      // one of the runs says it
  // Of several times, the spread of the one that is read: a kernel's 5 us, not the operator's 50.
  const Workload two =
      open("name,M,N,K,dtype,std_duration_us,mean_duration_us,Kernel Time (us)_mean,Kernel Time (us)_std\nk,64,64,64,f16,50,200,100,5\n");
  REQUIRE(two.measures.size() == 1);
  CHECK(two.measures[0].name == "Time spread");
  CHECK_THAT(two.measures[0].values[0], WithinRel(5e-6, 1e-12));
  const Workload slow = run("110", "8"), fast = run("100", "8");
  const Plan before(slow, s), after(fast, s);
  CHECK(compare_finding(before, after, compare(before, after).totals, false).text() ==
        "As fast as before within the spread of repeated runs (100 µs). 0 faster, 0 slower, 1 unchanged.");
  // Traces: what elapsed with the idle time, and another machine.
  Workload slow_trace = run("110", ""), fast_trace = run("100", "");
  slow_trace.device_time = {1, 2e-3, 0.11e-3};
  fast_trace.device_time = {1, 3e-3, 0.1e-3};
  Scenario other = s;
  other.machine.name = "Other";
  const Plan first(slow_trace, s), second(fast_trace, other);
  const std::string said = compare_finding(first, second, compare(first, second).totals, false).text();
  CHECK(said == "From " + s.machine.name +
                    " to Other: 50% more time from first to last kernel (2 ms before, 3 ms after, with idle time), but 10 µs saved in the "
                    "operations (9.1%). 1 faster, 0 slower.");
  slow_trace.device_time = {1, 3.03e-3, 0.1101e-3};
  fast_trace.device_time = {1, 3e-3, 0.1e-3};
  Workload same_trace = run("110.5", "");
  same_trace.device_time = {1, 3e-3, 0.1e-3};
  const Plan unchanged(same_trace, s), base(slow_trace, s);
  CHECK(compare_finding(base, unchanged, compare(base, unchanged).totals, false).text().find("), but ") == std::string::npos);
  const auto extremes = [](const char* time, const char* low, const char* high) {
    return open("name,M,N,K,dtype,mean_us,min_us,max_us\nk,64,64,64,f16," + std::string(time) + ',' + low + ',' + high + '\n');
  };
  CHECK(verdict(extremes("110", "104", "124"), extremes("100", "90", "110")) == Verdict::unchanged);  // halves of 20 us: 14.1 us
  CHECK(verdict(extremes("110", "108", "112"), extremes("100", "98", "102")) == Verdict::faster);
}

TEST_CASE("No speed-up is claimed where little is in both runs", "[compare]") {
  const Runs r("k,gemm,64,64,64,f16,1\nold,gemm,8,8,8,f16,9\n", "k,gemm,64,64,64,f16,1\nnew,bmm,8,8,8,f16,3\n");
  CHECK_FALSE(r.c.totals.comparable());
  CHECK(r.headline() ==
        "Too few operations are in both runs to compare them: 1 operation, 10% of the time before and 25% of the time after. "
        "0 faster, 0 slower, 1 unchanged; 1 appeared, 1 vanished.");
  const Json json = Json::parse(written(r, write_compare_json));
  CHECK(json["summary"]["comparable"] == false);
  CHECK(json["summary"]["time_ratio"].is_null());
  CHECK_THAT(number_of(json["summary"]["time_saved_s"]), WithinRel(6e-6, 1e-12));
}

TEST_CASE("The figures of the sentence lead to what they are made from", "[compare]") {
  const Runs r("one,gemm,64,64,64,f16,10\ntwo,gemm,64,64,64,f16,30\n", "two,gemm,64,64,64,f16,13\none,gemm,64,64,64,f16,9\n");
  const Finding f = r.finding();
  CHECK(f.text() == "18 µs saved (45%). two alone saved 17 µs; 2 faster, 0 slower.");
  std::vector<std::string> figures;
  for (const Finding::Part& part : f.parts)
    if (part.from) figures.push_back(part.text + " = " + part.from->formula);
  CHECK(figures == std::vector<std::string>{"18 µs = 40 µs before - 22 µs after", "45% = (40 µs before - 22 µs after) / 40 µs",
                                            "two = 30 µs before - 13 µs after", "17 µs = 30 µs before - 13 µs after"});
  CHECK(f.parts[f.parts.size() - 5].from->op == std::optional<std::uint32_t>(0));  // in the later run

  const auto formulas = [](const Finding& finding) {
    std::string out;
    for (const Finding::Part& part : finding.parts)
      if (part.from) out += part.text + " = " + part.from->formula + ". ";
    return out;
  };
  const Runs slower("one,gemm,64,64,64,f16,22\n", "one,gemm,64,64,64,f16,40\n");
  CHECK(formulas(slower.finding()) == "18 µs = 40 µs after - 22 µs before. 82% = (40 µs after - 22 µs before) / 22 µs. ");
  const Runs same("one,gemm,64,64,64,f16,40\n", "one,gemm,64,64,64,f16,40.1\n");
  CHECK(formulas(same.finding()) == "40.1 µs = time after; before: 40 µs. ");
}

TEST_CASE("The table has what is unchanged in one line, or lists it", "[compare]") {
  const Runs r("one,gemm,64,64,64,f16,10\ntwo,gemm,64,64,64,f16,30\nthree,gemm,64,64,64,f16,5\n",
               "one,gemm,64,64,64,f16,5\ntwo,gemm,64,64,64,f16,30.1\nthree,gemm,64,64,64,f16,5\n");
  const auto table = [&](const CompareOptions& options) {
    std::string out;
    write_compare_table(r.a, r.b, r.c, options, [&](std::string_view piece) { out += piece; });
    return out;
  };
  CHECK(table({}).find("\n2 unchanged: 35.1 µs\n") != std::string::npos);
  CHECK(table({}).find("two ") == std::string::npos);
  CHECK(table({{}, true}).find("\ntwo    gemm  unchanged") != std::string::npos);
  CHECK(table({{}, true}).find("unchanged:") == std::string::npos);
  CHECK(table({1, true}).find("and 2 more with smaller changes") != std::string::npos);
}

TEST_CASE("Without times the bounds are compared", "[compare]") {
  const Runs r("k,gemm,64,64,64,f16,\n", "k,gemm,64,64,64,f32,9\n");
  CHECK(r.c.predicted);
  CHECK_THAT(r.c.ops[0].time_a_s, WithinRel(0.524288e-6, 1e-9));
  CHECK_THAT(r.c.ops[0].time_b_s, WithinRel(0.524288e-6, 1e-9));  // 49,152 bytes at 100 GB/s take less
}

TEST_CASE("Rates alone: the ratio of the rates", "[compare]") {
  const Workload before = open(R"([{"name":"k","tflops":2,"arithmeticIntensity":4}])"),
                 after = open(R"([{"name":"k","tflops":3,"arithmeticIntensity":4}])");
  const Scenario s = on(simple_machine("m", "M", 1e13, 1e12));
  const Comparison c = compare(Plan(before, s), Plan(after, s));
  CHECK_THAT(c.ops[0].time_ratio, WithinRel(2.0 / 3, 1e-12));
  CHECK(std::isnan(c.ops[0].time_saved_s));
}

TEST_CASE("Two machines", "[compare]") {
  const Workload w = open(std::string(header) + "k,gemm,64,64,64,f16,10\n");
  const Scenario slow = on(simple_machine("s", "S", 1e12, 1e11)), fast = on(simple_machine("f", "F", 2e12, 1e12));
  const Comparison c = compare(Plan(w, slow), Plan(w, fast));
  CHECK_THAT(c.ops[0].efficiency_change, WithinRel(-0.0524288 / 2, 1e-9));
}

TEST_CASE("A filter leaves a pair where either side is let through, and totals of both", "[compare]") {
  Runs r("one,gemm,64,64,64,f16,10\ntwo,gemm,64,64,64,f16,30\ngone,gemm,8,8,8,f16,2\nlost,gemm,4,4,4,f16,1\n",
         "two,gemm,64,64,64,f16,10\none,gemm,64,64,64,f16,12\nnew,gemm,2,2,2,f16,4\n");
  CHECK_FALSE(r.c.all);
  const auto only = [](const Plan& plan, RowMask rows) {
    RowSelection found;
    found.found = std::move(rows);
    return OpSet(plan, std::make_shared<RowSelection>(std::move(found)));
  };
  r.c = compare(only(r.a, {0, 1, 1, 0}), only(r.b, {0, 0, 1}));
  REQUIRE(r.c.ops.size() == 3);
  CHECK((r.c.ops[0].a == 1 && r.c.ops[0].b == 0));      // let through before, not after
  CHECK((r.c.ops[1].a == no_op && r.c.ops[1].b == 2));  // 4 us
  CHECK((r.c.ops[2].a == 2 && r.c.ops[2].b == no_op));  // 2 us
  CHECK((r.c.totals.matched == 1 && r.c.totals.vanished == 1 && r.c.totals.appeared == 1));
  CHECK_THAT(r.c.totals.time_a_s, WithinRel(32e-6, 1e-12));
  CHECK_THAT(r.c.totals.time_b_s, WithinRel(14e-6, 1e-12));
  CHECK_THAT(r.c.totals.faster_saved_s, WithinRel(20e-6, 1e-12));
  CHECK(r.c.totals.slower_lost_s == 0);
  REQUIRE(r.c.by_type.size() == 1);
  CHECK((r.c.by_type[0].ops_a == 2 && r.c.by_type[0].ops_b == 2));
  REQUIRE(r.c.all);
  CHECK(r.c.all->matched == 2);
  CHECK_THAT(r.c.all->time_a_s, WithinRel(43e-6, 1e-12));
}

TEST_CASE("Words of a selection may be of either run", "[compare]") {
  const Runs r("k,gemm,64,64,64,f16,1\nold,bmm,8,8,8,f16,2\n", "k,gemm,64,64,64,f16,1\n");
  OpFilter selection;
  selection.category_or_type = {"bmm"};
  const auto rows = select(r.a, r.b, selection);
  REQUIRE(rows);
  CHECK(rows->first.mask() == RowMask{0, 1});
  CHECK(rows->second.mask() == RowMask{0});
  selection.category_or_type = {"conv"};
  CHECK(select(r.a, r.b, selection).error().path == "category");
  CHECK(select(r.a, r.b, selection).error().message.find("no category is called \"conv\": expected one of ") == 0);
}

TEST_CASE("The device memory of one run means that of the other", "[compare]") {
  const Workload w = open(std::string(header) + "k,gemm,8,8,8,f16,1\nm,gemm,512,512,512,f16,1000\n");  // bound by memory, by compute
  Machine one = simple_machine("s", "S", 1e12, 1e11), two = one, split = one;
  one.memories[0].name = "HBM";
  two.memories[0].name = "GDDR6";
  split.memories[0].name = "VMEM";
  split.memories[0].bandwidth.value = unknown;
  split.memories[0].read_bandwidth.value = split.memories[0].write_bandwidth.value = 1e11;
  const Scenario on_one = on(one), on_two = on(two), on_split = on(split);
  const Plan a(w, on_one), b(w, on_two), c(w, on_split);
  const auto rows = [&](const Plan& x, const Plan& y, const char* word) {
    OpFilter selection;
    selection.bounds = {word};
    const auto [of_x, of_y] = *select(x, y, selection);
    return std::pair(of_x.mask(), of_y.mask());
  };
  CHECK(rows(a, b, "GDDR6") == std::pair(RowMask{1, 0}, RowMask{1, 0}));
  CHECK(rows(a, b, "HBM") == std::pair(RowMask{1, 0}, RowMask{1, 0}));
  CHECK(rows(a, c, "HBM") == std::pair(RowMask{1, 0}, RowMask{1, 0}));
  CHECK(rows(a, c, "VMEM Read") == std::pair(RowMask{1, 0}, RowMask{1, 0}));
  CHECK(rows(c, c, "VMEM Write") == std::pair(RowMask{0, 0}, RowMask{0, 0}));  // what it has itself means that alone
  CHECK(rows(a, b, "compute") == std::pair(RowMask{0, 1}, RowMask{0, 1}));
}

TEST_CASE("The documents of a comparison", "[compare]") {
  const Runs r("one,gemm,64,64,64,f16,10\ngone,gemm,8,8,8,f16,2\n", "one,gemm,64,64,64,f16,5\n");
  const Json json = Json::parse(written(r, write_compare_json));
  CHECK(json["schema"] == "roofline-compare/1");
  CHECK(json["a"]["summary"]["ops"] == 2);
  CHECK(json["ops"][0]["name"] == "one");
  CHECK(json["ops"][0]["a"] == 0);
  CHECK(json["ops"][0]["time_ratio"] == 0.5);
  CHECK(json["ops"][1]["b"].is_null());
  CHECK(json["ops"][1]["change"] == "vanished");
  CHECK(json["ops"][1]["time_ratio"].is_null());
  CHECK(json["summary"]["vanished"] == 1);
  CHECK(json["all"] == json["summary"]);

  const std::string csv = written(r, write_compare_csv);
  CHECK(csv.find("name,type,change,a,b,time_a_s,") == 0);
  CHECK(csv.find("\r\none,gemm,matched,0,0,") != std::string::npos);
  CHECK(csv.find(",0.5,") != std::string::npos);
  CHECK(csv.find("\r\ngone,gemm,vanished,1,,") != std::string::npos);
  CHECK(written(r, write_compare_table).find("one   gemm  faster") != std::string::npos);
}

}  // namespace
}  // namespace roofline
