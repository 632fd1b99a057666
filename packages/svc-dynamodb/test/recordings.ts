import { recordedTests } from '../../../tools/testing/shared.ts';
import { ACCOUNT } from './support.ts';

const recordings = recordedTests(['dynamodb/dynamodb.snapshot.json', 'dynamodbstreams/dynamodb_streams.snapshot.json']);
/** Whether the recordings are available. */
export const available = recordings.size > 0;

/**
 * Returns a recorded response of a recorded test.
 * @throws Error if it was not recorded
 */
export function recorded(test: string, answer: string): unknown {
  const found = recordings.get(test)?.[answer];
  if (found === undefined) throw new Error(`${test} ${answer} is not among the recordings`);
  return found;
}

/** The account of the recordings. */
const RECORDER = '111111111111';
const PLACEHOLDER = /<[a-z0-9-]+(?::\d+)?>/g;
/** Kinds of placeholders that stand for every value of their kind. */
const KINDS = new Set(['datetime', 'timestamp', 'starting-sequence-number', 'approximate-creation-date-time']);

/**
 * Replaces values of a response by the recording's placeholders for comparison.
 * @throws Error if a placeholder stands for different values
 */
export function normalized(actual: unknown, like: unknown, values = new Map<string, string>()): unknown {
  if (typeof like === 'string') return replaced(actual, like, values);
  if (Array.isArray(like) && Array.isArray(actual))
    return actual.map((element, n) => normalized(element, like[n], values));
  if (!isRecord(like) || !isRecord(actual)) return actual;
  const members = Object.entries(actual).filter(([name, value]) => name !== '$metadata' && value !== undefined);
  return Object.fromEntries(members.map(([name, value]) => [name, normalized(value, like[name], values)]));
}

/** Removes members that only the recorder could know from a recorded response. */
export function comparable(answer: unknown): unknown {
  if (answer === RECORDER) return ACCOUNT;
  if (Array.isArray(answer)) return answer.map(comparable);
  if (!isRecord(answer)) return answer;
  const members = Object.entries(answer).filter(([name]) => name !== 'ResponseMetadata');
  return Object.fromEntries(members.map(([name, value]) => [name, comparable(value)]));
}

function replaced(actual: unknown, like: string, values: Map<string, string>): unknown {
  if (KINDS.has(like)) return actual === undefined ? undefined : like;
  const bytes = /^b'(.*)'$/s.exec(like)?.[1];
  if (bytes !== undefined && actual instanceof Uint8Array) return `b'${pythonText(actual)}'`;
  if (typeof actual !== 'string') return actual;
  const names = like.match(PLACEHOLDER) ?? [];
  if (!names.length) return actual;
  const pattern = like
    .split(PLACEHOLDER)
    .map((text) => text.replaceAll(RECORDER, ACCOUNT).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('(.+?)');
  const match = new RegExp(`^${pattern}$`, 's').exec(actual);
  if (!match) return actual;
  names.forEach((name, n) => {
    const value = match[n + 1]!;
    const known = values.get(name);
    if (known !== undefined && known !== value) throw new Error(`${name} stands for ${known} and for ${value}`);
    values.set(name, value);
  });
  return like;
}

const pythonText = (bytes: Uint8Array): string =>
  [...bytes]
    .map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array) && !(value instanceof Date);
