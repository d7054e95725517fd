// Pig to 100 as plain C++, for comparison: value iteration over win[mine][yours][turn], the chance of whoever is to move, in
// place, from high scores to low, until no chance changes by more than 1e-12. A change is no bound of the error, and nothing is
// proved. Prints the first player's chance.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int TARGET = 100, FACES = 6;
constexpr double SMALL = 1e-12;

static std::vector<double> win(static_cast<size_t>(TARGET) * TARGET * TARGET, 0.0);

static double &chance(int mine, int yours, int turn) {
    return win[(static_cast<size_t>(mine) * TARGET + yours) * TARGET + turn];
}

// Throw: a 1 gives the turn away, other faces add to it.
static double roll(int mine, int yours, int turn) {
    double sum = 1 - chance(yours, mine, 0);
    for (int face = 2; face <= FACES; face++)
        sum += mine + turn + face >= TARGET ? 1 : chance(mine, yours, turn + face);
    return sum / FACES;
}

static double hold(int mine, int yours, int turn) { return 1 - chance(yours, mine + turn, 0); }

static double sweep() {
    double change = 0;
    for (int mine = TARGET - 1; mine >= 0; mine--)
        for (int yours = TARGET - 1; yours >= 0; yours--)
            for (int turn = TARGET - mine - 1; turn >= 0; turn--) {
                const double best = std::max(roll(mine, yours, turn), turn ? hold(mine, yours, turn) : 0.0);
                double &known = chance(mine, yours, turn);
                change = std::max(change, std::fabs(best - known));
                known = best;
            }
    return change;
}

int main() {
    while (sweep() > SMALL) {
    }
    std::printf("%.15f\n", chance(0, 0, 0));
}
