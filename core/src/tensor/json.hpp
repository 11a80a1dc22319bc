// One tensor of a file as members of a JSON object.
#pragma once

#include <roofline/tensor/tensor.hpp>

#include "base/members.hpp"

namespace roofline {

inline constexpr Member<TensorInfo> tensor_members[] = {
    {"name", schema::text, "empty in .npy", field<&TensorInfo::name>},
    {"type", schema::text, "of an element, as the file writes it", field<&TensorInfo::type>},
    {"shape", schema::series, "",
     [](JsonOut& out, const TensorInfo& t) {
       out.begin_array();
       for (const std::uint64_t length : t.shape) out.count(length);
       out.end_array();
     }},
    {"elements", schema::number, "", field<&TensorInfo::elements>}};

/// Of tensors_json().
[[nodiscard]] ObjectSchema tensors_schema();

}  // namespace roofline
