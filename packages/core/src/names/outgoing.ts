import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { AwsNames } from './aws-names.ts';

/** The part of the host names that outgoing requests need. */
export type OutgoingNames = Pick<AwsNames, 'connectionTo'>;

/** Options of an outgoing request. */
export type OutgoingOptions = Pick<RequestOptions, 'method' | 'agent' | 'signal' | 'auth' | 'lookup'> &
  Pick<SecureContextOptions, 'cert' | 'key'> & {
    headers?: Readonly<Record<string, string | number | readonly string[]>> | undefined;
    rejectUnauthorized?: boolean;
  };

/**
 * Opens a request that emu sends for a user, e.g. of an integration or a delivery. Requests to AWS's host names reach
 * emu itself, except those that the settings let through.
 * @param url with protocol `http:` or `https:`
 */
export async function openRequest(
  names: OutgoingNames,
  url: URL,
  { headers = {}, ...options }: OutgoingOptions,
): Promise<ClientRequest> {
  const own = await names.connectionTo(url);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const hasHost = Object.keys(headers).some((name) => name.toLowerCase() === 'host');
  const sent = own && !hasHost ? { host: url.host, ...headers } : headers;
  return send(url, { ...options, ...own, headers: sent as NonNullable<RequestOptions['headers']> });
}

/** Maximum bytes of a response of emu itself that is read as a whole. */
const MAX_OWN = 16 * 1024 * 1024;
/** Statuses of responses without a body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Sends a request like `fetch`, for a user: requests to AWS's host names reach emu itself, without redirects. */
export async function fetchFor(names: OutgoingNames, address: string | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(address);
  if ((await names.connectionTo(url)) === undefined) return fetch(url, init);
  const request = new Request(url, init);
  const body = Buffer.from(await request.arrayBuffer());
  const { method, signal } = request;
  const headers = { ...Object.fromEntries(request.headers), 'content-length': body.length };
  const outgoing = await openRequest(names, url, { method, headers, signal, agent: false });
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    outgoing.once('response', resolve).once('error', reject).end(body),
  );
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
  if (init.redirect === 'error' && status >= 300 && status < 400 && status !== 304)
    throw new TypeError('fetch failed: unexpected redirect');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_OWN) throw new TypeError(`fetch failed: the response has more than ${MAX_OWN} bytes`);
    chunks.push(chunk);
  }
  const received = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(BODILESS.has(status) ? null : Buffer.concat(chunks), { status, statusText, headers: received });
}
