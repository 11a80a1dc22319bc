#include "network/torch/stored_weights.hpp"

#include "base/json.hpp"
#include "network/torch/pickle.hpp"

namespace roofline::torch_export {
namespace {

/// Whether elements follow each other as the sizes say, the last dimension first.
bool in_order(const std::vector<double>& sizes, const std::vector<double>& strides) {
  if (sizes.size() != strides.size()) return false;
  double next = 1;
  for (std::size_t i = sizes.size(); i-- > 0; next *= sizes[i])
    if (sizes[i] != 1 && strides[i] != next) return false;
  return true;
}

std::vector<double> numbers_of(const Json& list) {
  std::vector<double> out;
  for (const Json& one : list) out.push_back(number_of(member(one, "as_int")));
  return out;
}

std::vector<double> numbers_of(const Pickled& tuple) {
  std::vector<double> out;
  for (const Pickled& one : tuple->items) out.push_back(one->number);
  return out;
}

/// Adds the weight if the member with its storage's bytes is stored.
void add(StoredWeights& out, const std::string& name, const ZipMembers& members, const std::string& member_name, double first,
         std::uint64_t before = 0) {
  const zip::Member* member = members.find(member_name);
  const std::optional<std::uint64_t> at = member ? members.stored_at(*member) : std::nullopt;
  if (at && first >= 0 && first < 1e15) out[name] = {before + *at, static_cast<std::uint64_t>(first)};
}

/// The arguments of the call that makes a tensor: (storage, offset, sizes, strides, ...). nullptr: another value.
const PickleValue* tensor_of(const PickleValue* value) {
  while (value->items.size() == 2 && value->items[0]->text == "torch._utils _rebuild_parameter") {
    if (value->items[1]->items.empty()) return nullptr;
    value = value->items[1]->items[0].get();
  }
  const bool tensor = value->items.size() == 2 && value->items[0]->text == "torch._utils _rebuild_tensor_v2";
  return tensor && value->items[1]->items.size() >= 4 ? value->items[1].get() : nullptr;
}

/// The folder of a member, with its slash.
std::string folder_of(const zip::Member& member) { return std::string(member.name.substr(0, member.name.rfind('/') + 1)); }

}  // namespace

StoredWeights weights_of_config(const ZipMembers& members, const zip::Member& member_of_config, std::string_view config) {
  StoredWeights out;
  const std::string folder = folder_of(member_of_config);
  const Json read = Json::parse(config, nullptr, false);
  for (const auto& [name, of] : member(read, "config").items()) {
    const Json& meta = member(of, "tensor_meta");
    if (member(of, "use_pickle") == Json(true) || !in_order(numbers_of(member(meta, "sizes")), numbers_of(member(meta, "strides"))))
      continue;
    const double first = known_or(number_of(member(member(meta, "storage_offset"), "as_int")), 0);
    add(out, name, members, folder + text_of(member(of, "path_name")), first);
  }
  return out;
}

StoredWeights weights_of_state_dict(const ByteSource& source, const ZipMembers& members) {
  StoredWeights out;
  const zip::Member* packed = members.find_ending("serialized_state_dict.pt");
  const std::optional<std::uint64_t> at = packed ? members.stored_at(*packed) : std::nullopt;
  if (!at) return out;
  const PartOfFile part(source, *at, packed->size);
  const Result<ZipMembers> saved = ZipMembers::of(part);
  const zip::Member* pickle = saved ? saved->find_ending("/data.pkl") : nullptr;
  if (!pickle) return out;
  const zip::Member* order = saved->find_ending("/byteorder");
  const Result<std::string> endian = order ? saved->read(*order) : Result<std::string>("little");
  const Result<std::string> bytes = saved->read(*pickle);
  const Pickled weights = bytes && endian && *endian == "little" ? read_pickle(*bytes) : nullptr;
  for (std::size_t i = 0; weights && i + 1 < weights->items.size(); i += 2) {
    const PickleValue* tensor = tensor_of(weights->items[i + 1].get());
    if (!tensor || !in_order(numbers_of(tensor->items[2]), numbers_of(tensor->items[3]))) continue;
    const std::vector<Pickled>& storage = tensor->items[0]->items;  // ("storage", type, key, device, elements)
    if (storage.size() > 2)
      add(out, weights->items[i]->text, *saved, folder_of(*pickle) + "data/" + storage[2]->text, tensor->items[1]->number, *at);
  }
  return out;
}

}  // namespace roofline::torch_export
