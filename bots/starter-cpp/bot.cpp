// A whole bot: it plays any legal action, in all three games. Begin with `choose`.

#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using std::string, std::vector;

struct Game {
    string name, seat;
    std::map<string, string> options;
    std::map<string, char> board;  // by square, such as "d2"; capitals are our pieces
    int ply = 0;                   // how many actions were played
    bool red = false;              // dark chess: do we play red? Known after the first action

    // The name of a square: column x and row y, both from 0.
    string square(int x, int y) const {
        if (name == "watch-your-back") return std::to_string(x) + "," + std::to_string(y);
        return string(1, 'a' + x) + std::to_string(y + 1);
    }

    // What stands there: '.' is nothing, '?' is face-down, ' ' is no square, or none any more.
    char at(int x, int y) const {
        bool wyb = name == "watch-your-back";
        int low = wyb ? (ply >= 152) + (ply >= 216) : 0;  // that board shrinks twice
        int columns = wyb ? 8 - low : name == "cachex" ? std::stoi(options.at("size")) : 4;
        int rows = name == "dark-chess" ? 8 : columns;
        if (x < low || y < low || x >= columns || y >= rows) return ' ';
        if (wyb && (x == low || x == 7 - low) && (y == low || y == 7 - low)) return ' ';  // a corner
        auto found = board.find(square(x, y));
        return found != board.end() ? found->second : name == "dark-chess" ? '?' : '.';
    }

    // Somebody acted, maybe we. `known` is what became public by it.
    void did(const string& by, const string& action, const vector<string>& known) {
        size_t dash = action.find('-');
        string start = action.substr(0, dash), end = action.substr(dash + 1);  // the same without
        char piece = by == seat ? 'O' : 'x';
        if (dash != string::npos) {
            piece = board[start];
            board[start] = '.';
        } else if (name == "dark-chess") {
            bool is_red = isupper(known[0][0]);  // of the piece that was turned up
            if (ply == 0) red = is_red == (by == seat);
            piece = is_red == red ? toupper(known[0][0]) : tolower(known[0][0]);
        } else if (action == "steal") {
            string stone = board.begin()->first;  // its column and row change places
            board.clear();
            end = square(std::stoi(stone.substr(1)) - 1, stone[0] - 'a');
        }
        if (action != "pass") board[end] = piece;
        if (name != "dark-chess") for (const string& captured : known) board[captured] = '.';
        ply++;
    }

    vector<string> actions() const {
        vector<string> actions;
        bool placing = name == "cachex" || (name == "watch-your-back" && ply < 24);
        int from = seat == "black" ? 2 : 0, to = seat == "white" ? 6 : 26;  // rows to place in
        for (int y = 0; y < 26; y++) for (int x = 0; x < 26; x++) {
            char piece = at(x, y);
            bool centre = name == "cachex" && x == y && 2 * x + 1 == std::stoi(options.at("size"));
            bool may_place = placing && y >= from && y < to && (ply > 0 || !centre);
            if (piece == '?' || (piece == '.' && may_place)) actions.push_back(square(x, y));
            if (!isupper(piece) || placing) continue;
            for (auto [dx, dy] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
                for (int i = 1, over = 0; at(x + i * dx, y + i * dy) != ' '; i++) {
                    char other = at(x + i * dx, y + i * dy);
                    if (may_go(piece, other, i, over))
                        actions.push_back(square(x, y) + "-" + square(x + i * dx, y + i * dy));
                    over += other != '.';  // how many pieces lie on the way
                }
            }
        }
        if (name == "cachex" && ply == 1) actions.push_back("steal");
        return actions.empty() ? vector<string>{"pass"} : actions;
    }

    // Whether a piece may go so many squares, over so many pieces, to where `other` stands.
    bool may_go(char piece, char other, int squares, int over) const {
        if (piece == 'O') return other == '.' && squares <= 2 && over == squares - 1;  // step, jump
        if (piece == 'C') return over == 1 && (other == '?' || islower(other));
        if (squares > 1 || !islower(other)) return squares == 1 && other == '.';
        string pair = {piece, char(toupper(other))}, ranks = "KGMRNP";
        if (pair == "KK") return options.at("general-takes-general") == "yes";
        if (pair == "KP") return options.at("general-takes-soldier") == "yes";
        if (pair == "PK" || pair[1] == 'C') return pair != "PC";
        return ranks.find(pair[0]) <= ranks.find(pair[1]);
    }
};

// YOUR BOT BEGINS HERE. Return one of `actions`. What stands where, `game.at(x, y)` says; `random()`
// is a number that looks random, and is the same whenever the same game is played again.
string choose(const Game& game, const vector<string>& actions, std::mt19937_64& random) {
    return actions[random() % actions.size()];
}

int main() {
    Game game;
    std::map<string, string> tuned; // values of parameters, as a tuning sets them: also in `game.options`
    std::mt19937_64 random;
    for (string line; std::getline(std::cin, line);) {
        std::istringstream stream(line);
        vector<string> words{std::istream_iterator<string>(stream), {}};
        if (words[0] == "referee") std::cout << "bot 1 starter-cpp tunes" << std::endl;
        if (words[0] == "set") tuned[words[1]] = words[2];
        if (words[0] == "did") game.did(words[1], words[2], {words.begin() + 3, words.end()});
        if (words[0] == "act") std::cout << choose(game, game.actions(), random) << std::endl;
        if (words[0] == "start") {
            game = Game{words[1], words[2], tuned, {}};
            for (const string& word : words)
                game.options[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
            random.seed(std::stoull(game.options.at("seed")));
            std::cout << "ready" << std::endl;
        }
    }
}
