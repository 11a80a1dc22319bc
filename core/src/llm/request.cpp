#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/llm/quantize.hpp>
#include <roofline/llm/request.hpp>

#include "llm/member_reader.hpp"
#include "llm/request_json.hpp"

namespace roofline {
namespace {

class Request : public MemberReader {
 public:
  explicit Request(const Json& json) : MemberReader(json) {
    static const std::vector<std::string> known = {"model",    "phase",       "batch", "prompt",       "context",   "generate",
                                                   "weights",  "activations", "kv",    "experts",      "attention", "mla",
                                                   "causal",   "last_token",  "tp",    "ep",           "speculate", "measured_s",
                                                   "measured", "price_usd",   "years", "usd_per_hour", "chunk",     "reserve"};
    for (const auto& [key, value] : json.items())
      if (std::find(known.begin(), known.end(), key) == known.end()) fault(key, "unknown key" + did_you_mean(near_matches(key, known)));
  }

  /// A model by id, or a config.json as it is.
  Model model(const Json& value, const std::string& path) {
    if (value.is_object()) {
      Result<Model> parsed = parse_model(dump(value));
      if (parsed) return std::move(*parsed);
      fault(path + (parsed.error().path.empty() ? "" : "." + parsed.error().path), parsed.error().message);
    } else if (value.is_string()) {
      const std::string id = text_of(value);
      if (const Model* found = Models::presets().find(id)) {
        Model model = *found;
        const std::string asked = id.substr(id.find_last_of('/') + 1);
        const auto called = [&](const std::string& name) { return normalised(name) == normalised(asked); };
        if (called(model.id) || called(model.name)) return model;
        // Another model of the same architecture: what was measured of the one is not known of the other.
        const auto alias = std::find_if(model.aliases.begin(), model.aliases.end(), called);
        model.id = model.name = alias == model.aliases.end() ? asked : *alias;
        return model;
      }
      fault(path, Models::presets().unknown_name_message(id));
    } else {
      fault(path, std::string("expected a model's id or a config.json, found ") + kind_of(value));
    }
    return {};
  }

  FormatId format(const char* key, FormatId otherwise) {
    const Json& value = member(json_, key);
    if (value.is_null() || (value.is_string() && text_of(value).empty())) return otherwise;
    if (const auto found = Formats::catalogue().find(text_of(value))) return *found;
    fault(key,
          value.is_string() ? Formats::catalogue().unknown_name_message(text_of(value)) : "expected a format's id, found " + shown(value));
    return otherwise;
  }

  /// A single format selects the model's checkpoint of that name, else sets every weight except experts published in a narrower one. A list
  /// sets the format of each part. Absent or "published": as published. A llama-quantize mixture sets the format of each tensor, as with an
  /// importance matrix. The key "experts" is an older way to set that part.
  WeightFormats weights(Model& model, FormatId otherwise) {
    const std::string text = text_of(member(json_, "weights"));
    WeightFormats out = otherwise;
    if (text.empty() || text == "published" || text.find('=') != std::string::npos) {
      out.apply(model.published);
      if (const auto ok = text.find('=') != std::string::npos ? out.apply(text) : Result<void>(); !ok) fault("weights", ok.error().message);
    } else if (const auto mixed = mixture(model, text, true); mixed && mixed->name != "F16") {
      out = mixed->weights();
      mixed->set_unread_bytes(model);
      if (!mixed->fallback.empty()) model.notes.push_back(mixed->name + ": " + mixed->fallback + '.');
    } else {
      out = in_one_format(model, format("weights", otherwise));
    }
    if (const FormatId experts = format("experts", out[WeightPart::experts]); experts != out[WeightPart::experts])
      out.set(WeightPart::experts, experts);
    return out;
  }

  static WeightFormats in_one_format(Model& model, FormatId format) {
    for (const NamedCheckpoint& checkpoint : model.checkpoints) {
      if (checkpoint.name != format) continue;
      model.block_scales = checkpoint.block_scales;
      return checkpoint.weights;
    }
    WeightFormats out = format;
    const Formats& all = Formats::catalogue();
    const FormatId experts = model.published[WeightPart::experts];
    if (experts != no_format && experts != model.published[WeightPart::q] && all[experts].bits < all[format].bits)
      out.set(WeightPart::experts, experts);
    return out;
  }

  std::optional<Speculation> speculation(const Model& target) {
    const Json& value = member(json_, "speculate");
    if (value.is_null()) return std::nullopt;
    if (!value.is_object()) {
      fault("speculate", R"(expected {"gamma": 4, "acceptance": 0.8, "draft": "llama-3.2-1b"}, found )" + shown(value));
      return std::nullopt;
    }
    Speculation s;
    s.gamma = number_of(member(value, "gamma"));
    s.acceptance = number_of(member(value, "acceptance"));
    if (!(s.gamma >= 1 && s.gamma <= 64 && s.gamma == std::floor(s.gamma)))
      fault("speculate.gamma", "expected a whole number of tokens from 1 to 64, found " + shown(member(value, "gamma")));
    if (!(s.acceptance >= 0 && s.acceptance <= 1))
      fault("speculate.acceptance", "expected a probability from 0 to 1, found " + shown(member(value, "acceptance")));
    if (text_of(member(value, "draft")) == "mtp") {  // multi-token prediction: one layer more of the model itself
      s.draft = target;
      s.shares_vocabulary = true;
      s.draft.layers = 1;
      s.draft.moe_layers = std::min(1.0, target.moe_layers);
      s.draft.windowed_layers = s.draft.recurrent.layers = s.draft.attention_free_layers = s.draft.mlp_free_layers = 0;
      s.draft.blocks.clear();
      s.draft.shared_kv_layers = s.draft.shared_windowed_layers = 0;
      s.draft.stored.reset();
      s.draft.index_layers = std::min(1.0, target.index_layers);
    } else {
      s.draft = model(member(value, "draft"), "speculate.draft");
    }
    return s;
  }
};

}  // namespace

double Speculation::tokens_per_step() const {
  double sum = 1, power = 1;
  for (double i = 0; i < gamma; ++i) sum += power *= acceptance;
  return sum;
}

Result<LlmRequest> parse_llm_request(std::string_view text) {
  const Result<Json> json = parse_json(text, R"(a request such as {"model": "llama-3-8b", "phase": "decode"})");
  return json ? llm_request_from(*json) : Unexpected(json.error());
}

Result<LlmRequest> llm_request_from(const Json& json) {
  if (!json.is_object())
    return fail(std::string(R"(expected a request such as {"model": "llama-3-8b", "phase": "decode"}, found )") + kind_of(json));
  Request in(json);
  LlmRequest r;
  LlmSetup& s = r.setup;
  s.model = in.model(member(json, "model"), "model");
  const FormatId fp16 = Formats::catalogue().find("fp16").value_or(0);
  s.formats.weights = in.weights(s.model, fp16);
  s.formats.activations = in.format("activations", fp16);
  s.formats.kv = in.format("kv", s.formats.activations);
  s.attention = in.choice("attention", AttentionTraffic::ideal);
  s.mla = in.choice("mla", MlaForm::automatic);
  s.causal = in.flag("causal", true);
  s.last_token = in.flag("last_token", true);
  s.tp = in.whole("tp", 1);
  s.ep = in.whole("ep", 1);
  r.phase = in.choice("phase", LlmPhase::decode);
  r.batch = in.whole("batch", 1);
  const double prompt = in.whole("prompt", 0), context = in.whole("context", 0);
  r.prompt = prompt > 0 ? prompt : context > 0 ? context : LlmRequest::default_prompt;
  r.prompt_stated = prompt > 0;
  r.generate = in.whole("generate", r.phase == LlmPhase::generate ? LlmRequest::default_generate : 0, 0);
  r.context = std::max(context, r.prompt);
  if (r.phase == LlmPhase::generate) {
    r.generate = std::max(r.generate, 1.0);
    r.context = std::max(r.context, r.prompt + r.generate - 1);  // of the last step
  }
  r.chunk = in.whole("chunk", r.chunk);
  r.reserve = in.fraction("reserve", r.reserve);
  r.speculation = in.speculation(s.model);
  r.cost.price_usd = in.positive("price_usd", "US dollars", unknown);
  r.cost.years = in.positive("years", "years", 4);
  r.cost.usd_per_hour = in.positive("usd_per_hour", "US dollars", unknown);

  const double n = s.machines();
  if (n / s.tp != std::floor(n / s.tp) || n / s.ep != std::floor(n / s.ep))
    in.fault("ep", "expected a multiple or a divisor of tp: they share the same machines");
  if (s.tp > s.model.heads && s.model.heads > 0) in.fault("tp", "expected no more than the model's attention heads");
  if (s.ep > 1 && s.model.experts == 0) in.fault("ep", "the model has no experts to share; expected 1");
  if (s.ep > s.model.experts && s.model.experts > 0) in.fault("ep", "expected no more than the model's experts");
  if (r.speculation && r.speculation->draft.experts > 0 && s.ep > r.speculation->draft.experts)
    in.fault("speculate.draft", "expected a model without experts, or with at least " + number(s.ep) + ": ep machines share them");
  if (in.error) return Unexpected(*in.error);

  if (const Json& time = member(json, "measured_s"); !time.is_null()) {
    if (!(number_of(time) > 0)) return fail("expected a positive number of seconds, found " + shown(time), "measured_s");
    r.measured.push_back({r, "measured", number_of(time)});
  }
  if (const Json& measured = member(json, "measured"); !measured.is_null()) {
    auto list = llm_measurements_from(measured, r);
    if (!list) return fail(list.error().message, list.error().path.empty() ? "measured" : "measured." + list.error().path);
    for (LlmMeasurement& m : *list) r.measured.push_back(std::move(m));
  }
  return r;
}

// --- what benchmarks write -------------------------------------------------------------------------------------------------------------

namespace {

constexpr const char* expected_measurements =
    R"(measured points [{"name": "...", "oi": FLOP/byte, "tflops": ...}], or the JSON of llama-bench or of vLLM's benchmarks)";

double whole_or_zero(double n) { return n >= 1 && n <= most_counted ? std::floor(n) : 0; }  // 0: not stated

/// The mean number of requests that a serving benchmark ran at a time, by Little's law: those that arrive while one is answered. NaN: the
/// file lacks the rate.
double mean_users(const Json& run, double written) {
  const auto number = [&](const char* key) { return number_of(member(run, key)); };
  if (const double mean = number("concurrency"); mean > 0) return mean;  // SGLang
  double rate = number("request_throughput");
  if (!(rate > 0)) rate = number("output_throughput") / written;
  const double answer_s = (number("mean_ttft_ms") + (written - 1) * number("mean_tpot_ms")) * 1e-3;
  return written >= 1 && rate * answer_s > 0 ? rate * answer_s : unknown;
}

}  // namespace

Result<std::vector<LlmMeasurement>> parse_llm_measurements(std::string_view text, const LlmRequest& request) {
  const Result<Json> json = parse_json_or_lines(text, expected_measurements);
  return json ? llm_measurements_from(*json, request) : Unexpected(json.error());
}

Result<std::vector<LlmMeasurement>> llm_measurements_from(const Json& json, const LlmRequest& request) {
  const Json list = json.is_array() ? json : Json::array({json});
  std::vector<LlmMeasurement> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Json& item = list[i];
    const auto number = [&](const char* key) { return number_of(member(item, key)); };
    LlmMeasurement m{request, text_of(member(item, "name"))};
    const auto add = [&](LlmPhase phase, const std::string& name, double time_s) {
      if (!(time_s > 0)) return;
      m.phase = phase;
      m.time_s = time_s;
      m.name = name;
      out.push_back(m);
    };
    const std::size_t before = out.size();
    if (number("oi") > 0 && number("tflops") > 0) {  // the earlier toolkit's points
      m.intensity = number("oi");
      m.flops = number("tflops") * 1e12;
      if (m.name.empty()) m.name = "point " + std::to_string(i + 1);
      out.push_back(m);
    } else if (number("avg_ns") > 0) {  // llama-bench: n_prompt tokens read, then n_gen written, after n_depth that are there
      const double prompt = whole_or_zero(number("n_prompt")), generated = whole_or_zero(number("n_gen")),
                   depth = whole_or_zero(number("n_depth"));
      const std::string at = depth > 0 ? " @ d" + plain(depth) : "";
      m.batch = 1;
      if (prompt > 0 && generated > 0) {
        m.prompt = prompt;
        m.cached = depth;
        m.generate = generated + 1;  // it runs n_gen passes after the prompt; the first token comes out of the prompt's
        add(LlmPhase::generate, "pp" + plain(prompt) + "+tg" + plain(generated) + at, number("avg_ns") * 1e-9);
      } else if (prompt > 0) {
        m.prompt = prompt;
        m.context = prompt + depth;
        add(LlmPhase::prefill, "pp" + plain(prompt) + at, number("avg_ns") * 1e-9);
      } else if (generated > 0) {
        m.context = depth + (generated + 1) / 2;  // the mean of the contexts it passes through
        add(LlmPhase::decode, "tg" + plain(generated) + at, number("avg_ns") * 1e-9 / generated);
      }
    } else if (number("mean_tpot_ms") > 0 || number("mean_ttft_ms") > 0) {  // vLLM, serving
      const double read = whole_or_zero(number("total_input_tokens") / number("completed")),
                   written = whole_or_zero(number("total_output_tokens") / number("completed"));
      if (read > 0) m.prompt = std::max(1.0, std::floor(read));
      m.context = m.prompt;
      if (written > 0) m.context += std::floor(written / 2);
      std::string tpot = "TPOT";
      if (const double requests = whole_or_zero(number("max_concurrency")); requests > 0) {
        m.batch = requests;
      } else if (const double mean = mean_users(item, written); known(mean)) {
        m.batch = std::max(1.0, whole_or_zero(std::round(mean)));
        tpot += ", about " + plain(m.batch) + (m.batch == 1 ? " user" : " users");
      } else {
        tpot += ", batch " + plain(m.batch) + " assumed";
      }
      const double batch = m.batch;
      m.batch = 1;
      add(LlmPhase::prefill, "TTFT", number("mean_ttft_ms") * 1e-3);
      m.batch = batch;
      add(LlmPhase::decode, tpot, number("mean_tpot_ms") * 1e-3);
    } else if (number("avg_latency") > 0) {      // vLLM, latency
      if (!(m.generate >= 1)) m.generate = 128;  // its default output length
      add(LlmPhase::generate, "latency", number("avg_latency"));
    }
    if (out.size() == before)
      return fail(std::string("not a measurement that is known; expected ") + expected_measurements, "[" + std::to_string(i) + "]");
  }
  return out;
}

}  // namespace roofline
