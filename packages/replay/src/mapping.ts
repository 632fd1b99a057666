import { isTime, type TokenPair, tokensOf } from './tokens.ts';

/** Most tokens of a value that is found inside of other texts. Longer ones are replaced where they are the whole text. */
const MAX_TOKENS = 64;
/** Fewest characters of a value that is found inside of other texts. */
const MIN_LENGTH = 4;
/** Largest blob, in bytes, whose text is searched. */
const MAX_TEXT_BLOB = 1024 * 1024;

/** Values by the sequence of their tokens. */
interface Branch {
  next?: Map<string, Branch>;
  /** Replacement of the value that ends here. */
  value?: string;
}

/**
 * Values of the recording that have another value in this run: ids, ARNs, URLs, tokens. Texts are replaced in linear time,
 * because a value has a limited number of tokens.
 */
export class Mapping {
  private readonly whole = new Map<string, string>();
  /** Recorded values by those of this run. */
  private readonly recordedBy = new Map<string, string>();
  private readonly root: Branch = { next: new Map() };

  /** Adds a value, or replaces its earlier one. */
  learn(recorded: string, actual: string): void {
    if (recorded === actual && !this.whole.has(recorded)) return;
    this.whole.set(recorded, actual);
    this.recordedBy.set(actual, recorded);
    if (recorded.length < MIN_LENGTH) return;
    const tokens = tokensOf(recorded.length > MAX_TEXT_BLOB ? '' : recorded);
    if (tokens.length === 0 || tokens.length > MAX_TOKENS) return;
    let branch = this.root;
    for (const token of tokens) {
      branch.next ??= new Map();
      let below = branch.next.get(token);
      if (!below) {
        below = {};
        branch.next.set(token, below);
      }
      branch = below;
    }
    branch.value = actual;
  }

  /** Adds a blob, which later requests may send as bytes or in base64. */
  learnBytes(recorded: Uint8Array, actual: Uint8Array): void {
    if (recorded.length > 0 && recorded.length <= MAX_TEXT_BLOB) this.whole.set(base64(recorded), base64(actual));
  }

  /** Adds generated parts of two texts. Times are left out. */
  learnPairs(pairs: readonly TokenPair[]): void {
    for (const { recorded, actual } of pairs) if (!isTime(recorded)) this.learn(recorded, actual);
  }

  /** Whether a text is the value in this run of a recorded one. */
  isActual(text: string): boolean {
    return this.recordedBy.has(text);
  }

  /** Whether a recorded value has another value in this run, and the actual one belongs to another recorded value. */
  contradicts(recorded: string, actual: string): boolean {
    const known = this.whole.get(recorded);
    return known !== undefined && known !== actual && (this.recordedBy.get(actual) ?? recorded) !== recorded;
  }

  /** Returns a recorded text with the values of this run. The longest value at each position is replaced. */
  replace(text: string): string {
    if (this.whole.size === 0) return text;
    const known = this.whole.get(text);
    if (known !== undefined) return known;
    const tokens = tokensOf(text);
    let out: string[] | undefined;
    for (let index = 0; index < tokens.length; ) {
      const found = this.longest(tokens, index);
      if (found) {
        out ??= tokens.slice(0, index);
        out.push(found.value);
        index += found.length;
      } else {
        out?.push(tokens[index]!);
        index++;
      }
    }
    return out ? out.join('') : text;
  }

  /** Returns a decoded value with replaced texts, also in keys of maps and in blobs that are text. */
  replaceIn(value: unknown): unknown {
    if (typeof value === 'string') return this.replace(value);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (value instanceof Uint8Array) return this.replaceBytes(value);
    if (Array.isArray(value)) return value.map((item) => this.replaceIn(item));
    // Unlike assignment, this makes `__proto__` an own property.
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.replace(key), this.replaceIn(item)]));
  }

  private replaceBytes(bytes: Uint8Array): Uint8Array {
    if (this.whole.size === 0 || bytes.length > MAX_TEXT_BLOB) return bytes;
    const known = this.whole.get(base64(bytes));
    if (known !== undefined) return new Uint8Array(Buffer.from(known, 'base64'));
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    const replaced = this.replace(text);
    if (replaced === text || !Buffer.from(text).equals(bytes)) return bytes;
    return new Uint8Array(Buffer.from(replaced));
  }

  private longest(tokens: readonly string[], start: number): { value: string; length: number } | undefined {
    let branch: Branch | undefined = this.root;
    let found: { value: string; length: number } | undefined;
    for (let index = start; index < tokens.length; index++) {
      branch = branch.next?.get(tokens[index]!);
      if (!branch) break;
      if (branch.value !== undefined) found = { value: branch.value, length: index - start + 1 };
    }
    return found;
  }
}

const base64 = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('base64');
