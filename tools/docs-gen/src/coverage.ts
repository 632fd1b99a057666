import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { AnyServicePlugin } from '@emu/core';
import { SERVICES } from '@emu/emulator';
import { countsOf, packageFolders, readMarks } from '../../error-sentences/src/marks.ts';

/** A test file and its text. */
interface TestFile {
  path: string;
  text: string;
}

function testFiles(folder: string, root: string): TestFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name !== 'node_modules' && name !== '.test-results')
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) return testFiles(path, root);
      return /\.(test\.ts|py)$/.test(name) ? [{ path: relative(root, path), text: readFileSync(path, 'utf8') }] : [];
    });
}

/** `SendMessageBatch` → `send-message-batch`, as the AWS CLI spells it. */
function cliName(operation: string): string {
  return operation
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

/** Test files that send an operation: through an SDK command, the query protocol, the AWS CLI or boto3. */
function testsOf(operation: string, files: readonly TestFile[]): string[] {
  const cli = cliName(operation);
  const mention = new RegExp(
    `\\b${operation}Command\\b|['"\`]${operation}['"\`]|Action=${operation}\\b|['" ]${cli}['" ,]|\\.${cli.replaceAll('-', '_')}\\(`,
  );
  return files.filter(({ text }) => mention.test(text)).map(({ path }) => path);
}

function section(plugin: AnyServicePlugin, folder: string, root: string, shared: readonly TestFile[]): string {
  const together = join(root, 'integration/test', basename(folder).replace('svc-', ''));
  const files = [...testFiles(join(folder, 'test'), root), ...testFiles(together, root), ...shared];
  const names = Object.keys(plugin.model.operations);
  const implemented = names.filter((name) => Object.hasOwn(plugin.operations, name));
  const persisted = plugin.stateOf !== undefined || plugin.collections.some((collection) => !collection.transient);
  const rows = names.map((name) => {
    if (!implemented.includes(name)) return `| ${name} | 501 | |`;
    const tests = testsOf(name, files).map((path) => `[${path.split('/').at(-1)}](../${path})`);
    return `| ${name} | yes | ${tests.join(', ') || 'no'} |`;
  });
  return [
    `## ${plugin.name}`,
    '',
    `${plugin.model.metadata.serviceId} ${plugin.model.metadata.apiVersion}: ${implemented.length} of ${names.length} operations. State is ${persisted ? '' : 'not '}persisted.`,
    '',
    '| Operation | Implemented | Tested by |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Where a service's package lies: the one whose model folder has a model of that name. */
function packageOf(service: string, root: string): string {
  const packages = join(root, 'packages');
  const found = readdirSync(packages).find((name) => existsSync(join(packages, name, 'model', `${service}.json`)));
  if (!found) throw new Error(`no package has the model of ${service}`);
  return join(packages, found);
}

/** Returns a table of how many sentences of errors are shown to be AWS's, by package. */
function sentences(root: string): string {
  const marks = packageFolders(root).map((folder) => [basename(folder), readMarks(root, folder)] as const);
  const rows = [...marks.filter(([, own]) => own.length), ['all', marks.flatMap(([, own]) => own)] as const];
  const lines = rows.map(([name, own]) => {
    const { recorded, documented } = countsOf(own);
    return `| ${name} | ${recorded} | ${documented} |`;
  });
  return `## Sentences of errors

Messages of errors that AWS was recorded with, or that its documentation has. They are listed in each package's
\`error-sentences.json\`; every other message is emu's own.

| Package | Recorded | Documented |
|---|---:|---:|
${lines.join('\n')}
`;
}

/** The coverage page: operation by operation what is implemented and which test sends it. */
export async function coveragePage(root: string): Promise<string> {
  const shared = testFiles(join(root, 'e2e'), root);
  const sections: string[] = [];
  const totals: string[] = [];
  for (const manifest of [...SERVICES].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const plugin = await manifest.load();
    sections.push(section(plugin, packageOf(plugin.name, root), root, shared));
    const all = Object.keys(plugin.model.operations);
    const done = all.filter((name) => Object.hasOwn(plugin.operations, name));
    totals.push(`| [${plugin.name}](#${plugin.name}) | ${done.length} | ${all.length} |`);
  }
  return `# Coverage

Generated from the code by \`pnpm generate\`. An operation that is not implemented answers \`501 NotImplemented\`; so does
every service that is not listed.

| Service | Implemented | Operations |
|---|---|---|
${totals.join('\n')}

${sentences(root)}
${sections.join('\n')}`;
}
