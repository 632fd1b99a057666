import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { zipOf } from '@emu/gateway/testing';
import { allPythons, installedSets } from '@emu/svc-lambda/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { NODE_PACKAGES } from '../src/node-packages.ts';
import { BOTO3, installRuntimePackages, removeRuntimePackages, SDK_V2 } from '../src/runtime-packages.ts';

// All clients would take npm ten seconds.
vi.mock('../src/node-packages.ts', async (original) => {
  const { NODE_PACKAGES: all } = await original<typeof import('../src/node-packages.ts')>();
  const names = ['client-s3', 'client-sts', 'lib-dynamodb'];
  return { NODE_PACKAGES: Object.fromEntries(names.map((name) => [name, all[name]])) };
});

const isOld = (await allPythons()).some(({ version }) => /^3\.[89](\.|$)/.test(version));
const hasPython = (await allPythons()).length > 0;
if (!hasPython) console.log('skipped: the installation of boto3, for this machine has no Python 3');

/** Returns an archive of a package as npm publishes it. */
function archiveOf(name: string, version: string): Buffer {
  const files = {
    'package.json': JSON.stringify({ name, version, main: './dist-cjs/index.js', scripts: { install: 'exit 1' } }),
    'dist-cjs/index.js': `module.exports = '${name}';`,
    'dist-es/index.js': 'export default 1;',
    'dist-types/index.d.ts': 'export {};',
    'dist/sdk.js': '',
    'README.md': 'text',
  };
  const blocks = Object.entries(files).flatMap(([path, text]) => {
    const header = Buffer.alloc(512);
    header.write(`package/${path}`, 0);
    header.write('0000644\0', 100);
    header.write(`${Buffer.byteLength(text).toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        0', 148);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, Buffer.from(text), Buffer.alloc((512 - (Buffer.byteLength(text) % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 1 });
}

/** A registry with every pinned package. */
let registry: Server;
let url: string;
let directory: string;
beforeAll(async () => {
  const versions = new Map([
    ['aws-sdk', SDK_V2],
    ...Object.entries(NODE_PACKAGES).map(([name, version]): [string, string] => [`@aws-sdk/${name}`, version]),
  ]);
  registry = createServer((request, response) => {
    const [path = '', file] = decodeURIComponent(request.url!).slice(1).split('/-/');
    const version = versions.get(path);
    if (version === undefined) return response.writeHead(404).end('{}');
    const archive = archiveOf(path, version);
    if (file !== undefined) return response.end(archive);
    const shasum = createHash('sha1').update(archive).digest('hex');
    const dist = { shasum, tarball: `${url}${path}/-/package.tgz` };
    return response.end(
      JSON.stringify({
        name: path,
        'dist-tags': { latest: version },
        versions: { [version]: { name: path, version, dist } },
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
});
afterAll(() => void registry.close());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'emu-sdk-'));
  // npm and pip use the configuration of the user, here of the test.
  vi.stubEnv('npm_config_registry', url);
  vi.stubEnv('npm_config_cache', join(directory, 'npm-cache'));
  vi.stubEnv('npm_config_fetch_retries', '0');
  vi.stubEnv('PIP_CONFIG_FILE', '/dev/null');
  vi.stubEnv('PIP_NO_INDEX', '1');
  vi.stubEnv('PIP_FIND_LINKS', join(directory, 'wheels'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const NOTHING = { nodejs: false, sdkV2: false, python: false };

it('installs the SDKs for Node.js without what programs do not load, at once', { timeout: 120_000 }, async () => {
  const reported: string[] = [];
  const install = () =>
    installRuntimePackages(directory, { ...NOTHING, nodejs: true, sdkV2: true }, ({ set, done }) =>
      reported.push(`${done ? 'installed' : 'installing'} ${set}`),
    );
  // Remains of an installation that was killed, and of one that still runs.
  for (const name of ['.partial-old', '.partial-new']) mkdirSync(join(directory, 'nodejs', name), { recursive: true });
  utimesSync(join(directory, 'nodejs', '.partial-old'), 0, 0);
  await install();
  expect(reported).toEqual([
    'installing nodejs',
    'installed nodejs',
    'installing nodejs-sdk-v2',
    'installed nodejs-sdk-v2',
  ]);
  const [sdk, v2] = await installedSets(directory);
  expect([sdk, v2]).toMatchObject([
    { set: 'nodejs', current: true, version: expect.stringMatching(/^3\.\d+\.\d+-[0-9a-f]{8}$/) },
    { set: 'nodejs-sdk-v2', current: true, version: SDK_V2 },
  ]);
  expect(readdirSync(join(directory, 'nodejs')).sort()).toEqual(['.partial-new', sdk!.version, 'current']);
  expect(readlinkSync(join(directory, 'nodejs', 'current'))).toBe(sdk!.version);
  const modules = join(directory, 'nodejs', 'current', 'node_modules', '@aws-sdk');
  expect(readdirSync(modules).sort()).toEqual(Object.keys(NODE_PACKAGES).sort());
  expect(readdirSync(join(modules, 'client-s3')).sort()).toEqual(['dist', 'dist-cjs', 'package.json']);
  // Libraries may load their ES modules.
  expect(existsSync(join(modules, 'lib-dynamodb', 'dist-es'))).toBe(true);
  expect(existsSync(join(directory, 'nodejs-sdk-v2/current/node_modules/aws-sdk/dist'))).toBe(false);
  // A version that exists is used, without the registry.
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  await install();
  expect(await removeRuntimePackages(directory, { ...NOTHING, nodejs: true })).toEqual([sdk]);
  expect(await installedSets(directory)).toEqual([v2]);
});

it('leaves nothing of a failed installation', { timeout: 120_000 }, async () => {
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  await expect(installRuntimePackages(directory, { ...NOTHING, sdkV2: true }, () => undefined)).rejects.toThrow(
    /npm ended with 1; its messages are above\.$/,
  );
  expect(readdirSync(join(directory, 'nodejs-sdk-v2'))).toEqual([]);
  vi.stubEnv('PATH', '/missing');
  await expect(installRuntimePackages(directory, { ...NOTHING, sdkV2: true }, () => undefined)).rejects.toThrow(
    'npm cannot be run: spawn npm ENOENT.',
  );
});

/** Writes a wheel without contents but its name. */
function wheel(name: string, version: string, requires: readonly string[] = []): void {
  const info = `${name}-${version}.dist-info`;
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    ...requires.map((requirement) => `Requires-Dist: ${requirement}`),
  ];
  const archive = zipOf({
    [`${name}/__init__.py`]: `__version__ = "${version}"\n`,
    [`${info}/METADATA`]: `${metadata.join('\n')}\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: '',
  });
  writeFileSync(join(directory, 'wheels', `${name}-${version}-py3-none-any.whl`), archive);
}

it.skipIf(!hasPython)('installs boto3 for the versions of Python on the machine', { timeout: 120_000 }, async () => {
  mkdirSync(join(directory, 'wheels'));
  for (const { boto3 } of Object.values(BOTO3)) {
    wheel('boto3', boto3, [`botocore==${boto3}`, 'jmespath']);
    wheel('botocore', boto3);
  }
  wheel('jmespath', '1.0.0');
  // Contradicts the target unless emu overrides it.
  vi.stubEnv('PIP_USER', '1');
  await installRuntimePackages(directory, { ...NOTHING, python: true }, () => undefined);
  const versions = [BOTO3.python.boto3, ...(isOld ? [BOTO3['python3.8'].boto3] : [])];
  expect((await installedSets(directory)).map(({ version }) => version)).toEqual(versions);
  expect(
    readdirSync(join(directory, 'python', 'current'))
      .filter((name) => !name.includes('.'))
      .sort(),
  ).toEqual(['boto3', 'botocore', 'jmespath']);
});
