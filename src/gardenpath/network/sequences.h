/* Sequences of different lengths that advance together. They are ordered by length, the longest first. The elements are
   stored step by step: those of step t begin at the row offsets[t], one per sequence that is long enough. */

#pragma once

#include <vector>

namespace gp {

struct Sequences {
    std::vector<int> active;       // sequences with an element at step t
    std::vector<int> offsets;      // the first row of step t
    int count = 0;
    int steps = 0;
    int rows = 0;

    void set(const int* lengths, int number) {
        count = number;
        steps = number ? lengths[0] : 0;
        active.assign(steps, 0);
        offsets.assign(steps + 1, 0);
        for (int t = 0, longer = number; t < steps; t++) {
            while (lengths[longer - 1] <= t) longer--;
            active[t] = longer;
            offsets[t + 1] = offsets[t] + longer;
        }
        rows = offsets[steps];
    }
};

}  // namespace gp
