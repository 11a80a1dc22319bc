#include "analysis/slice.hpp"

namespace roofline {
namespace {

using Standard = std::array<double, Plan::block_size>;
constexpr Standard filled(double value) {
  Standard a{};
  for (double& v : a) v = value;
  return a;
}
constexpr Standard zeros = filled(0), ones = filled(1), unknowns = filled(unknown);

}  // namespace

Slicer::Slicer(const Workload& w) : workload_(w) {
  const auto add = [&](const std::vector<double>& column, const double*& to, const double* standard) {
    if (column.empty())
      to = standard;
    else
      columns_[columns_count_++] = {column.data(), &to};
  };
  add(w.matrix_flops, slice_.matrix_flops, zeros.data());
  add(w.vector_flops, slice_.vector_flops, zeros.data());
  add(w.bytes, slice_.bytes, nullptr);
  add(w.time_s, slice_.time_s, unknowns.data());
  add(w.self_time_s, slice_.self_time_s, nullptr);
  add(w.count, slice_.occurrences, ones.data());
  without_roles_ = columns_count_;
  add(w.weight, slice_.weight, zeros.data());
  add(w.activation, slice_.activation, zeros.data());
  add(w.output, slice_.output, zeros.data());
  add(w.kv_read, slice_.kv_read, zeros.data());
  add(w.kv_write, slice_.kv_write, zeros.data());
  add(w.given_bytes, slice_.given, unknowns.data());
  channels_.resize(w.channels.size());
  slice_.channels = channels_.data();
}

const Plan::Slice& Slicer::contiguous(std::size_t first, std::size_t count) {
  slice_.count = count;
  slice_.op_class = workload_.op_class.data() + first;
  slice_.sizes = workload_.sizes.empty() ? nullptr : workload_.sizes.data() + first;
  for (std::size_t c = 0; c < columns_count_; ++c) *columns_[c].to = columns_[c].from + first;
  for (std::size_t k = 0; k < channels_.size(); ++k) channels_[k] = workload_.channels[k].bytes.data() + first;
  return slice_;
}

const Plan::Slice& Slicer::gathered(const std::uint32_t* ops, std::size_t count, bool roles) {
  classes_.resize(Plan::block_size);
  copies_.resize((columns_count_ + channels_.size()) * Plan::block_size);
  slice_.count = count;
  slice_.op_class = classes_.data();
  for (std::size_t j = 0; j < count; ++j) classes_[j] = workload_.op_class[ops[j]];
  slice_.sizes = nullptr;
  if (roles && !workload_.sizes.empty()) {
    sizes_.resize(Plan::block_size);
    for (std::size_t j = 0; j < count; ++j) sizes_[j] = workload_.sizes[ops[j]];
    slice_.sizes = sizes_.data();
  }
  double* copy = copies_.data();
  const auto gather = [&](const double* from) {
    for (std::size_t j = 0; j < count; ++j) copy[j] = from[ops[j]];
    copy += Plan::block_size;
    return static_cast<const double*>(copy - Plan::block_size);
  };
  for (std::size_t c = 0; c < columns_count_; ++c) *columns_[c].to = roles || c < without_roles_ ? gather(columns_[c].from) : nullptr;
  for (std::size_t k = 0; k < channels_.size(); ++k) channels_[k] = gather(workload_.channels[k].bytes.data());
  return slice_;
}

}  // namespace roofline
