import type {
  EmailAddressInsightsConfidenceVerdict,
  EmailAddressInsightsMailboxEvaluations,
  MailboxValidation,
} from '@emu/service-types/sesv2';
import { simulated } from '../mail/outcomes.ts';
import type { SesState } from '../state.ts';
import { domainOf, isAddress } from './names.ts';

type Verdict = EmailAddressInsightsConfidenceVerdict;
type Check = keyof EmailAddressInsightsMailboxEvaluations;

/** Local parts of mailboxes that belong to a task and not to a person, as RFC 2142 and custom have them. */
const ROLES = new Set(
  'abuse accounts admin administrator billing careers contact enquiries ftp help helpdesk hostmaster hr info jobs marketing media news noc noreply no-reply office orders postmaster press privacy sales security service staff support team uucp webmaster www'.split(
    ' ',
  ),
);
/** Domains that have no records in any DNS. @see https://www.rfc-editor.org/rfc/rfc6761 */
const RESERVED = /(^|\.)(example|invalid|localhost|test)$/i;

/** Mailboxes of the simulator that take no mail. */
const DEAD = new Set(['bounce', 'suppressionlist']);

/** Whether a mailbox exists; undefined where emu cannot know. */
function mailboxVerdict(address: string, state: SesState): Verdict | undefined {
  const mailbox = simulated(address);
  if (mailbox !== undefined) return DEAD.has(mailbox) ? 'LOW' : 'HIGH';
  if (state.suppressed.get(address.toLowerCase())?.reason === 'BOUNCE') return 'LOW';
  // Somebody has opened the link in a mail to it.
  return state.identity(address)?.verification === 'SUCCESS' ? 'HIGH' : undefined;
}

/** Whether the domain of an address can be sent mail; undefined where emu, which asks no DNS, cannot know. */
function domainVerdict(address: string, mailbox: Verdict | undefined): Verdict | undefined {
  if (mailbox === 'HIGH' || simulated(address) !== undefined) return 'HIGH';
  return RESERVED.test(domainOf(address)) ? 'LOW' : undefined;
}

/**
 * What emu can tell of an address without asking anybody: its form, and what is known of the simulator's mailboxes, of
 * identities, suppressed addresses and reserved domains. Checks that it cannot make are left out.
 * @returns undefined where nothing decides whether the address is valid
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
