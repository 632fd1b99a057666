import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join, resolve, sep } from 'node:path';
import type { EmulatorSettings, OperationContext } from '@emu/core/service';
import { invalidParameterValue } from '../errors.ts';
import { LAMBDA_OPTIONS } from '../options.ts';
import type { CodeRecord } from '../records.ts';

/** Bucket name that represents directories of this machine, as in LocalStack. */
export const HOT_RELOAD = 'hot-reload';

/** Directories without the function's own code. */
const IGNORED = new Set(['node_modules', '__pycache__']);
/** Maximum number of files checked for changes. */
const MAX_FILES = 5000;

/**
 * Returns the location of code that is read from a directory at each environment start.
 * @param key path of the directory; relative paths are resolved at the root of such directories
 * @throws AwsError `InvalidParameterValueException` for callers on other machines, and for a directory that is missing
 * or outside the root
 */
export async function hotReloadCode(key: string, ctx: OperationContext): Promise<CodeRecord> {
  if (!isCallerHere(ctx))
    throw invalidParameterValue(
      'emu runs code of its machine for callers on that machine only, so not from this bucket for this one.',
    );
  const directory = await hotReloadDirectory(ctx.settings, key);
  const sha256 = createHash('sha256').update(directory).digest('base64');
  return { directory, sha256, size: 0, unzippedSize: 0 };
}

/**
 * Returns the real path of a code directory. Links may have changed since the last check.
 * @throws AwsError `InvalidParameterValueException` if it is missing or outside the root
 */
export async function hotReloadDirectory(settings: EmulatorSettings, path: string): Promise<string> {
  const root = await realpath(settings.of(LAMBDA_OPTIONS).EMULATOR_HOT_RELOAD_ROOT ?? process.cwd());
  const wanted = resolve(root, path);
  const directory = await realpath(wanted).catch(() => undefined);
  if (directory === undefined || !(await stat(directory)).isDirectory())
    throw invalidParameterValue(`There is no directory ${wanted}.`);
  if (directory !== root && !directory.startsWith(root.endsWith(sep) ? root : root + sep))
    throw invalidParameterValue(`${wanted} is not below ${root}, where emu may run code from (--hot-reload-root).`);
  return directory;
}

/**
 * Returns the fingerprint of a directory's contents: names, sizes and times of its files, except hidden ones and
 * installed packages.
 * @throws Error if it is missing
 */
export async function stampOf(directory: string): Promise<string> {
  const hash = createHash('sha1');
  let left = MAX_FILES;
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.name.startsWith('.') || IGNORED.has(entry.name) || left-- <= 0) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path);
      else {
        // A file may disappear during the scan.
        const found = await stat(path).catch(() => undefined);
        if (found) hash.update(`${path}\0${found.size}\0${found.mtimeMs}\0`);
      }
    }
  };
  await visit(directory);
  return hash.digest('hex');
}

/**
 * Whether the caller is on this machine. Unknown for calls by other services, by the embedding program, or over a
 * closed connection; if emu only accepts local connections, it is.
 */
function isCallerHere({ http, settings }: OperationContext): boolean {
  const address = http?.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (address === undefined) return !settings.values.EMULATOR_ALLOW_REMOTE;
  if (address === '::1' || /^127\./.test(address)) return true;
  return Object.values(networkInterfaces()).some((found) => found?.some((own) => own.address === address));
}
