// Everything that must hold before a change goes in: lint, generated files, types and tests. All of them run even where
// one fails; the summary of the tests comes last. Arguments go to turbo, e.g. `pnpm test --filter @emu/svc-sqs`.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, root } from './workspace.mjs';

const wanted = process.argv.slice(2);
const TASKS = ['//#lint', '//#generate:check', '//#typecheck', 'test'];
const run = (command, ...args) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1;

// Results of earlier runs must not stand in for tests that could not start; turbo brings back those of unchanged packages.
for (const folder of packageFolders()) rmSync(join(root, folder, '.test-results'), { recursive: true, force: true });

const checks = run('turbo', 'run', ...TASKS, '--continue=always', '--log-order=grouped', ...wanted);
if (checks) console.log('\nNot everything holds: see the failed tasks above.');
const tests = run(process.execPath, join(root, 'tools/test-summary.mjs'), ...(wanted.length ? ['--partial'] : []));
process.exitCode = checks || tests;
