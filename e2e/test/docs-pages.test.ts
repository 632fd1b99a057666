import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SERVICES } from '@emu/emulator';
import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { pages, ROOT } from '../src/docs.ts';

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

/** Returns the pages that an index links to, in order. */
const listedIn = (index: string): string[] =>
  [...textOf(index).matchAll(/^(?:- |\| )\[[^\]]+\]\(([\w/-]+\.md)\)/gm)].map(([, page]) =>
    join(dirname(index), page!),
  );

test('every page is listed once: in docs/index.md, or in the index of its directory', () => {
  const indexes = ['docs/index.md', 'docs/services/index.md', 'docs/coverage/index.md'];
  const all = pages().filter((page) => page !== 'README.md' && page !== 'docs/index.md');
  expect(indexes.flatMap(listedIn).sort()).toEqual(all.sort());
});

test('the index begins with the most important pages', () => {
  expect(listedIn('docs/index.md')[0]).toBe('docs/clients.md');
  expect(listedIn('docs/index.md').at(-1)).toBe('docs/conformance.md');
  expect(textOf('README.md')).toContain('](docs/index.md)');
});

test('links have existing targets and headings', () => {
  const anchors = (page: string): string[] =>
    [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
  const broken: string[] = [];
  for (const page of [...pages(), 'CONTRIBUTING.md'])
    for (const [, path, anchor] of textOf(page).matchAll(/\]\((?!https?:)([\w./-]+)?(?:#([\w-]+))?\)/g)) {
      const target = path === undefined ? page : join(page, '..', path);
      const found = existsSync(join(ROOT, target)) && (anchor === undefined || anchors(target).includes(anchor));
      if (!found) broken.push(`${page}: ${path ?? ''}#${anchor ?? ''}`);
    }
  expect(broken).toEqual([]);
});

/** Returns the cells of a table row, separated by `|` without a backslash. */
const cellsOf = (line: string): number =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/).length;

/** Width of two lines in a table with two columns. */
const MAX_CHARACTERS = 140;

test('tables have the same number of cells in each row', () => {
  const markdown = new MarkdownIt({ html: true });
  const wrong: string[] = [];
  for (const page of [...pages(), 'CONTRIBUTING.md']) {
    const lines = textOf(page).split('\n');
    const tokens = markdown.parse(textOf(page), {});
    const inTables = new Set<number>();
    for (const { type, map } of tokens) {
      if (type !== 'table_open') continue;
      const [begin, end] = map!;
      for (let line = begin; line < end; line++) {
        inTables.add(line);
        if (cellsOf(lines[line]!) !== cellsOf(lines[begin]!))
          wrong.push(`${page}:${line + 1}: another number of cells`);
      }
    }
    const fenced = new Set(
      tokens
        .filter(({ type }) => type === 'fence')
        .flatMap(({ map }) => Array.from({ length: map![1] - map![0] }, (_, index) => map![0] + index)),
    );
    for (const [index, line] of lines.entries())
      if (line.startsWith('|') && !inTables.has(index) && !fenced.has(index))
        wrong.push(`${page}:${index + 1}: no table`);
  }
  expect(wrong).toEqual([]);
});

test('cells of hand-written tables have at most two lines', () => {
  const long: string[] = [];
  for (const page of [...pages(), 'CONTRIBUTING.md']) {
    const written = textOf(page).replaceAll(/<!-- generated: .*?<!-- end of generated -->/gs, '');
    for (const line of written.split('\n').filter((text) => text.startsWith('|')))
      for (const cell of line.split(/(?<!\\)\|/))
        if (cell.replaceAll(/\]\([^)]*\)/g, '').length > MAX_CHARACTERS) long.push(`${page}: ${cell}`);
  }
  expect(long).toEqual([]);
});

test('every client named as working has a test', () => {
  const tests: Record<string, RegExp> = {
    'aws-cli.test.ts': /\bAWS CLI\b/,
    'boto3.test.ts': /\bboto3\b/,
    'cdk.test.ts': /\bCDK\b/,
    'serverless.test.ts': /\bServerless Framework\b/,
    'terraform.test.ts': /\bTerraform\b/,
  };
  for (const [file, name] of Object.entries(tests)) {
    expect(existsSync(join(import.meta.dirname, file)), file).toBe(true);
    expect(textOf('docs/clients.md')).toMatch(name);
  }
  expect(textOf('README.md')).toMatch(/\(SDKs, AWS CLI, boto3, Terraform, CDK\)/);
});

test('the page of a service explains each of its control routes, and no others', async () => {
  const explained = (page: string): string[] =>
    [...textOf(page).matchAll(/^\| `((?:GET|POST|PUT|DELETE) \/\S+)` \| .{10,} \|$/gm)].map(([, route]) => route!);
  for (const manifest of SERVICES) {
    const routes = ((await manifest.load()).control ?? []).map(({ method, path }) => `${method} ${path}`);
    expect(explained(`docs/services/${manifest.name}.md`).sort(), manifest.name).toEqual(routes.sort());
  }
});
