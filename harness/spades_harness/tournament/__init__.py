"""Many matches, ranked and recorded. Imports the game and the table; knows no plugin manager and no terminal."""
