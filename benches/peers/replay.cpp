// Replays a PGN file with chess-library (https://github.com/Disservin/chess-library): each SAN becomes a move, each move is
// played, the key of each position is at hand. Prints how many games and half-moves there were, and how many games have a
// move that could not be read; such a game ends there.
//
//     c++ -O3 -march=native -std=c++17 -DNDEBUG -I chess-library/include -o replay replay.cpp && ./replay games.pgn

#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

#include "chess.hpp"

class Replay : public chess::pgn::Visitor {
   public:
    std::uint64_t games = 0;
    std::uint64_t half_moves = 0;
    std::uint64_t broken = 0;
    std::uint64_t keys = 0;

    void startPgn() override {
        games += 1;
        is_broken = false;
        board.setFen(chess::constants::STARTPOS);
    }

    void header(std::string_view name, std::string_view value) override {
        if (name == "FEN") {
            board.setFen(value);
        }
    }

    void startMoves() override {}

    void move(std::string_view san, std::string_view) override {
        if (is_broken) {
            return;
        }
        try {
            board.makeMove<true>(chess::uci::parseSan(board, san, moves));
        } catch (const chess::uci::SanParseError&) {
            is_broken = true;
            broken += 1;
            return;
        }
        half_moves += 1;
        keys += board.hash();
    }

    void endPgn() override {}

   private:
    chess::Board board;
    chess::Movelist moves;
    bool is_broken = false;
};

int main(int count, char** words) {
    if (count != 2) {
        std::cerr << "usage: replay GAMES.pgn\n";
        return 2;
    }
    std::ifstream file(words[1], std::ios::binary);
    Replay replay;
    chess::pgn::StreamParser<> parser(file);
    const auto error = parser.readGames(replay);
    if (error) {
        std::cerr << error.message() << "\n";
        return 1;
    }
    std::cout << replay.games << " games, " << replay.half_moves << " half-moves, " << replay.broken
              << " broken games, sum of keys " << replay.keys << "\n";
    return 0;
}
