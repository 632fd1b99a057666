import { notEmulated } from '@emu/core/service';
import type { SesContext } from '../context.ts';
import { type Api, apiOf, invalid } from '../errors.ts';
import { callerName } from '../mail/checks.ts';
import type { Submission } from '../mail/submit.ts';

/** Returns the members of a submission derived from its request. */
export const requestFacts = (
  ctx: SesContext,
): Pick<Submission, 'api' | 'operation' | 'caller' | 'sourceIp' | 'endpoint'> => ({
  api: apiOf(ctx),
  operation: ctx.operation,
  caller: callerName(ctx),
  sourceIp: ctx.http?.remoteAddress ?? '127.0.0.1',
  endpoint: ctx.endpoint,
});

/** Returns the recipients of a mail from both APIs. */
export const recipientsOf = (
  destination: {
    ToAddresses?: string[] | undefined;
    CcAddresses?: string[] | undefined;
    BccAddresses?: string[] | undefined;
  } = {},
) => ({
  to: destination.ToAddresses ?? [],
  cc: destination.CcAddresses ?? [],
  bcc: destination.BccAddresses ?? [],
});

const WRITTEN = /^(utf-?8|us-ascii)$/i;

/**
 * Checks the charset of a part: emu supports UTF-8 and ASCII.
 * @throws AwsError for an invalid charset, `NotImplemented` for any other
 */
export function checkCharset(charset: string | undefined, api: Api): void {
  if (charset === undefined || WRITTEN.test(charset)) return;
  try {
    new TextDecoder(charset);
  } catch {
    throw invalid(api, `Invalid charset <${charset}>.`);
  }
  throw notEmulated('a charset other than UTF-8 and US-ASCII', 'ses');
}
