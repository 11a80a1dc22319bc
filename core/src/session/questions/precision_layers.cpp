// "precision_layers": a format for each layer. Request: "threshold_db" (30), "roles" and the numbers to round as of "precision"; and
// "tensors": {name: {format: dB, null: exact}}, measured on tensors of the user's own, which go to the operations they are named after:
// "model.layers.0.mlp.up_proj.weight" to any whose name is that, or that without ".weight". Answer: {"layers": [{"index", "name",
// "short_name" where it differs, "format", "sqnr_db", "exact", "own", "limit", "time_s", "speedup_optimistic", "speedup_pessimistic"}],
// most time first, at most "limit" (500); "total", "own": how many layers have a tensor, "speedup_optimistic",
// "speedup_pessimistic", "curve": [{"threshold_db", "speedup", "formats": new since the previous point}], "left_out", "finding"}
#include <algorithm>
#include <limits>
#include <unordered_map>

#include "analysis/finding_json.hpp"
#include "analysis/steps.hpp"
#include "base/sort_stably.hpp"
#include "session/questions/offered_formats.hpp"
#include "session/questions/questions.hpp"
#include "session/questions/sqnr.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

std::string_view without_weight(std::string_view name) {
  constexpr std::string_view suffix = ".weight";
  return name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix ? name.substr(0, name.size() - suffix.size())
                                                                                           : name;
}

}  // namespace

Result<Answer> ask_precision_layers(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  const Workload& w = plan.workload();
  if (w.source_format == SourceFormat::model && step_totals(of.ops).size() > 1)
    return fail("Choose one phase, prefill or decode: they share weights, so a format applies to both");
  const Result<std::vector<double>> shared = sqnr_of(request);
  if (!shared) return Unexpected(shared.error());
  const Roles roles = roles_of(request);
  const double threshold = known_or(number_of(member(request, "threshold_db")), default_min_sqnr_db);
  const std::size_t limit = count_in(request, "limit", 500, 20000);

  std::unordered_map<std::string_view, std::vector<double>> tensors;
  const Json& given = member(request, "tensors");
  if (given.is_object())
    for (const auto& [name, sqnr] : given.items()) tensors.emplace(without_weight(name), sqnr_by_format(sqnr));
  const auto own = [&](std::uint32_t op) -> const std::vector<double>* {
    if (tensors.empty()) return nullptr;
    const auto found = tensors.find(without_weight(w.name_of(op)));
    return found == tensors.end() ? nullptr : &found->second;
  };

  const Scenario without_whatif = plan.scenario().without_whatif();
  const Plan today(w, without_whatif);
  const Machine& machine = without_whatif.machine;
  std::vector<FormatId> formats;  // that the machine computes, or stores and dequantises
  for (std::size_t f = 0; f < Formats::catalogue().size(); ++f) {
    const Format& format = Formats::catalogue().all()[f];
    const bool activations = roles != Roles::weights && !format.weights_only;
    const auto id = static_cast<FormatId>(f);
    if ((format.quantises() || format.weights_only) && support(machine, id, activations) != FormatSupport::lacks && is_offered(today, id))
      formats.push_back(id);
  }
  const std::vector<double> of_activations =
      with_assumed_activations(std::vector<double>(Formats::catalogue().size(), std::numeric_limits<double>::infinity()), roles);
  const auto is_measured = [&](const LayerChoice& layer) {  // activations, which are assumed, may limit it
    const std::vector<double>* measured = own(layer.op);
    return measured && (layer.format == no_format || (*measured)[layer.format] <= of_activations[layer.format]);
  };
  const Mix mix = mix_formats(of.ops.fixed(), formats, roles, threshold, [&](std::uint32_t op, FormatId format) {
    const std::vector<double>* measured = own(op);
    return measured ? std::min((*measured)[format], of_activations[format]) : (*shared)[format];
  });

  Finding finding = mix_finding(mix, threshold);
  say_left_out(finding, plan.scenario());
  std::vector<LayerChoice> longest = mix.layers;
  sort_stably(longest, [](const LayerChoice& a, const LayerChoice& b) { return a.time_s > b.time_s; });
  if (longest.size() > limit) longest.resize(limit);
  const auto with_own = std::count_if(mix.layers.begin(), mix.layers.end(), [&](const LayerChoice& l) { return own(l.op) != nullptr; });
  return Answer{json_text([&](JsonOut& out) {
                  out.object([&] {
                    out.array("layers", [&] {
                      for (const LayerChoice& layer : longest)
                        out.object([&] {
                          out.member_count("index", layer.op);
                          write_names(out, w, layer.op);
                          out.member("format", Formats::id_of(layer.format));
                          out.member("sqnr_db", layer.sqnr_db);
                          out.member("exact", layer.sqnr_db == std::numeric_limits<double>::infinity());
                          out.member("own", is_measured(layer));
                          out.member("limit", to_string(layer.limit));
                          out.member("time_s", layer.time_s);
                          out.member("speedup_optimistic", layer.time_s / layer.then_s.low);
                          out.member("speedup_pessimistic", layer.time_s / layer.then_s.high);
                        });
                    });
                    out.member_count("total", mix.layers.size());
                    out.member_count("own", static_cast<std::size_t>(with_own));
                    out.member("speedup_optimistic", mix.time_s / mix.then_s.low);
                    out.member("speedup_pessimistic", mix.time_s / mix.then_s.high);
                    out.array("curve", [&] {
                      for (const MixPoint& point : mix.curve)
                        out.object([&] {
                          out.member("threshold_db", point.threshold_db);
                          out.member("speedup", point.speedup);
                          out.array("formats", [&] {
                            for (const FormatId format : point.formats) write_format(out, format);
                          });
                        });
                    });
                    out.member_count("left_out", mix.left_out);
                    write_finding(out, finding);
                  });
                }),
                {}};
}

}  // namespace roofline
