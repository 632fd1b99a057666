import type { IncomingMessage } from 'node:http';
import { type OutgoingNames, openRequest } from '@emu/core/outgoing';
import { Fields } from './fields.ts';

/**
 * Maximum bytes of a response.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const MAX_BYTES = 10 * 1024 * 1024;

/** A request to an HTTP endpoint of an API. */
export interface EndpointRequest {
  /** AWS's host names, which lead to emu itself. */
  readonly names: OutgoingNames;
  readonly url: URL;
  readonly method: string;
  readonly headers: Fields;
  readonly body: Buffer | undefined;
  /** Timeout in milliseconds. */
  readonly timeout: number;
  /** Whether to accept untrusted certificates. */
  readonly insecure?: boolean | undefined;
  /** Aborted when the caller disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** PEM client certificate and key. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** Response of an endpoint. */
export interface EndpointAnswer {
  readonly status: number;
  readonly headers: Fields;
  readonly body: Buffer;
}

/** Timeout of an endpoint. */
export class EndpointTimeout extends Error {
  override readonly name = 'EndpointTimeout';
}

/** The response of an endpoint exceeds the size limit. */
export class EndpointExcess extends Error {
  override readonly name = 'EndpointExcess';

  /** @param length bytes of the response, as far as known */
  constructor(length: number) {
    super(`Integration response of reported length ${length} is larger than allowed maximum of ${MAX_BYTES} bytes.`);
  }
}

/** Node.js error codes for failed and broken connections. */
const NETWORK_CODES: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Whether a request failed because the endpoint was unreachable or closed the connection. */
export const isNetworkFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NETWORK_CODES.has(error.code);

/** A streamed response of an endpoint. */
export interface EndpointStream {
  readonly status: number;
  readonly headers: Fields;
  /** Body; reading it throws if the connection breaks. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends a request over a new connection without following redirects.
 * @throws EndpointTimeout, EndpointExcess; Error if the endpoint is unreachable
 */
export async function sendToEndpoint(request: EndpointRequest): Promise<EndpointAnswer> {
  const late = AbortSignal.timeout(request.timeout);
  try {
    const response = await begin(request, late);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BYTES) throw new EndpointExcess(Number(response.headers['content-length'] ?? size));
      chunks.push(chunk);
    }
    return { status: response.statusCode ?? 0, headers: headersOf(response), body: Buffer.concat(chunks) };
  } catch (error) {
    throw late.aborted ? new EndpointTimeout('The endpoint did not answer in time.', { cause: error }) : error;
  }
}

/**
 * Sends a request like `sendToEndpoint` and returns at the start of the response, to which `timeout` applies.
 * @throws EndpointTimeout; Error if the endpoint is unreachable
 */
export async function streamFromEndpoint(request: EndpointRequest): Promise<EndpointStream> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), request.timeout);
  try {
    const response = await begin(request, late.signal);
    return { status: response.statusCode ?? 0, headers: headersOf(response), body: response };
  } catch (error) {
    throw late.signal.aborted ? new EndpointTimeout('The endpoint did not answer in time.', { cause: error }) : error;
  } finally {
    clearTimeout(timer);
  }
}

const headersOf = ({ rawHeaders }: IncomingMessage): Fields => Fields.ofRequest({ headers: {}, rawHeaders });

/** Sends a request and waits for the start of the response. */
async function begin(
  { names, url, method, headers, body, insecure, certificate, ...request }: EndpointRequest,
  late: AbortSignal,
): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('Invalid endpoint address');
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
  const sent: Record<string, string | string[]> = {};
  // Node.js rejects a `trailer` header with a known body length.
  for (const [name, values] of headers.entries())
    if (name.toLowerCase() !== 'trailer') sent[name] = values.length === 1 ? values[0]! : [...values];
  if (body !== undefined && (body.length > 0 || !['GET', 'HEAD', 'DELETE'].includes(method)))
    sent['content-length'] = String(body.length);
  const tls = { ...(insecure && { rejectUnauthorized: false }), ...certificate };
  const options = { method, headers: sent, agent: false, signal, ...(url.protocol === 'https:' && tls) };
  const outgoing = await openRequest(names, url, options);
  return new Promise((resolve, reject) => {
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
