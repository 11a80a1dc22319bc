// RKNN's eval_perf, as text and as CSV: tests/data/eval_perf.* are written from the documented format. Figures worked by hand.
#include "rows.hpp"

using namespace roofline;

namespace {

const std::string& text() {
  static const std::string table = file("tests/data/eval_perf.txt");
  return table;
}

}  // namespace

TEST_CASE("rknn: the table in a log", "[rknn]") {
  const Workload w = open(text());
  CHECK(w.source_format == SourceFormat::rknn);
  REQUIRE(w.size() == 5);
  const std::size_t conv = row_named(w, "Conv:/model.1/conv/Conv"), added = row_named(w, "Conv:/model.2/conv/Conv"),
                    depthwise = row_named(w, "Conv:/model.3/dw/Conv");
  CHECK(w.matrix_flops[conv] == 2.0 * 471859200);
  CHECK_THAT(w.time_s[conv], WithinRel(924e-6, 1e-12));
  CHECK(w.class_of(conv).activation == format("int8"));
  CHECK(w.class_of(conv).type == "ConvExSwish");
  CHECK(w.bytes[conv] == 64.0 * 160 * 160 + 32 * 64 * 9 + 32 + 32.0 * 160 * 160);
  CHECK(w.bytes[added] == 32.0 * 160 * 160 + 32 * 32 * 9 + 32 + 2 * 32.0 * 160 * 160);  // reads what it adds
  CHECK(w.matrix_flops[depthwise] == 2.0 * 32 * 80 * 80 * 9);
  CHECK(w.class_of(row_named(w, "Concat:/model.4/Concat")).time_only);  // its inputs are cut short
  // 1,024 INT8 MACs per cycle, where all channels are full.
  REQUIRE(w.measures.size() == 2);
  CHECK(w.measures[0].name == "NPU cycles");
  CHECK(w.matrix_flops[conv] / 2 / w.measures[0].values[conv] == 1024);
  CHECK(says(w, "layers were timed one at a time"));
  CHECK(!says(w, "add up to"));
  REQUIRE(w.properties.size() == 1);
  CHECK(w.properties[0].second == "1.87 ms");
}

TEST_CASE("rknn: the CSV without a header", "[rknn]") {
  const Workload w = open(file("tests/data/eval_perf.csv"));
  REQUIRE(w.size() == 3);
  const std::size_t conv = row_named(w, "Conv:Conv_2"), sum = row_named(w, "Add:Add_13");
  CHECK(w.matrix_flops[conv] == 2.0 * 235929600);
  CHECK(w.matrix_flops[conv] / 2 / w.measures[0].values[conv] == 512);  // FP16
  CHECK_THAT(w.time_s[conv], WithinRel(1526e-6, 1e-12));
  CHECK(w.vector_flops[sum] == 16.0 * 160 * 640);
  CHECK(w.bytes[sum] == 2 * 3 * 16.0 * 160 * 640);
  REQUIRE(w.categories.size() == 1);
  CHECK(w.categories[0].word(0) == "CPU");
}

TEST_CASE("rknn: malformed tables say what is wrong", "[rknn]") {
  std::string late = text();
  late.replace(late.find(" 924 "), 5, " n/a ");
  const Workload w = open(late);
  CHECK(!known(w.time_s[1]));
  CHECK(says(w, "Time(us): expected microseconds, found \"n/a\""));
  CHECK(says(w, "the layers' times add up to 946 µs: the table says 1.87 ms"));
  const Workload nothing = open("ID OpType DataType Target InputShape OutputShape Time(us)\n");
  CHECK(says(nothing, "the file holds no layers"));
}
