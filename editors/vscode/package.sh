#!/usr/bin/env bash
# Makes alphaz.vsix: the client and what it needs in one file. Needs node and npm; downloads from the npm registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
npm install --no-audit --no-fund
npm test
npm run bundle
cp ../../LICENSE LICENSE
npx vsce package --no-dependencies --allow-missing-repository --out alphaz.vsix
