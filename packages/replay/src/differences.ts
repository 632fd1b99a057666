/** Kinds of differences, the most serious first. */
export const CLASSES = [
  'not implemented',
  'no response',
  'other code',
  'other status',
  'other message',
  'missing member',
  'other type',
  'other value',
  'other order',
  'extra member',
] as const;

/** Kind of a difference. */
export type DifferenceClass = (typeof CLASSES)[number];

/** A difference between a recorded response and that of this run. */
export interface Difference {
  readonly class: DifferenceClass;
  /** Path of the member, e.g. `Rules[].Filter.Prefix`; empty for the response as a whole. */
  readonly path: string;
  /** Shortened recorded value, or the code or message. */
  readonly recorded?: string;
  readonly actual?: string;
}

/** A difference of a request. */
export interface FoundDifference extends Difference {
  readonly service: string;
  readonly operation: string;
  /** Line of the request in its file, from 1. */
  readonly line: number;
  readonly file: string;
}

/** Longest shown value in characters. */
const MAX_SHOWN = 200;

/** Returns a value as shown in reports: JSON, shortened. */
export function shown(value: unknown): string {
  let text: string;
  if (typeof value === 'string') text = value;
  else if (value instanceof Date) text = value.toISOString();
  else if (value instanceof Uint8Array)
    text = `${value.length} bytes ${Buffer.from(value.subarray(0, 60)).toString('base64')}`;
  else
    text = JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? String(item) : item)) ?? 'nothing';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
