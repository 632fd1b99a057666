import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Sentence } from './collect.ts';
import type { Mark } from './marks.ts';
import { HOLE } from './values.ts';

/** A message that AWS answered. */
export interface Recorded {
  readonly code: string;
  readonly message: string;
  readonly source: string;
}

/** A text of AWS's documentation. */
export interface Page {
  /** The page's address, or `model <its name in botocore>`. */
  readonly source: string;
  /** The package of the service that it is about; any where it is missing. */
  readonly package?: string;
  readonly text: string;
}

/** Members of recorded answers that carry a code, and those that carry its message. */
const CODES = ['Code', 'code', 'ErrorCode', 'errorCode', '__type', 'FailureCode', 'StatusCode'];
const MESSAGES = ['Message', 'message', 'ErrorMessage', 'errorMessage'];

/** Every error in recorded answers, below a directory of `*.snapshot.json` files. */
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

/** Saved pages of documentation: text files whose first line is the page's address. */
export function readPages(directory: string): Page[] {
  return filesBelow(directory, '.txt').map((file) => {
    const [source = '', ...lines] = readFileSync(file, 'utf8').split('\n');
    return { source: source.trim(), text: plain(lines.join('\n')) };
  });
}

/** The documentation in botocore's models of the services of a package. @param data botocore's `data` directory */
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

/** Text without markup, with single spaces; what stands apart is on lines of its own. */
const plain = (html: string): string =>
  html
    .replace(/<\/?(?:p|li|ul|ol|d[dtl]|t[dhr]|h\d|br|div)\b[^>]*>/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&([a-z]+|#\d+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[^\S\n]+/g, ' ');

/** A code without namespaces and the endings that protocols add or leave out. */
const bare = (code: string): string => code.replace(/^.*[.#:]/, '').replace(/(?:Exception|Error|Fault)$/, '');

/** How much of a sentence must be its own words before a page that has them says anything. */
const MIN_LETTERS = 16;
const MIN_WORDS = 3;
/**
 * A recording shows a sentence where the sentence has this many words of its own, or is this share of the message, or
 * leaves no more than names to its holes: what is nearly all holes fits everything.
 */
const ENOUGH_WORDS = 5;
const ENOUGH_SHARE = 0.35;
const ENOUGH_LETTERS = 10;

const wordsOf = (message: string): string => message.replaceAll(HOLE, ' ').trim();

function expressionOf(message: string, hole: string): string {
  return message
    .split(HOLE)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join(hole);
}

/** Tells what is known of sentences from recordings and documentation. */
export class Matcher {
  private readonly byCode = new Map<string, Recorded[]>();

  constructor(
    private readonly recordings: readonly Recorded[],
    private readonly pages: readonly Page[],
  ) {
    for (const recorded of recordings) {
      const code = bare(recorded.code);
      const known = this.byCode.get(code);
      if (known) known.push(recorded);
      else this.byCode.set(code, [recorded]);
    }
  }

  /** @param codes the sentence's code and what protocols call it */
  markOf({ package: folder, code, message }: Sentence, codes: readonly string[]): Mark {
    const recording = code === HOLE ? this.within(message) : this.recorded(folder, message, codes);
    if (recording) return { kind: 'recorded', source: recording.source };
    const page = this.documented(folder, message);
    return page ? { kind: 'documented', source: page.source } : { kind: 'own' };
  }

  /** The recording of an error of the same code whose message the sentence is. */
  private recorded(folder: string, message: string, codes: readonly string[]): Recorded | undefined {
    const pattern = new RegExp(`^${expressionOf(message, '[\\s\\S]*')}$`);
    const names = new RegExp(`^${expressionOf(message, '\\S*')}$`);
    const words = wordsOf(message);
    const shows = (recorded: string): boolean =>
      words.split(/\s+/).length >= ENOUGH_WORDS ||
      words.length >= recorded.length * ENOUGH_SHARE ||
      (words.replace(/[^A-Za-z]/g, '').length >= ENOUGH_LETTERS && names.test(recorded));
    return codes
      .flatMap((code) => this.byCode.get(bare(code)) ?? [])
      .find(
        (recorded) => isOfService(folder, recorded.source) && pattern.test(recorded.message) && shows(recorded.message),
      );
  }

  /** The recording of any error with the sentence in its message. */
  private within(message: string): Recorded | undefined {
    if (!isTelling(message)) return undefined;
    const pattern = new RegExp(expressionOf(message, '[^\\n]{0,200}?'));
    return this.recordings.find((recorded) => pattern.test(recorded.message));
  }

  /** The page with the sentence in it. */
  private documented(folder: string, message: string): Page | undefined {
    if (!isTelling(message)) return undefined;
    const sentence = plain(message).replace(/\.$/, '');
    // The whole of it, not the beginning of what says more.
    const end = sentence.endsWith(HOLE) ? '' : '(?=\\s*(?:[.;:"\'\\n|]|$))';
    const pattern = new RegExp(`(?:^|[^A-Za-z])${expressionOf(sentence, '.{0,80}?')}${end}`, 'm');
    // What packages of no service say may be the words of any.
    const shared = !folder.startsWith('packages/svc-');
    return this.pages.find((page) => (shared || (page.package ?? folder) === folder) && pattern.test(page.text));
  }
}

/** Whether a recording is of the service of a package, by the names in its path; of any for what all services share. */
function isOfService(folder: string, source: string): boolean {
  const service = /^packages\/svc-(.+)$/.exec(folder)?.[1];
  if (!service) return true;
  const names = source.replace(/\.snapshot\.json$/, '').split('/');
  return names.some((name) => name.replace(/_$/, '') === service || name === `${service}streams`);
}

/** Whether a sentence has enough words of its own to be told from any other. */
function isTelling(message: string): boolean {
  const words = wordsOf(message);
  return words.replace(/[^A-Za-z]/g, '').length >= MIN_LETTERS && words.split(/\s+/).length >= MIN_WORDS;
}
