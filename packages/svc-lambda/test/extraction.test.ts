import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ZipEntry } from '../src/code/zip.ts';
import { Extraction } from '../src/runtime/extraction.ts';

const SYMLINK = 0o120777;

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'emu-extraction-'));
});
afterAll(() => rm(home, { recursive: true }));

/** `home/package` is the directory; its siblings must not change. */
beforeEach(async () => {
  await rm(home, { recursive: true });
  await mkdir(join(home, 'package'), { recursive: true });
  await mkdir(join(home, 'outside'));
  await writeFile(join(home, 'outside', 'file'), 'kept');
});

const entry = (name: string, content: string, mode: number): ZipEntry => ({
  name,
  mode,
  size: Buffer.byteLength(content),
  read: async function* () {
    yield Buffer.from(content);
  },
});
const file = (name: string, content = 'x'): ZipEntry => entry(name, content, 0o100644);
const link = (name: string, target: string): ZipEntry => entry(name, target, SYMLINK);

async function extract(entries: readonly ZipEntry[]): Promise<void> {
  const extraction = await Extraction.into(join(home, 'package'));
  for (const each of entries) await extraction.add(each);
  await extraction.finish();
}

// With these links, `p/q/..` is the directory itself, so that `p/q/../..` is its parent, although the text is not.
const up = [file('z/k'), link('p/q', '../z')];

it.each<[string, ZipEntry[]]>([
  ['a name above it', [file('../outside/file')]],
  ['a name far above it', [file('a/../../../../../../../../outside/file')]],
  ['the name of the directory', [file('.')]],
  ['an absolute link', [link('a', '/tmp')]],
  ['a link above it', [link('a', '../outside'), file('a/file')]],
  ['a link to itself', [link('a', '.'), file('a/file')]],
  ['a link below a link', [link('z/..', 'z')]],
  ['a chain of links', [...up, link('a', 'p/q/../../outside'), file('a/file')]],
  ['a chain of links, the last of them first', [link('a', 'p/q/../../outside'), ...up, file('a/file')]],
  ['a chain of links with nothing below', [...up, link('a', 'p/q/../../outside')]],
  ['a chain of links to a file', [...up, link('a', 'p/q/../../outside/file'), file('a/b')]],
  ['a directory below a chain', [...up, link('a', 'p/q/../../outside'), file('a/made/here/')]],
  ['a directory in a dangling link', [link('a', 'nowhere/at/all'), file('a/file')]],
  ['a link to itself by name', [link('a', 'a'), file('a/file')]],
  ['a link replacing a directory', [file('d/e/f'), ...up, link('d', 'p/q/../../outside'), file('d/file')]],
])('writes nothing outside of the directory by %s', async (_, entries) => {
  await expect(extract(entries)).rejects.toThrow(/^Lambda could not unzip the deployment package: .* leads out of /);
  expect((await readdir(home)).sort()).toEqual(['outside', 'package']);
  expect(await readdir(join(home, 'outside'))).toEqual(['file']);
  expect(await readFile(join(home, 'outside', 'file'), 'utf8')).toBe('kept');
});

it('follows internal links, and replaces a link by a file', async () => {
  await extract([
    file('lib/v1/a', 'one'),
    link('lib/now', 'v1'),
    file('lib/now/b', 'two'),
    link('dead', 'lib/v1/none'),
  ]);
  expect(await readFile(join(home, 'package/lib/v1/b'), 'utf8')).toBe('two');
  await extract([link('b', 'lib/v1/b'), file('b', 'own'), file('dead', 'alive')]);
  expect(await readFile(join(home, 'package/lib/v1/b'), 'utf8')).toBe('two');
  expect(await readFile(join(home, 'package/b'), 'utf8')).toBe('own');
  expect(await readFile(join(home, 'package/dead'), 'utf8')).toBe('alive');
});

// Hard links have no type in .zip files: they are entries with the target's name in a field that is ignored.
it('writes anything but files, directories and symbolic links as a file', async () => {
  const others = { pipe: 0o010644, device: 0o060644, terminal: 0o020644, socket: 0o140644 };
  await extract(Object.entries(others).map(([name, mode]) => entry(name, '../outside/file', mode)));
  for (const name of Object.keys(others)) {
    const made = await stat(join(home, 'package', name));
    expect([made.isFile(), made.nlink], name).toEqual([true, 1]);
  }
});
