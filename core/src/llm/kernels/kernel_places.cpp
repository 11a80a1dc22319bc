#include "llm/kernels/kernel_places.hpp"

#include <algorithm>
#include <map>
#include <roofline/base/text.hpp>

namespace roofline {
namespace {

class Placing {
 public:
  Placing(const std::vector<StepKernel>& kernels, const Model& model) : kernels_(kernels), model_(model), places_(kernels.size()) {
    for (const StepKernel& kernel : kernels) classes_.push_back(kernel_class(kernel.name));
  }

  Result<std::vector<KernelPlace>> run() {
    find_layers();
    if (static_cast<double>(layers_.size()) != model_.layers)
      return fail("the step has " + std::to_string(layers_.size()) + " attentions one after the other, and " + model_.name + " has " +
                  number(model_.layers) + " layers: expected the model that the trace is of");
    for (std::size_t s = 0; s <= layers_.size(); ++s) place_segment(s);
    place_attention();
    for (std::size_t i = 1; i < kernels_.size(); ++i)
      if (finishes_another(kernels_[i].name)) places_[i] = places_[i - 1];
    return std::move(places_);
  }

 private:
  /// Attention of one layer: kernels of attention with no product between them.
  struct Layer {
    std::size_t begin, end;
    double time_s;
  };

  [[nodiscard]] bool is(std::size_t i, KernelClass c) const { return classes_[i] == c && !finishes_another(kernels_[i].name); }

  void find_layers() {
    bool product = true;
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
      if (is(i, KernelClass::product)) product = true;
      if (!is(i, KernelClass::attention)) continue;
      if (product) layers_.push_back({i, i, 0});
      product = false;
      layers_.back().end = i + 1;
      layers_.back().time_s += kernels_[i].time_s;
    }
  }

  /// What lies between the attention before and the one after; before the first and after the last, too.
  void place_segment(std::size_t s) {
    const bool first = s == 0, last = s == layers_.size();
    const std::size_t begin = first ? 0 : layers_[s - 1].begin, end = last ? kernels_.size() : layers_[s].begin;
    std::vector<std::size_t> products;
    bool experts = false;
    for (std::size_t i = begin; i < end; ++i) {
      if (is(i, KernelClass::product)) products.push_back(i);
      experts = experts || is(i, KernelClass::experts);
    }
    if (first) qkv_products_ = products.size();

    // Up to the first norm after attention it is the output projection; the last products are the next layer's queries, keys and values,
    // or after the last layer the LM head.
    std::size_t outputs = 0, tail = 0;
    if (!first) {
      const std::size_t norm = next(KernelClass::norm, begin, end);
      while (outputs < products.size() && products[outputs] < norm) ++outputs;
      if (norm == end) outputs = std::min<std::size_t>(1, products.size());
      const std::size_t inner = products.size() - outputs;
      tail = last ? (inner > mlp_products_ || model_.layers == 1 ? std::min<std::size_t>(1, inner) : 0) : std::min(qkv_products_, inner);
      mlp_products_ = inner - tail;
    } else {
      tail = products.size();
    }
    for (std::size_t p = 0; p < products.size(); ++p) {
      const std::size_t after = products.size() - 1 - p;  // products that follow
      KernelPlace& place = places_[products[p]];
      if (p < outputs)
        place = model_.mla() ? KernelPlace::qkv : KernelPlace::output;
      else if (after < tail)
        place = last ? KernelPlace::head : KernelPlace::qkv;
      else if (experts)
        place = p == outputs ? KernelPlace::router : model_.shared_intermediate > 0 ? KernelPlace::shared_experts : KernelPlace::none;
      else if (products.size() - outputs - tail >= 2)
        place = after == tail ? KernelPlace::mlp_out : KernelPlace::mlp_in;
    }
    const std::size_t projected = tail > 0 && !last ? products[products.size() - tail] : end;
    const std::size_t first_norm = next(KernelClass::norm, begin, end);
    for (std::size_t i = begin; i < end; ++i) place_other(i, i > projected, first && i < first_norm && i < projected, experts);
  }

  void place_other(std::size_t i, bool projected, bool at_start, bool experts) {
    switch (classes_[i]) {
      case KernelClass::embedding:
        if (at_start) places_[i] = KernelPlace::embedding;
        break;
      case KernelClass::norm:
        places_[i] = projected && (model_.qk_norm || model_.mla()) ? KernelPlace::rope : KernelPlace::norms;
        break;
      case KernelClass::rope:
        places_[i] = KernelPlace::rope;
        break;
      case KernelClass::cache:
        places_[i] = KernelPlace::cache;
        break;
      case KernelClass::activation:
        places_[i] = experts ? KernelPlace::experts : KernelPlace::activation;
        break;
      case KernelClass::experts:
        places_[i] = KernelPlace::experts;
        break;
      case KernelClass::sum:
        places_[i] = KernelPlace::all_reduce;
        break;
      case KernelClass::exchange:
        places_[i] = KernelPlace::all_to_all;
        break;
      default:
        break;
    }
  }

  [[nodiscard]] std::size_t next(KernelClass c, std::size_t begin, std::size_t end) const {
    while (begin < end && !is(begin, c)) ++begin;
    return begin;
  }

  /// Layers with a window are told by their kernel's name where as many have it as the model has such layers; where both kinds are equally
  /// many, the one that takes longer has no window.
  void place_attention() {
    std::map<std::string_view, std::pair<std::size_t, double>> kinds;  // by the first kernel's name: layers and time
    for (const Layer& layer : layers_) {
      auto& [count, time] = kinds[kernels_[layer.begin].name];
      ++count;
      time += layer.time_s;
    }
    std::string_view windowed;
    const double windows = model_.windowed_layers;
    if (kinds.size() == 2 && windows > 0) {
      const auto &a = *kinds.begin(), &b = *std::next(kinds.begin());
      const auto [count_a, time_a] = a.second;
      const auto [count_b, time_b] = b.second;
      if (count_a == count_b)
        windowed = time_a < time_b ? a.first : b.first;
      else
        windowed = static_cast<double>(count_a) == windows ? a.first : static_cast<double>(count_b) == windows ? b.first : "";
      if (static_cast<double>(kinds[windowed].first) != windows) windowed = {};
    }
    for (const Layer& layer : layers_)
      for (std::size_t i = layer.begin; i < layer.end; ++i)
        if (classes_[i] == KernelClass::attention)
          places_[i] =
              !windowed.empty() && kernels_[layer.begin].name == windowed ? KernelPlace::windowed_attention : KernelPlace::attention;
  }

  const std::vector<StepKernel>& kernels_;
  const Model& model_;
  std::vector<KernelClass> classes_;
  std::vector<KernelPlace> places_;
  std::vector<Layer> layers_;
  std::size_t qkv_products_ = 0, mlp_products_ = 0;
};

}  // namespace

Result<std::vector<KernelPlace>> places_of(const std::vector<StepKernel>& kernels, const Model& model) {
  return Placing(kernels, model).run();
}

}  // namespace roofline
