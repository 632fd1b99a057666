import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandPath } from '../src/commands.ts';
import { blocksOf, type DocsBlock, pages, ROOT, testFileOf } from '../src/docs.ts';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, clientEnvironment, run } from '../src/programs.ts';

const ADDRESS_IN_DOCS = '127.0.0.1:4566';
const blocks = pages().flatMap(blocksOf);
const of = (kind: DocsBlock['treatment']['kind']): DocsBlock[] =>
  blocks.filter(({ treatment }) => treatment.kind === kind);
const have = {
  aws: canRun('aws', '--version'),
  curl: canRun('curl', '--version'),
  openssl: canRun('openssl', 'version'),
};

/** Programs that a block requires and this machine lacks. */
const lacking = ({ code }: DocsBlock): string[] =>
  (['aws', 'curl', 'openssl'] as const).filter(
    (name) => !have[name] && new RegExp(`^\\s*(\\w+=\\$\\()?${name} `, 'm').test(code),
  );

let folder: ReturnType<typeof temporaryDirectory>;
let PATH: string;
beforeAll(async () => {
  folder = temporaryDirectory();
  PATH = await commandPath(join(folder.path, 'bin'));
});
afterAll(() => folder[Symbol.dispose]());

/** Returns the directory for the blocks of a page, with the files that the page contains. */
function folderOf(page: string): string {
  const path = join(folder.path, page.replace(/\W/g, '-'));
  mkdirSync(path, { recursive: true });
  for (const { code, treatment } of of('file').filter((block) => block.page === page)) {
    if (treatment.kind !== 'file') continue;
    const file = join(path, treatment.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${code}\n`);
  }
  return path;
}

/** Returns the key of pages that share an emulator: one for all pages of services. */
const groupOf = ({ page }: DocsBlock): string => (page.startsWith('docs/services/') ? 'docs/services' : page);

for (const group of new Set(of('commands').map(groupOf)))
  describe(`commands of ${group}`, () => {
    let emu: Emu;
    beforeAll(async () => {
      // The working directories of pages are outside of the repository.
      const places = ['--hot-reload-root', folder.path];
      emu = await startEmu({ args: [...places, '--credentials-role-arn', 'arn:aws:iam::123456789012:role/app'] });
    });
    afterAll(() => emu?.kill());

    for (const block of of('commands').filter((candidate) => groupOf(candidate) === group)) {
      const missing = lacking(block);
      const reason = missing.length ? ` (skipped: there is no ${missing.join(', ')} on this machine)` : '';
      test.skipIf(missing.length)(`${block.page}:${block.line}${reason}`, { timeout: 120_000 }, async () => {
        const outcome = await run('sh', ['-eu', '-c', block.code.replaceAll(ADDRESS_IN_DOCS, new URL(emu.url).host)], {
          cwd: folderOf(block.page),
          env: { ...clientEnvironment(emu.url), PATH },
        });
        expect(outcome, `${block.page}:${block.line}`).toMatchObject({ code: 0, stderr: '' });
        expect(outcome.stdout).not.toBe('');
      });
    }
  });

/** Resolves to the output of a program once it matches; rejects if the program ends before. */
async function outputOf(child: ChildProcess, pattern: RegExp): Promise<string> {
  let output = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => {
        output += chunk;
        if (pattern.test(output)) resolve(output);
      });
    child.once('close', (code) => reject(new Error(`ended with ${code}: ${output}`)));
  });
}

describe('emu in the foreground', () => {
  for (const block of of('foreground'))
    test(`${block.page}:${block.line} becomes ready and ends`, async () => {
      const child = spawn('sh', ['-euc', `exec ${block.code} --addr 127.0.0.1:0`], {
        cwd: folderOf(block.page),
        env: { ...process.env, ...clientEnvironment(''), AWS_ENDPOINT_URL: undefined, PATH } as NodeJS.ProcessEnv,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = once(child, 'exit');
      try {
        const output = await outputOf(child, /is ready on http:\/\/127\.0\.0\.1:\d+/);
        if (have.aws) expect(output).not.toContain('ERROR');
      } finally {
        child.kill('SIGTERM');
      }
      expect((await ended)[0]).toBe(0);
    });
});

test('TypeScript type-checks and runs', { timeout: 300_000 }, async () => {
  const examples = of('typescript');
  expect(examples.length).toBeGreaterThan(1);
  // Inside this package, for its dependencies.
  const project = mkdtempSync(join(ROOT, 'e2e', '.docs-'));
  let tests = 0;
  try {
    mkdirSync(join(project, 'test'));
    for (const example of examples) {
      const name = `${example.page.replace(/\W/g, '-')}-${example.line}.test.ts`;
      const text = testFileOf(example);
      tests += text.match(/^test\(/gm)?.length ?? 0;
      writeFileSync(join(project, 'test', name), text);
    }
    expect(tests).toBeGreaterThanOrEqual(examples.length);
    writeFileSync(
      join(project, 'tsconfig.json'),
      '{ "extends": "../../tsconfig.base.json", "compilerOptions": { "types": ["node", "@emu/service-types"] }, "include": ["test"] }',
    );
    const bin = (name: string): string => join(ROOT, 'node_modules/.bin', name);
    expect(await run(bin('tsc'), ['-p', project], { cwd: project })).toMatchObject({ code: 0, stdout: '' });
    const config = join(ROOT, 'vitest.shared.ts');
    const outcome = await run(bin('vitest'), ['run', '--root', project, '--config', config], { cwd: project });
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ code: 0 });
    const results: unknown = JSON.parse(readFileSync(join(project, '.test-results/vitest.json'), 'utf8'));
    expect(results).toMatchObject({ success: true, numPassedTests: tests });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});

test.each(of('elsewhere').map((block) => [`${block.page}:${block.line}`, block] as const))(
  '%s is run by the named test',
  (_, { treatment }) => {
    if (treatment.kind !== 'elsewhere') throw new Error('not run elsewhere');
    expect(existsSync(join(ROOT, treatment.by)), treatment.by).toBe(true);
    expect(treatment.reason).not.toBe('');
  },
);
