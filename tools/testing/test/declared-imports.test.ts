import { expect, it } from 'vitest';
import { wrongDependencies } from '../../declared-imports.mjs';

/** Returns what is wrong with the imports of a source and a test in a package, unused dependencies aside. */
const wrong = (folder: string, source: string, test = ''): string[] =>
  wrongDependencies(folder, new Map([['source', source]]), new Map([['test', test]]))
    .map(({ file, rule }) => `${file}: ${rule}`)
    .filter((line) => !line.endsWith('is unused'));

it('sources of a published package import its dependencies and peers at run time', () => {
  const declared =
    "import { z } from '@emu/core/service';\nimport('@duckdb/node-api');\nimport { x } from 'node:fs';\n";
  expect(wrong('packages/svc-s3', declared)).toEqual([]);
  const rule = 'is not among the dependencies of package.json';
  expect(wrong('packages/svc-s3', "import { S3 } from '@aws-sdk/client-s3';")).toEqual([
    `source: @aws-sdk/client-s3 ${rule}`,
  ]);
  expect(wrong('packages/svc-s3', "export { a } from 'left-pad/a';")).toEqual([`source: left-pad ${rule}`]);
  expect(wrong('packages/svc-s3', "const late = await import(\n  'left-pad'\n);")).toEqual([
    `source: left-pad ${rule}`,
  ]);
});

it('types and tests may use devDependencies and tools of the root', () => {
  const types = "import type { S3 } from '@aws-sdk/client-s3';\ntype Late = typeof import('@aws-sdk/client-s3');\n";
  const test = "import { S3 } from '@aws-sdk/client-s3';\nimport { it } from 'vitest';\n";
  expect(wrong('packages/svc-s3', types, test)).toEqual([]);
  expect(wrong('packages/svc-s3', '', "import pad from 'left-pad';")).toEqual([
    'test: left-pad is not among the declarations of package.json',
  ]);
});

it('imports in template literals do not count', () => {
  expect(wrong('packages/svc-s3', "export const example = `\nimport pad from 'left-pad';\n`;")).toEqual([]);
});

it('published packages declare nothing unused', () => {
  const rules = wrongDependencies('packages/svc-s3', new Map([['source', "from '@emu/core'"]]), new Map());
  expect(rules).toContainEqual({ file: expect.stringMatching(/svc-s3.package\.json$/), rule: '@emu/wire is unused' });
  expect(rules.map(({ rule }) => rule)).not.toContain('@emu/core is unused');
  expect(wrongDependencies('integration', new Map(), new Map())).toEqual([]);
});
