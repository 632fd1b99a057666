import type { NewEvent } from '../../store/event.ts';

/** What a request of an endpoint holds. */
export interface Payload {
  readonly contentType: string;
  /** Not compressed. */
  readonly body: Buffer;
  /** Epoch milliseconds that events have which say none. */
  readonly now: number;
}

/** What came of the events of a request that was taken. */
export interface Rejected {
  readonly tooOld: number;
  readonly tooNew: number;
  readonly expired: number;
}

/** An endpoint that takes events in a format. */
export interface Endpoint {
  /** Media types of its requests. */
  readonly contentTypes: readonly string[];
  /** Whether the group and the stream may be named by query parameters. */
  readonly byQuery: boolean;
  /** @returns the events of a request, in its order. @throws PayloadError */
  read(payload: Payload): NewEvent[];
  /** The body of the answer; by default `{}`. */
  answer?(contentType: string, rejected: Rejected): string | Uint8Array;
}

/** A request's body is not what its endpoint takes. */
export class PayloadError extends Error {}

/** @throws PayloadError */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PayloadError('The request body is not valid JSON.');
  }
}

/** The value of a text; undefined where it is no JSON. */
export function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Items of a list, as they were written. @param text of a valid list */
export const insideOf = (text: string): string => text.trim().slice(1, -1);

/** The time of an object that says it in epoch milliseconds. */
export function timestampOf(value: Readonly<Record<string, unknown>>, now: number): number {
  const { timestamp } = value;
  return typeof timestamp === 'number' && timestamp >= 0 ? Math.floor(timestamp) : now;
}
