import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, stat, symlink } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** An interpreter of Python that is installed here. */
export interface Python {
  /** The interpreter itself: what PATH has may be a shim of a version manager, which needs the user's environment. */
  executable: string;
  /** E.g. `3.12.1`. */
  version: string;
  /** Where it has the packages of the AWS SDK, if it has the SDK at all. */
  sdk: readonly string[];
}

/** What AWS's runtimes of Python bring besides Python itself: boto3 and what it needs, all of it without native code. */
const SDK = ['boto3', 'botocore', 's3transfer', 'jmespath', 'dateutil', 'urllib3', 'six'];

/** Prints what is known of an interpreter, as JSON. */
const ASK = `
import importlib.util, json, os, platform, sys
places = []
for name in sys.argv[1:]:
    spec = importlib.util.find_spec(name)
    if spec and spec.origin:
        places.append(os.path.dirname(spec.origin) if spec.submodule_search_locations else spec.origin)
print(json.dumps({"executable": sys.executable, "version": platform.python_version(), "sdk": places}))
`;

/** What programs named like an interpreter are, by their path and the time they were put there. */
const pythons = new Map<string, Promise<Python | undefined>>();

/** The interpreter of a name on PATH; undefined where there is none, or where it does not run. */
export async function pythonOf(name: string): Promise<Python | undefined> {
  const path = await findProgram(name);
  if (path === undefined) return undefined;
  // Asking takes longer than a cold start. Version managers write their shims anew when they install a version.
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
 * Lets functions find an AWS SDK that another interpreter has, where theirs has none: the bootstrap looks for packages in
 * `python-sdk` last. https://docs.aws.amazon.com/lambda/latest/dg/lambda-python.html#python-sdk-included
 * @param home the directory that holds the bootstrap's
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
        // It is there since an earlier start.
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

/** Whether a path is a file that can be run. */
export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
