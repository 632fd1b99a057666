import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { homeOf, pythonVersionDirectories } from './places.ts';
import { InterpreterSearch, namesIn } from './search.ts';
import { type Interpreter, nearestInterpreter } from './versions.ts';

/** Packages that AWS's Python runtimes include: boto3 and its dependencies, all without native code. */
const SDK = ['boto3', 'botocore', 's3transfer', 'jmespath', 'dateutil', 'urllib3', 'six.py'];

const pythons = new InterpreterSearch({
  managed: pythonVersionDirectories,
  names: (directory) => ['python3', 'python', ...namesIn(directory).filter((name) => /^python3\.\d+$/.test(name))],
  nameOf: (version) => `python${minorOf(version)}`,
  versionOf,
});

/** Returns every Python 3 of this machine, selected ones first. */
export const allPythons = async (): Promise<readonly Interpreter[]> =>
  (await pythons.found()).filter(({ version }) => version.startsWith('3.'));

/**
 * Returns the Python for a runtime, as `nearestInterpreter` chooses it; undefined without any.
 * @param wanted e.g. `3.12`
 */
export const findPython = async (wanted: string): Promise<Interpreter | undefined> =>
  nearestInterpreter(await allPythons(), wanted);

/** Returns the version in an interpreter's name, such as `python3.12`, or in that of its library beside it. */
function versionOf(real: string): string | undefined {
  const named = /^python(3\.\d+)$/.exec(basename(real))?.[1];
  if (named !== undefined) return named;
  const libraries = namesIn(join(dirname(real), '../lib')).flatMap((name) => /^python(3\.\d+)$/.exec(name)?.[1] ?? []);
  return libraries.length === 1 ? libraries[0] : undefined;
}

/** Returns the version of a language, `3.12` of `3.12.1`. */
const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

/** Returns the directories of an interpreter's packages, without those of the user. */
function packageDirectories({ executable, version }: Interpreter): string[] {
  const prefix = dirname(dirname(executable));
  const library = `lib/python${minorOf(version)}`;
  return [
    join(prefix, library, 'site-packages'),
    // Debian's directories.
    join(prefix, 'local', library, 'dist-packages'),
    join(prefix, 'lib/python3/dist-packages'),
  ];
}

/** Returns the directory of the packages that a user has installed for an interpreter. */
const userDirectory = ({ version }: Interpreter): string =>
  join(homeOf(process.env), '.local/lib', `python${minorOf(version)}`, 'site-packages');

const withBoto3 = (directories: readonly string[]): string | undefined =>
  directories.find((directory) => existsSync(join(directory, 'boto3')));

/**
 * Makes the AWS SDK of the user, or of another interpreter, available to functions whose own interpreter lacks it: the
 * bootstrap searches `python-sdk` last.
 * @param home directory of the bootstrap's files
 * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-python.html#python-sdk-included
 */
export async function linkPythonSdk(home: string, python: Interpreter): Promise<void> {
  if (withBoto3(packageDirectories(python)) !== undefined) return;
  for (const other of [python, ...(await allPythons())]) {
    const source = withBoto3([...packageDirectories(other), userDirectory(other)]);
    if (source === undefined) continue;
    const target = join(home, 'python-sdk');
    await mkdir(target, { recursive: true });
    for (const name of SDK)
      if (existsSync(join(source, name)))
        await symlink(join(source, name), join(target, name)).catch((error: NodeJS.ErrnoException) => {
          // Exists from an earlier start.
          if (error.code !== 'EEXIST') throw error;
        });
    return;
  }
}
