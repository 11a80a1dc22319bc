// Which machine ran this: words that tell one, candidates by the points, and samples of other tools whose machine is known.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <roofline/analysis/which_machine.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/session/session.hpp>
#include <roofline/write/write.hpp>
#include <set>

#include "json.hpp"
#include "session.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

using Words = std::vector<std::string>;

WhichMachine found_for(const Workload& w) {
  const Scenario s = Scenario::standard();
  const Plan plan(w, s);
  return which_machine(plan, Machines::presets().all());
}

Words ids(const WhichMachine& found, std::size_t most) {
  Words out;
  for (std::size_t i = 0; i < most && i < found.candidates.size(); ++i) out.push_back(found.candidates[i].machine->id);
  return out;
}

bool among(const Words& words, const std::string& word) { return std::find(words.begin(), words.end(), word) != words.end(); }

/// One FP16 product of those rates.
Workload rates(double flops, double bandwidth, const Words& words = {}) {
  Workload w;
  add_row(w, flops, bandwidth, 1);
  w.classes[0].activation = w.classes[0].weight = format("fp16");
  w.machine_words = words;
  return w;
}

std::string json_of(const Workload& w, const Scenario& s) {
  const Plan plan(w, s);
  std::string out;
  write_json(plan, {}, [&out](std::string_view piece) { out += piece; });
  return out;
}

}  // namespace

TEST_CASE("which machine: words tell machines, architectures and vendors, and only whole words do", "[which_machine]") {
  CHECK(words_of_machines("vit_h100_GEMM.csv") == Words{"h100"});
  CHECK(words_of_machines("void sm90_xmma_gemm_bf16bf16") == Words{"sm_90", "xmma"});
  CHECK(words_of_machines("cutlass::Kernel2<cutlass_80_tensorop>, sm_80") == Words{"cutlass", "sm_80"});
  CHECK(words_of_machines("Cijk_Alik_Bljk_ISA942_MI16x16 aiter::gemm") == Words{"cijk", "gfx942", "aiter"});
  CHECK(words_of_machines("ck::tensor_operation, NVIDIA A100-SXM4-80GB") == Words{"ck", "nvidia_a100_sxm4_80gb"});
  CHECK(words_of_machines("TPU v5 lite") == Words{"tpu_v5_lite"});
  CHECK(words_of_machines("AMD EPYC 9654 96-Core Processor") == Words{"amd_epyc_9654_96_core_processor"});
  CHECK(words_of_machines("Intel(R) Xeon(R) Platinum 8480+") == Words{"intel_r_xeon_r_platinum_8480"});
  CHECK(words_of_machines("Ampere Altra Max M128-30") == Words{"ampere_altra_max_m128_30"});  // not NVIDIA's Ampere
  CHECK(words_of_machines("output, block, check, hips, l4.conv1, a10, t4, 4090 units, sm5").empty());

  const auto match_of = [](const char* id, const char* word) { return match(*Machines::presets().find(id), word); };
  CHECK(match_of("h100-sxm", "h100") == WordMatch::name);
  CHECK(match_of("h100-pcie", "h100") == WordMatch::family);
  CHECK(match_of("h200-sxm", "sm_90") == WordMatch::architecture);
  CHECK(match_of("b200-sxm", "sm_90") == WordMatch::vendor);  // it runs there, too
  CHECK(match_of("a100-80gb-sxm", "sm_90") == WordMatch::none);
  CHECK(match_of("a100-80gb-sxm", "cutlass") == WordMatch::vendor);
  CHECK(match_of("mi300x", "cijk") == WordMatch::vendor);
  CHECK(match_of("mi355x", "gfx942") == WordMatch::none);
  CHECK(match_of("mi300x", "sm_90") == WordMatch::none);
  CHECK(match_of("grace", "neoverse_v2") == WordMatch::architecture);  // two vendors build it
  CHECK(match_of("graviton4", "neoverse_v2") == WordMatch::architecture);
  CHECK(match_of("graviton3", "neoverse_v2") == WordMatch::none);
  CHECK(match_of("grace", "cublas") == WordMatch::none);  // a CPU, of a vendor of GPUs
  CHECK(match_of("epyc-9654", "rocm") == WordMatch::none);
  CHECK(match_of("custom", "znver4") == WordMatch::none);
}

TEST_CASE("which machine: every architecture that a preset states is one that words tell", "[which_machine]") {
  std::size_t stated = 0;
  for (const Machine& machine : Machines::presets().all()) {
    if (machine.architecture.empty() || machine.architecture == "sm_53") continue;  // no kernel's name says sm53 any more
    INFO(machine.id);
    CHECK(match(machine, machine.architecture) == WordMatch::architecture);
    ++stated;
  }
  CHECK(stated > 30);
}

TEST_CASE("which machine: by the points alone the smallest that holds them all comes first", "[which_machine]") {
  const WhichMachine found = found_for(rates(744e12, 3.1e12));
  CHECK_FALSE(found.words_match());
  CHECK(found.flops == 744e12);
  CHECK(found.bandwidth == 3.1e12);
  REQUIRE(found.candidates.size() > 50);
  CHECK(found.candidates[0].reach <= 1.05);
  for (const MachineCandidate& c : found.candidates) {
    INFO(c.machine->id);
    CHECK_FALSE(c.machine->vendor.empty());
    if (c.plausible() && !c.lacks_a_format) CHECK(std::abs(c.reach - 1) >= std::abs(found.candidates[0].reach - 1) - 0.05);
    // What a machine holds, its own roof says.
    const double peak = c.machine->peak(Unit::matrix, compute_format(*c.machine, Unit::matrix, format("fp16"), format("fp16")));
    const double least = std::max(known(peak) ? 744e12 / peak : 0, 3.1e12 / c.machine->memories[0].rate().value);
    CHECK(c.reach == Approx(least));
    CHECK(c.holds() == (least <= 1.25));
  }
  // The points cannot tell which machine it was: none is named, but those that fit are counted.
  std::size_t fitting = 0;
  for (const MachineCandidate& c : found.candidates) fitting += c.reach <= 1.05 && !c.lacks_a_format ? 1 : 0;
  CHECK(fitting > 10);
  CHECK(question(found) == "Which machine ran this? The fastest rows reach 744 TFLOP/s and 3.1 TB/s: the file names no machine, and " +
                               std::to_string(fitting) + " of " + std::to_string(found.candidates.size()) +
                               " known machines allow these rates");
}

TEST_CASE("which machine: cores that clock above their rating may exceed a peak", "[which_machine]") {
  const auto candidate = [](const WhichMachine& found, const char* id) {
    return *std::find_if(found.candidates.begin(), found.candidates.end(), [&](const auto& c) { return c.machine->id == id; });
  };
  // Its tensor cores reach 165.2 TFLOP/s at 2.52 GHz, and clock up to 3.105 GHz.
  const MachineCandidate gpu = candidate(found_for(rates(176e12, 0.5e12)), "rtx-4090");
  CHECK(gpu.fits());
  CHECK(reason(gpu) == "107% of its FP16 peak");
  const MachineCandidate memory = candidate(found_for(rates(100e12, 1.1e12)), "rtx-4090");  // 1,008 GB/s
  CHECK_FALSE(memory.fits());
  CHECK(reason(memory) == "up to 109% of its DRAM bandwidth");
}

TEST_CASE("which machine: of roofs as near as each other, the one with the slower memory", "[which_machine]") {
  // 87% of the H100 NVL's FP16 peak, and 87% of the H100 SXM's bandwidth.
  Workload w = rates(728e12, 0.2e12, {"sm_90"});
  add_row(w, 1e12, 2.92e12, 1);
  w.classes.back().activation = w.classes.back().weight = format("fp16");
  CHECK(ids(found_for(w), 2) == Words{"h100-sxm", "h100-nvl"});
}

TEST_CASE("which machine: names come before points, points before vendors", "[which_machine]") {
  CHECK(ids(found_for(rates(744e12, 3.1e12, {"sm_90"})), 3) == Words{"h100-sxm", "h100-nvl", "gh200"});
  CHECK(ids(found_for(rates(10e12, 1e12, {"h100"})), 1) == Words{"h100-sxm"});
  CHECK(ids(found_for(rates(744e12, 3.1e12, {"hipblaslt"})), 1) == Words{"mi300x"});  // an MI210 does 181 TFLOP/s
  CHECK(question(found_for(rates(744e12, 3.1e12, {"h100"})))
            .starts_with("Which machine ran this? The fastest rows reach 744 TFLOP/s and 3.1 TB/s: H100 SXM (h100 in the file, 93% of its "
                         "HBM bandwidth)"));
  const WhichMachine impossible = found_for(rates(744e15, 3.1e12));
  CHECK(question(impossible) ==
        "Which machine ran this? The fastest rows reach 744 PFLOP/s and 3.1 TB/s: no known machine allows these rates: is a unit or a "
        "format wrong?");
  CHECK(likely(impossible, 3).empty());
}

TEST_CASE("which machine: a roof that is exceeded within 5% is none that rules a machine out, one by 73% is not proposed",
          "[which_machine]") {
  const WhichMachine close = found_for(rates(600e12, 1.002 * 5.3e12, {"rocm"}));
  REQUIRE_FALSE(likely(close, 3).empty());
  CHECK(likely(close, 3)[0]->machine->id == "mi300x");
  CHECK(reason(*likely(close, 3)[0]).ends_with("100% of its HBM bandwidth"));
  const WhichMachine computing = found_for(rates(900e12, 1e12, {"h100"}));
  CHECK(reason(*likely(computing, 1)[0]) == "h100 in the file, 91% of its FP16 peak");
  const Workload fast = rates(50e12, 1.73 * 936e9, {"rtx_3090"});
  CHECK(question(found_for(fast)).find("173%") == std::string::npos);
  const WhichMachine by_points = found_for(rates(50e12, 1.73 * 936e9));
  for (const MachineCandidate* c : likely(by_points, 10)) CHECK(c->reach <= 1.05);
}

TEST_CASE("which machine: only machines of the most specific word are proposed", "[which_machine]") {
  const auto proposed = [](const Workload& w) {
    Words out;
    const WhichMachine found = found_for(w);  // which the candidates are in
    for (const MachineCandidate* c : likely(found, 9)) out.push_back(c->machine->id);
    return out;
  };
  CHECK(proposed(rates(200e12, 1e12, {"gfx950", "hip"})) == Words{"mi350x", "mi355x"});
  CHECK(proposed(rates(10e12, 0.5e12, {"a100_sxm4_40gb", "tensorrt"})) == Words{"a100-40gb-sxm"});
  for (const std::string& id : proposed(rates(10e12, 0.7e12, {"volta"}))) CHECK(id.starts_with("v100"));
  CHECK(proposed(rates(500e12, 2e12, {"sm_80"}))[0] != "a100-80gb-sxm");  // it has no such rate, and later ones run its kernels
  for (const std::string& id : proposed(rates(1e12, 0.1e12, {"cpu"}))) CHECK(is_cpu(*Machines::presets().find(id)));
  CHECK(words_of_machines("cpu_op of a cpu").empty());  // said by readers alone
  CHECK(question(found_for(rates(1e19, 1e12, {"rocm"}))).ends_with("no known machine allows these rates: is a unit or a format wrong?"));
  // Rates above any Blackhole's: it is named all the same, with the reservation.
  const WhichMachine above = found_for(rates(200e12, 5e12, {"blackhole", "tenstorrent"}));
  REQUIRE(likely(above, 1).size() == 1);
  CHECK(likely(above, 1)[0]->machine->architecture == "blackhole");
  CHECK(question(above).find("many rows exceed its roof: is a unit or a format wrong?") != std::string::npos);
}

TEST_CASE("which machine: a format that a machine lacks puts it behind those that have it", "[which_machine]") {
  Workload w = rates(200e12, 1e12, {"cutlass"});
  w.classes[0].activation = w.classes[0].weight = format("fp8_e4m3");
  const WhichMachine found = found_for(w);
  for (std::size_t i = 0; i < 3; ++i) CHECK_FALSE(found.candidates[i].lacks_a_format);
  CHECK(among(ids(found, 100), "a100-80gb-sxm"));
}

TEST_CASE("which machine: kernels ran on a die of a card, unless they are too fast for it", "[which_machine]") {
  for (const char* word : {"gfx90a", "mi200", "mi250x", "amd_instinct_mi250x"}) {
    INFO(word);
    const Workload slow = rates(20e12, 1e12, {word}), fast = rates(300e12, 2e12, {word});
    CHECK(ids(found_for(slow), 1) == Words{"mi250x-gcd"});
    CHECK(ids(found_for(fast), 1) == Words{"mi250x"});
  }
  CHECK(ids(found_for(rates(20e12, 1e12, {"mi210"})), 1) == Words{"mi210"});
  for (const Machine& machine : Machines::presets().all())
    if (!machine.part_of.empty()) {
      INFO(machine.id);
      const Machine* card = Machines::presets().find(machine.part_of);
      REQUIRE(card);
      CHECK(card->part_of.empty());
      CHECK(card->architecture == machine.architecture);
      CHECK(card->units.value / machine.units.value == card->highest_peak() / machine.highest_peak());
    }
}

TEST_CASE("which machine: without a rate or a word there is nothing to tell it by", "[which_machine]") {
  Workload w;
  add_row(w, unknown, unknown, 1);
  CHECK(found_for(w).candidates.empty());
  CHECK(question(found_for(w)).empty());
  w.machine_words = {"h100"};
  CHECK(ids(found_for(w), 1) == Words{"h100-sxm"});
}

TEST_CASE("which machine: a source's name and first bytes are searched, and a machine it states is not asked for", "[which_machine]") {
  const std::string table = "name,M,N,K,dtype,time_us\nsm90_gemm,1024,1024,1024,fp16,9\n";
  ReadOptions options;
  options.source_name = "run_h200.csv";
  CHECK(open(table, options).machine_words == Words{"h200", "sm_90"});
  CHECK(group_identical(open(table, options)).machine_words == Words{"h200", "sm_90"});

  Session session;
  CHECK(Json::parse(open_in(session, table, "run_h200.csv"))["opened"]["guessed_machine"] == "h200-sxm");
  CHECK(Json::parse(open_in(session, table, "run.csv"))["opened"]["guessed_machine"] == "h100-pcie");  // by sm_90, the smallest
  CHECK(Json::parse(open_in(session, table, "run.csv"))["opened"]["stated_machine"] == Json());
  const auto stated = [&](const std::string& machine) {
    const std::string file = R"({"machine": )" + machine + R"(, "ops": [{"type": "copy", "flops": 1, "bytes": 1}]})";
    return Json::parse(open_in(session, file, "commands.json"))["opened"]["stated_machine"];
  };
  CHECK(stated(R"("h100-sxm")") == "NVIDIA H100 SXM");
  CHECK(stated(R"({"id": "x", "name": "X1", "peaks": 1e12, "memories": [{"name": "DRAM", "bandwidth": 1e9}]})") == "X1");
  CHECK(Json::parse(open_in(session, "name,M,N,K,dtype,time_us\ngemm,1024,1024,1024,fp16,9\n",
                            "cublas.csv"))["opened"]["guessed_machine"] == Json());
  CHECK(Json::parse(open_in(session, "name,M,N,K,dtype\nsm90_gemm,1024,1024,1024,fp16\n", "h200.csv"))["opened"]["guessed_machine"] ==
        Json());
  open_in(session, table, "run_h200.csv");
  const Json frame = Json::parse(session.frame().json);
  CHECK(frame["machine_basis"] == "assumed");
  CHECK(frame["asks_for_machine"] == true);
  const Json answer = Json::parse(session.ask("which_machine", "{}").json);
  CHECK(answer["machines"].size() == 1);  // it is named: no other
  CHECK(answer["machines"][0]["id"] == "h200-sxm");
  CHECK(answer["machines"][0]["evidence"] == "h200 in the file");
  CHECK(text_of(answer["asked"]).starts_with("Which machine ran this? The fastest rows reach "));
  REQUIRE(session.configure(R"({"machine": "h200-sxm"})") == "{}");
  const Json chosen = Json::parse(session.frame().json);
  CHECK(chosen["machine_basis"] == "chosen");
  CHECK(chosen["asks_for_machine"] == false);

  open_in(session, R"({"machine": "a30", "ops": [{"type": "GEMV", "data_type": "FP16", "m": 1, "k": 4096, "n": 4096, "time_ns": 90000}]})",
          "x.json");
  REQUIRE(session.configure("{}") == "{}");
  CHECK(Json::parse(session.frame().json)["machine_basis"] == "stated");
}

TEST_CASE("which machine: the answer lists the machines that cannot have run it, the user's own too", "[which_machine]") {
  Session session;
  // 4.28 TB/s: more than an H100 NVL's 3.94, less than an H200's 4.8.
  open_in(session, "name,flops,bytes,time_us,dtype\nadd,1e6,4.28e9,1000,fp16\n", "kernels.csv");
  const auto own = [](const char* id, double bandwidth) {
    return Json{
        {"id", id}, {"name", id}, {"peaks", {{"matrix", {{"fp16", 1e15}}}}}, {"memories", {{{"name", "DRAM"}, {"bandwidth", bandwidth}}}}};
  };
  const Json request = {{"own", {own("slow", 1e12), own("fast", 5e12)}}};
  const Json answer = Json::parse(session.ask("which_machine", request.dump()).json);
  CHECK(answer["machines"].empty());  // no word tells it
  const auto verdict = [&answer](const std::string& id) {
    for (const Json& machine : answer["unlikely"])
      if (machine["id"] == id) return machine;
    return Json();
  };
  CHECK(verdict("h200-sxm").is_null());
  CHECK(verdict("fast").is_null());
  CHECK(verdict("h100-nvl")["holds"] == true);  // by 9%, which clocks may explain
  CHECK(verdict("h100-nvl")["reason"] == "up to 109% of its HBM bandwidth");
  CHECK(verdict("l4") == Json{{"id", "l4"}, {"holds", false}, {"reason", "100% of the time exceeds its roof"}});
  CHECK(verdict("slow")["holds"] == false);
  CHECK(verdict("npu-32t50")["holds"] == false);  // a preset without a vendor
  // Machines that allow the rates: none is named, so the nearest roof first.
  const Json& fitting = answer["fitting"];
  REQUIRE(fitting.size() > 3);
  CHECK(fitting[0] == Json{{"id", "h200-sxm"}, {"reason", "89% of its HBM bandwidth"}});
  CHECK(fitting[1] == Json{{"id", "fast"}, {"reason", "86% of its DRAM bandwidth"}});
  CHECK(fitting[2]["id"] == "mi300x");  // 5.3 TB/s
  CHECK(Json::parse(session.ask("which_machine", R"({"own": [{"id": 1}]})").json).contains("error"));
}

TEST_CASE("which machine: machines that the file names come before those with a nearer roof", "[which_machine]") {
  Session session;
  // 2.92 TB/s: 89% of a Max 1550's bandwidth, and 87% of an H100 SXM's.
  open_in(session, "name,flops,bytes,time_us,dtype\nsm90_xmma_gemm,1e6,2.92e9,1000,fp16\n", "kernels.csv");
  const Json fitting = Json::parse(session.ask("which_machine", "{}").json)["fitting"];
  const auto place = [&](const char* id) {
    return std::find_if(fitting.begin(), fitting.end(), [&](const Json& machine) { return machine["id"] == id; }) - fitting.begin();
  };
  const auto count = static_cast<std::ptrdiff_t>(fitting.size());
  REQUIRE(place("max-1550") < count);
  REQUIRE(place("b200-sxm") < count);
  CHECK(place("h100-sxm") < place("b200-sxm"));
  CHECK(place("b200-sxm") < place("max-1550"));
  CHECK(text_of(fitting[static_cast<std::size_t>(place("b200-sxm"))]["reason"]).starts_with("newer than sm_90, the kernels' target, "));
}

TEST_CASE("which machine: a roof that the rates exceed a little comes after those that allow them", "[which_machine]") {
  Session session;
  // 215 TFLOP/s: 103% of an RTX 5090's FP16 peak, which its boost clock explains.
  open_in(session, "name,flops,bytes,time_us,dtype\nmm,2.15e11,1e6,1000,fp16\n", "kernels.csv");
  const Json fitting = Json::parse(session.ask("which_machine", "{}").json)["fitting"];
  REQUIRE(fitting.size() > 3);
  bool exceeded = false, ordered = true;
  for (const Json& machine : fitting) {
    const bool exceeds = std::atoi(text_of(machine["reason"]).c_str()) > 100;
    ordered = ordered && (exceeds || !exceeded);
    exceeded = exceeded || exceeds;
    if (machine["id"] == "rtx-5090") CHECK(exceeds);
  }
  CHECK(exceeded);
  CHECK(ordered);
}

TEST_CASE("which machine: the basis stands in the document, whose machine can be given back", "[which_machine]") {
  const Workload w = rates(1e12, 1e9);
  Scenario s = Scenario::standard();
  const Json document = Json::parse(json_of(w, s));
  CHECK(document["machine"]["basis"] == "assumed");
  CHECK(parse_machine(document["machine"].dump()));
  s.use(*Machines::presets().find("h100-sxm"));
  CHECK(Json::parse(json_of(w, s))["machine"]["basis"] == "chosen");
  REQUIRE(use_stated_machine(s, "\"a30\""));
  CHECK(Json::parse(json_of(w, s))["machine"]["basis"] == "stated");
  s = Scenario::standard();
  REQUIRE(apply_config(s, R"({"peak_tops": 8})"));
  CHECK(s.basis == MachineBasis::assumed);
  REQUIRE(apply_config(s, R"({"peak_tops": 8, "mem_bw": 25})"));  // both: that is a machine
  CHECK(s.basis == MachineBasis::chosen);
}

TEST_CASE("which machine: where times contradict it, nothing is said of efficiency or sorted by it", "[which_machine]") {
  Workload w;
  add_row(w, 1000, 10, 40);  // 10 s at the roof: 30 s lost
  add_row(w, 1000, 10, 7);   // beats it by 43%
  add_row(w, 1000, 10, 90);
  const Scenario s = on(round_machine());
  const auto finding = [&](const Workload& rows) {
    const Plan plan(rows, s);
    return headline(plan, make_frame(plan, {})).text();
  };
  const Plan plan(w, s);
  const Summary total = summarize(plan);
  CHECK(total.far_above == 1);
  CHECK(total.far_above_s == 7);
  CHECK(total.lost_time_s == 110);  // what lies above the roof does not make up for it
  CHECK(total.machine_mismatch());  // 7 of 137 s
  CHECK(finding(w) == "This did not run on round: 1 op (5.1% of the time) exceeds its roof by over 25%.");
  const Frame frame = make_frame(plan, {});
  CHECK(frame.sort == SortKey::time);
  CHECK(frame.rows == std::vector<std::uint32_t>{2, 0, 1});
  FrameRequest request;
  request.sort = SortKey::bytes;
  CHECK(make_frame(plan, request).sort == SortKey::bytes);
  std::string table;
  write_table(plan, {}, [&](std::string_view piece) { table += piece; });
  CHECK(table.find("efficiency") == std::string::npos);
  CHECK(table.find("above bound") == std::string::npos);

  Scenario stated = s;
  stated.basis = MachineBasis::stated;
  const Plan as_stated(w, stated);
  CHECK(headline(as_stated, make_frame(as_stated, {})).text() ==
        "The file says round, but 1 op (5.1% of the time) exceeds its roof by over 25%: their work is counted too high, or their times "
        "are too short.");
  CHECK(asks_for_machine(plan, total));
  CHECK_FALSE(asks_for_machine(as_stated, total));

  w.time_s[1] = 8.5;  // by 18%: clocks and caches do that
  const Plan near(w, s);
  CHECK_FALSE(summarize(near).machine_mismatch());
  CHECK(make_frame(near, {}).sort == SortKey::lost);
  CHECK(finding(w).find("1 op exceeds the roof") != std::string::npos);
  w.time_s = {40, 5, 90};  // twice as fast as its roof, in 3.7% of the time
  CHECK_FALSE(summarize(Plan(w, s)).machine_mismatch());
}

TEST_CASE("which machine: samples of known machines propose them among the first three", "[which_machine]") {
  struct Truth {
    const char* file;
    const char* machine;
    bool content_tells;  ///< not its name alone
  };
  // From the samples' sources: TraceLens' traces of an H100 and of an MI300X, a benchmark's results on B200 and MI300X, SuperBench's log of
  // an A100 (which one it does not say), a TPU v5p's profile.
  constexpr Truth table[] = {
      {"tracelens_perf_report/h100_GEMM.csv", "h100-sxm", true},
      {"tracelens_perf_report/vit_h100_GEMM.csv", "h100-sxm", true},
      {"tracelens_perf_report/vit_h100_SDPA_fwd.csv", "h100-sxm", false},
      {"tracelens_perf_report/vit_h100_unified_perf_summary.csv", "h100-sxm", true},
      {"tracelens_perf_report/vit_h100_ops_unique_args.csv", "h100-sxm", true},
      {"tracelens_perf_report/vit_h100_kernel_summary.csv", "h100-sxm", true},
      {"tracelens_perf_report/sglang_decode_GEMM.csv", "mi300x", true},
      {"tracelens_perf_report/sglang_decode_unified_perf_summary.csv", "mi300x", true},
      {"kernel_tables/b200_gemms_40_rows.csv", "b200-sxm", false},
      {"kernel_tables/hipblaslt_gemm_40_rows.csv", "mi300x", true},
      {"cutlass_profiler/superbench_gemm_3.csv", "a100-40gb-sxm", false},
      {"xprof_roofline/tpu_v5_training_90_rows.json", "tpu-v5p", true},
  };
  const std::string folder = "../shared/samples/";
  std::size_t opened = 0;
  for (const Truth& truth : table) {
    const std::string path = folder + truth.file;
    if (!std::filesystem::exists(path)) continue;
    for (const bool named : {true, false}) {
      if (!named && !truth.content_tells) continue;
      ReadOptions options;
      if (named) options.source_name = std::filesystem::path(path).filename().string();
      const Result<Workload> w = read(file(path), options);
      if (!w) continue;  // a table without work, which no reader takes yet
      ++opened;
      const WhichMachine found = found_for(*w);
      INFO(path << (named ? "" : " without its name") << ": " << question(found));
      CHECK(found.words_match());
      CHECK(among(ids(found, 3), truth.machine));
    }
  }
  if (std::filesystem::exists(folder)) CHECK(opened >= 15);
}

TEST_CASE("which machine: a device's name gives its preset or none, never a related product", "[which_machine]") {
  struct Row {
    const char* device;
    const char* preset;  ///< "": none of the presets is it
  };
  // As drivers and tools print them.
  constexpr Row rows[] = {{"NVIDIA GeForce RTX 5090", "rtx-5090"},
                          {"NVIDIA GeForce RTX 5090 D", ""},
                          {"NVIDIA GeForce RTX 5090 Laptop GPU", ""},
                          {"NVIDIA GeForce RTX 5080", "rtx-5080"},
                          {"NVIDIA GeForce RTX 5070 Ti", "rtx-5070-ti"},
                          {"NVIDIA GeForce RTX 5070 Ti Laptop GPU", ""},
                          {"NVIDIA GeForce RTX 5070 (sm_120), 48 SMs, 2.625 GHz", "rtx-5070"},
                          {"NVIDIA GeForce RTX 5070 Laptop GPU", ""},
                          {"RTX5070Ti", "rtx-5070-ti"},
                          {"RTX 5070Ti", "rtx-5070-ti"},
                          {"rtx5070_laptop", ""},
                          {"NVIDIA GeForce RTX 5060 Ti", "rtx-5060-ti"},
                          {"NVIDIA GeForce RTX 5060", ""},
                          {"NVIDIA GeForce RTX 5050", ""},
                          {"NVIDIA GeForce RTX 4090", "rtx-4090"},
                          {"NVIDIA GeForce RTX 4090 Laptop GPU", ""},
                          {"NVIDIA GeForce RTX 4090 D", ""},
                          {"NVIDIA GeForce RTX 4080", "rtx-4080"},
                          {"NVIDIA GeForce RTX 4080 SUPER", "rtx-4080-super"},
                          {"RTX4080 Super", "rtx-4080-super"},
                          {"NVIDIA GeForce RTX 4070 Ti", "rtx-4070-ti"},
                          {"NVIDIA GeForce RTX 4070 Ti SUPER", ""},
                          {"NVIDIA GeForce RTX 4070 SUPER", ""},
                          {"NVIDIA GeForce RTX 4070", "rtx-4070"},
                          {"NVIDIA GeForce RTX 4060 Ti", "rtx-4060-ti"},
                          {"NVIDIA GeForce RTX 4060 Ti 16GB", "rtx-4060-ti"},
                          {"NVIDIA GeForce RTX 4060", "rtx-4060"},
                          {"NVIDIA GeForce RTX 4060 Laptop GPU", ""},
                          {"NVIDIA GeForce RTX 3090 Ti", ""},
                          {"NVIDIA GeForce RTX 3090", "rtx-3090"},
                          {"NVIDIA GeForce RTX 3080 Ti", "rtx-3080-ti"},
                          {"NVIDIA GeForce RTX 3080 Ti Laptop GPU", ""},
                          {"NVIDIA GeForce RTX 3080", "rtx-3080"},
                          {"NVIDIA GeForce RTX 3070 Ti", ""},
                          {"NVIDIA GeForce RTX 3070", "rtx-3070"},
                          {"NVIDIA GeForce RTX 3060 Ti", "rtx-3060-ti"},
                          {"NVIDIA GeForce RTX 3060", "rtx-3060"},
                          {"NVIDIA GeForce RTX 3050", ""},
                          {"NVIDIA GeForce RTX 2080 Ti", "rtx-2080-ti"},
                          {"NVIDIA GeForce RTX 2080", ""},
                          {"NVIDIA GeForce RTX 2070 with Max-Q Design", ""},
                          {"NVIDIA GeForce GTX 1660 Ti", "gtx-1660-ti"},
                          {"NVIDIA GeForce GTX 1660 Ti with Max-Q Design", ""},
                          {"NVIDIA GeForce GTX 1660 SUPER", ""},
                          {"NVIDIA GeForce MX450", ""},
                          {"Quadro RTX 6000", "quadro-rtx-6000"},
                          {"Quadro RTX 8000", "quadro-rtx-8000"},
                          {"Quadro RTX 5000 with Max-Q Design", ""},
                          {"NVIDIA RTX 6000 Ada Generation", "rtx-6000-ada"},
                          {"NVIDIA RTX 5000 Ada Generation", "rtx-5000-ada"},
                          {"NVIDIA RTX 5000 Ada Generation Laptop GPU", ""},
                          {"NVIDIA RTX 4500 Ada Generation", "rtx-4500-ada"},
                          {"NVIDIA RTX 4000 Ada Generation", ""},
                          {"NVIDIA RTX 4000 SFF Ada Generation", ""},
                          {"NVIDIA RTX A6000", "rtx-a6000"},
                          {"NVIDIA RTX A4000", ""},
                          {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000"},
                          {"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", ""},
                          {"NVIDIA RTX PRO 4500 Blackwell", ""},
                          {"NVIDIA H100 80GB HBM3", "h100-sxm"},
                          {"NVIDIA H100 PCIe", "h100-pcie"},
                          {"NVIDIA H100 NVL", "h100-nvl"},
                          {"Nvidia H100 GPU", "h100-sxm"},
                          {"Nvidia GH200 GPU", "gh200"},
                          {"Nvidia A100 GPU", "a100-80gb-sxm"},
                          {"NVIDIA H20", ""},
                          {"NVIDIA H800", ""},
                          {"NVIDIA A800-SXM4-80GB", ""},
                          {"NVIDIA L20", ""},
                          {"NVIDIA GB10", ""},
                          {"NVIDIA A100 80GB PCIe", "a100-80gb-pcie"},
                          {"NVIDIA A100-PCIE-40GB", "a100-40gb-pcie"},
                          {"NVIDIA A100-SXM4-40GB", "a100-40gb-sxm"},
                          {"NVIDIA A100-PG509-200", "a100-40gb-sxm"},
                          {"Tesla V100-SXM2-16GB", "v100-sxm2-16gb"},
                          {"Tesla P100-PCIE-16GB", ""},
                          {"AMD Radeon RX 7900 XTX", "rx-7900-xtx"},
                          {"Radeon RX 7900 XT", ""},
                          {"AMD Radeon RX 7900 GRE", ""},
                          {"AMD Radeon RX 9070 XT", "rx-9070-xt"},
                          {"AMD Radeon RX 9070", ""},
                          {"AMD Radeon RX 7900M", ""},
                          {"AMD Radeon PRO W7900", ""},
                          {"AMD Radeon AI PRO R9700", ""},
                          {"AMD Radeon 780M", ""},
                          {"AMD Instinct MI300X", "mi300x"},
                          {"AMD Instinct MI308X", ""},
                          {"AMD Instinct MI300A", ""},
                          {"Intel(R) Arc(TM) B580 Graphics", "arc-b580"},
                          {"Intel Arc B570", ""},
                          {"Intel Arc Pro B60", "arc-pro-b60"},
                          {"Intel Arc Pro B50", ""}};
  for (const Row& row : rows) {
    INFO(row.device);
    Workload w = rates(1e12, 50e9, words_of_machines(row.device));
    w.machine_words.insert(w.machine_words.end(), {"sm_120", "sm_89", "sm_86", "sm_90", "gfx1100", "gfx942", "nsight"});
    const Scenario s = Scenario::standard();
    const Plan plan(w, s);
    const Machine* machine = machine_in_words(plan, Machines::presets().all());
    CHECK((machine ? machine->id : "") == std::string(row.preset));
    const WhichMachine found = which_machine(plan, Machines::presets().all());
    CHECK(found.unlisted.empty() == (row.preset[0] != 0));
    if (row.preset[0] == 0)
      CHECK(question(found).find("which is not in the list: choose a machine, or enter its figures") != std::string::npos);
  }
  for (const char* text : {"NVIDIA-SMI 550.54.14", "nvidia-cublas-cu12 12.4", "NVIDIA driver 570", "tx 1200 rx 1500 bytes",
                           "arc 25 degrees", "NVIDIA L2 cache", "NVIDIA Graphics Device", "AMD Radeon Graphics", "Cijk_MI16x16x16"})
    for (const std::string& word : words_of_machines(text)) {
      INFO(text << ": " << word);
      CHECK_FALSE(is_product(word));
    }
}

TEST_CASE("which machine: an engine's graph without times was built for the machine in its name", "[which_machine]") {
  Workload w;
  w.machine_words = words_of_machines("resnet-A100-fp16.onnx.engine.graph.json");
  const Scenario s = Scenario::standard();
  w.source_format = SourceFormat::network;  // may run anywhere
  CHECK(machine_in_words(Plan(w, s), Machines::presets().all()) == nullptr);
  w.source_format = SourceFormat::tensorrt;
  const Plan plan(w, s);
  const Machine* machine = machine_in_words(plan, Machines::presets().all());
  REQUIRE(machine);
  CHECK(machine->name.find("A100") != std::string::npos);
  CHECK(question(which_machine(plan, Machines::presets().all())).starts_with("Which machine was this built for? "));
}

TEST_CASE("which machine: a vendor's library alone guesses none of the vendor's machines", "[which_machine]") {
  const Workload w = rates(295e12, 1e9, words_of_machines("cutlass_tensorop_gemm"));  // 95% of an A100's peak
  const Scenario s = Scenario::standard();
  CHECK(machine_in_words(Plan(w, s), Machines::presets().all()) == nullptr);
}

TEST_CASE("which machine: a series that names an architecture proposes its machines", "[which_machine]") {
  Workload w = one_row(1e12, 1e9, 0.1);
  w.machine_words = words_of_machines("MI200_pmc_perf.csv");
  const Scenario s = on(round_machine());
  const Plan plan(w, s);
  const WhichMachine found = which_machine(OpSet(plan), Machines::presets().all());
  CHECK(found.unlisted.empty());
  std::set<std::string> proposed;
  for (const MachineCandidate* c : likely(found, 4)) proposed.insert(c->machine->id);
  CHECK(proposed == std::set<std::string>{"mi210", "mi250x", "mi250x-gcd"});
}

TEST_CASE("which machine: the device that a file states counts more than its name and text", "[which_machine]") {
  const std::string head =
      R"("ID","Process ID","Kernel Name","Block Size","Grid Size","Device","CC","device__attribute_display_name","gpu__time_duration.sum","dram__bytes.sum")";
  const auto guessed = [&](const std::string& device, const std::string& name) {
    Session session;
    const std::string text = head + "\n\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"ns\",\"byte\"\n" +
                             R"csv("0","1","sm90_gemm","(256, 1, 1)","(64, 1, 1)","0","9.0",")csv" + device + "\",\"1000\",\"1000\"\n";
    return Json::parse(open_in(session, text, name))["opened"];
  };
  CHECK(guessed("NVIDIA H200", "h100.csv")["stated_machine"] == "NVIDIA H200 SXM");
  const Json unlisted = guessed("NVIDIA H20", "h100.csv");
  CHECK(unlisted["stated_machine"] == Json());
  CHECK(unlisted["guessed_machine"] == Json());
  CHECK(guessed("", "h100.csv")["guessed_machine"] == "h100-sxm");
}

TEST_CASE("which machine: the share beyond the roof is that of the operations beyond it", "[which_machine]") {
  // Products in FP16 at 239.7, 225.3, 240.1 and 229.1 TFLOP/s: of the MI250X die's 191.5 TFLOP/s only two are more than 25% above it.
  const Workload w = open(
      "name,M,N,K,dtype,time_us\nqkv,4096,12288,4096,fp16,1720\nproj,4096,4096,4096,fp16,610\n"
      "up,4096,16384,4096,fp16,2290\ndown,4096,4096,16384,fp16,2400\n");
  const Scenario scenario = on(*Machines::presets().find("mi250x-gcd"));
  const Plan plan(w, scenario);
  const Summary s = summarize(plan);
  REQUIRE(s.far_above == 2);
  std::optional<double> beyond;
  for (const MachineCandidate& c : found_for(w).candidates)
    if (c.machine->id == "mi250x-gcd") beyond = c.beyond;
  REQUIRE(beyond);
  CHECK(*beyond == Approx((1720.0 + 2290) / (1720 + 610 + 2290 + 2400)));
}
