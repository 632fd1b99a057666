import { createHash, createHmac } from 'node:crypto';
import { request } from 'node:https';
import type { DeepReadonly } from '@emu/core/service';
import type { ConnectionErrorCodeType } from '@emu/service-types/kms';
import { parseJson } from '@emu/wire';
import type { CustomKeyStoreRecord } from '../records.ts';

/** Timeout of a proxy in milliseconds. AWS allows 250 ms, with nearby machines. */
const TIME_LIMIT = 2000;
/** Limit of a response in bytes. The largest contains 4,300 bytes of ciphertext in base64. */
const SIZE_LIMIT = 65_536;
const DENIED: readonly (number | undefined)[] = [401, 403];
const NOT_FOUND = 404;

/** Reason why a proxy returned no usable response. */
export class XksProxyError extends Error {
  /** @param status HTTP status of the response, if any */
  constructor(
    readonly reason: ConnectionErrorCodeType,
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }

  /** Whether the key is unknown to the proxy. */
  get isUnknownKey(): boolean {
    return this.status === NOT_FOUND;
  }
}

/** Request metadata for a proxy: caller and operation. */
export interface XksRequestMetadata {
  kmsRequestId: string;
  kmsOperation: string;
  awsPrincipalArn?: string;
  kmsKeyArn?: string;
}

/** URL of a proxy, and the credential that signs requests to it. */
export interface XksProxyAddress {
  store: DeepReadonly<CustomKeyStoreRecord>;
  port: number;
  region: string;
  /** Signing time in epoch milliseconds. */
  now: number;
}

/**
 * Sends a request to the proxy of an external key store.
 * @param path below that of the store, e.g. `/health`
 * @throws XksProxyError
 * @see https://github.com/aws/aws-kms-xksproxy-api-spec/blob/main/xks_proxy_api_spec.md
 */
export function callProxy(address: XksProxyAddress, path: string, body: object): Promise<Record<string, unknown>> {
  const { store, port } = address;
  const { UriEndpoint, UriPath } = store.xksProxy!;
  const url = new URL(`${UriEndpoint}${UriPath}${path}`);
  const payload = JSON.stringify(body);
  return new Promise((done, fail) => {
    const failed = (error: unknown): void => fail(errorOf(error as NodeJS.ErrnoException, url));
    const outgoing = request(url, {
      method: 'POST',
      port,
      headers: { ...signed(address, url, payload), 'content-type': 'application/json' },
      signal: AbortSignal.timeout(TIME_LIMIT),
    });
    outgoing.on('error', failed);
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('error', failed);
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > SIZE_LIMIT)
          answer.destroy(new XksProxyError('XKS_PROXY_INVALID_RESPONSE', `the response of ${url} is too large`));
        chunks.push(chunk);
      });
      answer.on('end', () => {
        try {
          done(read(answer.statusCode, Buffer.concat(chunks).toString('utf8'), url));
        } catch (error) {
          failed(error);
        }
      });
    });
    outgoing.end(payload);
  });
}

/** Parses a response. @throws XksProxyError for an error response or an invalid JSON object */
function read(status: number | undefined, text: string, url: URL): Record<string, unknown> {
  if (status !== 200)
    throw new XksProxyError(
      DENIED.includes(status) ? 'XKS_PROXY_ACCESS_DENIED' : 'XKS_PROXY_INVALID_RESPONSE',
      `${url} answered ${status}`,
      status,
    );
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch {
    answer = undefined;
  }
  if (typeof answer !== 'object' || answer === null)
    throw new XksProxyError('XKS_PROXY_INVALID_RESPONSE', `${url} did not answer JSON`);
  return answer as Record<string, unknown>;
}

function errorOf(error: NodeJS.ErrnoException, url: URL): XksProxyError {
  if (error instanceof XksProxyError) return error;
  const { code = '', message, name } = error;
  if (name === 'TimeoutError' || name === 'AbortError')
    return new XksProxyError('XKS_PROXY_TIMED_OUT', `${url} did not respond in time`);
  const isTls = /CERT|SSL|TLS|SIGNATURE|ALTNAME/.test(code);
  return new XksProxyError(isTls ? 'XKS_PROXY_INVALID_TLS_CONFIGURATION' : 'XKS_PROXY_NOT_REACHABLE', message);
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Returns the headers of a signed request: Signature Version 4 over host and date (appendix A of the specification).
 */
function signed({ store, region, now }: XksProxyAddress, url: URL, payload: string): Record<string, string> {
  const at = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${at.slice(0, 8)}/${region}/kms-xks-proxy/aws4_request`;
  const names = 'host;x-amz-date';
  const canonical = ['POST', url.pathname, '', `host:${url.hostname}`, `x-amz-date:${at}`, '', names, sha256(payload)];
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical.join('\n'))].join('\n');
  const key = scope.split('/').reduce<Buffer | string>(hmac, `AWS4${store.xksSecret ?? ''}`);
  const credential = `${store.xksProxy!.AccessKeyId}/${scope}`;
  return {
    host: url.hostname,
    'x-amz-date': at,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${hmac(key, text).toString('hex')}`,
  };
}
