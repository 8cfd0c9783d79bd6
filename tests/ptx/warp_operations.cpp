// What lanes do together, and where they wait for each other.

#include "lanewise.hpp"

namespace livens::ptx {
namespace {

enum class From { up, down, butterfly, index };

/// In segments of a warp; the third operand is their mask and the last lane that is read.
template <From way>
void shuffle(Warp& warp, const Instruction& i) {
  const Lanes from = warp.row(i.from[0]), by = warp.row(i.from[1]), limits = warp.row(i.from[2]);
  each(warp.active, [&](int l) {
    const int segment = static_cast<int>(limits[l] >> 8 & 31), first = l & segment;
    const int last = first | (static_cast<int>(limits[l] & 31) & ~segment), b = static_cast<int>(by[l] & 31);
    const int source = way == From::up          ? l - b
                       : way == From::down      ? l + b
                       : way == From::butterfly ? l ^ b
                                                : first | (b & ~segment);
    const bool inside = way == From::up ? source >= last : source <= last;
    if (inside && !(warp.active >> source & 1)) warp.fail(i, "reads a lane that does not take part");
    warp.row(i.to[0])[l] = from[inside ? source : l];
    if (i.to_count > 1) warp.row(i.to[1])[l] = inside;
  });
}

/// f of the lanes whose predicate is set, and all that take part.
template <class F>
Run vote(F) {
  return [](Warp& warp, const Instruction& i) {
    const Word answer = F{}(warp.set_in(i.from[0]) & warp.active, warp.active);
    each(warp.active, [&](int l) { warp.row(i.to[0])[l] = answer; });
  };
}

void nothing(Warp&, const Instruction&) {}

}  // namespace

void add_warp_operations(Operations& table) {
  table["shfl.sync.up.b32"] = {shuffle<From::up>, Flow::sync};
  table["shfl.sync.down.b32"] = {shuffle<From::down>, Flow::sync};
  table["shfl.sync.bfly.b32"] = {shuffle<From::butterfly>, Flow::sync};
  table["shfl.sync.idx.b32"] = {shuffle<From::index>, Flow::sync};
  table["vote.sync.ballot.b32"] = {vote([](Mask set, Mask) { return set; }), Flow::sync};
  table["vote.sync.any.pred"] = {vote([](Mask set, Mask) { return set != 0; }), Flow::sync};
  table["vote.sync.all.pred"] = {vote([](Mask set, Mask all) { return set == all; }), Flow::sync};
  table["bar.warp.sync"] = {nothing, Flow::sync, false};
  for (const char* barrier : {"bar.sync", "barrier.sync"}) table[barrier] = {nothing, Flow::barrier, false};
  table["bar.red.popc.u32"] = {nothing, Flow::barrier};
  table["bra"] = table["bra.uni"] = {nothing, Flow::branch, false};
  table["call"] = table["call.uni"] = {nothing, Flow::call, false};
  table["ret"] = {nothing, Flow::ret, false};
  table["trap"] = {[](Warp& warp, const Instruction& i) { warp.fail(i, "was reached"); }, Flow::next, false};
  // Memory is in order here.
  for (const char* order : {"membar.cta", "membar.gl", "fence.acq_rel.gpu", "nanosleep.u32"})
    table[order] = {nothing, Flow::next, false};
}

}  // namespace livens::ptx
