import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Directory beside the checkout: test vectors, recorded responses of AWS and the specification. */
const SHARED = fileURLToPath(new URL('../../../shared', import.meta.url));

/** Returns the path of a file or directory in `../shared`. If missing, prints a message and returns undefined. */
export function sharedPath(name: string): string | undefined {
  const path = join(SHARED, name);
  if (existsSync(path)) return path;
  console.warn(`skipped: the tests that read ${path}, which does not exist`);
  return undefined;
}

/** Recorded content by test: `test_name[parameter]`, also qualified with its classes and file. */
export type Recordings<Content> = ReadonlyMap<string, Content>;

/**
 * Reads recorded responses of AWS; none if `../shared/aws-recordings` is missing.
 * @param names files or directories in `aws-recordings`; the first of several tests with the same name counts
 * @param edit changes the text of a file before parsing
 */
export function recordedTests<Content = Readonly<Record<string, unknown>>>(
  names: readonly string[],
  edit = (text: string): string => text,
): Recordings<Content> {
  const found = new Map<string, Content>();
  const root = sharedPath('aws-recordings');
  for (const file of root === undefined ? [] : names.flatMap((name) => jsonFiles(join(root, name)))) {
    const tests = JSON.parse(edit(readFileSync(file, 'utf8'))) as Record<string, { 'recorded-content': Content }>;
    for (const [test, { 'recorded-content': content }] of Object.entries(tests))
      for (let name = test; ; name = name.slice(name.indexOf('::') + 2)) {
        if (!found.has(name)) found.set(name, content);
        if (!name.includes('::')) break;
      }
  }
  return found;
}

function jsonFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.json')).map((name) => join(path, name));
}
