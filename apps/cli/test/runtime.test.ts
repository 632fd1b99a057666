import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from './cli.ts';

let home: string;
let directory: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'emu-cli-'));
  directory = join(home, '.local/share/emu/runtime');
});
afterEach(() => rmSync(home, { recursive: true }));

const runtime = (...args: string[]) =>
  run(['runtime', ...args], {
    HOME: home,
    XDG_DATA_HOME: '',
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
  });

describe('emu runtime', () => {
  test('lists and removes what is in the directory', async () => {
    expect(await runtime('list')).toEqual({
      code: 0,
      stdout: `${directory} is empty; emu runtime install fills it.\n`,
      stderr: '',
    });
    for (const set of ['nodejs', 'python']) {
      for (const version of ['1.0.0', '2.0.0']) mkdirSync(join(directory, set, version), { recursive: true });
      symlinkSync('2.0.0', join(directory, set, 'current'));
    }
    expect((await runtime('list')).stdout).toMatch(
      /^nodejs +1\.0\.0 +not in use\nnodejs +2\.0\.0 +the AWS SDK for JavaScript v3, for Node\.js\npython +1\.0\.0 +not in use\npython +2\.0\.0 +boto3, for Python 3\.10 and newer\n$/,
    );
    expect(await runtime('remove', 'python')).toMatchObject({
      code: 0,
      stdout: 'removed python 1.0.0\nremoved python 2.0.0\n',
    });
    const { sets } = JSON.parse((await runtime('list', '--json')).stdout);
    expect(sets).toMatchObject([
      { version: '1.0.0', current: false },
      { version: '2.0.0', current: true },
    ]);
    // Relative to the working directory.
    expect((await runtime('remove', '--runtime-dir', 'other')).stdout).toBe(
      `${resolve('other')} contains none of them.\n`,
    );
    expect((await runtime('remove')).stdout).toBe('removed nodejs 1.0.0\nremoved nodejs 2.0.0\n');
  });

  test('fails with the words of the package manager', async () => {
    const { code, stdout, stderr } = await runtime('install', '--sdk-v2');
    expect({ code, stdout }).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^installing nodejs-sdk-v2 \S+: the AWS SDK for JavaScript v2, for runtimes up to nodejs16\.x\n$/,
      ),
    });
    expect(stderr).toMatch(/ECONNREFUSED[\s\S]*emu: npm ended with 1; its messages are above\.\n$/);
  });

  test('rejects other actions and names', async () => {
    expect(await runtime('install', 'ruby')).toMatchObject({
      code: 1,
      stderr: 'emu: emu runtime knows no ruby: it installs nodejs and python.\n',
    });
    expect((await runtime('update')).stderr).toContain('Choices: "install", "list", "remove"');
  });
});
