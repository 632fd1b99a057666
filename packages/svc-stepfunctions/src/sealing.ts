import { sealText, unsealText } from '@emu/core/service';
import { isObject } from '@emu/wire';
import type { Json } from './asl/json.ts';
import { conflict } from './errors.ts';
import type { EventRecord } from './runtime/events.ts';

/** A data key as it is kept. */
interface DataKey {
  /** What it belongs to. */
  readonly arn: string;
  /** What KMS made of it, in base64. */
  readonly dataKey: string;
}

/** Turns texts into what is kept of them, and back. */
export interface Sealer {
  seal(text: string): string;
  /** Seals what many records have: those that come one after the other share one text. */
  share(text: string): string;
  /** Also takes what was never sealed, as it is. @throws Error where the text was sealed by another key, or changed */
  open(text: string): string;
}

/** What is in front of sealed texts; no JSON text begins like it. */
const MARK = 'sealed:';
/** Data keys that are known at once. */
const MOST_KEYS = 4096;

/** Data keys in the clear, by what KMS made of them; the one that was not asked for longest comes first. */
const keys = new Map<string, Buffer>();

/** Remembers a data key that KMS has given in the clear. @param dataKey as it is kept, in base64 */
export function remember(dataKey: string, plaintext: Uint8Array): void {
  keys.delete(dataKey);
  keys.set(dataKey, Buffer.from(plaintext));
  if (keys.size > MOST_KEYS) keys.delete(keys.keys().next().value!);
}

/** Whether a data key is there in the clear. */
export const isKnown = (dataKey: string): boolean => keys.has(dataKey);

/** Where AWS's own key is used, texts are kept as they are. */
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
 * Seals by a data key that KMS gave before: `newEncryption` and `useKey` ask for it.
 * @throws AwsError `ConflictException` where the key is another one than was asked for
 */
export function sealerOf(encryption: DataKey | undefined): Sealer {
  if (!encryption) return UNSEALED;
  const key = keys.get(encryption.dataKey);
  if (!key) throw conflict(`The key of ${encryption.arn} was changed by another request.`);
  remember(encryption.dataKey, key);
  return new KeySealer(key);
}

/** What of a record's texts clients and services have put in. */
const TEXTS = ['input', 'output', 'error', 'cause'] as const;
/** The same of the details of an event. */
const DETAILS: readonly string[] = [...TEXTS, 'parameters', 'assignedVariables'];

type Texts = { readonly [name in (typeof TEXTS)[number]]?: string | undefined };

/** A record with its texts opened. */
export function opened<T extends Texts>(record: T, sealer: Pick<Sealer, 'open'>): T {
  const changed: Record<string, string> = {};
  for (const name of TEXTS) {
    const text = record[name];
    if (text !== undefined) changed[name] = sealer.open(text);
  }
  return { ...record, ...changed };
}

/** A text, or the texts of an object's members, changed. */
function changedTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, changedTexts(item, change)]));
}

/** An event with what its details say sealed, or opened. */
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
