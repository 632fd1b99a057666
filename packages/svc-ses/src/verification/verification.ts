import { linkUrl } from '../mail/links.ts';
import { sendSystemMail } from '../mail/system.ts';
import type { SesState } from '../state.ts';

const SENDER = 'no-reply-aws@amazon.com';

/** Returns the verification link of an address; undefined if it is verified. */
export function verificationLink(state: SesState, name: string, endpoint: string): string | undefined {
  const secret = state.identity(name)?.secret;
  return secret === undefined ? undefined : linkUrl(state, endpoint, { kind: 'verify', identity: name, secret });
}

/** Sends the verification mail of an identity, to the address or to the domain's postmaster. */
export async function sendVerificationMail(state: SesState, name: string, endpoint: string): Promise<void> {
  const link = verificationLink(state, name, endpoint);
  if (link === undefined) return;
  await sendSystemMail(state, {
    operation: 'VerifyEmailIdentity',
    from: SENDER,
    to: name.includes('@') ? name : `postmaster@${name}`,
    subject: `Amazon Web Services - Email Address Verification Request in region ${state.region}`,
    text: `You have asked Amazon SES to verify ${name}. To confirm it, open this link:\n\n${link}\n`,
  });
}
