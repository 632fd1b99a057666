import type { InputOf, OutputOf, VerificationStatus } from '@emu/service-types/ses';
import type { DkimStatus, VerificationStatus as V2Status } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { type Identity, identityOf } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { dkimSource, newTokens, setDkimEnabled } from '../../identities/dkim.ts';
import { markVerified, newIdentity, verifiesAtOnce } from '../../identities/identities.ts';
import { setMailFrom } from '../../identities/mail-from.ts';
import { identityNameOf, isAddress, isDomain } from '../../identities/names.ts';
import { paging } from '../../paging.ts';
import type { SesState } from '../../state.ts';
import { sendVerificationMail } from '../../verification/verification.ts';

/** Verification statuses of version 1. */
const STATUSES: Readonly<Record<V2Status & DkimStatus, VerificationStatus>> = {
  PENDING: 'Pending',
  SUCCESS: 'Success',
  FAILED: 'Failed',
  TEMPORARY_FAILURE: 'TemporaryFailure',
  NOT_STARTED: 'NotStarted',
};

/** Verifies an address immediately, or sends the verification mail. */
async function verify(address: string, ctx: SesContext): Promise<void> {
  const { state } = ctx;
  if (!isAddress(address)) throw invalid('ses', `Invalid email address<${address}>.`);
  const existing = state.identity(address);
  if (existing?.verification === 'SUCCESS') return;
  const { name, secret } = newIdentity(state, address, 'ses');
  if (!existing) state.identities.put(name, newIdentity(state, address, 'ses'));
  else
    state.identities.update(name, (draft) => {
      if (secret !== undefined) draft.secret = secret;
    });
  if (verifiesAtOnce(state)) markVerified(state, name);
  else await sendVerificationMail(state, name, ctx.endpoint);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_VerifyEmailIdentity.html */
export async function VerifyEmailIdentity(
  { EmailAddress }: InputOf<'VerifyEmailIdentity'>,
  ctx: SesContext,
): Promise<OutputOf<'VerifyEmailIdentity'>> {
  await verify(EmailAddress, ctx);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_VerifyEmailAddress.html */
export async function VerifyEmailAddress({ EmailAddress }: InputOf<'VerifyEmailAddress'>, ctx: SesContext) {
  await verify(EmailAddress, ctx);
  return {};
}

/** Returns a domain identity, creating it if missing. */
async function domainIdentity(domain: string, { state, endpoint }: SesContext): Promise<Identity> {
  if (!isDomain(domain)) throw invalid('ses', `Invalid domain name ${domain}.`);
  const name = identityNameOf(domain);
  const existing = state.identity(name);
  if (existing) return existing;
  const made = state.identities.put(name, newIdentity(state, domain, 'ses'));
  await sendVerificationMail(state, name, endpoint);
  return made;
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_VerifyDomainIdentity.html */
export async function VerifyDomainIdentity(
  { Domain }: InputOf<'VerifyDomainIdentity'>,
  ctx: SesContext,
): Promise<OutputOf<'VerifyDomainIdentity'>> {
  return { VerificationToken: (await domainIdentity(Domain, ctx)).token };
}

/** Adds SES-managed keys to a domain, if it has none. */
function startDkim(state: SesState, name: string): readonly string[] {
  const { dkim, verification } = state.identity(name)!;
  if (dkim.tokens.length) return dkim.tokens;
  return state.identities.update(name, (draft) => {
    draft.dkim = {
      ...draft.dkim,
      enabled: true,
      origin: 'AWS_SES',
      status: verification === 'SUCCESS' ? 'SUCCESS' : 'PENDING',
      tokens: newTokens(state.ids),
      length: 'RSA_1024_BIT',
      keyMadeAt: state.clock.now(),
    };
    delete draft.dkim.selector;
    delete draft.dkim.privateKey;
  }).dkim.tokens;
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_VerifyDomainDkim.html */
export async function VerifyDomainDkim(
  { Domain }: InputOf<'VerifyDomainDkim'>,
  ctx: SesContext,
): Promise<OutputOf<'VerifyDomainDkim'>> {
  const { name } = await domainIdentity(Domain, ctx);
  return { DkimTokens: [...startDkim(ctx.state, name)] };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SetIdentityDkimEnabled.html */
export function SetIdentityDkimEnabled({ Identity, DkimEnabled }: InputOf<'SetIdentityDkimEnabled'>, ctx: SesContext) {
  setDkimEnabled(ctx.state, Identity, DkimEnabled, 'ses');
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetIdentityDkimAttributes.html */
export function GetIdentityDkimAttributes(
  { Identities }: InputOf<'GetIdentityDkimAttributes'>,
  { state }: SesContext,
): OutputOf<'GetIdentityDkimAttributes'> {
  return {
    DkimAttributes: Object.fromEntries(
      Identities.flatMap((given) => {
        const identity = state.identity(given);
        if (!identity) return [];
        const { enabled, status, tokens } = dkimSource(state, identity).dkim;
        const attributes = {
          DkimEnabled: enabled,
          DkimVerificationStatus: STATUSES[status],
          ...(tokens.length && { DkimTokens: [...tokens] }),
        };
        return [[given, attributes]];
      }),
    ),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetIdentityVerificationAttributes.html */
export function GetIdentityVerificationAttributes(
  { Identities }: InputOf<'GetIdentityVerificationAttributes'>,
  { state }: SesContext,
): OutputOf<'GetIdentityVerificationAttributes'> {
  return {
    VerificationAttributes: Object.fromEntries(
      Identities.flatMap((given) => {
        const identity = state.identity(given);
        if (!identity) return [];
        const { verification, type, token } = identity;
        const attributes = {
          VerificationStatus: STATUSES[verification],
          ...(type === 'DOMAIN' && { VerificationToken: token }),
        };
        return [[given, attributes]];
      }),
    ),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListIdentities.html */
export function ListIdentities(input: InputOf<'ListIdentities'>, { state }: SesContext): OutputOf<'ListIdentities'> {
  const type = input.IdentityType && (input.IdentityType === 'Domain' ? 'DOMAIN' : 'EMAIL_ADDRESS');
  const found = state.identities.list().filter((identity) => type === undefined || identity.type === type);
  return paging.page('ListIdentities', input, found, ({ name }) => name).list(({ name }) => name);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListVerifiedEmailAddresses.html */
export function ListVerifiedEmailAddresses(
  _input: InputOf<'ListVerifiedEmailAddresses'>,
  { state }: SesContext,
): OutputOf<'ListVerifiedEmailAddresses'> {
  return {
    VerifiedEmailAddresses: state.identities
      .list()
      .filter(({ type, verification }) => type === 'EMAIL_ADDRESS' && verification === 'SUCCESS')
      .map(({ name }) => name),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteIdentity.html */
export function DeleteIdentity({ Identity }: InputOf<'DeleteIdentity'>, { state }: SesContext) {
  state.identities.delete(identityNameOf(Identity));
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteVerifiedEmailAddress.html */
export function DeleteVerifiedEmailAddress(
  { EmailAddress }: InputOf<'DeleteVerifiedEmailAddress'>,
  { state }: SesContext,
) {
  state.identities.delete(identityNameOf(EmailAddress));
  return {};
}

const MAIL_FROM_STATUSES = {
  PENDING: 'Pending',
  SUCCESS: 'Success',
  FAILED: 'Failed',
  TEMPORARY_FAILURE: 'TemporaryFailure',
} as const;

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SetIdentityMailFromDomain.html */
export function SetIdentityMailFromDomain(
  { Identity, MailFromDomain, BehaviorOnMXFailure }: InputOf<'SetIdentityMailFromDomain'>,
  ctx: SesContext,
) {
  const { name } = identityOf(Identity, ctx);
  const behavior = BehaviorOnMXFailure === 'RejectMessage' ? 'REJECT_MESSAGE' : 'USE_DEFAULT_VALUE';
  setMailFrom(ctx.state, name, MailFromDomain, behavior, 'ses');
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetIdentityMailFromDomainAttributes.html */
export function GetIdentityMailFromDomainAttributes(
  { Identities }: InputOf<'GetIdentityMailFromDomainAttributes'>,
  { state }: SesContext,
): OutputOf<'GetIdentityMailFromDomainAttributes'> {
  return {
    MailFromDomainAttributes: Object.fromEntries(
      Identities.flatMap((given) => {
        const identity = state.identity(given);
        if (!identity) return [];
        const { mailFrom } = identity;
        // https://github.com/getmoto/moto/pull/4075
        const attributes = {
          ...(mailFrom && {
            MailFromDomain: mailFrom.domain,
            MailFromDomainStatus: MAIL_FROM_STATUSES[mailFrom.status],
          }),
          BehaviorOnMXFailure:
            mailFrom?.behavior === 'REJECT_MESSAGE' ? ('RejectMessage' as const) : ('UseDefaultValue' as const),
        };
        return [[given, attributes]];
      }),
    ),
  };
}
