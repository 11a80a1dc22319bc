// commands.json: an array of operations, an object that holds one, or one operation per line.
#include <algorithm>
#include <cmath>
#include <roofline/machine/machine.hpp>
#include <roofline/read/read.hpp>

#include "base/interner.hpp"
#include "read/formats.hpp"
#include "read/record_handler.hpp"

namespace roofline {
namespace {

constexpr std::size_t max_diagnostics = 10000;
constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

/// How one written type is derived: looked up once, not per record.
struct TypeInfo {
  const Operator* op = nullptr;
  const RegistryOperation* custom = nullptr;
};

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? '"' + std::string(text) + '"' : '"' + std::string(text.substr(0, longest)) + "...\"";
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}

std::string quantity(std::size_t n, const char* noun) { return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s"); }

/// What a value is, by its first character.
const char* kind_of_value(char c) {
  switch (c) {
    case '{':
      return "an object";
    case '[':
      return "an array";
    case '"':
      return "a text";
    case 't':
    case 'f':
      return "true or false";
    case 'n':
      return "null";
    default:
      return "a number";
  }
}

std::string shown(char c) {
  if (c == 0) return "the end of the file";
  if (static_cast<unsigned char>(c) < 0x20) return "a control character";
  return std::string("'") + c + "'";
}

class Commands final : public FormatReader {
 public:
  Commands(std::string source, ReadOptions opts)
      : bytes(std::move(source)),
        options(std::move(opts)),
        keys(options.keys ? *options.keys : own_keys),
        text(bytes),
        record(keys.size()),
        handler(text, keys, record) {
    work.source = options.source_name;
    work.source_format = "commands.json";
  }

  Result<bool> step(std::size_t budget) override {
    if (!started) {
      started = true;
      if (bytes.size() >= 0xffffffffu) return fail("the file is larger than 4 GiB: split it");
      if (auto ok = start(); !ok) return Unexpected(ok.error());
    }
    const std::size_t begin = text.Tell();
    while (!finished) {
      if (budget != no_limit && text.Tell() - begin >= budget) return true;
      if (auto ok = lines ? next_line() : next_element(); !ok) return Unexpected(ok.error());
    }
    return false;
  }

  std::size_t position() const override { return text.Tell(); }
  std::size_t size() const override { return bytes.size(); }

  Workload take() override {
    work.text = std::move(bytes);
    work.text += extra;
    work.machine_json = std::move(machine);
    work.fill_bytes();
    return std::move(work);
  }

 private:
  // --- the outer structure -------------------------------------------------------------------------------------------------------------

  Result<void> start() {
    text.skip_space();
    if (text.Peek() == '[') {
      text.Take();
      return open_array();
    }
    if (text.Peek() == '{') return start_object();
    return Unexpected(at(text.Tell(), "not JSON operations: expected '[' or '{', found " + shown(text.Peek())));
  }

  /// An object at the top: one that holds the array, or the first of one operation per line.
  Result<void> start_object() {
    const std::size_t begin = text.Tell();
    text.Take();
    std::size_t members = 0;
    bool is_operation = false;
    for (;; ++members) {
      text.skip_space();
      if (text.Peek() == '}') break;
      if (members > 0) {
        if (text.Peek() != ',') break;
        text.Take();
        text.skip_space();
      }
      if (text.Peek() != '"') break;
      const std::size_t key_begin = text.Tell();
      if (auto ok = skip_value(); !ok) break;
      const std::string_view key(bytes.data() + key_begin + 1, text.Tell() - key_begin - 2);
      text.skip_space();
      if (text.Peek() != ':') break;
      text.Take();
      text.skip_space();
      if ((key == "ops" || key == "commands") && text.Peek() == '[') {
        text.Take();
        wrapped = true;
        return open_array();
      }
      is_operation = is_operation || key == "type";
      const std::size_t value_begin = text.Tell();
      if (auto ok = skip_value(); !ok) {
        if (!is_operation) return ok;
        break;
      }
      if (key == "machine") machine = bytes.substr(value_begin, text.Tell() - value_begin);
    }
    if (!is_operation && text.Peek() == '}') {
      text.Take();
      text.skip_space();
      if (text.Peek() != '{')
        return Unexpected(
            at(begin, "an object without operations: expected an array of operations, or an object with an \"ops\" or \"commands\" array"));
    }
    text.seek(begin);
    lines = true;
    return {};
  }

  Result<void> open_array() {
    text.skip_space();
    if (text.Peek() == ']') {
      text.Take();
      return close_array();
    }
    return {};
  }

  Result<void> next_element() {
    text.skip_space();
    if (text.at_end()) return truncated(work.size() == 0 ? "a record or ']'" : "another record");
    if (auto ok = read_record(); !ok) return ok;
    text.skip_space();
    const char c = text.Peek();
    if (c == ',') {
      text.Take();
      return {};
    }
    if (c == ']') {
      text.Take();
      return close_array();
    }
    if (text.at_end()) return truncated("',' or ']'");
    return Unexpected(
        at(text.Tell(), "not JSON: expected ',' or ']' after record " + std::to_string(work.size() - 1) + ", found " + shown(c)));
  }

  Result<void> close_array() {
    finished = true;
    while (wrapped) {  // members behind the operations
      text.skip_space();
      if (text.Peek() == '}') {
        text.Take();
        break;
      }
      if (text.at_end()) return truncated("',' or '}'");
      if (text.Peek() != ',') return Unexpected(at(text.Tell(), "not JSON: expected ',' or '}', found " + shown(text.Peek())));
      text.Take();
      text.skip_space();
      const std::size_t key_begin = text.Tell();
      if (text.Peek() != '"')
        return Unexpected(at(text.Tell(), "not JSON: expected a member's name in quotes, found " + shown(text.Peek())));
      if (auto ok = skip_value(); !ok) return ok;
      const std::string_view key(bytes.data() + key_begin + 1, text.Tell() - key_begin - 2);
      text.skip_space();
      if (text.Peek() != ':') return Unexpected(at(text.Tell(), "not JSON: expected ':', found " + shown(text.Peek())));
      text.Take();
      text.skip_space();
      const std::size_t value_begin = text.Tell();
      if (auto ok = skip_value(); !ok) return ok;
      if (key == "machine") machine = bytes.substr(value_begin, text.Tell() - value_begin);
    }
    text.skip_space();
    if (!text.at_end())
      return Unexpected(at(text.Tell(), "text after the end of the JSON document: expected nothing more, found " + shown(text.Peek())));
    finish();
    return {};
  }

  /// One operation per line. A bad line costs that line only, unless no line is good.
  Result<void> next_line() {
    text.skip_space();
    if (text.at_end()) {
      finished = true;
      if (good_lines == 0 && first_fault) return Unexpected(*first_fault);
      finish();
      return {};
    }
    const std::size_t begin = text.Tell();
    if (auto ok = read_record(); ok) {
      ++good_lines;
    } else {
      if (!first_fault) first_fault = ok.error();
      report(Severity::error, ok.error());
      add_unknown(begin, 0);
      const std::size_t newline = bytes.find('\n', begin);
      text.seek(newline == std::string::npos ? bytes.size() : newline + 1);
    }
    return {};
  }

  Unexpected truncated(const std::string& expected) const {
    return Unexpected(at(bytes.size(), "the file is truncated after " + quantity(work.size(), "record") + ": expected " + expected +
                                           ", found the end of the file"));
  }

  Result<void> skip_value() {
    SkipHandler skip;
    const auto result = parser.Parse<json_flags>(text, skip);
    text.forget_decoded();
    if (!result.IsError()) return {};
    return json_error(result, skip.depth > max_json_depth);
  }

  Unexpected json_error(const rapidjson::ParseResult& result, bool too_deep) const {
    if (too_deep)
      return Unexpected(at(text.Tell(), "nested deeper than " + std::to_string(max_json_depth) + " levels: expected a list of operations"));
    if (result.Offset() >= bytes.size()) return truncated(expected_by(result.Code()));
    return Unexpected(
        at(result.Offset(), std::string("not JSON: expected ") + expected_by(result.Code()) + ", found " + shown(bytes[result.Offset()])));
  }

  // --- one record ----------------------------------------------------------------------------------------------------------------------

  Result<void> read_record() {
    const std::size_t begin = text.Tell();
    handler.begin(begin);
    const auto result = parser.Parse<json_flags>(text, handler);
    if (result.IsError()) {
      if (result.Code() != rapidjson::kParseErrorNumberTooBig) return json_error(result, handler.too_deep());
      text.seek(begin);
      if (!skip_unread()) return truncated("the end of a record");
      report(Severity::error, at(result.Offset(), "a number is too large: expected at most 1.8e308"));
      add_unknown(begin, text.Tell() - begin);
      return {};
    }
    const std::size_t length = text.Tell() - begin;
    if (!handler.is_object()) {
      fault(begin, std::string("expected an object such as {\"type\": \"ID_CONV\", ...}, found ") + kind_of_value(bytes[begin]), "");
      add_unknown(begin, length);
    } else {
      add(begin, length);
    }
    text.forget_decoded();
    if (work.size() == 256) reserve();
    return {};
  }

  /// Past a value with a number that RapidJSON refuses.
  bool skip_unread() {
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = text.Tell(); i < bytes.size(); ++i) {
      const char c = bytes[i];
      if (in_string) {
        if (c == '\\')
          ++i;
        else if (c == '"')
          in_string = false;
      } else if (c == '"') {
        in_string = true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (depth == 0 && (c == ',' || c == ']' || c == '\n')) {  // behind a number on its own
        text.seek(i);
        return true;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        text.seek(i + 1);
        return true;
      }
    }
    text.seek(bytes.size());
    return depth == 0 && !in_string;
  }

  void add(std::size_t begin, std::size_t length) {
    const Value& name = record[key::name];
    TextRange name_range;
    if (name.kind == Value::Kind::string) name_range = keep(name.string);

    OpClass kind;
    if (!record.has(key::type))
      return add_fault(begin, length, name_range, kind, "no \"type\": expected a name such as ID_CONV or MatMul", key::type);
    if (record[key::type].kind != Value::Kind::string)
      return add_fault(begin, length, name_range, kind, "\"type\" is not text: expected a name such as ID_CONV or MatMul", key::type);
    const std::string_view type = record[key::type].string;
    bool is_new = false;
    const std::uint32_t type_id = types.intern(type, &is_new);
    if (is_new) type_infos.push_back(look_up(type));
    const TypeInfo& info = type_infos[type_id];
    kind.symbol = info.custom ? info.custom->symbol : info.op ? info.op->symbol : Symbol::diamond;

    // Formats: the record's data_type for every operand that has none of its own.
    FormatId format = int8, weight_format = no_format, output_format = no_format, kv_format = no_format;
    bool ok = true;
    if (record.has(key::data_type))
      ok = format_of(begin, key::data_type, format);
    else
      ++without_data_type;
    const FormatId given_format = record.has(key::data_type) ? format : no_format;
    weight_format = output_format = kv_format = format;
    const auto operand = [&](Key field, FormatId& target) {
      if (ok && record.has(field)) ok = format_of(begin, field, target);
    };
    operand(key::weight_type, weight_format);
    operand(key::output_type, output_format);
    operand(key::kv_type, kv_format);

    // What the record states outright.
    double macs = unknown, flops = unknown, bytes_given = unknown, hw_bytes = unknown, time = unknown, stated_time = unknown, count = 1;
    ok = ok && amount(begin, key::macs, macs) && amount(begin, key::flops, flops) && amount(begin, key::bytes, bytes_given) &&
         amount(begin, key::hw_bytes, hw_bytes) && time_of(begin, key::time_ns, time) && time_of(begin, key::predicted_ns, stated_time) &&
         count_of(begin, count);
    if (!ok) return add_fault(begin, length, name_range, kind);
    if (macs == macs && flops != flops) flops = 2 * macs;
    if (hw_bytes == 0) hw_bytes = unknown;  // a counter that was not read

    // What follows from its shapes.
    Work derived;
    bool has_work = false;
    std::string problem;
    Key problem_key = key::type;
    if (info.custom) {
      auto custom = info.custom->derive(record, Formats::catalogue()[format].bytes());
      if (!custom) return add_fault(begin, length, name_range, kind, custom.error().message, keys.find(custom.error().path));
      derived = custom->work;
      if (custom->has_bytes) {
        if (bytes_given != bytes_given) bytes_given = custom->bytes;
        derived.activation = bytes_given / Formats::catalogue()[format].bytes();
        kind.roles_unknown = true;
      }
      has_work = true;
    } else if (info.op) {
      if (auto work_or = info.op->derive(record, nullptr)) {
        derived = *work_or;
        has_work = true;
      } else {
        problem = work_or.error().message;
        problem_key = keys.find(work_or.error().path);
        if (!work_or.error().path.empty()) problem = work_or.error().path + ": " + problem;
      }
    }
    const bool stated = flops == flops || bytes_given == bytes_given || hw_bytes == hw_bytes;
    if (!has_work && !stated) {
      return add_fault(begin, length, name_range, kind, info.op ? problem : full() ? "unknown type" : unknown_type(type), problem_key);
    }
    if (!has_work && info.op) report(Severity::warning, at(begin, problem + "; the stated numbers are used"));

    // Stated numbers win over derived ones.
    if (flops == flops) {
      const bool vector = has_work && derived.matrix_flops == 0 && derived.vector_flops > 0;
      derived.matrix_flops = vector ? 0 : flops;
      derived.vector_flops = vector ? flops : 0;
    }
    if (!has_work) {
      kind.roles_unknown = bytes_given == bytes_given || hw_bytes == hw_bytes;
      if (bytes_given == bytes_given) {
        derived.activation = given_format == no_format ? bytes_given : bytes_given / Formats::catalogue()[format].bytes();
      } else if (hw_bytes != hw_bytes) {
        derived.activation = unknown;  // FLOPs only: judged against compute alone
      }
    }
    const double total_flops = (derived.matrix_flops + derived.vector_flops) * count;
    if (!(total_flops < 0x1p63))
      return add_fault(begin, length, name_range, kind, "expected fewer than 2^63 FLOPs, found " + number_text(total_flops),
                       record.has(key::count)   ? key::count
                       : record.has(key::flops) ? key::flops
                       : record.has(key::macs)  ? key::macs
                                                : key::type);

    kind.activation = has_work || given_format != no_format ? format : no_format;
    kind.matrix_work = derived.matrix_flops > 0;
    kind.vector_work = derived.vector_flops > 0;
    kind.weight = derived.weight > 0 ? weight_format : no_format;
    kind.output = derived.output > 0 ? output_format : no_format;
    kind.kv = derived.kv_read > 0 || derived.kv_write > 0 ? kv_format : no_format;
    const double given = hw_bytes == hw_bytes ? hw_bytes : bytes_given;
    kind.measured_bytes = hw_bytes == hw_bytes;

    std::uint32_t category_id = no_category;
    if (record[key::category].kind == Value::Kind::string) category_id = categories.intern(record[key::category].string);
    const Value& step = record[key::step];
    if (step.present() && step.kind != Value::Kind::string && step.kind != Value::Kind::number)
      report(Severity::warning, at(begin + step.offset, "step: expected a name or a number"), "step");
    push(begin, length, name_range, intern_kind(type_id, category_id, info, kind), derived, given, time, count, stated_time);
  }

  static std::string unknown_type(std::string_view type) {
    const auto near = near_operators(type);
    return "unknown type " + quoted(type) + (near.empty() ? "" : " (did you mean " + joined(near) + "?)") +
           ": expected a known operation, or \"flops\" or \"macs\" with \"bytes\", or an entry in an op_registry.json";
  }

  TypeInfo look_up(std::string_view type) const {
    TypeInfo info;
    if (options.registry) info.custom = options.registry->find(type);
    if (!info.custom) info.op = find_operator(type);
    return info;
  }

  /// The kind's number. Its fields are few small numbers: they make the key of an index of integers.
  std::uint32_t intern_kind(std::uint32_t type_id, std::uint32_t category_id, const TypeInfo& info, OpClass& kind) {
    const std::uint64_t low = static_cast<std::uint64_t>(type_id) << 32 | static_cast<std::uint64_t>(kind.weight) << 24 |
                              static_cast<std::uint64_t>(kind.activation) << 16 | static_cast<std::uint64_t>(kind.output) << 8 | kind.kv;
    const std::uint64_t high = static_cast<std::uint64_t>(category_id) << 32 | static_cast<std::uint64_t>(kind.symbol) << 5 |
                               static_cast<std::uint64_t>(kind.matrix_work) << 4 | static_cast<std::uint64_t>(kind.vector_work) << 3 |
                               static_cast<std::uint64_t>(kind.measured_bytes) << 2 | static_cast<std::uint64_t>(kind.roles_unknown) << 1 |
                               static_cast<std::uint64_t>(kind.invalid);
    if (low == last_low && high == last_high) return last_kind;
    std::uint64_t hash = (low ^ (high * 0x9E3779B97F4A7C15ull)) * 0xD6E8FEB86659FD93ull;
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93ull;
    last_low = low;
    last_high = high;
    last_kind = kind_index.find(hash, [&](std::uint32_t i) { return kind_keys[i] == std::pair(low, high); });
    if (last_kind != HashIndex::none) return last_kind;
    last_kind = static_cast<std::uint32_t>(work.classes.size());
    if (type_id != no_type) kind.type = types[type_id];
    kind.category = category_id != no_category ? categories[category_id]
                    : info.custom              ? info.custom->category
                    : info.op                  ? std::string(info.op->category)
                                               : "other";
    kind_index.insert(hash, last_kind);
    kind_keys.emplace_back(low, high);
    work.classes.push_back(kind);
    return last_kind;
  }

  bool format_of(std::size_t begin, Key field, FormatId& out) {
    const Value& v = record[field];
    if (v.kind != Value::Kind::string)
      return fault(begin, std::string(keys.name(field)) + " is not text: expected a format such as INT8 or FP16", keys.name(field),
                   v.offset);
    bool is_new = false;
    const std::uint32_t id = format_names.intern(v.string, &is_new);
    if (is_new) {
      const auto found = Formats::catalogue().find(v.string);
      format_ids.push_back(found ? *found : no_format);
    }
    out = format_ids[id];
    if (out != no_format) return true;
    const auto near = Formats::catalogue().near(v.string);
    return fault(begin,
                 "unknown " + std::string(keys.name(field)) + " " + quoted(v.string) + ": expected a format such as " +
                     (near.empty() ? "INT8 or FP16" : joined(near)),
                 keys.name(field), v.offset);
  }

  bool amount(std::size_t begin, Key field, double& out) {
    const Value& v = record[field];
    if (!v.present()) return true;
    if (v.kind == Value::Kind::number && std::isfinite(v.number) && v.number >= 0) {
      if (v.number < 0x1p63) return out = v.number, true;
      return fault(begin, std::string(keys.name(field)) + ": expected a number below 2^63, found " + number_text(v.number),
                   keys.name(field), v.offset);
    }
    return fault(begin,
                 std::string(keys.name(field)) + ": expected a number of at least 0" +
                     (v.kind == Value::Kind::number ? ", found " + number_text(v.number) : std::string()),
                 keys.name(field), v.offset);
  }

  bool time_of(std::size_t begin, Key field, double& out) {
    const Value& v = record[field];
    if (!v.present()) return true;
    const std::string name(keys.name(field));
    if (v.kind != Value::Kind::number || !std::isfinite(v.number))
      return fault(begin,
                   name + ": expected a number of nanoseconds" +
                       (v.kind == Value::Kind::number ? ", found " + number_text(v.number) : std::string()),
                   name, v.offset);
    if (v.number > 0) {
      out = v.number / 1e9;
    } else if (field == key::time_ns) {
      report(Severity::info,
             at(begin + v.offset, "time_ns is " + number_text(v.number) + ": the operation keeps its prediction and has no efficiency"),
             "time_ns");
    }
    return true;
  }

  bool count_of(std::size_t begin, double& out) {
    const Value& v = record[key::count];
    if (!v.present()) return true;
    if (v.kind == Value::Kind::number && v.number >= 1 && v.number < 0x1p53) return out = v.number, true;
    return fault(begin,
                 "count: expected how often the operation occurs, at least 1" +
                     (v.kind == Value::Kind::number ? ", found " + number_text(v.number) : std::string()),
                 "count", v.offset);
  }

  static std::string number_text(double v) {
    if (std::isnan(v)) return "NaN";
    if (std::isinf(v)) return v > 0 ? "Infinity" : "-Infinity";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.15g", v);
    return buffer;
  }

  // --- rows and diagnostics ------------------------------------------------------------------------------------------------------------

  /// The row of a record that no cost can be given for; its reason is already reported, or is `message`.
  void add_fault(std::size_t begin, std::size_t length, TextRange name, OpClass& kind, const std::string& message = {},
                 Key field = key::type) {
    if (!message.empty())
      fault(begin, message, field < keys.size() ? keys.name(field) : std::string_view(),
            field < record.key_count() && record[field].kind != Value::Kind::absent ? record[field].offset : 0);
    kind.invalid = true;
    kind.symbol = Symbol::star;
    Work none;
    none.matrix_flops = none.activation = unknown;
    const Value& time = record[key::time_ns];
    const bool timed = time.kind == Value::Kind::number && time.number > 0 && std::isfinite(time.number);
    const std::uint32_t type_id = record[key::type].kind == Value::Kind::string ? types.intern(record[key::type].string) : no_type;
    const TypeInfo info = type_id < type_infos.size() ? type_infos[type_id] : TypeInfo();
    push(begin, length, name, intern_kind(type_id, no_category, info, kind), none, unknown, timed ? time.number / 1e9 : unknown, 1);
  }

  void add_unknown(std::size_t begin, std::size_t length) {
    record.clear();
    OpClass kind;
    add_fault(begin, length, {}, kind);
  }

  void push(std::size_t begin, std::size_t length, TextRange name, std::uint32_t kind, const Work& w, double given, double time,
            double count, double stated_time = unknown) {
    const std::size_t i = work.size();
    work.op_class.push_back(kind);
    work.matrix_flops.push_back(w.matrix_flops * count);
    put(work.vector_flops, i, w.vector_flops * count, 0);
    put(work.weight, i, w.weight * count, 0);
    work.activation.push_back(w.activation * count);
    work.output.push_back(w.output * count);
    put(work.kv_read, i, w.kv_read * count, 0);
    put(work.kv_write, i, w.kv_write * count, 0);
    put(work.given_bytes, i, given * count, unknown);
    put(work.time_s, i, time * count, unknown);
    put(work.count, i, count, 1);
    put(work.stated_time_s, i, stated_time * count, unknown);
    work.name.push_back(name);
    work.record.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(length)});
    work.shape_hash.push_back(static_cast<std::uint32_t>(record.shape_hash()));
    put_step(i);
  }

  /// The column stays empty while no record has a step; a record without one is of the step "".
  void put_step(std::size_t i) {
    const Value& v = record[key::step];
    if (work.step.empty()) {
      if (!v.present()) return;
      work.step.reserve(work.op_class.capacity());
      if (i > 0) work.step.resize(i, steps.intern(""));
    }
    work.step.push_back(steps.intern(v.kind == Value::Kind::string   ? std::string(v.string)
                                     : v.kind == Value::Kind::number ? number_text(v.number)
                                                                     : std::string()));
  }

  /// Appends to a column that stays empty while it only holds its default.
  void put(std::vector<double>& column, std::size_t i, double value, double standard) {
    if (column.empty()) {
      if (value == standard || (value != value && standard != standard)) return;
      column.reserve(work.op_class.capacity());
      column.resize(i, standard);
    }
    column.push_back(value);
  }

  /// After some records the rest can be estimated; growing by doubling would leave half of the memory unused.
  void reserve() {
    const double per_record = static_cast<double>(text.Tell()) / static_cast<double>(work.size());
    const auto rows = static_cast<std::size_t>(static_cast<double>(bytes.size()) / per_record * 1.05) + 64;
    work.op_class.reserve(rows);
    work.name.reserve(rows);
    work.record.reserve(rows);
    work.shape_hash.reserve(rows);
    for (auto* column : {&work.matrix_flops, &work.activation, &work.output}) column->reserve(rows);
    for (auto* column : {&work.vector_flops, &work.weight, &work.kv_read, &work.kv_write, &work.given_bytes, &work.time_s, &work.count})
      if (!column->empty()) column->reserve(rows);
  }

  /// The name's place: in the file's text, or behind it where it had escapes.
  TextRange keep(std::string_view name) {
    if (name.data() >= text.begin() && name.data() <= text.end())
      return {static_cast<std::uint32_t>(name.data() - text.begin()), static_cast<std::uint32_t>(name.size())};
    extra += name;
    return {static_cast<std::uint32_t>(bytes.size() + extra.size() - name.size()), static_cast<std::uint32_t>(name.size())};
  }

  /// Line and column of an offset. Asked for in rising order, so each byte is looked at once.
  Error at(std::size_t offset, std::string message) const {
    if (offset < counted) counted = 0, counted_lines = 0, line_start = 0;
    while (counted < offset) {
      const void* newline = std::memchr(bytes.data() + counted, '\n', offset - counted);  // not beyond: a file may be one long line
      counted = newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - bytes.data()) + 1 : offset;
      if (newline) line_start = counted, ++counted_lines;
    }
    return Error{std::move(message), counted_lines + 1, offset - line_start + 1, {}};
  }

  /// No more diagnostics are kept: they are only counted, and neither their words nor their place is worked out.
  [[nodiscard]] bool full() const { return work.diagnostics.size() >= max_diagnostics; }

  bool fault(std::size_t begin, const std::string& message, std::string_view path, std::uint32_t offset_in_record = 0) {
    if (full())
      ++work.hidden_diagnostics;
    else
      report(Severity::error, at(begin + offset_in_record, message), path);
    return false;
  }

  /// About the row that is pushed next.
  void report(Severity severity, Error error, std::string_view path = {}) {
    if (full()) {
      ++work.hidden_diagnostics;
      return;
    }
    work.diagnostics.push_back(
        {severity, std::move(error.message), static_cast<std::uint32_t>(work.size()), error.line, error.column, std::string(path)});
  }

  void finish() {
    for (std::uint32_t s = 0; s < steps.size(); ++s) work.steps.push_back(steps[s]);
    if (work.size() == 0) work.diagnostics.push_back({Severity::warning, "the file holds no operations", {}, 0, 0, {}});
    if (without_data_type > 0)
      work.diagnostics.push_back(
          {Severity::info,
           quantity(without_data_type, "record") + (without_data_type == 1 ? " has" : " have") + " no data_type: INT8 is assumed",
           {},
           0,
           0,
           {}});
  }

  static constexpr std::uint32_t no_type = 0xffffffff, no_category = 0xffffffff;

  std::string bytes;
  ReadOptions options;
  Keys own_keys;
  const Keys& keys;
  JsonText text;
  Record record;
  RecordHandler handler;
  rapidjson::Reader parser;
  Workload work;
  std::string extra, machine;
  Interner types, categories, format_names, steps;
  std::vector<TypeInfo> type_infos;
  std::vector<FormatId> format_ids;
  HashIndex kind_index;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> kind_keys;
  std::uint64_t last_low = ~0ull, last_high = ~0ull;
  std::uint32_t last_kind = 0;
  const FormatId int8 = Formats::catalogue().find("int8").value_or(no_format);
  bool started = false, finished = false, lines = false, wrapped = false;
  std::size_t without_data_type = 0, good_lines = 0;
  std::optional<Error> first_fault;
  mutable std::size_t counted = 0, counted_lines = 0, line_start = 0;  // newlines before `counted`, for at()
};

}  // namespace

std::unique_ptr<FormatReader> open_commands(std::string text, ReadOptions options) {
  return std::make_unique<Commands>(std::move(text), std::move(options));
}

Result<std::unique_ptr<ParsedRecord>> parse_record(std::string_view json, const Keys& keys) {
  auto parsed = std::make_unique<ParsedRecord>(ParsedRecord{std::string(json), {}, Record(keys.size())});
  JsonText text(parsed->text);
  RecordHandler handler(text, keys, parsed->record);
  handler.begin(0);
  rapidjson::Reader parser;
  const auto result = parser.Parse<json_flags>(text, handler);
  if (result.IsError() || !handler.is_object()) return fail("not a JSON object");
  parsed->decoded = text.take_decoded();
  return parsed;
}

}  // namespace roofline
