import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { publishDeclarations } from '../../declarations.mjs';

const PRIVATE = new Set(['@emu/service-types']);

/** A folder with these declarations. */
function declarations(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'emu-declarations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const filesOf = (folder: string): string[] => (readdirSync(folder, { recursive: true }) as string[]).sort();

test('declarations that no entry point reaches are removed, whatever they import', () => {
  const folder = declarations({
    'index.d.ts': "export { plugin } from './plugin.ts';\n",
    'plugin.d.ts':
      "import type { AnyServicePlugin } from '@emu/core';\nexport declare const plugin: AnyServicePlugin;\n",
    'operations/queues.d.ts': "import type { SqsOperations } from '@emu/service-types/sqs';\n",
    'index.js': '',
  });
  publishDeclarations(folder, ['index.d.ts'], PRIVATE);
  expect(filesOf(folder)).toEqual(['index.d.ts', 'index.js', 'plugin.d.ts']);
  expect(readFileSync(join(folder, 'index.d.ts'), 'utf8')).toBe("export { plugin } from './plugin.js';\n");
});

test.each([
  "import type { SqsOperations } from '@emu/service-types/sqs';",
  "export type Operations = import('@emu/service-types/sqs').SqsOperations;",
  "import '@emu/service-types';",
])('a declaration that stays imports no private package: %s', (line) => {
  const folder = declarations({ 'index.d.ts': "export * from './a/b.ts';\n", 'a/b.d.ts': `${line}\n` });
  expect(() => publishDeclarations(folder, ['index.d.ts'], PRIVATE)).toThrow(
    'a/b.d.ts imports @emu/service-types, which is never published',
  );
});

test('a declaration that stays imports none that is missing', () => {
  const folder = declarations({ 'index.d.ts': "export * from './gone.js';\n" });
  expect(() => publishDeclarations(folder, ['index.d.ts'], PRIVATE)).toThrow(
    'index.d.ts imports gone.d.ts, which is not among the declarations',
  );
});

test('imports that run in a circle end', () => {
  const folder = declarations({
    'index.d.ts': "import type { B } from './b.ts';\nexport interface A { b: B }\n",
    'b.d.ts': "import type { A } from './index.ts';\nexport interface B { a: A }\n",
  });
  publishDeclarations(folder, ['index.d.ts'], PRIVATE);
  expect(filesOf(folder)).toEqual(['b.d.ts', 'index.d.ts']);
});
