// Installs dependencies if the lockfile or a package.json has changed since the last installation.
//
//   node tools/install.mjs        all dependencies: for builds, checks and tests
//   node tools/install.mjs start  those that emu is built and started with, unless all are installed already
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, packageFolders, root } from './workspace.mjs';

/** Selects the `dependencies` of the root, of the command line and of the packages that it depends on. */
const START = ['--prod', '--filter', 'emu-workspace', '--filter-prod', '@emu/cli...'];

/** Returns pnpm's record of the last installation: its time, and whether it included `devDependencies`. */
function lastInstallation() {
  const file = join(root, 'node_modules/.pnpm-workspace-state-v1.json');
  if (!existsSync(file)) return undefined;
  const { lastValidatedTimestamp, settings } = JSON.parse(readFileSync(file, 'utf8'));
  return { time: lastValidatedTimestamp, isComplete: settings.dev };
}

/** Whether a file that determines the dependencies has changed since a time in milliseconds. */
function hasChangedSince(time) {
  const manifests = ['.', ...packageFolders()].map((folder) => join(folder, 'package.json'));
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests];
  return files.some((file) => statSync(join(root, file)).mtimeMs > time);
}

/** Runs pnpm: the one that runs this script, or the version in package.json. Returns its exit code. */
function pnpm(...args) {
  const running = process.env.npm_execpath ?? '';
  const [command, ...before] = /pnpm\.[cm]?js$/.test(running)
    ? [process.execPath, running]
    : ['npx', '-y', manifestOf('.').packageManager];
  const shell = command === 'npx' && process.platform === 'win32';
  return spawnSync(command, [...before, ...args], { cwd: root, stdio: 'inherit', shell }).status ?? 1;
}

const last = lastInstallation();
const needsAll = process.argv[2] !== 'start';
const isSufficient = last !== undefined && (last.isComplete || !needsAll);
if (!isSufficient || hasChangedSince(last.time))
  process.exitCode = pnpm('install', ...(needsAll || last?.isComplete ? [] : START));
