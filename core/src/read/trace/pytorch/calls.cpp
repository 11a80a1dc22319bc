#include "read/trace/pytorch/calls.hpp"

#include <array>

#include "base/letters.hpp"
#include "read/operations/arguments.hpp"
#include "read/trace/pytorch/convolutions.hpp"

namespace roofline {

std::uint32_t Calls::index_of(std::string_view name, const PyTorchEvent& event, bool* is_new) {
  words_.assign(name).append(1, '\n').append(event.dims).append(1, '\n').append(event.types).append(1, '\n').append(event.values);
  return written_.of(words_, [&](std::string_view) { return add(name, event, is_new); });
}

std::uint32_t Calls::add(std::string_view name, const PyTorchEvent& event, bool* is_new) {
  Call call{std::string(name), compact(event_json(event.dims)), quoted_words(event.types), quoted_words(event.values)};
  const std::uint32_t id = add(call, call.name + '\n' + call.shapes + '\n' + call.types + '\n' + call.values, is_new);
  if (!*is_new) return id;
  Call& added = calls_[id];
  const ArgumentLists arguments{added.shapes, added.types, added.values};
  added.op = operator_of_call(name, arguments);
  added.formats = formats_of_call(added.op, name, arguments);
  added.complex = contains(added.types, "complex<");
  if (!added.op || added.complex || added.shapes == "null") return id;
  added.work = work_of_call(*added.op, name, arguments);
  if (added.work && added.formats.extra_input_elements != 0) {
    added.work->activation += added.formats.extra_input_elements;
    if (!(added.work->activation > 0)) added.work.reset();
  }
  return id;
}

std::uint32_t Calls::add(const Call& call, const std::string& key, bool* is_new) {
  const std::uint32_t id = keys_.intern(key, is_new);
  if (*is_new) calls_.push_back(call);
  return id;
}

void Calls::complete_convolutions(HostOps& host) {
  Convolutions convolutions;
  for (Call& call : calls_)
    if (const auto work = convolutions.backward(call.name, call.shapes, call.values); work && !call.work) {
      call.op = find_operator("conv2d");
      call.work = work;
    }
  std::vector<std::uint8_t> open(calls_.size());
  for (std::size_t c = 0; c < calls_.size(); ++c) open[c] = !calls_[c].work && contains(calls_[c].name, "conv");
  for (std::uint32_t i = 0; i < host.size(); ++i) {
    if (host[i].call >= open.size() || !open[host[i].call]) continue;
    const Call& call = calls_[host[i].call];
    const bool gradient = contains(call.name, "_backward_");
    if (gradient ? host[i].parent == HostOps::none : !call.op || call.op->family != OpFamily::convolution) continue;
    const Call& around = gradient ? calls_[host[host[i].parent].call] : call;
    const auto work = gradient ? Convolutions::gradient(call.name, around.name, around.shapes) : convolutions.forward(call.shapes);
    if (!work) continue;
    bool is_new = false;
    const Call settled{call.name, around.shapes, around.types, call.values, call.record, find_operator("conv2d"), around.formats, work};
    host.set_call(i, add(settled, call.name + '\n' + around.shapes + "\nby its backward pass", &is_new));
  }
}

void Calls::forget_work_of_views() {
  constexpr std::array views = {"view",   "_unsafe_view", "_reshape_alias", "permute", "transpose", "t",         "expand",
                                "select", "slice",        "narrow",         "split",   "squeeze",   "unsqueeze", "split_with_sizes",
                                "chunk",  "unbind",       "as_strided",     "detach",  "alias",     "expand_as", "view_as"};
  for (Call& call : calls_)
    if (call.name.starts_with("aten::") && std::find(views.begin(), views.end(), std::string_view(call.name).substr(6)) != views.end())
      call.work.reset();
}

}  // namespace roofline
