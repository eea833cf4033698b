#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/language/check/typed_tree.h"

namespace lanescope {

/// The products that are computed once and used several times, as `x * x` in `x * x + y * y < 4` and then in
/// `x * x - y * y`: nvcc fuses such a product only where it could be fused in each use, all of one basic
/// block; else it is computed, and rounded, for all. That is what nvcc 13.0 makes for sm_90
/// (sim/host/tests/programs/shared_products.cu). Known are those of one function whose operands are variables
/// and constants; what comes of loops that nvcc unrolls is not known.
class SharedProducts {
 public:
  explicit SharedProducts(const typed::Kernel& kernel);

  /// Whether nvcc would fuse that multiplication with the sum or difference that uses it.
  bool canFuse(const typed::Expression& product) const;

 private:
  using Kind = typed::Expression::Kind;

  struct Use {
    std::string user;        ///< the value that it goes into; another for each where that is not known
    bool isFusible = false;  ///< in a sum or a difference, with no other product to its left
    std::size_t basicBlock = 0;
  };
  using Known = std::map<std::string, std::size_t>;

  void walk(const typed::Statement* statement);
  void walkLoop(const typed::Statement& loop);
  void walk(const typed::Expression* expression);
  void walkBranches(const typed::Expression& expression);
  void use(const typed::Expression& operand, const typed::Expression& user);
  std::string valueOf(const typed::Expression& expression) const;
  void assign(std::uint32_t variable);
  void assignAll(const std::set<std::uint32_t>& variables);
  void beginBlock() { ++basicBlock_; }

  const typed::Kernel& kernel_;
  std::vector<std::size_t> versions_;  ///< of the variables: another number, another value
  std::size_t nextVersion_ = 0;
  std::size_t basicBlock_ = 0;
  std::size_t unknown_ = 0;
  Known known_;                         ///< the products that are computed by now, and which they are
  std::vector<std::vector<Use>> uses_;  ///< of each of them
  std::map<const typed::Expression*, std::size_t> products_;
};

}  // namespace lanescope
