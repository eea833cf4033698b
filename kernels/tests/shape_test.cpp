// How strategies are launched over n elements; and the heads of their lessons.
#include "kernels/strategies/shape.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string_view>

#include "kernels/strategies/catalogue.h"

namespace lanescope {
namespace {

Strategy blockSums(std::uint32_t elementsPerThread) {
  Strategy strategy;
  strategy.id = "sums";
  strategy.kernel = "sums<{block}, {elements}>";
  strategy.elementsPerThread = elementsPerThread;
  return strategy;
}

TEST(Shape, ThePassesOfBlockSumsEndInOneValue) {
  for (const std::uint32_t elements : {1U, 2U, 4U, 8U}) {
    for (const std::uint32_t threads : {32U, 256U, 1024U}) {
      for (std::uint64_t n = 1024; n <= std::uint64_t{1} << 31U; n *= 2) {
        const auto passes = passesToOne(blockSums(elements), n, threads, 1000, 32);
        ASSERT_TRUE(passes.ok()) << passes.error().sentence();
        std::uint64_t left = n;
        for (const StrategyShape& pass : *passes) {
          EXPECT_EQ(pass.n, left);
          EXPECT_EQ(pass.blocks() * pass.threads() * elements, left);  // every element once
          EXPECT_LE(pass.threads(), threads);
          EXPECT_EQ(pass.kernel,
                    "sums<" + std::to_string(pass.threads()) + ", " + std::to_string(elements) + ">");
          left = pass.outElements;
        }
        EXPECT_EQ(left, 1U) << n << " by " << threads;
        EXPECT_EQ(passes->back().outElements, 1U);
      }
    }
  }
  const auto odd = passesToOne(blockSums(1), 3 * 1024, 256, 1000, 32);
  ASSERT_FALSE(odd.ok());
  EXPECT_NE(odd.error().message.find("3072"), std::string::npos) << odd.error().message;
}

TEST(Shape, AKernelThatStridesTakesAnyN) {
  Strategy strategy = blockSums(4);
  strategy.stridesGrid = true;
  strategy.result = ResultKind::PartialSums;
  for (const std::uint64_t n : {1ULL, 31ULL, 33ULL, (1ULL << 20U) + 1, 1ULL << 31U}) {
    const auto passes = passesToOne(strategy, n, 256, 528, 32);
    ASSERT_TRUE(passes.ok());
    EXPECT_LE(passes->size(), 2U);
    EXPECT_LE(passes->front().blocks(), 528U);
    EXPECT_EQ(passes->back().outElements, 1U);
    // No block without work.
    EXPECT_LT((passes->front().blocks() - 1) * 256 * 4, n);
  }
  strategy.result = ResultKind::Total;
  const auto one = passesToOne(strategy, 1U << 20U, 256, 528, 32);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->size(), 1U);
}

TEST(Shape, ItsGridMayBeChosenAsFarAsItsIndicesReach) {
  int taking = 0;
  for (const Strategy& strategy : strategies()) {
    taking += strategy.takesBlocks() ? 1 : 0;
    for (const std::uint64_t n : {1ULL << 10U, 1ULL << 24U, 1ULL << 31U}) {
      for (const std::uint32_t threads : {32U, 1024U}) {
        const auto own = shapeOfThreads(strategy, n, threads, 1U << 20U, 32, strategy.types.front());
        if (!own) continue;
        const std::uint64_t most = countMostBlocks(strategy, n, threads);
        const auto at = [&](std::uint64_t blocks) {
          return shapeOfThreads(strategy, n, threads, 1U << 20U, 32, strategy.types.front(), blocks);
        };
        if (!strategy.takesBlocks()) {
          EXPECT_EQ(at(3)->blocks(), own->blocks()) << strategy.id;
          continue;
        }
        // No index is over 32 bits, and as many blocks as have work are always allowed.
        const std::uint64_t perBlock = std::uint64_t{threads} * strategy.elementsPerThread;
        EXPECT_LE(n - 1 + most * perBlock, 0xffffffffULL);
        EXPECT_GT(n - 1 + (most + 1) * perBlock, 0xffffffffULL);
        EXPECT_LE((n + perBlock - 1) / perBlock, most) << strategy.id;
        for (const std::uint64_t blocks : {std::uint64_t{1}, std::uint64_t{3}, most}) {
          ASSERT_TRUE(at(blocks)) << strategy.id;
          EXPECT_EQ(at(blocks)->blocks(), blocks);
        }
        ASSERT_FALSE(at(most + 1));
        EXPECT_NE(at(most + 1).error().sentence().find("at most " + std::to_string(most)), std::string::npos);
      }
    }
  }
  EXPECT_GE(taking, 9);
  EXPECT_FALSE(findStrategy("one-thread")->takesBlocks());
  EXPECT_FALSE(findStrategy("baseline")->takesBlocks());
}

TEST(Shape, TheFirstOfSeveralLaunchesHasTheChosenGrid) {
  const Strategy& two = *findStrategy("two-launches");
  const auto passes = passesToOne(two, 1U << 20U, 256, 528, 32, ElementType::Float, 5000);
  ASSERT_TRUE(passes);
  ASSERT_EQ(passes->size(), 2U);
  EXPECT_EQ(passes->front().blocks(), 5000U);
  EXPECT_EQ(passes->back().n, 5000U);
  EXPECT_EQ(passes->back().blocks(), 1U);
  EXPECT_DOUBLE_EQ(elementsPerThread(two, passes->front()), (1U << 20U) / (5000.0 * 256));
  EXPECT_EQ(passesToOne(two, 1U << 20U, 256, 528, 32, ElementType::Float, 1)->size(), 1U);
  const Strategy& one = *findStrategy("one-thread");
  EXPECT_DOUBLE_EQ(elementsPerThread(one, shapeOfThreads(one, 1024, 256, 132, 32).value()), 1024);
}

TEST(Shape, ATransposeIsCutIntoTiles) {
  Strategy strategy;
  strategy.id = "turn";
  strategy.kernel = "turn<{tile}>";
  strategy.family = Family::Transpose;
  strategy.result = ResultKind::Transpose;
  for (const std::uint32_t tiles : {1U, 2U}) {
    strategy.elementsPerThread = tiles;
    for (std::uint64_t n = 4; n <= 1U << 20U; n *= 2) {
      const auto shape = shapeOverBlocks(strategy, n, 1, 32);
      ASSERT_TRUE(shape.ok()) << n;
      EXPECT_EQ(shape->width * shape->height, n);
      EXPECT_GE(shape->width, shape->height);
      EXPECT_EQ(std::uint64_t{shape->gridX} * shape->blockX * tiles, shape->width);
      EXPECT_EQ(std::uint64_t{shape->gridY} * shape->blockY, shape->height);
      EXPECT_EQ(shape->kernel, "turn<" + std::to_string(shape->blockX) + ">");
    }
  }
  EXPECT_FALSE(shapeOverBlocks(strategy, 96, 1, 32).ok());
  EXPECT_FALSE(shapeOverBlocks(strategy, 64, 2, 32).ok());
  EXPECT_FALSE(shapeOverBlocks(strategy, 1, 1, 32).ok());
}

TEST(Shape, TypesChangeTheSharedBytes) {
  const Strategy strategy = blockSums(1);
  EXPECT_EQ(shapeOfThreads(strategy, 1024, 256, 1, 32, ElementType::Double)->dynamicSharedBytes, 2048U);
  EXPECT_EQ(shapeOfThreads(strategy, 1024, 256, 1, 32)->dynamicSharedBytes, 1024U);
}

TEST(Catalogue, EveryStrategyCanBeLaunchedAsItsHeadSays) {
  for (const Strategy& strategy : strategies()) {
    EXPECT_FALSE(strategy.title.empty()) << strategy.id;
    EXPECT_FALSE(strategy.summary.empty()) << strategy.id;
    EXPECT_FALSE(strategy.lesson.empty()) << strategy.id;
    EXPECT_GT(strategy.order, 0) << strategy.id;
    for (const std::uint64_t n : {64ULL, 1024ULL}) {
      const auto shape = shapeOverBlocks(strategy, n, 1, 32);
      ASSERT_TRUE(shape.ok()) << strategy.id << ": " << shape.error().sentence();
      EXPECT_EQ(shape->kernel.find('{'), std::string::npos) << shape->kernel;
    }
  }
}

TEST(Catalogue, AFormerIdStillNamesItsStrategy) {
  const Strategy* const strategy = findStrategy("shared-tree-atomic");
  ASSERT_NE(strategy, nullptr);
  EXPECT_EQ(findStrategy("local-memory"), strategy);
  EXPECT_EQ(findStrategy(""), nullptr) << "most have none";
  std::set<std::string_view> names;
  for (const Strategy& one : strategies()) {
    EXPECT_TRUE(names.insert(one.id).second) << one.id;
    EXPECT_TRUE(one.formerId.empty() || names.insert(one.formerId).second) << one.formerId;
  }
}

TEST(FrontMatter, LeavesCommentsOut) {
  const auto findLesson = [](const std::string& text) {
    Strategy strategy;
    readFrontMatter("---\norder: 7\n---\n" + text, strategy);
    return strategy.lesson;
  };
  EXPECT_EQ(findLesson("One. <!-- backed by: work X --> Two.\n"), "One. Two.\n");
  EXPECT_EQ(findLesson("- One\n  two.\n  <!-- a --> Three. <!-- b -->\n- Four.\n"),
            "- One\n  two. Three.\n- Four.\n");
  EXPECT_THROW(findLesson("One. <!-- two"), std::invalid_argument);
}

TEST(Shape, GivesAGpuItsOwnMostBlocks) {
  Strategy strategy;
  strategy.blocksPerSm = 32;
  EXPECT_EQ(ownMostBlocks(strategy, 1U << 20U, 256, 132), 4224U);
  strategy.oneWaveTo = 1U << 20U;
  EXPECT_EQ(ownMostBlocks(strategy, 1U << 20U, 256, 132), 1056U);
  EXPECT_EQ(ownMostBlocks(strategy, 1U << 20U, 1024, 132), 264U);
  EXPECT_EQ(ownMostBlocks(strategy, 1U << 20U, 32, 132), 4224U) << "64 blocks per SM are more than 32";
  EXPECT_EQ(ownMostBlocks(strategy, (1U << 20U) + 1, 1024, 132), 4224U);
}

TEST(FrontMatter, ReadsEveryKey) {
  Strategy strategy;
  readFrontMatter(
      "---\norder: 7\nformer-id: old-one\nfamily: transpose\ntitle: T\nsummary: S.\nkernel: "
      "k<{block}>\narguments: out, in, n, width, height, counter, b\nresult: total\noperators: Sum, "
      "Maximum\nelements-per-thread: 4\nblocks: any\nblocks-per-sm: 3\none-wave-to: 2^22\nshared-float-per: "
      "warp\ntypes: float, int\nbroken: It races.\nlargest-n: 2^20\n---\nText.\n",
      strategy);
  EXPECT_EQ(strategy.order, 7);
  EXPECT_EQ(strategy.formerId, "old-one");
  EXPECT_EQ(strategy.family, Family::Transpose);
  EXPECT_EQ(strategy.kernel, "k<{block}>");
  EXPECT_EQ(strategy.parameters.size(), 7U);
  EXPECT_EQ(strategy.parameters.front(), Parameter::Out);
  EXPECT_EQ(strategy.result, ResultKind::Total);
  EXPECT_EQ(strategy.operators, (std::vector<std::string>{"Sum", "Maximum"}));
  EXPECT_EQ(strategy.elementsPerThread, 4U);
  EXPECT_TRUE(strategy.stridesGrid);
  EXPECT_EQ(strategy.blocksPerSm, 3U);
  EXPECT_EQ(strategy.oneWaveTo, 1U << 22U);
  EXPECT_EQ(strategy.shared, SharedFloats::PerWarp);
  EXPECT_TRUE(strategy.takes(ElementType::Int));
  EXPECT_FALSE(strategy.takes(ElementType::Double));
  EXPECT_EQ(strategy.broken, "It races.");
  EXPECT_EQ(strategy.largestN, 1U << 20U);
  EXPECT_EQ(strategy.lesson, "Text.\n");
}

TEST(FrontMatter, KnowsThreeKindsOfGrids) {
  const auto read = [](const std::string& blocks) {
    Strategy strategy;
    readFrontMatter("---\nblocks: " + blocks + "\n---\n", strategy);
    return strategy;
  };
  EXPECT_FALSE(read("fit").takesBlocks());
  EXPECT_TRUE(read("any").takesBlocks());
  EXPECT_FALSE(read("one-thread").takesBlocks());
  EXPECT_TRUE(read("one-thread").stridesGrid);
}

TEST(FrontMatter, SaysWhatItDoesNotUnderstand) {
  for (const char* text : {"no head", "---\nnonsense: 1\n---\n", "---\norder: first\n---\n",
                           "---\nresult: magic\n---\n", "---\nno colon\n---\n"}) {
    Strategy strategy;
    EXPECT_THROW(readFrontMatter(text, strategy), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace lanescope
