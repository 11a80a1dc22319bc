// The search for the best deployment, against trying everything.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <roofline/serving/frontier.hpp>
#include <roofline/serving/launch_flags.hpp>

#include "serving/pareto.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

FrontierRequest asked(const std::string& json) {
  Result<FrontierRequest> r = parse_frontier_request(json, Scenario::standard());
  INFO(json << (r ? std::string() : " " + r.error().text()));
  REQUIRE(r);
  return std::move(*r);
}

const std::string llama =
    R"({"model": "llama-3.1-70b", "machines": ["h100-sxm", "b200-sxm", "mi355x"], "prompt": 8000, "generate": 1000, "gpus": 8,
        "weights": ["fp8_e4m3", "published"])";

/// The most tokens/s per machine of any layout of eight machines at any number of users, each at least as fast as asked.
double best_of_all(const FrontierRequest& request, const Scenario& scenario, double tpot_max, double ttft_max) {
  double best = 0;
  for (const ServingRequest& format : request.formats)
    for (const double tp : {1.0, 2.0, 4.0, 8.0})
      for (const double pp : {1.0, 2.0, 4.0, 8.0}) {
        if (tp * pp > 8) continue;
        ServingRequest r = format;
        r.llm.setup.tp = tp;
        r.layout.pp = pp;
        r.layout.dp = 8 / tp / pp;
        use_engine_formats(r, scenario);
        const ServingEngine engine(r, scenario);
        for (double users = 1; users <= engine.largest_batch(); ++users) {
          r.concurrency = users * r.layout.dp;
          r.requests = 10 * r.concurrency;
          const Result<ServingPoint> p = operating_point(r, scenario, engine);
          REQUIRE(p);
          if (p->typical.tpot_s <= tpot_max && !(p->typical.ttft_s > ttft_max))
            best = std::max(best, p->typical.output_tokens_per_s_per_machine);
        }
      }
  return best;
}

}  // namespace

TEST_CASE("frontier: its best is that of trying every layout with every number of users", "[serving]") {
  for (const char* limits : {"}", R"(, "ttft_max": 1.5})"}) {
    const FrontierRequest request = asked(llama + limits);
    const Frontier found = frontier(request);
    REQUIRE(found.machines.size() == 3);
    for (std::size_t m = 0; m < 3; ++m)
      for (const FrontierPick& pick : found.machines[m].picks) {
        INFO(found.machines[m].id << " at " << pick.tokens_per_s_per_user << limits);
        const double tpot_max = known(pick.tokens_per_s_per_user) ? 1 / pick.tokens_per_s_per_user : 1e9;
        const double all = best_of_all(request, request.machines[m], tpot_max, request.ttft_max);
        CHECK((pick.best ? pick.best->tokens_per_s_per_machine : 0) == Approx(all));
        CHECK(pick.best.has_value() != pick.nearest.has_value());
        CHECK(pick.best.has_value() == !pick.binds.empty());
        if (pick.nearest) CHECK(pick.missed_by > 1);
      }
  }
}

TEST_CASE("frontier: the envelope is what no other point beats, and the picks are on it", "[serving]") {
  const FrontierRequest request = asked(llama + R"(, "tpot_max": 0.05})");
  for (const FrontierMachine& m : frontier(request).machines) {
    std::size_t pareto = 0;
    for (const FrontierPoint& p : m.points) {
      CHECK(p.meets_limits == (p.tpot_s <= 0.05));
      CHECK(p.bound_tpot_s <= p.tpot_s);
      CHECK(p.machines == 8);
      pareto += p.pareto ? 1 : 0;
      bool beaten = !p.meets_limits;
      for (const FrontierPoint& q : m.points)
        beaten |= q.meets_limits && q.tokens_per_s_per_user >= p.tokens_per_s_per_user &&
                  q.tokens_per_s_per_machine >= p.tokens_per_s_per_machine &&
                  (q.tokens_per_s_per_user > p.tokens_per_s_per_user || q.tokens_per_s_per_machine > p.tokens_per_s_per_machine);
      if (p.pareto) CHECK(!beaten);
    }
    CHECK(pareto > 5);
    const FrontierPick& first = m.picks.front();
    REQUIRE(first.best);
    REQUIRE(first.next);
    CHECK(first.next->tokens_per_s_per_machine <= first.best->tokens_per_s_per_machine);
    for (const FrontierPoint& p : m.points)
      if (p.meets_limits) CHECK(p.tokens_per_s_per_machine <= first.best->tokens_per_s_per_machine * (1 + 1e-12));
  }
}

TEST_CASE("frontier: users, times and throughput of every point agree", "[serving]") {
  const FrontierRequest request = asked(
      R"({"model": "llama-3.1-70b", "machines": ["h200-sxm", "b200-sxm"], "prompt": 8000, "generate": 1000, "length_spread": 0.8,
          "weights": ["fp8_e4m3"], "disaggregated": true, "concurrency": 48, "tpot_max": 0.05})");
  const double generate = request.formats[0].mean_generate();
  CHECK(generate == 900);
  std::size_t pools = 0;
  const auto check = [&](const FrontierPoint& p) {
    INFO(p.concurrency << " users, TP" << p.tp << ", " << p.prefill_workers << " prefill workers");
    CHECK(p.request_s == Approx(p.ttft_s + (generate - 1) * p.tpot_s));
    CHECK(p.concurrency == Approx(p.tokens_per_s / generate * p.request_s));  // Little's law
    CHECK(p.tokens_per_s_per_machine == Approx(p.tokens_per_s / p.machines));
    CHECK(p.tokens_per_s_per_user == Approx(1 / p.tpot_s));
    CHECK(p.tokens_per_s <= p.concurrency * generate / (generate - 1) * p.tokens_per_s_per_user);  // users wait for first tokens, too
    pools += p.prefill_workers > 0 ? 1 : 0;
  };
  for (const FrontierMachine& m : frontier(request).machines) {
    for (const FrontierPoint& p : m.points) check(p);
    for (const FrontierPick& pick : m.picks)
      for (const auto& p : {pick.best, pick.next, pick.nearest})
        if (p) check(*p);
  }
  CHECK(pools > 100);
  FrontierPoint p;
  p.concurrency = 128;
  p.machines = 2;
  p.ttft_s = 0.45;
  p.tpot_s = 0.05;
  p.request_s = 0.45 + 899 * 0.05;
  p.tokens_per_s = 128 * 900 / p.request_s;
  p.tokens_per_s_per_machine = p.tokens_per_s / 2;
  CHECK(throughput_text(p, request.formats[0]) ==
        "128 users x 900 tokens / 45.4 s per request = 2,537 tokens/s, 1,269 on each of 2 machines. A request takes 450 ms to its first "
        "token, then 899 x 50 ms.");
}

TEST_CASE("frontier: the best for a number of users is that of trying every layout", "[serving]") {
  for (const double users : {6.0, 40.0}) {
    const FrontierRequest request = asked(llama + R"(, "concurrency": )" + std::to_string(static_cast<int>(users)) + "}");
    const Frontier found = frontier(request);
    for (std::size_t m = 0; m < 3; ++m) {
      double best = 0;
      for (const ServingRequest& format : request.formats)
        for (const double tp : {1.0, 2.0, 4.0, 8.0})
          for (const double pp : {1.0, 2.0, 4.0, 8.0}) {
            ServingRequest r = format;
            r.llm.setup.tp = tp;
            r.layout.pp = pp;
            r.layout.dp = 8 / tp / pp;
            r.concurrency = users;
            r.requests = 10 * users;
            if (r.layout.dp < 1) continue;
            use_engine_formats(r, request.machines[m]);
            const Result<ServingPoint> p = operating_point(r, request.machines[m]);
            if (p && p->concurrency_max >= users) best = std::max(best, p->typical.output_tokens_per_s_per_machine);
          }
      const FrontierPick& pick = found.machines[m].picks[main_pick(request)];
      REQUIRE(pick.best);
      CHECK(pick.best->concurrency == users);
      CHECK(pick.best->tokens_per_s_per_machine == Approx(best));
    }
    CHECK_THAT(frontier_finding(found, request),
               ContainsSubstring("For " + std::to_string(static_cast<int>(users)) + " users, NVIDIA B200 SXM"));
  }
  const FrontierRequest many = asked(R"({"model": "llama-3.1-70b", "machines": ["h100-sxm"], "gpus": 2, "prompt": 8000, "generate": 1000,
                                         "weights": ["fp8_e4m3"], "concurrency": 1000})");
  const Frontier found = frontier(many);
  CHECK_THAT(frontier_finding(found, many), ContainsSubstring("No deployment holds 1,000 users. The nearest, NVIDIA H100 SXM with"));
  const FrontierPick& pick = found.machines[0].picks.back();
  REQUIRE(pick.nearest);
  CHECK(pick.missed_by == Approx(1000 / pick.nearest->concurrency));
}

TEST_CASE("frontier: a machine without room, or without measurements, says so", "[serving]") {
  const FrontierRequest request =
      asked(R"({"model": "llama-3.1-70b", "machines": ["h100-sxm", "rtx-4090", "mi355x", "tpu-v5e"], "gpus": 1, "weights": ["fp8_e4m3"]})");
  const Frontier found = frontier(request);
  CHECK(found.machines[0].why_unfit.empty());
  CHECK_THAT(found.machines[1].why_unfit, ContainsSubstring("does not fit: 7"));
  CHECK_THAT(found.machines[1].why_unfit, ContainsSubstring("on each NVIDIA GeForce RTX 4090 with "));
  CHECK_THAT(frontier_finding(found, request), ContainsSubstring("The model does not fit on NVIDIA GeForce RTX 4090, "));
  CHECK(found.machines[0].assumed.empty());
  CHECK_THAT(found.machines[3].assumed, ContainsSubstring("Median of "));
  CHECK(known(found.machines[0].tpot_error));
  CHECK(!known(found.machines[2].tpot_error));  // no published run
  FrontierRequest of_2024 = request;            // its runs state the throughput alone
  for (Scenario& scenario : of_2024.machines) scenario.stack = Stacks::presets().find("vllm-2024");
  const std::string table = frontier_table(frontier(of_2024), of_2024);
  CHECK_THAT(table, ContainsSubstring(" off in throughput, median\n"));
  CHECK_THAT(table, ContainsSubstring("; the error of estimates of vllm-2024 on this machine is not known\n"));
}

TEST_CASE("frontier: experts are shared, and a rack takes more of them than a node", "[serving]") {
  const FrontierRequest request =
      asked(R"({"model": "deepseek-v3", "machines": ["h200-sxm", "gb200"], "prompt": 1000, "generate": 1000, "weights": ["fp8_e4m3"]})");
  const Frontier found = frontier(request);
  const auto widest = [](const FrontierMachine& m) {
    double most = 0;
    for (const FrontierPoint& p : m.points) most = std::max(most, p.ep);
    return most;
  };
  CHECK(widest(found.machines[0]) == 8);
  CHECK(widest(found.machines[1]) == 64);
}

TEST_CASE("frontier: tensor parallelism over two nodes is weighed with what the network takes", "[serving]") {
  const Frontier found = frontier(asked(
      R"({"model": "deepseek-v3", "machines": ["h100-sxm"], "prompt": 1000, "generate": 1000, "gpus": 16, "concurrency": 4, "weights": ["fp8_e4m3"]})"));
  const std::optional<FrontierPoint>& best = found.machines[0].picks.back().best;
  REQUIRE(best);
  CHECK(best->tp == 8);
  CHECK(best->pp == 2);
}

TEST_CASE("frontier: a price is used where one is named, and nowhere else", "[serving]") {
  const Frontier free = frontier(asked(llama + "}")), rented = frontier(asked(llama + R"(, "price": "rented"})"));
  CHECK(!known(free.machines[0].picks[0].best->usd_per_million_tokens));
  const FrontierPoint& p = *rented.machines[0].picks[0].best;
  CHECK(p.usd_per_million_tokens == Approx(1.30 / 3600 / p.tokens_per_s_per_machine * 1e6));
}

TEST_CASE("frontier: a machine's purchase price is no price by the hour", "[serving]") {
  const Frontier found = frontier(asked(R"({"model": "llama-3.1-8b", "machines": ["rtx-4090"], "prompt": 1000, "generate": 100)"
                                        R"(, "weights": ["int4"]})"));
  REQUIRE(Machines::presets().find("rtx-4090")->price_usd.known());
  REQUIRE(found.machines[0].picks[0].best);
  CHECK(!known(found.machines[0].picks[0].best->usd_per_million_tokens));
}

TEST_CASE("frontier: its CSV has the cells of any other", "[serving]") {
  FrontierRequest request = asked(llama + "}");
  request.machines[0].machine.id = "=Box, 8 GPUs";
  const std::string csv = frontier_csv(frontier(request), request);
  CHECK(csv.starts_with("machine,weights,"));
  CHECK_THAT(csv, ContainsSubstring("\r\n\"'=Box, 8 GPUs\","));
}

TEST_CASE("frontier: what cannot be searched is refused with a word", "[serving]") {
  const auto says = [](const std::string& json, const std::string& what) {
    const Result<FrontierRequest> r = parse_frontier_request(json, Scenario::standard());
    INFO(json);
    REQUIRE(!r);
    CHECK_THAT(r.error().text(), ContainsSubstring(what));
  };
  says(R"({"model": "llama-3.1-70b"})", "machines: expected machines such as");
  says(R"({"model": "llama-3.1-70b", "machines": ["h1000"]})", "machines[0]: unknown machine");
  says(llama + R"(, "disaggregated": true, "prefill_machines": "b200-sxm"})", "prefill_machines: expected machines such as");
  says(llama + R"(, "tpot_max": 0})", "tpot_max: expected a positive number of seconds");
  says(llama + R"(, "tp": 8})", "tp: is searched");
  says(llama + R"(, "usd_per_hour": {"b200-sxm": 4, "h100": 2.5}})",
       "usd_per_hour.h100: expected the id of a machine that is searched: h100-sxm, b200-sxm, mi355x");
  says(R"({"model": "llama-3.1-70b", "machines": ["h100-sxm"], "gpus": 0})", "gpus: expected a whole number");
  // Nothing fits: the machine says so, and has no points.
  const Frontier none = frontier(asked(R"({"model": "deepseek-v3", "machines": ["h100-sxm"], "gpus": 2, "weights": ["fp16"]})"));
  CHECK(none.machines[0].points.empty());
  CHECK(none.machines[0].rejected.unfit_layouts == none.machines[0].layouts);
  CHECK(!none.machines[0].picks[0].best);
}

TEST_CASE("frontier: pools of prefill and decode are what an operating point says of them", "[serving]") {
  const FrontierRequest request = asked(
      R"({"model": "llama-3.1-70b", "machines": ["h200-sxm"], "prompt": 8000, "generate": 1000, "gpus": 16, "weights": ["fp8_e4m3"],
          "disaggregated": true, "ttft": "steady"})");
  const Frontier found = frontier(request);
  std::size_t checked = 0;
  for (const FrontierPoint& p : found.machines[0].points) {
    if (p.prefill_workers == 0) continue;
    CHECK(p.machines == 16);
    if (++checked % 20 != 0) continue;
    ServingRequest r = request.formats[0];
    r.llm.setup.tp = p.tp;
    r.layout.dp = p.decode_workers;
    r.prefill = PrefillPool{std::nullopt, p.prefill_workers, p.prefill_tp, p.prefill_ep};
    r.concurrency = p.concurrency;
    use_engine_formats(r, request.machines[0]);
    const Result<ServingPoint> point = operating_point(r, request.machines[0]);
    REQUIRE(point);
    INFO(p.prefill_workers << " prefill TP" << p.prefill_tp << ", " << p.decode_workers << " decode TP" << p.tp << ", " << p.concurrency
                           << " users");
    CHECK(point->typical.tpot_s == Approx(p.tpot_s).epsilon(0.02));
    CHECK(point->typical.output_tokens_per_s_per_machine == Approx(p.tokens_per_s_per_machine).epsilon(0.02));
    CHECK(point->typical.ttft_s == Approx(p.ttft_s).epsilon(0.1));

    // No other number of workers on sixteen machines makes more of each, where prefill keeps up.
    ServingRequest worker = r;
    worker.prefill.reset();
    worker.layout.dp = 1;
    const double decode_rate = p.tokens_per_s / r.mean_generate() / p.decode_workers;
    worker.llm.setup.tp = p.prefill_tp;
    const double prefill_rate = 1 / ServingEngine(worker, request.machines[0]).prefill_interval().typical_s;
    double best = 0;
    for (double x = 1; x <= 16; ++x)
      for (double y = 1; y <= 16; ++y)
        if (const double machines = x * p.prefill_tp + y * p.tp; y * decode_rate <= x * prefill_rate && std::fmod(16, machines) == 0)
          best = std::max(best, y * decode_rate / machines);
    CHECK(p.tokens_per_s_per_machine == Approx(best * r.mean_generate()));
  }
  CHECK(checked > 100);
}

TEST_CASE("frontier: pools need a network whose rate is known", "[serving]") {
  FrontierRequest request = asked(
      R"({"model": "llama-3.1-70b", "machines": ["h200-sxm"], "prompt": 4000, "generate": 1000, "gpus": 8, "weights": ["fp8_e4m3"],
          "disaggregated": true, "ttft_max": 1000})");
  const auto pools_in = [](const Frontier& found) {
    return std::count_if(found.machines[0].points.begin(), found.machines[0].points.end(), [](const FrontierPoint& p) {
      CHECK(known(p.ttft_s));
      return p.prefill_workers > 0;
    });
  };
  CHECK(pools_in(frontier(request)) > 0);
  request.machines[0].machine.scale_out.value = unknown;
  request.machines[0].machine.links.clear();
  const Frontier limited = frontier(request);
  CHECK(pools_in(limited) == 0);
  CHECK(limited.machines[0].picks[0].best->prefill_workers == 0);
  request.ttft_max = unknown;
  CHECK(pools_in(frontier(request)) == 0);
}

TEST_CASE("frontier: a machine whose memory is not known holds no users", "[serving]") {
  FrontierRequest request = asked(R"({"model": "llama-3.1-8b", "machines": ["h200-sxm", "h100-sxm"], "prompt": 4000, "generate": 1000})");
  request.machines[0].machine.memories[0].capacity.value = unknown;
  const Frontier found = frontier(request);
  CHECK(found.machines[0].points.empty());
  CHECK(found.machines[0].rejected.unknown_memory == found.machines[0].layouts);
  CHECK(found.machines[0].why_unfit == "may not fit: the memory of NVIDIA H200 SXM is not known");
  CHECK_FALSE(found.machines[1].points.empty());
  const std::string table = frontier_table(found, request);
  CHECK_THAT(table, ContainsSubstring("The model may not fit on NVIDIA H200 SXM: the size of the memory is not known."));
}

TEST_CASE("frontier: layouts that need a link of unknown rate have no points", "[serving]") {
  FrontierRequest request =
      asked(R"({"model": "llama-3.1-8b", "machines": ["h200-sxm"], "prompt": 4000, "generate": 1000, "gpus": 4, "disaggregated": true})");
  request.machines[0].machine.links.clear();
  const Frontier found = frontier(request);
  const FrontierMachine& m = found.machines[0];
  CHECK(m.rejected.unknown_link == 5);  // two and four machines: TP2, TP4, PP2, TP2 PP2, PP4
  CHECK(!m.points.empty());
  for (const FrontierPoint& p : m.points) CHECK(p.tp * p.ep * p.pp * std::max(1.0, p.prefill_tp * p.prefill_ep) == 1);
  CHECK_THAT(frontier_json(found, request), ContainsSubstring("5 layouts need a link whose rate is not known"));
}

TEST_CASE("frontier: an unknown figure is worse than any known one, and is not compared with another unknown one", "[serving]") {
  FrontierPoint known_ttft;
  known_ttft.tokens_per_s = known_ttft.tokens_per_s_per_machine = 100;
  known_ttft.joules_per_token = 1;
  known_ttft.ttft_s = 2;
  FrontierPoint unknown_ttft = known_ttft;
  unknown_ttft.ttft_s = unknown;
  CHECK(beats(known_ttft, unknown_ttft));
  CHECK_FALSE(beats(unknown_ttft, known_ttft));
  CHECK_FALSE(beats(known_ttft, known_ttft));
  CHECK_FALSE(beats(unknown_ttft, unknown_ttft));
  unknown_ttft.tokens_per_s = 200;  // each has something for it
  CHECK_FALSE(beats(unknown_ttft, known_ttft));
  CHECK_FALSE(beats(known_ttft, unknown_ttft));
  FrontierPoint faster = unknown_ttft;
  faster.tokens_per_s = 300;
  CHECK(beats(faster, unknown_ttft));
}

TEST_CASE("frontier: the best pools are at least those of every pair of workers at the grid's batches, at most those at any", "[serving]") {
  const FrontierRequest request = asked(
      R"({"model": "llama-3.1-70b", "machines": ["h200-sxm"], "prompt": 4000, "generate": 1000, "gpus": 8, "weights": ["fp8_e4m3"],
          "disaggregated": true})");
  const Scenario& scenario = request.machines[0];
  struct Engine {
    ServingRequest request;
    std::unique_ptr<ServingEngine> engine;
  };
  std::vector<Engine> engines;
  for (const double tp : {1.0, 2.0, 4.0}) {
    Engine& e = engines.emplace_back(Engine{request.formats[0], nullptr});
    e.request.llm.setup.tp = tp;
    use_engine_formats(e.request, scenario);
  }
  for (Engine& e : engines) e.engine = std::make_unique<ServingEngine>(e.request, scenario);
  const FrontierMachine found = frontier(request).machines[0];
  for (const double speed : {20.0, 50.0}) {
    double best = 0, best_on_grid = 0, best_found = 0;
    for (const Engine& prefill : engines)
      for (const Engine& decode : engines)
        for (double batch = 1; batch <= decode.engine->largest_batch(); ++batch) {
          const double step_s = decode.engine->decode(batch).typical_s, prefill_tp = prefill.request.llm.setup.tp,
                       decode_tp = decode.request.llm.setup.tp;
          if (step_s > 1 / speed) break;
          const double of_power = batch / std::exp2(std::floor(std::log2(batch)));
          const bool on_grid = of_power == 1 || of_power == 1.5;  // 1, 2, 3, 4, 6, 8, 12, ...
          for (double x = 1; x < 8; ++x)
            for (double y = 1; y < 8; ++y) {
              const double rate = y * batch / (999 * step_s), machines = x * prefill_tp + y * decode_tp;
              if (std::fmod(8, machines) != 0 || rate > x / prefill.engine->prefill_interval().typical_s) continue;
              best = std::max(best, 1000 * rate / machines);
              if (on_grid) best_on_grid = std::max(best_on_grid, 1000 * rate / machines);
            }
        }
    for (const FrontierPoint& p : found.points)
      if (p.prefill_workers > 0 && p.tokens_per_s_per_user >= speed * (1 - 1e-9))
        best_found = std::max(best_found, p.tokens_per_s_per_machine);
    INFO(speed << " tokens/s per user");
    CHECK(best_found <= best * (1 + 1e-9));
    CHECK(best_found >= best_on_grid * (1 - 1e-9));
  }
}

TEST_CASE("frontier: the flags of each engine say the layout, and the benchmark the load", "[serving]") {
  const FrontierRequest request = asked(
      R"({"model": "deepseek-v3", "machines": ["b200-sxm"], "prompt": 8192, "generate": 1024, "length_spread": 0.8, "weights": ["published"]})");
  FrontierPoint p;
  p.tp = 1;
  p.ep = 8;
  p.dp = 2;
  p.concurrency = 512;
  const std::string checkpoint = "# deepseek-ai/DeepSeek-V3: the published checkpoint\n";
  const LaunchFlags flags = launch_flags(p, request.formats[0], "published", request.machines[0]);
  CHECK(flags.vllm == checkpoint +
                          "# 2 times\nvllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 1 --data-parallel-size 8 "
                          "--enable-expert-parallel --max-num-seqs 256 "
                          "--max-num-batched-tokens 8192 --max-model-len 9216 --gpu-memory-utilization 0.9 --kv-cache-dtype fp8 "
                          "--no-enable-prefix-caching\n");
  CHECK(
      flags.sglang ==
      checkpoint +
          "# 2 times\npython3 -m sglang.launch_server --model-path deepseek-ai/DeepSeek-V3 --tensor-parallel-size 8 --enable-dp-attention "
          "--data-parallel-size 8 "
          "--expert-parallel-size 8 --max-running-requests 256 --chunked-prefill-size 8192 --context-length 9216 --mem-fraction-static 0.9 "
          "--kv-cache-dtype fp8_e4m3 --disable-radix-cache\n");
  CHECK(flags.trtllm ==
        checkpoint +
            "# trtllm-serve deepseek-ai/DeepSeek-V3 --config FILE\n# 2 times\ntensor_parallel_size: 8\npipeline_parallel_size: "
            "1\nmoe_expert_parallel_size: 8\nenable_attention_dp: "
            "true\nmax_batch_size: "
            "32\nmax_num_tokens: 8192\nmax_seq_len: 9216\nkv_cache_config: {dtype: fp8, free_gpu_memory_fraction: 0.9, enable_block_reuse: "
            "false}\n");
  // Uniform from 0.8 of the longest to the longest: a ninth about the mean.
  CHECK(flags.benchmark == checkpoint +
                               "vllm bench serve --model deepseek-ai/DeepSeek-V3 --dataset-name random --random-input-len 7373 "
                               "--random-output-len 922 --random-range-ratio "
                               "0.1111 "
                               "--max-concurrency 512 --num-prompts 5120 --ignore-eos\n");
  p.prefill_workers = 3;
  p.prefill_tp = 4;
  p.prefill_ep = 1;
  p.decode_workers = 2;
  const LaunchFlags pools = launch_flags(p, request.formats[0], "published", request.machines[0]);
  CHECK_THAT(pools.vllm, ContainsSubstring("# 3 times\nvllm serve deepseek-ai/DeepSeek-V3 --tensor-parallel-size 4 "));
  CHECK_THAT(pools.sglang, ContainsSubstring("--disaggregation-mode decode --disaggregation-transfer-backend nixl"));
  CHECK_THAT(pools.trtllm, ContainsSubstring("# trtllm-serve disaggregated -c FILE\ncontext_servers:\n  num_instances: 3\n"));
  CHECK_THAT(pools.trtllm, ContainsSubstring("generation_servers:\n  num_instances: 2\n  tensor_parallel_size: 8\n"));
}

TEST_CASE("frontier: commands name the published checkpoint, or say that its name is a placeholder", "[serving]") {
  const FrontierPoint p;
  const auto of = [&](const std::string& model, const std::string& weights) {
    const FrontierRequest request = asked(R"({"model": ")" + model + R"(", "machines": ["b200-sxm"], "weights": [")" + weights + R"("]})");
    return launch_flags(p, request.formats[0], weights, request.machines[0]);
  };
  const LaunchFlags published = of("llama-3.1-70b", "published"), quantised = of("llama-3.1-70b", "fp8_e4m3");
  CHECK_THAT(published.vllm, ContainsSubstring("vllm serve meta-llama/Llama-3.1-70B ") && !ContainsSubstring("--quantization"));
  CHECK(of("llama-3.1-70b", "bf16").sglang == published.sglang);  // which is what it is published in
  // vLLM and SGLang quantise 16-bit weights to FP8 when they load them; TensorRT-LLM takes a checkpoint in FP8.
  CHECK_THAT(quantised.vllm, ContainsSubstring("vllm serve meta-llama/Llama-3.1-70B ") && ContainsSubstring(" --quantization fp8"));
  CHECK_THAT(quantised.sglang, ContainsSubstring("--model-path meta-llama/Llama-3.1-70B ") && ContainsSubstring(" --quantization fp8"));
  CHECK_THAT(quantised.trtllm, ContainsSubstring("# llama-3.1-70b is a placeholder for the name or folder of a checkpoint in FP8 E4M3\n"));
  CHECK_THAT(of("llama-3.1-70b", "nvfp4").vllm,
             ContainsSubstring("# llama-3.1-70b is a placeholder for ") && ContainsSubstring("in NVFP4\n"));
  CHECK_THAT(of("gpt-oss-120b", "mxfp4").vllm, ContainsSubstring("vllm serve openai/gpt-oss-120b "));
  CHECK_THAT(of("gpt-3-175b", "published").vllm, ContainsSubstring("# gpt-3-175b is a placeholder for "));  // its sizes are from a paper
  // Every preset read from a checkpoint's config.json has a name of the form owner/name.
  std::size_t named = 0;
  for (const Model& model : Models::presets().all()) {
    if (!model.source.starts_with("config.json of huggingface.co/")) continue;
    ++named;
    INFO(model.source);
    const std::string line = of(model.id, "published").benchmark;
    const std::size_t from = line.find("--model ") + 8;
    const std::string name = line.substr(from, line.find(' ', from) - from);
    CHECK(std::count(name.begin(), name.end(), '/') == 1);
    CHECK_THAT(model.source, ContainsSubstring("huggingface.co/" + name));
    CHECK((std::isalnum(static_cast<unsigned char>(name.back())) != 0));
  }
  CHECK(named > 60);
}

TEST_CASE("frontier: no point is listed twice", "[serving]") {
  const Frontier found = frontier(
      asked(R"({"model": "llama-3.1-8b", "machines": ["h100-sxm"], "gpus": 4, "prompt": 1000, "generate": 200, "concurrency": 16})"));
  const std::vector<FrontierPoint>& points = found.machines[0].points;
  REQUIRE(points.size() > 1);
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      INFO(i << " and " << j << " of " << points.size());
      const FrontierPoint &a = points[i], &b = points[j];
      CHECK_FALSE((a.tp == b.tp && a.ep == b.ep && a.pp == b.pp && a.dp == b.dp && a.weights == b.weights &&
                   a.prefill_workers == b.prefill_workers && a.concurrency == b.concurrency));
    }
}

TEST_CASE("frontier: an answer of one token has no time per token, and fits all the same", "[serving]") {
  const FrontierRequest r = asked(R"({"model": "llama-3.1-8b", "machines": ["h100-sxm"], "gpus": 4, "prompt": 1000, "generate": 1})");
  const std::string finding = frontier_finding(frontier(r), r);
  CHECK(finding.find("fits on none") == std::string::npos);
  CHECK(finding.find("No time per token is known: answers of one token have none") == 0);
}
