import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Composer, hasWords, type LiteralSet, patternOf } from './composition.ts';
import { HOLE } from './literals.ts';
import type { Marked } from './marks.ts';

/** A recorded message of AWS. */
export interface Recorded {
  readonly code: string;
  readonly message: string;
  readonly source: string;
}

/** A text of AWS's documentation. */
export interface Page {
  /** URL of the page, or `model <its name in botocore>`. */
  readonly source: string;
  /** Package of the service that it describes; any if missing. */
  readonly package?: string;
  readonly text: string;
}

/** Members of recorded responses with an error code, and those with its message. */
const CODES = ['Code', 'code', 'ErrorCode', 'errorCode', '__type', 'FailureCode', 'StatusCode'];
const MESSAGES = ['Message', 'message', 'ErrorMessage', 'errorMessage'];

/** Reads every error in recorded responses below a directory of `*.snapshot.json` files. */
export function readRecordings(directory: string): Recorded[] {
  return filesBelow(directory, '.json').flatMap((file) => {
    const found: Recorded[] = [];
    const source = relative(directory, file);
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const members = value as Record<string, unknown>;
      const code = CODES.map((name) => members[name]).find((member) => typeof member === 'string');
      for (const name of code === undefined ? [] : MESSAGES) {
        const message = members[name];
        if (typeof message === 'string') found.push({ code: code as string, message, source });
      }
      for (const member of Object.values(members)) visit(member);
    };
    visit(JSON.parse(readFileSync(file, 'utf8')));
    return found;
  });
}

/** Reads saved pages of documentation: text files with the page's URL in the first line. */
export function readPages(directory: string): Page[] {
  return filesBelow(directory, '.txt').map((file) => {
    const [source = '', ...lines] = readFileSync(file, 'utf8').split('\n');
    return { source: source.trim(), text: plain(lines.join('\n')) };
  });
}

/**
 * Reads the documentation in botocore's models of a package's services.
 * @param data botocore's `data` directory
 */
export function readModels(root: string, folder: string, data: string): Page[] {
  const file = join(root, folder, 'package.json');
  const { emu } = JSON.parse(readFileSync(file, 'utf8')) as { emu?: { models?: readonly { botocore: string }[] } };
  return (emu?.models ?? []).flatMap(({ botocore }) => {
    const model = join(data, botocore, 'service-2.json.gz');
    if (!existsSync(model)) return [];
    const texts: string[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, member] of Object.entries(value))
        if (name === 'documentation' && typeof member === 'string') texts.push(plain(member));
        else visit(member);
    };
    visit(JSON.parse(gunzipSync(readFileSync(model)).toString()));
    return [{ source: `model ${botocore}`, package: folder, text: texts.join('\n') }];
  });
}

function filesBelow(directory: string, end: string): string[] {
  return readdirSync(directory, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(end))
    .sort()
    .map((name) => join(directory, name));
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  '#39': "'",
};

/** Returns text without markup, with single spaces and each block on separate lines. */
const plain = (html: string): string =>
  html
    .replace(/<\/?(?:p|li|ul|ol|d[dtl]|t[dhr]|h\d|br|div)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&([a-z]+|#\d+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[^\S\n]+/g, ' ');

/** Returns a code without namespaces and optional endings of protocols. */
const bare = (code: string): string => code.replace(/^.*[.#:]/, '').replace(/(?:Exception|Error|Fault)$/, '');

/** Share of own words that a sentence needs before a page can confirm it. */
const MIN_LETTERS = 16;
const MIN_WORDS = 3;
/**
 * A recording confirms a sentence with this many words of its own, or with this share of the message, or with nothing
 * but names in its holes, because a sentence of holes matches everything.
 */
const ENOUGH_WORDS = 5;
const ENOUGH_SHARE = 0.35;
const ENOUGH_LETTERS = 10;

const wordsOf = (message: string): string => message.replaceAll(HOLE, ' ').trim();

/** A package whose sentences are searched. */
export interface Package {
  readonly folder: string;
  readonly own: LiteralSet;
  readonly composer: Composer;
  /** Error names in its models by their protocol codes. */
  readonly names: ReadonlyMap<string, string>;
  readonly listed: readonly Marked[];
}

/** Searches the sentences of packages in recordings and documentation. */
export class Matcher {
  constructor(
    private readonly recordings: readonly Recorded[],
    private readonly pages: readonly Page[],
  ) {}

  /** Returns the unlisted sentences of a package that a recording or a page confirms. */
  find(searched: Package): Marked[] {
    const found = new Map<string, Marked>();
    const add = (marked: Marked): void => {
      const key = JSON.stringify([marked.code, marked.message]);
      if (!found.has(key)) found.set(key, marked);
    };
    for (const marked of this.recorded(searched)) add(marked);
    for (const marked of this.documented(searched, [...searched.listed, ...found.values()])) add(marked);
    return [...found.values()];
  }

  private *recorded({ folder, composer, names, listed }: Package): Generator<Marked> {
    const spellings = new Map<string, string[]>();
    for (const text of composer.texts())
      if (/^[A-Za-z][\w.]*$/.test(text)) spellings.set(bare(text), [...(spellings.get(bare(text)) ?? []), text]);
    for (const { code, message, source } of this.recordings) {
      if (!isOfService(folder, source) || isListed(code, message, listed)) continue;
      const made = composer.compose(message);
      if (!made?.isOwn || !hasWords(made.message) || !shows(made.message, message)) continue;
      const name = names.get(code);
      const codes = [...(spellings.get(bare(code)) ?? []), ...(name && composer.has(name) ? [name] : [])];
      const given = codes.find((each) => made.codes.has(each)) ?? (made.codes.has(undefined) ? codes[0] : undefined);
      if (given !== undefined) yield { code: given, message: made.message, mark: { kind: 'recorded', source } };
    }
  }

  private *documented({ folder, own }: Package, known: readonly Marked[]): Generator<Marked> {
    // Messages of packages without a service may occur in any recording.
    const shared = !folder.startsWith('packages/svc-');
    const pages = this.pages.filter((page) => shared || (page.package ?? folder) === folder);
    for (const { text: message, codes } of own.literals) {
      const given = [...codes].filter((code) => code !== undefined);
      if (!given.length || !isTelling(message) || known.some((marked) => marked.message.includes(message))) continue;
      const page = pages.find(({ text }) => documents(text, message));
      if (page) for (const code of given) yield { code, message, mark: { kind: 'documented', source: page.source } };
    }
  }
}

/** Whether the sentence of a recorded error is listed. */
const isListed = (code: string, message: string, listed: readonly Marked[]): boolean =>
  listed.some(
    (marked) =>
      bare(marked.code) === bare(code) && new RegExp(`^${patternOf(marked.message, '[\\s\\S]*')}$`).test(message),
  );

/** Whether a recorded message confirms a matching sentence. */
function shows(sentence: string, recorded: string): boolean {
  const words = wordsOf(sentence);
  return (
    words.split(/\s+/).length >= ENOUGH_WORDS ||
    words.length >= recorded.length * ENOUGH_SHARE ||
    (words.replace(/[^A-Za-z]/g, '').length >= ENOUGH_LETTERS &&
      new RegExp(`^${patternOf(sentence, '\\S*')}$`).test(recorded))
  );
}

/** Whether the text of a page contains a complete sentence, and not only the start of a longer one. */
function documents(text: string, message: string): boolean {
  const sentence = plain(message).replace(/\.$/, '');
  const end = sentence.endsWith(HOLE) ? '' : '(?=\\s*(?:[.;:"\'\\n|]|$))';
  return new RegExp(`(?:^|[^A-Za-z])${patternOf(sentence, '.{0,80}?')}${end}`, 'm').test(text);
}

/**
 * Whether a recording belongs to the service of a package, by the names in its path; any recording for shared packages.
 */
function isOfService(folder: string, source: string): boolean {
  const service = /^packages\/svc-(.+)$/.exec(folder)?.[1];
  if (!service) return true;
  const names = source.replace(/\.snapshot\.json$/, '').split('/');
  return names.some((name) => name.replace(/_$/, '') === service || name === `${service}streams`);
}

/** Whether a sentence has enough words of its own to be distinctive. */
function isTelling(message: string): boolean {
  const words = wordsOf(message);
  return words.replace(/[^A-Za-z]/g, '').length >= MIN_LETTERS && words.split(/\s+/).length >= MIN_WORDS;
}
