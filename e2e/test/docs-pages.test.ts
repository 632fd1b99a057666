import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@emu/emulator';
import { expect, test } from 'vitest';
import { pages, ROOT } from '../src/docs.ts';

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
/** Pages in the order in which the list of the README names them. */
const listed = (): string[] => {
  const [, list = ''] = textOf('README.md').split('\n## Documentation\n');
  return [...list.split('\n## ')[0]!.matchAll(/\]\((docs\/[\w-]+\.md)\)/g)].map(([, page]) => page!);
};

test('the README lists every page once', () => {
  const all = pages().filter((page) => page !== 'README.md');
  expect(listed().sort()).toEqual(all.sort());
});

test('it begins with what people need first', () => {
  expect(listed().slice(0, 2)).toEqual(['docs/clients.md', 'docs/embedding.md']);
  expect(listed().at(-1)).toBe('docs/conformance.md');
});

test('links lead to pages and headings that are there', () => {
  const anchors = (page: string): string[] =>
    [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
  for (const page of pages())
    for (const [, path, anchor] of textOf(page).matchAll(/\]\((?!https?:)([\w./-]*\.md)?(?:#([\w-]+))?\)/g)) {
      const target = path === undefined ? page : join(page, '..', path);
      expect([page, anchors(target).length > 0]).toEqual([page, true]);
      if (anchor !== undefined) expect(anchors(target), `${page}: ${target}#${anchor}`).toContain(anchor);
    }
});

test('clients are named as working that a test runs', () => {
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

test('every control route of a service is explained', async () => {
  const page = textOf('docs/control-routes.md');
  const missing: string[] = [];
  for (const manifest of SERVICES)
    for (const { path } of (await manifest.load()).control ?? [])
      if (!page.includes(path) && !new RegExp(path.replaceAll(/\{\w+\}/g, '[\\w-]+')).test(page)) missing.push(path);
  expect(missing).toEqual([]);
});
