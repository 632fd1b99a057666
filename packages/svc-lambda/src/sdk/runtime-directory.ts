import { readdir, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EmulatorSettings } from '@emu/core/service';
import { dataHome } from '../interpreters/places.ts';
import { LAMBDA_OPTIONS } from '../options.ts';

/**
 * Sets of packages in the runtime directory, each in `<set>/<version>`. `<set>/current` is a link to the version in use,
 * so that an installation is complete or absent for each emulator that uses the directory.
 */
export const PACKAGE_SETS = ['nodejs', 'nodejs-sdk-v2', 'python', 'python3.8'] as const;
/** Sets of packages for Python. */
export const PYTHON_SETS = ['python', 'python3.8'] as const;
export type PackageSet = (typeof PACKAGE_SETS)[number];

/** Name of the link to the version in use. */
export const CURRENT = 'current';

/** Returns the directory with the packages that AWS's runtimes include, filled by `emu runtime install`. */
export const runtimeDirectory = (settings: EmulatorSettings, env: NodeJS.ProcessEnv = process.env): string =>
  resolve(settings.of(LAMBDA_OPTIONS).EMULATOR_RUNTIME_DIR ?? join(dataHome(env), 'emu', 'runtime'));

/** Returns the directory of the packages of a set, which is missing if the set is not installed. */
export const packagesOf = (directory: string, set: PackageSet): string =>
  join(directory, set, CURRENT, ...(set.startsWith('nodejs') ? ['node_modules'] : []));

/** Returns the set of Python packages for an interpreter's version: newer versions of boto3 need Python 3.10. */
export const pythonSet = (version: string): PackageSet => (Number(version.split('.')[1]) < 10 ? 'python3.8' : 'python');

/** A version of a set of packages in a runtime directory. */
export interface InstalledSet {
  readonly set: PackageSet;
  readonly version: string;
  readonly directory: string;
  /** Whether functions use it. */
  readonly current: boolean;
}

/** Lists the contents of a runtime directory. */
export async function installedSets(directory: string): Promise<InstalledSet[]> {
  const found: InstalledSet[] = [];
  for (const set of PACKAGE_SETS) {
    const current = await readlink(join(directory, set, CURRENT)).catch(() => undefined);
    for (const version of await readdir(join(directory, set)).catch(() => []))
      if (/^\d/.test(version))
        found.push({ set, version, directory: join(directory, set, version), current: version === current });
  }
  return found;
}
