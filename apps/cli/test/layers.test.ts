import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run, type Started, started } from './cli.ts';

const PYTHON_LAYER = 'arn:aws:lambda:us-east-1:017000801446:layer:AWSLambdaPowertoolsPythonV3-python311-x86_64:7';
const OTHER = 'arn:aws:lambda:us-east-1:000000000002:layer:tools-1:3';
const ZIP = zipOf({ 'nodejs/node_modules/tool/index.js': 'exports.name = "tool";' });

let server: Started;
let folder: string;
/** Environment without registries: pip finds a stand-in of Powertools in a folder. */
let offline: NodeJS.ProcessEnv;

beforeAll(async () => {
  server = await started();
  folder = mkdtempSync(join(tmpdir(), 'emu-layers-'));
  writeFileSync(join(folder, 'tools.zip'), ZIP);
  const info = 'aws_lambda_powertools-3.99.0.dist-info';
  const wheel = zipOf({
    'aws_lambda_powertools/__init__.py': 'NAME = "stand-in"\n',
    [`${info}/METADATA`]: 'Metadata-Version: 2.1\nName: aws-lambda-powertools\nVersion: 3.99.0\nProvides-Extra: all\n',
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/RECORD`]: '',
  });
  writeFileSync(join(folder, 'aws_lambda_powertools-3.99.0-py3-none-any.whl'), wheel);
  mkdirSync(join(folder, 'tool'));
  writeFileSync(join(folder, 'tool', 'package.json'), '{ "name": "tool", "version": "1.2.3" }');
  writeFileSync(join(folder, 'tool', 'index.js'), 'exports.name = "tool";');
  offline = { EMULATOR_ADDR: server.addr, PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder };
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Returns the file names of an imported layer. */
async function filesOf(account: string, name: string, version: number): Promise<string[]> {
  const path = `/_emulator/lambda/layer-content/${account}/${name}/${version}.zip`;
  const file = join(folder, 'content.zip');
  writeFileSync(file, Buffer.from(await (await fetch(server.url + path)).arrayBuffer()));
  const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))';
  return execFileSync('python3', ['-c', list, file], { encoding: 'utf8' }).trim().split('\n');
}

describe('emu layer', () => {
  test('imports a file, lists and removes it', async () => {
    const added = await run(['layer', 'add', OTHER, join(folder, 'tools.zip')], offline);
    expect(added).toEqual({ code: 0, stdout: `${OTHER} is imported: ${ZIP.length} bytes\n`, stderr: '' });
    expect((await run(['layer', 'list'], offline)).stdout).toBe(`${OTHER}  ${ZIP.length} bytes\n`);
    expect(JSON.parse((await run(['layer', 'list', '--json'], offline)).stdout)).toMatchObject({
      layers: [{ arn: OTHER, codeSize: ZIP.length }],
    });
    expect(await run(['layer', 'remove', OTHER], offline)).toMatchObject({
      code: 0,
      stdout: `${OTHER} is removed; functions that use it keep it\n`,
    });
    expect((await run(['layer', 'list'], offline)).stdout).toBe('No layer is imported.\n');
    expect(await run(['layer', 'remove', OTHER], offline)).toMatchObject({
      code: 1,
      stderr: `emu: Layer version ${OTHER} is not imported.\n`,
    });
  });

  test('builds a known layer from its package', async ({ skip }) => {
    const { code, stdout, stderr } = await run(['layer', 'add', PYTHON_LAYER], offline);
    if (stderr.includes('install python3')) return skip('this machine has no Python 3 with pip');
    expect({ code, stderr, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('is imported') });
    expect(await filesOf('017000801446', 'AWSLambdaPowertoolsPythonV3-python311-x86_64', 7)).toContain(
      'python/aws_lambda_powertools/__init__.py',
    );
  });

  test('builds any layer from packages that the user names', async () => {
    const { code, stdout, stderr } = await run(['layer', 'add', OTHER, '--npm', join(folder, 'tool')], offline);
    expect({ code, stderr, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('is imported') });
    expect((await filesOf('000000000002', 'tools-1', 3)).sort()).toEqual([
      'nodejs/node_modules/tool/index.js',
      'nodejs/node_modules/tool/package.json',
    ]);
  });

  test('stores layers in a directory for other emulators', async () => {
    const directory = join(folder, 'layers');
    const flag = ['--layer-directory', directory];
    const nobody = { ...offline, EMULATOR_ADDR: '127.0.0.1:1' };
    const path = join(directory, 'us-east-1', '000000000002', 'tools-1-3.zip');
    expect((await run(['layer', 'list', ...flag], nobody)).stdout).toBe('No layer is imported.\n');
    expect(await run(['layer', 'add', OTHER, join(folder, 'tools.zip'), ...flag], nobody)).toEqual({
      code: 0,
      stdout: `${path} is ${OTHER}\n`,
      stderr: '',
    });
    expect((await run(['layer', 'list', ...flag], nobody)).stdout).toBe(`${OTHER}  ${ZIP.length} bytes\n`);
    expect((await run(['layer', 'remove', OTHER, ...flag], nobody)).stdout).toBe(
      `${OTHER} is removed from ${directory}\n`,
    );
    expect(await run(['layer', 'remove', OTHER, ...flag], nobody)).toMatchObject({
      code: 1,
      stderr: `emu: ${directory} does not have ${OTHER}.\n`,
    });
  });

  test('explains what is missing or wrong', async () => {
    const failure = async (...args: string[]) => (await run(['layer', ...args], offline)).stderr;
    expect(await failure()).toBe('emu: emu layer needs an action: add, list, remove.\n');
    expect(await failure('get')).toBe('emu: emu layer has no action get: add, list, remove.\n');
    expect(await failure('add')).toBe('emu: emu layer add needs an ARN: emu layer add <arn>.\n');
    expect(await failure('add', 'tools')).toBe(
      'emu: tools is not the ARN of a layer version, such as arn:aws:lambda:us-east-1:123456789012:layer:name:1.\n',
    );
    expect(await failure('add', OTHER)).toBe(
      `emu: emu does not know the packages of ${OTHER}. Name its file, emu layer add <arn> <file>, or its packages with --npm or --pip.\n`,
    );
    expect(await failure('add', OTHER, join(folder, 'none.zip'))).toMatch(/none\.zip cannot be used: ENOENT/);
    expect(await failure('add', OTHER, '--npm', join(folder, 'none'))).toMatch(/emu: npm ended with \d+/);
  });
});
