// The question "precision": speed against accuracy, per format.
#include <algorithm>
#include <cmath>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/session/session.hpp>

#include "json.hpp"
#include "session.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

void open_text(Session& session, const std::string& text) { REQUIRE(Json::parse(open_in(session, text, "ops.json")).contains("opened")); }

Json precision(Session& session, const std::string& request) { return Json::parse(session.ask("precision", request).json); }

Json row(const Json& answer, const std::string& id) {
  for (const Json& f : answer["formats"])
    if (f["id"] == id) return f;
  return {};
}

// FP16, one row: 2 * 1 * 4096 * 4096 FLOPs over 4096 * 4096 weights: memory-bound everywhere.
const std::string gemv = R"([{"type": "ID_MM", "name": "gemv", "data_type": "FP16", "input_mat1": [1, 4096], "input_mat2": [4096, 4096]}])";

}  // namespace

TEST_CASE("precision: a memory-bound product gains what its bytes lose") {
  Session session;
  open_text(session, gemv);
  CHECK(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  const Json answer = precision(session, R"({"op": 0})");
  const double weights = 4096.0 * 4096, activations = 2 * 4096;
  const auto speedup = [&](double bits) { return 16 / bits; };
  const Workload w = open(gemv);
  const Scenario h100 = on(*Machines::presets().find("h100-sxm"));
  const OpAnalysis today = Plan(w, h100).analyze(0);
  const double bound = today.predicted_time_s, estimate = today.typical_time_s;
  CHECK(estimate > 1.05 * bound);
  for (const auto& [id, bits] : {std::pair("fp16", 16.0), std::pair("fp32", 32.0), std::pair("fp8_e4m3", 8.0), std::pair("int8", 8.0)}) {
    INFO(id);
    const Json f = row(answer, id);
    CHECK_THAT(number_of(f["bytes"]), WithinRel((weights + activations) * bits / 8, 1e-12));
    // Nothing was measured: the other end keeps what the estimate is above the bound.
    const double kept = estimate / (estimate - bound + bound / speedup(bits));
    CHECK_THAT(number_of(f["speedup_optimistic"]), WithinRel(std::max(speedup(bits), kept), 1e-12));
    CHECK_THAT(number_of(f["speedup_pessimistic"]), WithinRel(std::min(speedup(bits), kept), 1e-12));
    CHECK_THAT(number_of(f["sqnr_db"]), WithinAbs(sqnr_db(format(id), Sample::gaussian), 0));
  }
  // Only weights are kept in INT4 groups: the activations stay FP16.
  const Json g = row(answer, "int4_g128");
  CHECK_THAT(number_of(g["bytes"]), WithinRel(weights * 4.125 / 8 + activations * 2, 1e-12));
  CHECK((g["weights_only"] == true && g["computes_as"].is_null() && !g["whatif"].contains("activation")));
  CHECK(row(answer, "mxfp4")["computes_as"] == "fp8_e4m3");
  CHECK(row(answer, "fp64")["exact"] == true);
  CHECK(row(answer, "q4_k")["sqnr_db"].is_null());
  CHECK(row(answer, "q4_k")["pareto"] == false);

  // The same op as the whole workload, and weights alone.
  CHECK(precision(session, "{}")["formats"] == answer["formats"]);
  const Json alone = row(precision(session, R"({"roles": "weights"})"), "fp8_e4m3");
  CHECK_THAT(number_of(alone["bytes"]), WithinRel(weights + activations * 2, 1e-12));
  CHECK((alone["whatif"].contains("weight") && !alone["whatif"].contains("activation") && !alone["whatif"].contains("output")));
  const Json two = row(precision(session, R"({"roles": "weights_activations"})"), "fp8_e4m3");
  CHECK((two["whatif"].contains("activation") && !two["whatif"].contains("output")));
}

TEST_CASE("precision: the finding says if the machine has one rate for all formats") {
  Session session;
  open_text(session, gemv);
  const auto said = [&](const char* request) {
    std::string text;
    const Json answer = precision(session, request);
    for (const Json& part : answer["finding"]) text += text_of(part["text"]);
    return text;
  };
  const std::string one_rate = " This machine computes every format at the same rate: narrower formats save only bytes.";
  CHECK(session.configure(R"({"machine": "npu-32t50"})") == "{}");
  CHECK(said("{}").find(one_rate) != std::string::npos);
  CHECK(said(R"({"roles": "weights"})").find(one_rate) == std::string::npos);
  CHECK(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  CHECK(said("{}").find(one_rate) == std::string::npos);
}

TEST_CASE("precision: the front is what no format beats in both") {
  Session session;
  open_text(session, gemv);
  for (const char* request : {R"({"sample": "gaussian"})", R"({"sample": "outlier_channels"})"}) {
    const Json answer = precision(session, request);
    std::size_t on_front = 0;
    for (const Json& a : answer["formats"]) {
      const auto value = [](const Json& f) { return f["exact"] == true ? 1e9 : number_of(f["sqnr_db"]); };
      bool beaten = std::isnan(value(a)) || a["support"] == "lacks";
      for (const Json& b : answer["formats"]) {
        if (b["support"] == "lacks") continue;
        const double x = number_of(b["speedup_optimistic"]) - number_of(a["speedup_optimistic"]), y = value(b) - value(a);
        beaten = beaten || (x >= 0 && y >= 0 && x + y > 0);
      }
      INFO(a["id"]);
      CHECK(a["pareto"] == !beaten);
      on_front += a["pareto"] == true;
    }
    CHECK(on_front >= 4);
  }
  CHECK(row(precision(session, "{}"), "fp8_e5m2")["pareto"] == false);  // E4M3 is as fast and more accurate
}

TEST_CASE("precision: in parts, it is the same answer") {
  Session session;
  open_text(session, gemv);
  CHECK(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  const Json whole = precision(session, "{}");
  Json found = Json::array();
  for (const Json& each : whole["formats"]) {
    const Json part = precision(session, R"({"formats": [)" + each["id"].dump() + "]}");
    REQUIRE(part["formats"].size() == 1);
    found.push_back(part["formats"][0]);
  }
  const Json front = precision(session, R"({"front": )" + found.dump() + "}");
  REQUIRE(front["pareto"].size() == found.size());
  std::size_t on = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i]["pareto"] = front["pareto"][i];
    on += front["pareto"][i] == Json(true) ? 1 : 0;
  }
  CHECK(found == whole["formats"]);
  CHECK((on > 1 && on < found.size()));
}

TEST_CASE("precision: a measured op has a range, the user's tensor has its own SQNR, and the rest of the what-if does not count") {
  Session session;
  open_text(session, gemv.substr(0, gemv.size() - 2) + R"(, "time_ns": 1000000}])");
  const Json f = row(precision(session, R"({"sqnr_db": {"int8": 12.5, "fp16": null}})"), "int8");
  CHECK(f["sqnr_db"] == 12.5);
  // 50 GB/s: P = 33.57 MB / 50e9 = 671 us, P' half; the pessimistic time keeps t - P.
  const double p = (4096.0 * 4096 + 8192) * 2 / 50e9, t = 1e-3;
  CHECK_THAT(number_of(f["speedup_optimistic"]), WithinRel(2.0, 1e-12));
  CHECK_THAT(number_of(f["speedup_pessimistic"]), WithinRel(t / (t - p + p / 2), 1e-12));
  CHECK(row(precision(session, R"({"sqnr_db": {"fp16": null}, "roles": "weights"})"), "fp16")["exact"] == true);
  // A tensor of weights says nothing of activations: those are assumed.
  const Json assumed = row(precision(session, "{}"), "fp16");
  CHECK(row(precision(session, R"({"sqnr_db": {"fp16": null}})"), "fp16")["sqnr_db"] == assumed["sqnr_db"]);
  CHECK(session.configure(R"({"whatif": {"bandwidth_scale": 4}})") == "{}");
  CHECK_THAT(number_of(row(precision(session, "{}"), "int8")["speedup_optimistic"]),
             WithinRel(2.0, 1e-12));  // not 8: no format gains the bandwidth

  CHECK(precision(session, R"({"sample": "uniform"})")["error"]["path"] == "sample");
  CHECK(precision(session, R"({"op": 1})")["error"]["path"] == "op");
  CHECK(precision(session, R"({"op": -1})")["error"]["path"] == "op");
}

TEST_CASE("precision: a format gains an operation as much as the diagnosis says, with the same operands") {
  Session session;
  open_text(session, gemv);
  REQUIRE(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  const Json int8 = row(precision(session, R"({"op": 0})"), "int8");
  const Json detail = Json::parse(session.detail(0, ""));
  bool found = false;
  for (const Json& s : detail["suggestions"]) {
    if (s["change"] != "INT8 in all operands") continue;
    found = true;
    CHECK(s["low"] == int8["speedup_pessimistic"]);
    CHECK(s["high"] == int8["speedup_optimistic"]);
    CHECK(s["whatif"] == int8["whatif"]);
  }
  CHECK(found);
}

TEST_CASE("precision_layers: a layer may take a GGUF type, whose accuracy the request gives") {
  Session session;
  open_text(session, gemv);
  CHECK(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  const auto chosen = [&](const std::string& request) {
    return text_of(Json::parse(session.ask("precision_layers", request).json)["layers"][0]["format"]);
  };
  CHECK(chosen(R"({"sqnr_db": {"q4_k": 35, "int8": 40}})") == "q4_k");
  CHECK(chosen(R"({"sqnr_db": {"q4_k": 25, "int8": 40}})") == "int8");
  CHECK(Formats::catalogue()[*Formats::catalogue().find(chosen("{}"))].quantises());  // samples: the question has no GGUF types of its own
}

TEST_CASE("precision: the accuracy of several layers is that of their mean noise") {
  Session session;
  open_text(session, gemv);
  const Json answer = Json::parse(
      session.ask("precision", R"({"mean_of": {"a": {"int8": 40, "int4_g128": null}, "b": {"int8": 20, "int4_g128": null}}})").json);
  const auto find = [&](const char* id) {
    for (const Json& format : answer["formats"])
      if (format["id"] == id) return format;
    return Json();
  };
  CHECK_THAT(number_of(find("int8")["sqnr_db"]), WithinRel(-10 * std::log10((1e-4 + 1e-2) / 2), 1e-12));
  CHECK(find("int4_g128")["exact"] == true);
  CHECK(find("fp8_e4m3")["sqnr_db"].is_null());  // not measured
}

TEST_CASE("precision_layers: a point of the curve names the formats that come in there") {
  Session session;
  open_text(session, gemv);
  CHECK(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  const Json answer = Json::parse(session.ask("precision_layers", R"({"sqnr_db": {"q4_k": 25, "int8": 40}})").json);
  REQUIRE(answer["curve"].size() == 2);
  CHECK(text_of(answer["curve"][0]["formats"][0]) == "int8");
  CHECK(answer["curve"][1]["formats"].size() == 1);
  CHECK(text_of(answer["curve"][1]["formats"][0]) == "q4_k");
}

TEST_CASE("precision: networks and NPUs are offered no types of GGUF, and formats that a machine lacks are marked") {
  const std::string conv =
      R"([{"type": "conv", "name": "c", "data_type": "FP16", "input_shape": [1, 8, 32, 32], "weight_shape": [8, 8, 3, 3]}])";
  const auto offered = [](const std::string& text, const std::string& machine) {
    Session session;
    open_text(session, text);
    CHECK(session.configure(R"({"machine": ")" + machine + "\"}") == "{}");
    return precision(session, R"({"op": 0})");
  };
  CHECK_FALSE(row(offered(conv, "h100-sxm"), "q4_k").is_null());
  const std::string network = R"({"network": {"format": "ONNX"}, "commands": )" + conv + "}";
  for (const char* gguf : {"q4_k", "iq2_xxs", "tq1_0"}) CHECK(row(offered(network, "h100-sxm"), gguf).is_null());
  const Json on_npu = offered(conv, "rk3588-npu");
  CHECK(row(on_npu, "iq2_xxs").is_null());
  CHECK(row(on_npu, "mxfp4")["support"] == "lacks");
  CHECK(row(on_npu, "int8")["support"] == "computes");
}

TEST_CASE("machine_formats: a machine with one rate for every format adds none") {
  Session session;
  open_text(session, gemv);
  const Json formats = Json::parse(session.ask("machine_formats", "{}").json)["formats"];
  CHECK(std::find(formats.begin(), formats.end(), Json("int8")) != formats.end());
  CHECK(std::find(formats.begin(), formats.end(), Json("iq2_xxs")) == formats.end());
}
