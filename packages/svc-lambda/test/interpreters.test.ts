import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createLogger } from '@emu/core';
import { afterEach, expect, it, vi } from 'vitest';
import { linkPythonSdk, pythonOf } from '../src/runtime/python.ts';
import { startRunning } from './running.ts';

const places: string[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const place of places.splice(0)) rmSync(place, { recursive: true });
});

/** A directory with an interpreter that reports these properties. */
function interpreter(name: string, answer: object): string {
  const place = mkdtempSync(join(tmpdir(), 'emu-test-'));
  places.push(place);
  const program = join(place, name);
  writeFileSync(program, `#!/bin/sh\ncat <<'EOF'\n${JSON.stringify(answer)}\nEOF\n`);
  chmodSync(program, 0o755);
  return place;
}

it('Python functions use the SDK of another interpreter if their own lacks it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'emu-test-'));
  places.push(home);
  const packages = ['boto3', 'botocore'].map((name) => join(home, 'site', name));
  for (const place of packages) mkdirSync(place, { recursive: true });
  const bare = interpreter('python3.99', { executable: '/bare', version: '3.99.0', sdk: [] });
  const full = interpreter('python3', { executable: '/full', version: '3.11.0', sdk: packages });
  vi.stubEnv('PATH', [bare, full, process.env.PATH].join(delimiter));
  const own = await pythonOf('python3.99');
  expect(own).toMatchObject({ executable: '/bare', sdk: [] });
  // Twice: a restart finds the links of an earlier start.
  for (let count = 0; count < 2; count++) await linkPythonSdk(home, own!);
  expect(readdirSync(join(home, 'python-sdk')).sort()).toEqual(['boto3', 'botocore']);
  const other = join(home, 'other');
  await linkPythonSdk(other, { executable: '/full', version: '3.11.0', sdk: packages });
  expect(() => readdirSync(other)).toThrow('ENOENT');
});

it("logs once that an interpreter's version differs", async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
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
