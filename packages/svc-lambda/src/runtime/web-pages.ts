import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/** AWS's name of an execution environment to itself. */
const SANDBOX = 'sandbox.localdomain';

/**
 * Whether a request to a port that only runtimes and extensions use comes from a web page: programs say nothing of where
 * they come from, and a page whose name server has its own name lead to this machine (DNS rebinding) is told by that name.
 * Names of one label and addresses are nobody's domain: a program between a runtime and the port may use them.
 * @param own the name by which runtimes are told to call the port, without its number
 */
export function isOfPage({ headers }: Pick<IncomingMessage, 'headers'>, own: string): boolean {
  if (headers.origin !== undefined || headers.referer !== undefined || headers['sec-fetch-site'] !== undefined)
    return true;
  const { host = '' } = headers;
  if (host.startsWith('[')) return !/^\[[0-9a-f:.]+\](?::\d+)?$/i.test(host);
  const name = host.replace(/:\d*$/, '').toLowerCase();
  return name.includes('.') && !isIPv4(name) && name !== own.toLowerCase() && name !== SANDBOX;
}
