#!/usr/bin/env python3
"""Writes livetape(1) from the command's own help.

    livetape --experimental-dump-help | scripts/make-manual.py > livetape.1

ArgumentParser's own plugin would build the whole program again.
"""
import json
import sys


def text(words):
    """Text escaped for roff: no control lines, no escapes."""
    words = (words or "").replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return "\n".join("\\&" + line if line[:1] == "." else line for line in words.split("\n"))


def names(argument):
    """The spellings of an argument, with its value."""
    value = argument.get("valueName") or "value"
    if argument["kind"] == "positional":
        return ["\\fI" + text(value) + "\\fR"]
    dashes = {"short": "-", "longWithSingleDash": "-"}
    flags = ["\\fB" + text(dashes.get(n["kind"], "--") + n["name"]) + "\\fR" for n in argument["names"]]
    return [f + (" \\fI" + text(value) + "\\fR" if argument["kind"] == "option" else "") for f in flags]


def usage(argument):
    word = names(argument)[-1]
    word = word if not argument.get("isOptional") else f"[{word}]"
    return word + ("..." if argument.get("isRepeating") else "")


def section(command, path, out):
    path = path + [command["commandName"]]
    arguments = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    out.append(".SS " + text(" ".join(path)))
    out.append(text(command.get("abstract")))
    if arguments:
        out += [".PP", "\\fB" + text(" ".join(path)) + "\\fR " + " ".join(usage(a) for a in arguments)]
    for argument in arguments:
        out += [".TP", ", ".join(names(argument)), text(argument.get("abstract"))]
        if argument.get("defaultValue"):
            out.append("Default: " + text(argument["defaultValue"]) + ".")
        if argument.get("discussion"):
            out += [".br", text(argument["discussion"])]
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            section(sub, path, out)


def main():
    command = json.load(sys.stdin)["command"]
    out = [
        '.TH LIVETAPE 1 "" "livetape" "User Commands"', ".SH NAME",
        "livetape \\- " + text(command["abstract"].rstrip(".").lower()), ".SH SYNOPSIS",
        "\\fBlivetape\\fR \\fIcommand\\fR [\\fIoptions\\fR]", ".SH COMMANDS"]
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            section(sub, ["livetape"], out)
    out += [
        ".SH ENVIRONMENT", ".TP", "LIVETAPE_ACCESS_TOKEN",
        "The access token of serve, where no \\fB\\-\\-token\\-file\\fR is given.", ".TP",
        "LIVETAPE_BUX_TOKEN", "The token for BUX.", ".TP", "NOTIFY_SOCKET, WATCHDOG_USEC",
        "Set by systemd: serve says when it is ready, and that it turns.", ".SH FILES", ".TP",
        "/etc/livetape/livetape.toml", "The configuration of the service.", ".TP",
        "/etc/livetape/environment", "Its environment, for tokens; optional.", ".TP",
        "/var/lib/livetape", "Its orders and kept history.", ".SH EXIT STATUS",
        "0 when all went well, 1 with one line on stderr when something failed, 2 for wrong usage.",
    ]
    print("\n".join(out))


main()
