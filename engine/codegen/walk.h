#pragma once
#include "engine/codegen/firing.h"
/// Walking the current thread's user stack in the kernel, by the tables of engine/object/walk.h.
namespace dscope::codegen {
/// Whether programs for this kernel can know when a process's mappings change; else no stack is walked.
bool canWalk(const Unit& unit);
/// The memory of walks, those under way on a CPU at a time.
Map walkMemory();
/// What is kept of the last walks of threads, and the powers that keys of stacks are sums with.
Map keptStacks(const Unit& unit);
Map keyPowers();
/// Emits a walk of the stack that a field records: r0 = a WalkEnd; where it is one that isWalked(), the stack's key is in the two words of
/// `key`, and its frames have been sent; else the first word is the address that the walk did not get beyond, or 0. Uses r0..r5.
void walkUserStack(Firing& f, const FieldPlan& field, const Builder::Temp& key);
/// r4 = where the last mapping that begins at or before `address` lies in the mappings of the WalkSpace that `space` points to, or the
/// first. Without branches, of which the verifier would follow every way. Uses r1, r5.
void seekMapping(Builder& b, Reg space, Reg address);
/// Emits a walk of the current thread's stack of which nothing is recorded: r0 = a WalkEnd; where it is one that isWalked(), the words of
/// `measured` are its number of frames, `frames` at most, and the address of the second one, 0 where there is none; else the second
/// is the address where the walk ended, and the tables that it missed have been asked for. Uses r0..r5.
void measureUserStack(Firing& f, std::uint32_t frames, const Builder::Temp& measured);
/// The same, and the frames' addresses come to scratch[to, to + 8 * frames).
void readUserStack(Firing& f, std::uint32_t to, std::uint32_t frames, const Builder::Temp& measured);
/// The programs that follow forks, execs and new mappings.
void emitWalkWatches(Unit& unit);
} // namespace dscope::codegen
