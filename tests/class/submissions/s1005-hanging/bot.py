"""Waits for a line that never comes, and so never answers the first one."""
import sys

while sys.stdin.readline() != "go\n":
    pass
