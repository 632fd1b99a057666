import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Fields } from './fields.ts';

/** Bytes of an answer that are read. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const MOST_BYTES = 10 * 1024 * 1024;

/** A request to an HTTP endpoint behind an API. */
export interface EndpointRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Fields;
  readonly body: Buffer | undefined;
  /** Milliseconds that it may take. */
  readonly timeout: number;
  /** Whether certificates that nobody vouches for are taken. */
  readonly insecure?: boolean | undefined;
  /** Ends it: the caller has gone. */
  readonly signal?: AbortSignal | undefined;
  /** Certificate of the client, with its key, in PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** What an endpoint answered. */
export interface EndpointAnswer {
  readonly status: number;
  readonly headers: Fields;
  readonly body: Buffer;
}

/** An endpoint answered too late. */
export class EndpointTimeout extends Error {
  override readonly name = 'EndpointTimeout';
}

/** An endpoint answers more than API Gateway takes. */
export class EndpointExcess extends Error {
  override readonly name = 'EndpointExcess';

  /** @param length bytes of the answer, as far as they are known */
  constructor(length: number) {
    super(`Integration response of reported length ${length} is larger than allowed maximum of ${MOST_BYTES} bytes.`);
  }
}

/** Codes of errors of Node.js that say that no connection to an endpoint came about, or that it broke. */
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

/** Whether a request failed because its endpoint could not be reached, or broke the connection off. */
export const isNetworkFailure = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && NETWORK_CODES.has(error.code);

/** What an endpoint answers while it is answering. */
export interface EndpointStream {
  readonly status: number;
  readonly headers: Fields;
  /** Reading it throws where the connection breaks off. */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends a request over a connection of its own and follows no redirect.
 * @throws EndpointTimeout, EndpointExcess; Error where the endpoint cannot be reached
 */
export async function sendToEndpoint(request: EndpointRequest): Promise<EndpointAnswer> {
  const late = AbortSignal.timeout(request.timeout);
  try {
    const response = await begin(request, late);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) throw new EndpointExcess(Number(response.headers['content-length'] ?? size));
      chunks.push(chunk);
    }
    return { status: response.statusCode ?? 0, headers: headersOf(response), body: Buffer.concat(chunks) };
  } catch (error) {
    throw late.aborted ? new EndpointTimeout('The endpoint did not answer in time.', { cause: error }) : error;
  }
}

/**
 * Sends a request as `sendToEndpoint` does, and returns as soon as the answer begins; `timeout` is for that alone.
 * @throws EndpointTimeout; Error where the endpoint cannot be reached
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

/** Sends a request, and has the answer begin. */
function begin(
  { url, method, headers, body, insecure, certificate, ...request }: EndpointRequest,
  late: AbortSignal,
): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return Promise.reject(new Error('Invalid endpoint address'));
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
  const sent: Record<string, string | string[]> = {};
  // Node.js refuses to announce trailers of a body whose length is known.
  for (const [name, values] of headers.entries())
    if (name.toLowerCase() !== 'trailer') sent[name] = values.length === 1 ? values[0]! : [...values];
  if (body !== undefined && (body.length > 0 || !['GET', 'HEAD', 'DELETE'].includes(method)))
    sent['content-length'] = String(body.length);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const options = { method, headers: sent, agent: false, signal };
    const tls = { ...(insecure && { rejectUnauthorized: false }), ...certificate };
    const outgoing = send(url, url.protocol === 'https:' ? { ...options, ...tls } : options, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
