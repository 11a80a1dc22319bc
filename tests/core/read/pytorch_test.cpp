// Traces of PyTorch's profiler: which operator launched a kernel, each kernel once, and what could not be placed.
#include <algorithm>
#include <cmath>

#include "json.hpp"
#include "read/operations/arguments.hpp"
#include "rows.hpp"

using namespace roofline;

namespace {

/// Two calls of a linear layer within two steps; the second's kernel is known by its launch alone. A copy; a kernel out of a graph; a fused
/// kernel of an operator that says nothing of its work; an operator around another with work of its own.
const std::string& trace() {
  static const std::string text = file("tests/data/pytorch_trace.json");
  return text;
}

double total_us(const Workload& w) {
  double sum = 0;
  for (const double t : w.time_s) sum += t * 1e6;
  return sum;
}

std::size_t row(const Workload& w, std::string_view name, std::string_view step) {
  for (std::size_t i = 0; i < w.size(); ++i)
    if (w.name_of(i).substr(0, name.size()) == name && (w.step.empty() ? "" : w.steps[w.step[i]]) == step) return i;
  FAIL("no row " << name << " in " << step);
  return 0;
}

}  // namespace

TEST_CASE("pytorch: a kernel belongs to the innermost operator whose arguments say what is done", "[pytorch]") {
  const Workload w = open(trace());
  CHECK(w.source_format == SourceFormat::pytorch);
  CHECK(w.machine_json == "\"h100-sxm\"");
  CHECK_THAT(total_us(w), WithinRel(5 + 1 + 2 + 7 + 3 + 4 + 2, 1e-12));  // every kernel once

  const std::size_t first = row(w, "aten::addmm", "ProfilerStep#1"), second = row(w, "aten::addmm", "ProfilerStep#2");
  CHECK_THAT(w.time_s[first] * 1e6, WithinRel(6.0, 1e-12));   // two kernels of one call
  CHECK_THAT(w.time_s[second] * 1e6, WithinRel(7.0, 1e-12));  // by its launch
  CHECK(w.count_of(first) == 1);
  CHECK(w.matrix_flops[first] == 2.0 * 32 * 64 * 128);
  CHECK(w.class_of(first).activation == format("fp16"));
  CHECK(w.class_of(first).type == "aten::addmm");

  // What is around an operator with work of its own would count that work twice.
  CHECK(w.class_of(row(w, "bias", "ProfilerStep#1")).time_only);
  CHECK(w.class_of(row(w, "fused_7", "ProfilerStep#2")).time_only);
  CHECK(w.class_of(row(w, "graph::replayed", "ProfilerStep#2")).time_only);
  const std::size_t copy = row(w, "Memcpy DtoD", "ProfilerStep#2");
  CHECK(w.given_bytes[copy] == 2000);  // read and written
  CHECK_FALSE(w.class_of(copy).time_only);

  std::string from_host = trace();
  from_host.replace(from_host.find("Memcpy DtoD"), 11, "Memcpy HtoD");
  const Workload over_a_link = open(from_host);
  CHECK(over_a_link.class_of(row(over_a_link, "Memcpy HtoD", "ProfilerStep#2")).time_only);

  const auto said = [&](std::string_view text) {
    return std::any_of(w.diagnostics.begin(), w.diagnostics.end(),
                       [&](const Diagnostic& d) { return d.message.find(text) != std::string::npos; });
  };
  CHECK(said("1 of 6 kernels have no operator"));
  CHECK(said("1 of 6 kernels belong to operators whose arguments do not say what is done"));
}

TEST_CASE("pytorch: in pieces of any size", "[pytorch]") {
  const Workload whole = open(trace());
  for (const std::size_t piece : {1, 7, 300}) {
    ReadOptions options;
    options.head_bytes = 256;
    Reader reader(options);
    for (std::size_t at = 0; at < trace().size(); at += piece) REQUIRE(reader.feed(std::string_view(trace()).substr(at, piece)));
    const Result<Workload> w = reader.finish();
    REQUIRE(w);
    CHECK(w->size() == whole.size());
    CHECK(w->time_s == whole.time_s);
  }
}

TEST_CASE("pytorch: steps of an inference engine, by the annotation that says most", "[pytorch]") {
  const std::string text = file("tests/data/serving_trace.json");
  const Workload w = open(text);
  const std::string first = "execute_2_context_0(sq0sk0sqsq0sqsk0)_generation_2(sq2sk22sqsq2sqsk22)",
                    second = "execute_2_context_0(sq0sk0sqsq0sqsk0)_generation_2(sq2sk24sqsq2sqsk24)";
  CHECK(w.steps == std::vector<std::string>{first, second});  // neither ProfilerStep# nor the one within the first
  REQUIRE(w.size() == 3);
  CHECK_THAT(w.time_s[row(w, "gemm_a", first)] * 1e6, WithinRel(5.0 + 7, 1e-12));  // by its launch: it runs while the second step begins
  CHECK_THAT(w.time_s[row(w, "gemm_a", second)] * 1e6, WithinRel(11.0, 1e-12));
  CHECK(w.diagnostics[0].message == "2 steps of an inference engine, the first: decode of 2 sequences, 22 tokens of context together");
  CHECK(w.diagnostics[1].message == "rank 3 of 8: work and times are of this one");

  const Result<Workload> launches = read(text, launch_by_launch());
  REQUIRE(launches);
  REQUIRE(launches->size() == 4);
  CHECK(launches->name_of(0) == "gemm_a");
  CHECK(launches->name_of(1) == "gemm_b");
  CHECK_THAT(launches->time_s[2] * 1e6, WithinRel(7.0, 1e-12));
  CHECK(launches->steps[launches->step[3]] == second);
}

TEST_CASE("pytorch: collectives are work on the link", "[pytorch]") {
  const Workload w = open(file("tests/data/collectives_trace.json"));
  REQUIRE(w.channels.size() == 1);
  CHECK(w.channels[0].link);
  const Scenario h100 = on(*Machines::presets().find("h100-sxm"));
  CHECK(w.channels[0].name == h100.machine.links[0].name);

  // Two of 4096 bf16 among 4: each rank sends 3/4 of the message to be summed, and 3/4 of the sum.
  const std::size_t sum = row(w, "allreduce of 4096 bf16 among 4", "");
  CHECK(w.count_of(sum) == 2);
  CHECK(w.channels[0].bytes[sum] == 2 * (2 * 3 / 4.0 * 4096 * 2));
  CHECK(w.activation[sum] == 2 * 4096);
  CHECK(w.output[sum] == 2 * 4096);
  CHECK_THAT(w.time_s[sum] * 1e6, WithinRel(30.0, 1e-12));
  const std::size_t gather = row(w, "_allgather_base of 8000 fp32 among 4", "");
  CHECK(w.channels[0].bytes[gather] == 3 / 4.0 * 8000 * 4);
  CHECK(w.activation[gather] == 2000);
  // An uneven exchange does not say what of it is this rank's, a barrier moves nothing: time only.
  CHECK(w.class_of(row(w, "ncclDevKernel_SendRecv", "")).time_only);
  CHECK(w.class_of(row(w, "ncclDevKernel_Barrier", "")).time_only);
  CHECK_FALSE(known(w.channels[0].bytes[row(w, "gemm", "")]));
  CHECK_THAT(total_us(w), WithinRel(30.0 + 8 + 6 + 4 + 3, 1e-12));
  CHECK(w.diagnostics[0].message == "rank 1 of 4: work and times are of this one");

  const Plan plan(w, h100);
  const OpAnalysis result = plan.analyze(sum);
  REQUIRE(result.bound_by != no_resource);
  CHECK_THAT(result.predicted_time_s, WithinRel(w.channels[0].bytes[sum] / h100.machine.links[0].bandwidth.value, 1e-12));
  CHECK(plan.resources()[result.bound_by].kind == ResourceKind::link);
}

TEST_CASE("pytorch: malformed traces say what is wrong", "[pytorch]") {
  const auto fault = [](const std::string& text) { return read(text, {}).error().text(); };
  const std::string start = R"({"schemaVersion": 1, "deviceProperties": [], "traceEvents": [)";
  CHECK(fault(start + R"({"ph": "X")").find("truncated after 0 events: expected the end of an event") != std::string::npos);
  CHECK(fault(start + R"({"ph": "X"}, )").find("truncated after 1 event: expected an event or ']'") != std::string::npos);
  // The kernels before the end are kept.
  const Workload cut =
      open(start + R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 2, "args": {}}, {"ph": "X")");
  CHECK(cut.size() == 1);
  CHECK(says(cut, "the trace is truncated after 1 event: expected the end of an event, found the end of the file"));
  CHECK(fault(start + "7]}").find("expected an event: '{', found '7'") != std::string::npos);
  CHECK(fault(start + "]} x").find("expected nothing more, found 'x'") != std::string::npos);

  // One event that is no JSON costs that event.
  const Workload w = open(start + R"({"cat": "kernel", "name": "a", "ts": 1, "dur": 2, "args": {}}, {"cat": "kernel", "name": oops}]})");
  CHECK(w.size() == 1);
  CHECK_FALSE(w.diagnostics.empty());
  const Workload nothing = open(start + "]}");
  REQUIRE(!nothing.diagnostics.empty());
  CHECK(nothing.diagnostics[0].message.find("no kernels") != std::string::npos);
}

namespace {

const std::string opening = R"({"schemaVersion": 1, "deviceProperties": [], "traceEvents": [)";

/// An operator at work on thread 1, in µs, with the shapes of its arguments.
std::string host_op(const char* name, int ts, int dur, int id, const char* dims) {
  return std::string(R"({"ph": "X", "cat": "cpu_op", "name": ")") + name + R"(", "tid": 1, "ts": )" + std::to_string(ts) + R"(, "dur": )" +
         std::to_string(dur) + R"(, "args": {"External id": )" + std::to_string(id) + R"(, "Input Dims": )" + dims +
         R"(, "Input type": ["float", "float", "float"]}})";
}
std::string kernel_of(const char* name, int ts, int dur, int id) {
  return std::string(R"({"ph": "X", "cat": "kernel", "name": ")") + name + R"(", "tid": 7, "ts": )" + std::to_string(ts) + R"(, "dur": )" +
         std::to_string(dur) + R"(, "args": {"External id": )" + std::to_string(id) + "}}";
}

}  // namespace

TEST_CASE("pytorch: a trace without a device is of operators on the host, each for its own time", "[pytorch]") {
  const Workload w = open(opening + host_op("aten::linear", 0, 100, 1, "[[64, 32], [16, 32]]") + "," +
                          host_op("aten::t", 5, 10, 2, "[[16, 32]]") + "," + host_op("aten::mm", 20, 60, 3, "[[64, 32], [32, 16]]") + "]}");
  CHECK_THAT(total_us(w), WithinRel(100.0, 1e-12));
  const std::size_t product = row(w, "aten::mm", "");
  CHECK(w.matrix_flops[product] == 2.0 * 64 * 32 * 16);
  CHECK(w.diagnostics[0].message.find("no device") != std::string::npos);
  CHECK(w.machine_words == std::vector<std::string>{"cpu"});
}

TEST_CASE("pytorch: operators whose launches the trace has, and not the kernels, have no time", "[pytorch]") {
  const std::string product = host_op("aten::mm", 20, 60, 3, "[[64, 32], [32, 16]]");
  const auto warns = [](const Workload& w) {
    return std::any_of(w.diagnostics.begin(), w.diagnostics.end(), [](const Diagnostic& d) {
      return d.severity == Severity::warning && d.message.find("launches on a device, but none of its events") != std::string::npos;
    });
  };
  CHECK(warns(open(opening + product +
                   R"(,{"ph": "X", "cat": "xpu_runtime", "name": "urEnqueueKernelLaunch", "tid": 1, "ts": 30, )"
                   R"("dur": 2, "args": {"correlation": 5}}]})")));
  CHECK(warns(open(opening + product + "," + host_op("aten::record_stream", 90, 1, 4, "[[64]]") + "]}")));
  CHECK_FALSE(warns(open(opening + product + "]}")));
  const Workload launched = open(opening + product + "," + host_op("aten::record_stream", 90, 1, 4, "[[64]]") + "]}");
  REQUIRE(launched.size() == 1);  // what has no work is none
  CHECK(launched.matrix_flops[0] == 2.0 * 64 * 32 * 16);
  CHECK((launched.time_s.empty() || std::isnan(launched.time_s[0])));
}

TEST_CASE("pytorch: shapes as traces of 2021 write them", "[pytorch]") {
  const Workload w = open(opening +
                          R"({"ph": "X", "cat": "Operator", "name": "aten::mm", "tid": "1", "ts": 1, "dur": 9, "args": {"External id": 1, )"
                          R"("Input dims": [[64, 32], [32, 16]], "Input type": []}},)" +
                          kernel_of("gemm", 5, 7, 1) + "]}");
  REQUIRE(w.size() == 1);
  CHECK(w.matrix_flops[0] == 2.0 * 64 * 32 * 16);
}

TEST_CASE("pytorch: what streams add up to, and how long the device was busy", "[pytorch]") {
  const auto on_stream = [](int device, int stream, int ts, int dur) {
    return R"({"ph": "X", "cat": "kernel", "name": "k", "pid": )" + std::to_string(device) + R"(, "tid": )" + std::to_string(stream) +
           R"(, "ts": )" + std::to_string(ts) + R"(, "dur": )" + std::to_string(dur) + R"(, "args": {}})";
  };
  const auto times = [](const Workload& w) {
    for (const auto& [name, text] : w.properties)
      if (name == "Device time") return text;
    return std::string();
  };
  // 10 to 30 and 20 to 40 overlap; 60 to 70 comes after a pause, within 65 to 68 of another stream.
  const std::string events =
      on_stream(0, 7, 10, 20) + "," + on_stream(0, 8, 20, 20) + "," + on_stream(0, 7, 60, 10) + "," + on_stream(0, 8, 65, 3);
  CHECK(times(open(opening + events + "]}")) == "53 µs in 2 streams, within 60 µs: busy 40 µs (67%), idle 20 µs");
  const DeviceTime one = open(opening + events + "]}").device_time;
  CHECK(one.launches == 4);
  CHECK(one.gaps == 1);
  CHECK(one.longest_gap_s == Approx(20e-6));
  CHECK(times(open(opening + events + "," + on_stream(1, 7, 0, 5) + "," + on_stream(1, 7, 15, 5) + "]}")) ==
        "63 µs in 3 streams of 2 devices, within 80 µs: busy 50 µs (63%), idle 30 µs");
}

TEST_CASE("pytorch: convolutions have their work by the shapes of the backward pass", "[pytorch]") {
  // 3 x 3 with stride 2: 16 x 16 to 8 x 8, which only the gradient's shape says.
  const Workload w = open(opening + host_op("aten::cudnn_convolution", 0, 10, 1, "[[2, 4, 16, 16], [8, 4, 3, 3], []]") + "," +
                          kernel_of("volta_scudnn_winograd_128x128", 5, 7, 1) + "," +
                          host_op("aten::cudnn_convolution_backward", 20, 30, 2, "[[2, 4, 16, 16], [2, 8, 8, 8], [8, 4, 3, 3]]") + "," +
                          host_op("aten::cudnn_convolution_backward_input", 21, 10, 3, "[[], [2, 8, 8, 8], [8, 4, 3, 3]]") + "," +
                          host_op("aten::cudnn_convolution_backward_weight", 35, 10, 4, "[[], [2, 8, 8, 8], [2, 4, 16, 16]]") + "," +
                          kernel_of("dgrad", 25, 11, 3) + "," + kernel_of("wgrad", 40, 13, 4) + "]}");
  REQUIRE(w.size() == 3);
  const double flops = 2.0 * (2 * 8 * 8 * 8) * (4 * 3 * 3);
  for (std::size_t i = 0; i < w.size(); ++i) CHECK(w.matrix_flops[i] == flops);
  CHECK_THAT(total_us(w), WithinRel(31.0, 1e-12));
  bool winograd = false;
  for (const Diagnostic& d : w.diagnostics) winograd = winograd || d.message.find("Winograd") != std::string::npos;
  CHECK(winograd);
}

TEST_CASE("pytorch: convolutions of MIOpen have the work of their arguments", "[pytorch]") {
  std::string op = host_op("aten::miopen_convolution", 0, 10, 1, "[[4, 3, 224, 224], [768, 3, 16, 16], [768], [], [], [], [], [], []]");
  const std::size_t dims = op.find("\"Input Dims\"");
  REQUIRE(dims != std::string::npos);
  op.insert(dims, R"("Concrete Inputs": ["", "", "", "[0, 0]", "[16, 16]", "[1, 1]", "1", "False", "False"], )");
  const Workload w =
      open(opening + op + "," + host_op("aten::add_", 5, 2, 2, "[[4, 768, 14, 14], [1, 768, 1, 1], []]") + "," +
           kernel_of("igemm_fwd", 5, 30, 1) + "," + kernel_of("batched_transpose", 40, 5, 1) + "," + kernel_of("add", 50, 7, 2) + "]}");
  REQUIRE(w.size() == 2);
  CHECK(w.class_of(0).family == OpFamily::convolution);
  CHECK(w.matrix_flops[0] == 2.0 * (4 * 768 * 14 * 14) * (3 * 16 * 16));
  CHECK_THAT(total_us(w), WithinRel(42.0, 1e-12));
}

TEST_CASE("pytorch: transposed convolutions compute at the positions of their input", "[pytorch]") {
  // ConvTranspose2d(64, 64, 4, stride 2, padding 1) on [1, 64, 32, 32]: 64 x 64.
  const double flops = 2.0 * (64 * 32 * 32) * (64 * 4 * 4);
  const char* const dims = "[[1, 64, 32, 32], [64, 64, 4, 4], [], [], [], [], [], [], []]";
  const auto stated = [](std::string op, const char* values) {
    return op.insert(op.find("\"Input Dims\""), std::string("\"Concrete Inputs\": ") + values + ", ");
  };
  const Workload forward =
      open(opening +
           stated(host_op("aten::convolution", 0, 10, 1, dims), R"(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[0, 0]", "1"])") +
           "," + kernel_of("deconv", 5, 30, 1) + "]}");
  REQUIRE(forward.size() == 1);
  CHECK(forward.matrix_flops[0] == flops);
  CHECK(forward.output[0] == 64 * 64 * 64);
  const Workload backward =
      open(opening +
           stated(host_op("aten::convolution_backward", 0, 10, 1,
                          "[[1, 64, 64, 64], [1, 64, 32, 32], [64, 64, 4, 4], [], [], [], [], [], [], [], []]"),
                  R"(["", "", "", "[0]", "[2, 2]", "[1, 1]", "[1, 1]", "True", "[0, 0]", "1", "[True, False, False]"])") +
           "," + kernel_of("dgrad", 5, 30, 1) + "]}");
  REQUIRE(backward.size() == 1);
  CHECK(backward.matrix_flops[0] == flops);
}

TEST_CASE("pytorch: a number is one element, and a reduction is over the dimensions that it states", "[pytorch]") {
  const auto work = [](const char* type, const char* name, const char* shapes, const char* types, const char* values) {
    const auto found = work_of_call(*find_operator(type), name, {shapes, types, values});
    REQUIRE(found);
    return *found;
  };
  // x ** 2 of an RMS norm; the factor of an addition is no operand.
  const Work power = work("pow", "aten::pow", "[[1, 512, 4096], []]", "('c10::BFloat16', 'Scalar')", "('', '2')");
  CHECK(power.activation == 512 * 4096 + 1);
  const Work sum = work("add", "aten::add", "[[8, 4], [8, 4], []]", "('float', 'float', 'Scalar')", "('', '', '1')");
  CHECK(sum.activation == 2 * 8 * 4);
  // The sum over the experts of a token.
  const Work experts = work("sum", "aten::sum", "[[1024, 2, 4096], [], [], []]", "('c10::Half', '', '', '')", "('', '[1]', 'False', '')");
  CHECK(experts.output == 1024 * 4096);
  const Work whole = work("sum", "aten::sum", "[[1024, 2, 4096], []]", "('c10::Half', '')", "('', '')");
  CHECK(whole.output == 1);
}

TEST_CASE("pytorch: a product of FP32 runs as TF32 where its kernel says so", "[pytorch]") {
  const auto trace_with = [](const char* kernel) {
    return open(opening + host_op("aten::mm", 0, 10, 1, "[[64, 32], [32, 16]]") + "," + kernel_of(kernel, 5, 7, 1) + "]}");
  };
  CHECK(trace_with("ampere_s1688gemm_128x64").class_of(0).activation == format("tf32"));
  CHECK(trace_with("ampere_sgemm_128x64").class_of(0).activation == format("fp32"));
  // Wherever in the file a kernel's name is, it tells the architecture.
  const std::vector<std::string> words = trace_with("volta_sgemm_128x64_nn").machine_words;
  CHECK(std::find(words.begin(), words.end(), "volta") != words.end());
}

TEST_CASE("pytorch: kernels of equal short names keep what tells them apart", "[pytorch]") {
  const Workload w = open(opening + kernel_of("void at::native::vec<4, Add>(int)", 1, 2, 0) + "," +
                          kernel_of("void at::native::vec<4, Mul>(int)", 5, 3, 0) + "," + kernel_of("void other<1>(int)", 9, 3, 0) + "]}");
  REQUIRE(w.size() == 3);
  CHECK(row(w, "at::native::vec<4, Add>(int)", "") != row(w, "at::native::vec<4, Mul>(int)", ""));
  CHECK(w.name_of(row(w, "other", "")) == "other");
}

TEST_CASE("pytorch: CUPTI's ranges have the FLOPs that were counted, MTIA's events their time", "[pytorch]") {
  const Workload ranges =
      open(opening +
           R"({"ph": "X", "cat": "cuda_profiler_range", "name": "k", "ts": 1, "dur": 10, "args": {)"
           R"("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 100, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": 7,)"
           R"("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum": 2, "smsp__sass_thread_inst_executed_op_integer_pred_on.sum": 1000,)"
           R"("smsp__sass_thread_inst_executed_op_": 5}}]})");
  REQUIRE(ranges.size() == 1);
  CHECK(ranges.vector_flops[0] == 211);
  CHECK(ranges.class_of(0).activation == format("fp32"));
  CHECK_THAT(total_us(ranges), WithinRel(10.0, 1e-12));
  const Workload mtia = open(opening + R"({"ph": "X", "cat": "mtia_ccp_events", "name": "pe_exe", "ts": 1, "dur": 6.5, "args": {}}]})");
  REQUIRE(mtia.size() == 1);
  CHECK_THAT(total_us(mtia), WithinRel(6.5, 1e-12));
}

TEST_CASE("pytorch: an External id of -1 is no range with counters") {
  const Workload w = open(R"({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "gemm", "tid": 7, "ts": 30, "dur": 5, "args": {"External id": -1, "correlation": 800}}]})");
  REQUIRE(w.size() == 1);
  CHECK_THAT(w.time_s[0], WithinRel(5e-6, 1e-9));
}

TEST_CASE("pytorch: ranks that a tool merged into one trace keep their operators apart", "[pytorch]") {
  // Both ranks use the same IDs for operators, launches, threads and streams; 2 * 64^3 FLOPs in 100 us, and 2 * 128^3 in 300 us.
  const auto rank = [](const std::string& label, const std::string& n, const std::string& dur) {
    return R"({"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": ")" + label + R"( 99", "tid": 99, "ts": 10, "dur": 20, "args": )" +
           R"({"External id": 1, "Input Dims": [[)" + n + "," + n + "], [" + n + "," + n + R"(]], "Input type": ["float", "float"]}},)" +
           R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": ")" + label +
           R"( 99", "tid": 99, "ts": 12, "dur": 3, "args": {"External id": 1, "correlation": 1}},)" +
           R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": ")" + label + R"( 0", "tid": 7, "ts": 40, "dur": )" + dur +
           R"(, "args": {"External id": 1, "correlation": 1}})";
  };
  const std::string begin = R"({"deviceProperties": [], "distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": [)";
  const Workload w = open(begin + rank("[TP00]", "64", "100") + "," + rank("[TP01]", "128", "300") + "]}");
  REQUIRE(w.size() == 2);
  const std::size_t small = row(w, "aten::mm [[64", ""), large = row(w, "aten::mm [[128", "");
  CHECK_THAT(w.time_s[small] * 1e6, WithinRel(100.0, 1e-12));
  CHECK(w.matrix_flops[large] == 2.0 * 128 * 128 * 128);
  CHECK_THAT(w.time_s[large] * 1e6, WithinRel(300.0, 1e-12));
  CHECK(w.device_time.devices == 2);
  CHECK(w.launches.empty());  // of one device alone
  CHECK(says(w, "the trace holds 2 ranks: work and times are of all of them together"));
  CHECK_FALSE(says(w, "rank 0 of 2"));

  std::string unlabelled = begin + rank("", "64", "100") + "," + rank("", "128", "300") + "]}";
  CHECK_FALSE(says(open(unlabelled), "the trace mixes several processes"));
  unlabelled.replace(unlabelled.rfind("\" 99\", \"tid\": 99, \"ts\": 10"), 5, "\" 98\"");
  CHECK(says(open(unlabelled), "the trace mixes several processes"));
}
