// The founding analysis of yazy as plain C++, for comparison: best[mask][hand][rerolls] over the 252 sorted hands, and for
// every hand the 32 sets of dice to keep, each with its chances over all 252 hands. No table is shared between hands and
// nothing is skipped. Prints the best expected score.

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <vector>

using Hand = std::array<int, 5>;

constexpr int HANDS = 252, SUBSETS = 32, BOXES = 11, REROLLS = 2;

static std::vector<Hand> hands;
static std::map<Hand, int> number;
static std::vector<double> chance(static_cast<size_t>(HANDS) * SUBSETS * HANDS);
static std::vector<double> best(static_cast<size_t>(1 << BOXES) * HANDS * (REROLLS + 1));

static double *chances(int hand, int subset) { return &chance[(static_cast<size_t>(hand) * SUBSETS + subset) * HANDS]; }

static double &value(int mask, int hand, int rerolls) {
    return best[(static_cast<size_t>(mask) * (REROLLS + 1) + rerolls) * HANDS + hand];
}

static void list_hands() {
    for (int a = 1; a <= 6; a++)
        for (int b = a; b <= 6; b++)
            for (int c = b; c <= 6; c++)
                for (int d = c; d <= 6; d++)
                    for (int e = d; e <= 6; e++) {
                        number[{a, b, c, d, e}] = static_cast<int>(hands.size());
                        hands.push_back({a, b, c, d, e});
                    }
}

// Roll every die outside the subset in all 6^k ways and add up where it leads.
static void roll_rest(int from, int subset, Hand dice, int position, double weight) {
    if (position == 5) {
        std::sort(dice.begin(), dice.end());
        chances(from, subset)[number.at(dice)] += weight;
    } else if (subset >> position & 1) {
        roll_rest(from, subset, dice, position + 1, weight);
    } else {
        for (int face = 1; face <= 6; face++) {
            dice[position] = face;
            roll_rest(from, subset, dice, position + 1, weight / 6);
        }
    }
}

static int score(const Hand &dice, int box) {
    int count[7] = {}, sum = 0;
    for (int face : dice) count[face]++, sum += face;
    const int most = *std::max_element(count + 1, count + 7);
    if (box < 6) return (box + 1) * count[box + 1];
    if (box == 6) return most >= 3 ? sum : 0;
    if (box == 7) return most >= 4 ? sum : 0;
    if (box == 8) return most == 3 && std::count(count + 1, count + 7, 2) == 1 ? 25 : 0;
    if (box == 9) return most == 1 && (count[1] == 0 || count[6] == 0) ? 40 : 0;
    return most == 5 ? 50 : 0;
}

static double after_roll(int mask, int hand, int subset, int rerolls) {
    const double *p = chances(hand, subset);
    double mean = 0;
    for (int next = 0; next < HANDS; next++) mean += p[next] * value(mask, next, rerolls);
    return mean;
}

static double turn_start(int mask) { return mask ? after_roll(mask, 0, 0, REROLLS) : 0; }

int main() {
    list_hands();
    for (int hand = 0; hand < HANDS; hand++)
        for (int subset = 0; subset < SUBSETS; subset++) roll_rest(hand, subset, hands[hand], 0, 1);
    std::vector<double> start(1 << BOXES, 0.0);
    for (int mask = 1; mask < 1 << BOXES; mask++) {
        for (int hand = 0; hand < HANDS; hand++) {
            double most = 0;
            for (int box = 0; box < BOXES; box++)
                if (mask >> box & 1) most = std::max(most, score(hands[hand], box) + start[mask ^ (1 << box)]);
            value(mask, hand, 0) = most;
        }
        for (int rerolls = 1; rerolls <= REROLLS; rerolls++)
            for (int hand = 0; hand < HANDS; hand++) {
                double most = 0;
                for (int subset = 0; subset < SUBSETS; subset++)
                    most = std::max(most, after_roll(mask, hand, subset, rerolls - 1));
                value(mask, hand, rerolls) = most;
            }
        start[mask] = turn_start(mask);
    }
    std::printf("%.15f\n", start[(1 << BOXES) - 1]);
}
