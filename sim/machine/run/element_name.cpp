#include "sim/machine/run/element_name.h"

#include <fmt/format.h>

#include <algorithm>

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
    const std::uint64_t object = sharedObject(address);
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
  const std::uint64_t buffer = (address >> kOffsetBits) - 1;
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

}  // namespace lanescope
