import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';

/** Milliseconds from the first byte sent to the last one read that a request may take, unless it is said. */
const TIMEOUT = 5000;

/** A request as it goes out: these headers, and what HTTP itself needs. */
export interface OutgoingRequest {
  url: URL;
  method: string;
  /** By names in lower case. */
  headers: Record<string, string>;
  body?: string;
}

/** What came back. */
export interface OutgoingAnswer {
  readonly status: number;
  /** Seconds or a date, as the server wrote it. */
  readonly retryAfter: string | undefined;
  /** Reason phrase. */
  readonly statusText: string;
  /** By names in lower case, with all their values. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** The body; empty where it was not asked for. */
  readonly text: string;
}

/** Whether a text is a URL that requests may go to. */
export const isHttpUrl = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

/**
 * Sends a request over a connection of its own, and follows no redirect.
 * @param mostBytes of the answer's body that are read; 0 where it does not matter
 * @param timeout milliseconds
 * @throws Error where the server cannot be reached, or answers too late or too much
 */
export function sendOut(request: OutgoingRequest, mostBytes = 0, timeout = TIMEOUT): Promise<OutgoingAnswer> {
  const { url, method, headers, body = '' } = request;
  const bodiless = method === 'GET' || method === 'HEAD';
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(timeout);
  return new Promise((resolve, reject) => {
    const outgoing = send(url, {
      method,
      headers: { ...headers, ...(!bodiless && { 'content-length': String(Buffer.byteLength(body)) }) },
      agent: false,
      signal,
    });
    const fail = (error: Error): void =>
      reject(signal.aborted ? new Error(`there was no answer in ${timeout / 1000} seconds`) : error);
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
    if (size > most) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
