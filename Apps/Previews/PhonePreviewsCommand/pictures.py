"""Takes a picture of every preview in a folder: pictures.py FOLDER

FOLDER/pages/NAME.html becomes FOLDER/pictures/NAME.png; pictures of missing pages are deleted.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests/BrowserTests"))

from browsers import launch  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

# The window's size, a little larger than the device.
DEVICES = {"phone": (390, 870), "pad": (1024, 800)}


def main(folder):
    pages = sorted((folder / "pages").glob("*.html"))
    pictures = folder / "pictures"
    pictures.mkdir(exist_ok=True)
    for old in pictures.glob("*.png"):
        if not (folder / "pages" / f"{old.stem}.html").exists():
            old.unlink()
    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        for device, (width, height) in DEVICES.items():
            context = browser.new_context(viewport={"width": width, "height": height})
            tab = context.new_page()
            for page in (page for page in pages if page.stem.split("-")[-2] == device):
                tab.goto(page.resolve().as_uri())
                tab.locator(".device").screenshot(path=pictures / f"{page.stem}.png")
            context.close()
        browser.close()
    print(f"{len(pages)} pictures in {pictures}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: pictures.py FOLDER", file=sys.stderr)
        sys.exit(2)
    main(pathlib.Path(sys.argv[1]))
