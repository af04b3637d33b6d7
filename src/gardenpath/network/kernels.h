/* The interface of the kernels: packed matrices and a table of functions for each instruction set.

   All instruction sets give the same bits: integer sums are exact, and float code consists of basic IEEE operations in
   a fixed order. */

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace gp {

enum {
    PANEL = 16,        // outputs that are stored together
    STEP = 4,          // inputs of an output that are stored together
    LANES = 16,        // words whose tags are scored together
};

/* The scale of states of an LSTM, which lie between -1 and 1. */
static const float STATE_SCALE = 1.0f / 127.0f;

/* Only tags with a higher probability contribute to a word's vector. */
static const float LEAST_PROBABILITY = 1.0f / 65536.0f;

/* An int8 matrix with a scale per output. The weights of 16 outputs form a panel: for each 4 inputs, 16 x 4 bytes. */
struct PackedMatrix {
    int outputs;
    int inputs;
    int panels;
    int steps;                 // groups of 4 inputs
    const int8_t* weights;     // [panels, steps, 16, 4], padded with zeros
    const float* scales;       // [panels * 16]
    const int32_t* offsets;    // -128 times the sum of an output's weights, [panels * 16]
};

/* The rows of a product: out = start + (x w) * (scale of x * scale of w). */
struct Product {
    const int8_t* rows;        // 4 * steps bytes of each row are read
    size_t stride;             // bytes from a row to the next
    const float* scales;       // one per row; NULL: all rows have the scale of states
    int count;
    const float* bias;         // the start; NULL: zeros, or with `add` what `out` contains
    bool add;
    float* out;
    size_t out_stride;         // floats from a row to the next
};

/* The parts of all tags, and their inputs to the parser's word vector. */
struct TagTable {
    int tags;
    int parts;                 // number of different parts
    int size;                  // of an input to the parser
    const uint32_t* members;   // parts of the tags, one tag after the other
    const uint32_t* ends;      // where the parts of a tag end
    const float* inputs;       // [tags, size]
};

struct TagResult {
    int32_t tag;
    float probability;
};

struct Kernels {
    const char* name;
    void (*multiply)(const PackedMatrix& matrix, const Product& product);
    /* Compute e^x. x is limited to -87 .. 88. */
    void (*exponential)(float* values, size_t count);
    /* Advance `count` LSTMs: gates [count, 4 * hidden] (overwritten), cells [count, hidden], states int8. */
    void (*lstm_step)(float* gates, float* cells, int8_t* states, size_t state_stride, int hidden, int count);
    /* Quantise a vector, with rectification before it if `relu`. Return its scale. */
    float (*quantise)(const float* values, int size, bool relu, int8_t* out);
    /* Find the best tags of up to 16 words from the scores of the parts, and add to the words' vectors the inputs of
       the tags, weighted with their probabilities. `scratch` has 16 * (parts + tags) floats. */
    void (*mix_tags)(const TagTable& table, const float* scores, size_t stride, int count, float* scratch,
                     TagResult* results, float* vectors, size_t vector_stride);
};

}  // namespace gp
