// Unsaved texts: kept whatever ends the window, offered at the next start, and gone once they are saved or
// reset.
#include "app/workbench/drafts.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/workbench/tests/memory_host.h"
#include "app/workbench/tests/settle.h"
#include "sim/tests/golden_text.h"

namespace lanescope {
namespace {

using testing::MemoryHost;
using testing::settle;

constexpr const char* kFirst = "/home/unsaved-1.lanescope";
constexpr const char* kSecond = "/home/unsaved-2.lanescope";
constexpr const char* kKernel = "__global__ void k(float* out) { out[threadIdx.x] = 1; }\n";

/// A window's part of it. Its end without a word is that of a process that is killed.
struct Window {
  explicit Window(std::shared_ptr<MemoryHost> host)
      : session(std::make_shared<SteppedExecutor>(), {}, host),
        drafts(std::make_unique<Drafts>(session.executor(), std::move(host))) {
    session.chooseStrategy(strategies().front());
    settle(session);
    wait();
  }
  Document& document() { return *session.editor().current(); }
  void type(const std::string& letters) { document().buffer.insert(letters); }
  /// Draws frames until nothing is due.
  void wait() {
    for (int frame = 0; frame < 20; ++frame) {
      drafts->sync(session, now += 0.1);
      while (session.executor()->step()) {
      }
    }
  }

  double now = 100;
  Session session;
  std::unique_ptr<Drafts> drafts;
};

TEST(Drafts, OfferWhatAKilledWindowHad) {
  const auto host = std::make_shared<MemoryHost>();
  std::string text;
  {
    Window killed(host);
    EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::None) << "nothing is unsaved";
    killed.type("// mine\n");
    text = killed.document().buffer.text();
    killed.wait();
    EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::File);
  }
  Window next(host);
  EXPECT_SAYS(next.drafts->offer());
  EXPECT_NE(next.document().buffer.text(), text);
  next.drafts->open(next.session, next.now);
  EXPECT_EQ(next.document().buffer.text(), text);
  EXPECT_EQ(next.document().strategy, &strategies().front());
  EXPECT_EQ(next.drafts->offer(), "");
  EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::File) << "until the window's own has it";
  next.wait();
  EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::None);
  EXPECT_EQ(host->kindOf(kSecond), Host::FileKind::File);
  EXPECT_TRUE(next.document().buffer.undo()) << "opening can be undone";
}

TEST(Drafts, OfAnEarlierWindowStayUntilTheOwnFileHasThem) {
  const auto host = std::make_shared<MemoryHost>();
  {
    Window killed(host);
    killed.type("// earlier\n");
    killed.wait();
  }
  Window next(host);
  next.type("// own\n");
  next.drafts->sync(next.session, next.now);
  next.drafts->sync(next.session, next.now += 1);
  while (next.session.executor()->step()) {
  }
  EXPECT_EQ(host->kindOf(kSecond), Host::FileKind::File) << "written, and the outcome not taken";
  next.drafts->open(next.session, next.now);
  next.drafts->sync(next.session, next.now);
  EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::File) << "the own file has them only in the next write";
  next.wait();
  EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::None);
  EXPECT_NE(host->get(kSecond).find("// earlier"), std::string::npos);
}

TEST(Drafts, HaveALaunchThatChangesAfterTheText) {
  const auto host = std::make_shared<MemoryHost>();
  Window window(host);
  window.type("// mine\n");
  window.wait();
  LaunchForm form = window.session.editor().currentForm();
  form.block = "96";
  window.session.editor().editForm(form);
  window.wait();
  EXPECT_NE(host->get(kFirst).find("\"96\""), std::string::npos) << host->get(kFirst);
}

TEST(Drafts, AreWrittenAtPausesAndDuringLongTyping) {
  const auto host = std::make_shared<MemoryHost>();
  Window window(host);
  const auto isKept = [&] { return host->kindOf(kFirst) == Host::FileKind::File; };
  const auto typeFor = [&](double seconds) {
    for (double end = window.now + seconds; window.now < end;) {
      window.type("x");
      window.drafts->sync(window.session, window.now += 0.2);
      while (window.session.executor()->step()) {
      }
    }
  };
  typeFor(4);
  EXPECT_FALSE(isKept()) << "not at every letter";
  EXPECT_TRUE(window.drafts->due()) << "a frame is needed for it";
  typeFor(2);
  EXPECT_TRUE(isKept()) << "but after five seconds";
  window.wait();
  EXPECT_FALSE(window.drafts->due());
}

TEST(Drafts, EndWithASaveAResetOrAnUndo) {
  const auto host = std::make_shared<MemoryHost>();
  const std::string path = host->put("mine.cu", kKernel);
  Window window(host);
  const auto isKept = [&] {
    window.wait();
    return host->kindOf(kFirst) == Host::FileKind::File;
  };
  window.type("// mine\n");
  EXPECT_TRUE(isKept());
  window.session.editor().wasSaved("/home/user/baseline.lanescope");
  EXPECT_FALSE(isKept());
  window.type("// more\n");
  EXPECT_TRUE(isKept());
  window.session.resetText();
  EXPECT_FALSE(isKept());
  window.session.openFile(path);
  settle(window.session);
  window.type("// a file's\n");
  EXPECT_TRUE(isKept());
  window.document().buffer.undo();
  EXPECT_FALSE(isKept());
  window.type("// a file's\n");
  EXPECT_TRUE(isKept());
  window.session.editor().wasSaved(path);
  EXPECT_FALSE(isKept());
  // The strategy's text for another type is no work of the user's.
  window.session.chooseStrategy(strategies().front());
  settle(window.session);
  window.session.chooseElementType(ElementType::Int);
  settle(window.session);
  EXPECT_FALSE(isKept());
}

TEST(Drafts, OfSeveralWindowsAreApart) {
  const auto host = std::make_shared<MemoryHost>();
  {
    Window one(host);
    Window two(host);
    one.type("// one\n");
    one.wait();
    two.type("// two\n");
    two.wait();
    EXPECT_NE(host->get(kFirst).find("// one"), std::string::npos);
    EXPECT_NE(host->get(kSecond).find("// two"), std::string::npos);
    Window three(host);
    EXPECT_EQ(three.drafts->offer(), "") << "they belong to windows that are open";
  }
  Window next(host);
  Window other(host);
  EXPECT_EQ(other.drafts->offer(), "") << "the next window has them already";
  next.drafts->discard();
  EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::None);
  next.drafts->open(next.session, next.now);
  EXPECT_NE(next.document().buffer.text().find("// two"), std::string::npos);
  EXPECT_EQ(next.drafts->offer(), "");
}

TEST(Drafts, HaveEveryUnsavedText) {
  const auto host = std::make_shared<MemoryHost>();
  const std::string path = host->put("mine.cu", kKernel);
  {
    Window killed(host);
    killed.type("// a strategy's\n");
    killed.session.openFile(path);
    settle(killed.session);
    killed.type("// a file's\n");
    killed.wait();
  }
  host->remove(path);
  Window next(host);
  EXPECT_SAYS(next.drafts->offer());
  next.drafts->open(next.session, next.now);
  settle(next.session);
  EXPECT_EQ(next.document().path, path);
  EXPECT_EQ(next.document().buffer.text(), std::string("// a file's\n") + kKernel);
  EXPECT_EQ(next.session.error(), "");
  next.session.chooseStrategy(strategies().front());
  EXPECT_TRUE(next.document().buffer.text().starts_with("// a strategy's\n"));
}

TEST(Drafts, ThatCannotBeReadArePassedOver) {
  const auto host = std::make_shared<MemoryHost>();
  host->put(kFirst, "{ half a");
  host->put(kSecond, std::string((16U << 20U) + 1, ' '));
  Window window(host);
  EXPECT_EQ(window.drafts->offer(), "");
  EXPECT_SAYS(window.drafts->pollNews());
  EXPECT_EQ(host->get(std::string(kFirst) + ".unreadable"), "{ half a");
  EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::None);
  EXPECT_EQ(Window(host).drafts->pollNews(), "") << "once";
}

TEST(Drafts, OfAnotherVersionKeepTheirText) {
  const auto host = std::make_shared<MemoryHost>();
  SavedSession saved;
  saved.strategy = "of-next-year";
  saved.machine = "none";
  saved.draft.text = kKernel;
  host->put(kFirst, sessionText(saved));
  Window window(host);
  window.drafts->open(window.session, window.now);
  EXPECT_EQ(window.document().buffer.text(), kKernel);
  EXPECT_EQ(window.document().name(), "of-next-year.cu");
}

TEST(Drafts, SayOnceThatTheDiskIsFull) {
  const auto host = std::make_shared<MemoryHost>();
  Window window(host);
  host->fill();
  window.type("// mine\n");
  window.wait();
  EXPECT_SAYS(window.drafts->pollNews());
  window.type("// mine\n");
  window.wait();
  EXPECT_EQ(window.drafts->pollNews(), "");
  host->fill(false);
  window.type("// mine\n");
  window.wait();
  EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::File);
}

TEST(Drafts, AreWrittenBeforeTheWindowEnds) {
  const auto host = std::make_shared<MemoryHost>();
  Window window(host);
  window.type("// mine\n");
  window.drafts->flush(window.session);
  EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::File);
}

TEST(Drafts, ThatCouldNotBeWrittenAreTriedAgainAtTheEnd) {
  const auto host = std::make_shared<MemoryHost>();
  Window window(host);
  host->fill();
  window.type("// mine\n");
  window.wait();
  const std::string news = window.drafts->pollNews();
  window.drafts->flush(window.session);
  EXPECT_EQ(window.drafts->pollNews(), news) << "said once more: it is lost now";
  host->fill(false);
  window.drafts->flush(window.session);
  EXPECT_EQ(window.drafts->pollNews(), "");
  EXPECT_EQ(host->kindOf(kFirst), Host::FileKind::File);
}

TEST(Drafts, ThatCannotBeRemovedAreNamed) {
  const auto host = std::make_shared<MemoryHost>();
  {
    Window killed(host);
    killed.type("// mine\n");
    killed.wait();
  }
  Window window(host);
  host->keepFiles();
  window.drafts->discard();
  EXPECT_SAYS(window.drafts->pollNews());
  window.type("// more\n");
  window.wait();
  window.session.resetText();
  window.wait();
  EXPECT_SAYS(window.drafts->pollNews());  // of its own file
  host->keepFiles(false);
  window.drafts->flush(window.session);
  EXPECT_EQ(host->kindOf(kSecond), Host::FileKind::None) << "tried again";
}

TEST(Drafts, SayThatNoFileIsFree) {
  const auto host = std::make_shared<MemoryHost>();
  std::vector<std::shared_ptr<void>> marks;
  for (int number = 1; number <= 16; ++number)
    marks.push_back(host->claim("/home/unsaved-" + std::to_string(number) + ".lock"));
  Window window(host);
  window.type("// mine\n");
  window.wait();
  EXPECT_SAYS(window.drafts->pollNews());
}

}  // namespace
}  // namespace lanescope
