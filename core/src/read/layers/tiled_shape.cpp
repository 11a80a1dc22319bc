#include "read/layers/tiled_shape.hpp"

namespace roofline {
namespace {

std::string_view without_prefix(std::string_view layout) {
  constexpr std::string_view prefix = "FORMAT_";
  return layout.substr(0, prefix.size()) == prefix ? layout.substr(prefix.size()) : layout;
}

/// Where each dimension comes from, of layouts that only have another order.
struct Order {
  std::string_view layout;
  std::vector<std::size_t> from;
};

}  // namespace

bool is_tiled(std::string_view layout) {
  layout = without_prefix(layout);
  return layout.substr(0, 7) == "FRACTAL" || layout == "NC1HWC0" || layout == "NDC1HWC0";
}

std::optional<std::vector<double>> logical_shape(const std::vector<double>& s, std::string_view layout) {
  layout = without_prefix(layout);
  const std::size_t rank = s.size();
  if (layout == "FRACTAL_NZ" && rank >= 4) {
    std::vector<double> out(s.begin(), s.end() - 4);
    out.push_back(s[rank - 3] * s[rank - 2]);
    out.push_back(s[rank - 4] * s[rank - 1]);
    return out;
  }
  if (layout == "NC1HWC0" && rank == 5) return std::vector<double>{s[0], s[1] * s[4], s[2], s[3]};
  if (layout == "NDC1HWC0" && rank == 6) return std::vector<double>{s[0], s[2] * s[5], s[1], s[3], s[4]};
  if (is_tiled(layout)) return std::nullopt;
  static const std::vector<Order> orders = {
      {"NHWC", {0, 3, 1, 2}}, {"HWCN", {3, 2, 0, 1}}, {"NDHWC", {0, 4, 1, 2, 3}}, {"DHWCN", {4, 3, 0, 1, 2}}};
  for (const Order& order : orders) {
    if (layout != order.layout || rank != order.from.size()) continue;
    std::vector<double> out;
    for (const std::size_t from : order.from) out.push_back(s[from]);
    return out;
  }
  return s;
}

}  // namespace roofline
