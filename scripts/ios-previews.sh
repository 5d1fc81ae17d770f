#!/usr/bin/env bash
# Draws every screen of the iOS apps as a page and a picture, beside the web's screens.
#   scripts/ios-previews.sh [FOLDER [LOCALE]]   (.build/ios-previews and en_US by default)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-.build/ios-previews}
if [ "$(uname)" != Linux ]; then
  echo "ios-previews: the stand-ins for SwiftUI and UIKit are for Linux; with Xcode, open the app itself (docs/ios-xcode.md)" >&2
  exit 1
fi
scripts/preflight.sh 4
scripts/apt-install.sh libsqlite3-dev libssl-dev
python3 -c 'import ensurepip, venv' 2>/dev/null || scripts/apt-install.sh python3-venv
export LIVETAPE_ALL=1
swift build --product ios-previews
"$(swift build --show-bin-path)/ios-previews" "$folder" "${2:-en_US}"
Tests/BrowserTests/prepare.sh
Tests/BrowserTests/.venv/bin/python Apps/Previews/PhonePreviewsCommand/pictures.py "$folder"
echo "Open $folder/index.html: every screen in light and dark, beside the web's."
