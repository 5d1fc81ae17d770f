#!/usr/bin/env python3
"""Draws the app icons, without alpha, with only Python's standard library.

A tape of the day's prices: a rising line with a live point (Livetape, the apps' and the page's), and the same line
above the rows of a list (Livetape Stocks). Run it again after a change of colours; equal input gives equal files.
"""

import math
import pathlib
import struct
import zlib

# Lengths are for a picture of 1024 pixels.
SIZE = 1024
TOP, BOTTOM = (16, 26, 48), (8, 12, 24)
LINE, LIVE, ROW = (64, 214, 160), (240, 252, 247), (70, 92, 130)
PRICES = [(0.10, 0.66), (0.24, 0.52), (0.36, 0.60), (0.52, 0.38), (0.64, 0.46), (0.82, 0.24)]


def distance(x, y, start, end):
    """The distance from a point to a segment, in pixels."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    along = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
    along = min(1.0, max(0.0, along))
    return math.hypot(x - ax - along * dx, y - ay - along * dy)


def blend(below, above, opacity):
    return tuple(b + (a - b) * opacity for b, a in zip(below, above))


def cover(gap):
    """How much of a pixel lies inside a shape whose edge is `gap` pixels away."""
    return min(1.0, max(0.0, 0.5 - gap))


def height_at(line, x):
    """The line's height at a column; None beside the line."""
    for (ax, ay), (bx, by) in zip(line, line[1:]):
        if ax <= x <= bx:
            return ay + (by - ay) * (x - ax) / (bx - ax)
    return None


def draw(line, rows, size=SIZE):
    """The picture's pixels, row by row from the top."""
    live = line[-1]
    segments = list(zip(line, line[1:]))
    pixels = bytearray()
    unit = SIZE / size
    for py in range(size):
        y = (py + 0.5) * unit
        pixels.append(0)
        for px in range(size):
            x = (px + 0.5) * unit
            colour = blend(TOP, BOTTOM, y / SIZE)
            edge = height_at(line, x)
            if edge is not None and y > edge:
                ends = min(1.0, (x - line[0][0]) / 160, (live[0] - x) / 160)
                colour = blend(colour, LINE, 0.30 * ends * max(0.0, 1 - y / (SIZE * 0.78)))
            for left, right, middle, opacity in rows:
                gap = distance(x, y, (left, middle), (right, middle)) - 17
                if gap < 0.5 * unit:
                    colour = blend(colour, ROW, cover(gap / unit) * opacity)
            gap = min(distance(x, y, *segment) for segment in segments) - 25
            if gap < 0.5 * unit:
                colour = blend(colour, LINE, cover(gap / unit))
            radius = math.hypot(x - live[0], y - live[1])
            if radius < 132:
                colour = blend(colour, LINE, 0.30 * cover((radius - 120) / unit))
                colour = blend(colour, LIVE, cover((radius - 62) / unit))
            pixels.extend(round(part) for part in colour)
    return bytes(pixels)


def changed(pixels, change, size=SIZE):
    """The picture with each pixel changed; the byte before each row stays."""
    row = 1 + 3 * size
    known = {}
    result = bytearray(pixels)
    for start in range(0, len(pixels), row):
        for at in range(start + 1, start + row, 3):
            colour = pixels[at:at + 3]
            if colour not in known:
                known[colour] = bytes(round(part) for part in change(colour))
            result[at:at + 3] = known[colour]
    return bytes(result)


def darker(pixels):
    """For dark home screens: the background nearly black, the line as it is."""
    return changed(pixels, lambda colour: blend((c * 0.35 for c in colour), colour, min(1, max(colour) / 160)))


def greys(pixels):
    """For tinted home screens: the system colours a grey picture."""
    return changed(pixels, lambda colour: [0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]] * 3)


def png(pixels, size=SIZE):
    def chunk(kind, data):
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"sRGB", b"\0")
        + chunk(b"IDAT", zlib.compress(pixels, 9))
        + chunk(b"IEND", b"")
    )


def write(path, pixels, size=SIZE):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(png(pixels, size))
    print(f"{path.name} of {path.parent.name}: {path.stat().st_size} bytes")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    full = [(x * SIZE, (y + 0.06) * SIZE) for x, y in PRICES]
    upper = [(x * SIZE, (y * 0.78 + 0.02) * SIZE) for x, y in PRICES]
    rows = []
    for step, opacity in enumerate((1.0, 0.75, 0.5)):
        middle = SIZE * (0.66 + 0.105 * step)
        rows.append((SIZE * 0.14, SIZE * (0.46 - 0.05 * step), middle, opacity))
        rows.append((SIZE * 0.70, SIZE * 0.86, middle, opacity))
    for app, line, marks in [("Assets", full, []), ("LivetapeStocks", upper, rows)]:
        folder = root / "Apps" / app / "Assets.xcassets" / "AppIcon.appiconset"
        pixels = draw(line, marks)
        write(folder / "AppIcon.png", pixels)
        write(folder / "AppIcon-dark.png", darker(pixels))
        write(folder / "AppIcon-tinted.png", greys(pixels))
    # An icon that a system masks keeps its picture in the middle.
    middle = [(SIZE / 2 + (x - SIZE / 2) * 0.7, SIZE / 2 + (y - SIZE / 2) * 0.7) for x, y in full]
    page = root / "Web" / "page" / "assets" / "icons"
    for name, line, size in [("icon-180", full, 180), ("icon-192", full, 192),
                             ("icon-512", full, 512), ("maskable-512", middle, 512)]:
        write(page / f"{name}.png", draw(line, [], size), size)


if __name__ == "__main__":
    main()
