import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLogger } from '@emu/core';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPython } from '../src/interpreters/python.ts';
import { linkSdks } from '../src/runtime/node-sdk.ts';
import { type RunningTest, startRunning } from './running.ts';

const python = await findPython('3.12');
if (!python) console.log('skipped: SDKs of Python functions, for this machine has no Python 3');

let home: string;
let runtimeDir: string;
let test: RunningTest;
const lines: string[] = [];
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'emu-sdk-'));
  runtimeDir = join(home, 'runtime');
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
  test = await startRunning({ log, settings: { values: { EMULATOR_RUNTIME_DIR: runtimeDir } } });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  rmSync(home, { recursive: true });
});

/** Puts a file into a set of the runtime directory. */
function provide(set: string, path: string, contents: string): void {
  const file = join(runtimeDir, set, '1.0.0', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
  if (!readdirSync(join(runtimeDir, set)).includes('current')) symlinkSync('1.0.0', join(runtimeDir, set, 'current'));
}

const module = (value: string) => `module.exports = '${value}';`;
const LOADER = (name: string) => ({
  'index.mjs': `import found from '${name}'; import { createRequire } from 'node:module';
    export const handler = async () => [found, createRequire(import.meta.url)('${name}')];`,
});

it('is installed by a command that the error of a function names, while emu runs', async () => {
  const name = await test.define(LOADER('@aws-sdk/client-none'));
  const { payload } = await test.invoke(name);
  expect(payload).toMatchObject({
    errorType: 'Runtime.ImportModuleError',
    errorMessage: expect.stringMatching(
      /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find package '@aws-sdk\/client-none' imported from .*\nAWS's runtimes include @aws-sdk\/client-none; emu finds it after: emu runtime install nodejs$/s,
    ),
  });
  expect(lines).toEqual([
    expect.stringContaining(`${name}: AWS's runtimes include @aws-sdk/client-none; emu finds it after: emu runtime`),
  ]);
  provide('nodejs', 'node_modules/@aws-sdk/client-none/index.js', module('installed'));
  expect((await test.invoke(name)).payload).toEqual(['installed', 'installed']);
  expect((await test.invoke(await test.define(LOADER('@aws-sdk/client-other')))).payload).toMatchObject({
    errorMessage: expect.stringMatching(
      /\nAWS's runtimes include @aws-sdk\/client-other, but emu's runtime directory does not: add it to the function's package\.$/,
    ),
  });
  // Packages that AWS's runtimes lack have AWS's error only.
  expect((await test.invoke(await test.define(LOADER('@other/none')))).payload).toMatchObject({
    errorMessage: expect.not.stringContaining('emu runtime'),
  });
});

it('comes from the function, its layers, the runtime directory, and the working directory, in this order', async () => {
  const client = '@aws-sdk/client-sqs';
  const found = async (input: Parameters<RunningTest['define']>[1] = {}, files: Record<string, string> = {}) => {
    const code = `const sqs = require('${client}'); exports.handler = async () => typeof sqs === 'string' ? sqs : typeof sqs.SQSClient;`;
    return (await test.invoke(await test.define({ 'index.js': code, ...files }, input))).payload;
  };
  expect(await found()).toBe('function');
  provide('nodejs', `node_modules/${client}/index.js`, module('runtime directory'));
  expect(await found()).toBe('runtime directory');
  const ZipFile = zipOf({ [`nodejs/node_modules/${client}/index.js`]: module('layer') });
  const { LayerVersionArn } = await test.lambda.publishLayerVersion({ LayerName: 'sdk', Content: { ZipFile } });
  const Layers = [LayerVersionArn!];
  expect(await found({ Layers })).toBe('layer');
  expect(await found({ Layers }, { [`node_modules/${client}/index.js`]: module('function') })).toBe('function');
});

it('includes version 2 for runtimes up to nodejs16.x', async () => {
  const define = (Runtime: 'nodejs16.x' | 'nodejs20.x') =>
    test.define({ 'index.js': `const sdk = require('aws-sdk/none'); exports.handler = async () => sdk;` }, { Runtime });
  const [old, recent] = [await define('nodejs16.x'), await define('nodejs20.x')];
  expect((await test.invoke(old)).payload).toMatchObject({
    errorType: 'Runtime.ImportModuleError',
    errorMessage: expect.stringMatching(
      /\nAWS's runtimes include aws-sdk; emu finds it after: emu runtime install --sdk-v2$/,
    ),
  });
  provide('nodejs-sdk-v2', 'node_modules/aws-sdk/none.js', module('v2'));
  expect((await test.invoke(old)).payload).toBe('v2');
  expect((await test.invoke(recent)).payload).toMatchObject({
    errorMessage: expect.not.stringContaining('AWS'),
  });
});

it.skipIf(!python)('of Python follows layers and precedes packages of the interpreter', async () => {
  const define = (module: string, input = {}) =>
    test.define(
      { 'app.py': `import ${module}\ndef handler(event, context):\n    return ${module}.WHERE\n` },
      { Runtime: 'python3.12', Handler: 'app.handler', ...input },
    );
  const name = await define('s3transfer.emu_none');
  expect((await test.invoke(name)).payload).toMatchObject({
    errorType: 'Runtime.ImportModuleError',
    errorMessage: expect.stringMatching(
      /^Unable to import module 'app': No module named 's3transfer.*\nAWS's runtimes include s3transfer; emu finds it after: emu runtime install python$/,
    ),
  });
  provide('python', 's3transfer/emu_none.py', 'WHERE = "runtime directory"\n');
  provide('python', 's3transfer/__init__.py', '');
  expect((await test.invoke(name)).payload).toBe('runtime directory');
  const ZipFile = zipOf({ 'python/s3transfer/emu_none.py': 'WHERE = "layer"\n', 'python/s3transfer/__init__.py': '' });
  const { LayerVersionArn } = await test.lambda.publishLayerVersion({ LayerName: 'py', Content: { ZipFile } });
  expect((await test.invoke(await define('s3transfer.emu_none', { Layers: [LayerVersionArn!] }))).payload).toBe(
    'layer',
  );
});

it('of the working directory and its parents is linked', async () => {
  const project = join(home, 'project', 'deep');
  mkdirSync(join(home, 'project', 'node_modules', '@aws-sdk', 'client-x'), { recursive: true });
  mkdirSync(join(home, 'project', 'node_modules', 'aws-sdk'));
  mkdirSync(project);
  writeFileSync(join(home, 'project', 'node_modules', '@smithy'), 'no directory');
  const scratch = join(home, 'scratch');
  const bootstraps = join(scratch, 'runtime');
  // Twice: a restart finds the links of an earlier start.
  for (let count = 0; count < 2; count++)
    await linkSdks({
      home: scratch,
      packages: join(scratch, 'packages'),
      bootstraps,
      runtimeDirectory: home,
      start: project,
    });
  expect(readdirSync(join(scratch, 'node_modules', '@aws-sdk'))).toEqual(['client-x']);
  expect(readdirSync(join(bootstraps, 'start', 'node_modules'))).toEqual(['aws-sdk']);
});
