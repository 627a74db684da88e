// SPDX-License-Identifier: MIT
#include "columns.h"

#include <cstring>
#include <utility>

namespace tcpsweep
{

namespace
{

/// The memory that an exported type owns.
struct SchemaOwner
{
    std::vector<ArrowSchema> items;     //!< the children
    std::vector<ArrowSchema*> pointers; //!< to the children
};

/// The memory that exported values own.
struct ArrayOwner
{
    std::vector<std::shared_ptr<const void>> buffers; //!< the memory
    std::vector<const void*> addresses;               //!< of the buffers
    std::vector<ArrowArray> items;                    //!< the children
    std::vector<ArrowArray*> pointers;                //!< to the children
};

/**
 * The release callback of types and of values. It releases the owner's children that were not
 * taken, and the owner.
 *
 * @param released the type or values to release
 */
template <typename Item, typename Owner>
void
Release(Item* released)
{
    auto* owner = static_cast<Owner*>(released->private_data);
    for (auto& item : owner->items)
    {
        if (item.release)
        {
            item.release(&item);
        }
    }
    delete owner;
    released->release = nullptr;
}

/**
 * @param item a type, or values, without children
 * @param count the number of its children
 */
template <typename Owner, typename Item>
void
AddItems(Item& item, size_t count)
{
    auto* owner = static_cast<Owner*>(item.private_data);
    owner->items.resize(count);
    for (auto& child : owner->items)
    {
        owner->pointers.push_back(&child);
    }
    item.n_children = static_cast<int64_t>(count);
    item.children = owner->pointers.data();
}

} // namespace

void
Export(const char* format,
       const char* name,
       size_t length,
       size_t nulls,
       std::vector<std::shared_ptr<const void>> buffers,
       ArrowSchema& schema,
       ArrowArray& array)
{
    constexpr int64_t NULLABLE = 2;
    schema = {};
    schema.private_data = new SchemaOwner;
    schema.format = format;
    schema.name = name;
    schema.flags = NULLABLE;
    schema.release = Release<ArrowSchema, SchemaOwner>;

    array = {};
    auto* owner = new ArrayOwner;
    array.private_data = owner;
    array.release = Release<ArrowArray, ArrayOwner>;
    owner->buffers = std::move(buffers);
    for (const auto& buffer : owner->buffers)
    {
        owner->addresses.push_back(buffer.get());
    }
    array.length = static_cast<int64_t>(length);
    array.null_count = static_cast<int64_t>(nulls);
    array.n_buffers = static_cast<int64_t>(owner->addresses.size());
    array.buffers = owner->addresses.data();
}

void
AddChildren(ArrowSchema& schema, ArrowArray& array, size_t count)
{
    AddItems<SchemaOwner>(schema, count);
    AddItems<ArrayOwner>(array, count);
}

Validity::Validity(size_t rows)
    : m_bits(new uint8_t[(rows + 7) / 8]())
{
}

Lists::Lists(size_t rows)
    : m_offsets(new int64_t[rows + 1]),
      m_items(std::make_shared<std::vector<int64_t>>()),
      m_validity(rows)
{
    m_offsets.get()[0] = 0;
}

void
Lists::Append(const uint32_t* first, size_t count)
{
    m_items->insert(m_items->end(), first, first + count);
    if (count)
    {
        m_validity.Set(m_size);
    }
    m_offsets.get()[++m_size] = static_cast<int64_t>(m_items->size());
}

void
Lists::HandOver(const char* name, ArrowSchema& schema, ArrowArray& array)
{
    const size_t nulls = m_size - m_validity.Count();
    Export("+L", name, m_size, nulls, {m_validity.Bits(), m_offsets}, schema, array);
    AddChildren(schema, array, 1);
    // The buffer's address is the address of the numbers; its owner is the vector.
    const std::shared_ptr<const void> items(m_items, m_items->data());
    Export(Format<int64_t>(),
           "item",
           m_items->size(),
           0,
           {nullptr, items},
           *schema.children[0],
           *array.children[0]);
}

void
Texts::SetTexts(const std::vector<std::string>& texts)
{
    m_letters = std::make_shared<std::string>();
    for (const auto& text : texts)
    {
        View view{static_cast<int32_t>(text.size()), {}};
        if (text.size() <= View::SHORT)
        {
            std::memcpy(view.letters, text.data(), text.size());
        }
        else
        {
            const int32_t place[] = {0, static_cast<int32_t>(m_letters->size())};
            std::memcpy(view.letters, text.data(), 4);
            std::memcpy(view.letters + 4, place, sizeof(place));
            *m_letters += text;
        }
        m_views.push_back(view);
    }
}

void
Texts::HandOver(const char* name, ArrowSchema& schema, ArrowArray& array)
{
    const std::shared_ptr<View[]> rows(new View[m_size]);
    for (size_t i = 0; i < m_size; i++)
    {
        rows[i] = m_views[m_codes[i]];
    }
    const std::shared_ptr<const void> letters(m_letters, m_letters->data());
    const auto size = std::make_shared<int64_t>(m_letters->size());
    Export("vu", name, m_size, 0, {nullptr, rows, letters, size}, schema, array);
}

} // namespace tcpsweep
