import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, stat, symlink } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** An installed Python interpreter. */
export interface Python {
  /** Path of the interpreter itself: PATH may contain a version manager's shim, which needs the user's environment. */
  executable: string;
  /** E.g. `3.12.1`. */
  version: string;
  /** Directory of its AWS SDK packages, if installed. */
  sdk: readonly string[];
}

/** Packages that AWS's Python runtimes include: boto3 and its dependencies, all without native code. */
const SDK = ['boto3', 'botocore', 's3transfer', 'jmespath', 'dateutil', 'urllib3', 'six'];

/** Prints properties of an interpreter as JSON. */
const ASK = `
import importlib.util, json, os, platform, sys
places = []
for name in sys.argv[1:]:
    spec = importlib.util.find_spec(name)
    if spec and spec.origin:
        places.append(os.path.dirname(spec.origin) if spec.submodule_search_locations else spec.origin)
print(json.dumps({"executable": sys.executable, "version": platform.python_version(), "sdk": places}))
`;

/** Cached interpreters, by path and modification time. */
const pythons = new Map<string, Promise<Python | undefined>>();

/** Returns the interpreter with a name on PATH; undefined if it is missing or does not run. */
export async function pythonOf(name: string): Promise<Python | undefined> {
  const path = await findProgram(name);
  if (path === undefined) return undefined;
  // Running it takes longer than a cold start. Version managers rewrite their shims when they install a version.
  const key = `${path} ${(await stat(path)).mtimeMs}`;
  let found = pythons.get(key);
  if (!found) {
    found = ask(path);
    pythons.set(key, found);
  }
  return found;
}

async function ask(path: string): Promise<Python | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['-c', ASK, ...SDK], { timeout: 10_000 });
    const python = JSON.parse(stdout) as Python;
    const complete = python.sdk.some((place) => basename(place) === 'boto3');
    return python.executable ? { ...python, sdk: complete ? python.sdk : [] } : undefined;
  } catch {
    // A shim of a version that is not installed.
    return undefined;
  }
}

/**
 * Makes another interpreter's AWS SDK available to functions whose own interpreter lacks it: the bootstrap searches
 * `python-sdk` last.
 * @param home directory of the bootstrap's files
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-python.html#python-sdk-included
 */
export async function linkPythonSdk(home: string, python: Python): Promise<void> {
  if (python.sdk.length) return;
  for (const name of ['python3', 'python']) {
    const { sdk } = (await pythonOf(name)) ?? { sdk: [] };
    if (!sdk.length) continue;
    const target = join(home, 'python-sdk');
    await mkdir(target, { recursive: true });
    for (const place of sdk)
      await symlink(place, join(target, basename(place))).catch((error: NodeJS.ErrnoException) => {
        // Exists from an earlier start.
        if (error.code !== 'EEXIST') throw error;
      });
    return;
  }
}

async function findProgram(name: string): Promise<string | undefined> {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory, name);
    if (directory && (await isExecutable(path))) return path;
  }
  return undefined;
}

/** Whether a path is an executable file. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
