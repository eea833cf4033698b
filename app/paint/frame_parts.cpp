#include "app/paint/frame_parts.h"

namespace lanescope {

void splitFrame(ImDrawData& frame, unsigned mostIndices, ImDrawCallback between) {
  ImDrawCmd pause;
  pause.UserCallback = between;
  unsigned held = 0;  // indices since the last pause
  for (int i = 0; i < frame.CmdListsCount; ++i) {
    ImVector<ImDrawCmd> commands;
    for (ImDrawCmd command : frame.CmdLists[i]->CmdBuffer) {
      while (command.UserCallback == nullptr && held + command.ElemCount > mostIndices) {
        ImDrawCmd part = command;
        part.ElemCount = (mostIndices - held) / 3 * 3;  // whole triangles
        if (part.ElemCount > 0) commands.push_back(part);
        commands.push_back(pause);
        held = 0;
        command.IdxOffset += part.ElemCount;
        command.ElemCount -= part.ElemCount;
      }
      held += command.ElemCount;
      commands.push_back(command);
    }
    frame.CmdLists[i]->CmdBuffer.swap(commands);
  }
}

}  // namespace lanescope
