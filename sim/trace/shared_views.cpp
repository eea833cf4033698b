#include "sim/trace/shared_views.h"

#include <algorithm>

#include "sim/machine/compile/operations.h"
#include "sim/memory/address.h"

namespace lanescope {
namespace {

const VariableRegister* findPointer(const Bytecode& code, std::uint16_t reg) {
  const auto found = std::ranges::find_if(code.variables, [&](const VariableRegister& variable) {
    return variable.local == VariableRegister::kInRegister && variable.reg == reg &&
           variable.type->isPointer();
  });
  return found == code.variables.end() ? nullptr : &*found;
}

class ViewFinder {
 public:
  explicit ViewFinder(const Bytecode& code) : code_(code) {
    for (const Instruction& i : code_.code) operands_.push_back(readOperands(i, code_));
  }

  SharedView find(std::uint32_t pc) const {
    std::uint16_t reg = code_.code[pc].a;
    std::uint32_t at = pc;
    for (int steps = 0; steps < 8; ++steps) {
      const auto writers = std::ranges::count_if(operands_, [&](const Operands& each) {
        return each.writes.overlaps({reg, 2});
      });
      if (const VariableRegister* const pointer = findPointer(code_, reg))
        return writers > 1 ? SharedView{} : SharedView{reg, pointer->name, pointer->type->element};
      if (writers == 0) return ofArray(reg);
      while (at > 0 && !operands_[at - 1].writes.overlaps({reg, 2})) --at;
      if (at-- == 0) return {};
      const Instruction& i = code_.code[at];
      if (findClass(i.op) != OpClass::Offset && i.op != Op::Move64 && i.op != Op::Set64) return {};
      reg = i.a;
    }
    return {};
  }

 private:
  /// The start of an array, which is a constant.
  SharedView ofArray(std::uint16_t reg) const {
    const auto constant = std::ranges::find(code_.constants, reg, &ConstantRegister::reg);
    if (constant == code_.constants.end() || !isShared(constant->bits)) return {};
    const std::size_t object = sharedObject(constant->bits);
    if (object >= code_.sharedArrays.size()) return {};
    return {reg, code_.sharedArrays[object].name, code_.sharedArrays[object].element};
  }

  const Bytecode& code_;
  std::vector<Operands> operands_;
};

}  // namespace

std::vector<SharedView> findSharedViews(const PreparedLaunch& prepared) {
  const Bytecode& code = prepared.code();
  const bool hasDynamic =
      std::ranges::any_of(code.sharedArrays, [](const typed::SharedArray& array) { return array.isDynamic; });
  constexpr std::size_t kMostCode = 20'000;  // each access looks through the code
  if (!hasDynamic || code.code.size() > kMostCode) return {};
  std::vector<SharedView> views(code.code.size());
  const ViewFinder finder(code);
  for (std::uint32_t pc = 0; pc < code.code.size(); ++pc) {
    if (isAccess(code.code[pc].op)) views[pc] = finder.find(pc);
  }
  return views;
}

bool areOfOtherKind(const SharedView& a, const SharedView& b) {
  if (a.element == nullptr || b.element == nullptr) return false;
  const auto isNumber = [](const Type& type) { return type.isInteger() || type.isFloating(); };
  return isNumber(*a.element) && isNumber(*b.element) && a.element->isFloating() != b.element->isFloating();
}

}  // namespace lanescope
