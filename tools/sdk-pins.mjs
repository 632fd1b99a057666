// Updates the versions of the SDK packages that `emu runtime install nodejs` installs, in
// apps/cli/src/node-packages.ts: `node tools/sdk-pins.mjs`. npm chooses versions that share dependencies.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './workspace.mjs';

const file = join(root, 'apps/cli/src/node-packages.ts');
const text = readFileSync(file, 'utf8');
const pins = [...text.matchAll(/^ {2}'([\w-]+)': '([\d.]+)',$/gm)].map(([, name, version]) => [name, version]);
const directory = mkdtempSync(join(tmpdir(), 'emu-pins-'));
try {
  const dependencies = Object.fromEntries(pins.map(([name, version]) => [`@aws-sdk/${name}`, `^${version}`]));
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, dependencies }));
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: directory,
    stdio: 'inherit',
  });
  const { packages } = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'));
  let updated = text;
  for (const [name, version] of pins) {
    const line = (value) => `  '${name}': '${value}',\n`;
    updated = updated.replace(line(version), () => line(packages[`node_modules/@aws-sdk/${name}`].version));
  }
  writeFileSync(file, updated);
} finally {
  rmSync(directory, { recursive: true });
}
