import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createLogger } from '@emu/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findNode } from '../src/interpreters/node.ts';
import { allPythons, findPython, linkPythonSdk } from '../src/interpreters/python.ts';
import { nearestInterpreter } from '../src/interpreters/versions.ts';
import { startRunning } from './running.ts';

const [OWN] = process.versions.node.split('.');
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'emu-test-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** Creates an executable file that begins like a program, or a script. @returns its path */
function program(path: string, contents: string | Buffer = Buffer.from('7f454c46', 'hex')): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
  chmodSync(file, 0o755);
  return file;
}

/** Lets the search see only the home directory of the test. */
function onlyHome(path: readonly string[] = [], env: Record<string, string> = {}): void {
  const roots = ['NVM_DIR', 'FNM_DIR', 'VOLTA_HOME', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'PYENV_ROOT', 'XDG_DATA_HOME'];
  for (const name of [...roots, 'UV_PYTHON_INSTALL_DIR']) vi.stubEnv(name, undefined);
  vi.stubEnv('N_PREFIX', join(home, 'n-prefix'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('PATH', path.map((directory) => join(home, directory)).join(delimiter));
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, join(home, value));
}

describe('the interpreter of a runtime', () => {
  const found = (...versions: string[]) =>
    versions.map((version) => ({
      executable: `/${version}`,
      version: version.replace('!', ''),
      selected: version.endsWith('!'),
    }));

  it.each<[string, string[], string | undefined]>([
    ['20', ['18.20.0', '20.1.0', '20.11.1', '22.1.0'], '20.11.1'],
    ['20', ['18.20.0', '22.1.0', '22.9.0', '24.1.0'], '22.9.0'],
    ['20', ['16.20.0', '18.1.0', '18.20.0'], '18.20.0'],
    ['20', ['20.11.1', '20.1.0!'], '20.1.0'],
    ['20', ['22.1.0!', '20.1.0'], '20.1.0'],
    ['3.12', ['3.9.1', '3.12.1', '3.12.10', '3.13.0'], '3.12.10'],
    ['3.12', ['3.9.1', '3.13.0', '3.13.2', '3.14.0'], '3.13.2'],
    ['3.12', ['3.9.1', '3.11', '3.11.9'], '3.11.9'],
    ['3.1', ['3.12.1'], '3.12.1'],
    ['3.12', [], undefined],
  ])('of version %s among %j is %s', (wanted, versions, chosen) => {
    expect(nearestInterpreter(found(...versions), wanted)?.version).toBe(chosen);
  });

  it.each<[string, string, Record<string, string>]>([
    ['nvm', '.nvm/versions/node/v16.20.2/bin/node', {}],
    ['nvm in NVM_DIR', 'else/versions/node/v16.20.2/bin/node', { NVM_DIR: 'else' }],
    ['fnm', '.local/share/fnm/node-versions/v16.20.2/installation/bin/node', {}],
    ['fnm of older versions', '.fnm/node-versions/v16.20.2/installation/bin/node', {}],
    ['Volta', '.volta/tools/image/node/16.20.2/bin/node', {}],
    ['asdf', '.asdf/installs/nodejs/16.20.2/bin/node', {}],
    ['mise', 'data/mise/installs/node/16.20.2/bin/node', { XDG_DATA_HOME: 'data' }],
    ['n', 'n-prefix/n/versions/node/16.20.2/bin/node', {}],
  ])('may be a Node.js of %s', async (_, path, env) => {
    const executable = program(path);
    onlyHome([], env);
    expect(await findNode('16')).toEqual({ executable, version: '16.20.2', selected: false });
  });

  it.each<[string, string, Record<string, string>]>([
    ['pyenv', '.pyenv/versions/3.12.1/bin/python3.12', {}],
    ['pyenv in PYENV_ROOT', 'else/versions/3.12.1/bin/python3.12', { PYENV_ROOT: 'else' }],
    ['asdf', '.asdf/installs/python/3.12.1/bin/python3.12', {}],
    ['mise', '.local/share/mise/installs/python/3.12.1/bin/python3.12', {}],
    ['uv', '.local/share/uv/python/cpython-3.12.1-linux-x86_64-gnu/bin/python3.12', {}],
  ])('may be a Python of %s', async (_, path, env) => {
    const executable = program(path);
    program('.pyenv/versions/pypy3.10-7.3.15/bin/python3.10');
    onlyHome([], env);
    expect(await findPython('3.12')).toEqual({ executable, version: '3.12.1', selected: false });
    expect(await allPythons()).toHaveLength(1);
  });

  it("may have Debian's names, and is found again after a change", async () => {
    program('usr/bin/python3.11');
    symlinkSync('python3.11', join(home, 'usr/bin/python3'));
    onlyHome(['usr/bin', 'missing']);
    expect((await findPython('3.11'))?.executable).toBe(join(home, 'usr/bin/python3'));
    expect((await findPython('3.13'))?.version).toBe('3.11');
    const newer = program('usr/bin/python3.13');
    expect(await findPython('3.13')).toEqual({ executable: newer, version: '3.13', selected: true });
    // Debian's Node.js has no version in its path, but headers.
    program('usr/bin/node');
    const header = program('usr/include/node/node_version.h', '#define NODE_MAJOR_VERSION 12\n');
    writeFileSync(
      header,
      '#define NODE_MAJOR_VERSION 12\n#define NODE_MINOR_VERSION 22\n#define NODE_PATCH_VERSION 9\n',
    );
    expect(await findNode('12')).toMatchObject({ version: '12.22.9', selected: true });
  });

  it('is never a shim, which selects the versions of its manager', async () => {
    const marker = join(home, 'ran');
    for (const shim of ['.pyenv/shims/python3', '.pyenv/shims/python3.12', '.volta/bin/node', '.asdf/shims/node'])
      program(shim, `#!/bin/sh\ntouch ${marker}\necho v16.0.0\n`);
    program('usr/bin/python3.11');
    for (const version of ['3.11.2', '3.11.7', '3.12.1'])
      program(`.pyenv/versions/${version}/bin/python${version.slice(0, 4)}`);
    program('.volta/tools/image/node/16.1.0/bin/node');
    onlyHome(['.pyenv/shims', '.volta/bin', '.asdf/shims', 'usr/bin']);
    expect(await findPython('3.11')).toMatchObject({ version: '3.11.7', selected: true });
    expect(await findPython('3.12')).toMatchObject({ version: '3.12.1' });
    expect(await findNode('16')).toMatchObject({ version: '16.1.0' });
    expect(readdirSync(home)).not.toContain('ran');
  });

  it('is that of a virtual environment on PATH', async () => {
    program('usr/bin/python3.11');
    mkdirSync(join(home, 'venv/bin'), { recursive: true });
    symlinkSync(join(home, 'usr/bin/python3.11'), join(home, 'venv/bin/python3'));
    onlyHome(['venv/bin', 'usr/bin']);
    expect((await findPython('3.11'))?.executable).toBe(join(home, 'venv/bin/python3'));
  });

  it("is emu's own Node.js without another one of its version, or a nearer one", async () => {
    onlyHome();
    for (const version of ['4', OWN!, '99']) expect((await findNode(version)).executable).toBe(process.execPath);
  });
});

it('Python functions use the SDK of another interpreter if their own lacks it', async () => {
  const bare = program('bare/bin/python3.12');
  program('full/bin/python3.11');
  const site = join(home, 'full/lib/python3.11/site-packages');
  for (const name of ['boto3', 'botocore', 'flask']) mkdirSync(join(site, name), { recursive: true });
  onlyHome(['bare/bin', 'full/bin']);
  const own = await findPython('3.12');
  expect(own).toMatchObject({ executable: bare });
  // Twice: a restart finds the links of an earlier start.
  for (let count = 0; count < 2; count++) await linkPythonSdk(join(home, 'scratch'), own!);
  expect(readdirSync(join(home, 'scratch', 'python-sdk')).sort()).toEqual(['boto3', 'botocore']);
  // Packages of the user are linked, too, for sandboxes without a home directory.
  rmSync(site, { recursive: true });
  mkdirSync(join(home, '.local/lib/python3.12/site-packages/boto3'), { recursive: true });
  await linkPythonSdk(join(home, 'of-user'), own!);
  expect(readdirSync(join(home, 'of-user', 'python-sdk'))).toEqual(['boto3']);
  mkdirSync(join(site, 'boto3'), { recursive: true });
  const other = join(home, 'other');
  await linkPythonSdk(other, (await findPython('3.11'))!);
  expect(() => readdirSync(other)).toThrow('ENOENT');
});

describe('functions of this machine', () => {
  const versions = ['3.8', '3.9', '3.10', '3.11', '3.12', '3.13'];

  it('run with the Python of their runtime', async (ctx) => {
    const here = new Set((await allPythons()).map(({ version }) => version.split('.').slice(0, 2).join('.')));
    const testable = versions.filter((version) => here.has(version));
    if (testable.length === 0) return ctx.skip('this machine has no Python of a runtime');
    await using test = await startRunning();
    for (const version of testable) {
      const code = 'import sys\ndef handler(event, context):\n    return "%d.%d" % sys.version_info[:2]\n';
      const Runtime = `python${version}` as 'python3.12';
      const name = await test.define({ 'app.py': code }, { Runtime, Handler: 'app.handler' });
      expect((await test.invoke(name)).payload).toBe(version);
    }
  });

  it('run with the Node.js of their runtime', async () => {
    // A real program of another version, which tells its path.
    const path = join(home, '.nvm/versions/node/v22.1.0/bin/node');
    mkdirSync(dirname(path), { recursive: true });
    execFileSync('cp', [process.execPath, path]);
    onlyHome();
    await using test = await startRunning();
    const name = await test.define(
      { 'index.js': 'exports.handler = async () => process.execPath;' },
      { Runtime: 'nodejs22.x' },
    );
    expect((await test.invoke(name)).payload).toBe(OWN === '22' ? process.execPath : path);
  });

  it('are refused with what to install', async () => {
    onlyHome();
    await using test = await startRunning();
    const name = await test.define({ 'app.py': '' }, { Runtime: 'python3.13', Handler: 'app.handler' });
    await expect(test.invoke(name)).rejects.toMatchObject({
      name: 'InvalidRuntimeException',
      message: `emu cannot run ${name} (python3.13): no Python 3 was found; install python3.13.`,
    });
  });
});

it("logs once that an interpreter's version differs", async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
  onlyHome();
  await using test = await startRunning({ log });
  const Runtime = process.versions.node.startsWith('22.') ? 'nodejs20.x' : 'nodejs22.x';
  for (let count = 0; count < 2; count++)
    await test.invoke(await test.define({ 'index.js': 'exports.handler = async () => 1;' }, { Runtime }));
  expect(lines).toEqual([
    expect.stringContaining(`functions of ${Runtime} run with Node.js ${process.versions.node} here`),
  ]);
});

it('logs once that the architecture differs', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
  await using test = await startRunning({ log });
  const [wanted, own] = process.arch === 'arm64' ? (['x86_64', 'arm64'] as const) : (['arm64', 'x86_64'] as const);
  const input = { Architectures: [wanted], Runtime: `nodejs${process.versions.node.split('.')[0]}.x` } as const;
  for (let count = 0; count < 2; count++) {
    const name = await test.define({ 'index.js': 'exports.handler = async () => 1;' }, structuredClone(input) as never);
    await test.invoke(name);
  }
  expect(lines).toEqual([expect.stringContaining(`functions for ${wanted} run on ${own} here`)]);
});
