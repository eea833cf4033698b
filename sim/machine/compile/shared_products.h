#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/language/check/typed_tree.h"

namespace lanescope {

/// The products that are computed once and used several times, as `x * x` in `x * x + y * y < 4` and then in
/// `x * x - y * y`: nvcc fuses such a product only if it could be fused in each use, all in one basic block;
/// else it is computed, and rounded, for all. Measured with nvcc 13.0 for sm_90
/// (sim/host/tests/programs/shared_products.cu). Finds the products of one function whose operands are
/// variables and constants; the effect of loops that nvcc unrolls is unknown.
class SharedProducts {
 public:
  explicit SharedProducts(const typed::Kernel& kernel);

  /// True if nvcc would fuse that multiplication with the sum or difference that uses it.
  bool canFuse(const typed::Expression& product) const;

 private:
  using Kind = typed::Expression::Kind;

  struct Use {
    std::string user;        ///< the value that it goes into; a new one for each if unknown
    bool isFusible = false;  ///< in a sum or a difference, without another product to its left
    std::size_t basicBlock = 0;
  };
  using Known = std::map<std::string, std::size_t>;

  void walk(const typed::Statement* statement);
  void walkLoop(const typed::Statement& loop);
  void walk(const typed::Expression* expression);
  void walkBranches(const typed::Expression& expression);
  void use(const typed::Expression& operand, const typed::Expression& user);
  std::string computeValue(const typed::Expression& expression) const;
  void assign(std::uint32_t variable);
  void assignAll(const std::set<std::uint32_t>& variables);
  void beginBlock() { ++basicBlock_; }

  const typed::Kernel& kernel_;
  std::vector<std::size_t> versions_;  ///< by variable: a new number for each new value
  std::size_t nextVersion_ = 0;
  std::size_t basicBlock_ = 0;
  std::size_t unknown_ = 0;
  Known known_;                         ///< the numbers of the products computed so far
  std::vector<std::vector<Use>> uses_;  ///< by the number in known_
  std::map<const typed::Expression*, std::size_t> products_;
};

}  // namespace lanescope
