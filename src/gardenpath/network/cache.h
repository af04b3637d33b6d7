/* A bounded cache of the vectors of forms, shared by threads. An entry holds the whole form, so that what it returns
   never depends on what was added before. */

#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <memory>
#include <mutex>
#include <new>

namespace gp {

class FormCache {
public:
    enum { MAX_LENGTH = 43 };      // bytes; longer forms are rare and not kept

    /* Make room for about this many forms with vectors of this size. */
    void set(size_t forms, int vector_size) {
        size_ = vector_size;
        sets_ = (forms + WAYS - 1) / WAYS;
        entry_size_ = (sizeof(Entry) + vector_size + 7) / 8 * 8;
        // calloc: pages of entries that are never used take no memory.
        entries_.reset(static_cast<char*>(calloc(sets_ * WAYS + 1, entry_size_)));
        victims_.reset(static_cast<char*>(calloc(sets_ + 1, 1)));
        if (!entries_ || !victims_) throw std::bad_alloc();
    }

    /* Copy the vector and the scale of a form, and return whether they are known. The hash must not be 0. */
    bool find(uint64_t hash, const char* form, int length, int8_t* vector, float* scale) {
        if (!sets_ || length > MAX_LENGTH) return false;
        const size_t set = set_of(hash);
        const std::lock_guard<std::mutex> lock(locks_[set % SHARDS]);
        const Entry* entry = entry_of(set, hash, form, length);
        if (!entry) return false;
        memcpy(vector, entry + 1, size_);
        *scale = entry->scale;
        return true;
    }

    void add(uint64_t hash, const char* form, int length, const int8_t* vector, float scale) {
        if (!sets_ || length > MAX_LENGTH) return;
        const size_t set = set_of(hash);
        const std::lock_guard<std::mutex> lock(locks_[set % SHARDS]);
        if (entry_of(set, hash, form, length)) return;
        Entry* entry = at(set, victims_.get()[set]);
        victims_.get()[set] = (victims_.get()[set] + 1) % WAYS;
        entry->hash = hash;
        entry->scale = scale;
        entry->length = static_cast<uint8_t>(length);
        memcpy(entry->form, form, length);
        memcpy(entry + 1, vector, size_);
    }

private:
    enum { WAYS = 8, SHARDS = 64 };

    struct Entry {
        uint64_t hash;             // 0: empty
        float scale;
        uint8_t length;
        char form[MAX_LENGTH];
    };

    struct Free {
        void operator()(char* memory) const { free(memory); }
    };

    size_t set_of(uint64_t hash) const { return ((hash >> 32) * sets_) >> 32; }

    Entry* at(size_t set, int way) const {
        return reinterpret_cast<Entry*>(entries_.get() + (set * WAYS + way) * entry_size_);
    }

    Entry* entry_of(size_t set, uint64_t hash, const char* form, int length) const {
        for (int way = 0; way < WAYS; way++) {
            Entry* entry = at(set, way);
            if (entry->hash == hash && entry->length == length && !memcmp(entry->form, form, length)) return entry;
        }
        return nullptr;
    }

    int size_ = 0;
    size_t sets_ = 0, entry_size_ = 0;
    std::unique_ptr<char, Free> entries_, victims_;
    std::mutex locks_[SHARDS];
};

}  // namespace gp
