#include "read/layers/layers.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/machine/format.hpp>

#include "base/interner.hpp"
#include "read/assumed_format.hpp"

namespace roofline {
namespace {

/// Bytes of operands, each in its own format; those that state none are in `otherwise`.
double bytes_of(const std::vector<Operand>& operands, std::size_t from, FormatId otherwise) {
  double bytes = 0;
  for (std::size_t i = from; i < operands.size(); ++i)
    bytes += operands[i].elements() * Formats::catalogue()[operands[i].format == no_format ? otherwise : operands[i].format].bytes();
  return bytes;
}

FormatId first_format(const std::vector<Operand>& operands, FormatId otherwise) {
  return operands.empty() || operands[0].format == no_format ? otherwise : operands[0].format;
}

/// The first of the inputs that an operator's work says nothing of, such as what a fused addition adds; all of them where it says nothing.
std::size_t first_further_input(const Layer& layer) {
  if (layer.op->family != OpFamily::convolution) return layer.inputs.size();
  if (layer.fields.contains("kernel_size")) return 1;
  return layer.inputs.size() > 2 && layer.inputs[2].shape.size() == 1 ? 3 : 2;
}

FormatId weight_format(const Layer& layer, FormatId otherwise) {
  if (layer.weight != no_format) return layer.weight;
  const std::size_t at = layer.op->id == "embedding" ? 0 : 1;
  return at < layer.inputs.size() && layer.inputs[at].format != no_format ? layer.inputs[at].format : otherwise;
}

}  // namespace

Layers::Layers(const ReadOptions& options, SourceFormat source_format, std::string noun)
    : rows_(options.source_name, source_format, options.limits), noun_(std::move(noun)), assumed_(assumed_format(options, "fp32")) {
  rows_.workload().own_records = true;
}

void Layers::Lacking::add(const Layer& layer) {
  ++layers;
  time_s += layer.time_s > 0 ? layer.time_s * layer.count : 0;
  types.insert(layer.type);
}

void Layers::add(const Layer& layer) {
  Json record = {{"name", layer.name}, {"type", layer.type}};
  record.update(layer.fields);
  const auto fixed = [](const std::vector<Operand>& operands) {
    return std::all_of(operands.begin(), operands.end(), [](const Operand& operand) { return operand.fixed(); });
  };
  const bool shaped = !layer.inputs.empty() || !layer.outputs.empty();
  const bool stated = shaped && fixed(layer.inputs) && fixed(layer.outputs);
  const std::optional<Work> work = stated ? work_of_layer(layer, record) : std::nullopt;

  OpClass traits;
  traits.type = layer.type;
  traits.set_family(layer.communicates ? OpFamily::communication : layer.op ? layer.op->family : OpFamily::other);
  traits.symbol = layer.op ? layer.op->symbol : Symbol::diamond;
  OpNumbers n;
  n.time_s = layer.time_s > 0 ? layer.time_s : unknown;
  time_s_ += known_or(n.time_s, 0) * layer.count;
  // A slice or a look-up moves a part of its operand: which, only its operator tells.
  const bool moves_a_part = !work && layer.op && layer.op->family == OpFamily::data_movement;
  if (layer.idle) {
    idle_.add(layer);
  } else if (stated && !moves_a_part) {
    set_work(layer, work, traits, n);
    n.given_bytes = layer.device_bytes;
    if (layer.device_bytes == 0 && !known(n.matrix_flops)) {
      traits.time_only = true;
      n.activation = unknown;
    }
  } else if (known(layer.bytes)) {
    traits.roles_unknown = true;
    n.matrix_flops = unknown;
    n.given_bytes = n.activation = layer.bytes;
    no_operands_.add(layer);
  } else {
    traits.time_only = true;
    n.matrix_flops = n.activation = unknown;
    (stated ? no_work_ : shaped ? not_fixed_ : no_operands_).add(layer);
  }

  const std::string text = compact(record);
  record.erase("name");
  const std::string shape = compact(record);
  rows_.push({rows_.op_class(traits), times(n, layer.count), rows_.keep(layer.name), rows_.keep_record(text),
              static_cast<std::uint32_t>(hash_text(shape))});
}

/// FLOPs and elements by role; without `work` the FLOPs are not known, and every operand moves once.
void Layers::set_work(const Layer& layer, const std::optional<Work>& work, OpClass& traits, OpNumbers& n) {
  const FormatId stated = first_format(layer.inputs, first_format(layer.outputs, no_format));
  const FormatId format = stated == no_format ? assumed_ : stated, output = first_format(layer.outputs, format);
  if (stated == no_format) no_format_.add(layer);
  const auto elements = [&](const std::vector<Operand>& operands, std::size_t from, FormatId in) {
    return bytes_of(operands, from, in) / Formats::catalogue()[in].bytes();
  };
  traits.activation = format;
  traits.output = output;
  n.output = work && layer.outputs.empty() ? work->output : elements(layer.outputs, 0, output);
  if (!work) {
    n.matrix_flops = 2 * layer.macs;
    traits.matrix_work = n.matrix_flops > 0;
    n.activation = elements(layer.inputs, 0, format);
    if (!known(layer.macs)) (layer.op ? no_work_ : no_operator_).add(layer);
    return;
  }
  n.matrix_flops = work->matrix_flops;
  n.vector_flops = work->vector_flops;
  n.weight = work->weight;
  n.sizes = work->sizes;
  n.activation = layer.op->family == OpFamily::elementwise ? elements(layer.inputs, 0, format)
                                                           : work->activation + elements(layer.inputs, first_further_input(layer), format);
  traits.weight = work->weight > 0 ? weight_format(layer, format) : no_format;
  traits.matrix_work = n.matrix_flops > 0;
  traits.vector_work = n.vector_flops > 0;
}

void Layers::note(const Lacking& lacking, const std::string& message, const std::string& path) {
  if (lacking.layers == 0) return;
  std::string types;
  std::size_t named = 0;
  for (const std::string& type : lacking.types)
    if (type != noun_ && ++named <= 5) types += (types.empty() ? " (" : ", ") + printable(type);
  if (!types.empty()) types += lacking.types.size() > 5 ? ", ...)" : ")";
  const std::string share = lacking.time_s > 0 && time_s_ > 0 ? "; " + percent(lacking.time_s / time_s_) + " of the time" : "";
  rows_.note(Severity::info,
             with_commas(lacking.layers) + " of " + with_commas(rows_.size()) + " " + noun_ + "s" + types + ' ' + message + share, path);
}

Workload Layers::take() {
  if (rows_.size() == 0) rows_.note(Severity::warning, "the file holds no " + noun_ + "s");
  note(idle_, "have no work");
  note(not_fixed_, "have shapes that are not fixed: their work is not known");
  note(no_operator_, "are of types without an operator: their FLOPs are not known, their bytes are those of their operands");
  note(no_work_, "do not say all that their operators need: their FLOPs are not known");
  note(no_operands_, "state no shapes: their FLOPs are not known");
  note(no_format_, "name no number format: " + is_assumed(assumed_), std::string(assumed_key));
  return rows_.take();
}

}  // namespace roofline
