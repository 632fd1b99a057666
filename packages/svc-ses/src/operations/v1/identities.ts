import type { SesOperations, VerificationStatus } from '@emu/service-types/ses';
import type { DkimStatus, VerificationStatus as V2Status } from '@emu/service-types/sesv2';
import { type Context, type Identity, identityOf } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { newTokens } from '../../identities/dkim.ts';
import { markVerified, newIdentity, verifiesAtOnce } from '../../identities/identities.ts';
import { setMailFrom } from '../../identities/mail-from.ts';
import { identityNameOf, isAddress, isDomain } from '../../identities/names.ts';
import { sendVerificationMail } from '../../identities/verification.ts';
import { paging } from '../../paging.ts';
import type { SesState } from '../../state.ts';

type In<Name extends keyof SesOperations> = SesOperations[Name]['input'];
type Out<Name extends keyof SesOperations> = SesOperations[Name]['output'];

/** Version 1's words for states of verification. */
const STATUSES: Readonly<Record<V2Status & DkimStatus, VerificationStatus>> = {
  PENDING: 'Pending',
  SUCCESS: 'Success',
  FAILED: 'Failed',
  TEMPORARY_FAILURE: 'TemporaryFailure',
  NOT_STARTED: 'NotStarted',
};

/** Has an address verified: at once, or by a mail. */
async function verify(address: string, ctx: Context): Promise<void> {
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
  { EmailAddress }: In<'VerifyEmailIdentity'>,
  ctx: Context,
): Promise<Out<'VerifyEmailIdentity'>> {
  await verify(EmailAddress, ctx);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_VerifyEmailAddress.html */
export async function VerifyEmailAddress({ EmailAddress }: In<'VerifyEmailAddress'>, ctx: Context) {
  await verify(EmailAddress, ctx);
  return {};
}

/** A domain identity, made where there is none. */
async function domainIdentity(domain: string, { state, endpoint }: Context): Promise<Identity> {
  if (!isDomain(domain)) throw invalid('ses', `Invalid domain name ${domain}.`);
  const name = identityNameOf(domain);
  const existing = state.identity(name);
  if (existing) return existing;
  const made = state.identities.put(name, newIdentity(state, domain, 'ses'));
  await sendVerificationMail(state, name, endpoint);
  return made;
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_VerifyDomainIdentity.html */
export const VerifyDomainIdentity = async (
  { Domain }: In<'VerifyDomainIdentity'>,
  ctx: Context,
): Promise<Out<'VerifyDomainIdentity'>> => ({ VerificationToken: (await domainIdentity(Domain, ctx)).token });

/** Gives a domain keys that SES manages, where it has none. */
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
  { Domain }: In<'VerifyDomainDkim'>,
  ctx: Context,
): Promise<Out<'VerifyDomainDkim'>> {
  const { name } = await domainIdentity(Domain, ctx);
  return { DkimTokens: [...startDkim(ctx.state, name)] };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SetIdentityDkimEnabled.html */
export function SetIdentityDkimEnabled({ Identity, DkimEnabled }: In<'SetIdentityDkimEnabled'>, ctx: Context) {
  const { name } = identityOf(Identity, ctx);
  ctx.state.identities.update(name, (draft) => {
    draft.dkim.enabled = DkimEnabled;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetIdentityDkimAttributes.html */
export const GetIdentityDkimAttributes = (
  { Identities }: In<'GetIdentityDkimAttributes'>,
  { state }: Context,
): Out<'GetIdentityDkimAttributes'> => ({
  DkimAttributes: Object.fromEntries(
    Identities.flatMap((given) => {
      const identity = state.identity(given);
      if (!identity) return [];
      const { enabled, status, tokens } = identity.dkim;
      const attributes = {
        DkimEnabled: enabled,
        DkimVerificationStatus: STATUSES[status],
        ...(tokens.length && { DkimTokens: [...tokens] }),
      };
      return [[given, attributes]];
    }),
  ),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetIdentityVerificationAttributes.html */
export const GetIdentityVerificationAttributes = (
  { Identities }: In<'GetIdentityVerificationAttributes'>,
  { state }: Context,
): Out<'GetIdentityVerificationAttributes'> => ({
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
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListIdentities.html */
export function ListIdentities(input: In<'ListIdentities'>, { state }: Context): Out<'ListIdentities'> {
  const type = input.IdentityType && (input.IdentityType === 'Domain' ? 'DOMAIN' : 'EMAIL_ADDRESS');
  const found = state.identities.list().filter((identity) => type === undefined || identity.type === type);
  return paging.page('ListIdentities', input, found, ({ name }) => name).list(({ name }) => name);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListVerifiedEmailAddresses.html */
export const ListVerifiedEmailAddresses = (
  _input: In<'ListVerifiedEmailAddresses'>,
  { state }: Context,
): Out<'ListVerifiedEmailAddresses'> => ({
  VerifiedEmailAddresses: state.identities
    .list()
    .filter(({ type, verification }) => type === 'EMAIL_ADDRESS' && verification === 'SUCCESS')
    .map(({ name }) => name),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteIdentity.html */
export function DeleteIdentity({ Identity }: In<'DeleteIdentity'>, { state }: Context) {
  state.identities.delete(identityNameOf(Identity));
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteVerifiedEmailAddress.html */
export function DeleteVerifiedEmailAddress({ EmailAddress }: In<'DeleteVerifiedEmailAddress'>, { state }: Context) {
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
  { Identity, MailFromDomain, BehaviorOnMXFailure }: In<'SetIdentityMailFromDomain'>,
  ctx: Context,
) {
  const { name } = identityOf(Identity, ctx);
  const behavior = BehaviorOnMXFailure === 'RejectMessage' ? 'REJECT_MESSAGE' : 'USE_DEFAULT_VALUE';
  setMailFrom(ctx.state, name, MailFromDomain, behavior, 'ses');
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetIdentityMailFromDomainAttributes.html */
export const GetIdentityMailFromDomainAttributes = (
  { Identities }: In<'GetIdentityMailFromDomainAttributes'>,
  { state }: Context,
): Out<'GetIdentityMailFromDomainAttributes'> => ({
  MailFromDomainAttributes: Object.fromEntries(
    Identities.flatMap((given) => {
      const mailFrom = state.identity(given)?.mailFrom;
      if (!mailFrom) return [];
      const attributes = {
        MailFromDomain: mailFrom.domain,
        MailFromDomainStatus: MAIL_FROM_STATUSES[mailFrom.status],
        BehaviorOnMXFailure:
          mailFrom.behavior === 'REJECT_MESSAGE' ? ('RejectMessage' as const) : ('UseDefaultValue' as const),
      };
      return [[given, attributes]];
    }),
  ),
});
