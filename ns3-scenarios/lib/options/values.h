// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_VALUES_H
#define TCPSWEEP_VALUES_H

#include <ns3/data-rate.h>
#include <ns3/nstime.h>

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * Read the values of options. ns-3's own readers end the process at a text that they cannot read,
 * and accept some that are mistakes; these accept a text as a whole or throw BadValue.
 */

namespace tcpsweep
{

/**
 * @param text a decimal number and a unit, such as 1.5Mbps
 * @param[out] number the number
 * @param[out] unit the letters after it
 * @return whether the text has this form
 */
bool ReadQuantity(const std::string& text, double& number, std::string& unit);

/**
 * @param text a decimal number such as 0.001 or 1e-3
 * @param least the smallest allowed
 * @param most the largest allowed
 * @return the number
 */
double ParseNumber(const std::string& text, double least, double most);

/**
 * @param text a whole number
 * @param least the smallest allowed
 * @param most the largest allowed
 * @return the number
 */
uint64_t ParseCount(const std::string& text, uint64_t least, uint64_t most);

/**
 * @param text true or false
 * @return its value
 */
bool ParseFlag(const std::string& text);

/**
 * @param text one of several words
 * @param words the words
 * @return the word
 */
std::string ParseWord(const std::string& text, const std::vector<std::string>& words);

/**
 * @param text a data rate above zero, such as 10Mbps
 * @return the rate
 */
ns3::DataRate ParseRate(const std::string& text);

/**
 * @param text a time such as 20ms, not below zero
 * @return the time
 */
ns3::Time ParseTime(const std::string& text);

/**
 * @param text a time above zero
 * @return the time
 */
ns3::Time ParseDuration(const std::string& text);

/**
 * @param unit a unit of sizes: B, kB, MB, GB, KiB, MiB, GiB
 * @return the number of bytes that it stands for; 0 for any other text
 */
uint64_t BytesPerUnit(const std::string& unit);

/**
 * @param text a number of bytes above zero, with or without a unit
 * @return the bytes
 */
uint64_t ParseBytes(const std::string& text);

} // namespace tcpsweep

#endif // TCPSWEEP_VALUES_H
