#include <cmath>
#include <roofline/machine/presets.hpp>
#include <roofline/registry/registry.hpp>

#include "catch.hpp"

using namespace roofline;

namespace {

/// A registry and the record it is asked about.
struct Fixture {
  Keys keys;
  Registry registry;
  Record record;

  explicit Fixture(std::string_view json) {
    const Result<void> added = registry.add(json, keys);
    INFO((added ? "" : added.error().text()));
    REQUIRE(added.has_value());
    record.grow(keys.size());
  }
  void list(std::string_view name, const std::vector<double>& numbers) { record.set_list(keys.find(name), numbers); }

  Result<RegistryWork> run(std::string_view type, double dt_size = 1) const {
    const RegistryOperation* operation = registry.find(type);
    REQUIRE(operation != nullptr);
    return operation->derive(record, dt_size);
  }
  RegistryWork derive(std::string_view type, double dt_size = 1) const {
    const Result<RegistryWork> result = run(type, dt_size);
    INFO((result ? "" : result.error().text()));
    REQUIRE(result.has_value());
    return *result;
  }
  std::string fault(std::string_view type, double dt_size = 1) const {
    const Result<RegistryWork> result = run(type, dt_size);
    REQUIRE_FALSE(result.has_value());
    return result.error().message;
  }
};

/// The error of a whole file.
std::string error(std::string_view json) {
  Keys keys;
  Registry registry;
  const Result<void> added = registry.add(json, keys);
  REQUIRE_FALSE(added.has_value());
  CHECK(registry.empty());
  return added.error().text();
}

/// The error of one operation given by its members.
std::string op_error(const std::string& members) { return error(R"({"ops": {"ID_MY_OP": {)" + members + "}}}"); }

constexpr std::string_view example = R"json({
  "note": "from the issue",
  "ops": {
    "ID_MY_OP": {"symbol": "circle", "category": "mine", "names": ["my_gemm", "自定义"],
                 "let": {"m": "input_mat1[-2]", "twice": "2 * m"},
                 "macs": "m * input_mat1[-1] * input_mat2[-1]", "bytes": "(prod(input_mat1) + prod(input_mat2)) * dt_size"},
    "ID_COUNTS": {"let": {"half": 0.5}, "vector_flops": "3 * tokens", "matrix_flops": 7,
                  "weight": 1, "activation": "tokens", "output": "tokens * half", "kv_read": 4, "kv_write": 5},
    "ID_COPY": {"bytes": "2 * prod(input_self) * dt_size"},
    "ID_EXP": {"unit": "vector", "flops": "prod(input_self)", "output": 1},
    "ID_FMA": {"unit": "vector", "macs": "prod(input_self)", "output": 1},
    "ID_GEMM": {"flops": "prod(input_self)", "output": 1}
  }
})json";

}  // namespace

TEST_CASE("a registry gives MACs and bytes") {
  Fixture f(example);
  f.list("input_mat1", {512, 1024});
  f.list("input_mat2", {1024, 256});
  f.record.set_number(key::m, 99);  // hidden by the let
  const RegistryWork work = f.derive("ID_MY_OP", 2);
  CHECK(work.work.matrix_flops == 2.0 * 512 * 1024 * 256);
  CHECK(work.work.vector_flops == 0);
  CHECK(work.has_bytes);
  CHECK(work.bytes == (512 * 1024 + 1024 * 256) * 2);

  const RegistryOperation& operation = *f.registry.find("ID_MY_OP");
  CHECK(operation.symbol == Symbol::circle);
  CHECK(operation.category == "mine");
  const auto formulas = operation.formulas();
  REQUIRE(formulas.size() == 4);
  CHECK(formulas[0] == std::pair<std::string, std::string>("let m", "input_mat1[-2]"));
  CHECK(formulas[1].first == "let twice");
  CHECK(formulas[2] == std::pair<std::string, std::string>("macs", "m * input_mat1[-1] * input_mat2[-1]"));
  CHECK(formulas[3].first == "bytes");
}

TEST_CASE("a registry gives element counts and fields of its own") {
  Fixture f(example);
  REQUIRE(f.keys.find("tokens") != Keys::npos);
  f.record.set_number(f.keys.find("tokens"), 8);
  const RegistryWork work = f.derive("ID_COUNTS", std::nan(""));  // nothing asks for dt_size
  CHECK_FALSE(work.has_bytes);
  CHECK(work.work.matrix_flops == 7);
  CHECK(work.work.vector_flops == 24);
  CHECK(work.work.weight == 1);
  CHECK(work.work.activation == 8);
  CHECK(work.work.output == 4);
  CHECK(work.work.kv_read == 4);
  CHECK(work.work.kv_write == 5);
  CHECK(f.registry.find("ID_COUNTS")->symbol == Symbol::diamond);
  CHECK(f.registry.find("ID_COUNTS")->category == "other");
}

TEST_CASE("FLOPs go to the unit the operation names") {
  Fixture f(example);
  f.list("input_self", {4, 25});
  CHECK(f.derive("ID_GEMM").work.matrix_flops == 100);
  CHECK(f.derive("ID_GEMM").work.vector_flops == 0);
  CHECK(f.derive("ID_EXP").work.matrix_flops == 0);
  CHECK(f.derive("ID_EXP").work.vector_flops == 100);
  CHECK(f.derive("ID_FMA").work.vector_flops == 200);
  CHECK(f.derive("ID_COPY", 4).work.matrix_flops == 0);
  CHECK(f.derive("ID_COPY", 4).bytes == 800);
  CHECK(f.derive("ID_COPY", 0.5).bytes == 100);
}

TEST_CASE("operations are found as users write them") {
  const Fixture f(example);
  const RegistryOperation* operation = f.registry.find("ID_MY_OP");
  REQUIRE(operation != nullptr);
  CHECK(f.registry.find("id-my-op") == operation);
  CHECK(f.registry.find("MyGemm") == operation);
  CHECK(f.registry.find("自定义") == operation);
  CHECK(f.registry.find("别的") == nullptr);
  CHECK(f.registry.find("") == nullptr);
  CHECK(f.registry.find("MY_OP") == nullptr);
}

TEST_CASE("a later registry overrides an earlier one by type") {
  Fixture f(R"({"ops": {"ID_A": {"names": ["first", "shared"], "bytes": 1}, "ID_B": {"bytes": 2}}})");
  REQUIRE(f.registry.add(R"({"ops": {"id_a": {"bytes": 3}, "ID_C": {"names": ["id_b"], "bytes": 4}}})", f.keys).has_value());
  CHECK(f.registry.operations().size() == 3);
  CHECK(f.derive("ID_A").bytes == 3);
  CHECK(f.registry.find("first") == nullptr);
  CHECK(f.derive("ID_B").bytes == 4);
  CHECK(f.derive("ID_C").bytes == 4);
}

TEST_CASE("a faulty registry changes nothing") {
  Fixture f(R"({"ops": {"ID_A": {"bytes": 1}}})");
  REQUIRE_FALSE(f.registry.add(R"({"ops": {"ID_A": {"bytes": 2}, "ID_B": {"bytes": "("}}})", f.keys).has_value());
  CHECK(f.derive("ID_A").bytes == 1);
  CHECK(f.registry.find("ID_B") == nullptr);
}

TEST_CASE("what is wrong with a registry as a whole") {
  CHECK(error("") == "the file is empty; expected a registry: {\"ops\": {\"ID_MY_OP\": {...}}}");
  CHECK(error("[]") == "expected a registry: {\"ops\": {\"ID_MY_OP\": {...}}}");
  CHECK(error(R"({"ops": []})") == "expected a registry: {\"ops\": {\"ID_MY_OP\": {...}}}");
  CHECK(error(R"({"ops": {}, "op": 1})") == "unknown key 'op', expected ops, note");
  CHECK(error("{\"ops\": {\n  \"A\": {\"bytes\" 1}}}") ==
        "line 2, column 17: not valid JSON: Missing a colon after a name of object member.");
  CHECK(error(R"({"ops": {"A": 3}})") == "ops.A: expected an object, found a number");
  CHECK(error(R"({"ops": {"A": {"bytes": 1}, "B": {"names": ["a"], "bytes": 1}}})") == "ops.B: 'a' is already defined as A");
  CHECK(error(R"({"ops": {"MY_OP": {"bytes": 1}, "MyOp": {"bytes": 1}}})") == "ops.MyOp: 'MyOp' is already defined as MY_OP");
}

TEST_CASE("what is wrong with an operation of a registry") {
  CHECK(op_error(R"("byts": 1)") ==
        "ops.ID_MY_OP: unknown key 'byts', expected one of symbol, category, names, note, let, require, unit, macs, flops, matrix_flops, "
        "vector_flops, bytes, weight, activation, output, kv_read, kv_write");
  CHECK(op_error(R"("bytes": null)") == "ops.ID_MY_OP.bytes: expected a value, found null");
  CHECK(op_error(R"("macs": 1)") == "ops.ID_MY_OP: expected bytes, or element counts: weight, activation, output, kv_read, kv_write");
  CHECK(op_error(R"("bytes": 1, "weight": 1)") == "ops.ID_MY_OP: expected either bytes or element counts, not both");
  CHECK(op_error(R"("bytes": 1, "macs": 1, "flops": 2)") ==
        "ops.ID_MY_OP: expected only one of macs, flops, and matrix_flops with vector_flops");
  CHECK(op_error(R"("bytes": 1, "macs": 1, "vector_flops": 2)") ==
        "ops.ID_MY_OP: expected only one of macs, flops, and matrix_flops with vector_flops");
  CHECK(op_error(R"("bytes": 1, "matrix_flops": 1, "unit": "vector")") ==
        "ops.ID_MY_OP: unit says where macs or flops go, and there are none");
  CHECK(op_error(R"("bytes": 1, "flops": 1, "unit": "tensor")") == "ops.ID_MY_OP.unit: unknown unit 'tensor', expected matrix or vector");
  CHECK(op_error(R"("bytes": 1, "symbol": "blob")")
            .rfind("ops.ID_MY_OP.symbol: unknown symbol 'blob', expected one of square, circle, ", 0) == 0);
  CHECK(op_error(R"("bytes": 1, "symbol": 4)") == "ops.ID_MY_OP.symbol: expected a text, found a number");
  CHECK(op_error(R"("bytes": 1, "category": 4)") == "ops.ID_MY_OP.category: expected a text, found a number");
  CHECK(op_error(R"("bytes": 1, "names": "x")") == "ops.ID_MY_OP.names: expected an array of texts, found a text");
  CHECK(op_error(R"("bytes": 1, "names": [1])") == "ops.ID_MY_OP.names: expected a text, found a number");
  CHECK(op_error(R"("bytes": [1])") == "ops.ID_MY_OP.bytes: expected an expression in quotes or a number, found an array");
  CHECK(op_error(R"("bytes": 1, "let": ["m"])") == "ops.ID_MY_OP.let: expected an object, found an array");
  CHECK(op_error(R"("bytes": 1, "let": {"2m": 1})") ==
        "ops.ID_MY_OP.let: '2m' is no name: expected letters, digits and _, not starting with a digit");
  CHECK(op_error(R"("bytes": 1, "require": "1")") == "ops.ID_MY_OP.require: expected an array of expressions, found a text");
  CHECK(op_error(R"json("bytes": 1, "macs": "prod(m) * )")json") == "ops.ID_MY_OP.macs: column 11: expected an operand, found ')'");
  CHECK(op_error(R"("bytes": 1, "let": {"m": "1 +"})") == "ops.ID_MY_OP.let.m: column 4: expected an operand, found the end");
  CHECK(op_error(R"("bytes": 1, "require": ["1", "$"])") == "ops.ID_MY_OP.require[1]: column 1: unexpected character '$'");

  std::string lets;
  for (std::size_t i = 0; i <= RegistryOperation::max_lets; ++i) lets += (i ? ", \"v" : "\"v") + std::to_string(i) + "\": 1";
  CHECK(op_error("\"bytes\": 1, \"let\": {" + lets + "}") == "ops.ID_MY_OP.let: expected at most 32 names, found 33");
}

TEST_CASE("what is wrong with a record is told with the operation, the expression and the column") {
  Fixture f(R"({"ops": {
    "ID_MY_OP": {"let": {"m": "input_mat1[-2]"}, "require": ["m > 1", "mine < 9"], "macs": "2 * input_mat1[-3]", "bytes": "dt_size"},
    "ID_NEGATIVE": {"flops": "-1", "bytes": 0}, "ID_HUGE": {"bytes": "2 ^ 63"}, "ID_LARGE": {"bytes": "2 ^ 63 - 1024"},
    "ID_LET_ORDER": {"let": {"b": "a", "a": "2"}, "bytes": "b"}}})");
  CHECK(f.fault("ID_MY_OP") == "ID_MY_OP: let m: column 1: input_mat1 is not in the record");
  CHECK(f.run("ID_MY_OP").error().path == "input_mat1");
  f.list("input_mat1", {1, 64});
  CHECK(f.fault("ID_MY_OP") == "ID_MY_OP: require: m > 1 does not hold");
  f.list("input_mat1", {2, 64});
  CHECK(f.fault("ID_MY_OP") == "ID_MY_OP: require: column 1: mine is not in the record");
  f.record.set_number(f.keys.find("mine"), 8);
  CHECK(f.fault("ID_MY_OP") == "ID_MY_OP: macs: column 5: input_mat1[-3] is out of range: the list has 2 elements");
  f.list("input_mat1", {3, 2, 64});
  CHECK(f.fault("ID_MY_OP", std::nan("")) == "ID_MY_OP: bytes: column 1: dt_size is not known");
  CHECK(f.derive("ID_MY_OP", 4).work.matrix_flops == 12);
  CHECK(f.fault("ID_NEGATIVE") == "ID_NEGATIVE: flops: the result is negative");
  CHECK(f.fault("ID_HUGE") == "ID_HUGE: bytes: the result is 2^63 or more");
  CHECK(f.derive("ID_LARGE").bytes == 0x1p63 - 1024);
  CHECK(f.fault("ID_LET_ORDER") == "ID_LET_ORDER: let b: column 1: a is not in the record");
}

// ---- presets/registries/npu-seed.json: the figures the tool it is named after printed

namespace {

std::string npu_seed() {
  for (const PresetFile& file : preset_files("registries"))
    if (file.name == "npu-seed") return std::string(file.text);
  return {};
}

double macs(const RegistryWork& work) { return (work.work.matrix_flops + work.work.vector_flops) / 2; }
double elements(const RegistryWork& work) { return work.work.weight + work.work.activation + work.work.output; }

void set_conv(Fixture& f, double channels, double size, double outputs, double stride) {
  f.list("input_shape", {1, channels, 1, size, size});
  f.record.set_number(key::output_channels, outputs);
  f.list("kernel_size", {1, 3, 3});
  f.list("stride", {1, stride, stride});
  f.list("padding", {0, 1, 1});
}

}  // namespace

TEST_CASE("npu-seed: convolution") {
  Fixture f(npu_seed());
  set_conv(f, 64, 224, 128, 2);
  const RegistryWork readme = f.derive("ID_CONV");
  CHECK_FALSE(readme.has_bytes);
  CHECK(macs(readme) == 924844032);
  CHECK(elements(readme) == 4890624);
  CHECK(elements(readme) * 4 == 19562496);  // FP32
  CHECK(readme.work.weight == 128 * 64 * 9);
  CHECK(readme.work.output == 128 * 112 * 112);
  CHECK(f.registry.find("ID_CONV")->symbol == Symbol::square);

  set_conv(f, 512, 32, 512, 1);
  CHECK(macs(f.derive("ID_CONV")) == 2415919104);
  CHECK(elements(f.derive("ID_CONV")) == 3407872);
}

TEST_CASE("npu-seed: matrix products, the bias ignored") {
  Fixture f(npu_seed());
  f.list("input_input", {1, 1, 1, 1, 2048});
  f.list("input_mat1", {1, 1, 1, 1, 2048});
  f.list("input_mat2", {1, 1, 1, 2048, 2048});
  CHECK(macs(f.derive("ID_ADDMM")) == 4194304);
  CHECK(elements(f.derive("ID_ADDMM")) * 4 == 16793600);
  CHECK(f.derive("ID_ADDMM").work.weight == 2048 * 2048);

  f.list("input_mat1", {1, 1, 1, 1, 8192});
  f.list("input_mat2", {1, 1, 1, 8192, 2048});
  CHECK(macs(f.derive("ID_ADDMM")) == 16777216);
  CHECK(elements(f.derive("ID_ADDMM")) * 4 == 67149824);

  f.list("input_mat1", {512, 1024});
  f.list("input_mat2", {1024, 512});
  CHECK(macs(f.derive("ID_MM")) == 268435456);
  CHECK(elements(f.derive("ID_MM")) * 2 == 2621440);
  CHECK(f.registry.find("ID_MM")->symbol == Symbol::circle);

  f.list("input_mat1", {4, 8, 16});
  f.list("input_mat2", {4, 16, 32});  // batched: activations both
  CHECK(macs(f.derive("ID_MM")) == 4 * 8 * 16 * 32);
  CHECK(f.derive("ID_MM").work.weight == 0);
  CHECK(f.derive("ID_MM").work.activation == 4 * 8 * 16 + 4 * 16 * 32);
}

TEST_CASE("npu-seed: multiplication, its output write not counted") {
  Fixture f(npu_seed());
  f.list("input_self", {1, 1, 1, 1, 2048});
  f.list("input_other", {1, 1, 1, 1, 2048});
  CHECK(macs(f.derive("ID_MUL")) == 2048);
  CHECK(elements(f.derive("ID_MUL")) * 4 == 16384);
  CHECK(f.registry.find("ID_MUL")->symbol == Symbol::triangle);
}

TEST_CASE("npu-seed refuses shapes that make no sense") {
  Fixture f(npu_seed());
  set_conv(f, 64, 0, 128, 1);
  CHECK(f.fault("ID_CONV").find("min(input_shape) > 0") != std::string::npos);
  set_conv(f, 64, 224, 128, 0);
  CHECK(f.fault("ID_CONV") == "ID_CONV: let out_h: column 52: division by zero");
  set_conv(f, 64, 224, 128, -1);
  CHECK(f.fault("ID_CONV").find("min(stride) > 0") != std::string::npos);
  set_conv(f, 64, 224, 128, 1);
  f.list("kernel_size", {9, 999, 999});
  CHECK(f.fault("ID_CONV") == "ID_CONV: require: out_d > 0 && out_h > 0 && out_w > 0 does not hold");
  f.list("kernel_size", {3, 3});
  CHECK(f.fault("ID_CONV") == "ID_CONV: let out_w: column 36: kernel_size[2] is out of range: the list has 2 elements");
  f.list("input_mat1", {512, 1024});
  f.list("input_mat2", {1025, 512});
  CHECK(f.fault("ID_MM") == "ID_MM: require: input_mat1[-1] == input_mat2[-2] does not hold");
  f.list("input_mat2", {1024, 0});
  CHECK(f.fault("ID_MM").find("min(input_mat2) > 0") != std::string::npos);
}
