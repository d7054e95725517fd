"""Games in text files: TOML with expressions, without Python and without risk (docs/game-files.md)."""

from rollwise.games.files.game import FileGame, example_files, read_file_parameters, read_game, read_game_file, write_first

__all__ = ["FileGame", "example_files", "read_file_parameters", "read_game", "read_game_file", "write_first"]
