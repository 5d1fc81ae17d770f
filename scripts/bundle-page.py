#!/usr/bin/env python3
"""Builds the release page from its modules: bundle-page.py PAGE WORK, for build-page.sh.

Every file that a module references by `new URL("…", import.meta.url)` gets a name with the hash of its content, and so
do the script and the style; each has a Brotli and a gzip copy. The last file, sources.txt, lists all sources with their
state: the server serves the build only while it matches.
"""

import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ADDRESS = re.compile(r'new URL\("([^"]+)", import\.meta\.url\)')
STYLE_LINK = re.compile(r'<link rel="stylesheet" href="/([^"]+)">\n')
MODULE_LINK = re.compile(r'<link rel="modulepreload" [^>]*>\n')
SCRIPT = re.compile(r'<script (?:type="module" )?src="/([^"]+)"')
STRING = re.compile(r"""("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')""")
# Files that keep their names. Icons are for the system that installs the app.
KEPT_AS_THEY_ARE = {".svg", ".webmanifest"}
ESBUILD = ["esbuild", "--minify", "--target=es2022", "--charset=utf8", "--legal-comments=none",
           "--log-level=warning"]


def fail(text):
    sys.exit(f"build-page: {text}")


class Build:
    """A copy of the page in which names are replaced, and the output folder."""

    def __init__(self, page, work):
        shutil.rmtree(work, ignore_errors=True)
        self.copy, self.out = work / "page", work / "built"
        shutil.copytree(page, self.copy, ignore=shutil.ignore_patterns("built"))
        self.out.mkdir()
        self.sources = sorted(path for path in self.copy.rglob("*") if path.is_file())
        self.listing = "".join(
            f"{hashlib.sha256(path.read_bytes()).hexdigest()} /{path.relative_to(self.copy)}\n"
            for path in self.sources)
        self.addresses = {}

    def add(self, stem, ending, content):
        """Writes a file under a name with its content's hash; returns its address on the server."""
        name = f"{stem}-{hashlib.sha256(content).hexdigest()[:12]}{ending}"
        (self.out / name).write_bytes(content)
        return f"/built/{name}"

    def script(self, path, *options):
        """A script with all its imports."""
        made = subprocess.run([*ESBUILD, *options, str(path)], stdout=subprocess.PIPE, check=True)
        if b"import.meta" in made.stdout:
            fail(f"{path.name} asks for a file by an address that is not known here")
        return self.add(path.stem, ".js", made.stdout)

    def split(self, path):
        """A script and, in a separate file, its dynamic imports.

        The two import each other: the second takes shared modules from the first, so that each module exists once. Each
        name therefore depends on the content of both."""
        out = self.out.parent / "split"
        options = ["--bundle", "--splitting", "--format=esm", f"--outdir={out}"]
        subprocess.run([*ESBUILD, *options, str(path)], check=True)
        entry, shared, (later, *more) = (
            list(out.glob(name)) for name in (path.name, "chunk-*.js", "[!c]*-*.js"))
        if len(entry) != 1 or len(shared) != 1 or more:
            fail(f"{path.name} is expected to ask for one script later, not {len(more) + 1}")
        whole = out / "whole.js"
        whole.write_text(f'export * from "./{shared[0].name}";\nimport "./{path.name}";\n')
        made = subprocess.run(
            [*ESBUILD, "--bundle", "--format=esm", f"--external:./{later.name}", str(whole)],
            stdout=subprocess.PIPE, check=True).stdout
        both = hashlib.sha256(made + later.read_bytes()).hexdigest()[:12]
        names = {later.name: f"{later.stem.split('-')[0]}-{both}.js",
                 shared[0].name: f"{path.stem}-{both}.js"}

        def renamed(content):
            for old, new in names.items():
                content = content.replace(f'"./{old}"'.encode(), f'"./{new}"'.encode())
            if b"import.meta" in content:
                fail(f"{path.name} asks for a file by an address that is not known here")
            return content

        (self.out / names[later.name]).write_bytes(renamed(later.read_bytes()))
        (self.out / names[shared[0].name]).write_bytes(renamed(made))
        return f"/built/{names[shared[0].name]}"

    def asked_for(self, path):
        """Adds a file that a module references; once for all references."""
        if path not in self.addresses:
            if not path.is_file():
                fail(f"{path.name} is missing")
            if path.suffix == ".js":
                address = self.script(path, "--bundle", "--format=esm")
            else:
                content = path.read_bytes()
                if path.suffix == ".css":
                    content = plain_style(content.decode()).encode()
                address = self.add(path.stem, path.suffix, content)
            self.addresses[path] = address
        return self.addresses[path]

    def name_files(self):
        """References by the new names: data first, then workers, which reference data."""
        modules = [path for path in self.sources if path.suffix == ".js"]
        for is_script in (False, True):
            for module in modules:
                def named(found):
                    path = (module.parent / found[1]).resolve()
                    if (path.suffix == ".js") != is_script:
                        return found[0]
                    return f'new URL("{self.asked_for(path)}", location.href)'

                text = module.read_text()
                module.write_text(ADDRESS.sub(named, text))

    def style(self, html):
        """All styles in the order of their links, without comments and indentation."""
        paths = STYLE_LINK.findall(html)
        text = "".join((self.copy / path).read_text() for path in paths)
        if "@import" in text or re.search(r'url\((?!"data:)', text):
            fail("a style names another file; this script would have to rename it")
        return self.add("style", ".css", plain_style(text).encode())

    def index(self):
        """The page itself, with the new names."""
        html = (self.copy / "index.html").read_text()
        style = f'<link rel="stylesheet" href="{self.style(html)}">\n'
        first, *_ = STYLE_LINK.finditer(html)
        html = html[:first.start()] + style + STYLE_LINK.sub("", html[first.end():])
        html = MODULE_LINK.sub("", html)

        def script(found):
            make = self.split if "module" in found[0] else self.script
            return found[0].replace("/" + found[1], make(self.copy / found[1]))

        (self.out / "index.html").write_text(SCRIPT.sub(script, html))

    def service_worker(self):
        """The service worker, which caches all of this. It keeps its name: a browser fetches it again."""
        names = [f"/built/{path.name}" for path in self.out.iterdir() if path.name != "index.html"]
        names += [f"/{path.relative_to(self.copy)}" for path in self.sources
                  if path.suffix in KEPT_AS_THEY_ARE]
        page = (self.out / "index.html").read_bytes()
        text = (self.copy / "service-worker.js").read_text()
        version = hashlib.sha256(page + self.listing.encode()).hexdigest()[:12]
        for declared, value in (("FILES = []", sorted(names)), ('VERSION = ""', version)):
            if text.count(f"const {declared};") != 1:
                fail(f"service-worker.js does not declare {declared}")
            name = declared.split(" ")[0]
            text = text.replace(f"const {declared};", f"const {name} = {json.dumps(value)};")
        made = subprocess.run(ESBUILD, input=text.encode(), stdout=subprocess.PIPE, check=True)
        (self.out / "service-worker.js").write_bytes(made.stdout)

    def compress(self):
        """Adds compressed copies where they are smaller."""
        for path in sorted(self.out.iterdir()):
            content = path.read_bytes()
            subprocess.run(["brotli", "--best", "--force", str(path)], check=True)
            pathlib.Path(f"{path}.gz").write_bytes(gzip.compress(content, 9, mtime=0))

    def report(self):
        names = ["index.html", *sorted(p.name for p in self.out.iterdir() if "-" in p.name)]
        for name in names:
            if name.endswith((".br", ".gz")):
                continue
            sizes = [(self.out / (name + ending)).stat().st_size for ending in ("", ".gz", ".br")]
            print(f"build-page: {name}, {sizes[0]} bytes, gzip {sizes[1]}, Brotli {sizes[2]}")


def plain_style(text):
    """A style without comments, indentation and empty lines; strings stay unchanged."""
    parts = STRING.split(re.sub(r"/\*.*?\*/", "", text, flags=re.S))
    for at in range(0, len(parts), 2):
        plain = re.sub(r"\s+", " ", parts[at])
        parts[at] = re.sub(r" ?([{};]) ?", r"\1", re.sub(r"([:,]) ", r"\1", plain))
    return "".join(parts).replace(";}", "}")


def main():
    page, work = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    build = Build(page, work)
    build.name_files()
    build.index()
    build.service_worker()
    build.compress()
    build.report()
    (build.out / "sources.txt").write_text(build.listing)
    shutil.rmtree(page / "built", ignore_errors=True)
    os.replace(build.out, page / "built")
    # Newer than the folder that has just changed, for build-page.sh's check.
    os.utime(page / "built" / "sources.txt")
    shutil.rmtree(work)


main()
