// OpenSpiel's own loop: whole matches by chance, each legal move and each outcome as likely as the game says. Built by
// benchmarks/performance.py against the installed wheel, whose library it runs in.
#include <cstdint>
#include <memory>
#include <string>

#include "open_spiel/spiel.h"

namespace {
uint64_t word(uint64_t* state) {  // SplitMix64
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
}  // namespace

extern "C" {
void* loop_game(const char* name) {
  return new std::shared_ptr<const open_spiel::Game>(open_spiel::LoadGame(std::string(name)));
}

// How many decisions players have made in so many matches.
int64_t loop_play(void* given, int64_t matches, uint64_t seed) {
  const auto& game = *static_cast<std::shared_ptr<const open_spiel::Game>*>(given);
  int64_t decisions = 0;
  for (int64_t match = 0; match < matches; match++) {
    std::unique_ptr<open_spiel::State> state = game->NewInitialState();
    while (!state->IsTerminal()) {
      if (state->IsChanceNode()) {
        double left = (word(&seed) >> 11) * 0x1.0p-53;
        open_spiel::Action chosen = -1;
        for (const auto& [action, chance] : state->ChanceOutcomes()) {
          chosen = action;
          left -= chance;
          if (left < 0) break;
        }
        state->ApplyAction(chosen);
      } else {
        std::vector<open_spiel::Action> legal = state->LegalActions();
        state->ApplyAction(legal[static_cast<uint64_t>((static_cast<unsigned __int128>(word(&seed)) * legal.size()) >> 64)]);
        decisions++;
      }
    }
    if (state->Returns().empty()) return -1;
  }
  return decisions;
}
}
