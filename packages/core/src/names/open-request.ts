import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { AwsNames } from './aws-names.ts';

/** Options of an outgoing request. */
export type OpenRequestOptions = Pick<RequestOptions, 'method' | 'agent' | 'signal' | 'auth' | 'lookup' | 'timeout'> &
  Pick<SecureContextOptions, 'cert' | 'key'> & {
    headers?: Readonly<Record<string, string | number | readonly string[]>>;
    /** Whether to accept certificates that are not trusted. */
    insecure?: boolean | undefined;
  };

/**
 * Begins a request that emu makes for a user, e.g. of an integration or a delivery. Requests to AWS's host names reach
 * emu itself, except those that the settings let through.
 * @param url with protocol `http:` or `https:`
 */
export async function openRequest(
  names: Pick<AwsNames, 'connectionTo'>,
  url: URL,
  { headers = {}, insecure, ...options }: OpenRequestOptions,
): Promise<ClientRequest> {
  const own = await names.connectionTo(url);
  const secure = url.protocol === 'https:';
  const send = secure ? httpsRequest : httpRequest;
  const sent = own && !Object.keys(headers).some((name) => name.toLowerCase() === 'host') ? { host: url.host } : {};
  return send(url, {
    ...options,
    ...own,
    headers: { ...sent, ...headers } as NonNullable<RequestOptions['headers']>,
    ...(insecure && { rejectUnauthorized: false }),
  });
}
