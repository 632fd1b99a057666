import { randomUUID } from 'node:crypto';
import { awsError } from '@emu/wire';
import { fallbackProtocol } from '../identify/unidentified-errors.ts';
import type { GatewayRequest, GatewayResponse } from '../request/gateway-request.ts';

/** Returns the refusal of an untrusted host name. */
export const unknownHost = (name: string): string =>
  `emu does not answer to the host name ${name}, which anyone might own. If it leads to this emulator, start emu with --allow-host ${name} (EMULATOR_ALLOW_HOSTS).`;

/** Returns the refusal of a page that may not use emu. @param origin as browsers write it */
export const foreignOrigin = (origin: string): string =>
  origin === 'null'
    ? 'Web pages without an origin of their own, such as files and sandboxed frames, may not use emu. If they should, start emu with --allow-origin null (EMULATOR_ALLOW_ORIGINS).'
    : `Web pages of ${origin} may not use emu. If they should, start emu with --allow-origin ${origin} (EMULATOR_ALLOW_ORIGINS).`;

/** Returns the refusal of a control route for a page that emu serves. @param origin as browsers write it */
export const ownPage = (origin: string): string =>
  `Web pages that emu serves at ${origin}, such as objects and websites, may not use its control routes. Only the console may; if its page was open before emu started, reload it. If all pages of that origin should, start emu with --allow-origin ${origin} (EMULATOR_ALLOW_ORIGINS).`;

/** Refusal of a page whose request says that it comes from another site, without its origin. */
export const ANOTHER_SITE =
  'The request comes from a web page of another site that does not say which it is. Where the page sends its origin or a referrer, --allow-origin (EMULATOR_ALLOW_ORIGINS) can let it use emu.';

/** Refusal of other machines. */
export const OTHER_MACHINE =
  'emu answers only the machine that it runs on, with its containers and virtual machines. To let other machines in, start emu with --allow-remote (EMULATOR_ALLOW_REMOTE), or name the address to listen on with --addr (EMULATOR_ADDR).';

/**
 * Returns a response with status 403: an `AccessDenied` that AWS's clients can read; for control routes, an error of
 * their form.
 * @param path of the request, without its query
 * @param message a sentence with the option that would admit the request
 */
export async function refuse(
  { headers }: GatewayRequest,
  path: string,
  query: string,
  message: string,
): Promise<GatewayResponse> {
  if (path.startsWith('/_'))
    return {
      status: 403,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: { code: 'AccessDenied', message } }),
    };
  const protocol = await fallbackProtocol(headers, query);
  return protocol.encodeError(awsError('AccessDenied', message, { status: 403 }), randomUUID());
}
