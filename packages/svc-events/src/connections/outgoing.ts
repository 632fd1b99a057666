import type { IncomingMessage } from 'node:http';
import { type OutgoingNames, openRequest } from '@emu/core/outgoing';

/** Default timeout of a request in milliseconds, from the first byte sent to the last byte read. */
const TIMEOUT = 5000;

/** An outgoing request. Its headers are sent in addition to those that HTTP requires. */
export interface OutgoingRequest {
  url: URL;
  method: string;
  /** Keyed by lower-case name. */
  headers: Record<string, string>;
  body?: string;
}

/** Response of the server. */
export interface OutgoingResponse {
  readonly status: number;
  /** `Retry-After` header: seconds or a date, as the server sent it. */
  readonly retryAfter: string | undefined;
  /** Reason phrase. */
  readonly statusText: string;
  /** All values of each header, keyed by lower-case name. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Response body; empty if it was not requested. */
  readonly text: string;
}

/** Whether a text is a URL that requests may be sent to. */
export const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/**
 * Sends a request over a new connection. Redirects are not followed.
 * @param mostBytes limit of the response body; 0 skips the body
 * @param timeout milliseconds
 * @throws Error if the server cannot be reached, or its response is too late or too large
 */
export async function sendRequest(
  names: OutgoingNames,
  request: OutgoingRequest,
  mostBytes = 0,
  timeout = TIMEOUT,
): Promise<OutgoingResponse> {
  const { url, method, headers, body = '' } = request;
  const bodiless = method === 'GET' || method === 'HEAD';
  const signal = AbortSignal.timeout(timeout);
  const outgoing = await openRequest(names, url, {
    method,
    headers: { ...headers, ...(!bodiless && { 'content-length': String(Buffer.byteLength(body)) }) },
    agent: false,
    signal,
  });
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(signal.aborted ? new Error(`no response within ${timeout / 1000} seconds`) : error);
    outgoing.on('error', fail);
    outgoing.on('response', (response) => {
      const { statusCode: status = 0, statusMessage: statusText = '' } = response;
      const headers = response.headersDistinct as Record<string, string[]>;
      const answer = { status, statusText, headers, retryAfter: response.headers['retry-after'] };
      if (mostBytes > 0) {
        readText(response, mostBytes).then((text) => resolve({ ...answer, text }), fail);
        return;
      }
      response.on('error', fail);
      response.destroy();
      resolve({ ...answer, text: '' });
    });
    outgoing.end(bodiless ? undefined : body);
  });
}

async function readText(response: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
