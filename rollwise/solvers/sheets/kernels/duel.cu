// The kernel of `duels` for graphics cards: the same recursion, operation by operation, so the bits are those of the processor.
//
// A block works on one row (a pair of outers) at a time, LANES * EACH leads at once. The table of all keeps for these leads lies in
// shared memory, one row of numbers per keep. Its threads form groups of LANES; a group takes one keep, a thread EACH leads of it,
// so that finding a keep is paid for once for all of them. Between two sizes of keeps the block waits for all its groups.
//
// The same text compiles as C++ without a card: there a block is one thread that walks through groups and lanes in loops. That is
// how the kernel is tested where there is no card.
//
// Set from outside: REAL (float or double), LANES, EACH, GROUPS, FACES, COUNT (dice), REROLLS, N_BOXES, N_EFFECTS, N_KEEPS, FIRST_HAND,
// LOADED (1: the faces have different chances).

#ifdef __CUDACC__
#define KERNEL extern "C" __global__ void __launch_bounds__(LANES* GROUPS)
#define FOR_ROWS(row) for (int row = blockIdx.x; row < n_rows; row += gridDim.x)
#define FOR_THREADS(i, n) for (int i = threadIdx.x; i < (n); i += LANES * GROUPS)
#define FOR_GROUPS(i, from, to) for (int i = (from) + threadIdx.x / LANES; i < (to); i += GROUPS)
#define FOR_LANES(lane) if (const int lane = threadIdx.x % LANES; true)
#define WAIT __syncthreads()
#define CONST(type) const type* __restrict__
#define UNROLL _Pragma("unroll")
extern __shared__ double shared_memory[];
#define SCRATCH reinterpret_cast<char*>(shared_memory)
#else
#define KERNEL extern "C" void
#define FOR_ROWS(row) for (int row = 0; row < n_rows; ++row)
#define FOR_THREADS(i, n) for (int i = 0; i < (n); ++i)
#define FOR_GROUPS(i, from, to) for (int i = (from); i < (to); ++i)
#define FOR_LANES(lane) for (int lane = 0; lane < LANES; ++lane)
#define WAIT
#define CONST(type) const type*
#define UNROLL
#define SCRATCH scratch
alignas(16) static char scratch[(sizeof(REAL) * LANES * EACH + 16) * (N_KEEPS + N_EFFECTS)];
#endif

#ifdef __CUDACC__
#define INLINE __device__ __forceinline__
#else
#define INLINE static inline
#endif

typedef unsigned short index;
typedef long long place;

// The numbers of EACH neighbouring leads.
struct alignas(sizeof(REAL) * EACH) Leads { REAL at[EACH]; };

INLINE void add(Leads& sum, const Leads& other) {
    UNROLL
    for (int i = 0; i < EACH; ++i) sum.at[i] += other.at[i];
}

INLINE void scale(Leads& sum, REAL by) {
    UNROLL
    for (int i = 0; i < EACH; ++i) sum.at[i] *= by;
}

INLINE void take_larger(Leads& best, const Leads& other) {
    UNROLL
    for (int i = 0; i < EACH; ++i) best.at[i] = other.at[i] > best.at[i] ? other.at[i] : best.at[i];
}

// The keep with one more die of each face, then unused; the keep without one die of each of its faces, and how many those are.
struct alignas(16) More { index keep[8]; };
struct alignas(16) Fewer { index keep[7]; index n; };

KERNEL duel_rows(
    int n_rows, int first_moved, int first_mover, int n_mover, CONST(place) row_start, CONST(int) row_low,
    int earlier_first_moved, int earlier_first_mover, int earlier_n_mover, CONST(place) earlier_start, CONST(int) earlier_low,
    CONST(REAL) before, REAL* values,
    CONST(int) move_start, CONST(index) move_effect, CONST(int) move_target, CONST(int) move_gain,
    CONST(int) outer_opened, CONST(index) box_hand_effect, CONST(int) special_of_hand, CONST(int) special_effect,
    CONST(int) special_variant, int n_special, int in_order,
    CONST(int) size_start, CONST(More) more, CONST(Fewer) fewer, CONST(REAL) share)
{
    Leads(*table)[LANES] = reinterpret_cast<Leads(*)[LANES]>(SCRATCH);
    Leads(*gained)[LANES] = table + N_KEEPS;
    place* from = reinterpret_cast<place*>(gained + N_EFFECTS);  // where the row that a move leads to begins
    int* shift = reinterpret_cast<int*>(from + N_EFFECTS);       // added to the mover's lead: the place in that row
    int* room = shift + N_EFFECTS;                               // its length

    FOR_ROWS(row) {
        const place begin = row_start[row];
        const int size = int(row_start[row + 1] - begin), low = row_low[row];
        const int moved = first_moved + row / n_mover, mover = first_mover + row % n_mover;
        const int first_move = move_start[mover], n_moves = move_start[mover + 1] - first_move;
        const int opened = outer_opened[mover];
        const int allowed = in_order ? opened & -opened : opened;
        WAIT;
        FOR_THREADS(n, n_moves) {
            const int to = (move_target[first_move + n] - earlier_first_moved) * earlier_n_mover + moved - earlier_first_mover;
            from[n] = earlier_start[to];
            room[n] = int(earlier_start[to + 1] - earlier_start[to]);
            shift[n] = move_gain[first_move + n] - earlier_low[to];
        }
        WAIT;
        for (int lead = 1 - low - size; lead < 1 - low; lead += LANES * EACH) {
            FOR_GROUPS(n, 0, n_moves) FOR_LANES(lane) {
                const int begins = lead + lane * EACH + shift[n];
                Leads found;
                UNROLL
                for (int i = 0; i < EACH; ++i) {
                    const int at = begins + i;
                    found.at[i] = at < 0 ? REAL(0) : at >= room[n] ? REAL(1) : before[from[n] + at];
                }
                gained[move_effect[first_move + n]][lane] = found;
            }
            WAIT;
            FOR_GROUPS(hand, 0, N_KEEPS - FIRST_HAND) FOR_LANES(lane) {
                const int special = special_of_hand[hand];
                Leads best;
                UNROLL
                for (int i = 0; i < EACH; ++i) best.at[i] = REAL(-1);
                for (int rest = allowed; rest; rest &= rest - 1) {
                    int box = 0;
#ifdef __CUDACC__
                    box = __ffs(rest) - 1;
#else
                    box = __builtin_ctz(rest);
#endif
                    int effect = box_hand_effect[box * (N_KEEPS - FIRST_HAND) + hand];
                    if (special >= 0)
                        effect = special_effect[(special * 4 + special_variant[opened * n_special + special]) * N_BOXES + box];
                    if (effect >= 0) take_larger(best, gained[effect][lane]);
                }
                table[FIRST_HAND + hand][lane] = best;
            }
            for (int roll = 0; roll <= REROLLS; ++roll) {
                for (int dice = COUNT - 1; dice >= 0; --dice) {
                    WAIT;
                    FOR_GROUPS(keep, size_start[dice], size_start[dice + 1]) FOR_LANES(lane) {
                        const More next = more[keep];
                        Leads total = table[next.keep[0]][lane];
#if LOADED
                        scale(total, share[0]);
#endif
                        UNROLL
                        for (int face = 1; face < FACES; ++face) {
                            Leads one = table[next.keep[face]][lane];
#if LOADED
                            scale(one, share[face]);
#endif
                            add(total, one);
                        }
#if !LOADED
                        scale(total, share[0]);
#endif
                        table[keep][lane] = total;
                    }
                }
                for (int dice = 1; dice <= COUNT && roll < REROLLS; ++dice) {
                    WAIT;
                    FOR_GROUPS(keep, size_start[dice], size_start[dice + 1]) FOR_LANES(lane) {
                        const Fewer less = fewer[keep];
                        Leads best = table[keep][lane];
                        for (int face = 0; face < less.n; ++face) take_larger(best, table[less.keep[face]][lane]);
                        table[keep][lane] = best;
                    }
                }
            }
            WAIT;
            FOR_GROUPS(keep, 0, 1) FOR_LANES(lane) {
                for (int i = 0; i < EACH; ++i) {
                    const int at = lead + lane * EACH + i;
                    if (at < 1 - low) values[begin - at - low] = REAL(1) - table[0][lane].at[i];
                }
            }
        }
    }
}
