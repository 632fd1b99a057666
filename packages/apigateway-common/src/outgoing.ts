import { request as httpRequest } from 'node:http';
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

/**
 * Sends a request over a connection of its own and follows no redirect.
 * @throws EndpointTimeout; Error where the endpoint cannot be reached or answers too much
 */
export async function sendToEndpoint(request: EndpointRequest): Promise<EndpointAnswer> {
  const { url, method, headers, body, timeout, insecure, certificate } = request;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('Invalid endpoint address');
  const late = AbortSignal.timeout(timeout);
  const signal = request.signal ? AbortSignal.any([late, request.signal]) : late;
  const sent: Record<string, string | string[]> = {};
  for (const [name, values] of headers.entries()) sent[name] = values.length === 1 ? values[0]! : [...values];
  if (body !== undefined && (body.length > 0 || !['GET', 'HEAD', 'DELETE'].includes(method)))
    sent['content-length'] = String(body.length);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    return await new Promise<EndpointAnswer>((resolve, reject) => {
      const options = { method, headers: sent, agent: false, signal };
      const tls = { ...(insecure && { rejectUnauthorized: false }), ...certificate };
      const outgoing = send(url, url.protocol === 'https:' ? { ...options, ...tls } : options, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > MOST_BYTES) response.destroy(new Error('The answer of the endpoint is too large.'));
          else chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          const answered = Fields.ofRequest({ headers: {}, rawHeaders: response.rawHeaders });
          resolve({ status: response.statusCode ?? 0, headers: answered, body: Buffer.concat(chunks) });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  } catch (error) {
    if (late.aborted) throw new EndpointTimeout('The endpoint did not answer in time.', { cause: error });
    throw error;
  }
}
