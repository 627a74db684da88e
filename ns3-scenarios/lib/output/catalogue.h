// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CATALOGUE_H
#define TCPSWEEP_CATALOGUE_H

#include <istream>
#include <ostream>

namespace tcpsweep
{

/**
 * Write which types this ns-3 has, with the attributes of each, as JSON. A type's inherited
 * attributes stand with its parent.
 *
 * @param os where it goes
 */
void WriteCatalogue(std::ostream& os);

/**
 * Try values for attributes and write, as a JSON array, for each whether ns-3 takes it.
 *
 * @param is lines of the form `ns3::Class::Attribute=value`
 * @param os where the answers go
 */
void CheckSettings(std::istream& is, std::ostream& os);

} // namespace tcpsweep

#endif // TCPSWEEP_CATALOGUE_H
