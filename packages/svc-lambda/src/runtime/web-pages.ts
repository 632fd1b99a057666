import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/** AWS's host name within an execution environment. */
const SANDBOX = 'sandbox.localdomain';

/**
 * Whether a request to a port for runtimes and extensions comes from a web page. Programs send no origin; a page that
 * makes its domain resolve to this machine (DNS rebinding) is detected by the Host header. Single-label names and
 * addresses cannot be such domains and are accepted, for proxies in front of the port.
 * @param own host name given to runtimes, without the port
 */
export function isOfPage({ headers }: Pick<IncomingMessage, 'headers'>, own: string): boolean {
  if (headers.origin !== undefined || headers.referer !== undefined || headers['sec-fetch-site'] !== undefined)
    return true;
  const { host = '' } = headers;
  if (host.startsWith('[')) return !/^\[[0-9a-f:.]+\](?::\d+)?$/i.test(host);
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return name.includes('.') && !isIPv4(name) && name !== own.toLowerCase() && name !== SANDBOX;
}
