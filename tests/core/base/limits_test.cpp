// What a workload may hold: passing a limit is an error that says what, where and how much was expected, never a number that wraps.
#include <roofline/workload/join.hpp>

#include "json.hpp"
#include "read/trace/pytorch/host_ops.hpp"
#include "rows.hpp"
#include "session.hpp"

using namespace roofline;

namespace {

/// `n` matrix products, one on each line of an array.
std::string products(std::size_t n) {
  std::string text = "[\n";
  for (std::size_t i = 0; i < n; ++i)
    text += std::string(i > 0 ? ",\n" : "") + R"({"type": "gemm", "name": "layer)" + std::to_string(i) +
            R"(", "m": 64, "n": 64, "k": 64, "time_ns": 1000})";
  return text + "\n]";
}

ReadOptions up_to(std::uint64_t operations) {
  ReadOptions options;
  options.limits.operations = operations;
  return options;
}

ReadOptions within(std::uint64_t memory_bytes) {
  ReadOptions options;
  options.limits.memory_bytes = memory_bytes;
  return options;
}

/// Fed piece by piece, without saying how much there will be; `fed`: how much was taken.
Error refused(const std::string& bytes, ReadOptions options, std::size_t& fed) {
  options.head_bytes = 256;
  Reader reader(options);
  for (fed = 0; fed < bytes.size();) {
    const std::string_view piece = std::string_view(bytes).substr(fed, 1000);
    fed += piece.size();
    if (const auto ok = reader.feed(piece); !ok) {
      CHECK(reader.full());
      return ok.error();
    }
  }
  const auto whole = reader.finish();
  CHECK(reader.full());
  REQUIRE(!whole);
  return whole.error();
}

}  // namespace

TEST_CASE("limits: as many operations as there may be are read, one more is an error", "[limits]") {
  const std::string ten = products(10);
  CHECK(open(ten, up_to(10)).size() == 10);
  const Result<Workload> w = read(ten, up_to(9));
  REQUIRE(!w);
  CHECK(w.error().message.starts_with("too many operations: expected at most 9 (in the first "));
  CHECK(w.error().line > 10);
}

TEST_CASE("limits: every format keeps to them", "[limits]") {
  for (const char* name : {"seed.json", "lines.json", "kernel_trace.csv", "kernels.ncu-rep", "measured.csv", "nsight_compute.csv",
                           "nsight_systems.csv", "onnxruntime_profile.json", "op_summary.csv", "openvino_exec_graph.xml", "eval_perf.txt",
                           "operations.xplane.pb", "pytorch_trace.json", "tensorrt_profile.json", "runs.json"}) {
    INFO(name);
    const std::string bytes = file(std::string("tests/data/") + name);
    const std::size_t all = open(bytes).size();
    REQUIRE(all > 1);
    CHECK(open(bytes, up_to(all)).size() == all);
    for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{all - 1}}) {
      const Result<Workload> w = read(bytes, up_to(most));
      REQUIRE(!w);
      CHECK(w.error().message.find("expected at most " + std::to_string(most)) != std::string::npos);
    }
  }
}

TEST_CASE("limits: memory that does not suffice is noticed while reading, by the operations read so far", "[limits]") {
  const std::string many = products(5000);
  const Workload all = open(many);
  const std::uint64_t takes = all.resident_bytes() + all.text.size();
  CHECK(open(many, within(2 * takes)).size() == 5000);

  std::size_t fed = 0;
  const Error error = refused(many, within(takes / 2), fed);
  INFO(error.text());
  CHECK(fed < many.size() * 4 / 5);  // `takes` has room for more rows than there are
  CHECK(fed > many.size() / 3);
  CHECK(error.message.find(" of memory that there is for them (in the first ") != std::string::npos);
  const auto read = std::stoul(error.message.substr(error.message.find("at most ") + 8));
  CHECK(read > 2000);
  CHECK(read < 4000);
  CHECK(error.line >= read);
}

TEST_CASE("limits: a file of several times what there is memory for is refused by its first operations", "[limits]") {
  const std::string many = products(5000);
  ReadOptions options = within(100'000);
  options.source_bytes = many.size();
  std::size_t fed = 0;
  const Error error = refused(many, options, fed);
  INFO(error.text());
  CHECK(fed < many.size() / 10);
  const auto about = std::stoul(error.message.substr(error.message.find("about ") + 6));
  CHECK(about > 4000);
  CHECK(about < 6000);
  options.source_bytes = many.size() / 1000;  // a size that is not so is no reason
  options.limits.memory_bytes = 10'000'000;
  CHECK(open(many, options).size() == 5000);
}

TEST_CASE("limits: long names take memory too", "[limits]") {
  std::string text = "[";
  for (int i = 0; i < 40; ++i)
    text += std::string(i > 0 ? "," : "") + R"({"type": "gemm", "name": ")" + std::string(10'000, 'a') + R"(", "m": 8, "n": 8, "k": 8})";
  text += "]";
  CHECK(open(text, within(1'000'000)).size() == 40);
  std::size_t fed = 0;
  CHECK(refused(text, within(200'000), fed).message.find("200 kB") != std::string::npos);
}

TEST_CASE("limits: names beyond what places reach are left out, and it is said", "[limits]") {
  ReadOptions options;
  options.limits.text_bytes = 20;
  const Workload w = open(products(5), options);
  REQUIRE(w.size() == 5);
  CHECK(w.name_of(0) == "layer0");
  CHECK(w.name_of(2) == "layer2");
  CHECK(w.name_of(3) == "#3");
  CHECK(says(w, "the names have more than 20 bytes"));
}

TEST_CASE("limits: operators of a trace's host", "[limits]") {
  HostOps host(2);
  for (const double begin : {0.0, 1.0}) host.add({begin, 5 - begin, 1, 0, 0});
  CHECK(!host.full());
  host.add({2, 3, 1, 0, 0});
  CHECK(host.full());
  CHECK(host.size() == 2);
  host.settle();
  CHECK(host[1].parent == 0);
}

TEST_CASE("limits: two files that are joined", "[limits]") {
  const Workload work =
      open(R"([{"type": "gemm", "name": "a", "m": 2, "n": 3, "k": 4}, {"type": "gemm", "name": "b", "m": 2, "n": 3, "k": 4}])");
  const Workload times = open("name,time_us\na,5\nb,7\nelse,9\n");
  WorkloadLimits limits;
  limits.operations = 3;
  limits.text_bytes = 6;
  CHECK(join(work, times, limits));
  limits.operations = 2;
  CHECK(join(work, times, limits).error().message == "3 operations in both files: expected at most 2");
  limits.operations = 3;
  limits.text_bytes = 5;
  CHECK(join(work, times, limits).error().message == "names of 6 bytes in both files: expected at most 5");
}

TEST_CASE("limits: what is open stays, counts, and makes room when it is replaced", "[limits]") {
  const std::string big = products(5000), small = products(100);
  const Workload all = open(big);
  WorkloadLimits limits;
  limits.memory_bytes = (all.resident_bytes() + all.text.size()) * 3 / 2;
  Session session(limits);
  const auto open_file = [&](const std::string& bytes) {
    session.start("file.json", bytes.size());
    bytes.copy(session.begin(bytes.size(), "file.json"), bytes.size());
    const Json fed = Json::parse(session.feed());
    return fed.contains("error") ? fed : Json::parse(session.finish());
  };
  REQUIRE(open_file(big).contains("opened"));
  const std::string said = open_file(big)["error"]["message"];
  INFO(said);
  CHECK(said.find("what is open takes") != std::string::npos);
  CHECK(said.find("roofline analyze FILE") != std::string::npos);
  CHECK(session.index_of("layer4999") == 4999);
  REQUIRE(open_file(small).contains("opened"));
  CHECK(open_file(big).contains("opened"));
}
