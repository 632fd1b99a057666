import { isUtf8 } from 'node:buffer';
import type { MemberModel, ServiceModel, Shape } from '@emu/wire';
import { collectTexts, MASK, withoutSecrets } from './masks.ts';
import { isSecretName } from './secrets.ts';

/** Deepest level of values that is shown. */
const MAX_DEPTH = 24;
/** Maximum characters of a name. */
const MAX_NAME = 200;
/** Maximum number of names with cached JSON. */
const REMEMBERED = 4096;
/** Minimum characters shown of a value; with fewer left, the remaining ones are only counted. */
const MIN_CHARACTERS = 8;

/**
 * Formats an operation's input or output as JSON of a bounded size: long texts are cut, values after the limit are
 * counted, and members that the model marks as sensitive are masked, as are secrets in texts.
 * @param shape name of the value's shape in the model; undefined for none
 * @param limit approximate number of characters of texts and names
 * @param secrets texts to mask anywhere
 * @param sensitive receives texts that were masked because of the model
 */
export function excerpt(
  model: ServiceModel,
  shape: string | undefined,
  value: unknown,
  limit: number,
  secrets: readonly string[] = [],
  sensitive?: string[],
): string {
  const writer = new ExcerptWriter(model, limit, secrets, sensitive);
  return writer.write(value, shape === undefined ? undefined : model.shapes[shape], 0);
}

/** Names of members as JSON: a service has some hundreds, which recur in each request. */
const names = new Map<string, string>();

function nameOf(member: string): string {
  let text = names.get(member);
  if (text === undefined) {
    text = JSON.stringify(member);
    if (names.size < REMEMBERED) names.set(member, text);
  }
  return text;
}

class ExcerptWriter {
  constructor(
    private readonly model: ServiceModel,
    private left: number,
    private readonly secrets: readonly string[],
    private readonly sensitive: string[] | undefined,
  ) {}

  write(value: unknown, shape: Shape | undefined, depth: number): string {
    if (value === undefined || value === null) return 'null';
    if (shape?.sensitive) return this.mask(value);
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        this.left -= 4;
        return Number.isFinite(value) ? String(value) : `"${value}"`;
      case 'boolean':
        this.left -= 4;
        return String(value);
      case 'bigint':
        return this.text(String(value));
      case 'object':
        return this.object(value, shape, depth);
      default:
        return 'null';
    }
  }

  private object(value: object, shape: Shape | undefined, depth: number): string {
    if (value instanceof Date) {
      this.left -= 24;
      return Number.isNaN(value.getTime()) ? 'null' : `"${value.toISOString()}"`;
    }
    if (value instanceof Uint8Array) return this.bytes(value);
    if (Symbol.asyncIterator in value) return '"(a stream)"';
    if (depth === MAX_DEPTH) return '"…"';
    if (Array.isArray(value)) return this.list(value, this.shapeOf(shape?.member), depth);
    return this.members(value as Record<string, unknown>, shape, depth);
  }

  private list(items: readonly unknown[], shape: Shape | undefined, depth: number): string {
    const parts: string[] = [];
    for (const item of items) {
      if (this.left < MIN_CHARACTERS) {
        parts.push(`"… ${items.length - parts.length} more"`);
        break;
      }
      parts.push(this.write(item, shape, depth + 1));
    }
    return `[${parts.join()}]`;
  }

  private members(value: Record<string, unknown>, shape: Shape | undefined, depth: number): string {
    const parts: string[] = [];
    const values = this.shapeOf(shape?.value);
    if (this.shapeOf(shape?.key)?.sensitive) return this.mask(value);
    let dropped = 0;
    for (const name in value) {
      const member = value[name];
      if (member === undefined) continue;
      if (this.left < MIN_CHARACTERS) {
        dropped++;
        continue;
      }
      const known = shape?.members?.[name];
      const use = values ?? this.shapeOf(known);
      const key = known ? this.member(name) : this.name(name);
      const text = isSecretName(name) && member !== null ? this.mask(member) : this.write(member, use, depth + 1);
      parts.push(`${key}:${text}`);
    }
    if (dropped) parts.push(`"…":"${dropped} more"`);
    return `{${parts.join()}}`;
  }

  private bytes(value: Uint8Array): string {
    // A cut inside a surrogate pair would leave invalid text.
    const shown = value.length <= this.left ? value : undefined;
    if (shown && isUtf8(shown)) return this.text(Buffer.from(shown.buffer, shown.byteOffset, shown.length).toString());
    return `"(${value.length} bytes)"`;
  }

  /** Returns a name of the model as JSON. */
  private member(name: string): string {
    this.left -= name.length + 3;
    return nameOf(name);
  }

  /** Returns a name as JSON; keys of maps may be long. */
  private name(name: string): string {
    this.left -= name.length + 3;
    return JSON.stringify(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);
  }

  private text(value: string): string {
    const room = Math.max(this.left, 0);
    this.left -= value.length + 3;
    const shown = withoutSecrets(value, room, this.secrets);
    if (value.length <= room) return JSON.stringify(shown);
    return JSON.stringify(`${shown}… (${value.length} characters)`);
  }

  /** Masks a value, and passes on its texts. */
  private mask(value: unknown): string {
    if (this.sensitive) collectTexts(value, this.sensitive, 0);
    return `"${MASK}"`;
  }

  private shapeOf(use: MemberModel | undefined): Shape | undefined {
    return use && this.model.shapes[use.shape];
  }
}
