#include "network/torch/program.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>
#include <set>
#include <unordered_map>

#include "base/json.hpp"
#include "base/python_json.hpp"
#include "network/torch/module_path.hpp"

namespace roofline::torch_export {
namespace {

constexpr std::string_view a_program = "an exported program of PyTorch: {\"graph_module\": {\"graph\": ...}, \"schema_version\": ...}";
constexpr double oldest_schema = 5, newest_schema = 8;
constexpr int deepest_body = 16;
constexpr double no_limit = 4e18;  ///< PyTorch's "any length" is a number near 2^63

/// PyTorch's ScalarType by its number in the file.
TensorType type_by_number(double number) {
  constexpr std::pair<int, const char*> formats[] = {{1, "int8"},   {2, "int8"},      {3, "int16"},     {4, "int32"},     {5, "int64"},
                                                     {6, "fp16"},   {7, "fp32"},      {8, "fp64"},      {12, "int8"},     {13, "bf16"},
                                                     {28, "int16"}, {29, "fp8_e4m3"}, {30, "fp8_e5m2"}, {31, "fp8_e4m3"}, {32, "fp8_e5m2"}};
  for (const auto& [id, format] : formats)
    if (id == number) return element_type(format);
  TensorType other;
  for (const auto& [id, bits] : {std::pair(9, 32), std::pair(10, 64), std::pair(11, 128)})  // complex numbers
    if (id == number) other.bits = bits;
  return other;
}

class ProgramReader {
 public:
  Result<Program> read(const Json& root) {
    const Json& module = member(root, "graph_module");
    if (!member(module, "graph").is_object()) return fail("expected the graph of " + std::string(a_program), "graph_module.graph");
    read_facts(root);
    read_roles(member(module, "signature"));
    Body main;
    if (auto read = read_graph(member(module, "graph"), "graph_module.graph", {}, 0, main); !read) return Unexpected(read.error());
    out_.calls = std::move(main.calls);
    out_.outputs = std::move(main.outputs);
    find_examples();
    for (const TensorId id : main.inputs)
      if (id != no_tensor && out_.tensors[id].role == Role::input) out_.inputs.push_back(id);
    return std::move(out_);
  }

 private:
  /// Names within one graph.
  struct Scope {
    std::unordered_map<std::string, TensorId> tensors;
    std::unordered_map<std::string, Number> numbers;
  };

  void read_facts(const Json& root) {
    if (const std::string version = text_of(member(root, "torch_version")); !version.empty()) out_.producer = "PyTorch " + version;
    const Json& stated = member(root, "schema_version");
    const double major = stated.is_object() ? number_of(member(stated, "major")) : number_of(stated);
    if (known(major) && (major < oldest_schema || major > newest_schema))
      out_.notes.push_back("the file's schema is version " + roofline::number(major) + ": read as 5 to 8 are");
    for (const auto& [name, range] : member(root, "range_constraints").items()) {
      const double least = number_of(member(range, "min_val")), greatest = number_of(member(range, "max_val"));
      Symbol& symbol = out_.symbols[name];
      if (least >= 0) symbol.least = least;
      if (greatest < no_limit) symbol.greatest = greatest;
    }
  }

  /// Which of the graph's inputs are weights, and how the module calls them.
  void read_roles(const Json& signature) {
    for (const Json& spec : member(signature, "input_specs"))
      for (const auto& [kind, of] : spec.items()) {
        const Role role = kind == "parameter"         ? Role::parameter
                          : kind == "buffer"          ? Role::buffer
                          : kind == "tensor_constant" ? Role::constant
                                                      : Role::input;
        if (role == Role::input) continue;
        const std::string name = text_of(member(member(of, "arg"), "name"));
        roles_[name] = {role, text_of(member(of, kind + "_name"))};
      }
  }

  std::uint32_t expression(const Json& as_expr) {
    const std::string text = text_of(member(as_expr, "expr_str"));
    const auto [at, is_new] = expressions_.emplace(text, static_cast<std::uint32_t>(out_.expressions.size()));
    if (is_new) out_.expressions.emplace_back(text);
    const LengthExpression& read = out_.expressions[at->second];
    const double example = number_of(member(member(as_expr, "hint"), "as_int"));
    if (known(example) && read.is_name()) out_.symbols[read.names()[0]].example = example;
    if (known(example) && is_new) examples_.emplace_back(at->second, example);
    return at->second;
  }

  /// Of symbols that only expressions have, such as 8*s3: the length for which one is as it was while exporting.
  void find_examples() {
    constexpr double longest = 1e5;
    for (const auto& [expression, example] : examples_) {
      const LengthExpression& read = out_.expressions[expression];
      if (read.names().size() != 1) continue;
      double& of = out_.symbols[read.names()[0]].example;
      for (double length = 1; !known(of) && length <= std::min(example, longest); ++length)
        if (read.at(std::vector{length}) == example) of = length;
    }
  }

  /// {"as_int": 3}, {"as_expr": ...}, {"as_name": ...}, or a number or a truth value itself.
  Number number_in(const Json& value, const Scope& scope) {
    if (value.is_boolean()) return {value.get<bool>() ? 1.0 : 0.0};
    if (!value.is_object()) return {number_of(value)};
    for (const auto& [kind, of] : value.items()) {
      if (kind == "as_expr") return {unknown, expression(of)};
      if (kind == "as_name") {
        const auto found = scope.numbers.find(text_of(of));
        return found == scope.numbers.end() ? Number() : found->second;
      }
      return number_in(of, scope);
    }
    return {};
  }

  TensorId add_tensor(const std::string& name, const Json& meta, const Scope& scope, bool main) {
    Tensor tensor;
    tensor.name = name;
    tensor.type = type_by_number(number_of(member(meta, "dtype")));
    for (const Json& size : member(meta, "sizes")) tensor.sizes.push_back(number_in(size, scope));
    if (const auto role = roles_.find(name); main && role != roles_.end()) {
      tensor.role = role->second.first;
      tensor.name = role->second.second;
    }
    out_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(out_.tensors.size() - 1);
  }

  /// `bound`: what the graph is given, in the order of its inputs; empty for the main one.
  Result<void> read_graph(const Json& graph, const std::string& path, const std::vector<TensorId>& bound, int depth, Body& out) {
    if (depth > deepest_body) return fail("expected graphs within graphs to a depth of 16", path);
    Scope scope;
    for (const char* numbers : {"sym_int_values", "sym_bool_values", "sym_float_values"})
      for (const auto& [name, value] : member(graph, numbers).items()) scope.numbers[name] = number_in(value, scope);
    const Json& inputs = member(graph, "inputs");
    std::size_t place = 0;
    const Json& metas = member(graph, "tensor_values");
    std::set<std::string> given;
    for (const Json& input : inputs) {
      const std::string name = text_of(member(member(input, "as_tensor"), "name"));
      const TensorId outer = place < bound.size() ? bound[place] : no_tensor;
      ++place;
      if (name.empty()) continue;
      const Json& meta = member(metas, name);
      if (!meta.is_object()) return fail("the input \"" + name + "\" has no sizes: expected it in tensor_values", path);
      const bool same = outer != no_tensor && out_.tensors[outer].sizes.size() == member(meta, "sizes").size();
      const TensorId id = same ? outer : add_tensor(name, meta, scope, depth == 0);
      if (depth == 0 && out_.tensors[id].role == Role::computed) out_.tensors[id].role = Role::input;
      scope.tensors[name] = id;
      out.inputs.push_back(id);
      given.insert(name);
    }
    for (const auto& [name, meta] : metas.items())
      if (!given.contains(name)) scope.tensors[name] = add_tensor(name, meta, scope, depth == 0);
    place = 0;
    for (const Json& node : member(graph, "nodes"))
      if (auto read = read_call(node, path + ".nodes[" + std::to_string(place++) + ']', scope, depth, out); !read) return read;
    for (const Json& output : member(graph, "outputs"))
      if (auto read = read_tensors(output, path + ".outputs", scope, out.outputs); !read) return read;
    return {};
  }

  /// The tensors of one argument, of whichever form; None is no_tensor.
  Result<void> read_tensors(const Json& argument, const std::string& path, const Scope& scope, std::vector<TensorId>& out, int nested = 0) {
    if (argument.is_array() && nested < deepest_body) {
      for (const Json& one : argument)
        if (auto read = read_tensors(one, path, scope, out, nested + 1); !read) return read;
      return {};
    }
    if (!argument.is_object()) return {};
    if (const Json& name = member(argument, "name"); name.is_string() && !argument.contains("graph") && !argument.contains("class_fqn")) {
      const auto found = scope.tensors.find(text_of(name));
      if (found == scope.tensors.end())
        return fail("the tensor \"" + text_of(name) + "\" is not in tensor_values: expected its sizes there", path);
      out.push_back(found->second);
      return {};
    }
    for (const auto& [kind, of] : argument.items()) {
      if (kind == "as_none")
        out.push_back(no_tensor);
      else if (kind.find("tensor") != std::string::npos && nested < deepest_body)
        return read_tensors(of, path, scope, out, nested + 1);
    }
    return {};
  }

  Result<void> read_argument(const Json& input, const std::string& path, const Scope& scope, Argument& out) {
    out.name = text_of(member(input, "name"));
    for (const auto& [kind, of] : member(input, "arg").items()) {
      if (kind.find("tensor") != std::string::npos) return read_tensors(member(input, "arg"), path, scope, out.tensors);
      if (kind == "as_string" || kind == "as_operator") out.text = text_of(of);
      const bool numbers = kind == "as_scalar_type" || kind.starts_with("as_int") || kind.starts_with("as_float") ||
                           kind.starts_with("as_bool") || kind.starts_with("as_sym_");
      if (!numbers) continue;
      if (of.is_array())
        for (const Json& one : of) out.numbers.push_back(number_in(one, scope));
      else
        out.numbers.push_back(number_in(of, scope));
    }
    return {};
  }

  Result<void> read_call(const Json& node, const std::string& path, Scope& scope, int depth, Body& out) {
    Call call;
    if (!member(node, "target").is_string()) return fail("expected the name of an operator", path + ".target");
    split_target(text_of(member(node, "target")), call);
    call.module = module_path(text_of(member(member(node, "metadata"), "nn_module_stack")));
    std::vector<const Json*> graphs;
    std::vector<TensorId> given;  // to the graphs: what follows them
    std::size_t place = 0;
    for (const Json& input : member(node, "inputs")) {
      const std::string at = path + ".inputs[" + std::to_string(place++) + ']';
      if (const Json& graph = member(member(input, "arg"), "as_graph"); graph.is_object()) {
        graphs.push_back(&graph);
        continue;
      }
      Argument argument;
      if (auto read = read_argument(input, at, scope, argument); !read) return read;
      if (!graphs.empty()) {
        given.insert(given.end(), argument.tensors.begin(), argument.tensors.end());
        if (argument.tensors.empty()) given.resize(given.size() + std::max<std::size_t>(1, argument.numbers.size()), no_tensor);
      }
      call.arguments.push_back(std::move(argument));
    }
    for (const Json& output : member(node, "outputs"))
      if (auto read = read_tensors(output, path + ".outputs", scope, call.outputs); !read) return read;
    for (const Json* graph : graphs) {
      Body body;
      body.name = text_of(member(*graph, "name"));
      if (auto read = read_graph(member(*graph, "graph"), path + ".graph", given, depth + 1, body); !read) return read;
      call.bodies.push_back(std::move(body));
    }
    if (runs_once(call)) return inline_body(node, call, scope, out);
    for (const TensorId id : call.outputs)
      if (id != no_tensor && call.name.empty()) call.name = out_.tensors[id].name;
    out.calls.push_back(std::move(call));
    return {};
  }

  /// A graph that is only run in another mode, such as without gradients, or under a name.
  static bool runs_once(const Call& call) {
    return call.bodies.size() == 1 &&
           (call.target.starts_with("wrap") || call.target.starts_with("invoke_subgraph") || call.target == "tag_activation_checkpoint");
  }

  /// Its calls belong to the graph around it, whose names for the results are those of what is computed within.
  static Result<void> inline_body(const Json& node, Call& call, Scope& scope, Body& out) {
    Body& body = call.bodies[0];
    std::vector<std::string> names;
    const auto collect = [&](const Json& output) {
      for (const auto& [kind, of] : output.items())
        if (of.is_array())
          for (const Json& one : of) names.push_back(text_of(member(one, "name")));
        else
          names.push_back(text_of(member(of, "name")));
    };
    for (const Json& output : member(node, "outputs")) collect(output);
    for (std::size_t i = 0; i < names.size() && i < body.outputs.size(); ++i)
      if (body.outputs[i] != no_tensor) scope.tensors[names[i]] = body.outputs[i];
    std::move(body.calls.begin(), body.calls.end(), std::back_inserter(out.calls));
    return {};
  }

  /// "torch.ops.aten.linear.default".
  static void split_target(std::string_view text, Call& call) {
    for (const std::string_view before : {"torch.ops.", "executorch_exir_dialects_edge._ops."})
      if (text.starts_with(before)) text.remove_prefix(before.size());
    const std::size_t first = text.find('.');
    call.space = text.substr(0, first);
    std::string_view rest = first == std::string_view::npos ? std::string_view() : text.substr(first + 1);
    call.target = rest.substr(0, rest.find('.'));
  }

  Program out_;
  std::unordered_map<std::string, std::pair<Role, std::string>> roles_;
  std::unordered_map<std::string, std::uint32_t> expressions_;
  std::vector<std::pair<std::uint32_t, double>> examples_;  ///< an expression, and its value while exporting
};

/// Weights that are stored as another one: tied.
void find_shared(Program& program, std::string_view config) {
  const Json read = Json::parse(config, nullptr, false);
  std::unordered_map<std::string, std::string> stored;
  for (const auto& [name, of] : member(read, "config").items())
    if (const std::string path = text_of(member(of, "path_name")); !path.empty()) stored[name] = path;
  std::unordered_map<std::string, TensorId> first;
  for (TensorId id = 0; id < program.tensors.size(); ++id) {
    Tensor& tensor = program.tensors[id];
    const auto found = stored.find(tensor.name);
    if (found == stored.end() || (tensor.role != Role::parameter && tensor.role != Role::buffer)) continue;
    if (const auto [at, is_first] = first.emplace(found->second, id); !is_first) tensor.same_as = at->second;
  }
}

}  // namespace

const Argument* Call::find(std::string_view argument) const {
  for (const Argument& a : arguments)
    if (a.name == argument) return &a;
  return nullptr;
}

Result<Program> read_program(std::string_view json, std::string_view weights_config) {
  const Result<Json> root = parse_json(plain_json(json), a_program);
  if (!root) return Unexpected(root.error());
  Result<Program> program = ProgramReader().read(*root);
  if (program && !weights_config.empty()) find_shared(*program, weights_config);
  return program;
}

}  // namespace roofline::torch_export
