// The FLOPs of torch.profiler's key_averages table, which may be in another row than the time.
#include <initializer_list>

#include "rows.hpp"

using namespace roofline;

namespace {

/// A row, its cells as wide as PyTorch makes them: name, CPU total, Self CUDA, CUDA total, calls, GFLOPs.
std::string line(std::initializer_list<const char*> cells) {
  std::string out;
  for (const std::string cell : cells) out += std::string(cell.size() < 24 ? 24 - cell.size() : 0, ' ') + cell + "  ";
  return out + '\n';
}

Workload table(const std::string& rows) {
  const std::string rule(24, '-');
  const char* const r = rule.c_str();
  const std::string dashes = line({r, r, r, r, r, r, r});
  return open(dashes + line({"Name", "Self CPU %", "CPU total", "Self CUDA", "CUDA total", "# of Calls", "Total GFLOPs"}) + dashes + rows +
              dashes + "Self CUDA time total: 3.000ms\n");
}

const std::string outer = line({"aten::conv2d", "0.10%", "500.000us", "0.000us", "2.000ms", "10", "37.000"}),
                  inner = line({"aten::cudnn_convolution", "3.00%", "400.000us", "2.000ms", "2.000ms", "10", "--"}),
                  product = line({"aten::mm", "1.00%", "100.000us", "1.000ms", "1.000ms", "10", "10.000"}),
                  kernel = line({"implicit_convolve", "0.00%", "0.000us", "2.000ms", "2.000ms", "10", "--"});

}  // namespace

TEST_CASE("key_averages: the operator that launched a convolution's kernels gets its FLOPs", "[tools]") {
  const Workload w = table(outer + inner + product + kernel);
  REQUIRE(w.size() == 2);
  CHECK(flops_of(w, row_named(w, "aten::cudnn_convolution")) == 37e9);
  CHECK(flops_of(w, row_named(w, "aten::mm")) == 10e9);
  CHECK_FALSE(w.class_of(row_named(w, "aten::cudnn_convolution")).time_only);
}

TEST_CASE("key_averages: FLOPs stay away from a row that may not be theirs", "[tools]") {
  const auto untouched = [](const std::string& rows) {
    const Workload w = table(rows);
    return w.class_of(row_named(w, "aten::cudnn_convolution")).time_only;
  };
  // Another number of calls, another time, a second row that fits, a second convolution that claims it.
  CHECK(untouched(line({"aten::conv2d", "0.10%", "500.000us", "0.000us", "2.000ms", "20", "37.000"}) + inner + product));
  CHECK(untouched(line({"aten::conv2d", "0.10%", "500.000us", "0.000us", "2.500ms", "10", "37.000"}) + inner + product));
  CHECK(untouched(outer + inner + line({"aten::miopen_convolution", "3.00%", "400.000us", "2.000ms", "2.000ms", "10", "--"})));
  CHECK(untouched(outer + line({"aten::conv3d", "0.10%", "500.000us", "0.000us", "2.000ms", "10", "5.000"}) + inner));
}

TEST_CASE("key_averages: a note says which FLOPs are left out", "[tools]") {
  const std::string longer = line({"aten::conv2d", "0.10%", "500.000us", "0.000us", "2.500ms", "10", "37.000"});
  CHECK(says(table(longer + inner + product), "37 GFLOP of aten::conv2d are left out"));
  CHECK_FALSE(says(table(outer + inner + product), "are left out"));
}

TEST_CASE("key_averages: kernels of a CUDA graph count, which no operator launched", "[tools]") {
  // 3 ms on the device: 1 ms of an operator, whose kernel is listed again, and 2 ms of a graph's kernel.
  const std::string again = line({"sgemm", "0.00%", "0.000us", "1.000ms", "1.000ms", "10", "--"}),
                    fused = line({"triton_fused", "0.00%", "0.000us", "2.000ms", "2.000ms", "10", "--"});
  const Workload w = table(product + again + fused);
  REQUIRE(w.size() == 2);
  CHECK_THAT(w.time_s[row_named(w, "triton_fused")], WithinRel(2e-3, 1e-9));
  CHECK_FALSE(says(w, "left out"));
  // Two kernels whose times do not tell which of them the operator launched.
  const std::string part = line({"sgemm", "0.00%", "0.000us", "0.600ms", "0.600ms", "10", "--"}),
                    rest = line({"splitk", "0.00%", "0.000us", "0.400ms", "0.400ms", "10", "--"});
  const Workload unclear = table(product + part + rest + fused);
  REQUIRE(unclear.size() == 1);
  CHECK(says(unclear, "2 ms of 3 ms of device time is left out: its kernels cannot be assigned"));
}

TEST_CASE("key_averages: tables of many rows, each with a time that another row has", "[tools]") {
  constexpr int operators = 20000;  // of each: an outer and an inner operator, and its kernel
  std::string rows;
  for (int i = 1; i <= operators; ++i) {
    const std::string time = std::to_string(i) + ".000us";
    const char* const t = time.c_str();
    rows += line({("outer" + std::to_string(i)).c_str(), "0.10%", "9.000us", "0.000us", t, "10", "37.000"}) +
            line({("inner" + std::to_string(i)).c_str(), "0.10%", "8.000us", t, t, "10", "--"}) +
            line({"kernel", "0.00%", "0.000us", t, t, "10", "--"});
  }
  const Workload w = table(rows);
  REQUIRE(w.size() == operators);
  CHECK(flops_of(w, operators - 1) == 37e9);
  CHECK(w.name_of(0) == "inner1");
}
