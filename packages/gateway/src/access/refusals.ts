import { randomUUID } from 'node:crypto';
import { awsError, queryParameter } from '@emu/wire';
import { fallbackProtocol } from '../identify/unidentified-errors.ts';
import type { GatewayRequest, GatewayResponse } from '../request/request.ts';

/** What a caller by a name that is not trusted is told. */
export const unknownHost = (name: string): string =>
  `emu does not answer to the host name ${name}, which anyone might own. If it leads to this emulator, start emu with --allow-host ${name} (EMULATOR_ALLOW_HOSTS).`;

/** What a page is told that may not use emu. @param origin as browsers write it */
export const foreignOrigin = (origin: string): string =>
  origin === 'null'
    ? 'Web pages without an origin of their own, such as files and sandboxed frames, may not use emu. If they should, start emu with --allow-origin null (EMULATOR_ALLOW_ORIGINS).'
    : `Web pages of ${origin} may not use emu. If they should, start emu with --allow-origin ${origin} (EMULATOR_ALLOW_ORIGINS).`;

/** The refusal of a control route to a page that emu itself serves. @param origin as browsers write it */
export const ownPage = (origin: string): string =>
  `Web pages that emu serves at ${origin}, such as objects and websites, may not use its control routes. Only the console may; if its page was open before emu started, reload it. If all pages of that origin should, start emu with --allow-origin ${origin} (EMULATOR_ALLOW_ORIGINS).`;

/** What a page is told whose request says that it comes from another site, and not from which. */
export const ANOTHER_SITE =
  'The request comes from a web page of another site that does not say which it is. Where the page sends its origin or a referrer, --allow-origin (EMULATOR_ALLOW_ORIGINS) can let it use emu.';

/** What other machines are told. */
export const OTHER_MACHINE =
  'emu answers only the machine that it runs on, with its containers and virtual machines. To let other machines in, start emu with --allow-remote (EMULATOR_ALLOW_REMOTE), or name the address to listen on with --addr (EMULATOR_ADDR).';

/**
 * The answer 403 to a request that may not reach what it is for: an `AccessDenied` that clients of AWS can read, in the form
 * of the control routes for those.
 * @param path of the request, without its query
 * @param message a sentence that names the option that would let it in
 */
export function refuse({ headers }: GatewayRequest, path: string, query: string, message: string): GatewayResponse {
  if (path.startsWith('/_'))
    return {
      status: 403,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: { code: 'AccessDenied', message } }),
    };
  const protocol = fallbackProtocol(headers, queryParameter(query, 'Action') !== undefined);
  return protocol.encodeError(awsError('AccessDenied', message, { status: 403 }), randomUUID());
}
