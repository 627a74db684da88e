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
 * @param os the stream to write to
 */
void WriteCatalogue(std::ostream& os);

/**
 * Try values for attributes, and write a JSON array that says for each whether ns-3 accepts it, and
 * the value as ns-3 prints it: equal values have one text.
 *
 * @param is lines of the form `ns3::Class::Attribute=value`
 * @param os the stream for the answers
 */
void CheckSettings(std::istream& is, std::ostream& os);

} // namespace tcpsweep

#endif // TCPSWEEP_CATALOGUE_H
