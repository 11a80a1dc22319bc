// Neighbours as one kernel. The machine does 100 FLOP/s of products, 10 of the rest, and moves 10 B/s; a number takes 2 bytes.
#include <roofline/analysis/fusion.hpp>
#include <roofline/session/session.hpp>

#include "json.hpp"
#include "session.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

/// A file of those records, every operation of it fused.
struct Fused {
  Workload workload;
  Scenario scenario;
  Fusion fusion;
  [[nodiscard]] std::string remarks() const {
    std::string out;
    for (const std::string& remark : fusion.remarks) out += remark + '\n';
    return out;
  }
};

ReadOptions with_records() {
  ReadOptions options;
  options.keep_records = true;
  return options;
}

Fused fuse_all(Workload workload, const Machine& machine = round_machine()) {
  Fused f{std::move(workload), on(machine), {}};
  const Keys keys;
  const Registry registry;
  std::vector<std::uint32_t> rows;
  std::vector<OperationTensors> tensors;
  for (std::uint32_t i = 0; i < f.workload.size(); ++i) {
    rows.push_back(i);
    tensors.push_back(tensors_of(f.workload.record_of(i), keys, registry));
  }
  const Plan plan(f.workload, f.scenario);
  Result<Fusion> fusion = fuse(plan, rows, tensors);
  INFO((fusion ? std::string() : fusion.error().text()));
  REQUIRE(fusion);
  f.fusion = std::move(*fusion);
  return f;
}
Fused fuse_all(const std::string& records) { return fuse_all(open("[" + records + "]", with_records())); }

const std::string conv =
    R"({"type": "conv", "name": "conv", "data_type": "FP16", "input_shape": [1, 2, 5, 5], "output_channels": 3, "kernel_size": 3)";

std::string relu(const std::string& shape, const std::string& more = "") {
  return R"({"type": "relu", "name": "relu", "data_type": "FP16", "input_shape": )" + shape + more + "}";
}

}  // namespace

TEST_CASE("fusion: attention moves queries, keys, values and the result alone", "[fusion]") {
  // Of two heads, four tokens and three numbers each. The scores, 2 x 4 x 4, are written and read twice: 4 x 64 B.
  const Fused f = fuse_all(R"(
    {"type": "bmm", "name": "qk", "data_type": "FP16", "input_mat1": [2, 4, 3], "input_mat2": [2, 3, 4]},
    {"type": "softmax", "name": "softmax", "data_type": "FP16", "input_shape": [1, 2, 4, 4]},
    {"type": "bmm", "name": "pv", "data_type": "FP16", "input_mat1": [2, 4, 4], "input_mat2": [2, 4, 3]})");
  const Fusion& fusion = f.fusion;
  CHECK(fusion.bytes == 2 * (24 + 24 + 32) + 2 * (32 + 32) + 2 * (32 + 24 + 24));
  CHECK(fusion.fused_bytes == 2 * (24 + 24 + 24 + 24));
  CHECK(fusion.saved_bytes() == 4 * 64);
  CHECK(fusion.parts_s == 16.0 + 16.0 + 16.0);  // two products by 160 B each; the softmax by 5 FLOPs for each of 32 scores
  CHECK(fusion.overlap_s == 44.8);              // 448 B, while softmax's 16 s pass
  CHECK(fusion.fused_s == 19.2);
  CHECK(fusion.bound_by == 1);
  CHECK(fusion.speedup() == 2.5);
  CHECK(fusion.resources[0].fused_time_s == 16);
  REQUIRE(fusion.between.size() == 2);
  CHECK(fusion.between[0].match == TensorMatch::shape);  // a length of 1 is no difference
  CHECK(fusion.between[0].tensor == "[2, 4, 4]");
  CHECK(fusion.between[0].read_as == "input_shape [1, 2, 4, 4]");
  CHECK(fusion.between[1].read_as == "input_mat1 [2, 4, 4]");
  CHECK(fusion.finding.text() ==
        "As one kernel the 3 operations need at least 19.2 s instead of 48 s: 2.5x faster. 256 B of 448 B stay on chip; it is then "
        "memory-bound.");
  CHECK(fusion.finding.parts[1].from->formula == "the longest of compute 16 s, HBM 19.2 s");
  CHECK(fusion.finding.parts[3].from->formula == "qk 16 s + softmax 16 s + pv 16 s");
  CHECK(f.remarks() == "Assumes that no other operation reads the intermediate result and that it fits on chip.\n");
}

TEST_CASE("fusion: a product with its bias and activation, measured", "[fusion]") {
  // 8 x 4 by 4 x 2, a bias of 2. One kernel reads 32 + 8 + 2 numbers and writes 16.
  const Fusion f = fuse_all(R"(
    {"type": "matmul", "name": "gemm", "data_type": "FP16", "input_mat1": [8, 4], "input_mat2": [4, 2], "time_ns": 15e9},
    {"type": "add", "name": "bias", "data_type": "FP16", "inputs": [[8, 2], [2]], "time_ns": 8e9},)" +
                            relu("[8, 2]", R"(, "time_ns": 7e9)"))
                       .fusion;
  CHECK(f.bytes == 2 * (56 + 34 + 32));
  CHECK(f.fused_bytes == 2 * (32 + 8 + 2 + 16));
  CHECK_THAT(f.parts_s, WithinRel(11.2 + 6.8 + 6.4, 1e-12));
  CHECK_THAT(f.fused_s, WithinRel(11.6, 1e-12));
  CHECK(f.time_s == 30);
  CHECK_THAT(f.fused_time_s.low, WithinRel(30 * 11.6 / 24.4, 1e-12));
  CHECK_THAT(f.fused_time_s.high, WithinRel(30 - 24.4 + 11.6, 1e-12));
  CHECK(f.finding.text().ends_with("The 30 s measured would become 14.3 s to 17.2 s."));
  CHECK(f.parts[1].fused_bytes == 2 * 2);  // the bias alone
}

TEST_CASE("fusion: a convolution and what follows it", "[fusion]") {
  // It reads 50 and 54 numbers and writes 27.
  const auto with = [](const std::string& next) { return fuse_all(conv + "}," + next); };
  const Fused same = with(relu("[1, 3, 3, 3]"));
  CHECK_THAT(same.fusion.parts_s, WithinRel(26.2 + 10.8, 1e-12));
  CHECK(same.fusion.fused_bytes == 2 * (50 + 54 + 27));
  CHECK_THAT(same.fusion.fused_s, WithinRel(26.2, 1e-12));

  CHECK(with(relu("[3, 9]")).fusion.between[0].match == TensorMatch::view);
  CHECK(with(relu("[27]")).fusion.between[0].match == TensorMatch::view);
  // 24 numbers as 4 x 6 are no view of 8 x 3; as 6 x 4, of the same in another order.
  CHECK(fuse_all(relu("[4, 6]") + "," + relu("[6, 4]")).fusion.between[0].match == TensorMatch::view);
  const Fused other = fuse_all(relu("[4, 6]") + "," + relu("[8, 3]"));
  CHECK(other.fusion.between[0].match == TensorMatch::none);
  CHECK(other.fusion.between[0].bytes() == 0);
  CHECK(other.fusion.saved_bytes() == 0);
  CHECK(other.remarks().find("Nothing passes between relu and relu: relu reads no tensor such as the [4, 6] that relu writes.") == 0);
  CHECK(with(relu("[28]")).fusion.between[0].match == TensorMatch::none);

  // What the next reads as its weight is no activation: the work counts 4 x 4 of it as a parameter.
  const Fused weight = fuse_all(relu("[4, 4]") + R"(, {"type": "matmul", "name": "m", "data_type": "FP16", "input_mat1": [1, 4],
    "input_mat2": [4, 4]})");
  CHECK(weight.fusion.between[0].match == TensorMatch::none);
}

TEST_CASE("fusion: what was measured shrinks as what is derived does", "[fusion]") {
  // The convolution moved twice its 262 B. Without the 54 B that it writes 208 are needed; the ReLU keeps half.
  Workload w = open("[" + conv + R"(, "hw_bytes": 524}, )" + relu("[1, 3, 3, 3]", R"(, "hw_bytes": 108)") + "]", with_records());
  w.channels = {{"L2", false, {1310, 200}}, {"NVLink", true, {40, 2}}};
  Machine m = round_machine();
  m.memories.emplace_back();
  m.memories[1].name = "L2";
  m.memories[1].bandwidth.value = 20;
  m.links.emplace_back();
  m.links[0].name = "NVLink";
  m.links[0].bandwidth.value = 1;
  const Fusion f = fuse_all(std::move(w), m).fusion;
  CHECK_THAT(f.fused_bytes, WithinRel(524.0 * 208 / 262 + 54, 1e-12));
  REQUIRE(f.resources.size() == 4);
  CHECK(f.resources[2].work == 1510);
  CHECK_THAT(f.resources[2].fused_work, WithinRel(1310.0 * 208 / 262 + 100, 1e-12));
  CHECK(f.resources[3].fused_work == 42);  // a link's stay
  CHECK_THAT(f.fused_s, WithinRel((1310.0 * 208 / 262 + 100) / 20, 1e-12));
  CHECK(f.bound_by == 2);
}

TEST_CASE("fusion: unknown is not zero", "[fusion]") {
  Workload w;
  add_row(w, 100, 50, 1);
  add_row(w, 100, 30, 2);
  const Fused bytes_alone = fuse_all(w);
  CHECK(bytes_alone.fusion.between[0].match == TensorMatch::unknown);
  CHECK(!known(bytes_alone.fusion.between[0].bytes()));
  CHECK(bytes_alone.fusion.fused_bytes == 80);  // still in the bound
  CHECK(bytes_alone.remarks().find("What passes between #0 and #1 is not known: its traffic is still in the bound.\n") == 0);
  CHECK(bytes_alone.fusion.finding.text().find("No traffic between them is known to go") != std::string::npos);

  add_row(w, unknown, unknown, 1);  // no bound
  const Fused no_bound = fuse_all(w);
  CHECK(!known(no_bound.fusion.parts_s));
  CHECK(!known(no_bound.fusion.fused_s));
  CHECK(no_bound.remarks().find("#2 has no bound") != std::string::npos);

  // 8 s of work in 3: it ran on another machine.
  CHECK(bytes_alone.fusion.time_s == 3);
  CHECK(!known(bytes_alone.fusion.fused_time_s.high));
  CHECK(bytes_alone.remarks().find("They took 3 s, less than this machine allows") != std::string::npos);

  w = one_row(100, 50, 1);
  add_row(w, 100, 30, unknown);
  CHECK(!known(fuse_all(w).fusion.time_s));
  CHECK(!known(fuse_all(w).fusion.fused_time_s.low));
}

TEST_CASE("fusion: of rows that stand for several, as many as follow one another", "[fusion]") {
  const Fused f = fuse_all(relu("[8]", R"(, "count": 3)") + "," + relu("[8]", R"(, "count": 2)"));
  CHECK(f.fusion.between[0].occurrences == 2);
  CHECK(f.fusion.saved_bytes() == 2 * 2 * (8 + 8));
  CHECK(f.remarks().find("relu runs 3 times and relu 2 times: 2 of each are taken to follow one another.") == 0);
}

TEST_CASE("fusion: of a language model elements tell", "[fusion]") {
  Session session;
  const Json built =
      Json::parse(session.build("model", R"({"model": "llama-3-8b", "phase": "prefill", "prompt": 512, "attention": "unfused"})"));
  REQUIRE(!built.contains("error"));
  const int qk = session.index_of("qk");
  REQUIRE(qk >= 0);
  REQUIRE(session.index_of("softmax") == qk + 1);
  REQUIRE(session.index_of("pv") == qk + 2);
  const Json f = Json::parse(session.ask("fusion", Json{{"ops", {qk, qk + 1, qk + 2}}}.dump()).json);
  CHECK(f["between"][0]["match"] == "elements");
  // Whatever the softmax moves is scores: one reading and one writing of them; the products do as much once more.
  CHECK_THAT(f["saved_bytes"].get<double>(), WithinRel(2 * f["ops"][1]["bytes"].get<double>(), 1e-12));
  CHECK(f["ops"][1]["fused_bytes"] == 0);
}

TEST_CASE("fusion: a session is given the records, or says what is wrong", "[fusion]") {
  Session session;
  const std::string first = conv + "}", second = relu("[1, 3, 3, 3]");
  open_in(session, "[" + first + "," + second + "]", "two.json");
  const auto ask = [&](const Json& request) { return Json::parse(session.ask("fusion", request.dump()).json); };
  const Json f = ask({{"ops", {0, 1}}, {"records", {first, second}}});
  CHECK(f["schema"] == "roofline-fusion/1");
  CHECK(f["between"][0]["match"] == "shape");
  CHECK(f["saved_bytes"] == 108);
  CHECK(f["finding"][1]["text"].is_string());
  CHECK(ask({{"ops", {0, 1}}})["between"][0]["match"] == "elements");
  CHECK(ask({{"ops", {1, 0}}})["error"]["message"] == "expected operations in the order of the file, each once");
  CHECK(ask({{"ops", {0}}})["error"]["message"] == "one operation alone is one kernel already: expected two or more");
  CHECK(ask({{"ops", {0, 2}}})["error"]["message"] == "expected indexes of operations, found 2");
  CHECK(ask({{"ops", "all"}})["error"]["path"] == "ops");
}
