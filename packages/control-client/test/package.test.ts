import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const directory = fileURLToPath(new URL('..', import.meta.url));

/** The built files of the exports. */
const ENTRIES = ['index.js', 'service-routes.js'].map((name) => join('dist', name));

/** The folder of code that the entries share. */
const CHUNKS = join('dist', 'chunks', '/');

/** Directory with the archive and, in `package`, its contents. */
let folder = '';
let archive = '';

/** Runs the pnpm that runs this test, or the one of the workspace. */
function pnpm(...args: string[]): void {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string };
  const running = process.env.npm_execpath;
  const command =
    running && /pnpm\.[cm]?js$/.test(running)
      ? [process.execPath, running, ...args]
      : ['npx', '-y', packageManager, ...args];
  execFileSync(command[0]!, command.slice(1), { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'emu-control-client-'));
  pnpm('pack', '--pack-destination', folder);
  archive = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz'))!);
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(archive));

test('contains exactly what is published', () => {
  const files = readdirSync(join(folder, 'package'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => !name.startsWith('dist')).sort()).toEqual([
    'LICENSE',
    'NOTICE',
    'README.md',
    'package.json',
  ]);
  const code = files.filter((name) => name.startsWith('dist') && /\.\w+$/.test(name) && !name.endsWith('.d.ts'));
  // The entries share the tables of routes.
  expect(code.filter((name) => !name.startsWith(CHUNKS)).sort()).toEqual(ENTRIES);
});

test('depends on no package and not on Node', () => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('peerDependencies');
  const names = readdirSync(join(folder, 'package/dist'), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.js'));
  const code = files.map((file) => readFileSync(join(folder, 'package/dist', file), 'utf8')).join('\n');
  const imported = [...code.matchAll(/(?<![-\w])import[\w\s{},*$]*"([^"]*)"/g)].map(([, specifier]) => specifier!);
  expect(imported.filter((specifier) => !specifier.startsWith('./'))).toEqual([]);
  expect(code).not.toMatch(/\bimport\(|\brequire\(|\bprocess\b|\bBuffer\b|node:/);
});

test('publint reports nothing', async () => {
  const { messages, pkg } = await publint({ pack: { tarball: bytes().buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('types and code resolve equally for every ESM consumer', async () => {
  const result = await checkPackage(createPackageFromTarballData(bytes()));
  // The package is ESM only: CommonJS consumers use import(), and node's resolution without "exports" is unsupported.
  const problems = (result.types ? result.problems : []).filter(
    (problem) => !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind)),
  );
  expect(result.types).toEqual({ kind: 'included' });
  expect(problems).toEqual([]);
});

/** Returns the errors of a consumer's type check of the unpacked declarations. */
function typeErrors(name: string, options: Record<string, unknown>): string {
  const config = join(folder, `${name}.json`);
  writeFileSync(
    join(folder, `${name}.ts`),
    `import { ControlClient, type SqsMessage } from './package/dist/index.js';
     const { messages } = await new ControlClient('http://localhost:4566').sqs.messages();
     export const bodies: string[] = messages.map(({ body }: SqsMessage) => body);\n`,
  );
  const strict = { strict: true, noEmit: true, skipLibCheck: false, target: 'ES2022', ...options };
  writeFileSync(config, JSON.stringify({ compilerOptions: strict, files: [`${name}.ts`] }));
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test.each([
  ['bundler', { module: 'ESNext', moduleResolution: 'bundler', lib: ['ES2022', 'DOM'], types: [] }],
  ['node', { module: 'NodeNext', lib: ['ES2022'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] }],
])('its types hold in a %s project', (name, options) => {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  expect(typeErrors(name, options)).toBe('');
});

test('the built client works', async () => {
  const entry = join(folder, 'package/dist/index.js');
  expect(existsSync(entry)).toBe(true);
  const { ControlClient, ApiError } = (await import(pathToFileURL(entry).href)) as typeof import('../src/index.ts');
  const body = '{"error":{"code":"NotImplemented","message":"no"}}';
  const client = new ControlClient('http://emu.test', { fetch: async () => new Response(body, { status: 501 }) });
  await expect(client.kms.usage()).rejects.toThrow(ApiError);
});
