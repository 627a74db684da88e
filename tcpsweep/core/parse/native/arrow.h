// SPDX-License-Identifier: MIT
#ifndef TCPSWEEP_ARROW_H
#define TCPSWEEP_ARROW_H

#include <cstdint>

/**
 * @file
 * The two structures of the Arrow C data interface, which pass columns on without a copy:
 * https://arrow.apache.org/docs/format/CDataInterface.html. Names and layout are the interface's.
 */

extern "C"
{
    /// A column's type.
    struct ArrowSchema
    {
        const char* format;      //!< the type, in the interface's letters
        const char* name;        //!< the column's name
        const char* metadata;    //!< none
        int64_t flags;           //!< 2 where there may be nulls
        int64_t n_children;      //!< columns of a struct, 1 for a list
        ArrowSchema** children;  //!< their types
        ArrowSchema* dictionary; //!< none
        void (*release)(
            ArrowSchema*);  //!< frees it all; null once that is done or somebody else's to do
        void* private_data; //!< its owner
    };

    /// A column's values.
    struct ArrowArray
    {
        int64_t length;         //!< rows
        int64_t null_count;     //!< of them null
        int64_t offset;         //!< the first row
        int64_t n_buffers;      //!< how many buffers the type has
        int64_t n_children;     //!< as in the type
        const void** buffers;   //!< validity, a bit for each row, or null; then the values
        ArrowArray** children;  //!< the children's values
        ArrowArray* dictionary; //!< none
        void (*release)(
            ArrowArray*);   //!< frees it all; null once that is done or somebody else's to do
        void* private_data; //!< its owner
    };
}

#endif // TCPSWEEP_ARROW_H
