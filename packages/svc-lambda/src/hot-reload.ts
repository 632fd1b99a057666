import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join, resolve, sep } from 'node:path';
import type { EmulatorSettings, OperationContext } from '@emu/core/service';
import { invalid } from './errors.ts';
import { LAMBDA_OPTIONS } from './options.ts';
import type { CodeRecord } from './records.ts';

/** The bucket that stands for directories of this machine, as in LocalStack. */
export const HOT_RELOAD = 'hot-reload';

/** Directories in which no code of the function's own is. */
const IGNORED = new Set(['node_modules', '__pycache__']);
/** Files that are looked at for changes at most. */
const MOST_FILES = 5000;

/**
 * Code that is read from a directory each time an environment starts.
 * @param key path of the directory; a relative one is below the root of such directories
 * @throws AwsError `InvalidParameterValueException` for callers elsewhere, and for a directory that is not there or not
 *   below the root
 */
export async function hotReloadCode(key: string, ctx: OperationContext): Promise<CodeRecord> {
  if (!isCallerHere(ctx))
    throw invalid(
      'emu runs code of its machine for callers on that machine only, so not from this bucket for this one.',
    );
  const directory = await hotReloadDirectory(ctx.settings, key);
  const sha256 = createHash('sha256').update(directory).digest('base64');
  return { directory, sha256, size: 0, unzippedSize: 0 };
}

/**
 * The real path of a directory with a function's code. Links may have changed since it was looked at last.
 * @throws AwsError `InvalidParameterValueException` where it is not there or not below the root
 */
export async function hotReloadDirectory(settings: EmulatorSettings, path: string): Promise<string> {
  const root = await realpath(settings.of(LAMBDA_OPTIONS).EMULATOR_HOT_RELOAD_ROOT ?? process.cwd());
  const wanted = resolve(root, path);
  const directory = await realpath(wanted).catch(() => undefined);
  if (directory === undefined || !(await stat(directory)).isDirectory())
    throw invalid(`There is no directory ${wanted}.`);
  if (directory !== root && !directory.startsWith(root.endsWith(sep) ? root : root + sep))
    throw invalid(`${wanted} is not below ${root}, where emu may run code from (--hot-reload-root).`);
  return directory;
}

/**
 * What tells the contents of a directory from those it had before: names, sizes and times of its files, but for those of
 * installed packages and hidden ones.
 * @throws Error where it is not there
 */
export async function stampOf(directory: string): Promise<string> {
  const hash = createHash('sha1');
  let left = MOST_FILES;
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name.startsWith('.') || IGNORED.has(entry.name) || left-- <= 0) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path);
      else {
        // A file may go while it is looked at.
        const found = await stat(path).catch(() => undefined);
        if (found) hash.update(`${path}\0${found.size}\0${found.mtimeMs}\0`);
      }
    }
  };
  await visit(directory);
  return hash.digest('hex');
}

/**
 * Whether whoever asks is on this machine. Of a call by another service, by the program that emu is embedded in, or by a
 * connection that has gone, nobody can tell; where emu answers no other machine, it is.
 */
function isCallerHere({ http, settings }: OperationContext): boolean {
  const address = http?.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (address === undefined) return !settings.values.EMULATOR_ALLOW_REMOTE;
  if (address === '::1' || /^127\./.test(address)) return true;
  return Object.values(networkInterfaces()).some((found) => found?.some((own) => own.address === address));
}
