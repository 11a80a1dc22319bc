#include "read/operations/operations.hpp"

#include <cmath>
#include <cstdio>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>

#include "read/assumed_format.hpp"

namespace roofline {

std::string of_field(std::string_view name) { return "field " + in_quotes(name) + ": "; }

namespace {

std::string alternatives(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

std::string number_text(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "Infinity" : "-Infinity";
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.15g", v);
  return buffer;
}

/// ", found 3" where it is a number.
std::string found(const Value& v) { return v.kind == Value::Kind::number ? ", found " + number_text(v.number) : std::string(); }

constexpr const char* no_type = R"(no "type": expected a name such as ID_CONV or MatMul, or "flops" or "macs" with "bytes")";

double width(FormatId format) { return Formats::catalogue()[format].bytes(); }

std::string unknown_type(std::string_view type) {
  const auto near = near_operators(type);
  return "unknown type " + in_quotes(type) + (near.empty() ? "" : " (did you mean " + alternatives(near) + "?)") +
         ": expected a known operation, or \"flops\" or \"macs\" with \"bytes\", or an entry in an op_registry.json";
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? '"' + std::string(text) + '"' : '"' + std::string(text.substr(0, longest)) + "...\"";
}

Operations::Operations(const ReadOptions& options, SourceFormat source_format, At at)
    : registry_(options.registry),
      keys_(options.keys ? *options.keys : own_keys_),
      record_(keys_.size()),
      rows_(options.source_name, source_format, options.limits),
      at_(std::move(at)),
      assumed_(assumed_format(options, "int8")),
      format_stated_(options.assumed_format != no_format) {}

void Operations::add(SourceRange place) {
  place_ = place;
  const Value& name = record_[key::name];
  name_ = name.kind == Value::Kind::string ? rows_.keep(name.string) : TextRange();

  const Value& type = record_[key::type];
  const bool states_work = record_.has(key::flops) || record_.has(key::macs) || record_.has(key::bytes) || record_.has(key::hw_bytes);
  if (!type.present() && !states_work) return add_fault(no_type);
  if (type.present() && type.kind != Value::Kind::string)
    return add_fault("\"type\" is not text: expected a name such as ID_CONV or MatMul");
  const std::string_view type_name = type.present() ? type.string : std::string_view();  // type.string may be that of an earlier record
  const std::uint32_t type_word = rows_.word(type_name);
  const TypeInfo& info = type_info(type_word, type_name);

  Stated stated;
  if (!read_stated(stated)) return add_fault();
  Derived derived;
  if (!derive(info, stated, derived)) return;
  Work& work = derived.work;
  if (!derived.has_work && !stated.work())
    return add_fault(!type.present() ? no_type
                     : info.op       ? derived.problem
                     : rows_.full()  ? "unknown type"
                                     : unknown_type(type_name),
                     derived.problem_key);
  if (!derived.has_work && info.op)
    rows_.report(Severity::warning, [&] { return at_(0, derived.problem + "; the stated numbers are used"); });

  // Stated numbers win over derived ones.
  if (known(stated.flops)) {
    const bool vector = derived.has_work && work.matrix_flops == 0 && work.vector_flops > 0;
    work.matrix_flops = vector ? 0 : stated.flops;
    work.vector_flops = vector ? stated.flops : 0;
  }
  OpClass traits;
  traits.roles_unknown = derived.roles_unknown;
  if (!derived.has_work) {
    traits.roles_unknown = known(stated.bytes) || known(stated.hw_bytes);
    if (known(stated.bytes))
      work.activation = stated.has_format ? stated.bytes / width(stated.format) : stated.bytes;
    else if (!known(stated.hw_bytes))
      work.activation = unknown;  // FLOPs only: judged against compute alone
  }
  // What was fused into the operation besides: computed on the vector unit, read along with its own operands.
  work.vector_flops += known_or(stated.fused_flops, 0);
  work.activation += known_or(stated.fused_elements, 0);
  const double total_flops = (work.matrix_flops + work.vector_flops) * stated.count;
  if (!(total_flops < 0x1p63))
    return add_fault("expected fewer than 2^63 FLOPs, found " + number_text(total_flops), record_.has(key::count)   ? key::count
                                                                                          : record_.has(key::flops) ? key::flops
                                                                                          : record_.has(key::macs)  ? key::macs
                                                                                                                    : key::type);
  traits.symbol = info.symbol;
  traits.family = info.family();
  traits.activation = derived.has_work || stated.has_format ? stated.format : no_format;
  traits.matrix_work = work.matrix_flops > 0;
  traits.vector_work = work.vector_flops > 0;
  traits.weight = work.weight > 0 ? stated.weight : no_format;
  traits.output = work.output > 0 ? stated.output : no_format;
  traits.kv = work.kv_read > 0 || work.kv_write > 0 ? stated.kv : no_format;
  traits.measured_bytes = known(stated.hw_bytes);

  const Value& category = record_[key::category];
  const std::uint32_t category_word = category.kind == Value::Kind::string ? rows_.word(category.string) : info.category;
  const Value& step = record_[key::step];
  if (step.present() && step.kind != Value::Kind::string && step.kind != Value::Kind::number)
    rows_.report(Severity::warning, [&] {
      Error error = at_(step.offset, of_field("step") + "expected a name or a number");
      error.path = "step";
      return error;
    });
  push(rows_.op_class(type_word, category_word, traits), work, stated);
  for (const auto& [field, category] : {std::pair(key::module, std::string_view("Module")), std::pair(key::merged, merged_category)})
    if (const Value& word = record_[field]; word.kind == Value::Kind::string) rows_.set_word(category, word.string);
}

void Operations::add_unreadable(SourceRange place, const Error& error) {
  place_ = place;
  name_ = {};
  record_.clear();
  rows_.report(Severity::error, [&] { return error; });
  add_fault();
}

const Operations::TypeInfo& Operations::type_info(std::uint32_t type, std::string_view name) {
  if (type >= types_.size()) types_.resize(type + 1), seen_.resize(type + 1);
  TypeInfo& info = types_[type];
  if (seen_[type] != 0) return info;
  seen_[type] = 1;
  if (registry_) info.custom = registry_->find(name);
  if (!info.custom) info.op = find_operator(name);
  info.symbol = info.custom ? info.custom->symbol : info.op ? info.op->symbol : Symbol::diamond;
  info.category = rows_.word(info.custom ? std::string_view(info.custom->category) : to_string(info.family()));
  return info;
}

// --- what the record states
// ---------------------------------------------------------------------------------------------------------------

bool Operations::read_stated(Stated& s) {
  // The record's data_type is that of every operand that has none of its own.
  s.format = assumed_;
  const bool own = record_.has(key::data_type);
  s.has_format = own || format_stated_;
  if (!own)
    ++without_data_type_;
  else if (!read_format(key::data_type, s.format))
    return false;
  s.weight = s.output = s.kv = s.format;
  const bool ok = read_format(key::weight_type, s.weight) && read_format(key::output_type, s.output) && read_format(key::kv_type, s.kv) &&
                  read_amount(key::macs, s.macs) && read_amount(key::flops, s.flops) && read_amount(key::bytes, s.bytes) &&
                  read_amount(key::hw_bytes, s.hw_bytes) && read_amount(key::fused_flops, s.fused_flops) &&
                  read_amount(key::fused_elements, s.fused_elements) && read_count(s.count);
  read_time(measured(), s.time_s);
  read_time({key::predicted_ns, 1e9, "nanoseconds"}, s.predicted_s);
  if (!known(s.flops)) s.flops = 2 * s.macs;
  if (s.hw_bytes == 0) s.hw_bytes = unknown;  // a counter that was not read
  return ok;
}

bool Operations::read_format(Key field, FormatId& out) {
  const Value& v = record_[field];
  if (!v.present()) return true;
  if (v.kind != Value::Kind::string)
    return fault(std::string(keys_.name(field)) + " is not text: expected a format such as INT8 or FP16", field);
  const FormatId format = formats_.of(v.string, [](std::string_view name) { return Formats::catalogue().find(name).value_or(no_format); });
  if (format != no_format) return out = format, true;
  const auto near = Formats::catalogue().near(v.string);
  return fault("unknown " + std::string(keys_.name(field)) + " " + in_quotes(v.string) + ": expected a format such as " +
                   (near.empty() ? "INT8 or FP16" : alternatives(near)),
               field);
}

bool Operations::read_amount(Key field, double& out) {
  const Value& v = record_[field];
  if (!v.present()) return true;
  if (v.kind != Value::Kind::number || !std::isfinite(v.number) || v.number < 0)
    return fault(of_field(keys_.name(field)) + "expected a number of at least 0" + found(v), field);
  if (!(v.number < 0x1p63)) return fault(of_field(keys_.name(field)) + "expected a number below 2^63" + found(v), field);
  return out = v.number, true;
}

/// The measured time in the unit that the record has it in; of several the finest.
Operations::TimeUnit Operations::measured() const {
  constexpr TimeUnit units[] = {{key::time_ns, 1e9, "nanoseconds"},
                                {key::time_us, 1e6, "microseconds"},
                                {key::time_ms, 1e3, "milliseconds"},
                                {key::time_s, 1, "seconds"}};
  for (const TimeUnit& unit : units)
    if (record_[unit.field].present()) return unit;
  return units[0];
}

/// A time with a fault costs the time alone: the work and its prediction do not depend on it.
void Operations::read_time(const TimeUnit& unit, double& out) {
  const Value& v = record_[unit.field];
  if (!v.present()) return;
  const std::string_view name = key_name(unit.field);
  if (v.kind != Value::Kind::number || !std::isfinite(v.number)) {
    fault(of_field(name) + "expected a number of " + unit.plural + found(v), unit.field);
  } else if (v.number > longest_time_s * unit.per_second) {
    fault(of_field(name) + "expected at most 3 years, in " + unit.plural + found(v), unit.field);
  } else if (v.number > 0 && v.number < shortest_time_s * unit.per_second) {
    fault(of_field(name) + "expected at least 1 ps, in " + unit.plural + found(v), unit.field);
  } else if (v.number > 0) {
    out = v.number / unit.per_second;
  } else if (unit.field != key::predicted_ns) {
    rows_.report(Severity::info, [&] {
      Error error = at_(v.offset, std::string(name) + " is " + number_text(v.number) + ": ignored, so the operation has no efficiency");
      error.path = name;
      return error;
    });
  }
}

bool Operations::read_count(double& out) {
  const Value& v = record_[key::count];
  if (!v.present()) return true;
  if (v.kind == Value::Kind::number && v.number >= 1 && v.number < 0x1p53) return out = v.number, true;
  return fault(of_field("count") + "expected how often the operation occurs, at least 1" + found(v), key::count);
}

// --- what follows from its shapes
// ---------------------------------------------------------------------------------------------------------

/// False: the registry's own formulas do not apply; the row is added.
bool Operations::derive(const TypeInfo& info, Stated& stated, Derived& d) {
  if (info.custom) {
    const auto custom = info.custom->derive(record_, width(stated.format));
    if (!custom) return add_fault(custom.error().message, keys_.find(custom.error().path)), false;
    d.work = custom->work;
    d.has_work = true;
    if (custom->has_bytes) {
      stated.bytes = known_or(stated.bytes, custom->bytes);
      d.work.activation = stated.bytes / width(stated.format);
      d.roles_unknown = true;
    }
  } else if (info.op) {
    if (const auto work = info.op->derive(record_, nullptr)) {
      d.work = *work;
      d.has_work = true;
    } else {
      d.problem = (work.error().path.empty() ? "" : of_field(work.error().path)) + work.error().message;
      d.problem_key = keys_.find(work.error().path);
    }
  }
  return true;
}

// --- rows
// ---------------------------------------------------------------------------------------------------------------------------------

void Operations::push(std::uint32_t op_class, const Work& w, const Stated& s) {
  OpNumbers n{w};
  n.given_bytes = known_or(s.hw_bytes, s.bytes);
  n.time_s = s.time_s;
  n.stated_time_s = s.predicted_s;
  rows_.push({op_class, times(n, s.count), name_, place_, static_cast<std::uint32_t>(record_.shape_hash())});
  const Value& step = record_[key::step];
  if (step.kind == Value::Kind::string)
    rows_.set_step(step.string);
  else if (step.present())
    rows_.set_step(step.kind == Value::Kind::number ? number_text(step.number) : std::string());
}

/// The row of a record that no cost can be given for; its reason is already reported, or is `message`.
void Operations::add_fault(const std::string& message, Key field) {
  if (!message.empty()) fault(message, field);
  Work none;
  none.matrix_flops = none.activation = unknown;
  Stated stated{};
  const TimeUnit unit = measured();
  const Value& time = record_[unit.field];
  if (time.kind == Value::Kind::number && time.number >= shortest_time_s * unit.per_second &&
      time.number <= longest_time_s * unit.per_second)
    stated.time_s = time.number / unit.per_second;
  OpClass traits;
  traits.invalid = true;
  const Value& type = record_[key::type];
  const std::string_view type_name = type.kind == Value::Kind::string ? type.string : std::string_view();
  const std::uint32_t type_word = rows_.word(type_name);
  const std::uint32_t category = type.kind == Value::Kind::string ? type_info(type_word, type_name).category : rows_.word("other");
  push(rows_.op_class(type_word, category, traits), none, stated);
}

bool Operations::fault(const std::string& message, Key field) {
  rows_.report(Severity::error, [&] {
    const bool is_field = field < keys_.size();
    const bool there = is_field && field < record_.key_count() && record_[field].kind != Value::Kind::absent;
    Error error = at_(there ? record_[field].offset : 0, message);
    if (is_field) error.path = keys_.name(field);
    return error;
  });
  return false;
}

Workload Operations::take() {
  if (rows_.size() == 0) rows_.note(Severity::warning, "the file holds no operations");
  if (without_data_type_ > 0)
    rows_.note(Severity::info, quantity(without_data_type_, "record has", "records have") + " no data_type: " + is_assumed(assumed_),
               std::string(assumed_key));
  return rows_.take();
}

}  // namespace roofline
