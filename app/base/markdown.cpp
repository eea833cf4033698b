#include "app/base/markdown.h"

#include <md4c.h>

#include <utility>

namespace lanescope {
namespace {

using Kind = MarkdownBlock::Kind;
using Style = MarkdownRun::Style;

/// Takes md4c's events and keeps blocks in one flat list: the contents of a list's item follow the item.
class BlockReader {
 public:
  void enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_UL: lists_.push_back({}); break;
      case MD_BLOCK_OL: {
        const auto& list = *static_cast<MD_BLOCK_OL_DETAIL*>(detail);
        lists_.push_back({true, list.start, list.mark_delimiter});
        break;
      }
      case MD_BLOCK_LI: blocks_.push_back({Kind::Item, lists_.back().nextMarker(), {}}); break;
      case MD_BLOCK_H: blocks_.push_back({Kind::Heading, "", {}}); break;
      case MD_BLOCK_CODE: blocks_.push_back({Kind::Code, "", {{Style::Code, ""}}}); break;
      case MD_BLOCK_P:
        // An item's first paragraph is the item itself.
        if (blocks_.empty() || blocks_.back().kind != Kind::Item || !blocks_.back().runs.empty())
          blocks_.push_back({Kind::Paragraph, "", {}});
        break;
      default: break;
    }
  }

  void leave(MD_BLOCKTYPE type) {
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
    if (type != MD_BLOCK_CODE) return;
    std::string& code = blocks_.back().runs.front().text;
    if (code.ends_with('\n')) code.pop_back();
  }

  void enter(MD_SPANTYPE type) { ++spanDepth(type); }
  void leave(MD_SPANTYPE type) { --spanDepth(type); }

  void text(MD_TEXTTYPE type, std::string_view text) {
    if (blocks_.empty()) return;
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) text = " ";
    const bool isCode = inCode_ > 0 || blocks_.back().kind == Kind::Code;
    const Style style = isCode ? Style::Code : inBold_ > 0 ? Style::Bold : Style::Plain;
    std::vector<MarkdownRun>& runs = blocks_.back().runs;
    if (runs.empty() || runs.back().style != style) runs.push_back({style, ""});
    runs.back().text += text;
  }

  std::vector<MarkdownBlock> consume() && { return std::move(blocks_); }

 private:
  struct List {
    bool isNumbered = false;
    unsigned next = 0;
    char delimiter = '.';
    std::string nextMarker() { return isNumbered ? std::to_string(next++) + delimiter : "•"; }
  };

  /// How deep the text is in spans that look like this one.
  int& spanDepth(MD_SPANTYPE type) {
    if (type == MD_SPAN_CODE) return inCode_;
    return type == MD_SPAN_EM || type == MD_SPAN_STRONG ? inBold_ : inOther_;
  }

  std::vector<MarkdownBlock> blocks_;
  std::vector<List> lists_;
  int inCode_ = 0;
  int inBold_ = 0;
  int inOther_ = 0;
};

BlockReader& reader(void* user) { return *static_cast<BlockReader*>(user); }

}  // namespace

std::vector<MarkdownBlock> parseMarkdown(std::string_view text) {
  MD_PARSER parser{};
  parser.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    reader(user).enter(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void* /*detail*/, void* user) {
    reader(user).leave(type);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* /*detail*/, void* user) {
    reader(user).enter(type);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void* /*detail*/, void* user) {
    reader(user).leave(type);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* part, MD_SIZE size, void* user) {
    reader(user).text(type, {part, size});
    return 0;
  };
  BlockReader blocks;
  md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &blocks);
  return std::move(blocks).consume();
}

}  // namespace lanescope
