import { CutBody } from '@emu/recording';
import { isObject, type MemberModel, type ServiceModel, type Shape } from '@emu/wire';
import { type Difference, type DifferenceClass, shown } from './differences.ts';
import type { SentTexts } from './inputs.ts';
import type { Mapping } from './mapping.ts';
import { isGenerated, isMasked, isMeasured } from './nature.ts';
import { isOrdered, isSorted } from './order.ts';
import { alignTokens, areGenerated, isOpaque, tokensOf } from './tokens.ts';

/** Maximum number of differences of one response. */
const MAX_DIFFERENCES = 100;
/** Maximum number of unequal elements of a list that are paired by their likeness. */
const MAX_ALIKE = 50;

/** Position in a response. */
interface Place {
  /** Without indexes: `Rules[].Filter`. */
  readonly path: string;
  /** Name of the last member. */
  readonly name: string;
}

const below = ({ path }: Place, name: string): Place => ({ path: path === '' ? name : `${path}.${name}`, name });
const element = ({ path, name }: Place): Place => ({ path: `${path}[]`, name });

/**
 * Compares the responses of one service, and learns the values that differ by nature. Recorded values that clients have sent
 * are not generated, so they must be equal.
 */
export class Comparator {
  constructor(
    private readonly model: ServiceModel,
    private readonly mapping: Mapping,
    private readonly sent: SentTexts,
  ) {}

  /** Returns the differences of two outputs. */
  outputs(operation: string, recorded: unknown, actual: unknown): Difference[] {
    const output = this.model.operations[operation]?.output;
    return this.twice(operation, (run) => {
      if (output) run.value(output, recorded, actual, TOP);
      else run.withoutShape(recorded, actual);
    });
  }

  /** Returns the differences of the members of two errors. @param shape its shape, or another code */
  errorMembers(shape: string, recorded: unknown, actual: unknown): Difference[] {
    if (!this.model.shapes[shape]?.exception) return [];
    return this.twice('', (run) => run.value({ shape }, recorded, actual, TOP));
  }

  /** Returns the difference of two messages of errors. */
  messages(recorded: string, actual: string): Difference[] {
    const run = new Comparison(this.model, this.mapping, this.sent, '');
    return run.sameText(recorded, actual)
      ? []
      : [{ class: 'other message', path: '', recorded: shown(this.mapping.replace(recorded)), actual: shown(actual) }];
  }

  /** Returns the differences of two bodies without a model: of their members, if both are JSON. */
  bodies(recorded: string, actual: string): Difference[] {
    return this.twice('', (run) => run.text(recorded, actual, { path: '', name: 'body' }));
  }

  /** Compares again if there are differences, because a later member may name an id that an earlier one contains. */
  private twice(operation: string, compare: (run: Comparison) => void): Difference[] {
    const run = (): Difference[] => {
      const comparison = new Comparison(this.model, this.mapping, this.sent, operation);
      compare(comparison);
      return comparison.found;
    };
    const first = run();
    return first.length === 0 ? first : run();
  }
}

const TOP: Place = { path: '', name: '' };

/** One comparison. */
class Comparison {
  readonly found: Difference[] = [];

  constructor(
    private readonly model: ServiceModel,
    private readonly mapping: Mapping,
    private readonly sent: SentTexts,
    private readonly operation: string,
  ) {}

  /** Compares two values of a shape. */
  value({ shape: name }: Pick<MemberModel, 'shape'>, recorded: unknown, actual: unknown, at: Place): void {
    if (recorded === null || recorded === undefined) {
      if (actual !== null && actual !== undefined) this.add('extra member', at, undefined, actual);
      return;
    }
    if (actual === null || actual === undefined) {
      this.add('missing member', at, recorded, undefined);
      return;
    }
    const shape = this.model.shapes[name]!;
    if (shape.eventstream || shape.document) this.json(recorded, actual, at);
    else if (shape.type === 'structure') this.structure(shape, recorded, actual, at);
    else if (shape.type === 'list') this.list(shape, recorded, actual, at);
    else if (shape.type === 'map') this.map(shape, recorded, actual, at);
    else this.json(recorded, actual, at);
  }

  /** Compares the outputs of an operation without an output in the model. */
  withoutShape(recorded: unknown, actual: unknown): void {
    this.structure({ type: 'structure' }, recorded, actual, TOP);
  }

  /** Whether two texts are equal, except for generated parts, which it learns. */
  sameText(recorded: string, actual: string): boolean {
    const mapped = this.mapping.replace(recorded);
    if (mapped === actual) return true;
    const pairs = alignTokens(recorded, actual) ?? alignTokens(mapped, actual);
    if (!pairs || pairs.some((pair) => this.mapping.contradicts(pair.recorded, pair.actual))) return false;
    this.mapping.learnPairs(pairs);
    return true;
  }

  /** Compares two texts: as JSON if both are JSON, as URLs if both are, otherwise by their generated parts. */
  text(recorded: string, actual: string, at: Place): void {
    if (recorded === actual || this.mapping.replace(recorded) === actual) return;
    if (this.sameText(recorded, actual) || isMeasured(at.name)) return;
    const [left, right] = [jsonOf(recorded), jsonOf(actual)];
    if (left && right) {
      this.json(left, right, at);
      return;
    }
    if (this.sameUrl(recorded, actual) || this.isGeneratedPair(recorded, actual, at)) {
      this.mapping.learn(recorded, actual);
      return;
    }
    this.add('other value', at, this.mapping.replace(recorded), actual);
  }

  private structure({ members = {} }: Shape, recorded: unknown, actual: unknown, at: Place): void {
    if (!isObject(recorded) || !isObject(actual)) {
      this.add('other type', at, recorded, actual);
      return;
    }
    for (const [name, member] of Object.entries(members))
      this.value(member, recorded[name], actual[name], below(at, name));
    // Errors in XML have members that their shapes lack.
    for (const [name, item] of Object.entries(recorded)) {
      if (Object.hasOwn(members, name)) continue;
      const other = Object.hasOwn(actual, name) ? actual[name] : undefined;
      if (other === undefined) this.add('missing member', below(at, name), item, undefined);
      else this.json(item, other, below(at, name));
    }
  }

  private map({ value }: Shape, recorded: unknown, actual: unknown, at: Place): void {
    if (!isObject(recorded) || !isObject(actual)) {
      this.add('other type', at, recorded, actual);
      return;
    }
    this.entries(recorded, actual, at, (one, other, place) => this.value(value!, one, other, place));
  }

  /** Compares the entries of two maps, or objects without a model. */
  private entries(
    recorded: Readonly<Record<string, unknown>>,
    actual: Readonly<Record<string, unknown>>,
    at: Place,
    compare: (recorded: unknown, actual: unknown, at: Place) => void,
  ): void {
    const left = new Set(Object.keys(actual));
    const unpaired: string[] = [];
    for (const [key, item] of Object.entries(recorded)) {
      const mapped = this.mapping.replace(key);
      if (!left.delete(mapped)) unpaired.push(key);
      else compare(item, actual[mapped], below(at, key));
    }
    for (const key of unpaired) {
      const alike = [...left].find((other) => alignTokens(key, other) !== undefined);
      if (alike === undefined) {
        this.add('missing member', below(at, key), recorded[key], undefined);
        continue;
      }
      left.delete(alike);
      this.sameText(key, alike);
      compare(recorded[key], actual[alike], below(at, key));
    }
    for (const key of left) this.add('extra member', below(at, key), undefined, actual[key]);
  }

  private list({ member }: Shape, recorded: unknown, actual: unknown, at: Place): void {
    if (!Array.isArray(recorded) || !Array.isArray(actual)) {
      this.add('other type', at, recorded, actual);
      return;
    }
    this.elements(recorded, actual, at, (one, other, place) => this.value(member!, one, other, place));
  }

  /**
   * Compares two lists: equal elements first, then those that are most alike. Their order counts only if AWS defines it.
   */
  private elements(
    recorded: readonly unknown[],
    actual: readonly unknown[],
    at: Place,
    compare: (recorded: unknown, actual: unknown, at: Place) => void,
  ): void {
    const place = element(at);
    const indexes = new Map<string, number[]>();
    actual.forEach((item, index) => {
      const key = this.fingerprint(item);
      const known = indexes.get(key);
      if (known) known.push(index);
      else indexes.set(key, [index]);
    });
    // Popped from the end, so that equal elements are paired in order.
    for (const found of indexes.values()) found.reverse();
    const partners = recorded.map((item) => indexes.get(this.fingerprint(this.mapping.replaceIn(item)))?.pop());
    const rest = new Set(actual.keys());
    for (const index of partners) if (index !== undefined) rest.delete(index);
    this.pairAlike(recorded, actual, partners, rest);
    let last = -1;
    let ordered = true;
    recorded.forEach((item, index) => {
      const partner = partners[index];
      if (partner === undefined) {
        this.add('missing member', place, item, undefined);
        return;
      }
      if (partner < last) ordered = false;
      last = partner;
      compare(item, actual[partner], place);
    });
    for (const index of rest) this.add('extra member', place, undefined, actual[index]);
    if (!ordered && (isOrdered(this.model.service, this.operation, at.path) || isSorted(recorded)))
      this.add('other order', at, this.mapping.replaceIn(recorded), actual);
  }

  /** Pairs elements that differ: few by the number of equal members, many by their order. */
  private pairAlike(
    recorded: readonly unknown[],
    actual: readonly unknown[],
    partners: (number | undefined)[],
    rest: Set<number>,
  ): void {
    const unpaired = [...recorded.keys()].filter((index) => partners[index] === undefined);
    const few = unpaired.length <= MAX_ALIKE && rest.size <= MAX_ALIKE;
    for (const index of unpaired) {
      if (rest.size === 0) return;
      const mapped = few ? this.mapping.replaceIn(recorded[index]) : undefined;
      let best: number | undefined;
      let most = -1;
      for (const candidate of rest) {
        const likeness = few ? this.likeness(mapped, actual[candidate]) : 1;
        if (likeness > most) [best, most] = [candidate, likeness];
        if (!few) break;
      }
      // Different texts are a missing and an extra element, unless each list has as many.
      if (most <= 0 && recorded.length !== actual.length) continue;
      partners[index] = best;
      rest.delete(best!);
    }
  }

  /**
   * Returns a text that is equal for elements of two runs that differ only in times and in generated values. Values that are
   * already learned are compared.
   */
  private fingerprint(value: unknown): string {
    switch (typeOf(value)) {
      case 'string':
        return JSON.stringify(this.generalized(value as string));
      case 'time':
        return 'time';
      case 'bytes':
        return Buffer.from(value as Uint8Array).toString('base64');
      case 'array':
        return `[${(value as unknown[]).map((item) => this.fingerprint(item)).join(',')}]`;
      case 'object':
        return `{${Object.entries(value as object)
          .filter(([, item]) => item !== undefined && item !== null)
          .map(([key, item]) => `${JSON.stringify(key)}:${this.fingerprint(item)}`)
          .sort()
          .join(',')}}`;
      default:
        return String(value);
    }
  }

  private generalized(text: string): string {
    if (this.mapping.isActual(text)) return text;
    if (isOpaque(text)) return '*';
    return tokensOf(text)
      .map((token) => (areGenerated(token, token) && !this.mapping.isActual(token) ? '*' : token))
      .join('');
  }

  /** Returns how alike two objects are, by their equal members; 0 for other values. Values with equal ids count most. */
  private likeness(recorded: unknown, actual: unknown): number {
    if (!isObject(recorded) || !isObject(actual)) return 0;
    let likeness = 1;
    for (const [key, item] of Object.entries(recorded))
      if (actual[key] !== undefined && this.fingerprint(item) === this.fingerprint(actual[key]))
        likeness += item === actual[key] ? 4 : 1;
    return likeness;
  }

  /** Compares scalars, and values without a model. */
  private json(recorded: unknown, actual: unknown, at: Place): void {
    if (recorded instanceof CutBody) {
      this.cutBody(recorded, actual, at);
      return;
    }
    const [type, other] = [typeOf(recorded), typeOf(actual)];
    if (type !== other) {
      this.add('other type', at, recorded, actual);
      return;
    }
    switch (type) {
      case 'string':
        this.text(recorded as string, actual as string, at);
        return;
      case 'array':
        this.elements(recorded as unknown[], actual as unknown[], at, (one, two, place) => this.json(one, two, place));
        return;
      case 'object':
        this.entries(recorded as Record<string, unknown>, actual as Record<string, unknown>, at, (one, two, place) =>
          this.json(one, two, place),
        );
        return;
      case 'bytes':
        this.bytes(recorded as Uint8Array, actual as Uint8Array, at);
        return;
      // Times differ in each run.
      case 'time':
        return;
      default:
        if (!sameNumber(recorded, actual) && !isMeasured(at.name)) this.add('other value', at, recorded, actual);
    }
  }

  private bytes(recorded: Uint8Array, actual: Uint8Array, at: Place): void {
    if (Buffer.from(recorded.buffer, recorded.byteOffset, recorded.length).equals(actual)) return;
    if (isGenerated(at.name) && !this.sent.has(recorded)) {
      this.mapping.learnBytes(recorded, actual);
      return;
    }
    const [left, right] = [utf8Of(recorded), utf8Of(actual)];
    if (left !== undefined && right !== undefined) this.text(left, right, at);
    else this.add('other value', at, recorded, actual);
  }

  /** Compares the known part of a body, and its length. */
  private cutBody({ bytes, length }: CutBody, actual: unknown, at: Place): void {
    if (!(actual instanceof Uint8Array)) this.add('other type', at, bytes, actual);
    else if (actual.length !== length) this.add('other value', at, `${length} bytes`, `${actual.length} bytes`);
    else this.bytes(bytes, actual.subarray(0, bytes.length), at);
  }

  /** Whether two texts are generated values, by the name of their member or by their form. */
  private isGeneratedPair(recorded: string, actual: string, at: Place): boolean {
    if (this.sent.has(recorded) && !isMasked(recorded)) return false;
    if (isMasked(recorded)) return true;
    if (recorded === '' || actual === '' || this.mapping.contradicts(recorded, actual)) return false;
    if (recorded.startsWith('arn:') || actual.startsWith('arn:')) return false;
    return isGenerated(at.name) || (isOpaque(recorded) && isOpaque(actual));
  }

  /** Whether two URLs have the same path. Hosts, and queries such as signatures, differ. */
  private sameUrl(recorded: string, actual: string): boolean {
    const [left, right] = [urlOf(recorded), urlOf(actual)];
    if (!left || !right) return false;
    const pairs = alignTokens(this.mapping.replace(left.path), right.path);
    if (!pairs) return false;
    this.mapping.learnPairs(pairs);
    this.learnHost(left.host, right.host);
    return true;
  }

  /** Learns an id in the first label of a host. */
  private learnHost(recorded: string, actual: string): void {
    const [left, right] = [recorded.split('.', 1)[0]!, actual.split('.', 1)[0]!];
    if (left !== right && areGenerated(left, right)) this.mapping.learn(left, right);
  }

  private add(kind: DifferenceClass, { path }: Place, recorded: unknown, actual: unknown): void {
    if (this.found.length >= MAX_DIFFERENCES) return;
    this.found.push({
      class: kind,
      path,
      ...(recorded !== undefined && { recorded: shown(recorded) }),
      ...(actual !== undefined && { actual: shown(actual) }),
    });
  }
}

/** Type of a decoded value. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'time';
  if (value instanceof Uint8Array) return 'bytes';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function sameNumber(recorded: unknown, actual: unknown): boolean {
  if (Object.is(recorded, actual)) return true;
  if (typeof recorded !== 'number' || typeof actual !== 'number') return String(recorded) === String(actual);
  return recorded === actual || (isEpoch(recorded) && isEpoch(actual));
}

/** Whether a number is a time in seconds or milliseconds, until 2128. */
const isEpoch = (value: number): boolean =>
  (value >= 1e9 && value < 5e9) || (value >= 1e12 && value < 5e12 && Number.isInteger(value));

/** Returns the value of a text that is a JSON object or array. */
function jsonOf(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const TEXT_LIMIT = 1024 * 1024;

/** Returns the text of bytes in UTF-8; undefined for other or long bytes. */
function utf8Of(bytes: Uint8Array): string | undefined {
  if (bytes.length > TEXT_LIMIT) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns host and path of a URL. */
function urlOf(text: string): { host: string; path: string } | undefined {
  const match = /^https?:\/\/([^/?#\s]+)([^?#\s]*)/.exec(text);
  return match ? { host: match[1]!, path: match[2]! } : undefined;
}
