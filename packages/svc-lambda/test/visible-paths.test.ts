import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { moduleLinks } from '../src/runtime/sandbox/module-links.ts';
import { interpreterPaths, linkedPaths } from '../src/runtime/sandbox/visible-paths.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'emu-test-')));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(home, { recursive: true }));

/** Creates a file below the home directory. @returns its path */
function file(path: string, contents = ''): string {
  const target = join(home, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, contents);
  return target;
}

describe('an interpreter', () => {
  it('of a version manager needs its own installation only', async () => {
    vi.stubEnv('HOME', home);
    const node = file('.nvm/versions/node/v20.1.0/bin/node');
    expect(await interpreterPaths(node)).toEqual([node, node, join(home, '.nvm/versions/node/v20.1.0')]);
    const dotnet = file('.dotnet/dotnet');
    expect(await interpreterPaths(dotnet)).toEqual([dotnet, dotnet, join(home, '.dotnet')]);
  });

  it('beside files of the user needs parts of the directory', async () => {
    vi.stubEnv('HOME', home);
    for (const directory of ['bin', '.local/bin']) {
      const node = file(`${directory}/node`);
      const found = await interpreterPaths(node);
      expect(found).toContain(node);
      expect(found).toContain(join(dirname(dirname(node)), 'lib'));
      expect(found).not.toContain(home);
      expect(found).not.toContain(join(home, '.local'));
    }
  });

  it('of a virtual environment needs the one that it is based on, too', async () => {
    const base = file('.pyenv/versions/3.12.1/bin/python3.12');
    file('venv/pyvenv.cfg', `home = ${dirname(base)}\nversion = 3.12.1\n`);
    mkdirSync(join(home, 'venv/bin'));
    const python = join(home, 'venv/bin/python');
    symlinkSync(base, python);
    const found = await interpreterPaths(python);
    expect(found).toEqual(expect.arrayContaining([join(home, 'venv'), join(home, '.pyenv/versions/3.12.1')]));
  });
});

describe('linked packages', () => {
  it('are visible with the packages that they need, also if a link appears later', async () => {
    const links = join(home, 'links');
    mkdirSync(join(links, '@scope'), { recursive: true });
    const store = join(home, 'project/node_modules');
    symlinkSync(join(store, '.pnpm/one/node_modules/one'), join(links, '@scope/one'));
    expect(await linkedPaths([links])).toEqual([]);
    file('project/node_modules/.pnpm/one/node_modules/one/index.js');
    file('other/node_modules/two/index.js');
    symlinkSync(join(home, 'other/node_modules/two'), join(store, 'two'));
    expect(await linkedPaths([links])).toEqual([store, join(home, 'other/node_modules')]);
  });

  it('of several directories are combined, with scopes that layers divide', async () => {
    file('layer/@aws-sdk/one/index.js');
    file('layer/plain/index.js');
    file('runtime/@aws-sdk/one/index.js');
    file('runtime/@aws-sdk/two/index.js');
    file('runtime/@smithy/core/index.js');
    const sources = [
      { directory: join(home, 'layer'), inside: '/opt', isLayer: true },
      { directory: join(home, 'runtime'), inside: '/var/runtime', isLayer: false },
      { directory: join(home, 'none'), inside: '/none', isLayer: false },
    ];
    expect([...(await moduleLinks(sources))]).toEqual([
      ['@aws-sdk/one', '/opt/@aws-sdk/one'],
      ['plain', '/opt/plain'],
      ['@aws-sdk/two', '/var/runtime/@aws-sdk/two'],
      ['@smithy', '/var/runtime/@smithy'],
    ]);
  });
});
