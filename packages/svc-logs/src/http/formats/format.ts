import { parseJson } from '@emu/wire';
import type { NewEvent } from '../../store/event.ts';

/** Content of a request to an endpoint. */
export interface Payload {
  readonly contentType: string;
  /** Uncompressed. */
  readonly body: Buffer;
  /** Default timestamp of events in epoch milliseconds. */
  readonly now: number;
}

/** Result for the events of an accepted request. */
export interface Rejected {
  readonly tooOld: number;
  readonly tooNew: number;
  readonly expired: number;
}

/** An ingestion endpoint of one format. */
export interface Endpoint {
  /** Accepted media types. */
  readonly contentTypes: readonly string[];
  /** Whether query parameters may name group and stream. */
  readonly byQuery: boolean;
  /**
   * @returns the events in order
   * @throws PayloadError
   */
  read(payload: Payload): NewEvent[];
  /** Response body; `{}` by default. */
  answer?(contentType: string, rejected: Rejected): string | Uint8Array;
}

/** An invalid request body. */
export class PayloadError extends Error {}

/** @throws PayloadError */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new PayloadError('The request body is not valid JSON.');
  }
}

/** Parses JSON; undefined for invalid JSON. */
export function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

/**
 * Returns the items of a JSON list as source text.
 * @param text a valid list
 */
export const insideOf = (text: string): string => text.trim().slice(1, -1);

/** Returns an object's time in epoch milliseconds. */
export function timestampOf(value: Readonly<Record<string, unknown>>, now: number): number {
  const { timestamp } = value;
  return typeof timestamp === 'number' && timestamp >= 0 ? Math.floor(timestamp) : now;
}
