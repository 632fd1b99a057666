import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  allPythons,
  CURRENT,
  type InstalledSet,
  installedSets,
  PACKAGE_SETS,
  type PackageSet,
  pythonSet,
} from '@emu/svc-lambda/sdk';
import { installNodePackages, installPythonPackages } from './install-packages.ts';
import { NODE_PACKAGES } from './node-packages.ts';

/** Version of the SDK v2, which AWS's runtimes up to Node.js 16 include. */
export const SDK_V2 = '2.1693.0';

/** Versions of boto3 by set: the newest one, and the last one for Python 3.8 and 3.9. */
export const BOTO3 = {
  python: { boto3: '1.43.107', python: '3.10' },
  'python3.8': { boto3: '1.37.38', python: '3.8' },
};

/** Milliseconds after which the remains of an interrupted installation are removed. */
const ABANDONED = 3_600_000;

/** Packages to install in a runtime directory, or to remove from it. */
export interface WantedPackages {
  nodejs: boolean;
  sdkV2: boolean;
  python: boolean;
}

const isWanted = (set: PackageSet, { nodejs, sdkV2, python }: WantedPackages): boolean =>
  set === 'nodejs' ? nodejs : set === 'nodejs-sdk-v2' ? sdkV2 : python;

/** An installation of one set. */
interface Recipe {
  set: PackageSet;
  version: string;
  /** Fills an empty directory. */
  fill(directory: string): Promise<void>;
}

/** Progress of an installation. */
export interface InstallationProgress {
  readonly set: PackageSet;
  readonly version: string;
  readonly done: boolean;
}

/**
 * Installs the packages that AWS's runtimes include in the runtime directory.
 * @param report receives each set before and after its installation
 * @throws Failure
 */
export async function installRuntimePackages(
  directory: string,
  wanted: WantedPackages,
  report: (progress: InstallationProgress) => void,
): Promise<void> {
  for (const recipe of await recipesFor(wanted)) {
    const { set, version } = recipe;
    report({ set, version, done: false });
    await install(directory, recipe);
    report({ set, version, done: true });
  }
}

async function recipesFor({ nodejs, sdkV2, python }: WantedPackages): Promise<Recipe[]> {
  const recipes: Recipe[] = [];
  if (nodejs) recipes.push(nodeRecipe());
  if (sdkV2)
    recipes.push({
      set: 'nodejs-sdk-v2',
      version: SDK_V2,
      async fill(directory) {
        await installNodePackages(directory, [`aws-sdk@${SDK_V2}`]);
        await prune(directory, ['aws-sdk/dist']);
      },
    });
  if (python) {
    const found = new Set((await allPythons()).map(({ version }) => pythonSet(version)));
    for (const set of ['python', 'python3.8'] as const)
      if (set === 'python' || found.has(set)) recipes.push(pythonRecipe(set));
  }
  return recipes;
}

function nodeRecipe(): Recipe {
  const packages = Object.entries(NODE_PACKAGES).map(([name, version]) => `@aws-sdk/${name}@${version}`);
  const contents = createHash('sha256').update(packages.join()).digest('hex').slice(0, 8);
  return {
    set: 'nodejs',
    version: `${NODE_PACKAGES['client-sts']}-${contents}`,
    async fill(directory) {
      await installNodePackages(directory, packages);
      // Node.js loads the CommonJS files of clients, even as ES modules.
      await prune(
        directory,
        Object.keys(NODE_PACKAGES).flatMap((name) => (name.startsWith('client-') ? `@aws-sdk/${name}/dist-es` : [])),
      );
    },
  };
}

function pythonRecipe(set: keyof typeof BOTO3): Recipe {
  const { boto3, python } = BOTO3[set];
  return {
    set,
    version: boto3,
    async fill(directory) {
      await installPythonPackages(directory, [`boto3==${boto3}`, `botocore==${boto3}`], {
        version: python,
        pure: true,
      });
      await rm(join(directory, 'bin'), { recursive: true, force: true });
    },
  };
}

/**
 * Removes what programs do not load: types, source maps, texts, and some directories. An SDK becomes an eighth of its
 * size.
 * @param others directories in `node_modules`
 */
async function prune(directory: string, others: readonly string[]): Promise<void> {
  const modules = join(directory, 'node_modules');
  for (const other of others) await rm(join(modules, other), { recursive: true, force: true });
  for (const entry of await readdir(modules, { recursive: true, withFileTypes: true })) {
    const isUnused = entry.isDirectory() ? entry.name === 'dist-types' : /\.(?:d\.ts|map|md)$/.test(entry.name);
    if (isUnused) await rm(join(entry.parentPath, entry.name), { recursive: true, force: true });
  }
}

/** Installs a set beside the others, and makes it the current one. */
async function install(directory: string, { set, version, fill }: Recipe): Promise<void> {
  const parent = join(directory, set);
  const target = join(parent, version);
  const mark = randomBytes(6).toString('hex');
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  if (!(await exists(target))) {
    const partial = join(parent, `.partial-${mark}`);
    try {
      await mkdir(partial);
      await fill(partial);
      await rename(partial, target).catch(async (error: unknown) => {
        // Another command has installed it meanwhile.
        if (!(await exists(target))) throw error;
      });
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }
  const link = join(parent, `.${CURRENT}-${mark}`);
  await symlink(version, link);
  await rename(link, join(parent, CURRENT));
}

/** Removes what interrupted installations left. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith('.')) continue;
    const path = join(parent, name);
    const { mtimeMs } = await lstat(path);
    if (Date.now() - mtimeMs > ABANDONED) await rm(path, { recursive: true, force: true });
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Removes sets from a runtime directory, in all versions.
 * @returns the removed ones
 */
export async function removeRuntimePackages(
  directory: string,
  wanted: WantedPackages,
): Promise<readonly InstalledSet[]> {
  const sets = PACKAGE_SETS.filter((set) => isWanted(set, wanted));
  const removed = (await installedSets(directory)).filter(({ set }) => sets.includes(set));
  for (const set of sets) await rm(join(directory, set), { recursive: true, force: true });
  return removed;
}
