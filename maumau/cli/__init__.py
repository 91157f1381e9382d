"""The command line: its commands by the sections of the help."""

SECTIONS = {
    ("Games", "games"): {
        "demo": "Deal a game, play it, and open its replay in the browser.",
        "play": "Play at a table in the terminal, against computer players.",
        "simulate": "Play the games of FILE or standard input, and print their results.",
        "deal": "Print the dealt games of a seed as input for simulate.",
        "replay": "Write an HTML page that steps through a game of FILE, with a reason for every move.",
        "party": "Open a room for people in the same network, and print its link and QR code.",
        "serve": "Serve pages for playing games, on this machine only, until Ctrl-C.",
    },
    ("The machine", "machine"): {
        "diagram": "Draw the state diagram of a game.",
        "check": "Check the rules of a game: its declaration, all games with small decks, and many whole games.",
        "rules": "List the house rules of a game, or show what a rule or a profile changes.",
        "actions": "List the numbered actions of a game and the fields of its observations.",
        "compile": "Compile a game to machine code and cache it.",
        "new": "Write a small, complete game of a kind, as a starting point for your own.",
        "stubs": "Write the stub of a game for editors and type checkers.",
    },
    ("Players", "analysis"): {
        "train": "Train a player and write it to a file, which every command accepts as --policy net:FILE.",
        "tournament": "Let players play against each other and rate them.",
        "benchmark": "Measure a player in a task of fixed games, opponents and decks.",
    },
    ("Data for learners", "data"): {
        "dataset": "Write the decisions of players as NPZ or Parquet, with a card that describes them.",
    },
    ("Analysis", "analysis"): {
        "odds": "Print how often the player who acts wins after each legal move of POSITION.",
        "solve": "Solve a game with a small deck: exact values, perfect play, errors of policies.",
        "study": "Play many games and report wins and lengths, with confidence intervals.",
    },
    ("Other problems", "problems"): {
        "waits": "Print the waits of mahjong hands from FILE or standard input, and their scores.",
        "acquaintance": "Print the number of persons between the first and the last person of each case.",
    },
    ("Help", "problems"): {
        "help": "Print the help of a COMMAND, or this page.",
        "completion": "Print the completion script for a SHELL.",
    },
}
"""By the title of a section and the module that declares its commands: the commands in the order of the help."""

SUMMARIES = {name: text for summaries in SECTIONS.values() for name, text in summaries.items()}
"""The first sentence of the help of each command."""
