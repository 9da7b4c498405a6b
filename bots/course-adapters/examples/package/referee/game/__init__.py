"""A small game with the surface of the packages of COMP30024 from 2023 on, in the place of a course's own."""

from .actions import Action, GrowAction, HopAction, PlaceAction
from .board import Board
from .constants import BOARD_N, GAME_NAME, MAX_TURNS, NUM_PLAYERS
from .coord import Coord, Direction
from .exceptions import IllegalActionException, PlayerException
from .player import PlayerColor
