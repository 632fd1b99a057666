import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import type { AwsNames } from '@emu/core/service';
import { NODE_NAMES, PYTHON_NAMES, SITECUSTOMIZE } from '../generated/programs.ts';

/** Files of a directory that programs need to reach emu by AWS's host names. */
export const NAME_FILES = {
  /** Certificate of emu's authority. */
  authority: 'emu-authority.pem',
  /** The machine's trusted certificates and that of emu's authority. */
  bundle: 'emu-ca-bundle.pem',
  /** Loaded before programs of Node.js. */
  node: 'emu-names.cjs',
  /** Module of Python. */
  python: 'emu_names.py',
  /** Directory with `sitecustomize`, for interpreters that emu does not start itself. */
  site: 'emu-site',
} as const;

/** Where systems keep their trusted certificates: Debian, Red Hat, Alpine and macOS, SUSE. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
  '/etc/ssl/ca-bundle.pem',
];

/** Writes the files to an existing directory. */
export async function installNames(directory: string, names: Pick<AwsNames, 'authority'>): Promise<void> {
  const site = join(directory, NAME_FILES.site);
  const [authority] = await Promise.all([names.authority(), mkdir(site, { recursive: true })]);
  await Promise.all([
    writeFile(join(directory, NAME_FILES.authority), authority),
    systemBundle().then((roots) => writeFile(join(directory, NAME_FILES.bundle), `${roots.trimEnd()}\n${authority}`)),
    writeFile(join(directory, NAME_FILES.node), NODE_NAMES),
    writeFile(join(directory, NAME_FILES.python), PYTHON_NAMES),
    writeFile(join(site, NAME_FILES.python), PYTHON_NAMES),
    writeFile(join(site, 'sitecustomize.py'), SITECUSTOMIZE),
  ]);
}

/** Returns the machine's trusted certificates; those of Node.js if the machine has none. */
async function systemBundle(): Promise<string> {
  for (const path of [process.env.SSL_CERT_FILE, ...SYSTEM_BUNDLES])
    if (path !== undefined)
      try {
        return await readFile(path, 'utf8');
      } catch {
        // Another system's place.
      }
  return rootCertificates.join('\n');
}
