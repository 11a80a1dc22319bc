// Input with faults, case by case: what is said, where, and what was expected. Whole messages, since they are what a person acts on.
#include <algorithm>
#include <cmath>
#include <roofline/read/read.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

const std::string good = R"({"type": "ID_MM", "data_type": "INT8", "input_mat1": [4, 5], "input_mat2": [5, 6]})";

std::string refusal(std::string_view bytes) {
  const Result<Workload> workload = read(bytes, {});
  return workload ? "read without an error" : workload.error().text();
}

/// "3:14 path: message", as many as there are.
std::string diagnostics(const Workload& w, Severity severity) {
  std::string out;
  for (const Diagnostic& d : w.diagnostics)
    if (d.severity == severity)
      out += (out.empty() ? "" : "; ") + std::to_string(d.line) + ':' + std::to_string(d.column) + ' ' + d.path + ": " + d.message;
  return out;
}

}  // namespace

TEST_CASE("bad input: the whole file is unusable", "[bad_input]") {
  const auto repeated = [](const char* piece, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += piece;
    return out;
  };
  const struct {
    std::string bytes, message;
  } files[] = {
      // empty, blank
      {"", "the file is empty: expected JSON, CSV or a profile"},
      {" \r\n\t \n", "the file is blank: expected JSON, CSV or a profile"},
      {"\xef\xbb\xbf", "the file is blank: expected JSON, CSV or a profile"},
      // not JSON
      {"hello",
       "line 1, column 1: neither JSON operations (expected '[' or '{', found 'h') nor a table (expected a header such as "
       "name,time_us,flops)"},
      {"\n  type macs\n",
       "line 2, column 3: neither JSON operations (expected '[' or '{', found 't') nor a table (expected a header such as "
       "name,time_us,flops)"},
      {"[{'type': 1}]", "line 1, column 3: not JSON: expected a member's name in double quotes, found '''"},
      {"[{\"type\" 1}]", "line 1, column 10: not JSON: expected ':' after a member's name, found '1'"},
      {"[{\"type\": 1 \"name\": 2}]", "line 1, column 13: not JSON: expected ',' or '}' after a member, found '\"'"},
      {"[{\"input_mat1\": [4 5]}]", "line 1, column 20: not JSON: expected ',' or ']' after an element, found '5'"},
      {"[{\"name\": \"a\nb\"}]",
       "line 1, column 13: not JSON: expected an escape such as \\n, and no line break, in a text, found a control character"},
      {"[{\"name\": \"a\\q\"}]", "line 1, column 13: not JSON: expected an escape such as \\n, and no line break, in a text, found '\\'"},
      {"[{\"name\": \"\\ud800\"}]", "line 1, column 12: not JSON: expected both halves of a surrogate pair, found '\\'"},
      {"[{\"time_ns\": 1.}]", "line 1, column 16: not JSON: expected digits after the decimal point, found '}'"},
      {"[{\"time_ns\": 1e}]", "line 1, column 16: not JSON: expected digits in the exponent, found '}'"},
      // truncated
      {"[", "line 1, column 2: the file is truncated after 0 records: expected a record or ']', found the end of the file"},
      {"[\n{\"type\": \"ID_M",
       "line 2, column 15: the file is truncated after 0 records: expected a closing quote, found the end of the file"},
      {"[{\"type\": \"ID_MM\"",
       "line 1, column 18: the file is truncated after 0 records: expected ',' or '}' after a member, found the end of the file"},
      {"[{\"input_mat1\": [4, 5",
       "line 1, column 22: the file is truncated after 0 records: expected ',' or ']' after an element, found the end of the file"},
      {"[{\"a\": 1e999",
       "line 1, column 13: the file is truncated after 0 records: expected the end of a record, found the end of the file"},
      {"\xff\xfe[\0]", "the file is truncated: expected two bytes for each character of UTF-16, found an odd number"},
      // text behind the end
      {"[]\n[]", "line 2, column 1: text after the end of the JSON document: expected nothing more, found '['"},
      {"{\"ops\": []} }", "line 1, column 13: text after the end of the JSON document: expected nothing more, found '}'"},
      // not operations
      {"42",
       "line 1, column 1: neither JSON operations (expected '[' or '{', found '4') nor a table (expected a header such as "
       "name,time_us,flops)"},
      {"\"ID_MM\"",
       "line 1, column 1: neither JSON operations (expected '[' or '{', found '\"') nor a table (expected a header such as "
       "name,time_us,flops)"},
      {"null",
       "line 1, column 1: neither JSON operations (expected '[' or '{', found 'n') nor a table (expected a header such as "
       "name,time_us,flops)"},
      {"{}",
       "line 1, column 1: an object without operations: expected an array of operations, or an object with an \"ops\" or \"commands\" "
       "array"},
      {"\n{\"ops\": 3}",
       "line 2, column 1: an object without operations: expected an array of operations, or an object with an \"ops\" or \"commands\" "
       "array"},
      {"{\"type\": x\n{\"type\": y", "line 1, column 10: not JSON: expected a value, found 'x'"},  // lines, none of them good
      // binaries
      {std::string("[\n{\"a\": \0}]", 11), "line 2, column 7: a NUL byte: this is binary data of no known kind; expected JSON or CSV text"},
      {std::string("\0\0\0\0", 4), "line 1, column 1: a NUL byte: this is binary data of no known kind; expected JSON or CSV text"},
      {"\x89PNG\r\n\x1a\n", "this is a PNG image; expected JSON or CSV text"},
      {"PK\x03\x04...", "this is a zip archive: unpack it first, or save a spreadsheet as CSV; expected JSON or CSV text"},
      {"%PDF-1.7", "this is a PDF document; expected JSON or CSV text"},
      {"\x7f"
       "ELF",
       "this is an executable; expected JSON or CSV text"},
      {"\xff\xd8\xff\xe0", "this is a JPEG image; expected JSON or CSV text"},
      {"\x28\xb5\x2f\xfd", "this is Zstandard data: unpack it first; expected JSON or CSV text"},
      {"BZh9", "this is bzip2 data: unpack it first; expected JSON or CSV text"},
      {"\xfd"
       "7zXZ",
       "this is xz data: unpack it first; expected JSON or CSV text"},
      {"\x1f\x8b\x08 not unpacked", "this is gzip data that is damaged or was compressed twice; expected JSON or CSV text"},
      // what Roofline wrote
      {R"({"schema":"roofline-analysis/1","source":"resnet-50.json","ops":[{"type":"ID_MM","flops":1,"bytes":1}]})",
       "line 1, column 1: Roofline wrote this file (roofline-analysis/1): open the one that it was made from, "
       "\"resnet-50.json\""},
      {"\n{ \"schema\": \"roofline-sweep/1\"",
       "line 1, column 1: Roofline wrote this file (roofline-sweep/1): open the one that it was made from"},
      // models and weights
      {"GGUF\x03", "this is a GGUF model, not a profile of its run; expected JSON or CSV text"},
      {std::string("\x1c\0\0\0TFL3\x14\0", 10), "this is a TensorFlow Lite model, not a profile of its run; expected JSON or CSV text"},
      {std::string("\x08\x03\x12\x0bonnx-caffe2\x1a\0", 17), "this is an ONNX model, not a profile of its run; expected JSON or CSV text"},
      {std::string("\x48\0\0\0\0\0\0\0{\"w\":", 13),
       "this is a safetensors file, weights: roofline accuracy reads it; expected JSON or CSV text"},
      {std::string("SQLite format 3\0", 16),
       "this is a database, such as Nsight Systems and rocprofv3 write: export its kernels as CSV; expected JSON or CSV text"},
      // nested 100,000 deep
      {std::string(100000, '['), "line 1, column 259: nested deeper than 256 levels: expected a list of operations"},
      {repeated("{\"a\":", 100000), "line 1, column 1287: nested deeper than 256 levels: expected a list of operations"},
      {"[{\"type\": " + std::string(100000, '[') + std::string(100000, ']') + "}]",
       "line 1, column 267: nested deeper than 256 levels: expected a list of operations"},
  };
  for (const auto& f : files) {
    INFO(f.bytes.substr(0, 200));
    CHECK(refusal(f.bytes) == f.message);
  }
}

TEST_CASE("bad input: the records before a fault in the list are kept", "[bad_input]") {
  const std::string only = "only the first record is read: ";
  const struct {
    std::string bytes;
    std::size_t records, line, column;
    std::string message;
  } files[] = {
      {"[" + good + ",\n ID_MM]", 1, 2, 3, only + "not JSON: expected a value, found 'D'"},
      {"[" + good + ",]", 1, 1, 85, only + "not JSON: expected a value, found ']'"},
      {"[" + good + "\n" + good + "]", 1, 2, 1, only + "not JSON: expected ',' or ']' after record 0, found '{'"},
      {"[\n" + good + "\n", 1, 3, 1, std::string("the file is truncated after 1 record: expected ',' or ']', found the end of the file")},
      {"[\n" + good + ",\n" + good, 2, 3, 83,
       std::string("the file is truncated after 2 records: expected ',' or ']', found the end of the file")},
      {"[\n" + good + ",", 1, 2, 84,
       std::string("the file is truncated after 1 record: expected another record, found the end of the file")},
      {"{\"ops\": [" + good + "]", 1, 1, 93,
       std::string("the file is truncated after 1 record: expected ',' or '}', found the end of the file")},
      {"[" + good + "] x", 1, 1, 86, only + "text after the end of the JSON document: expected nothing more, found 'x'"},
  };
  for (const auto& f : files) {
    INFO(f.bytes);
    const Workload w = open(f.bytes);
    CHECK(w.size() == f.records);
    const auto fault =
        std::find_if(w.diagnostics.begin(), w.diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
    REQUIRE(fault != w.diagnostics.end());
    CHECK(fault->message == f.message);
    CHECK(w.broken_off == f.message);
    CHECK(fault->line == f.line);
    CHECK(fault->column == f.column);
  }
}

TEST_CASE("bad input: a record with a fault costs that record only", "[bad_input]") {
  const std::string shape = R"("type": "ID_MM", "data_type": "INT8", "input_mat2": [5, 6], "input_mat1": )";
  const std::string conv = R"("type": "ID_CONV", "data_type": "INT8", "input_shape": [1, 8, 4, 4], "output_channels": 8, "kernel_size": )";
  const std::string stated = R"("type": "mine", "data_type": "INT8", "bytes": 5, )";
  const struct {
    std::string record;  // @ marks the place that the message must give
    std::string message;
  } records[] = {
      // not an object
      {"@7", ": expected an object such as {\"type\": \"ID_CONV\", ...}, found a number"},
      {"@NaN", ": expected an object such as {\"type\": \"ID_CONV\", ...}, found a number"},
      {"@null", ": expected an object such as {\"type\": \"ID_CONV\", ...}, found null"},
      {"@true", ": expected an object such as {\"type\": \"ID_CONV\", ...}, found true or false"},
      {"@\"ID_MM\"", ": expected an object such as {\"type\": \"ID_CONV\", ...}, found a text"},
      {"@[{}, [1, {}]]", ": expected an object such as {\"type\": \"ID_CONV\", ...}, found an array"},
      {"@1e999", ": a number is too large: expected at most 1.8e308"},
      {"{\"a\": [1, \"]\\\"}\", @1e999], \"b\": {}}", ": a number is too large: expected at most 1.8e308"},
      // type
      {"@{}", "type: no \"type\": expected a name such as ID_CONV or MatMul, or \"flops\" or \"macs\" with \"bytes\""},
      {"{\"type\": @null}", "type: no \"type\": expected a name such as ID_CONV or MatMul, or \"flops\" or \"macs\" with \"bytes\""},
      {"{\"type\": @5}", "type: \"type\" is not text: expected a name such as ID_CONV or MatMul"},
      {"{\"type\": @\"ID_CONVV\", \"data_type\": \"INT8\"}",
       "type: unknown type \"ID_CONVV\" (did you mean conv?): expected a known operation, or \"flops\" or \"macs\" with \"bytes\", or an "
       "entry in an op_registry.json"},
      {"{\"type\": @\"ID_NOBODY_KNOWS\", \"data_type\": \"INT8\"}",
       "type: unknown type \"ID_NOBODY_KNOWS\": expected a known operation, or \"flops\" or \"macs\" with \"bytes\", or an entry in an "
       "op_registry.json"},
      // shapes
      {"@{\"type\": \"ID_MM\", \"data_type\": \"INT8\", \"input_mat1\": [4, 5]}",
       "input_mat2: field \"input_mat2\": missing: expected a shape, a list of positive whole numbers"},
      {"{" + shape + "@[-4, 5]}", "input_mat1: field \"input_mat1\": dimension 0 is -4: expected a positive whole number"},
      {"{" + shape + "@[4, 0]}", "input_mat1: field \"input_mat1\": dimension 1 is 0: expected a positive whole number"},
      {"{" + shape + "@[1e300, 5]}", "input_mat1: field \"input_mat1\": dimension 0 is 1e+300: expected at most 9007199254740992 (2^53)"},
      {"{" + shape + "@[4.5, 5]}", "input_mat1: field \"input_mat1\": dimension 0 is 4.5: expected a positive whole number"},
      {"{" + shape + "@[\"4\", 5]}", "input_mat1: field \"input_mat1\": dimension 0 is not a number: expected a positive whole number"},
      {"{" + shape + "@\"4x5\"}", "input_mat1: field \"input_mat1\": is a string: expected a shape, a list of positive whole numbers"},
      {"{" + shape + "@{\"m\": 4}}",
       "input_mat1: field \"input_mat1\": is an object or a deeper list: expected a shape, a list of positive whole numbers"},
      {"{" + shape + "@null}", "input_mat1: field \"input_mat1\": null: expected a shape, a list of positive whole numbers"},
      {"{" + shape + "@true}", "input_mat1: field \"input_mat1\": is true or false: expected a shape, a list of positive whole numbers"},
      {"{" + shape + "@[]}", "input_mat1: field \"input_mat1\": [] has 0 dimensions: expected at least 1"},
      {"{" + shape + "@[NaN, 5]}", "input_mat1: field \"input_mat1\": dimension 0 is not a number: expected a positive whole number"},
      {"{" + shape + "@[Infinity, 5]}", "input_mat1: field \"input_mat1\": dimension 0 is inf: expected at most 9007199254740992 (2^53)"},
      // ranks and lengths that disagree
      {"{\"type\": \"ID_MM\", \"data_type\": \"INT8\", \"input_mat1\": [4, 6], \"input_mat2\": @[5, 6]}",
       "input_mat2: field \"input_mat2\": [5, 6] has an inner dimension of 5: expected 6, as input_mat1 [4, 6] has"},
      {"{" + conv + "@[1, 3, 3]}",
       "kernel_size: field \"kernel_size\": [1, 3, 3] has 3 numbers: expected 2, one for each spatial dimension"},
      {"{" + conv + "[3, 3], \"stride\": @[1]}", "stride: field \"stride\": [1] has 1 numbers: expected 2, one for each spatial dimension"},
      {"{\"type\": \"ID_MUL\", \"data_type\": \"INT8\", \"input_self\": [2, 3], \"input_other\": @[4]}",
       "input_other: field \"input_other\": [4] does not broadcast with [2, 3]"},
      // windows
      {"{" + conv + "@[7, 7], \"padding\": [1, 1]}",
       "kernel_size: field \"kernel_size\": spans 7 of spatial dimension 0: expected at most the padded input, 6"},
      {"{" + conv + "[3, 3], \"stride\": @[0, 1]}", "stride: field \"stride\": dimension 0 is 0: expected a positive whole number"},
      {"{" + conv + "[3, 3], \"stride\": @-1}", "stride: field \"stride\": is -1: expected a positive whole number"},
      {"{" + conv + "[3, 3], \"padding\": @[0, -1]}", "padding: field \"padding\": dimension 1 is -1: expected a whole number, 0 or more"},
      // beyond 2^63
      {"{\"type\": \"ID_MM\", \"data_type\": \"INT8\", \"input_mat1\": @[4000000, 4000000], \"input_mat2\": [4000000, 4000000]}",
       "input_mat1: field \"input_mat1\": the shapes multiply to 1.28e+20 FLOPs: expected fewer than 2^63 (9.2e18)"},
      {"{\"type\": \"gemm\", \"data_type\": \"INT8\", \"m\": 1000000000000, \"n\": @1000000000000, \"k\": 1000000000000}",
       "n: field \"n\": the shapes multiply to 2e+36 FLOPs: expected fewer than 2^63 (9.2e18)"},
      {"{\"type\": \"copy\", \"data_type\": \"INT8\", \"input_shape\": @[4000000000000, 4000000000000]}",
       "input_shape: field \"input_shape\": the shapes multiply to 3.2e+25 elements: expected fewer than 2^63 (9.2e18)"},
      {"{" + stated + "\"macs\": @1e19}", "macs: field \"macs\": expected a number below 2^63, found 1e+19"},
      {"{" + stated + "\"macs\": @9e18}", "macs: expected fewer than 2^63 FLOPs, found 1.8e+19"},
      {"{" + stated + "\"macs\": 1e18, \"count\": @100}", "count: expected fewer than 2^63 FLOPs, found 2e+20"},
      // stated numbers
      {"{" + stated + "\"macs\": @-1}", "macs: field \"macs\": expected a number of at least 0, found -1"},
      {"{" + stated + "\"flops\": @\"many\"}", "flops: field \"flops\": expected a number of at least 0"},
      {"{" + stated + "\"flops\": @NaN}", "flops: field \"flops\": expected a number of at least 0, found NaN"},
      {"{" + stated + "\"flops\": 1, \"hw_bytes\": @-Infinity}",
       "hw_bytes: field \"hw_bytes\": expected a number of at least 0, found -Infinity"},
      {"{" + stated + "\"flops\": 1, \"count\": @0}",
       "count: field \"count\": expected how often the operation occurs, at least 1, found 0"},
      // formats
      {"{\"type\": \"ID_MM\", \"data_type\": @\"INT7\", \"input_mat1\": [4, 5], \"input_mat2\": [5, 6]}",
       "data_type: unknown data_type \"INT7\": expected a format such as int8, int4 or int2"},
      {"{\"type\": \"ID_MM\", \"data_type\": @8, \"input_mat1\": [4, 5], \"input_mat2\": [5, 6]}",
       "data_type: data_type is not text: expected a format such as INT8 or FP16"},
      {"{" + stated + "\"flops\": 1, \"weight_type\": @\"quaternion\"}",
       "weight_type: unknown weight_type \"quaternion\": expected a format such as INT8 or FP16"},
  };
  for (const auto& r : records) {
    INFO(r.record);
    const std::size_t place = r.record.find('@');
    REQUIRE(place != std::string::npos);
    const Workload w = open("[\n" + good + ",\n" + r.record.substr(0, place) + r.record.substr(place + 1) + ",\n" + good + "\n]");
    REQUIRE(w.size() == 3);
    CHECK(diagnostics(w, Severity::error) == "3:" + std::to_string(place + 1) + ' ' + r.message);
    const auto fault =
        std::find_if(w.diagnostics.begin(), w.diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
    CHECK((fault != w.diagnostics.end() && fault->op == 1u));
    CHECK(w.class_of(1).invalid);
    CHECK(w.class_of(1).symbol == Symbol::star);
    const Scenario npu = Scenario::standard();
    const Plan plan(w, npu);
    CHECK(plan.analyze(1).status == Status::unknown);
    CHECK(std::isnan(plan.analyze(1).flops));
    for (const std::size_t i : {0, 2}) {
      CHECK(plan.analyze(i).flops == 240);
      CHECK(plan.analyze(i).status == Status::predicted);
    }
  }
}

TEST_CASE("bad input: a time with a fault costs the time only", "[bad_input]") {
  const struct {
    std::string time, message;
  } times[] = {
      {"\"time_ns\": 1e300", "time_ns: field \"time_ns\": expected at most 3 years, in nanoseconds, found 1e+300"},
      {"\"time_ns\": 1e-300", "time_ns: field \"time_ns\": expected at least 1 ps, in nanoseconds, found 1e-300"},
      {"\"time_s\": 9e-13", "time_s: field \"time_s\": expected at least 1 ps, in seconds, found 9e-13"},
      {"\"time_ns\": \"soon\"", "time_ns: field \"time_ns\": expected a number of nanoseconds"},
      {"\"time_ns\": NaN", "time_ns: field \"time_ns\": expected a number of nanoseconds, found NaN"},
      {"\"time_ns\": -Infinity", "time_ns: field \"time_ns\": expected a number of nanoseconds, found -Infinity"},
      {"\"time_ns\": [1]", "time_ns: field \"time_ns\": expected a number of nanoseconds"},
      {"\"time_ms\": \"soon\"", "time_ms: field \"time_ms\": expected a number of milliseconds"},
      {"\"predicted_ns\": \"soon\"", "predicted_ns: field \"predicted_ns\": expected a number of nanoseconds"},
  };
  for (const auto& t : times) {
    INFO(t.time);
    const Workload w = open("[\n" + good.substr(0, good.size() - 1) + ", " + t.time + "}\n]");
    REQUIRE(w.size() == 1);
    const std::size_t column = good.size() + 2 + t.time.find(' ') + 1;
    CHECK(diagnostics(w, Severity::error) == "2:" + std::to_string(column) + ' ' + t.message);
    CHECK_FALSE(w.class_of(0).invalid);
    const Scenario npu = Scenario::standard();
    const OpAnalysis a = Plan(w, npu).analyze(0);
    CHECK(a.flops == 240);
    CHECK(a.predicted_time_s == 74 / 50e9);
    CHECK(std::isnan(a.time_s));
    CHECK(a.status == Status::predicted);
  }
}

TEST_CASE("bad input: an operation without a time keeps its prediction", "[bad_input]") {
  for (const char* time : {"", ", \"time_ns\": null", ", \"time_ns\": 0", ", \"time_ns\": -5"}) {
    INFO(time);
    const Workload w = open("[" + good.substr(0, good.size() - 1) + time + "}]");
    const Scenario npu = Scenario::standard();
    const OpAnalysis a = Plan(w, npu).analyze(0);
    CHECK(a.predicted_time_s == 74 / 50e9);
    CHECK(std::isnan(a.efficiency));
    CHECK(std::isnan(a.time_s));
    CHECK(a.status == Status::predicted);
  }
  const auto info = [](const std::string& time) {
    return diagnostics(open("[\n" + good.substr(0, good.size() - 1) + ", \"time_ns\": " + time + "}]"), Severity::info);
  };
  CHECK(info("0") == "2:95 time_ns: time_ns is 0: ignored, so the operation has no efficiency");
  CHECK(info("-5") == "2:95 time_ns: time_ns is -5: ignored, so the operation has no efficiency");
  CHECK(info("null").empty());
}

TEST_CASE("bad input: numbers that are stated stand in for shapes with a fault", "[bad_input]") {
  const Workload w = open("[\n{\"type\": \"ID_MM\", \"data_type\": \"INT8\", \"input_mat1\": [4, 5], \"macs\": 3, \"bytes\": 4}]");
  CHECK(diagnostics(w, Severity::warning) ==
        "2:1 : field \"input_mat2\": missing: expected a shape, a list of positive whole numbers; the stated numbers are used");
  CHECK(w.matrix_flops[0] == 6);
  CHECK_FALSE(w.class_of(0).invalid);
}

TEST_CASE("bad input: what is assumed is said", "[bad_input]") {
  const std::string plain = R"({"type": "ID_MM", "input_mat1": [4, 5], "input_mat2": [5, 6]})";
  CHECK(diagnostics(open("[" + plain + "]"), Severity::info) == "0:0 assumed_format: 1 record has no data_type: INT8 is assumed");
  CHECK(diagnostics(open("[" + plain + "," + plain + "]"), Severity::info) ==
        "0:0 assumed_format: 2 records have no data_type: INT8 is assumed");
  CHECK(open("[" + plain + "]").class_of(0).activation == format("int8"));
}

TEST_CASE("bad input: a bad line costs that line only", "[bad_input]") {
  const struct {
    std::string line, message;
  } lines[] = {
      {"nonsense", "2:2 : not JSON: expected a value, found 'o'"},
      {"{\"type\": \"ID_MM\",", "3:1 : not JSON: expected a member's name in double quotes, found '{'"},
      {"{\"type\": \"ID_MM", "2:16 : not JSON: expected an escape such as \\n, and no line break, in a text, found a control character"},
      {"]", "2:1 : not JSON: expected a value, found ']'"},
      {"7", "2:1 : expected an object such as {\"type\": \"ID_CONV\", ...}, found a number"},
      {"{\"type\": 1e999}", "2:10 : a number is too large: expected at most 1.8e308"},
  };
  for (const auto& l : lines) {
    INFO(l.line);
    const Workload w = open(good + "\n" + l.line + "\n" + good + "\n");
    REQUIRE(w.size() == 3);
    CHECK(diagnostics(w, Severity::error) == l.message);
    CHECK_FALSE(w.class_of(0).invalid);
    CHECK(w.class_of(1).invalid);
    CHECK_FALSE(w.class_of(2).invalid);
  }
  const Workload cut = open(good + "\n{\"type\": \"ID_MM\", \"inp");
  REQUIRE(cut.size() == 2);
  CHECK(diagnostics(cut, Severity::error) ==
        "2:23 : the file is truncated after 1 record: expected a closing quote, found the end of the file");
  const Workload stated =
      open(R"([{"name": "a", "flops": 2e9, "bytes": 1e6, "time_ns": 10000}, {"flops": 1}, {"type": 3, "flops": 1}, {"hw_bytes": 0}])");
  REQUIRE(stated.size() == 4);
  CHECK(stated.class_of(0).type.empty());
  CHECK(stated.matrix_flops[0] == 2e9);
  CHECK_FALSE(stated.class_of(1).invalid);
  CHECK(stated.class_of(2).invalid);
  const std::string faults = diagnostics(stated, Severity::error);
  CHECK(faults.starts_with("1:86 type: \"type\" is not text: expected a name such as ID_CONV or MatMul"));
  CHECK(faults.find("no \"type\": expected") != std::string::npos);  // a counter of 0 was not read
  const Workload untyped = open("{\"name\": \"a\"}\n" + good);       // the first line may be the one with the fault
  REQUIRE(untyped.size() == 2);
  CHECK(diagnostics(untyped, Severity::error) ==
        "1:1 type: no \"type\": expected a name such as ID_CONV or MatMul, or \"flops\" or \"macs\" with \"bytes\"");
}

TEST_CASE("bad input: a million faults do not fill the memory", "[bad_input]") {
  std::string text = "[0";
  for (int i = 1; i < 20000; ++i) text += ",\n0";
  const Workload w = open(text + "]");
  CHECK(w.size() == 20000);
  CHECK(w.diagnostics.size() == 10000);
  CHECK(w.hidden_diagnostics == 10000);
  CHECK(w.diagnostics.back().line == 10000);
}

TEST_CASE("bad input: the file of faults", "[bad_input]") {
  const Workload w = open(file("tests/data/faults.json"));
  REQUIRE(w.size() == 10);
  std::vector<bool> invalid;
  for (std::size_t i = 0; i < w.size(); ++i) invalid.push_back(w.class_of(i).invalid);
  CHECK(invalid == std::vector<bool>{false, true, true, true, true, true, true, false, true, false});  // the eighth lacks its time only
  CHECK(w.name_of(2) == "untyped");
  CHECK(w.name_of(9) == "never");
  std::size_t line = 3;  // one fault per record from the second on, each on its own line
  for (const Diagnostic& d : w.diagnostics) {
    if (d.severity != Severity::error) continue;
    CHECK(d.line == line);
    CHECK(d.op == static_cast<std::uint32_t>(line - 2));
    ++line;
  }
  CHECK(line == 11);
}
