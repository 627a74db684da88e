// SPDX-License-Identifier: GPL-2.0-only
#ifndef TCPSWEEP_CATALOGUE_H
#define TCPSWEEP_CATALOGUE_H

#include <istream>
#include <ostream>

namespace tcpsweep
{

/**
 * Write the types of this ns-3 with their attributes as JSON. Look for a type's inherited
 * attributes with its parent.
 *
 * @param os where it goes
 */
void WriteCatalogue(std::ostream& os);

/**
 * Try values for attributes and write a JSON array that says of each whether ns-3 accepts it, and
 * what it reads: equal values have one text.
 *
 * @param is lines of the form `ns3::Class::Attribute=value`
 * @param os where the answers go
 */
void CheckSettings(std::istream& is, std::ostream& os);

} // namespace tcpsweep

#endif // TCPSWEEP_CATALOGUE_H
