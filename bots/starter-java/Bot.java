// A whole bot: it plays any legal action, in all three games. Begin with `choose`.

import java.io.*;
import java.util.*;

public class Bot {
    // YOUR BOT BEGINS HERE. Return one of `actions`. What stands where, `at(x, y)` says; `random` looks
    // random, and draws the same numbers whenever the same game is played again.
    String choose(List<String> actions) {
        return actions.get(random.nextInt(actions.size()));
    }

    final String name, seat;
    final Random random;
    final Map<String, String> options = new HashMap<>();
    final SortedMap<String, Character> board = new TreeMap<>(); // by square; capitals are our pieces
    int ply = 0; // how many actions were played
    boolean red = false; // dark chess: do we play red? Known after the first action

    Bot(String[] start, Map<String, String> tuned) {
        name = start[1];
        seat = start[2];
        options.putAll(tuned);
        for (String word : start) options.put(word.replaceAll("=.*", ""), word.replaceAll(".*=", ""));
        random = new Random(Long.parseUnsignedLong(options.get("seed")));
    }

    // The name of a square: column x and row y, both from 0.
    String square(int x, int y) {
        return name.equals("watch-your-back") ? x + "," + y : (char) ('a' + x) + "" + (y + 1);
    }

    // What stands there: '.' is nothing, '?' is face-down, ' ' is no square, or none any more.
    char at(int x, int y) {
        boolean wyb = name.equals("watch-your-back");
        int low = !wyb || ply < 152 ? 0 : ply < 216 ? 1 : 2; // that board shrinks twice
        int columns = wyb ? 8 - low : Integer.parseInt(options.getOrDefault("size", "4"));
        int rows = name.equals("dark-chess") ? 8 : columns;
        if (x < low || y < low || x >= columns || y >= rows) return ' ';
        if (wyb && (x == low || x == 7 - low) && (y == low || y == 7 - low)) return ' '; // a corner
        return board.getOrDefault(square(x, y), name.equals("dark-chess") ? '?' : '.');
    }

    // Somebody acted, maybe we. `known` is what became public by it.
    void did(String by, String action, List<String> known) {
        String end = action.substring(action.indexOf('-') + 1); // all of it where there is no dash
        char piece = by.equals(seat) ? 'O' : 'x';
        if (action.contains("-")) {
            piece = board.put(action.split("-")[0], '.');
        } else if (name.equals("dark-chess")) {
            piece = known.get(0).charAt(0); // turned up
            boolean isRed = Character.isUpperCase(piece);
            if (ply == 0) red = isRed == by.equals(seat);
            piece = isRed == red ? Character.toUpperCase(piece) : Character.toLowerCase(piece);
        } else if (action.equals("steal")) {
            String stone = board.firstKey(); // its column and row change places
            board.clear();
            end = square(Integer.parseInt(stone.substring(1)) - 1, stone.charAt(0) - 'a');
        }
        if (!action.equals("pass")) board.put(end, piece);
        board.keySet().removeAll(known); // captured
        ply++;
    }

    List<String> actions() {
        List<String> actions = new ArrayList<>();
        boolean placing = name.equals("cachex") || name.equals("watch-your-back") && ply < 24;
        int from = seat.equals("black") ? 2 : 0, to = seat.equals("white") ? 6 : 26; // rows to place in
        int[][] steps = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        for (int y = 0; y < 26; y++) for (int x = 0; x < 26; x++) {
            char piece = at(x, y);
            boolean centre = x == y && ("" + (2 * x + 1)).equals(options.get("size"));
            boolean mayPlace = placing && y >= from && y < to && (ply > 0 || !centre);
            if (piece == '?' || piece == '.' && mayPlace) actions.add(square(x, y));
            if (!Character.isUpperCase(piece) || placing) continue;
            for (int[] step : steps) {
                for (int i = 1, over = 0; i < 8; i++) {
                    int endX = x + i * step[0], endY = y + i * step[1];
                    char other = at(endX, endY);
                    if (mayGo(piece, other, i, over)) actions.add(square(x, y) + "-" + square(endX, endY));
                    if (other != '.') over++; // how many pieces lie on the way
                }
            }
        }
        if (name.equals("cachex") && ply == 1) actions.add("steal");
        return actions.isEmpty() ? List.of("pass") : actions;
    }

    // Whether a piece may go so many squares, over so many pieces, to where `other` stands.
    boolean mayGo(char piece, char other, int squares, int over) {
        boolean enemy = Character.isLowerCase(other);
        if (piece == 'O') return other == '.' && squares <= 2 && over == squares - 1; // step or jump
        if (piece == 'C') return over == 1 && (other == '?' || enemy);
        if (squares > 1 || !enemy) return squares == 1 && other == '.';
        String pair = ("" + piece + other).toUpperCase(), ranks = "KGMRNP";
        if (pair.equals("KK")) return options.get("general-takes-general").equals("yes");
        if (pair.equals("KP")) return options.get("general-takes-soldier").equals("yes");
        if (pair.equals("PK") || pair.endsWith("C")) return !pair.equals("PC");
        return ranks.indexOf(pair.charAt(0)) <= ranks.indexOf(pair.charAt(1));
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Bot bot = null;
        Map<String, String> tuned = new HashMap<>(); // values of parameters, as a tuning sets them: also in `options`
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "referee" -> System.out.println("bot 1 starter-java tunes");
                case "set" -> tuned.put(words[1], words[2]);
                case "start" -> {
                    bot = new Bot(words, tuned);
                    System.out.println("ready");
                }
                case "did" -> bot.did(words[1], words[2], Arrays.asList(words).subList(3, words.length));
                case "act" -> System.out.println(bot.choose(bot.actions()));
            }
        }
    }
}
