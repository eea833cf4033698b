#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "sim/base/counted.h"
#include "sim/machine/compile/operations.h"
#include "sim/machine/run/prepare.h"
#include "sim/memory/address.h"

namespace lanescope {
namespace {

std::string indexed(const std::string& name, const std::vector<std::uint64_t>& extents, std::uint64_t index) {
  std::string text;
  for (std::size_t d = extents.size(); d-- > 1;) {
    text.insert(0, fmt::format("[{}]", extents[d] == 0 ? 0 : index % extents[d]));
    index /= std::max<std::uint64_t>(extents[d], 1);
  }
  return fmt::format("{}[{}]{}", name, index, text);
}

/// An element of a shared array by its bytes from the array's start.
ElementName sharedElement(const typed::SharedArray& array, std::uint64_t byte) {
  const std::uint64_t size = std::max<std::uint64_t>(array.element->size, 1);
  if (array.count == 1 && array.extents.empty() && byte < size) return {array.name, array.name};
  return {array.name, indexed(array.name, array.extents, byte / size)};
}

}  // namespace

std::vector<SharedExtent> listSharedObjects(const Bytecode& code, std::uint64_t sharedBytes) {
  std::vector<SharedExtent> objects;
  for (const typed::SharedArray& array : code.sharedArrays) {
    const std::uint64_t begin =
        array.isDynamic ? dynamicSharedOffset(code.staticSharedBytes) : array.byteOffset;
    const std::uint64_t end =
        array.isDynamic ? std::max(begin, sharedBytes) : begin + array.count * array.element->size;
    objects.push_back({begin, end});
  }
  return objects;
}

std::optional<ElementName> sharedElementAt(const PreparedLaunch& prepared, std::uint64_t offset) {
  for (std::size_t a = 0; a < prepared.sharedObjects.size(); ++a) {
    const SharedExtent& extent = prepared.sharedObjects[a];
    if (offset >= extent.begin && offset < extent.end)
      return sharedElement(prepared.code().sharedArrays[a], offset - extent.begin);
  }
  return std::nullopt;
}

ElementName elementAt(const PreparedLaunch& prepared, std::uint64_t address) {
  const std::uint64_t offset = address & kOffsetMask;
  if (isShared(address)) {
    const std::size_t object = sharedObject(address);
    if (object < prepared.sharedObjects.size() && offset >= prepared.sharedObjects[object].begin)
      return sharedElement(prepared.code().sharedArrays[object],
                           offset - prepared.sharedObjects[object].begin);
    return {"", fmt::format("byte {} of shared memory", offset)};
  }
  if (isLocal(address)) {
    const LocalVariable* const found = localAt(prepared.code(), address);
    if (found == nullptr) return {"", "no array"};
    const LocalVariable& local = *found;
    if (!local.type->isArray()) return {local.name, local.name};
    const std::uint64_t elementSize = std::max<std::uint64_t>(local.type->element->size, 1);
    return {local.name, fmt::format("{}[{}]", local.name, offset / elementSize)};
  }
  const std::size_t buffer = bufferIndex(address);
  if (buffer >= prepared.bufferNames.size()) return {"", "no array"};
  const BufferName& named = prepared.bufferNames[buffer];
  if (named.element == nullptr)
    return {"", fmt::format("byte {} of a buffer that is not an argument", offset)};
  std::vector<std::uint64_t> extents;  // for a variable at file scope
  const Type* element = named.element;
  for (; element->isArray(); element = element->element) extents.push_back(element->count);
  const std::uint64_t size = std::max<std::uint64_t>(element->size, 1);
  return {named.name, indexed(named.name, extents, offset / size)};
}

// The sentence for a fault: which thread did what to which element, and what to try.

std::string threadText(const Launch& launch, std::uint64_t thread) {
  const Dim3 index = unlinear(thread, launch.block);
  if (launch.block.z > 1) return fmt::format("thread ({}, {}, {})", index.x, index.y, index.z);
  if (launch.block.y > 1) return fmt::format("thread ({}, {})", index.x, index.y);
  return fmt::format("thread {}", index.x);
}

std::string blockText(const Launch& launch, Dim3 block) {
  if (launch.grid.z > 1) return fmt::format("block ({}, {}, {})", block.x, block.y, block.z);
  if (launch.grid.y > 1) return fmt::format("block ({}, {})", block.x, block.y);
  return fmt::format("block {}", block.x);
}

namespace {

/// The target of an address: an element, by an index that may be outside of its array, or in words alone.
struct Target {
  std::string element{};  ///< `s[40]`; empty: none
  std::string words{};    ///< after the element: ", past the end of its 32 elements"
  bool isAt = false;      ///< the words begin with a preposition: "through a null pointer"

  std::string text() const { return element + words; }
};

/// An index that is that many bytes below an array of such elements.
Target below(std::string_view name, const Type& element, std::uint64_t distance) {
  return {fmt::format("{}[-{}]", name, withCommas((distance + element.size - 1) / element.size)),
          ", before its start"};
}

/// An index past the end of an array of that many elements.
Target pastEnd(std::string element, std::uint64_t count) {
  return {std::move(element), fmt::format(", past the end of its {} elements", withCommas(count))};
}

Target outsideArrays() {
  return {.words = "outside every array (a pointer ran off its array, perhaps by a negative index)"};
}

/// The target of an address in shared memory, in bytes from the start of the block's memory: negative if an
/// index led below all of it.
Target sharedTarget(const PreparedLaunch& prepared, std::size_t object, std::int64_t offset) {
  if (object >= prepared.sharedObjects.size()) return outsideArrays();
  const typed::SharedArray& array = prepared.code().sharedArrays[object];
  const SharedExtent extent = prepared.sharedObjects[object];
  const auto begin = static_cast<std::int64_t>(extent.begin);
  const std::optional<ElementName> hit =
      offset < 0 ? std::nullopt : sharedElementAt(prepared, static_cast<std::uint64_t>(offset));
  const bool isOther = hit && hit->array != array.name;
  const std::string other = isOther ? fmt::format(", where {} is", hit->place) : "";
  const auto byte = static_cast<std::uint64_t>(offset - begin);
  const std::uint64_t size = std::max<std::uint64_t>(array.element->size, 1);
  Target target;
  if (offset < begin) {
    target = below(array.name, *array.element, static_cast<std::uint64_t>(begin - offset));
  } else if (array.count == 1 && array.extents.empty()) {
    target.words = fmt::format("{} bytes past the start of {}, past its end", withCommas(byte), array.name);
  } else {
    target = pastEnd(array.extents.size() < 2
                         ? fmt::format("{}[{}]", array.name, withCommas(byte / size))
                         : elementAt(prepared, sharedBase(object) + extent.begin + byte).place,
                     (extent.end - extent.begin) / size);
  }
  target.words += other;
  return target;
}

std::optional<ForeignAddress> findForeign(const PreparedLaunch& prepared, std::uint64_t address) {
  if (!prepared.findForeign || isShared(address) || isLocal(address)) return std::nullopt;
  return prepared.findForeign(address);
}

/// The target of a fault's address.
Target findTarget(const PreparedLaunch& prepared, const Fault& fault) {
  const std::int64_t from = signedOffset(fault.address);
  const bool isBelow = from < 0;
  const std::uint64_t address = formedFrom(fault.address);
  const std::uint64_t offset = fault.address & kOffsetMask;
  const auto distance = static_cast<std::uint64_t>(-from);
  if (isShared(address)) return sharedTarget(prepared, sharedObject(address), from);
  if (isLocal(address)) {
    const LocalVariable* const found = localAt(prepared.code(), address);
    if (found == nullptr) return outsideArrays();
    const LocalVariable& variable = *found;
    const bool isArray = variable.type->isArray();
    const Type& element = isArray ? *variable.type->element : *variable.type;
    if (isBelow) return below(variable.name, element, distance);
    if (!isArray) return {.words = fmt::format("past the end of {}", variable.name)};
    return pastEnd(fmt::format("{}[{}]", variable.name, withCommas(offset / element.size)),
                   variable.type->count);
  }
  if (auto foreign = findForeign(prepared, fault.address))
    return {.words = std::move(foreign->words), .isAt = foreign->isAt};
  constexpr std::uint64_t kNearNull = std::uint64_t{1} << 20;  // p->field, p[i] of a null pointer
  if (address >> kOffsetBits == 0)
    return {.words = address < kNearNull ? "through a null pointer"
                                         : fmt::format("at the address 0x{:x}, where no array is", address),
            .isAt = true};
  const std::size_t buffer = bufferIndex(address);
  if (buffer >= prepared.bufferNames.size()) return outsideArrays();
  if (buffer == prepared.heapBuffer)
    return {.words = "memory of the heap that is not allocated: past the end of its block, or freed"};
  const BufferName& named = prepared.bufferNames[buffer];
  if (named.element == nullptr) {
    const std::uint64_t bytes = prepared.memory.buffer(buffer).size();
    if (bytes == 0) return outsideArrays();
    return {.words = fmt::format("byte {} of a buffer of {} bytes", withCommas(offset), withCommas(bytes))};
  }
  if (isBelow) return below(named.name, *named.element, distance);
  const std::uint64_t size = std::max<std::uint64_t>(named.element->size, 1);
  return pastEnd(fmt::format("{}[{}]", named.name, withCommas(offset / size)),
                 prepared.memory.buffer(buffer).size() / size);
}

std::string boundsHint(const PreparedLaunch& prepared, const Fault& fault) {
  const std::uint64_t address = formedFrom(fault.address);
  if (signedOffset(fault.address) < 0) return "Guard the access: its index is negative.";
  if (isShared(address) && sharedObject(address) < prepared.sharedObjects.size()) {
    const typed::SharedArray& array = prepared.code().sharedArrays[sharedObject(address)];
    return array.isDynamic ? "Guard the index, or give the launch more dynamic shared memory."
                           : fmt::format("Guard the index, or make {} larger.", array.name);
  }
  const LocalVariable* const local = isLocal(address) ? localAt(prepared.code(), address) : nullptr;
  if (local != nullptr) return fmt::format("Guard the index, or make {} larger.", local->name);
  return "Guard the access, or give the buffer more elements.";
}

/// "thread 0 stores to s[3]", "thread 0 stores through a null pointer".
std::string accessText(const std::string& who, bool isStore, const Target& target) {
  const std::string_view verb = !isStore ? "reads" : target.isAt ? "stores" : "stores to";
  return fmt::format("{} {} {}", who, verb, target.text());
}

/// The event, without its place and the full stop, and the advice.
struct FaultText {
  std::string message;
  std::string hint;
};

std::string signedText(std::int64_t value) {
  return value < 0 ? "-" + withCommas(static_cast<std::uint64_t>(-value))
                   : withCommas(static_cast<std::uint64_t>(value));
}

/// `'i * n' is 65,536 * 65,536, past …, and wraps`: the reason an index is what it is.
FaultText wrappedText(const Launch& launch, const PreparedLaunch& prepared, const WrappedValue& wrapped) {
  const SourceSpan span = prepared.code().sites[wrapped.site];
  const std::int64_t wide = wrapped.operation == '+'   ? wrapped.a + wrapped.b
                            : wrapped.operation == '-' ? wrapped.a - wrapped.b
                                                       : wrapped.a * wrapped.b;
  const std::string bound = !wrapped.isSigned
                                ? wide < 0 ? "below 0" : "past 4,294,967,295, the largest unsigned int"
                            : wide < 0 ? "below -2,147,483,648, the smallest int"
                                       : "past 2,147,483,647, the largest int";
  return {fmt::format("'{}' on line {} is {} {} {}, {}, and wraps", launch.source->slice(span),
                      launch.source->findLine(span), signedText(wrapped.a), wrapped.operation,
                      signedText(wrapped.b), bound),
          !wrapped.isSigned && wide < 0 ? "Guard the access, or compute the index in int."
                                        : "Compute it in long long: convert one of its operands first."};
}

/// `: the others have left by 'break' on line 5`.
std::string leftText(const Launch& launch, const PreparedLaunch& prepared, const Fault& fault) {
  if (fault.leftBy == Fault::kNoLoop) return "";
  const SourceSpan span = prepared.code().sites[fault.leftBy];
  const std::string_view text = launch.source->slice(span);
  const std::uint32_t line = launch.source->findLine(span);
  for (const std::string_view word : {"break", "continue", "return"}) {
    if (text.starts_with(word)) return fmt::format(": the others have left by '{}' on line {}", word, line);
  }
  return fmt::format(": the others have left the loop on line {}", line);
}

FaultText outOfBoundsText(const Launch& launch, const PreparedLaunch& prepared, const Fault& fault,
                          const std::string& who) {
  FaultText text{accessText(who, fault.isStore, findTarget(prepared, fault)), boundsHint(prepared, fault)};
  if (const auto foreign = findForeign(prepared, fault.address)) {
    text.hint = foreign->hint;
  } else if (formedFrom(fault.address) >> kOffsetBits == 0) {
    text.hint = "Let the pointer point to memory first: what did its allocation return?";
  } else if (fault.wrapped) {
    const FaultText wrapped = wrappedText(launch, prepared, *fault.wrapped);
    text = {text.message + ": " + wrapped.message, wrapped.hint};
  }
  return text;
}

/// A pointer into a thread's own memory that another thread follows, or that outlived the variable.
FaultText danglingText(const Launch& launch, const PreparedLaunch& prepared, const Fault& fault,
                       const std::string& who) {
  const LocalVariable& local = *localAt(prepared.code(), fault.address);
  const std::string place = elementAt(prepared, fault.address).place;
  const std::string verb = fault.isStore ? "stores to" : "reads";
  const std::uint32_t line = launch.source->findLine(local.declared);
  if (fault.kind == Fault::Kind::ForeignLocal) {
    return {fmt::format("{} {} {} of {} (declared on line {}): a thread's variables are its own", who, verb,
                        place, threadText(launch, localThread(fault.address)), line),
            "Hand over the value and not its address, by shared memory or a shuffle."};
  }
  return {fmt::format("{} {} {}, whose scope has ended (declared on line {})", who, verb, place, line),
          fmt::format("Declare {} in a scope that ends no earlier than the pointer's, or keep its value.",
                      local.name)};
}

/// The loops in which a limit was reached, the innermost first.
std::vector<Loop> findLoops(const Bytecode& code, const Fault& fault) {
  const auto jump = std::ranges::find_if(code.code, [&](const Instruction& i) {
    return fault.loop != Fault::kNoLoop && i.op == Op::Jump && i.site == fault.loop;
  });
  if (jump == code.code.end()) return {};
  return loopsAround(code, static_cast<std::uint32_t>(jump - code.code.begin()));
}

FaultText faultText(const Launch& launch, const PreparedLaunch& prepared, Dim3 block, const Fault& fault,
                    SourceSpan span, const std::vector<Loop>& loops) {
  const std::uint64_t thread = std::uint64_t{fault.warp} * launch.machine.warpSize + fault.lane;
  const std::string who = fmt::format("{} of {}", threadText(launch, thread), blockText(launch, block));
  switch (fault.kind) {
    case Fault::Kind::OutOfBounds: return outOfBoundsText(launch, prepared, fault, who);
    case Fault::Kind::Unwritten:
      return {
          fmt::format("{} reads {}, which was never written", who, elementAt(prepared, fault.address).place),
          "Write it first: a kernel's store, cudaMemcpy or cudaMemset."};
    case Fault::Kind::ForeignLocal:
    case Fault::Kind::EndedLocal: return danglingText(launch, prepared, fault, who);
    case Fault::Kind::Misaligned:
      return {fmt::format("{} {} {} bytes at an address that is not a multiple of {}", who,
                          fault.isStore ? "stores" : "reads", fault.bytes, fault.bytes),
              "Align the address to the size of what is accessed."};
    case Fault::Kind::MixedSpaces:
      return {"one access goes to shared memory in some lanes and to global memory in others",
              "Branch first, and access each memory on its own."};
    case Fault::Kind::DivergentBarrier:
      return {
          fmt::format("__syncthreads() is reached by {} of the {} threads of warp {} of {}{}",
                      std::popcount(fault.lanes),
                      std::min<std::uint64_t>(
                          launch.machine.warpSize,
                          launch.block.count() - std::uint64_t{fault.warp} * launch.machine.warpSize),
                      fault.warp, blockText(launch, block), leftText(launch, prepared, fault)),
          fault.leftBy == Fault::kNoLoop
              ? "Every thread of the block must reach it: move it out of the branch."
              : "Every thread of the block must reach it: let those that are done stay in the loop, without "
                "work, until all are."};
    case Fault::Kind::AssertionFailed:
      return {fmt::format("the assertion '{}' fails for {}", launch.source->slice(span), who),
              "Look at the values that thread has there."};
    case Fault::Kind::Trapped:
      return {fmt::format("{} reaches {}, which ends the launch", who, launch.source->slice(span)),
              "Look at the condition that it is under."};
    case Fault::Kind::NoCallee:
      return {fmt::format(
                  "{} calls {} through a pointer or object that leads to no function of the kernel's text",
                  who, launch.source->slice(span)),
              "Set the pointer to a __device__ function, or make the object in a kernel, before the call."};
    case Fault::Kind::ShuffleWidth:
      return {fmt::format("{} shuffles within groups of {} lanes", who, fault.address),
              "The width of a group is a power of two from 1 to 32."};
    case Fault::Kind::TileTooWide:
      return {fmt::format("{} meets the others of a tile of {} threads, but a warp of the machine {} has {}",
                          who, fault.address, launch.machine.name, launch.machine.warpSize),
              fmt::format("Use tiles of at most {} threads, or a machine with warps of 32.",
                          launch.machine.warpSize)};
    case Fault::Kind::FreedTwice:
      return {fmt::format("{} frees memory that was freed before", who),
              "Free each block once: set the pointer to nullptr when it is freed."};
    case Fault::Kind::NeverAllocated:
      return {fmt::format("{} frees a pointer that neither malloc nor new gave", who),
              "Free the pointer that the allocation returned, not one into it, and no memory of cudaMalloc."};
    case Fault::Kind::StackOverflow:
      return {fmt::format("{} makes {} within each other, which is more than its stack of {} KiB holds", who,
                          counted(fault.address, "call"), kMaxStackBytes >> 10),
              "Look for a recursion that never ends. A GPU's stack has 1 KiB per thread, until "
              "cudaDeviceSetLimit with cudaLimitStackSize asks for more."};
    case Fault::Kind::StepLimit:
      return {
          fmt::format(
              "{} passed its limit of {} warp instructions{}",
              fault.isOfBlock ? blockText(launch, block) : "the launch",
              withCommas(fault.isOfBlock ? launch.limits.blockInstructions : launch.limits.warpInstructions),
              loopsText(*launch.source, prepared.code(), loops)),
          fault.isOfBlock ? "Look for a loop that never ends; give the block less work, or raise the limit."
                          : "Look for a loop that never ends, or simulate a smaller grid."};
    case Fault::Kind::Stopped: return {"the simulation was stopped", ""};
  }
  return {};
}

}  // namespace

std::string faultPlace(const PreparedLaunch& prepared, const Fault& fault) {
  const bool isAccess = fault.kind == Fault::Kind::OutOfBounds || fault.kind == Fault::Kind::Misaligned;
  return isAccess ? findTarget(prepared, fault).element : "";
}

Error faultError(const Launch& launch, const PreparedLaunch& prepared, Dim3 block, const Fault& fault) {
  const std::vector<Loop> loops = findLoops(prepared.code(), fault);
  const SourceSpan span = prepared.code().sites[loops.empty() ? fault.site : loops.front().site];
  const auto [message, hint] = faultText(launch, prepared, block, fault, span, loops);
  Error error;
  error.message = fmt::format("{}:{}: {}.", launch.source->name(), launch.source->findLine(span), message);
  error.hint = hint;
  error.diagnostics.push_back({message, hint, span});
  error.isOfRun = fault.kind != Fault::Kind::Stopped;
  return error;
}

}  // namespace lanescope
