#include <algorithm>
#include <array>
#include <optional>
#include <roofline/machine/format.hpp>
#include <roofline/registry/registry.hpp>

#include "base/joined.hpp"
#include "base/json.hpp"
#include "registry/program.hpp"

namespace roofline {
namespace {

/// How names compare. One without a Latin letter or digit stands for itself.
std::string look_up_name(std::string_view name) {
  std::string out = normalised(name);
  return out.empty() ? std::string(name) : out;
}

/// What an operation of a registry may say. The FLOP keys come first; see docs/reference/registry.md.
struct Quantity {
  std::string_view key;
  double Work::* target;  // null: bytes
  double factor;
};
constexpr Quantity quantities[] = {{"macs", &Work::matrix_flops, 2},
                                   {"flops", &Work::matrix_flops, 1},
                                   {"matrix_flops", &Work::matrix_flops, 1},
                                   {"vector_flops", &Work::vector_flops, 1},
                                   {"bytes", nullptr, 1},
                                   {"weight", &Work::weight, 1},
                                   {"activation", &Work::activation, 1},
                                   {"output", &Work::output, 1},
                                   {"kv_read", &Work::kv_read, 1},
                                   {"kv_write", &Work::kv_write, 1}};
constexpr std::string_view settings[] = {"symbol", "category", "names", "note", "let", "require", "unit"};

std::string in_column(const Error& error) { return "column " + std::to_string(error.column) + ": " + error.message; }

}  // namespace

Result<RegistryWork> RegistryOperation::derive(const Record& record, double dt_size) const {
  const auto fault = [this](const Part& part, std::string message, std::string path = {}) {
    return fail(type + ": " + part.name + ": " + std::move(message), std::move(path));
  };
  std::array<double, max_lets + 1> variables{dt_size};
  std::size_t known = 1;
  const auto value_of = [&](const Part& part) { return part.expression.evaluate(record, std::span(variables).first(known)); };

  for (const Part& let : lets_) {
    const Result<double> value = value_of(let);
    if (!value) return fault(let, in_column(value.error()), value.error().path);
    variables[known++] = *value;
  }
  for (const Part& requirement : requirements_) {
    const Result<double> value = value_of(requirement);
    if (!value) return fault(requirement, in_column(value.error()), value.error().path);
    if (*value == 0) return fault(requirement, requirement.expression.text() + " does not hold");
  }
  RegistryWork out;
  for (const Part& part : parts_) {
    const Result<double> value = value_of(part);
    if (!value) return fault(part, in_column(value.error()), value.error().path);
    if (*value < 0) return fault(part, "the result is negative");
    if (*value >= 0x1p63) return fault(part, "the result is 2^63 or more");
    if (part.quantity) {
      out.work.*part.quantity += *value * part.factor;
    } else {
      out.bytes = *value;
      out.has_bytes = true;
    }
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> RegistryOperation::formulas() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto* parts : {&lets_, &requirements_, &parts_})
    for (const Part& part : *parts) out.emplace_back(part.name, part.expression.text());
  return out;
}

/// Reads one operation. The first error counts.
class RegistryParser {
 public:
  RegistryParser(const std::string& type, Keys& keys) : keys_(keys), path_("ops." + type) { operation_.type = type; }

  Result<RegistryOperation> parse(const Json& json) {
    if (!json.is_object()) return fail(std::string("expected an object, found ") + kind_of(json), path_);
    check_keys(json);
    if (const Json& note = member(json, "note"); !note.is_null()) text(note, "note");
    if (const Json& category = member(json, "category"); !category.is_null()) operation_.category = text(category, "category");
    if (const Json& symbol = member(json, "symbol"); !symbol.is_null()) read_symbol(text(symbol, "symbol"));
    if (const Json& names = member(json, "names"); !names.is_null()) read_names(names);
    if (const Json& unit = member(json, "unit"); !unit.is_null()) read_unit(text(unit, "unit"));
    if (const Json& let = member(json, "let"); !let.is_null()) read_let(let);
    if (const Json& require = member(json, "require"); !require.is_null()) read_require(require);
    for (const Quantity& quantity : quantities) {
      const Json& formula = member(json, quantity.key);
      if (formula.is_null()) continue;
      const bool to_vector = on_vector_ && quantity.target == &Work::matrix_flops;
      add_part(operation_.parts_, std::string(quantity.key), std::string(quantity.key), formula,
               to_vector ? &Work::vector_flops : quantity.target, quantity.factor);
    }
    if (error_) return Unexpected(*error_);
    return std::move(operation_);
  }

 private:
  using Part = RegistryOperation::Part;

  void error(std::string message, const std::string& key = {}) {
    if (!error_) error_ = Error{std::move(message), 0, 0, key.empty() ? path_ : path_ + "." + key};
  }

  std::string text(const Json& json, const std::string& key) {
    if (!json.is_string()) error(std::string("expected a text, found ") + kind_of(json), key);
    return text_of(json);
  }

  /// A misspelt "byts" must not pass silently, nor two answers to one question.
  void check_keys(const Json& json) {
    std::vector<std::string_view> known(std::begin(settings), std::end(settings));
    for (const Quantity& quantity : quantities) known.push_back(quantity.key);
    for (const auto& [key, value] : json.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end()) error("unknown key '" + key + "', " + expected_one_of(known));
      if (value.is_null()) error("expected a value, found null", key);
    }

    const auto has = [&](std::string_view key) { return !member(json, key).is_null(); };
    if (has("macs") + has("flops") + (has("matrix_flops") || has("vector_flops")) > 1)
      error("expected only one of macs, flops, and matrix_flops with vector_flops");
    if (has("unit") && !has("macs") && !has("flops")) error("unit says where macs or flops go, and there are none");
    const bool counts = has("weight") || has("activation") || has("output") || has("kv_read") || has("kv_write");
    if (has("bytes") == counts)
      error(counts ? "expected either bytes or element counts, not both"
                   : "expected bytes, or element counts: weight, activation, output, kv_read, kv_write");
  }

  void read_symbol(std::string name) {
    if (name == "triangle-up") name = "triangle";  // as Plotly, and so the seed, calls it
    std::vector<std::string_view> known;
    for (const Symbol symbol :
         {Symbol::square, Symbol::circle, Symbol::triangle, Symbol::diamond, Symbol::star, Symbol::cross, Symbol::x}) {
      known.push_back(to_string(symbol));
      if (name != known.back()) continue;
      operation_.symbol = symbol;
      return;
    }
    error("unknown symbol '" + name + "', " + expected_one_of(known), "symbol");
  }

  void read_unit(const std::string& name) {
    on_vector_ = name == "vector";
    if (!on_vector_ && name != "matrix") error("unknown unit '" + name + "', expected matrix or vector", "unit");
  }

  void read_names(const Json& json) {
    if (!json.is_array()) return error(std::string("expected an array of texts, found ") + kind_of(json), "names");
    for (const Json& name : json) operation_.names.push_back(text(name, "names"));
  }

  void read_let(const Json& json) {
    if (!json.is_object()) return error(std::string("expected an object, found ") + kind_of(json), "let");
    if (json.size() > RegistryOperation::max_lets)
      return error("expected at most " + std::to_string(RegistryOperation::max_lets) + " names, found " + std::to_string(json.size()),
                   "let");
    for (const auto& [name, formula] : json.items()) {
      if (!is_name(name)) error("'" + name + "' is no name: expected letters, digits and _, not starting with a digit", "let");
      add_part(operation_.lets_, "let " + name, "let." + name, formula);
      variables_.names.push_back(name);
    }
  }

  void read_require(const Json& json) {
    if (!json.is_array()) return error(std::string("expected an array of expressions, found ") + kind_of(json), "require");
    for (std::size_t i = 0; i < json.size(); ++i)
      add_part(operation_.requirements_, "require", "require[" + std::to_string(i) + "]", json[i]);
  }

  static bool is_name(const std::string& name) {
    return !name.empty() && program::is_name_start(name[0]) &&
           std::all_of(name.begin(), name.end(), [](char c) { return program::is_name_start(c) || is_digit(c); });
  }

  void add_part(std::vector<Part>& parts, std::string name, const std::string& key, const Json& formula, double Work::* quantity = nullptr,
                double factor = 1) {
    if (!formula.is_string() && !formula.is_number())
      return error(std::string("expected an expression in quotes or a number, found ") + kind_of(formula), key);
    Result<Expression> expression = Expression::compile(formula.is_string() ? text_of(formula) : compact(formula), keys_, variables_);
    if (!expression) return error(in_column(expression.error()), key);
    parts.push_back(Part{std::move(name), std::move(*expression), quantity, factor});
  }

  RegistryOperation operation_;
  Keys& keys_;
  Variables variables_{{"dt_size"}};
  std::string path_;
  bool on_vector_ = false;
  std::optional<Error> error_;
};

Result<void> Registry::add(std::string_view json, Keys& keys) {
  const Result<Json> root = parse_json(json, "a registry: {\"ops\": {\"ID_MY_OP\": {...}}}");
  if (!root) return Unexpected(root.error());
  const Json& ops = member(*root, "ops");
  if (!ops.is_object()) return fail("expected a registry: {\"ops\": {\"ID_MY_OP\": {...}}}");
  for (const auto& item : root->items())
    if (item.key() != "ops" && item.key() != "note") return fail("unknown key '" + item.key() + "', expected ops, note");

  std::vector<RegistryOperation> added;
  std::unordered_map<std::string, std::string> owners;  // of each name in this file
  for (const auto& item : ops.items()) {
    Result<RegistryOperation> operation = RegistryParser(item.key(), keys).parse(item.value());
    if (!operation) return Unexpected(operation.error());
    std::vector<std::string> all = operation->names;
    all.push_back(operation->type);
    for (const std::string& name : all) {
      const auto [owner, is_new] = owners.try_emplace(look_up_name(name), operation->type);
      if (!is_new && owner->second != operation->type)
        return fail("'" + name + "' is already defined as " + owner->second, "ops." + operation->type);
    }
    added.push_back(std::move(*operation));
  }

  for (RegistryOperation& operation : added) {
    const std::string name = look_up_name(operation.type);
    operations_.erase(std::remove_if(operations_.begin(), operations_.end(),
                                     [&](const RegistryOperation& old) { return look_up_name(old.type) == name; }),
                      operations_.end());
    operations_.push_back(std::move(operation));
  }
  by_name_.clear();
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    for (const std::string& name : operations_[i].names) by_name_[look_up_name(name)] = i;
    by_name_[look_up_name(operations_[i].type)] = i;
  }
  return {};
}

const RegistryOperation* Registry::find(std::string_view type) const {
  const auto found = by_name_.find(look_up_name(type));
  return found == by_name_.end() ? nullptr : &operations_[found->second];
}

}  // namespace roofline
