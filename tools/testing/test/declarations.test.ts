import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { publishDeclarations } from '../../declarations.mjs';

const INSTALLED = new Set(['@emu/core']);

/** Publishes these declarations of `index.d.ts`. Returns the output directory. */
function publish(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'emu-declarations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'from', name)), { recursive: true });
    writeFileSync(join(folder, 'from', name), text);
  }
  publishDeclarations(join(folder, 'from'), join(folder, 'to'), ['index.d.ts'], INSTALLED);
  return join(folder, 'to');
}

const filesOf = (folder: string): string[] => (readdirSync(folder, { recursive: true }) as string[]).sort();

test('omits declarations that no entry point reaches, with any imports', () => {
  const folder = publish({
    'index.d.ts': "export { plugin } from './plugin.ts';\n",
    'plugin.d.ts':
      "import type { AnyServicePlugin } from '@emu/core/service';\nexport declare const plugin: AnyServicePlugin;\n",
    'operations/queues.d.ts': "import type { SqsOperations } from '@emu/service-types/sqs';\n",
  });
  expect(filesOf(folder)).toEqual(['index.d.ts', 'plugin.d.ts']);
  expect(readFileSync(join(folder, 'index.d.ts'), 'utf8')).toBe("export { plugin } from './plugin.js';\n");
});

test.each([
  "import type { SqsOperations } from '@emu/service-types/sqs';",
  "export type Operations = import('@emu/service-types/sqs').SqsOperations;",
  "import '@emu/service-types';",
])('rejects an import of a package that is not installed in a reachable declaration: %s', (line) => {
  expect(() => publish({ 'index.d.ts': "export * from './a/b.ts';\n", 'a/b.d.ts': `${line}\n` })).toThrow(
    'a/b.d.ts imports @emu/service-types, which is not installed with the package',
  );
});

test('rejects an import of a missing file in a reachable declaration', () => {
  expect(() => publish({ 'index.d.ts': "export * from './gone.js';\n" })).toThrow(
    'index.d.ts imports gone.d.ts, which is not among the declarations',
  );
});

test('accepts circular imports', () => {
  const folder = publish({
    'index.d.ts': "import type { B } from './b.ts';\nexport interface A { b: B }\n",
    'b.d.ts': "import type { A } from './index.ts';\nexport interface B { a: A }\n",
  });
  expect(filesOf(folder)).toEqual(['b.d.ts', 'index.d.ts']);
});
