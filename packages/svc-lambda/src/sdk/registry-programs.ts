import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programDirectories } from '../interpreters/places.ts';
import { allPythons } from '../interpreters/python.ts';
import { isExecutable } from '../interpreters/search.ts';
import { compareVersions, numbersOf } from '../interpreters/versions.ts';

/** A failure of a package manager, with its own words. */
export class InstallationFailure extends Error {
  override readonly name = 'InstallationFailure';
}

/**
 * Installs packages of the npm registry in a directory's `node_modules`, with the user's npm and its configuration.
 * Scripts of packages do not run.
 * @param packages versions by name
 * @throws InstallationFailure
 */
export async function installNpmPackages(directory: string, packages: Readonly<Record<string, string>>): Promise<void> {
  const npm = programDirectories(process.env)
    .map((path) => join(path, 'npm'))
    .find(isExecutable);
  if (npm === undefined) throw new InstallationFailure('npm is not on PATH; install Node.js with npm.');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  await run(
    npm,
    [
      'install',
      ...['--prefix', directory],
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--no-package-lock',
      '--install-strategy=hoisted',
      '--loglevel=error',
    ],
    directory,
  );
}

/**
 * Installs packages of the Python registry in a directory, with the pip of a Python of this machine and its
 * configuration. Only wheels without native code are installed, for any interpreter of a version.
 * @param requirements e.g. `boto3==1.43.0`
 * @param pythonVersion oldest version that imports them, e.g. `3.10`
 * @throws InstallationFailure
 */
export async function installPythonPackages(
  directory: string,
  requirements: readonly string[],
  pythonVersion: string,
): Promise<void> {
  const pythons = [...(await allPythons())].sort((a, b) =>
    compareVersions(numbersOf(b.version)!, numbersOf(a.version)!),
  );
  if (pythons.length === 0) throw new InstallationFailure('No Python 3 was found; install python3 with pip.');
  await mkdir(directory, { recursive: true });
  for (const { executable } of pythons) {
    if ((await exitCode(executable, ['-c', 'import pip'])) !== 0) continue;
    await run(
      executable,
      [
        ...['-m', 'pip', 'install', '--target', directory, '--python-version', pythonVersion],
        ...['--only-binary', ':all:', '--no-compile', '--no-input', '--disable-pip-version-check', '--quiet'],
        ...requirements,
      ],
      directory,
      // The first two contradict --target; the last avoids a warning.
      { PIP_USER: '0', PIP_REQUIRE_VIRTUALENV: '0', PIP_ROOT_USER_ACTION: 'ignore' },
    );
    return;
  }
  throw new InstallationFailure(`pip is missing in ${pythons[0]!.executable}; install it (Debian: python3-pip).`);
}

function exitCode(program: string, args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    spawn(program, args, { stdio: 'ignore' }).on('error', reject).on('close', resolve);
  });
}

/** Runs a program; its errors are shown as they come. @throws InstallationFailure */
async function run(
  program: string,
  args: readonly string[],
  directory: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<void> {
  const env = { ...process.env, ...variables };
  const code = await new Promise<number | null>((resolve, reject) => {
    spawn(program, args, { cwd: directory, env, stdio: ['ignore', 'ignore', 'inherit'] })
      .on('error', reject)
      .on('close', resolve);
  });
  if (code !== 0) throw new InstallationFailure(`${program} ended with ${code}; its messages are above.`);
}
