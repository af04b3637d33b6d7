/* The recurrence of an LSTM for one instruction set, in single precision. `recurrence.h` includes this file once for
   each instruction set, with GP_FLOATS (floats in a vector), GP_VECTORS (vectors in a panel) and GP_ROWS (rows that are
   computed together), and in a namespace of its own. */

typedef float vec __attribute__((vector_size(4 * GP_FLOATS)));
typedef int32_t ivec __attribute__((vector_size(4 * GP_FLOATS)));
enum { PANEL = GP_FLOATS * GP_VECTORS };

static inline vec load(const float* from) { vec v; memcpy(&v, from, sizeof v); return v; }
static inline void store(float* to, vec v) { memcpy(to, &v, sizeof v); }
static inline vec all(float x) { vec v; for (int i = 0; i < GP_FLOATS; i++) v[i] = x; return v; }

/* exp with a relative error of about 1e-7 for arguments between -87 and 87; others are clipped */
static inline vec exponential(vec x) {
    x = x > all(87.0f) ? all(87.0f) : x;
    x = x < all(-87.0f) ? all(-87.0f) : x;
    vec shifted = x * all(1.44269504f) + all(12582912.0f);
    vec n = shifted - all(12582912.0f);
    vec r = x - n * all(0.693359375f);
    r = r + n * all(2.12194440e-4f);
    vec p = all(1.9875691500e-4f);
    p = p * r + all(1.3981999507e-3f);
    p = p * r + all(8.3334519073e-3f);
    p = p * r + all(4.1665795894e-2f);
    p = p * r + all(1.6666665459e-1f);
    p = p * r + all(5.0000001201e-1f);
    p = p * (r * r) + r + all(1.0f);
    ivec bits = (ivec)shifted << 23;
    return (vec)((ivec)p + bits);
}

static inline vec sigmoid(vec x) { return all(1.0f) / (all(1.0f) + exponential(-x)); }
static inline vec hyperbolic_tangent(vec x) { return all(2.0f) / (all(1.0f) + exponential(all(-2.0f) * x)) - all(1.0f); }

/* Panels of a matrix [depth, columns]: for each panel, `depth` rows of PANEL columns. */
static void pack(const float* matrix, int depth, int columns, float* panels) {
    for (int first = 0; first < columns; first += PANEL)
        for (int k = 0; k < depth; k++)
            for (int j = 0; j < PANEL; j++)
                *panels++ = first + j < columns ? matrix[(size_t)k * columns + first + j] : 0.0f;
}

template <int ROWS>
static inline void multiply_rows(const float* a, int depth, const float* panel, float* c, int columns, int width, bool add) {
    vec sums[ROWS][GP_VECTORS];
    for (int i = 0; i < ROWS; i++)
        for (int v = 0; v < GP_VECTORS; v++) sums[i][v] = all(0.0f);
    for (int k = 0; k < depth; k++, panel += PANEL) {
        vec b[GP_VECTORS];
        for (int v = 0; v < GP_VECTORS; v++) b[v] = load(panel + v * GP_FLOATS);
        for (int i = 0; i < ROWS; i++)
            for (int v = 0; v < GP_VECTORS; v++) sums[i][v] += b[v] * a[(size_t)i * depth + k];
    }
    for (int i = 0; i < ROWS; i++) {
        float* row = c + (size_t)i * columns;
        if (width == PANEL) {
            for (int v = 0; v < GP_VECTORS; v++) {
                float* to = row + v * GP_FLOATS;
                store(to, add ? load(to) + sums[i][v] : sums[i][v]);
            }
        } else {
            const float* sum = (const float*)sums[i];
            for (int j = 0; j < width; j++) row[j] = add ? row[j] + sum[j] : sum[j];
        }
    }
}

/* c [rows, columns] = (c +) a [rows, depth] * matrix [depth, columns], the matrix in panels */
static void multiply(const float* a, int rows, int depth, const float* panels, float* c, int columns, bool add) {
    for (int first = 0; first < columns; first += PANEL, panels += (size_t)depth * PANEL) {
        int width = columns - first < PANEL ? columns - first : PANEL, i = 0;
        for (; i + GP_ROWS <= rows; i += GP_ROWS)
            multiply_rows<GP_ROWS>(a + (size_t)i * depth, depth, panels, c + (size_t)i * columns + first, columns, width, add);
        for (; i + 2 <= rows; i += 2)
            multiply_rows<2>(a + (size_t)i * depth, depth, panels, c + (size_t)i * columns + first, columns, width, add);
        for (; i < rows; i++)
            multiply_rows<1>(a + (size_t)i * depth, depth, panels, c + (size_t)i * columns + first, columns, width, add);
    }
}

/* One step of the cell for one row. gates: i, f, g, o, which become their activations. */
static void advance(float* gates, const float* before, float* cell, float* squashed, float* state, int size) {
    for (int j = 0; j < size; j += GP_FLOATS) {
        vec i = sigmoid(load(gates + j)), f = sigmoid(load(gates + size + j));
        vec g = hyperbolic_tangent(load(gates + 2 * size + j)), o = sigmoid(load(gates + 3 * size + j));
        vec c = i * g;
        if (before) c += f * load(before + j);
        vec t = hyperbolic_tangent(c);
        store(gates + j, i);
        store(gates + size + j, f);
        store(gates + 2 * size + j, g);
        store(gates + 3 * size + j, o);
        store(cell + j, c);
        store(squashed + j, t);
        store(state + j, o * t);
    }
}

/* The gradients of one step for one row: gates (activations) become the gradients of their inputs. */
static void retreat(
    float* gates, const float* before, const float* squashed, const float* from_state, const float* from_next,
    float* from_cell, int size
) {
    for (int j = 0; j < size; j += GP_FLOATS) {
        vec i = load(gates + j), f = load(gates + size + j), g = load(gates + 2 * size + j), o = load(gates + 3 * size + j);
        vec t = load(squashed + j), h = load(from_state + j);
        if (from_next) h += load(from_next + j);
        vec c = h * o * (all(1.0f) - t * t);
        if (from_next) c += load(from_cell + j);
        vec p = before ? load(before + j) : all(0.0f);
        store(gates + j, c * g * i * (all(1.0f) - i));
        store(gates + size + j, c * p * f * (all(1.0f) - f));
        store(gates + 2 * size + j, c * i * (all(1.0f) - g * g));
        store(gates + 3 * size + j, h * t * o * (all(1.0f) - o));
        store(from_cell + j, c * f);
    }
}

static void run(const Steps& s, bool backwards, const float* weights, float* gates, float* cells, float* squashed, float* states) {
    const int size = s.size;
    std::vector<float> panels((size_t)size * ((4 * size + PANEL - 1) / PANEL) * PANEL);
    pack(weights, size, 4 * size, panels.data());
    for (int n = 0; n < s.count; n++) {
        int t = backwards ? s.count - 1 - n : n, other = backwards ? t + 1 : t - 1;
        int rows = s.sizes[t], known = n == 0 ? 0 : rows < s.sizes[other] ? rows : s.sizes[other];
        size_t first = s.first[t], past = n == 0 ? 0 : s.first[other];
        multiply(states + past * size, known, size, panels.data(), gates + first * 4 * size, 4 * size, true);
        for (int i = 0; i < rows; i++) {
            size_t at = (first + i) * size;
            advance(gates + 4 * at, i < known ? cells + (past + i) * size : nullptr, cells + at, squashed + at, states + at, size);
        }
    }
}

static void run_back(
    const Steps& s, bool backwards, const float* weights, float* gates, const float* cells, const float* squashed,
    const float* from_states
) {
    const int size = s.size;
    std::vector<float> panels((size_t)4 * size * ((size + PANEL - 1) / PANEL) * PANEL);
    std::vector<float> carried((size_t)s.sizes[0] * size), from_cells((size_t)s.sizes[0] * size);
    pack(weights, 4 * size, size, panels.data());
    for (int n = s.count - 1; n >= 0; n--) {
        int t = backwards ? s.count - 1 - n : n, other = backwards ? t + 1 : t - 1, next = backwards ? t - 1 : t + 1;
        int rows = s.sizes[t], known = n == 0 ? 0 : rows < s.sizes[other] ? rows : s.sizes[other];
        int following = n == s.count - 1 ? 0 : rows < s.sizes[next] ? rows : s.sizes[next];
        size_t first = s.first[t], past = n == 0 ? 0 : s.first[other];
        for (int i = 0; i < rows; i++) {
            size_t at = (first + i) * size;
            retreat(
                gates + 4 * at, i < known ? cells + (past + i) * size : nullptr, squashed + at, from_states + at,
                i < following ? carried.data() + (size_t)i * size : nullptr, from_cells.data() + (size_t)i * size, size
            );
        }
        multiply(gates + first * 4 * size, known, 4 * size, panels.data(), carried.data(), size, false);
    }
}
