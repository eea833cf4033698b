# Dear ImGui as Debian packages it: a static library that holds the GLFW and OpenGL 3 backends and
# needs stb and FreeType; its headers in <imgui>, the backends' in <imgui/backends>.
find_package(Freetype REQUIRED)
find_path(IMGUI_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui REQUIRED)
file(STRINGS ${IMGUI_INCLUDE_DIR}/imgui.h imguiVersion REGEX "define IMGUI_VERSION_NUM")
string(REGEX MATCH "[0-9]+" imguiVersion "${imguiVersion}")
if(imguiVersion LESS 18600 OR NOT imguiVersion LESS 19300)
  message(FATAL_ERROR "Dear ImGui ${imguiVersion} is too old or too new: 1.86 to 1.92 are needed, as Debian 12 and newer have them.")
endif()
find_library(IMGUI_LIBRARY imgui REQUIRED)
find_library(STB_LIBRARY stb REQUIRED)
find_path(STB_INCLUDE_DIR stb_image_write.h PATH_SUFFIXES stb REQUIRED)
add_library(lanescope_imgui INTERFACE)
target_include_directories(lanescope_imgui SYSTEM INTERFACE
  ${IMGUI_INCLUDE_DIR} ${IMGUI_INCLUDE_DIR}/backends ${STB_INCLUDE_DIR})
# Its internal header would read all of <immintrin.h>, whose pragmas also put GCC back to the level of optimisation
# that the precompiled header has.
target_compile_definitions(lanescope_imgui INTERFACE IMGUI_DISABLE_SSE)
target_link_libraries(lanescope_imgui INTERFACE
  ${IMGUI_LIBRARY} lanescope_glfw ${STB_LIBRARY} Freetype::Freetype ${CMAKE_DL_LIBS})
add_library(lanescope::imgui ALIAS lanescope_imgui)
