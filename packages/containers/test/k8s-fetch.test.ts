import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultSettings } from '@emu/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zipOf } from '../../gateway/src/testing/zip.ts';
import { podManifest } from '../src/k8s/manifest.ts';

/** Program that contains every program of the fetching image; undefined if this machine lacks it. */
const busybox = ((): string | undefined => {
  try {
    const path = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();
    const programs = execFileSync(path, ['--list'], { encoding: 'utf8' }).split('\n');
    return ['sh', 'wget', 'unzip', 'mktemp', 'readlink', 'find'].every((name) => programs.includes(name))
      ? path
      : undefined;
  } catch {
    return undefined;
  }
})();

const link = (content: string) => ({ content, mode: 0o120777 });
const file = (name: string): Record<string, string> => ({ [name]: 'written' });

describe.skipIf(!busybox)(`what a Pod fetches${busybox ? '' : ' (skipped: there is no busybox)'}`, () => {
  let home: string;
  let archives: Buffer[];
  const server = createServer((request, response) => response.end(archives[Number(request.url!.slice(1))]));
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'emu-fetch-'));
    for (const name of ['bin', 'tmp', 'outside', 'package']) await mkdir(join(home, name));
    for (const name of ['sh', 'wget', 'unzip', 'mktemp', 'readlink', 'find'])
      await symlink(busybox!, join(home, 'bin', name));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await rm(home, { recursive: true });
  });

  /** Runs the fetching step of a function's Pod with layers. */
  async function fetchAll(...packages: Parameters<typeof zipOf>[0][]): Promise<void> {
    archives = packages.map((files) => zipOf(files));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { spec } = podManifest({
      name: 'pod',
      spec: {
        name: 'function',
        service: 'lambda',
        image: 'image',
        environment: {},
        mounts: [
          {
            type: 'directory',
            source: '/none',
            target: join(home, 'package'),
            archives: packages.map((_, index) => `/${index}`),
          },
        ],
      } as Parameters<typeof podManifest>[0]['spec'],
      settings: defaultSettings({ values: { EMULATOR_K8S_SELF_URL: url } }),
      labels: {},
    });
    const { command, args } = spec!.initContainers![0]!;
    // Kubernetes removes one of the dollar signs.
    const [, ...script] = [...command!, ...args!].map((text) => text.replaceAll('$$(', '$('));
    await promisify(execFile)(join(home, 'bin/sh'), script, {
      env: { PATH: join(home, 'bin'), TMPDIR: join(home, 'tmp') },
    });
  }

  it('is unpacked in its directory, a later archive over an earlier one', async () => {
    await fetchAll({ 'lib/v1/a b': 'one', c: 'one', 'lib/now': link('v1') }, { c: 'two', 'lib/now/d': 'three' });
    const written = (path: string) => readFile(join(home, 'package', path), 'utf8');
    expect(await Promise.all(['lib/v1/a b', 'c', 'lib/v1/d'].map(written))).toEqual(['one', 'two', 'three']);
    expect(await readdir(join(home, 'tmp'))).toHaveLength(1);
  });

  // With these links `p/q/..` is the directory itself, so `p/q/../..` is above it, although its text does not show it.
  const up = { 'z/k': 'x', 'p/q': link('../z') };
  it.each<[string, Parameters<typeof zipOf>[0][] | ((outside: string) => Parameters<typeof zipOf>[0][])]>([
    ['a name above it', [file('../outside/file')]],
    ['a link above it', [{ a: link('../outside') }, file('a/file')]],
    ['an absolute link', (outside) => [{ a: link(outside) }, file('a/file')]],
    ['an absolute name', (outside) => [file(`${outside}/file`)]],
    ['a link in the archive itself', [{ a: link('../outside'), ...file('a/file') }]],
    ['a chain of links', [{ ...up, a: link('p/q/../../outside') }, file('a/file')]],
    [
      'a chain of links of two archives',
      [{ 'p/q': link('../z'), z: link('p') }, { a: link('z/../..') }, file('a/file')],
    ],
    ['a link with a space and a quote', [{ "a ' b": link('../outside') }, file("a ' b/file")]],
  ])('writes nothing outside of its directory through %s', async (_, packages) => {
    const given = typeof packages === 'function' ? packages(join(home, 'outside')) : packages;
    await fetchAll(...given).catch((error: { stderr: string }) => {
      expect(error.stderr).toMatch(/leads out of the package|unzip: /);
    });
    expect(await readdir(join(home, 'outside'))).toEqual([]);
    expect((await readdir(home)).sort()).toEqual(['bin', 'outside', 'package', 'tmp']);
  });
});
