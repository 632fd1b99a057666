import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { publishDeclarations } from '../../declarations.mjs';

const PRIVATE = new Set(['@emu/service-types']);

/** Publishes these declarations of `index.d.ts`; returns the folder that they were written to. */
function publish(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'emu-declarations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'from', name)), { recursive: true });
    writeFileSync(join(folder, 'from', name), text);
  }
  publishDeclarations(join(folder, 'from'), join(folder, 'to'), ['index.d.ts'], PRIVATE);
  return join(folder, 'to');
}

const filesOf = (folder: string): string[] => (readdirSync(folder, { recursive: true }) as string[]).sort();

test('declarations that no entry point reaches are left out, whatever they import', () => {
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
])('a declaration that is reached imports no private package: %s', (line) => {
  expect(() => publish({ 'index.d.ts': "export * from './a/b.ts';\n", 'a/b.d.ts': `${line}\n` })).toThrow(
    'a/b.d.ts imports @emu/service-types, which is never published',
  );
});

test('a declaration that is reached imports none that is missing', () => {
  expect(() => publish({ 'index.d.ts': "export * from './gone.js';\n" })).toThrow(
    'index.d.ts imports gone.d.ts, which is not among the declarations',
  );
});

test('imports that run in a circle end', () => {
  const folder = publish({
    'index.d.ts': "import type { B } from './b.ts';\nexport interface A { b: B }\n",
    'b.d.ts': "import type { A } from './index.ts';\nexport interface B { a: A }\n",
  });
  expect(filesOf(folder)).toEqual(['b.d.ts', 'index.d.ts']);
});
