// `pnpm --filter @emu/cli start`: builds changed packages (turbo caches the rest), then runs emu in this process, so
// that it receives signals.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const build = spawnSync('turbo', ['run', 'build', '--filter=@emu/cli', '--output-logs=errors-only', '--ui=stream'], {
  cwd: folder,
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' },
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
if (build.status !== 0) {
  process.stderr.write(`${build.stdout}${build.stderr}${build.error ?? ''}\n`);
  process.exit(build.status ?? 1);
}
// Package managers run scripts in the package's directory; relative paths among the flags belong to the caller's
// directory.
if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
await import('./bin/emu.js');
