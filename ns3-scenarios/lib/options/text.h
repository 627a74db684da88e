// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_TEXT_H
#define TCPSWEEP_TEXT_H

#include <string>
#include <vector>

namespace tcpsweep
{

/**
 * @param text the parts with a separator between each two
 * @param separator the separator
 * @return the parts, at least one; an empty text has one empty part
 */
std::vector<std::string> Split(const std::string& text, char separator);

/**
 * @param parts the parts
 * @param separator the text between each two
 * @return all of them in one text
 */
std::string Join(const std::vector<std::string>& parts, const std::string& separator);

/**
 * @param text any text
 * @param prefix a possible beginning
 * @return whether it does
 */
bool StartsWith(const std::string& text, const std::string& prefix);

/**
 * @param text a user's text
 * @param known the known spellings
 * @return "; did you mean 'X'?" for the nearest known spelling, if it is near enough; else nothing
 */
std::string DidYouMean(const std::string& text, const std::vector<std::string>& known);

} // namespace tcpsweep

#endif // TCPSWEEP_TEXT_H
