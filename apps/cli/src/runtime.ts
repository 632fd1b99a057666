import { type InstalledSet, installedSets, type PackageSet } from '@emu/svc-lambda/sdk';
import { installRuntimePackages, removeRuntimePackages, type WantedPackages } from './runtime-packages.ts';
import { columns } from './urls.ts';

const write = (text: string): boolean => process.stdout.write(`${text}\n`);

/** Contents of sets, as users know them. */
const CONTENTS: Readonly<Record<PackageSet, string>> = {
  nodejs: 'the AWS SDK for JavaScript v3, for Node.js',
  'nodejs-sdk-v2': 'the AWS SDK for JavaScript v2, for runtimes up to nodejs16.x',
  python: 'boto3, for Python 3.10 and newer',
  'python3.8': 'boto3, for Python 3.8 and 3.9',
};

/** `emu runtime install`: fills the runtime directory from the registries of npm and Python. @throws Failure */
export async function installRuntime(directory: string, wanted: WantedPackages): Promise<void> {
  await installRuntimePackages(directory, wanted, ({ set, version, done }) =>
    write(`${done ? 'installed' : 'installing'} ${set} ${version}: ${CONTENTS[set]}`),
  );
  write(`Functions find them in ${directory}.`);
}

/** `emu runtime list`: prints the contents of the runtime directory. */
export async function listRuntime(directory: string, json: boolean): Promise<void> {
  const sets = await installedSets(directory);
  if (json) write(JSON.stringify({ directory, sets }));
  else if (sets.length === 0) write(`${directory} is empty; emu runtime install fills it.`);
  else write(columns(sets.map(rowOf)));
}

const rowOf = ({ set, version, current }: InstalledSet): string[] => [
  set,
  version,
  current ? CONTENTS[set] : 'not in use',
];

/** `emu runtime remove`: removes sets of packages, in all versions. */
export async function removeRuntime(directory: string, wanted: WantedPackages): Promise<void> {
  const removed = await removeRuntimePackages(directory, wanted);
  for (const { set, version } of removed) write(`removed ${set} ${version}`);
  if (removed.length === 0) write(`${directory} contains none of them.`);
}
