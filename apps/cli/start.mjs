// `pnpm --filter @emu/cli start`: installs and builds what has changed, then runs emu in this process, so that it receives
// signals.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a script of this repository; ends this process if it fails. */
function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

run('../../tools/install.mjs', 'start');
run('build.mjs');
// Package managers run scripts in the package's directory; relative paths among the flags belong to the caller's
// directory.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
await import('./bin/emu.js');
