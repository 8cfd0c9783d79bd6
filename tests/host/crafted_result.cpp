#include "crafted_result.hpp"

#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "host/checkpoint/parts.hpp"
#include "host/checkpoint/segments.hpp"
#include "host/results/check_block.hpp"
#include "host/results/hdf5_handles.hpp"

namespace livens::host {
namespace {

using hdf5::check;
using hdf5::Handle;

using Lengths = std::vector<hsize_t>;

// --- Types and extents that a place may take
// -----------------------------------------------------------------

Handle copied(hid_t type) { return {H5Tcopy(type), H5Tclose}; }

Handle text_of(std::size_t size) {
  Handle type = copied(H5T_C_S1);
  check(H5Tset_size(type, size));
  return type;
}

Handle pair_of(hid_t type) {
  Handle compound(H5Tcreate(H5T_COMPOUND, 2 * H5Tget_size(type)), H5Tclose);
  check(H5Tinsert(compound, "a", 0, type));
  check(H5Tinsert(compound, "b", H5Tget_size(type), type));
  return compound;
}

Handle array_of(hid_t type, hsize_t length) { return {H5Tarray_create2(type, 1, &length), H5Tclose}; }

Handle wide_enumeration() {
  Handle type(H5Tenum_create(H5T_NATIVE_INT64), H5Tclose);
  const std::int64_t value = 0;
  check(H5Tenum_insert(type, "ok", &value));
  return type;
}

constexpr const char* types[] = {"i8",       "i64",       "u64",
                                 "f32",      "f64",       "big-endian f64",
                                 "text",     "long text", "variable text",
                                 "opaque",   "compound",  "array",
                                 "sequence", "reference", "wide enumeration"};

Handle type_called(const std::string& name) {
  if (name == "i8") return copied(H5T_STD_I8LE);
  if (name == "i64") return copied(H5T_STD_I64LE);
  if (name == "u64") return copied(H5T_STD_U64LE);
  if (name == "f32") return copied(H5T_IEEE_F32LE);
  if (name == "f64") return copied(H5T_IEEE_F64LE);
  if (name == "big-endian f64") return copied(H5T_IEEE_F64BE);
  if (name == "text") return text_of(1);
  if (name == "long text") return text_of(5000);
  if (name == "variable text") return text_of(H5T_VARIABLE);
  if (name == "opaque") return {H5Tcreate(H5T_OPAQUE, 200), H5Tclose};
  if (name == "compound") return pair_of(H5T_IEEE_F64LE);
  if (name == "array") return array_of(H5T_IEEE_F64LE, 100);
  if (name == "sequence") return {H5Tvlen_create(H5T_IEEE_F64LE), H5Tclose};
  if (name == "reference") return copied(H5T_STD_REF_OBJ);
  return wide_enumeration();
}

Handle space_of(const Lengths& lengths) {
  return {H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), nullptr), H5Sclose};
}
Handle scalar() { return {H5Screate(H5S_SCALAR), H5Sclose}; }

bool has_pointers(hid_t type) { return H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0; }

/// Values for `entries` of a type: one byte over and over, but never a pointer.
std::string filled(hid_t type, hsize_t entries, char byte) {
  return std::string(entries * H5Tget_size(type), has_pointers(type) ? '\0' : byte);
}

// --- Attributes
// ----------------------------------------------------------------------------------------------

constexpr const char* attribute_changes[] = {
    "removed", "i8", "i64", "u64", "f32", "f64", "big-endian f64", "text", "long text", "variable text",
    "opaque", "compound", "array", "sequence", "reference", "wide enumeration",
    // of its own type from here on
    "empty", "one in a row", "thousands", "thousands in two dimensions", "all bits", "large", "another text"};

/// The attribute anew.
void put(hid_t object, const std::string& name, hid_t type, hid_t space, char byte) {
  check(H5Adelete(object, name.c_str()));
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  const auto entries = static_cast<hsize_t>(std::max<hssize_t>(H5Sget_simple_extent_npoints(space), 0));
  if (entries > 0) check(H5Awrite(attribute, type, filled(type, entries, byte).data()));
}

void put_text(hid_t object, const std::string& name, const char* text) {
  const Handle type = text_of(H5T_VARIABLE);
  check(H5Adelete(object, name.c_str()));
  const Handle attribute(H5Acreate2(object, name.c_str(), type, scalar(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  check(H5Awrite(attribute, type, &text));
}

void change_attribute(hid_t object, const std::string& name, const std::string& change) {
  if (change == "removed") {
    check(H5Adelete(object, name.c_str()));
    return;
  }
  if (std::find(std::begin(types), std::end(types), change) != std::end(types)) {
    put(object, name, type_called(change), scalar(), 1);
    return;
  }
  if (change == "another text") {
    put_text(object, name, "../../ /a/b . '\x1b[31m'\n\xc2\x9b = 3");
    return;
  }
  std::optional<Handle> type;
  {
    const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    type.emplace(H5Aget_type(attribute), H5Tclose);
  }
  if (change == "empty") put(object, name, *type, Handle(H5Screate(H5S_NULL), H5Sclose), 0);
  if (change == "one in a row") put(object, name, *type, space_of({1}), 1);
  if (change == "thousands") put(object, name, *type, space_of({3000}), 1);
  if (change == "thousands in two dimensions") put(object, name, *type, space_of({2, 1500}), 1);
  if (change == "all bits") put(object, name, *type, scalar(), '\xff');
  if (change == "large") put(object, name, *type, scalar(), '\x7f');
}

// --- Objects
// -------------------------------------------------------------------------------------------------

constexpr const char* object_changes[] = {
    "removed", "i8", "i64", "u64", "f32", "f64", "big-endian f64", "text", "long text", "variable text",
    "opaque", "compound", "array", "sequence", "reference", "wide enumeration",
    // of its own type from here on
    "scalar", "empty", "no rows", "longer", "in two dimensions", "in three dimensions", "of 2^61",
    "of 2^50 without storage", "of 2^32 by 2^32", "unlimited, in huge chunks", "all bits", "200 everywhere",
    "with a filter of nobody", "a group", "the root", "a soft link", "a dangling link", "an external link",
    "a user's link", "a virtual dataset", "external storage"};

/// The attributes of a dataset, to be given to another in its place.
void copy_attributes(hid_t from, hid_t to) {
  H5O_info_t about;
  check(H5Oget_info2(from, &about, H5O_INFO_NUM_ATTRS));
  for (hsize_t i = 0; i < about.num_attrs; ++i) {
    const Handle old(H5Aopen_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose);
    std::string name(200, '\0');
    name.resize(static_cast<std::size_t>(H5Aget_name(old, name.size(), name.data())));
    const Handle type(H5Aget_type(old), H5Tclose), space(H5Aget_space(old), H5Sclose);
    std::string values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * H5Tget_size(type), 0);
    check(H5Aread(old, type, values.data()));
    const Handle anew(H5Acreate2(to, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(H5Awrite(anew, type, values.data()));
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, values.data());
  }
}

/// The replacement of an object, which is kept as /before meanwhile.
class Replacement {
 public:
  Replacement(hid_t file, const std::string& name) : file_(file), name_(name) {
    const Handle object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose);
    check(H5Lmove(file, name.c_str(), file, "/before", H5P_DEFAULT, H5P_DEFAULT));
    if (H5Iget_type(object) != H5I_DATASET) return;
    type_.emplace(H5Dget_type(object), H5Tclose);
    const Handle space(H5Dget_space(object), H5Sclose);
    lengths_.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    check(H5Sget_simple_extent_dims(space, lengths_.data(), nullptr));
  }
  ~Replacement() { H5Ldelete(file_, "/before", H5P_DEFAULT); }

  bool is_dataset() const { return type_.has_value(); }
  hid_t type() const { return *type_; }
  const Lengths& lengths() const { return lengths_; }

  /// A dataset with the attributes of the one before.
  Handle dataset(hid_t type, hid_t space, hid_t properties = H5P_DEFAULT) const {
    Handle made(H5Dcreate2(file_, name_.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                H5Dclose);
    if (is_dataset()) copy_attributes(Handle(H5Dopen2(file_, "/before", H5P_DEFAULT), H5Dclose), made);
    return made;
  }
  void dataset_of(hid_t type, const Lengths& lengths, char byte) const {
    hsize_t entries = 1;
    for (const hsize_t length : lengths) entries *= length;
    const Handle made = dataset(type, lengths.empty() ? scalar() : space_of(lengths));
    if (entries > 0)
      check(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, filled(type, entries, byte).data()));
  }
  /// Nothing is stored of it; its chunks would have the lengths given.
  void chunked(const Lengths& lengths, const Lengths& most, const Lengths& chunk, bool filter = false) const {
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    check(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()));
    if (filter) check(H5Pset_filter(properties, 32100, H5Z_FLAG_OPTIONAL, 0, nullptr));
    const Handle space(H5Screate_simple(static_cast<int>(lengths.size()), lengths.data(), most.data()),
                       H5Sclose);
    dataset(type(), space, properties);
  }

 private:
  hid_t file_;
  std::string name_;
  std::optional<Handle> type_;
  Lengths lengths_;
};

void link_elsewhere(hid_t file, const std::string& name, const std::string& change,
                    const std::string& elsewhere) {
  if (change == "a group")
    Handle(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (change == "the root") check(H5Lcreate_hard(file, "/", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  if (change == "a soft link")
    check(H5Lcreate_soft("/before2", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  if (change == "a dangling link")
    check(H5Lcreate_soft("/nowhere", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  if (change == "an external link")
    check(H5Lcreate_external(elsewhere.c_str(), name.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  if (change == "a user's link") {
    // A class of links of this process; a reader has none of that number.
    const H5L_class_t own = {
        H5L_LINK_CLASS_T_VERS,
        static_cast<H5L_type_t>(200),
        "own",
        nullptr,
        nullptr,
        nullptr,
        [](const char*, hid_t, const void*, size_t, hid_t, hid_t) -> hid_t { return -1; },
        nullptr,
        nullptr};
    check(H5Lregister(&own));
    check(H5Lcreate_ud(file, name.c_str(), own.id, "x", 1, H5P_DEFAULT, H5P_DEFAULT));
    check(H5Lunregister(own.id));
  }
}

void store_elsewhere(const Replacement& place, const std::string& name, const std::string& change,
                     const std::string& elsewhere) {
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle space = space_of(place.lengths());
  if (change == "external storage") check(H5Pset_external(properties, elsewhere.c_str(), 0, H5F_UNLIMITED));
  if (change == "a virtual dataset")
    check(H5Pset_virtual(properties, space, elsewhere.c_str(), name.c_str(), space));
  place.dataset(place.type(), space, properties);
}

void change_dataset(const Replacement& place, const std::string& change) {
  const Lengths& lengths = place.lengths();
  constexpr hsize_t many = hsize_t{1} << 61;
  if (std::find(std::begin(types), std::end(types), change) != std::end(types))
    place.dataset_of(type_called(change), lengths, 1);
  Lengths other = lengths;
  if (change == "scalar") place.dataset_of(place.type(), {}, 1);
  if (change == "empty") place.dataset(place.type(), Handle(H5Screate(H5S_NULL), H5Sclose));
  if (change == "no rows") other[0] = 0, place.dataset_of(place.type(), other, 1);
  if (change == "longer") other[0] += 1, place.dataset_of(place.type(), other, 1);
  if (change == "in two dimensions") other.push_back(1000), place.dataset_of(place.type(), other, 1);
  if (change == "in three dimensions") place.dataset_of(place.type(), {lengths[0], 30, 40}, 1);
  if (change == "of 2^61") place.chunked({many}, {many}, {1 << 10});
  if (change == "of 2^50 without storage") place.dataset(place.type(), space_of({hsize_t{1} << 50}));
  if (change == "of 2^32 by 2^32") {
    constexpr hsize_t half = hsize_t{1} << 32;
    place.chunked({half, half}, {half, half}, {1 << 10, 1});
  }
  if (change == "unlimited, in huge chunks")
    place.chunked(lengths, Lengths(lengths.size(), H5S_UNLIMITED), [&] {
      Lengths chunk(lengths.size(), 1);
      chunk[0] = 1 << 28;
      return chunk;
    }());
  if (change == "all bits") place.dataset_of(place.type(), lengths, '\xff');
  if (change == "200 everywhere") place.dataset_of(place.type(), lengths, '\xc8');
  if (change == "with a filter of nobody") place.chunked(lengths, lengths, lengths, true);
}

void change_object(hid_t file, const std::string& name, const std::string& change,
                   const std::string& elsewhere) {
  const Replacement place(file, name);
  if (change == "a soft link")  // it leads to what was there before
    check(H5Lcreate_hard(file, "/before", file, "/before2", H5P_DEFAULT, H5P_DEFAULT));
  link_elsewhere(file, name, change, elsewhere);
  if (!place.is_dataset()) return;
  change_dataset(place, change);
  if (change == "a virtual dataset" || change == "external storage")
    store_elsewhere(place, name, change, elsewhere);
}

herr_t collect(hid_t object, const char* name, const H5O_info_t* about, void* data) {
  if (about->type != H5O_TYPE_GROUP && about->type != H5O_TYPE_DATASET) return 0;
  auto& places = *static_cast<std::vector<PlaceInFile>*>(data);
  std::string path = "/";
  if (name != std::string(".")) path += name;
  if (path != "/") places.push_back({path, ""});
  for (hsize_t i = 0; i < about->num_attrs; ++i) {
    const Handle attribute(
        H5Aopen_by_idx(object, name, H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    char key[200];
    H5Aget_name(attribute, sizeof key, key);
    places.push_back({path, key});
  }
  return 0;
}

/// All samples of a result, as the frames of a shard.
std::vector<std::uint8_t> frames_of(const ensembles::Result& result) {
  const std::vector<double> values = {1.0, 2.0, -3.0};
  const std::vector<std::int64_t> numbers = {0, 1, 2};
  std::string frames;
  for (std::uint64_t k = 0; k < K; ++k) {
    ensembles::SamplePart part{{0, N}, static_cast<std::int64_t>(k), {.ok = 3, .observables = {}}, {}};
    part.statistics.observables.resize(result.statistics.size());
    for (auto& tree : part.statistics.observables) tree.add(0, ensembles::summarize(values, numbers));
    ensembles::Trajectories& followed = part.followed;
    for (auto* state : {&followed.q, &followed.p, &followed.v}) *state = ramp(R * d, 1.0);
    for (auto* multiplier : {&followed.lambda, &followed.gamma}) *multiplier = ramp(R * m, 1.0);
    followed.momentum = ramp(R * s, 1.0);
    for (auto* each : {&followed.energy, &followed.total_energy, &followed.z}) *each = ramp(R, 1.0);
    for (const ensembles::Quantity& one : result.trajectories.observed)
      followed.observed.push_back({one.name, one.unit, one.description, ramp(R, 1.0)});
    for (ensembles::Quantity one : result.trajectories.tangents) {
      one.values = ramp(R * static_cast<int>(one.width()), 1.0);
      followed.tangents.push_back(std::move(one));
    }
    for (const ensembles::JointStatistics& one : result.joints)
      if (one.joint.is_at(part.sample, K))
        part.joints.push_back(ensembles::joint_histogram(one.joint.axes, std::vector{0.5, 1.0}));
    frames += make_frame(k, FrameKind::sample, encode(part));
  }
  return {frames.begin(), frames.end()};
}

}  // namespace

void write_sample_shard(const std::string& path, const std::string& spec, const std::string& overrides) {
  ensembles::Result result = sample_result();
  result.seed = 7;  // failures() writes no seed beyond 2^63
  ResultWriter writer(path, {}, result, units_of(*toy_catalogue().system("toy_pair")->info));
  writer.add(0, result.instances);
  Provenance of = provenance;
  of.spec = spec;
  of.overrides = overrides;
  writer.commit(of, Shard{{0, N}, N, frames_of(result)});
}

void seal(const std::string& path) {
  const auto length = static_cast<std::int64_t>(std::filesystem::file_size(path));
  const std::string block = make_check_block(path, length);
  std::ofstream(path, std::ios::binary | std::ios::app) << block;
}

std::vector<PlaceInFile> places_in(const std::string& path) {
  hdf5::prepare();
  std::vector<PlaceInFile> places;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  check(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, collect, &places, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS));
  return places;
}

std::span<const char* const> changes_of(const PlaceInFile& place) {
  return place.attribute.empty() ? std::span<const char* const>(object_changes) : attribute_changes;
}

bool change(const std::string& path, const PlaceInFile& place, std::size_t number,
            const std::string& elsewhere) {
  hdf5::prepare();
  bool done = true;
  try {
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const std::string change = changes_of(place)[number];
    if (place.attribute.empty())
      change_object(file, place.object, change, elsewhere);
    else
      change_attribute(Handle(H5Oopen(file, place.object.c_str(), H5P_DEFAULT), H5Oclose), place.attribute,
                       change);
  } catch (const hdf5::Failure&) {
    done = false;
  }
  seal(path);
  return done;
}

}  // namespace livens::host
