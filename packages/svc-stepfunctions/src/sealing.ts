import { sealText, unsealText } from '@emu/core/service';
import { isObject } from '@emu/wire';
import type { Json } from './asl/json.ts';
import { conflict } from './errors.ts';
import type { EventRecord } from './runtime/events.ts';

/** A stored data key. */
interface DataKey {
  /** ARN of its owner. */
  readonly arn: string;
  /** Encrypted data key in base64. */
  readonly dataKey: string;
}

/** Encrypts texts for storage, and decrypts them. */
export interface Sealer {
  seal(text: string): string;
  /** Encrypts text shared by many records: consecutive calls return the same string. */
  share(text: string): string;
  /**
   * Decrypts text; returns unencrypted text unchanged.
   * @throws Error for another key, or changed text
   */
  open(text: string): string;
}

/** Prefix of encrypted texts, which no JSON text starts with. */
const MARK = 'sealed:';
/** Maximum number of cached plaintext data keys. */
const MAX_KEYS = 4096;

/** Plaintext data keys by ciphertext, least recently used first. */
const keys = new Map<string, Buffer>();

/**
 * Caches a decrypted data key.
 * @param dataKey stored form, in base64
 */
export function remember(dataKey: string, plaintext: Uint8Array): void {
  keys.delete(dataKey);
  keys.set(dataKey, Buffer.from(plaintext));
  if (keys.size > MAX_KEYS) keys.delete(keys.keys().next().value!);
}

/** Whether a data key is cached in plaintext. */
export const isKnown = (dataKey: string): boolean => keys.has(dataKey);

/** Sealer for AWS's own key, which stores text unchanged. */
export const UNSEALED: Sealer = { seal: (text) => text, share: (text) => text, open: (text) => text };

class KeySealer implements Sealer {
  private last: { text: string; sealed: string } | undefined;

  constructor(private readonly key: Buffer) {}

  share(text: string): string {
    if (this.last?.text !== text) this.last = { text, sealed: this.seal(text) };
    return this.last.sealed;
  }

  seal(text: string): string {
    return MARK + sealText(this.key, text).toString('base64');
  }

  open(text: string): string {
    if (!text.startsWith(MARK)) return text;
    return unsealText(this.key, Buffer.from(text.slice(MARK.length), 'base64'));
  }
}

/**
 * Returns the sealer of a data key decrypted earlier by `newEncryption` or `useKey`.
 * @throws AwsError `ConflictException` if the key has changed
 */
export function sealerOf(encryption: DataKey | undefined): Sealer {
  if (!encryption) return UNSEALED;
  const key = keys.get(encryption.dataKey);
  if (!key) throw conflict(`The key of ${encryption.arn} was changed by another request.`);
  remember(encryption.dataKey, key);
  return new KeySealer(key);
}

/** Record members with data of clients and services. */
const TEXTS = ['input', 'output', 'error', 'cause'] as const;
/** Event detail members with such data. */
const DETAILS: readonly string[] = [...TEXTS, 'parameters', 'assignedVariables'];

type Texts = { readonly [name in (typeof TEXTS)[number]]?: string | undefined };

/** Returns a record with decrypted texts. */
export function opened<T extends Texts>(record: T, sealer: Pick<Sealer, 'open'>): T {
  const changed: Record<string, string> = {};
  for (const name of TEXTS) {
    const text = record[name];
    if (text !== undefined) changed[name] = sealer.open(text);
  }
  return { ...record, ...changed };
}

/** Applies a change to a text, or to the texts of an object's members. */
function changedTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, changedTexts(item, change)]));
}

/** Returns an event with encrypted or decrypted details. */
export function changedEvent(event: EventRecord, change: (text: string) => string): EventRecord {
  if (!event.details) return event;
  const [member, details] = event.details;
  const changed = Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      DETAILS.includes(name) ? changedTexts(value, change) : value,
    ]),
  );
  return { ...event, details: [member, changed] };
}
