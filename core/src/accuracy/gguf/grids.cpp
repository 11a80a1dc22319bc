#include "accuracy/gguf/grids.hpp"

#include <map>
#include <roofline/machine/presets.hpp>
#include <string>

#include "base/json.hpp"

namespace roofline {
namespace {

GgufGrid grid_of(std::size_t dimension, std::vector<double> points) {
  GgufGrid grid{dimension, std::move(points), {}, {}};
  std::map<double, std::uint16_t> places;
  for (std::size_t first = 0; first < grid.points.size(); first += dimension) {
    double squares = 0;
    for (std::size_t k = 0; k < dimension; ++k) squares += grid.points[first + k] * grid.points[first + k];
    const auto [place, is_new] = places.try_emplace(squares, static_cast<std::uint16_t>(grid.lengths.size()));
    if (is_new) grid.lengths.push_back(squares);
    grid.length_of.push_back(place->second);
  }
  return grid;
}

unsigned hex_digit(char c) { return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10); }

GgufGrid read_grid(const Json& json) {
  const auto dimension = static_cast<std::size_t>(number_of(member(json, "dimension")));
  std::vector<double> values;
  for (const Json& value : member(json, "values")) values.push_back(number_of(value));
  const std::string text = text_of(member(json, "points"));
  const unsigned bits = values.size() > 4 ? 3 : 2;
  const std::size_t digits = dimension * bits / 4;
  std::vector<double> points;
  for (std::size_t first = 0; first + digits <= text.size(); first += digits) {
    unsigned word = 0;
    for (std::size_t i = 0; i < digits; ++i) word = word * 16 + hex_digit(text[first + i]);
    for (std::size_t k = 0; k < dimension; ++k) points.push_back(values[word >> (bits * k) & ((1U << bits) - 1)]);
  }
  return grid_of(dimension, std::move(points));
}

}  // namespace

GgufGrid GgufGrid::moved(double delta) const {
  std::vector<double> out = points;
  for (double& x : out) x += delta;
  return grid_of(dimension, std::move(out));
}

GgufGrid GgufGrid::with(const GgufGrid& other) const {
  std::vector<double> out = points;
  out.insert(out.end(), other.points.begin(), other.points.end());
  return grid_of(dimension, std::move(out));
}

const GgufGrid& gguf_grid(std::string_view name) {
  static const auto grids = [] {
    std::map<std::string, GgufGrid, std::less<>> out;
    const Json file = Json::parse(gguf_grids_preset(), nullptr, false);
    for (const Json& grid : member(file, "grids")) out.emplace(text_of(member(grid, "id")), read_grid(grid));
    return out;
  }();
  return grids.find(name)->second;
}

}  // namespace roofline
