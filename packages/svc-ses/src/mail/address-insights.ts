import type {
  EmailAddressInsightsConfidenceVerdict,
  EmailAddressInsightsMailboxEvaluations,
  MailboxValidation,
} from '@emu/service-types/sesv2';
import { domainOf, isAddress } from '../identities/names.ts';
import type { SesState } from '../state.ts';
import { simulated } from './outcomes.ts';

type Verdict = EmailAddressInsightsConfidenceVerdict;
type Check = keyof EmailAddressInsightsMailboxEvaluations;

/** Local parts of role mailboxes, from RFC 2142 and common use. */
const ROLES = new Set(
  'abuse accounts admin administrator billing careers contact enquiries ftp help helpdesk hostmaster hr info jobs marketing media news noc noreply no-reply office orders postmaster press privacy sales security service staff support team uucp webmaster www'.split(
    ' ',
  ),
);
/**
 * Reserved domains without DNS records.
 * @see https://www.rfc-editor.org/rfc/rfc6761
 */
const RESERVED = /(^|\.)(example|invalid|localhost|test)$/i;

/** Mailboxes of the simulator that reject mail. */
const DEAD = new Set(['bounce', 'suppressionlist']);

/** Returns whether a mailbox exists; undefined if unknown. */
function mailboxVerdict(address: string, state: SesState): Verdict | undefined {
  const mailbox = simulated(address);
  if (mailbox !== undefined) return DEAD.has(mailbox) ? 'LOW' : 'HIGH';
  if (state.suppressed.get(address.toLowerCase())?.reason === 'BOUNCE') return 'LOW';
  // The link in a mail to it was opened.
  return state.identity(address)?.verification === 'SUCCESS' ? 'HIGH' : undefined;
}

/** Returns whether the domain of an address accepts mail; undefined if unknown, as emu does not use DNS. */
function domainVerdict(address: string, mailbox: Verdict | undefined): Verdict | undefined {
  if (mailbox === 'HIGH' || simulated(address) !== undefined) return 'HIGH';
  return RESERVED.test(domainOf(address)) ? 'LOW' : undefined;
}

/**
 * Returns insights of an address from local knowledge: its syntax, the simulator's mailboxes, identities, suppressed
 * addresses and reserved domains. Unsupported checks are omitted.
 * @returns undefined if the validity of the address is unknown
 * @see https://docs.aws.amazon.com/ses/latest/dg/email-validation-api.html
 */
export function addressInsights(address: string, state: SesState): MailboxValidation | undefined {
  const validation = (valid: Verdict, checks: Partial<Record<Check, Verdict | undefined>>): MailboxValidation => ({
    IsValid: { ConfidenceVerdict: valid },
    Evaluations: Object.fromEntries(
      Object.entries(checks).flatMap(([check, verdict]) => (verdict ? [[check, { ConfidenceVerdict: verdict }]] : [])),
    ),
  });
  if (!isAddress(address)) return validation('LOW', { HasValidSyntax: 'LOW' });
  const mailbox = mailboxVerdict(address, state);
  const dns = domainVerdict(address, mailbox);
  const valid = mailbox === 'LOW' || dns === 'LOW' ? 'LOW' : mailbox;
  if (valid === undefined) return undefined;
  const local = address.slice(0, address.lastIndexOf('@')).replace(/\+.*/, '').toLowerCase();
  return validation(valid, {
    HasValidSyntax: 'HIGH',
    HasValidDnsRecords: dns,
    MailboxExists: dns === 'LOW' ? 'LOW' : mailbox,
    IsRoleAddress: ROLES.has(local) ? 'HIGH' : 'LOW',
  });
}
