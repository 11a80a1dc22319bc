// A scenario compiled against a workload's classes: the format each computes as, its rates, the resources in their order.
#include <algorithm>
#include <roofline/analysis/analysis.hpp>
#include <unordered_map>

namespace roofline {

// --- which format an operation computes as ---------------------------------------------------------------------------------------------

namespace {

const Formats& formats() { return Formats::catalogue(); }

bool has(const std::vector<Peak>& peaks, FormatId format) {
  return std::any_of(peaks.begin(), peaks.end(), [&](const Peak& p) { return p.format == format && p.flops.known(); });
}

/// The narrowest of `candidates` that holds both formats.
template <class Range, class Id>
FormatId narrowest_holding(const Range& candidates, const Id& id_of, FormatId a, FormatId b) {
  FormatId best = no_format;
  for (const auto& candidate : candidates) {
    const FormatId f = id_of(candidate);
    if (formats().holds(f, a) && formats().holds(f, b) && (best == no_format || formats()[f].bits < formats()[best].bits)) best = f;
  }
  return best;
}

/// What a format computes as where a machine lacks it, first choice first: plans are made by the thousand, so names are looked up once.
const std::vector<FormatId>& fallback(FormatId format) {
  static const std::vector<std::vector<FormatId>> chains = [] {
    std::vector<std::vector<FormatId>> out(formats().size());
    for (std::size_t f = 0; f < out.size(); ++f)
      for (const std::string& name : formats().all()[f].fallback)
        if (const auto id = formats().find(name)) out[f].push_back(*id);
    return out;
  }();
  return chains[format];
}

/// The format itself, or the first of its fallback chain that `peaks` has.
FormatId available(const std::vector<Peak>& peaks, FormatId wanted) {
  if (has(peaks, wanted)) return wanted;
  for (const FormatId f : fallback(wanted))
    if (has(peaks, f)) return f;
  return no_format;
}

}  // namespace

FormatSupport support(const Machine& machine, FormatId format, bool activations) {
  const Format& f = formats()[format];
  // One rate stated for every format does not cover formats whose groups share a scale: they need hardware support.
  const auto named = [&](const std::vector<Peak>& peaks) { return f.block == 1 || peaks.size() < formats().size(); };
  if ((known(machine.peak(Unit::matrix, format)) && named(machine.matrix)) ||
      (known(machine.peak(Unit::vector, format)) && named(machine.vector)))
    return FormatSupport::computes;
  const bool stored = f.weights_only || (f.family == FormatFamily::integer && f.block == 1);
  return stored && !activations ? FormatSupport::dequantises : FormatSupport::lacks;
}

FormatId compute_format(const Machine& machine, Unit unit, FormatId activation, FormatId other, FormatId* wanted) {
  const auto& own = unit == Unit::matrix ? machine.matrix : machine.vector;
  FormatId want = activation;
  if (other != no_format && other != activation) {
    const Format &a = formats()[activation], &o = formats()[other];
    if (a.family != o.family || o.bits > a.bits) {
      want = narrowest_holding(own, [](const Peak& p) { return p.format; }, activation, other);
      std::vector<FormatId> all(formats().size());
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<FormatId>(i);
      if (want == no_format) want = narrowest_holding(all, [](FormatId f) { return f; }, activation, other);
      if (want == no_format) want = o.bits > a.bits ? other : activation;
    }
  }
  if (wanted) *wanted = want;
  return available(own, want);
}

// --- the plan --------------------------------------------------------------------------------------------------------------------------

namespace {

/// The rate; infinite where it is not known, so that the resource never is the largest.
constexpr double unlimited = std::numeric_limits<double>::infinity();
double known_or_unlimited(double rate) { return rate > 0 ? rate : unlimited; }

struct SideFormats {
  FormatId weight, activation, output, kv;
  double mixed_weight_bytes;  ///< OpClass::mixed_weight_bytes, until a what-if gives all weights one format
};

SideFormats formats_under(const OpClass& op_class, const WhatIf* whatif) {
  SideFormats f{op_class.weight, op_class.activation, op_class.output, op_class.kv, op_class.mixed_weight_bytes};
  if (!whatif) return f;
  const auto replace = [](FormatId& today, const std::optional<FormatId>& other) {
    if (other && today != no_format) today = *other;
  };
  replace(f.weight, whatif->weight);
  if (whatif->weight) f.mixed_weight_bytes = 0;
  replace(f.activation, whatif->activation);
  replace(f.output, whatif->output);
  replace(f.kv, whatif->kv);
  if (op_class.roles_unknown && f.activation != no_format) {
    // Nobody knows which bytes are weights: all of them take the narrowest format asked for. An upper bound, and labelled so.
    FormatId narrowest = no_format;
    for (const auto& other : {whatif->weight, whatif->activation, whatif->output})
      if (other && (narrowest == no_format || formats()[*other].bytes() < formats()[narrowest].bytes())) narrowest = *other;
    if (narrowest != no_format) f.activation = narrowest;
  }
  return f;
}

double width(FormatId id) { return id == no_format ? 1.0 : formats()[id].bytes(); }

Plan::ClassRates class_rates(const SideFormats& f, const Machine& machine, double peak_scale) {
  Plan::ClassRates r;
  r.weight = width(f.weight);
  r.activation = width(f.activation);
  r.output = width(f.output);
  r.kv = width(f.kv);

  static const FormatId int8 = formats().find("int8").value_or(0);  // the format of a record that names none
  const FormatId activation = f.activation != no_format ? f.activation : f.weight != no_format ? f.weight : int8;
  const FormatId other = f.kv != no_format ? f.kv : f.weight;
  r.compute = compute_format(machine, Unit::matrix, activation, other, &r.wanted);
  const auto peak = [&](Unit unit, FormatId format) {
    return format == no_format ? unlimited : known_or_unlimited(machine.peak(unit, format) * peak_scale);
  };
  r.matrix = peak(Unit::matrix, r.compute);
  r.vector_compute = compute_format(machine, Unit::vector, activation, no_format);
  if (r.vector_compute != no_format) {
    r.vector = peak(Unit::vector, r.vector_compute);
  } else {
    r.vector_on_matrix_peak = true;
    r.vector_compute = compute_format(machine, Unit::matrix, activation, no_format);
    r.vector = peak(Unit::matrix, r.vector_compute);
  }
  return r;
}

/// Of every class. Many have the same formats: those are worked out once.
std::vector<Plan::ClassRates> rates_of(const std::vector<OpClass>& classes, const Machine& machine, double peak_scale,
                                       const WhatIf* whatif) {
  std::unordered_map<std::uint32_t, std::size_t> first;  // by formats
  std::vector<Plan::ClassRates> out;
  out.reserve(classes.size());
  for (const OpClass& op_class : classes) {
    const SideFormats f = formats_under(op_class, whatif);
    const std::uint32_t formats = f.weight | f.activation << 8u | f.output << 16u | static_cast<std::uint32_t>(f.kv) << 24u;
    const auto [found, fresh] = first.try_emplace(formats, out.size());
    Plan::ClassRates rates = fresh ? class_rates(f, machine, peak_scale) : out[found->second];
    rates.weight = f.mixed_weight_bytes > 0 ? f.mixed_weight_bytes : width(f.weight);
    out.push_back(rates);
  }
  return out;
}

}  // namespace

OpClass with_formats(OpClass op_class, const WhatIf& whatif) {
  const SideFormats f = formats_under(op_class, &whatif);
  op_class.weight = f.weight;
  op_class.activation = f.activation;
  op_class.output = f.output;
  op_class.kv = f.kv;
  op_class.mixed_weight_bytes = f.mixed_weight_bytes;
  return op_class;
}

std::vector<Plan::UnitRates> Plan::unit_rates(const std::vector<ClassRates>& rates) {
  std::vector<UnitRates> out;
  out.reserve(rates.size());
  for (const ClassRates& r : rates) out.push_back({r.matrix, r.vector});
  return out;
}

bool Plan::any_unknown(const std::vector<UnitRates>& units) {
  return std::any_of(units.begin(), units.end(), [](const UnitRates& r) { return r.matrix == unlimited || r.vector == unlimited; });
}

Plan::Plan(const Workload& workload, const Scenario& scenario) : workload_(workload), scenario_(scenario) {
  resources_.push_back({"compute", ResourceKind::compute});
  channel_of_.assign(workload.channels.size(), -1);
  today_rates_.channel.assign(workload.channels.size(), unlimited);
  whatif_rates_.channel = today_rates_.channel;
  whatif_active_ = scenario.whatif.active();
  batch_scale_ = scenario.whatif.batch_scale;
  bind_memories();
  links_from_ = resources_.size();
  bind_links();
  if (scenario.machine.launch_s.known()) launch_s_ = scenario.machine.launch_s.value;

  today_ = rates_of(workload.classes, scenario.machine, 1, nullptr);
  today_units_ = unit_rates(today_);
  for (const OpClass& op_class : workload.classes) time_only_ = time_only_ || op_class.time_only;
  rate_unknown_ = any_unknown(today_units_);
  compile_whatif_formats();
  compile_terms();
}

std::uint8_t Plan::add_resource(std::string name, ResourceKind kind, double rate, double whatif_rate) {
  if (resources_.size() < max_resources) resources_.push_back({std::move(name), kind});
  const auto resource = static_cast<std::uint8_t>(resources_.size() - 1);
  if (known(rate) && !known(whatif_rate)) whatif_unknown_resources_ |= 1u << resource;
  return resource;
}

std::optional<std::size_t> Plan::channel_named(const std::string& name) const {
  for (std::size_t c = 0; c < workload_.channels.size(); ++c)
    if (normalised(workload_.channels[c].name) == normalised(name)) return c;
  return std::nullopt;
}

void Plan::bind_channel(const std::string& name, double rate, double whatif_rate, ResourceKind kind) {
  const std::optional<std::size_t> channel = channel_named(name);
  const std::uint8_t resource = add_resource(name, kind, channel ? rate : unknown, whatif_rate);
  if (!channel) return;
  channel_of_[*channel] = resource;
  today_rates_.channel[*channel] = known_or_unlimited(rate);
  whatif_rates_.channel[*channel] = known_or_unlimited(whatif_rate * scenario_.whatif.bandwidth_scale);
}

void Plan::bind_device_memory(const Memory& memory, const Memory& under_whatif) {
  const double whatif_rate = under_whatif.rate().value;
  if (memory.split()) {
    read_resource_ = add_resource(memory.name + " Read", ResourceKind::memory, memory.read_bandwidth.value, whatif_rate);
    write_resource_ = add_resource(memory.name + " Write", ResourceKind::memory, memory.write_bandwidth.value, whatif_rate);
  } else {
    device_resource_ = add_resource(memory.name, ResourceKind::memory, memory.bandwidth.value, whatif_rate);
  }
  const auto fill = [](Rates& rates, const Memory& from, double scale) {
    if (from.split()) {
      rates.read = known_or_unlimited(from.read_bandwidth.value * scale);
      rates.write = known_or_unlimited(from.write_bandwidth.value * scale);
    } else {
      rates.total = known_or_unlimited(from.bandwidth.value * scale);
    }
  };
  fill(today_rates_, memory, 1);
  fill(whatif_rates_, under_whatif, scenario_.whatif.bandwidth_scale);
}

void Plan::bind_memories() {
  const std::vector<Memory>&memories = scenario_.machine.memories, &others = scenario_.whatif_machine().memories;
  for (std::size_t m = 0; m < memories.size(); ++m) {
    const Memory& memory = memories[m];
    static const Memory none;
    const Memory* counterpart = &none;  // on the what-if's machine: the device memory by place, others by name
    for (std::size_t o = 0; o < others.size(); ++o)
      if (m == 0 ? o == 0 : normalised(others[o].name) == normalised(memory.name)) counterpart = &others[o];
    const Memory& under_whatif = *counterpart;
    if (m == 0) {
      bind_device_memory(memory, under_whatif);
    } else if (memory.split()) {
      bind_channel(memory.name + " Read", memory.read_bandwidth.value, under_whatif.read_bandwidth.value, ResourceKind::memory);
      bind_channel(memory.name + " Write", memory.write_bandwidth.value, under_whatif.write_bandwidth.value, ResourceKind::memory);
    } else {
      bind_channel(memory.name, memory.bandwidth.value, under_whatif.bandwidth.value, ResourceKind::memory);
    }
  }
}

void Plan::bind_links() {
  const Machine &machine = scenario_.machine, &other = scenario_.whatif_machine();
  // By name. The first link falls back to the other machine's first: vendors name links differently.
  for (const Link& link : machine.links) {
    double rate = &link == machine.links.data() ? other.link_rate() : unknown;
    for (const Link& l : other.links)
      if (normalised(l.name) == normalised(link.name)) rate = l.bandwidth.value;
    bind_channel(link.name, link.bandwidth.value, rate, ResourceKind::link);
  }
  if (const std::string name(scale_out_name); channel_named(name))
    bind_channel(name, machine.scale_out.value, other.scale_out.value, ResourceKind::link);
}

void Plan::compile_whatif_formats() {
  if (!whatif_active_) return;
  const WhatIf& whatif = scenario_.whatif;
  whatif_ = rates_of(workload_.classes, scenario_.whatif_machine(), whatif.peak_scale, &whatif);
  whatif_units_ = unit_rates(whatif_);
  whatif_rate_unknown_ = any_unknown(whatif_units_);
}

std::optional<std::uint8_t> Plan::resource_of(std::size_t channel) const {
  if (channel_of_[channel] < 0) return std::nullopt;
  return static_cast<std::uint8_t>(channel_of_[channel]);
}

std::optional<MemoryAxis> Plan::axis(std::string_view name) const {
  const std::string wanted = normalised(name);
  if (wanted == "bottleneck") return workload_.channels.empty() ? device_axis : bottleneck_axis;
  for (std::size_t c = 0; c < workload_.channels.size(); ++c)
    if (!workload_.channels[c].link && normalised(workload_.channels[c].name) == wanted) return static_cast<MemoryAxis>(c);
  const auto& memories = scenario_.machine.memories;
  if (!memories.empty() && normalised(memories[0].name) == wanted) return device_axis;
  return std::nullopt;
}

std::vector<std::string> Plan::axes() const {
  std::vector<std::string> names;
  if (!scenario_.machine.memories.empty()) names.push_back(scenario_.machine.memories[0].name);
  for (const Channel& channel : workload_.channels)
    if (!channel.link) names.push_back(channel.name);
  return names;
}

}  // namespace roofline
