import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AsyncZippable, zip } from 'fflate';
import { Failure } from './failure.ts';
import { installNodePackages, installPythonPackages } from './install-packages.ts';

/** The packages of a layer. */
export interface LayerPackages {
  npm: readonly string[];
  pip: readonly string[];
  /** Python version, e.g. `3.12`. */
  python?: string | undefined;
  architecture?: 'x86_64' | 'arm64' | undefined;
}

/** A public layer that consists of packages of a registry. */
interface KnownLayer {
  /** Matches account and name. */
  readonly pattern: RegExp;
  packages(match: RegExpExecArray): LayerPackages;
}

/** Packages in the layer of Powertools for TypeScript. */
const POWERTOOLS = [
  'batch',
  'commons',
  'event-handler',
  'idempotency',
  'jmespath',
  'kafka',
  'logger',
  'metrics',
  'parameters',
  'parser',
  'tracer',
  'validation',
];

/** Packages in the first version of that layer. */
const POWERTOOLS_V1 = ['batch', 'commons', 'idempotency', 'logger', 'metrics', 'parameters', 'tracer'];

/** Returns the Python version of digits in a layer's name, e.g. 3.12 for 312. */
const pythonVersion = (digits: string): string => `${digits[0]}.${digits.slice(1)}`;

const KNOWN: readonly KnownLayer[] = [
  // https://docs.aws.amazon.com/powertools/python/latest/getting-started/install/
  {
    pattern: /^017000801446:AWSLambdaPowertoolsPythonV3-python(\d{2,3})-(x86_64|arm64)$/,
    packages: ([, python, architecture]) => ({
      npm: [],
      pip: ['aws-lambda-powertools[all]>=3,<4'],
      python: pythonVersion(python!),
      architecture: architecture as 'x86_64' | 'arm64',
    }),
  },
  {
    pattern: /^017000801446:AWSLambdaPowertoolsPythonV2(-Arm64)?$/,
    packages: ([, arm]) => ({
      npm: [],
      pip: ['aws-lambda-powertools[all]>=2,<3'],
      architecture: arm ? 'arm64' : 'x86_64',
    }),
  },
  // https://docs.aws.amazon.com/powertools/typescript/latest/getting-started/lambda-layers/
  {
    pattern: /^094274105915:AWSLambdaPowertoolsTypeScriptV2$/,
    packages: () => ({ npm: POWERTOOLS.map((name) => `@aws-lambda-powertools/${name}@2`), pip: [] }),
  },
  {
    pattern: /^094274105915:AWSLambdaPowertoolsTypeScript$/,
    packages: () => ({ npm: POWERTOOLS_V1.map((name) => `@aws-lambda-powertools/${name}@1`), pip: [] }),
  },
  // https://aws-sdk-pandas.readthedocs.io/en/stable/layers.html; some regions have accounts of their own.
  {
    pattern: /^\d{12}:AWSSDKPandas-Python(\d{2,3})(-Arm64)?$/,
    packages: ([, python, arm]) => ({
      npm: [],
      pip: ['awswrangler'],
      python: pythonVersion(python!),
      architecture: arm ? 'arm64' : 'x86_64',
    }),
  },
  // https://github.com/keithrozario/Klayers
  {
    pattern: /^770693421928:Klayers-p(\d{2,3})(-arm64)?-(\w[\w-]*)$/,
    packages: ([, python, arm, name]) => ({
      npm: [],
      pip: [name!],
      python: pythonVersion(python!),
      architecture: arm ? 'arm64' : 'x86_64',
    }),
  },
];

/** Returns the packages of a public layer; undefined for an unknown layer. */
export function packagesOf(account: string, name: string): LayerPackages | undefined {
  for (const { pattern, packages } of KNOWN) {
    const match = pattern.exec(`${account}:${name}`);
    if (match) return packages(match);
  }
  return undefined;
}

/**
 * Builds a layer from packages with the user's npm and pip, in the directories where AWS's runtimes find them.
 * @param linux whether for Linux, as in containers, instead of this machine
 * @returns its .zip file
 * @throws Failure if an installation fails
 */
export async function buildLayer(packages: LayerPackages, linux: boolean): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), 'emu-layer-'));
  try {
    const { npm, pip, python: version, architecture = 'x86_64' } = packages;
    if (npm.length) await installNodePackages(join(directory, 'nodejs'), npm);
    if (pip.length)
      await installPythonPackages(join(directory, 'python'), pip, { version, linux: linux ? architecture : undefined });
    return await zipOf(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Maximum bytes of a layer's files, as on AWS. */
const LIMIT = 262_144_000;

/** Creates a .zip file of a directory. @throws Failure above the size limit of layers */
async function zipOf(directory: string): Promise<Uint8Array> {
  const files: AsyncZippable = {};
  let total = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { mode, size } = await stat(path);
    total += size;
    if (total > LIMIT) throw new Failure(`The packages are too large for a layer: more than ${LIMIT} bytes.`);
    files[path.slice(directory.length + 1)] = [await readFile(path), { os: 3, attrs: (mode & 0xffff) << 16 }];
  }
  return new Promise((resolve, reject) => {
    zip(files, { level: 6, mtime: new Date(1980, 0, 1) }, (error, data) => (error ? reject(error) : resolve(data)));
  });
}
