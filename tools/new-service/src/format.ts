import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Formats files and sorts their imports as `pnpm lint` requires.
 * @throws Error with biome's output for a file that it cannot correct
 */
export function format(root: string, paths: readonly string[]): void {
  execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', '--config-path', root, ...paths], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}
