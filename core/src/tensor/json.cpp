#include "tensor/json.hpp"

namespace roofline {
namespace {

constexpr Member<PackedPart> packed_members[] = {{"offset", schema::count, "in the file, B", field<&PackedPart::offset>},
                                                 {"bytes", schema::count, "", field<&PackedPart::bytes>},
                                                 {"size", schema::count, "unpacked, B", field<&PackedPart::size>},
                                                 {"crc", schema::count, "of what is unpacked", field<&PackedPart::crc>}};

constexpr Member<TensorInfo> place_members[] = {
    {"offset", schema::count, "of its data in the file, or in what is unpacked, B", field<&TensorInfo::offset>},
    {"bytes", schema::count, "", field<&TensorInfo::bytes>},
    {"readable", schema::flag, "whether its type is known",
     [](JsonOut& out, const TensorInfo& t) { out.value(t.element.bytes > 0 && t.bytes > 0); }},
    {"reversed", schema::flag, "in Fortran order", [](JsonOut& out, const TensorInfo&) { out.value(true); },
     [](const TensorInfo& t) { return t.reversed; }},
    {"packed", object_of<packed_members>, "of an archive: where it lies deflated",
     [](JsonOut& out, const TensorInfo& t) { write_object<packed_members>(out, *t.packed); },
     [](const TensorInfo& t) { return t.packed.has_value(); }}};

std::string list_schema() { return list_of(ObjectSchema().with(tensor_members).with(place_members).text()); }
constexpr Member<TensorFile> members[] = {{"format", schema::text, "npy, npz or safetensors", field<&TensorFile::format>},
                                          {"tensors", list_schema, "in the order of their data", [](JsonOut& out, const TensorFile& f) {
                                             out.begin_array();
                                             for (const TensorInfo& tensor : f.tensors)
                                               out.object([&] {
                                                 write_members<tensor_members>(out, tensor);
                                                 write_members<place_members>(out, tensor);
                                               });
                                             out.end_array();
                                           }}};

}  // namespace

std::string tensors_json(const TensorFile& file) {
  return json_text([&](JsonOut& out) { write_object<members>(out, file); });
}

ObjectSchema tensors_schema() { return ObjectSchema().with(members); }

}  // namespace roofline
