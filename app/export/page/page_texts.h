#pragma once

#include <string_view>

/// The files beside this one, as embed.cmake embeds them.
namespace lanescope {

std::string_view pageTemplate();  ///< page.html: `@NAME@` is where something goes
std::string_view pageStyles();    ///< page.css
std::string_view pageScript();    ///< page.js

}  // namespace lanescope
