#!/usr/bin/env bash
# Builds .build/deb/livetape_VERSION_ARCH.deb: the release binary with the Swift runtime, the page,
# the units, manual and completions. SCRATCH names another build folder, BINARY_FOLDER one that
# already has the binary and its resources.
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=${SCRATCH:-.build}
binaries=${BINARY_FOLDER:-}
if [ -z "$binaries" ]; then
  options=(-c release --static-swift-stdlib --product livetape --scratch-path "$scratch")
  swift build "${options[@]}"
  binaries=$(swift build "${options[@]}" --show-bin-path)
fi
out=.build/deb
root=$out/root
rm -rf "$root" && mkdir -p "$root"

install -D -m 0755 "$binaries/livetape" "$root/usr/lib/livetape/livetape"
strip --strip-unneeded "$root/usr/lib/livetape/livetape"
# The program finds its page next to itself, through any link.
cp -r "$binaries/livetape_LivetapeWeb.resources" "$root/usr/lib/livetape/"
mkdir -p "$root/usr/bin" && ln -s ../lib/livetape/livetape "$root/usr/bin/livetape"
for unit in livetape livetape-read livetape-desk; do
  install -D -m 0644 "packaging/$unit.service" "$root/lib/systemd/system/$unit.service"
done
install -D -m 0644 packaging/livetape.toml "$root/etc/livetape/livetape.toml"
install -D -m 0644 README.md "$root/usr/share/doc/livetape/README.md"
install -D -m 0644 docs/operations.md "$root/usr/share/doc/livetape/operations.md"
install -D -m 0644 packaging/grafana/livetape.json "$root/usr/share/doc/livetape/grafana.json"
install -D -m 0644 packaging/nginx/livetape.conf "$root/usr/share/doc/livetape/examples/nginx.conf"
install -D -m 0644 packaging/caddy/Caddyfile "$root/usr/share/doc/livetape/examples/Caddyfile"

livetape=$root/usr/bin/livetape
mkdir -p "$root/usr/share/man/man1"
"$livetape" --experimental-dump-help | scripts/make-manual.py | gzip -9n \
  >"$root/usr/share/man/man1/livetape.1.gz"
completion() { mkdir -p "$(dirname "$root/$2")" && "$livetape" --generate-completion-script "$1" >"$root/$2"; }
completion bash usr/share/bash-completion/completions/livetape
completion zsh usr/share/zsh/vendor-completions/_livetape
completion fish usr/share/fish/vendor_completions.d/livetape.fish

mkdir -p "$root/DEBIAN" "$out/debian"
install -m 0755 packaging/debian/{postinst,prerm,postrm} "$root/DEBIAN/"
echo /etc/livetape/livetape.toml >"$root/DEBIAN/conffiles"
# dpkg-shlibdeps needs a source package next to it.
printf 'Source: livetape\n\nPackage: livetape\nArchitecture: any\n' >"$out/debian/control"
depends=$(cd "$out" && dpkg-shlibdeps -O --ignore-missing-info root/usr/lib/livetape/livetape 2>/dev/null |
  sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || { echo "no dependencies found: dpkg-dev is needed" >&2; exit 1; }
version=${VERSION:-$("$livetape" --version)}
architecture=$(dpkg --print-architecture)
find "$root" -type d -exec chmod 0755 {} +
find "$root/usr/lib/livetape/livetape_LivetapeWeb.resources" -type f -exec chmod 0644 {} +
cat >"$root/DEBIAN/control" <<CONTROL
Package: livetape
Version: $version
Architecture: $architecture
Maintainer: Livetape <livetape@localhost>
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: $depends
Recommends: ca-certificates
Section: net
Priority: optional
Description: real-time markets, where no number on screen lies
 Live prices, order books, trades, charts and orders from six kinds of market
 feed, in a browser: a server and its page.
CONTROL
package=$out/livetape_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package"
