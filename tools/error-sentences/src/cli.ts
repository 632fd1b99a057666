import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collect, type Sentence } from './collect.ts';
import {
  type Counts,
  countsOf,
  kept,
  keptCode,
  keyOf,
  type Mark,
  type Marked,
  markedPackages,
  readMarks,
  writeMarks,
} from './marks.ts';
import { Matcher, readModels, readPages, readRecordings } from './match.ts';
import { RELAYED } from './relayed.ts';

// pnpm sentences                     adds sentences that are new and removes those that are gone
// pnpm sentences --check             only compares; part of `pnpm lint`
// pnpm sentences --match <recordings> [--pages <directory>]
//   marks what is our own by recorded answers of AWS (`*.snapshot.json`), by botocore's models and by saved pages of its
//   documentation (`*.txt`, the address in the first line)

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};

/** The codes that the protocols of a package's services have for the name of an error. */
function codesOf(folder: string): (code: string) => string[] {
  const models = join(root, folder, 'model');
  const names = existsSync(models) ? readdirSync(models).filter((name) => name !== 'overlay.json') : [];
  const shapes = names.map(
    (name) =>
      (
        JSON.parse(readFileSync(join(models, name), 'utf8')) as {
          shapes?: Record<string, { error?: { code?: string } }>;
        }
      ).shapes ?? {},
  );
  return (code) => [code, ...shapes.flatMap((shape) => shape[code]?.error?.code ?? [])];
}

/** Marks for sentences that have none: none of them is known to be AWS's unless something is given to compare with. */
function matcher(folders: readonly string[]): (sentence: Sentence) => Mark {
  const recordings = option('--match');
  const pages = option('--pages');
  if (!recordings && !pages) return () => ({ kind: 'own' });
  const data = join(
    execFileSync('python3', ['-c', 'import botocore; print(botocore.__path__[0])'], { encoding: 'utf8' }).trim(),
    'data',
  );
  const match = new Matcher(recordings ? readRecordings(recordings) : [], [
    ...folders.flatMap((folder) => readModels(root, folder, data)),
    ...(pages ? readPages(pages) : []),
  ]);
  const codes = new Map(folders.map((folder) => [folder, codesOf(folder)]));
  return (sentence) => match.markOf(sentence, codes.get(sentence.package)!(sentence.code));
}

const number = (count: number): string => count.toLocaleString('en-US');
const line = (name: string, { recorded, documented, own }: Counts): string =>
  `${name}: ${number(recorded + documented + own)}: ${number(recorded)} recorded, ${number(documented)} documented, ${number(own)} our own`;

const { sentences, unresolved } = collect(join(root, 'tools/error-sentences/sources.json'), root);
const problems: string[] = [];
const seen = new Set<string>();
for (const { file, place, expression, origin } of unresolved) {
  if (RELAYED[file]?.[expression] === undefined)
    problems.push(`${place}: the sentence of an error cannot be read: ${expression} (${origin})`);
  seen.add(`${file} ${expression}`);
}
for (const [file, expressions] of Object.entries(RELAYED))
  for (const expression of Object.keys(expressions))
    if (!seen.has(`${file} ${expression}`)) problems.push(`${file}: relays no ${expression} any more`);

const check = process.argv.includes('--check');
const folders = [...new Set([...sentences.map((sentence) => sentence.package), ...markedPackages(root)])].sort();
const markFor = check ? (): Mark => ({ kind: 'own' }) : matcher(folders);
const all: Marked[] = [];
for (const folder of folders) {
  const known = new Map(readMarks(root, folder).map((marked) => [keyOf(marked.code, marked.message), marked]));
  const marks = new Map<string, Marked>();
  for (const sentence of sentences.filter((candidate) => candidate.package === folder)) {
    const code = keptCode(sentence);
    const message = kept(sentence.message);
    const key = keyOf(code, message);
    const before = known.get(key);
    if (!before && check) problems.push(`${folder}: a new sentence: ${code}: ${message}`);
    marks.set(key, before && before.mark.kind !== 'own' ? before : { code, message, mark: markFor(sentence) });
  }
  for (const [key, { code, message }] of known)
    if (check && !marks.has(key)) problems.push(`${folder}: a sentence is gone: ${code}: ${message}`);
  const list = [...marks.values()];
  if (!check) writeMarks(root, folder, list);
  all.push(...list);
  console.log(line(folder.replace('packages/', ''), countsOf(list)));
}
console.log(line('Error sentences', countsOf(all)));
for (const problem of problems) console.error(problem);
if (problems.length) {
  console.error('error sentences: run pnpm sentences');
  process.exitCode = 1;
}
