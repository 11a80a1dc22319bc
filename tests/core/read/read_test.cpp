// What a file becomes: rows, kinds, names and places. Faults are in bad_input_test.cpp.
#include <algorithm>
#include <cmath>
#include <roofline/read/read.hpp>
#include <roofline/session/detect.hpp>

#include "support.hpp"
#include "workload/builder.hpp"

using namespace roofline;

namespace {

const std::string product =
    R"({"type": "ID_MM", "name": "a", "data_type": "INT8", "input_mat1": [4, 5], "input_mat2": [5, 6], "time_ns": 850})";

std::string in_utf16(std::string_view ascii, bool big_endian, bool mark) {
  std::string out = mark ? (big_endian ? "\xfe\xff" : "\xff\xfe") : "";
  for (const char c : ascii) {
    if (big_endian) out += '\0';
    out += c;
    if (!big_endian) out += '\0';
  }
  return out;
}

void check_product(const Workload& w, std::size_t i = 0) {
  CHECK(w.name_of(i) == "a");
  CHECK(w.class_of(i).type == "ID_MM");
  CHECK(w.matrix_flops[i] == 240);
  CHECK(w.weight[i] == 30);
  CHECK(w.activation[i] == 20);
  CHECK(w.output[i] == 24);
  CHECK(w.time_s[i] == 850e-9);
}

}  // namespace

TEST_CASE("read: a file may come in many shapes", "[read]") {
  const std::string indented =
      "{\n  \"type\": \"ID_MM\", \"name\": \"a\",\n  \"data_type\": \"INT8\",\n \"input_mat1\": [4,\n 5], \"input_mat2\": [5, 6], "
      "\"time_ns\": 8.5e2\n}";
  const struct {
    const char* what;
    std::string bytes;
    std::size_t ops;
  } files[] = {
      {"an array", "[" + product + "]", 1},
      {"ops", R"({"version": [1, {"a": "]"}], "ops": [)" + product + "," + product + "], \"rest\": 1}", 2},
      {"commands", R"({"commands": [)" + product + "]}", 1},
      {"one per line", product + "\n" + product + "\n\n" + product, 3},
      {"one object", product, 1},
      {"objects over several lines", indented + "\n" + indented, 2},
      {"indented", "[ " + indented + " ,\n" + indented + "\n]\n\n", 2},
      {"byte order mark", "\xef\xbb\xbf[" + product + "]", 1},
      {"CRLF", "[\r\n" + product + ",\r\n" + product + "\r\n]\r\n", 2},
      {"lines with CRLF", product + "\r\n" + product + "\r\n", 2},
      {"UTF-16, little endian", in_utf16("[" + product + "]", false, true), 1},
      {"UTF-16, big endian", in_utf16("[" + product + "]", true, true), 1},
      {"UTF-16 without a mark", in_utf16("[" + product + "]", false, false), 1},
      {"UTF-16, big endian, without a mark", in_utf16("[" + product + "]", true, false), 1},
  };
  for (const auto& f : files) {
    INFO(f.what);
    const Workload w = open(f.bytes);
    REQUIRE(w.size() == f.ops);
    CHECK(w.diagnostics.empty());
    for (std::size_t i = 0; i < w.size(); ++i) check_product(w, i);
  }
  CHECK(open("[]").size() == 0);
  CHECK(open("[]").diagnostics.at(0).message == "the file holds no operations");
}

TEST_CASE("read: every field of a mixed file", "[read]") {
  const std::string text = file("tests/data/mixed.json");
  const Workload w = open(text, {"mixed.json"});
  REQUIRE(w.size() == 9);
  CHECK(w.source == "mixed.json");
  CHECK(w.source_format == SourceFormat::commands);
  CHECK(w.machine_json == "\"h100-sxm\"");

  CHECK(w.class_of(0).weight == format("int4_g128"));
  CHECK(w.class_of(0).activation == format("fp16"));
  CHECK(w.class_of(0).output == format("fp16"));
  CHECK(w.class_of(0).kv == no_format);
  CHECK(w.class_of(0).category == "matrix product");
  CHECK(w.class_of(0).symbol == Symbol::circle);
  CHECK(w.weight[0] == 4096.0 * 4096);

  // Work and time are totals over all occurrences; a record states one.
  CHECK(w.count_of(1) == 24);
  CHECK(w.matrix_flops[1] == 24 * 2.0 * 8 * 128 * 64 * 128);
  CHECK(w.weight[1] == 0);
  CHECK(w.class_of(1).weight == no_format);

  CHECK(w.class_of(2).kv == format("fp8_e4m3"));
  CHECK(w.kv_read[2] == 4.0 * 8 * 4096 * 256);

  CHECK(w.name_of(3) == "caf\xc3\xa9 \"quoted\"");
  CHECK(w.class_of(3).vector_work);
  CHECK_FALSE(w.class_of(3).matrix_work);

  CHECK(w.class_of(4).measured_bytes);
  CHECK(w.given_bytes[4] == 1200000);

  CHECK(w.class_of(5).category == "fused");
  CHECK(w.class_of(5).symbol == Symbol::diamond);
  CHECK(w.class_of(5).roles_unknown);
  CHECK_FALSE(w.class_of(5).measured_bytes);
  CHECK(w.matrix_flops[5] == 2e6);
  CHECK(w.given_bytes[5] == 500000);
  CHECK(w.name_of(5) == "=SUM(A1)");

  CHECK(w.name_of(6) == "<script>alert(1)</script>");
  CHECK(std::isnan(w.activation[6]));  // FLOPs only: bytes are not zero but unknown
  CHECK(std::isnan(w.given_bytes[6]));
  CHECK(std::isnan(w.time_s[6]));

  CHECK(w.name_of(7) == "#7");
  CHECK(std::isnan(w.time_s[7]));
  CHECK(w.matrix_flops[7] == 0);

  for (std::size_t i = 0; i < w.size(); ++i) {  // a record's own text can be cut out of the file
    const std::string record = text.substr(w.record[i].offset, w.record[i].length);
    CHECK(record.front() == '{');
    CHECK(record.back() == '}');
    CHECK(record.find(w.class_of(i).type) != std::string::npos);
  }
}

TEST_CASE("read: stated numbers win over derived ones, measured bytes over stated ones", "[read]") {
  const Workload w = open(R"([
    {"type": "ID_MM", "data_type": "INT8", "input_mat1": [4, 5], "input_mat2": [5, 6], "macs": 1000},
    {"type": "ID_MM", "data_type": "INT8", "input_mat1": [4, 5], "input_mat2": [5, 6], "flops": 7, "macs": 1000, "bytes": 500},
    {"type": "ID_MM", "data_type": "INT8", "input_mat1": [4, 5], "input_mat2": [5, 6], "bytes": 500, "hw_bytes": 900},
    {"type": "ID_MM", "data_type": "INT8", "input_mat1": [4, 5], "input_mat2": [5, 6], "hw_bytes": 0},
    {"type": "ID_MUL", "data_type": "INT8", "input_self": [4], "input_other": [4], "flops": 9}])");
  CHECK(w.diagnostics.empty());
  CHECK(w.matrix_flops[0] == 2000);
  CHECK(std::isnan(w.given_bytes[0]));
  CHECK(w.matrix_flops[1] == 7);
  CHECK(w.given_bytes[1] == 500);
  CHECK_FALSE(w.class_of(1).measured_bytes);
  CHECK(w.given_bytes[2] == 900);
  CHECK(w.class_of(2).measured_bytes);
  CHECK(std::isnan(w.given_bytes[3]));  // a counter that was not read
  CHECK_FALSE(w.class_of(3).measured_bytes);
  CHECK(w.matrix_flops[4] == 0);  // FLOPs of a vector operation stay on the vector unit
  CHECK(w.vector_flops[4] == 9);
}

TEST_CASE("read: a record without a type has none of the record before it", "[read]") {
  const Workload w = open(R"([{"type":"softmax","input_shape":[8,64],"data_type":"FP16"},{"flops":1e12,"data_type":"FP16"}])");
  REQUIRE(w.size() == 2);
  CHECK(w.class_of(0).type == "softmax");
  CHECK(w.class_of(1).type.empty());
  CHECK(w.class_of(1).category == "other");
  CHECK(w.diagnostics.empty());
}

TEST_CASE("read: names and keys", "[read]") {
  const Workload w = open(R"([
    {"type": "ID_MUL", "input_self": [4], "input_other": [4], "data_type": "INT8", "name": "twice", "type": "ID_ADD", "input_self": [8], "input_other": [8]},
    {"op_type": "aten::mul", "self": [4], "other": [4], "dtype": "torch.float16", "op_name": "twice", "unheard_of": {"deep": [[[1]]]}},
    {"type": "mul", "input_self": 4, "input_other": [], "data_type": "HALF", "name": "\u00e9\n\ud83d\ude00"},
    {"type": "mul", "input_self": [4], "input_other": [1], "data_type": "i8", "name": ""}])");
  REQUIRE(w.size() == 4);
  CHECK(w.diagnostics.empty());
  CHECK(w.class_of(0).type == "ID_ADD");  // a key that occurs twice: the last one counts
  CHECK(w.vector_flops[0] == 8);
  CHECK(w.name_of(0) == w.name_of(1));  // names need not be unique
  CHECK(w.class_of(1).type == "aten::mul");
  CHECK(w.class_of(1).activation == format("fp16"));
  CHECK(w.class_of(2).activation == format("fp16"));
  CHECK(w.name_of(2) == "\xc3\xa9\n\xf0\x9f\x98\x80");
  CHECK(w.activation[2] == 5);  // a scalar is one element
  CHECK(w.name_of(3) == "#3");
}

TEST_CASE("read: steps by name or number, and records without one", "[read]") {
  CHECK(open(R"([{"type": "relu", "input_shape": [8]}])").step.empty());
  const Workload w = open(R"([
    {"type": "relu", "input_shape": [8]}, {"type": "relu", "input_shape": [8], "step": "prefill"}, 7,
    {"type": "relu", "input_shape": [8], "step": 12}, {"type": "relu", "input_shape": [8], "step": "prefill"},
    {"type": "relu", "input_shape": [8], "step": [1]}])");
  REQUIRE(w.step.size() == 6);
  std::vector<std::string> steps;
  for (const std::uint32_t s : w.step) steps.push_back(w.steps.at(s));
  CHECK(steps == std::vector<std::string>{"", "prefill", "", "12", "prefill", ""});
  const auto about_step = std::find_if(w.diagnostics.begin(), w.diagnostics.end(), [](const Diagnostic& d) { return d.path == "step"; });
  REQUIRE(about_step != w.diagnostics.end());
  CHECK(about_step->message == "field \"step\": expected a name or a number");
  CHECK(about_step->op == 5);
}

TEST_CASE("read: kinds are shared and shapes are hashed", "[read]") {
  std::string text = "[";
  for (int i = 0; i < 600; ++i)
    text += (i ? ",\n" : "") + std::string(R"({"type":"ID_MM","data_type":")") + (i % 2 ? "FP16" : "INT8") + R"(","input_mat1":[)" +
            std::to_string(i % 3 + 1) + ",5],\"input_mat2\":[5,6]}";
  const Workload w = open(text + "]");
  REQUIRE(w.size() == 600);
  CHECK(w.classes.size() == 2);
  bool shared = true, hashed = true;
  for (std::size_t i = 6; i < w.size(); ++i) {
    shared = shared && w.op_class[i] == w.op_class[i - 2] && w.op_class[i] != w.op_class[i - 1];
    hashed = hashed && w.shape_hash[i] == w.shape_hash[i - 6] && w.shape_hash[i] != w.shape_hash[i - 2];
  }
  CHECK(shared);
  CHECK(hashed);
}

TEST_CASE("read: operations of other passes of a language model are of other classes", "[read]") {
  WorkloadBuilder rows("", SourceFormat::model);
  OpClass prompt;
  prompt.type = "q_proj";
  OpClass decode = prompt;
  prompt.prompt_tokens = 4096;
  CHECK(rows.op_class(prompt) != rows.op_class(decode));
  CHECK(rows.op_class(prompt) == rows.op_class(prompt));
  CHECK(rows.workload().classes.size() == 2);
}

TEST_CASE("read: a registry adds types, overrides them, and its bytes have no roles", "[read]") {
  Keys keys;
  Registry registry;
  const auto added = registry.add(R"json({"ops": {
    "ID_MINE": {"symbol": "triangle-up", "category": "mine", "macs": "rows * 3", "bytes": "rows * dt_size"},
    "ID_MUL": {"flops": "prod(input_self)", "unit": "vector", "activation": "2 * prod(input_self)"}}})json",
                                  keys);
  REQUIRE(added);
  const Workload w =
      open(R"([{"type": "ID_MINE", "rows": 10, "data_type": "FP16"}, {"type": "id_mul", "input_self": [4], "data_type": "FP16"},
                             {"type": "ID_MINE", "data_type": "FP16"}])",
           {"", &registry, &keys});
  REQUIRE(w.size() == 3);
  CHECK(w.matrix_flops[0] == 60);
  CHECK(w.given_bytes[0] == 20);
  CHECK(w.class_of(0).roles_unknown);
  CHECK(w.class_of(0).symbol == Symbol::triangle);
  CHECK(w.class_of(0).category == "mine");
  CHECK(w.vector_flops[1] == 4);
  CHECK(w.output[1] == 0);  // the registry's own accounting
  CHECK(w.class_of(2).invalid);
  REQUIRE(w.diagnostics.size() == 1);
  CHECK(w.diagnostics[0].message == "ID_MINE: macs: column 1: rows is not in the record");
  CHECK(w.diagnostics[0].path == "rows");
}

TEST_CASE("detect: by content, whatever the name", "[read]") {
  const struct {
    const char* text;
    FileKind kind;
  } files[] = {
      {"[]", FileKind::operations},
      {"[{\"type\": \"x\"}]", FileKind::operations},
      {"{\"type\": \"x\"}\n{\"type\": \"y\"}", FileKind::operations},
      {"{\"machine\": \"t4\", \"ops\": [", FileKind::operations},
      {"{\"commands\": []}", FileKind::operations},
      {"{\"ops\": {\"ID_A\": {}}}", FileKind::registry},
      {"{\"note\": \"x\", \"ops\": {}}", FileKind::registry},
      {"{\"peak_tops\": 32}", FileKind::config},
      {"{\"machine\": \"h100-sxm\"}", FileKind::config},
      {"{\"machine\": {\"id\": \"x\", \"peaks\": {}}}", FileKind::config},
      {"{\"peaks\": {\"matrix\": {\"fp16\": 1}}, \"mem_bw\": 2}", FileKind::config},
      {"{\"whatif\": {\"ops\": []}}", FileKind::config},
      {"{\"peaks\": {\"matrix\": {\"fp16\": 1}}}", FileKind::config},
      {"{\"overhead\": {\"overlap\": 0.5}}", FileKind::config},
      {"{\"bandwidths\": {\"DRAM\": 5}}", FileKind::config},
      {"{\"whatif\": {\"weight\": \"int4\"}, \"overhead\": null}", FileKind::config},
      {"{\"peaks\": {}, \"links\": []}", FileKind::machine},
      {"{\"id\": \"x\", \"peaks\": {}, \"memories\": []}", FileKind::machine},
      {"{\"name\": \"x\"}", FileKind::unknown},
      {"hello", FileKind::unknown},
      {"", FileKind::unknown},
  };
  for (const auto& f : files) {
    INFO(f.text);
    CHECK(detect(f.text) == f.kind);
  }
  CHECK(detect(std::string(100000, '{')) == FileKind::unknown);
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
  CHECK(detect(deep) == FileKind::unknown);
}

TEST_CASE("read: a time in any unit is the same time", "[read]") {
  const std::string product = R"([{"type":"ID_MM","input_mat1":[64,64],"input_mat2":[64,64],"data_type":"FP16",)";
  for (const char* time : {"\"time_ns\":30000", "\"time_us\":30", "\"time_ms\":0.03", "\"time_s\":3e-5", "\"duration_us\":30",
                           "\"latency_ms\":0.03", "\"time_us\":7,\"time_ns\":30000"}) {
    INFO(time);
    const auto w = read(product + time + "}]", {});
    REQUIRE(w);
    REQUIRE(w->size() == 1);
    CHECK(w->time_s[0] == Approx(3e-5));
  }
  const auto wrong = read(product + "\"time_us\":\"fast\"}]", {});
  REQUIRE(wrong);
  CHECK(wrong->diagnostics[0].message == "field \"time_us\": expected a number of microseconds");
}
