#include <roofline/analysis/op_set.hpp>
#include <roofline/workload/workload.hpp>

#include "support.hpp"
#include "workload/builder.hpp"

using namespace roofline;

namespace {

const std::string mm_a = R"({"type": "ID_MM", "data_type": "FP16", "input_mat1": [4, 5], "input_mat2": [5, 6])";
const std::string mm_b =
    R"({"type": "ID_MM", "data_type": "FP16", "input_mat1": [6, 5], "input_mat2": [5, 4])";  // the same FLOPs and bytes

std::vector<std::vector<std::uint32_t>> groups(const Workload& w) {
  std::vector<std::vector<std::uint32_t>> members;
  const Workload grouped = group_identical(w, &members);
  CHECK(grouped.size() == members.size());
  return members;
}

using Members = std::vector<std::vector<std::uint32_t>>;

}  // namespace

TEST_CASE("workload: identical operations become one row", "[workload]") {
  const Workload w = open("[" + mm_a + ", \"name\": \"one\", \"time_ns\": 10}," + mm_b + "}," + mm_a +
                          ", \"name\": \"two\", \"time_ns\": 30, \"count\": 3}," + mm_a + ", \"name\": \"untimed\"}," + mm_b + "}, 7, 7]");
  Members members;
  const Workload g = group_identical(w, &members);
  // Two faults are two faults; a time that is missing would hide in a sum; an op of other shape is another op though its work is equal.
  CHECK(members == Members{{0, 2}, {1, 4}, {3}, {5}, {6}});
  CHECK(g.name_of(0) == "one");
  CHECK(g.name_of(1) == "#1");
  CHECK(g.count_of(0) == 4);
  CHECK(g.matrix_flops[0] == 4 * 240);
  CHECK(g.weight[0] == 4 * 30);
  CHECK(g.time_s[0] == w.time_s[0] + w.time_s[2]);
  CHECK(g.count_of(1) == 2);
  CHECK(g.class_of(3).invalid);
}

TEST_CASE("workload: what differs keeps ops apart", "[workload]") {
  for (const char* other : {R"(, "weight_type": "INT8"})", R"(, "hw_bytes": 500})", R"(, "macs": 500})", R"(, "category": "mine"})"}) {
    INFO(other);
    CHECK(groups(open("[" + mm_a + "}," + mm_a + other + "]")).size() == 2);
  }
  CHECK(groups(open("[" + mm_a + R"(, "hw_bytes": 500},)" + mm_a + R"(, "hw_bytes": 500}])")).size() == 1);
  CHECK(groups(open("[]")).empty());
}

TEST_CASE("workload: the sizes of products and of attention are kept", "[workload]") {
  struct Case {
    const char* text;
    OpSizes sizes;
  };
  for (const Case& c : {
           Case{R"([{"type": "gemm", "m": 2, "n": 3, "k": 5, "count": 4}])", {2, 3, 5, 1}},
           Case{R"([{"type": "gemm", "m": 2, "n": 3, "k": 5, "batch": 7}])", {2, 3, 5, 7}},
           Case{R"([{"type": "linear", "m": 2, "n": 3, "k": 5, "batch": 7}])", {14, 3, 5, 1}},  // they share the weight
           Case{R"([{"type": "gemm", "m": 2, "n": 3, "k": 5, "macs": 1}])", {2, 3, 5, 1}},
           Case{R"([{"type": "gemv", "input_mat1": [3, 5], "input_mat2": [5]}])", {1, 3, 5, 1}},
           Case{R"([{"type": "matmul", "input_mat1": [7, 2, 5], "input_mat2": [5, 3]}])", {14, 3, 5, 1}},
           Case{R"([{"type": "linear_backward", "m": 2, "n": 3, "k": 5, "grad_weight": false}])", {2, 5, 3, 1}},
           Case{R"([{"type": "linear_backward", "m": 2, "n": 3, "k": 5, "grad_input": false}])", {5, 3, 2, 1}},
           Case{R"([{"type": "linear_backward", "m": 2, "n": 5, "k": 5}])", {}},  // two products
           Case{R"([{"type": "einsum", "equation": "bij,bjk->bik", "inputs": [[7, 2, 5], [7, 5, 3]]}])", {2, 3, 5, 7}},
           Case{R"([{"type": "einsum", "equation": "bij,jk->bik", "inputs": [[7, 2, 5], [5, 3]]}])", {14, 3, 5, 1}},
           Case{R"([{"type": "einsum", "equation": "ij,kl->ik", "inputs": [[2, 5], [3, 4]]}])", {}},
           Case{R"([{"type": "attention", "batch": 2, "heads": 8, "head_dim": 64, "query_length": 3, "context": 9}])", {3, 9, 64, 2, 8}},
           Case{R"([{"type": "relu", "input_shape": [64, 64]}])", {}},
           Case{"name,M,N,K,batch,time_us\na,2,3,5,,10\n", {2, 3, 5, 1}},
           Case{"name,M,N,K,batch_count,time_us\na,2,3,5,7,10\n", {2, 3, 5, 7}},
       }) {
    INFO(c.text);
    const Workload w = open(c.text);
    REQUIRE(w.size() == 1);
    CHECK(w.sizes_of(0) == c.sizes);
    CHECK(w.sizes.empty() == !c.sizes.known());
  }
  const Workload w =
      open("[{\"type\": \"relu\", \"input_shape\": [4]}," + mm_a + "}," + mm_b + "}," + mm_a + "}," + mm_a + ", \"macs\": 1}]");
  CHECK(w.sizes == std::vector<std::uint32_t>{0, 1, 2, 1, 1});
  CHECK(w.distinct_sizes == std::vector<OpSizes>{{}, {4, 6, 5, 1}, {6, 4, 5, 1}});
  CHECK(single_row(w, 2).sizes_of(0) == w.sizes_of(2));
  const Workload g = group_identical(w);
  REQUIRE(g.size() == 4);
  CHECK(g.sizes_of(1) == w.sizes_of(1));
}

TEST_CASE("workload: an operation takes at most 200 bytes, though no two have the same sizes", "[workload]") {
  std::string text = "[";
  constexpr std::size_t ops = 5000;
  for (std::size_t i = 0; i < ops; ++i)
    text += std::string(i > 0 ? "," : "") + R"({"type": "gemm", "n": 8, "k": 8, "time_ns": 9, "m": )" + std::to_string(i + 1) + "}";
  const Workload w = open(text + "]");
  CHECK(w.distinct_sizes.size() == ops + 1);
  CHECK(w.resident_bytes() < 200 * ops);
}

TEST_CASE("workload: grouping keeps totals", "[workload]") {
  const Workload w = open(file("presets/samples/resnet-50-synthetic.json"));
  const Workload g = group_identical(w);
  CHECK(g.size() < w.size());
  Scenario s = Scenario::standard();
  s.whatif.weight = format("int4");
  const Summary a = summarize(Plan(w, s)), b = summarize(Plan(g, s));
  CHECK_THAT(b.flops, WithinRel(a.flops, 1e-12));
  CHECK_THAT(b.bytes, WithinRel(a.bytes, 1e-12));
  CHECK_THAT(b.time_s, WithinRel(a.time_s, 1e-12));
  CHECK_THAT(b.predicted_time_s, WithinRel(a.predicted_time_s, 1e-12));
  CHECK_THAT(b.whatif_predicted_s, WithinRel(a.whatif_predicted_s, 1e-12));
  double count = 0;
  for (std::size_t i = 0; i < g.size(); ++i) count += g.count_of(i);
  CHECK(count == static_cast<double>(w.size()));
}

TEST_CASE("workload: grouping a grouped workload changes nothing", "[workload]") {
  const Workload once = group_identical(open(file("presets/samples/encoder-synthetic.json")));
  const Workload twice = group_identical(once);
  CHECK(twice.size() == once.size());
  CHECK(twice.matrix_flops == once.matrix_flops);
  CHECK(twice.count == once.count);
}

TEST_CASE("workload: channels and steps are grouped too", "[workload]") {
  Workload w;
  for (int i = 0; i < 4; ++i) add_row(w, 100, 10, 1);
  w.channels = {{"VMEM Read", false, {1, 2, 4, 8}}};
  w.steps = {"prefill", "decode"};
  w.step = {0, 0, 1, 1};
  Members members;
  const Workload g = group_identical(w, &members);
  CHECK(members == Members{{0, 1}, {2, 3}});
  CHECK(g.channels[0].bytes == std::vector<double>{3, 12});
  CHECK(g.step == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("workload: one row alone is analysed as it was", "[workload]") {
  const Workload w = open(file("tests/data/mixed.json"));
  const Scenario s = Scenario::standard();
  for (std::size_t i = 0; i < w.size(); ++i) {
    const Workload row = single_row(w, i);
    const OpAnalysis a = Plan(w, s).analyze(i), b = Plan(row, s).analyze(0);
    CHECK(same(a.bytes, b.bytes));
    CHECK(same(a.predicted_time_s, b.predicted_time_s));
    CHECK(same(a.efficiency, b.efficiency));
    CHECK(a.status == b.status);
  }
}

TEST_CASE("workload: bytes settled once are the bytes derived each time", "[workload]") {
  Workload w = open(file("tests/data/mixed.json"));
  const Scenario s = Scenario::standard();
  w.bytes.clear();
  std::vector<double> derived;
  for (std::size_t i = 0; i < w.size(); ++i) derived.push_back(Plan(w, s).analyze(i).bytes);
  w.fill_bytes();
  REQUIRE(w.bytes.size() == w.size());
  for (std::size_t i = 0; i < w.size(); ++i) CHECK(same(w.bytes[i], derived[i]));
}

TEST_CASE("workload: programs of the same operations stay apart when grouped", "[workload]") {
  Workload w;
  for (int i = 0; i < 4; ++i) add_row(w, 100, 10, 1);
  w.categories = {{"Program ID", {"7", "8"}, {0, 0, 0, 1}}};
  CHECK(group_identical(w).categories[0].value == std::vector<std::uint32_t>{0, 1});
  w.views = {row_view::program, row_view::with_infeed, row_view::with_infeed, row_view::with_infeed};
  CHECK(group_identical(w).views == std::vector<std::uint8_t>{row_view::program, row_view::with_infeed, row_view::with_infeed});
}

TEST_CASE("workload: copies share the text", "[workload]") {
  const Workload w = open("[" + mm_a + ", \"name\": \"one\"}," + mm_b + ", \"name\": \"two\"}]");
  const Workload g = group_identical(w), copy = w;
  CHECK(std::string_view(g.text).data() == std::string_view(w.text).data());
  CHECK(std::string_view(copy.text).data() == std::string_view(w.text).data());
  CHECK(std::string_view(w.text) == "onetwo");  // the names, and nothing else of the source
  Workload longer = w;
  longer.text += "three";
  CHECK(std::string_view(longer.text) == "onetwothree");
  CHECK(std::string_view(w.text) == "onetwo");
}

TEST_CASE("workload: every column is built, measured, sliced and merged", "[workload]") {
  OpNumbers all;
  double next = 2;
  for_each_column([&](const NumberColumn& c) { all.*c.value = next++; });
  WorkloadBuilder builder("x", SourceFormat::none);
  OpClass kind;
  kind.type = "op";
  builder.push({builder.op_class(kind), {}, builder.keep("plain"), {}, 0});
  builder.push({builder.op_class(kind), all, builder.keep("full"), {}, 1});
  builder.push({builder.op_class(kind), all, {}, {}, 1});
  const Workload w = builder.take(), row = single_row(w, 1), g = group_identical(w);
  REQUIRE(g.size() == 2);
  CHECK(w.resident_bytes() >= 12 * 3 * sizeof(double));
  for_each_column([&](const NumberColumn& c) {
    CHECK(same((w.*c.values).at(0), c.standard));
    CHECK((w.*c.values).at(1) == all.*c.value);
    CHECK((row.*c.values).at(0) == all.*c.value);
    CHECK((g.*c.values).at(1) == 2 * all.*c.value);
  });
}
