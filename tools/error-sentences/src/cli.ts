import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Composer, LiteralSet } from './composition.ts';
import { literalsOf } from './literals.ts';
import { countsOf, type Marked, packageFolders, readMarks, writeMarks } from './marks.ts';
import { Matcher, readModels, readPages, readRecordings } from './match.ts';

// pnpm sentences                     removes listed sentences that the sources no longer have
// pnpm sentences --check             fails where there are such; part of `pnpm lint`
// pnpm sentences --match <recordings> [--pages <directory>]
//   also adds the sentences that recorded answers of AWS (`*.snapshot.json`), botocore's models and saved pages of its
//   documentation (`*.txt`, the address in the first line) show

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Parses the command line, or ends the process with a message. */
function flagsOf(args: string[]): { check?: boolean; match?: string; pages?: string } {
  const options = { check: { type: 'boolean' }, match: { type: 'string' }, pages: { type: 'string' } } as const;
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    console.error(
      `${(error as Error).message}\nusage: pnpm sentences [--check | --match <recordings> --pages <directory>]`,
    );
    process.exit(2);
  }
}

const { check, match: recordings, pages } = flagsOf(process.argv.slice(2));

/** Returns the error names in a package's models by their protocol codes. */
function namesByCode(folder: string): Map<string, string> {
  const models = join(root, folder, 'model');
  const files = existsSync(models) ? readdirSync(models) : [];
  return new Map(
    files.flatMap((file) => {
      const { shapes = {} } = JSON.parse(readFileSync(join(models, file), 'utf8')) as {
        shapes?: Record<string, { error?: { code?: string } }>;
      };
      return Object.entries(shapes).flatMap(([name, { error }]) => (error?.code ? [[error.code, name] as const] : []));
    }),
  );
}

/** Returns the finder of new sentences; undefined without sources to compare with. */
function matcher(folders: readonly string[]): Matcher | undefined {
  if (!recordings && !pages) return undefined;
  const path = execFileSync('python3', ['-c', 'import botocore; print(botocore.__path__[0])'], { encoding: 'utf8' });
  const models = folders.flatMap((folder) => readModels(root, folder, join(path.trim(), 'data')));
  return new Matcher(recordings ? readRecordings(recordings) : [], [...models, ...(pages ? readPages(pages) : [])]);
}

/** Whether the sources of a package contain a sentence with its code. */
function isThere(composer: Composer, { code, message }: Marked): boolean {
  const made = composer.compose(message);
  if (!made) return false;
  if (code === '*') return true;
  // A helper may prefix a namespace to the code, as in `KMS.NotFoundException`.
  const spelled = [code, code.replace(/^.*\./, '')].find((each) => composer.has(each));
  return spelled !== undefined && (made.codes.has(spelled) || made.codes.has(undefined));
}

const folders = packageFolders(root);
const match = check ? undefined : matcher(folders);
const isShared = (folder: string): boolean => !folder.startsWith('packages/svc-');
const sets = new Map(folders.map((folder) => [folder, new LiteralSet(literalsOf(root, folder))]));
const gone: string[] = [];
const all: Marked[] = [];
for (const folder of folders) {
  const before = readMarks(root, folder);
  const own = sets.get(folder)!;
  const shared = folders.filter((other) => isShared(other) && other !== folder).map((other) => sets.get(other)!);
  const composer = new Composer([own, ...shared]);
  const kept = before.filter((marked) => isThere(composer, marked));
  for (const marked of before) if (!kept.includes(marked)) gone.push(`${folder}: ${marked.code}: ${marked.message}`);
  const found = match?.find({ folder, own, composer, names: namesByCode(folder), listed: kept }) ?? [];
  if (!check) writeMarks(root, folder, [...kept, ...found]);
  all.push(...kept, ...found);
}
const { recorded, documented } = countsOf(all);
console.log(`error sentences: ${recorded} recorded, ${documented} documented`);
for (const sentence of gone) console.error(`no longer in the sources: ${sentence}`);
if (check && gone.length) {
  console.error('error sentences: run pnpm sentences');
  process.exitCode = 1;
}
