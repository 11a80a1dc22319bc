// What the page talks to, end to end: bytes in slices, settings, views, details, exports.
#include <cstring>
#include <roofline/session/session.hpp>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  INFO(text);
  REQUIRE_FALSE(json.is_discarded());
  return json;
}

Json prepare(Session& session, std::string_view bytes, const std::string& name = "ops.json") {
  char* at = session.begin(bytes.size(), name);
  if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
  return parsed(session.prepare());
}

/// Reads operations in pieces as the page does; the last answer.
Json read_in_pieces(Session& session, std::string_view bytes, std::size_t piece, const std::string& name = "ops.json") {
  session.start(name, bytes.size());
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const std::string_view next = bytes.substr(at, piece);
    std::memcpy(session.begin(next.size(), name), next.data(), next.size());
    if (Json answer = parsed(session.feed()); answer.contains("error")) return answer;
  }
  return parsed(session.finish());
}

Json load(Session& session, std::string_view bytes, std::size_t piece = 100) {
  const Json answer = prepare(session, bytes);
  if (answer.contains("error")) return answer;
  REQUIRE(text_of(answer["kind"]) == "operations");
  return read_in_pieces(session, bytes, piece);
}

Json frame(Session& session) { return parsed(session.frame().json); }

std::string message(const Json& answer) { return text_of(member(member(answer, "error"), "message")); }

std::vector<std::size_t> rows(Session& session) {
  std::vector<std::size_t> out;
  const Json f = frame(session);
  for (const Json& row : f["table"]["rows"]) out.push_back(static_cast<std::size_t>(number_of(row["index"])));
  return out;
}

std::string written(Session& session, const char* kind) {
  std::string out;
  REQUIRE(session.write(kind, [&](std::string_view piece) { out += piece; }));
  return out;
}

const std::string product =
    R"({"type": "ID_MM", "name": "product", "data_type": "INT8", "input_mat1": [4, 5], "input_mat2": [5, 6], "time_ns": 85})";
const std::string sum =
    R"({"type": "ID_ADD", "name": "sum", "data_type": "INT8", "input_self": [400], "input_other": [400], "time_ns": 85})";

using Rows = std::vector<std::size_t>;

}  // namespace

TEST_CASE("session: a file in slices", "[session]") {
  Session session;
  const std::string text = file("tests/data/mixed.json");
  const Json first = prepare(session, text, "mixed.json");
  CHECK(text_of(first["kind"]) == "operations");
  session.start("mixed.json", text.size());
  std::memcpy(session.begin(500, "mixed.json"), text.data(), 500);
  CHECK(session.feed() == "{}");
  CHECK(number_of(frame(session)["all"]["ops"]) == 0);  // not before the end
  const Json answer = read_in_pieces(session, text, 500, "mixed.json");
  const Json& opened = answer["opened"];
  CHECK(text_of(opened["source"]) == "mixed.json");
  CHECK(text_of(opened["format"]) == "commands.json");
  CHECK(number_of(opened["ops"]) == 9);
  REQUIRE(opened["kinds"].size() == 9);
  CHECK(text_of(opened["kinds"][3]["type"]) == "softmax");
  CHECK(number_of(opened["kinds"][3]["ops"]) == 1);
  CHECK(opened["kv_cache"] == true);  // of its attention
  const Json f = frame(session);
  CHECK(number_of(f["all"]["ops"]) == 9);
  CHECK(f["table"]["rows"].size() == 9);
  CHECK(session.index_of("decode") == 2);
  CHECK(session.index_of("#7") == 7);
  CHECK(session.index_of("nobody") == -1);
  CHECK(message(parsed(session.feed())) == "nothing is being read");
}

TEST_CASE("Session: whether anything has a key-value cache is said", "[session]") {
  const auto has_cache = [](const char* record) {
    Session session;
    return load(session, record)["opened"]["kv_cache"];
  };
  CHECK(has_cache(R"([{"type": "linear", "m": 1, "n": 8, "k": 4}])") == false);
  CHECK(has_cache(R"([{"type": "x", "flops": 1000, "bytes": 1000}])") == true);  // which operands its bytes are is not known
}

TEST_CASE("session: what is open stays until another file is read whole", "[session]") {
  Session session;
  load(session, "[" + product + "]");
  CHECK(message(load(session, "")) == "the file is empty: expected JSON, CSV or a profile");
  CHECK(message(load(session, "[")) == "the file is truncated after 0 records: expected a record or ']', found the end of the file");
  const Json place = load(session, "[\n x]")["error"];
  CHECK(number_of(place["line"]) == 2);
  CHECK(number_of(place["column"]) == 2);
  CHECK(session.index_of("product") == 0);

  session.start("cancelled half way", 100);
  sum.copy(session.begin(10, ""), 10);
  CHECK(session.feed() == "{}");
  session.drop();
  CHECK(session.index_of("product") == 0);
  CHECK(message(parsed(session.finish())) == "nothing is being read");
  CHECK(number_of(frame(session)["all"]["ops"]) == 1);

  load(session, "[" + sum + "," + sum + "]");
  CHECK(session.index_of("product") == -1);
  CHECK(number_of(frame(session)["all"]["ops"]) == 2);
}

TEST_CASE("session: other files are told apart and handed back as text", "[session]") {
  Session session;
  const std::string config = "\xef\xbb\xbf{\"peak_tops\": 8}";
  const Json answer = prepare(session, config);
  CHECK(text_of(answer["kind"]) == "config");
  CHECK(text_of(answer["text"]) == config.substr(3));
  for (const char* part : {R"({"overhead": {"overlap": 50}})", R"({"peaks": {"matrix": {"fp16": 100}}})",
                           R"({"bandwidths": {"DRAM": 100}})", R"({"whatif": {"weight": "int4"}})"}) {
    INFO(part);
    const Json settings = prepare(session, part);
    CHECK(text_of(settings["kind"]) == "config");
    CHECK(parsed(session.configure(text_of(settings["text"]))).empty());
  }
  CHECK(text_of(prepare(session, R"({"ops": {"ID_A": {}}})")["kind"]) == "registry");
  const Json machine =
      prepare(session, R"({"id": "x", "peaks": {"matrix": {"fp16": 1e12}}, "memories": [{"name": "HBM", "bandwidth": 1e9}]})");
  CHECK(text_of(machine["kind"]) == "machine");
  CHECK(text_of(machine["text"]).find("\"basis\": \"typed\"") != std::string::npos);
  const Json wrong = prepare(session, R"({"id": "x", "memories": []})");
  CHECK(message(wrong) == "missing; expected {\"matrix\": {\"fp16\": FLOP/s, ...}, \"vector\": {\"fp32\": FLOP/s, ...}}");
  CHECK(text_of(wrong["error"]["path"]) == "peaks");
  const Json measured = prepare(session, R"({"empirical": {"gbytes": {"data": [["DRAM", 83]]}, "gflops": {"data": [["GFLOPs", 355]]}}})");
  CHECK(text_of(measured["kind"]) == "machine");
  CHECK(text_of(measured["text"]).find("Empirical Roofline Tool") != std::string::npos);
  CHECK(message(load(session, "{\"a\": 1}")).substr(0, 28) == "an object without operations");
}

TEST_CASE("session: registries", "[session]") {
  Session session;
  const std::string mine = R"([{"type": "ID_MINE", "rows": 6, "data_type": "INT8"}])";
  const Json bad = parsed(session.add_registry(R"({"ops": {"ID_MINE": {"macs": "rows *", "bytes": "1"}}})"));
  CHECK(text_of(bad["error"]["path"]) == "ops.ID_MINE.macs");
  CHECK(message(bad).substr(0, 10) == "column 7: ");
  load(session, mine);
  CHECK(number_of(frame(session)["all"]["by_status"]["unknown"]) == 1);

  const Json good = parsed(session.add_registry(R"({"ops": {"ID_MINE": {"macs": "rows", "bytes": "rows"}}})"));
  CHECK(good["ops"] == Json::array({"ID_MINE"}));
  load(session, mine);
  const Json detail = parsed(session.detail(0, mine.substr(1, mine.size() - 2)));
  CHECK(number_of(detail["op"]["flops"]) == 12);
  CHECK(text_of(detail["formulas"][0]["expression"]) == "rows");
  session.clear_registry();
  load(session, mine);
  CHECK(number_of(frame(session)["all"]["by_status"]["unknown"]) == 1);
}

TEST_CASE("session: where a record lies", "[session]") {
  Session session;
  const std::string text = "[" + product + ", " + sum + ", " + sum + "]";
  load(session, text);
  const auto raw = [&](std::size_t op) {
    const Json range = parsed(session.record(op));
    return text.substr(static_cast<std::size_t>(number_of(range["offset"])), static_cast<std::size_t>(number_of(range["length"])));
  };
  CHECK(raw(0) == product);
  CHECK(raw(2) == sum);
  CHECK(session.record(3) == "null");
  REQUIRE(session.view(R"({"grouped": true})") == "{}");
  CHECK(raw(1) == sum);
  CHECK(session.record(2) == "null");  // two groups
  REQUIRE(session.build("operator", R"({"type": "gemm", "parameters": {"m": 1, "n": 2, "k": 3}})").find("error") == std::string::npos);
  CHECK(session.record(0) == "null");  // no file has it: detail() has its text
}

TEST_CASE("session: settings", "[session]") {
  Session session;
  load(session, "[" + product + "]");
  CHECK(session.configure(R"({"peak_tops": 64, "whatif": {"weight": "int4"}})") == "{}");
  CHECK(number_of(parsed(session.config())["peak_tops"]) == 64);
  CHECK(text_of(parsed(session.machine())["name"]) == "NPU, 32 TOPS, 50 GB/s");
  CHECK(number_of(member(frame(session)["all"], "whatif")["predicted_time_s"]) > 0);
  const Json refused = parsed(session.configure(R"({"machine": "h1000"})"));
  CHECK(text_of(refused["error"]["path"]) == "machine");
  CHECK(number_of(parsed(session.config())["peak_tops"]) == 64);  // the old ones stay
  CHECK(session.configure("{}") == "{}");                         // all at once: what is left out is at its default
  CHECK(number_of(parsed(session.config())["peak_tops"]) == 32);
  CHECK(member(frame(session)["all"], "whatif").is_null());
}

TEST_CASE("session: the machine that a file states", "[session]") {
  Session session;
  const auto machine = [&] { return text_of(parsed(session.machine())["id"]); };
  CHECK(session.configure(R"({"mem_thresh": 20})") == "{}");
  load(session, R"({"machine": "t4", "ops": [)" + product + "]}");
  CHECK(machine() == "t4");
  CHECK(number_of(parsed(session.config())["mem_thresh"]) == 20);
  CHECK(session.configure(R"({"machine": "a100-80gb-sxm"})") == "{}");  // chosen: it stands over the file's
  CHECK(machine() == "a100-80gb-sxm");
  CHECK(session.configure("{}") == "{}");
  CHECK(machine() == "t4");
  load(session, "[" + product + "]");
  CHECK(machine() == "npu-32t50");
  load(session,
       R"({"ops": [)" + product +
           R"(], "machine": {"id": "mine", "peaks": {"matrix": {"int8": 1e12}}, "memories": [{"name": "LPDDR", "bandwidth": 1e10}]}})");
  CHECK(machine() == "mine");
  load(session, R"({"machine": "h1000", "ops": [)" + product + "]}");  // none that is known
  CHECK(machine() == "npu-32t50");
}

TEST_CASE("session: the headline of filtered operations without times has their number once", "[session]") {
  Session session;
  load(session,
       R"([{"type": "gemm", "name": "one", "m": 64, "n": 64, "k": 64}, {"type": "gemm", "name": "two", "m": 64, "n": 64, "k": 64}])");
  REQUIRE(session.view(R"({"search": "one"})") == "{}");
  std::string headline;
  const Json finding = frame(session)["finding"];
  for (const Json& part : finding) headline += text_of(part["text"]);
  INFO(headline);
  CHECK(headline.find("1 of 2 ops: At least ") == 0);
  CHECK(headline.find(" for ") == std::string::npos);
}

TEST_CASE("session: views", "[session]") {
  Session session;
  load(session, "[" + product + "," + sum + "," + product + ", 7]");
  const auto view = [&](const char* text) { REQUIRE(session.view(text) == "{}"); };
  view(R"({"sort": "source_order", "descending": false})");
  CHECK(rows(session) == Rows{0, 1, 2, 3});
  view(R"({"sort": "source_order", "descending": true, "offset": 1, "rows": 2})");
  CHECK(rows(session) == Rows{2, 1});
  view(R"({"sort": "name", "descending": false, "search": "PRO"})");
  CHECK(rows(session) == Rows{0, 2});
  view(R"({"sort": "name", "descending": false})");  // the search is gone again
  CHECK(rows(session) == Rows{3, 0, 2, 1});
  view(R"({"types": ["ID_ADD"]})");
  CHECK(rows(session) == Rows{1});
  view(R"({"types": []})");
  CHECK(rows(session).empty());
  view(R"({"statuses": ["unknown"]})");
  CHECK(rows(session) == Rows{3});
  view(R"({"statuses": ["unknown"], "selected": 1})");
  CHECK(frame(session)["table"]["selected_row"].is_null());
  view(R"({"sort": "source_order", "descending": false, "selected": 2})");
  CHECK(number_of(frame(session)["table"]["selected_row"]) == 2);
  view(R"({"top": 1})");
  CHECK(session.frame().frame.points.size() == 1);
  view(R"({"log_x0": 0, "log_x1": 2, "log_y0": 3, "log_y1": 9})");
  CHECK(number_of(frame(session)["density"]["log_x1"]) == 2);
  CHECK(number_of(frame(session)["axes"]["log_x1"]) == 4);
  view("{}");
  CHECK(number_of(frame(session)["density"]["log_x1"]) == 4);

  CHECK(message(parsed(session.view("[]"))) == "expected an object");
  CHECK_FALSE(message(parsed(session.view("{"))).empty());
  // Values of a wrong kind are left out, not trusted.
  view(R"({"top": "many", "offset": -1, "rows": 1e300, "sort": 3, "statuses": "all", "types": 5, "selected": -1, "log_x0": null})");
  CHECK(rows(session).size() == 4);
}

TEST_CASE("session: a frame does not depend on the frames before it", "[session]") {
  const std::string table = file("tests/data/mixed.json");
  const std::vector<std::pair<std::string, std::string>> walk = {
      {"{}", "{}"},
      {"{}", R"({"statuses": ["memory-bound", "normal", "compute-inefficient"]})"},
      {"{}", R"({"statuses": ["memory-bound", "normal", "compute-inefficient"], "sort": "name", "rows": 2})"},
      {R"({"mem_bw": 500})", R"({"statuses": ["memory-bound"]})"},
      {R"({"mem_bw": 500})", R"({"grouped": true, "search": "d"})"},
      {R"({"mem_bw": 500})", R"({"grouped": false, "sort": "time"})"},
      {R"({"mem_thresh": 0.9})", R"({"sort": "time", "bounds": ["memory"]})"},
      {R"({"mem_thresh": 0.9})", R"({"memory": "DRAM", "top": 3})"},
      {R"({"machine": "t4"})", R"({"memory": "DRAM", "top": 3})"},
      {R"({"machine": "t4"})", R"({"memory": "all", "top": 3, "selected": 2})"},
      {R"({"machine": "t4"})", R"({"memory": "GDDR6", "types": ["softmax", "relu"], "top": 1})"},
      {"{}", R"({"log_x0": 0, "log_x1": 3, "log_y0": 6, "log_y1": 12, "top": 2})"},
      {"{}", "{}"},
  };
  Session session;
  load(session, table);
  std::string settings = "{}";
  for (const auto& [config, view] : walk) {
    INFO(config + ' ' + view);
    if (config != settings) REQUIRE(session.configure(settings = config) == "{}");
    REQUIRE(session.view(view) == "{}");
    Session fresh;
    load(fresh, table);
    REQUIRE(fresh.configure(config) == "{}");
    REQUIRE(fresh.view(view) == "{}");
    for (int i = 0; i < 2; ++i) {  // the second time with all that both have kept
      const Session::Screen kept = session.frame(), made = fresh.frame();
      CHECK(kept.json == made.json);
      CHECK(kept.frame.points == made.frame.points);
      CHECK(kept.frame.density == made.frame.density);
    }
  }
}

TEST_CASE("session: a view outlives the file it was made for", "[session]") {
  Session session;
  load(session, "[" + product + "]");
  REQUIRE(session.view(R"({"sort": "name", "descending": false, "search": "s", "types": ["ID_ADD"], "grouped": true, "selected": 0})") ==
          "{}");
  CHECK(rows(session).empty());
  load(session, "[" + product + "," + sum + "," + sum + "]");
  CHECK(rows(session) == Rows{1});  // the second group
  REQUIRE(session.view("{}") == "{}");
  CHECK(rows(session).size() == 3);
}

TEST_CASE("session: groups", "[session]") {
  Session session;
  load(session, "[" + product + "," + sum + "," + product + "]");
  REQUIRE(session.view(R"({"grouped": true, "sort": "source_order", "descending": false})") == "{}");
  const Json f = frame(session);
  CHECK(f["grouped"] == Json(true));
  CHECK(number_of(f["all"]["ops"]) == 2);
  CHECK(number_of(f["table"]["rows"][0]["count"]) == 2);
  CHECK(parsed(session.detail(0, ""))["members"] == Json::array({0, 2}));
  CHECK(number_of(parsed(written(session, "json"))["summary"]["ops"]) == 3);  // exports are of the source
  REQUIRE(session.view("{}") == "{}");
  CHECK(number_of(frame(session)["all"]["ops"]) == 3);
  CHECK(parsed(session.detail(0, ""))["members"].empty());
}

TEST_CASE("session: the sizes of a matrix product in its detail", "[session]") {
  Session session;
  load(session, "name,M,N,K,batch,flops,dtype,time_us\none,70,200,260,1,7280000,fp16,12\nthree,70,200,260,3,21840000,fp16,30\n");
  const auto product = [&](std::size_t op) { return parsed(session.detail(op, ""))["product"]; };
  CHECK(product(0) == Json({{"m", 70}, {"n", 200}, {"k", 260}, {"batch", 1}}));
  CHECK(product(1)["batch"] == 3);
  load(session, "[" + sum + "]");
  CHECK(product(0).is_null());
}

TEST_CASE("session: the detail of an op", "[session]") {
  Session session;
  const std::string text = "[" + product + "]";
  load(session, text);
  const Json d = parsed(session.detail(0, product));
  CHECK(number_of(d["op"]["macs"]) == 120);
  CHECK(text_of(d["row"]["status"]) == "memory-inefficient");
  CHECK(text_of(d["verdict"]).find("Limited by overhead, waiting or a poor kernel. It reaches ") != std::string::npos);
  CHECK(text_of(d["formulas"][0]["quantity"]) == "matrix_flops");
  CHECK(text_of(d["formulas"][0]["with_numbers"]) == "2 * B * M * N * K = 2 * 1 * 4 * 6 * 5 = 240");
  CHECK(number_of(d["record"]["offset"]) == 1);
  CHECK(text.substr(static_cast<std::size_t>(number_of(d["record"]["offset"])),
                    static_cast<std::size_t>(number_of(d["record"]["length"]))) == product);
  CHECK(message(parsed(session.detail(1, ""))) == "no operation has the index 1");
  CHECK(parsed(session.detail(0, "not a record"))["formulas"].empty());
}

TEST_CASE("session: diagnostics in pages", "[session]") {
  Session session;
  load(session, file("tests/data/faults.json"));
  const Json all = parsed(session.diagnostics(0, 100));
  CHECK(number_of(all["total"]) == 9);
  REQUIRE(all["items"].size() == 9);
  CHECK(text_of(all["items"][1]["message"]) ==
        "no \"type\": expected a name such as ID_CONV or MatMul, or \"flops\" or \"macs\" with \"bytes\"");
  CHECK(number_of(all["items"][1]["op"]) == 2);
  const Json page = parsed(session.diagnostics(1, 2));
  REQUIRE(page["items"].size() == 2);
  CHECK(page["items"][0] == all["items"][1]);
  CHECK(parsed(session.diagnostics(100, 2))["items"].empty());
}

TEST_CASE("session: exports", "[session]") {
  Session session;
  load(session, "[" + product + "]");
  CHECK(text_of(parsed(written(session, "json"))["schema"]) == "roofline-analysis/1");
  CHECK(written(session, "csv").substr(0, 10) == "index,name");
  CHECK(written(session, "svg").substr(0, 4) == "<svg");
  CHECK_FALSE(session.write("exe", [](std::string_view) { FAIL("an unknown kind writes nothing"); }));
}

TEST_CASE("session: the chart alone shows what the whole frame's chart does, where no machine moves its points", "[session]") {
  Session session;
  load(session, "[" + product + "," + sum + "]");
  const std::string window = R"("log_x0": -2, "log_x1": 4, "log_y0": 6, "log_y1": 14})";  // else it goes with the machine
  const std::string view = "{" + window;
  REQUIRE(session.view(view) == "{}");
  REQUIRE(frame(session).contains("table"));
  for (const char* bandwidth : {"1", "400"}) {
    REQUIRE(session.configure(R"({"mem_bw": )" + std::string(bandwidth) + "}") == "{}");
    const Session::Screen chart = session.chart();
    const Session::Screen whole = session.frame();
    REQUIRE(chart.frame.chart_alone);
    CHECK_FALSE(whole.frame.chart_alone);
    CHECK(chart.frame.points == whole.frame.points);
    CHECK(chart.frame.status == whole.frame.status);
    CHECK(chart.frame.bound == whole.frame.bound);
    CHECK(chart.frame.attained == whole.frame.attained);
    CHECK(chart.frame.time_share == whole.frame.time_share);
    const Json part = parsed(chart.json), all = parsed(whole.json);
    CHECK_FALSE(part.contains("table"));
    for (const char* key : {"ops_per_mac", "resources", "roofs", "density", "axes"}) {
      INFO(key);
      CHECK(part[key] == all[key]);
    }
  }
  // Where an operation is predicted, it moves with the machine: the whole frame comes.
  load(session, "[" + product + R"(, {"type": "ID_ADD", "name": "sum", "input_self": [4], "input_other": [4]}])");
  frame(session);
  session.configure(R"({"mem_bw": 2})");
  CHECK(parsed(session.chart().json).contains("table"));
}
