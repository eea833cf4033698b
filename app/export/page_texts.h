#pragma once

#include <string_view>

/// The files beside this one, as embed.cmake embeds them.
namespace lanescope {

std::string_view pageTemplate();  ///< page.html: `@NAME@` marks a place to fill in
std::string_view pageStyles();    ///< page.css
std::string_view pageScript();    ///< page.js

}  // namespace lanescope
