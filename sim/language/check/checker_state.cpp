#include "sim/language/check/checker_state.h"

namespace lanescope::checker {

Elsewhere::Elsewhere(CheckerState& checker, std::vector<Scope> scopes)
    : checker_(checker),
      scopes_(std::exchange(checker.scopes_, std::move(scopes))),
      functionName_(checker.functionName_),
      returnType_(checker.returnType_),
      resultVariable_(checker.resultVariable_),
      firstLocal_(checker.firstLocal_),
      loopDepth_(std::exchange(checker.loopDepth_, 0)),
      switchDepth_(std::exchange(checker.switchDepth_, 0)),
      alive_(std::exchange(checker.alive_, {})),
      labels_(std::exchange(checker.labels_, {})),
      aliveAtLoop_(std::exchange(checker.aliveAtLoop_, 0)),
      aliveAtBreak_(std::exchange(checker.aliveAtBreak_, 0)),
      this_(std::exchange(checker.this_, std::nullopt)),
      classScopes_(std::exchange(checker.classScopes_, {})),
      returnsReference_(checker.returnsReference_) {}

Elsewhere::~Elsewhere() {
  checker_.scopes_ = std::move(scopes_);
  checker_.functionName_ = std::move(functionName_);
  checker_.returnType_ = returnType_;
  checker_.resultVariable_ = resultVariable_;
  checker_.firstLocal_ = firstLocal_;
  checker_.loopDepth_ = loopDepth_;
  checker_.switchDepth_ = switchDepth_;
  checker_.alive_ = std::move(alive_);
  checker_.labels_ = std::move(labels_);
  checker_.aliveAtLoop_ = aliveAtLoop_;
  checker_.aliveAtBreak_ = aliveAtBreak_;
  checker_.this_ = this_;
  checker_.classScopes_ = std::move(classScopes_);
  checker_.returnsReference_ = returnsReference_;
}

}  // namespace lanescope::checker
