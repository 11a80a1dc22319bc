#include <algorithm>
#include <roofline/machine/presets.hpp>
#include <roofline/machine/stack.hpp>
#include <roofline/machine/words.hpp>

#include "base/json.hpp"

namespace roofline {
namespace {

constexpr StackTermInfo table[] = {
    {"compute", &StackTerms::compute, 1, "of the machine's achievable matrix rate"},
    {"bandwidth", &StackTerms::bandwidth, 1, "of what the machine's memory achieves"},
    {"overlap", &StackTerms::overlap, 1, "of the shorter of computing and moving"},
    {"launch_s", &StackTerms::launch_s, 0, "s per kernel"},
    {"run_s", &StackTerms::run_s, 0, "s per run of a network"},
    {"layer_s", &StackTerms::layer_s, 0, "s per layer and pass"},
    {"moe_layer_s", &StackTerms::moe_layer_s, 0, "s per layer of experts and pass"},
    {"narrow_moe_layer_s", &StackTerms::narrow_moe_layer_s, 0, "s per layer of experts that are dequantised, and pass"},
    {"latent_layer_s", &StackTerms::latent_layer_s, 0, "s per layer of latent attention and pass"},
    {"experts", &StackTerms::experts, 1, "of the rates that other products reach"},
    {"block_scales", &StackTerms::block_scales, 1, "of the rates that other products reach"},
    {"prompt_layer_s", &StackTerms::prompt_layer_s, 0, "s per layer of experts, of latent attention, and pass with prompts, of serving"},
    {"sequence_s", &StackTerms::sequence_s, 0, "s per sequence and decode step of serving"},
    {"request_s", &StackTerms::request_s, 0, "s per request of serving, before its first token"},
    {"burst", &StackTerms::burst, 1, "times the mean wait at the start of serving"},
    {"together", &StackTerms::together, 0, "prompts that come together, of serving"},
    {"wide_cache", &StackTerms::wide_cache, 0, "1: yes, of serving"},
    {"reserve_cache", &StackTerms::reserve_cache, 0, "1: yes, of serving"},
    {"all_reduce_s", &StackTerms::all_reduce_s, 0, "s per all-reduce"},
    {"all_reduce_link", &StackTerms::all_reduce_link, 0, "B/s"},
    {"sum_bytes", &StackTerms::sum_bytes, 0, "B per element of an all-reduce"},
    {"nvlink", &StackTerms::nvlink, 1, "of the link's rate"},
    {"pcie", &StackTerms::pcie, 1, "of the link's rate"},
    {"other_link", &StackTerms::other_link, 1, "of the link's rate"},
    {"widen", &StackTerms::dequantise, 0, "vector instructions per narrow weight"},
    {"widen_memory", &StackTerms::dequantise_memory, 0, "1: yes"},
    {"native", &StackTerms::native, 0, "1: yes"},
    {"elementwise", &StackTerms::elementwise, 1, "times the element-wise bytes"},
    {"score_bytes", &StackTerms::score_bytes, 0, "B per attention score"},
    {"prefill_chunk", &StackTerms::prefill_chunk, 0, "tokens"},
    {"head_once", &StackTerms::head_once, 0, "1: yes"},
    {"accumulate_fp16", &StackTerms::accumulate_fp16, 0, "1: yes"},
    {"tile_edge", &StackTerms::tile_edge, 0, "rows and columns"},
    {"tile_s", &StackTerms::tile_s, 0, "s per tile"},
    {"misaligned", &StackTerms::misaligned, 1, "times the computing"},
    {"attention", &StackTerms::attention, 1, "of the machine's achievable matrix rate"},
    {"attention_s", &StackTerms::attention_s, 0, "s per kernel of attention"},
};

Unexpected missing(const std::string& path, const char* expected) { return fail(std::string("expected ") + expected, path); }

Result<Stack> stack_from(const Json& json) {
  Stack s;
  s.id = text_of(member(json, "id"));
  s.name = text_of(member(json, "name"));
  if (s.id.empty()) return missing("id", "a short name for the stack");
  for (const auto& engine : member(json, "engines")) s.engines.push_back(text_of(engine));
  for (const auto& machine : member(json, "machines")) s.machines.push_back(text_of(machine));
  for (const auto& note : member(json, "notes")) s.notes.push_back(text_of(note));
  const Json& sources = member(json, "sources");
  s.basis = "fitted";
  for (const auto& [key, term] : member(json, "terms").items()) {
    const auto info = std::find_if(std::begin(table), std::end(table), [&k = key](const StackTermInfo& t) { return t.key == k; });
    const std::string path = "terms." + key;
    if (info == std::end(table)) return fail("unknown term", path);
    Figure f;
    f.value = number_of(member(term, "value"));
    if (!(f.value >= 0)) return missing(path + ".value", "a number from 0");
    f.source = text_of(member(term, "source"));
    if (const Json& sentence = member(sources, f.source.c_str()); sentence.is_string()) f.source = text_of(sentence);
    f.basis = text_of(member(term, "basis"));
    f.note = text_of(member(term, "note"));
    if (f.basis == "assumed" || f.basis == "measured") s.basis = f.basis;
    s.terms.*info->value = f.value;
    s.figures.emplace_back(info->key, std::move(f));
  }
  for (const auto& [kind, error] : member(json, "error").items()) {
    if (kind == "basis")
      s.error_basis = text_of(error);
    else if (kind == "machines")
      for (const auto& machine : error) s.error_machines.push_back(text_of(machine));
    else
      s.errors.push_back({kind, number_of(member(error, "median")), number_of(member(error, "p90")), number_of(member(error, "rows")),
                          !(member(error, "own") == Json(false))});
  }
  return s;
}

}  // namespace

std::span<const StackTermInfo> stack_terms() { return table; }

double link_fraction(const StackTerms& terms, std::string_view link) {
  if (link == scale_out_name) return 1;  // rounded from 94%: NCCL on 8 x 400 Gb/s between two B200 nodes (source: scale_out_latency_s())
  const std::string name = normalised(link);
  const bool nvlink = name.starts_with("nvlink"), pcie = name.starts_with("pcie");
  return (nvlink ? terms.nvlink : pcie ? terms.pcie : terms.other_link).value_or(1);
}

bool dequantises(const StackTerms& terms, const Machine& machine, FormatId weight, FormatId activation) {
  if (weight == no_format || activation == no_format) return false;
  const Formats& formats = Formats::catalogue();
  const bool native = terms.native.value_or(0) > 0 && known(machine.peak(Unit::matrix, weight));
  return formats[weight].bytes() < formats[activation].bytes() && !native;
}

const StackError* Stack::error(std::string_view kind) const {
  for (const StackError& e : errors)
    if (e.kind == kind) return &e;
  return nullptr;
}

const StackError* Stack::error_on(std::string_view machine, std::string_view kind) const {
  const auto& listed = error_machines;
  return listed.empty() || std::find(listed.begin(), listed.end(), machine) != listed.end() ? error(kind) : nullptr;
}

Result<Stack> parse_stack(std::string_view text) {
  const Result<Json> json = parse_json(text, R"(a stack: {"id": "...", "terms": {"layer_s": {"value": ...}}})");
  return json ? stack_from(*json) : Unexpected(json.error());
}

const Stacks& Stacks::presets() {
  static const Stacks stacks([] {
    std::vector<Stack> all;
    for (const PresetFile& file : preset_files("stacks"))
      if (Result<Stack> stack = parse_stack(file.text)) all.push_back(std::move(*stack));
    return all;
  }());
  return stacks;
}

std::optional<StackId> Stacks::find(std::string_view id) const {
  for (std::size_t i = 0; i < stacks_.size(); ++i)
    if (normalised(stacks_[i].id) == normalised(id)) return static_cast<StackId>(i);
  return std::nullopt;
}

std::vector<std::string> Stacks::near(std::string_view id) const {
  std::vector<std::string> ids;
  for (const Stack& stack : stacks_) ids.push_back(stack.id);
  return near_matches(id, ids);
}

std::string Stacks::unknown_name_message(std::string_view id) const { return roofline::unknown_name_message("stack", id, near(id)); }

StackId Stacks::usual(const Machine& machine, StackUse use) const {
  const char* id = "none";
  if (is_cpu(machine)) return find(id).value_or(StackId{});  // the stacks were measured on accelerators
  const std::string& fitted_to = machine.based_on.empty() ? machine.id : machine.based_on;
  if (use == StackUse::operations)
    for (std::size_t i = 0; i < stacks_.size(); ++i)
      if (std::find(stacks_[i].machines.begin(), stacks_[i].machines.end(), fitted_to) != stacks_[i].machines.end())
        return static_cast<StackId>(i);
  if (use == StackUse::operations)
    id = machine.launch_s.known() ? "none" : machine.vendor == "NVIDIA" ? "kernels" : machine.vendor == "AMD" ? "kernels-rocm" : "none";
  else if (machine.vendor == "Apple")
    id = "llama.cpp-metal";
  else if (machine.segment == "data-centre")
    id = "fused";
  else if (!machine.segment.empty())
    id = "llama.cpp-cuda";
  return find(id).value_or(StackId{});
}

}  // namespace roofline
