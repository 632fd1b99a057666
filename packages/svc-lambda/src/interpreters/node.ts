import { execFile } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { nodeVersionDirectories } from './places.ts';
import { InterpreterSearch } from './search.ts';
import { type Interpreter, isOfVersion, nearestInterpreter } from './versions.ts';

const nodes = new InterpreterSearch({
  managed: nodeVersionDirectories,
  names: () => ['node', 'nodejs'],
  nameOf: () => 'node',
  versionOf,
});

/**
 * Returns the Node.js for a runtime, as `nearestInterpreter` chooses it. The one that runs emu is the first choice of
 * its version.
 * @param wanted e.g. `20`
 */
export async function findNode(wanted: string): Promise<Interpreter> {
  const own = { executable: process.execPath, version: process.versions.node, selected: true };
  if (isOfVersion(own.version, wanted)) return own;
  return nearestInterpreter([own, ...(await nodes.found())], wanted) ?? own;
}

/** Returns the version of a Node.js on PATH: from its path, its headers, or, as the last resort, its own output. */
async function versionOf(real: string): Promise<string | undefined> {
  if (real === realpathSync(process.execPath)) return process.versions.node;
  const [named] = /\d+\.\d+\.\d+/.exec(real) ?? [];
  if (named !== undefined) return named;
  try {
    const header = readFileSync(join(dirname(real), '../include/node/node_version.h'), 'utf8');
    const numbers = [...header.matchAll(/^#define NODE_(?:MAJOR|MINOR|PATCH)_VERSION (\d+)/gm)];
    if (numbers.length === 3) return numbers.map(([, number]) => number).join('.');
  } catch {
    // Not all distributions install it.
  }
  try {
    const { stdout } = await promisify(execFile)(real, ['--version'], { timeout: 5000, env: {} });
    return /^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    // A program of another system or architecture.
    return undefined;
  }
}
