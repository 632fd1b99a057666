import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Lambda } from '@aws-sdk/client-lambda';
import { defaultSettings } from '@emu/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from './running.ts';
import { BASE, failureOf } from './support.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'emu-hot-')));
let test: RunningTest;
beforeAll(async () => {
  test = await startRunning({ settings: { values: { EMULATOR_HOT_RELOAD_ROOT: root } } });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

let count = 0;
let directory: string;
beforeEach(() => {
  directory = join(root, `fn-${++count}`);
  mkdirSync(directory);
});

const write = (code: string, file = 'index.js'): void => writeFileSync(join(directory, file), code);
const create = (S3Key = directory) =>
  test.lambda.createFunction({ ...BASE, FunctionName: `hot-${count}`, Code: { S3Bucket: 'hot-reload', S3Key } });
const invoke = async () => (await test.invoke(`hot-${count}`)).payload;

describe('code in a directory', () => {
  it('runs in the next invocation after it is saved', async () => {
    write(`exports.handler = async () => ['first', process.pid];`);
    const made = await create();
    expect(made).toMatchObject({ CodeSize: 0, CodeSha256: expect.stringMatching(/^[\w+/]{43}=$/) });
    const [first, pid] = (await invoke()) as [string, number];
    expect(first).toBe('first');
    // Warm, because nothing has changed.
    expect(await invoke()).toEqual(['first', pid]);
    write(`exports.handler = async () => require('./other.js');`);
    write(`module.exports = 'second';`, 'other.js');
    expect(await invoke()).toBe('second');
    write(`module.exports = 'third';`, 'other.js');
    expect(await invoke()).toBe('third');
    // Environments of the previous version have ended.
    const { json } = await test.emulator.control('GET', '/_emulator/lambda/warm-containers');
    const { containers } = json as { containers: { functionName: string }[] };
    expect(containers.filter(({ functionName }) => functionName === `hot-${count}`)).toHaveLength(1);
    const { Code } = await test.lambda.getFunction({ FunctionName: `hot-${count}` });
    expect(Code!.Location).toBe(pathToFileURL(directory).href);
  });

  it('can replace a package and be replaced by one', async () => {
    const name = await test.define({ 'index.js': `exports.handler = async () => 'package';` });
    expect((await test.invoke(name)).payload).toBe('package');
    write(`exports.handler = async () => 'directory';`);
    await test.lambda.updateFunctionCode({ FunctionName: name, S3Bucket: 'hot-reload', S3Key: `fn-${count}` });
    expect((await test.invoke(name)).payload).toBe('directory');
    rmSync(directory, { recursive: true });
    expect(await failureOf(test.invoke(name))).toContain('There is no directory');
  });

  it('must be below the root, even through links', async () => {
    expect(await failureOf(create('missing'))).toBe(
      `InvalidParameterValueException: There is no directory ${join(root, 'missing')}.`,
    );
    write('', 'file');
    expect(await failureOf(create(join(directory, 'file')))).toMatch(/There is no directory/);
    const outside = `is not below ${root}, where emu may run code from (--hot-reload-root).`;
    expect(await failureOf(create(tmpdir()))).toContain(outside);
    expect(await failureOf(create('..'))).toContain(outside);
    symlinkSync(tmpdir(), join(root, 'link'));
    expect(await failureOf(create('link'))).toContain(outside);
    // A link changed later is detected, too.
    write(`exports.handler = async () => 1;`);
    await create();
    rmSync(directory, { recursive: true });
    symlinkSync(tmpdir(), directory);
    expect(await failureOf(invoke())).toContain(outside);
  });

  it('is not available for layers, or for callers at unknown locations', async () => {
    const layer = test.lambda.publishLayerVersion({ LayerName: 'l', Content: { S3Bucket: 'hot-reload', S3Key: root } });
    expect(await failureOf(layer)).toBe(
      'InvalidParameterValueException: Only functions can have their code in a directory.',
    );
    const open = await startRunning({
      settings: defaultSettings({ values: { EMULATOR_ALLOW_REMOTE: true, EMULATOR_HOT_RELOAD_ROOT: root } }),
    });
    write(`exports.handler = async () => 1;`);
    const Code = { S3Bucket: 'hot-reload', S3Key: directory };
    expect(await failureOf(open.lambda.createFunction({ ...BASE, FunctionName: 'fn', Code }))).toContain(
      'emu runs code of its machine for callers on that machine only',
    );
    const { url, close } = await open.emulator.gateway.listen();
    const here = new Lambda({ ...open.emulator.clientConfig(), endpoint: url, requestHandler: undefined as never });
    await here.createFunction({ ...BASE, FunctionName: 'fn', Code });
    expect((await open.invoke('fn')).payload).toBe(1);
    here.destroy();
    await close();
    await open[Symbol.asyncDispose]();
  });
});
