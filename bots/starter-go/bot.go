// A whole bot: it plays any legal action, in all three games. Begin with `choose`.

package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
)

// YOUR BOT BEGINS HERE. Return one of `actions`. What stands where, `game.at(x, y)` says; `random`
// draws the same numbers whenever the same game is played again.
func choose(game *Game, actions []string, random *rand.Rand) string {
	return actions[random.Intn(len(actions))]
}

type Game struct {
	name, seat string
	options    map[string]string
	board      map[string]byte // by square, such as "d2"; capitals are our pieces
	ply        int             // how many actions were played
	red        bool            // dark chess: do we play red? Known after the first action
}

// The name of a square: column x and row y, both from 0.
func (g *Game) square(x, y int) string {
	if g.name == "watch-your-back" {
		return fmt.Sprintf("%d,%d", x, y)
	}
	return fmt.Sprintf("%c%d", 'a'+x, y+1)
}

// What stands there: '.' is nothing, '?' is face-down, ' ' is no square, or none any more.
func (g *Game) at(x, y int) byte {
	low, columns, rows, fresh := 0, 4, 8, byte('?')
	if size, known := g.options["size"]; known {
		columns, _ = strconv.Atoi(size)
		rows, fresh = columns, '.'
	} else if g.name == "watch-your-back" {
		if g.ply >= 216 { // that board shrinks twice
			low = 2
		} else if g.ply >= 152 {
			low = 1
		}
		columns, rows, fresh = 8-low, 8-low, '.'
	}
	corner := g.name == "watch-your-back" && (x == low || x == 7-low) && (y == low || y == 7-low)
	if corner || x < low || y < low || x >= columns || y >= rows {
		return ' '
	}
	if piece, known := g.board[g.square(x, y)]; known {
		return piece
	}
	return fresh
}

func isOurs(piece byte) bool   { return piece >= 'A' && piece <= 'Z' }
func isTheirs(piece byte) bool { return piece >= 'a' && piece <= 'z' }

// Somebody acted, maybe we. `public` is what became known by it.
func (g *Game) did(seat, action string, public []string) {
	start, end, moves := strings.Cut(action, "-")
	piece := byte('x')
	if seat == g.seat {
		piece = 'O'
	}
	if moves {
		piece = g.board[start]
		g.board[start] = '.'
	} else if end = action; g.name == "dark-chess" {
		isRed := isOurs(public[0][0]) // of the piece that was turned up
		if g.ply == 0 {
			g.red = isRed == (seat == g.seat)
		}
		piece = public[0][0] &^ 32 // in capitals
		if isRed != g.red {
			piece |= 32
		}
	} else if action == "steal" { // the one stone changes sides, column and row change places
		for stone := range g.board {
			column, _ := strconv.Atoi(stone[1:])
			delete(g.board, stone)
			end = g.square(column-1, int(stone[0]-'a'))
		}
	}
	if action != "pass" {
		g.board[end] = piece
	}
	if g.name != "dark-chess" {
		for _, captured := range public {
			g.board[captured] = '.'
		}
	}
	g.ply++
}

// All legal actions.
func (g *Game) actions() (actions []string) {
	placing := g.name == "cachex" || g.name == "watch-your-back" && g.ply < 24
	for i := 0; i < 26*26; i++ {
		x, y := i%26, i/26
		piece, square := g.at(x, y), g.square(x, y)
		inRows := (g.seat != "white" || y < 6) && (g.seat != "black" || y >= 2)
		isCentre := x == y && g.options["size"] == strconv.Itoa(2*x+1)
		if piece == '?' || piece == '.' && placing && inRows && (g.ply > 0 || !isCentre) {
			actions = append(actions, square)
		}
		for _, step := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			for i, over := 1, 0; i < 8 && isOurs(piece) && !placing; i++ {
				endX, endY := x+i*step[0], y+i*step[1]
				other := g.at(endX, endY)
				if g.mayGo(piece, other, i, over) {
					actions = append(actions, square+"-"+g.square(endX, endY))
				}
				if other != '.' { // how many pieces lie on the way
					over++
				}
			}
		}
	}
	if g.name == "cachex" && g.ply == 1 {
		actions = append(actions, "steal")
	}
	if len(actions) == 0 {
		actions = append(actions, "pass")
	}
	return actions
}

// Whether a piece may go so many squares, over so many pieces, to where `other` stands.
func (g *Game) mayGo(piece, other byte, squares, over int) bool {
	pair := strings.ToUpper(string([]byte{piece, other}))
	switch {
	case piece == 'O': // step or jump
		return other == '.' && squares <= 2 && over == squares-1
	case piece == 'C':
		return over == 1 && (other == '?' || isTheirs(other))
	case squares > 1 || !isTheirs(other):
		return squares == 1 && other == '.'
	case pair == "KK":
		return g.options["general-takes-general"] == "yes"
	case pair == "KP":
		return g.options["general-takes-soldier"] == "yes"
	case pair == "PK" || pair[1] == 'C':
		return pair != "PC"
	}
	return strings.IndexByte("KGMRNP", pair[0]) <= strings.IndexByte("KGMRNP", pair[1])
}

func main() {
	var game *Game
	var random *rand.Rand
	tuned := map[string]string{} // values of parameters, as a tuning sets them: also in game.options
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "referee":
			fmt.Println("bot 1 starter-go tunes")
		case "set":
			tuned[words[1]] = words[2]
		case "start":
			options := map[string]string{}
			for name, value := range tuned {
				options[name] = value
			}
			for _, word := range words[3:] {
				key, value, _ := strings.Cut(word, "=")
				options[key] = value
			}
			seed, _ := strconv.ParseUint(options["seed"], 10, 64)
			random = rand.New(rand.NewSource(int64(seed)))
			game = &Game{name: words[1], seat: words[2], options: options, board: map[string]byte{}}
			fmt.Println("ready")
		case "did":
			game.did(words[1], words[2], words[3:])
		case "act":
			fmt.Println(choose(game, game.actions(), random))
		}
	}
}
