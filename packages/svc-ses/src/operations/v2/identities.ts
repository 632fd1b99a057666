import type { DkimAttributes, InputOf, OutputOf } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { configurationSetOf, type Identity, identityOf } from '../../context.ts';
import { alreadyExists, badRequest, limitExceeded, notFound } from '../../errors.ts';
import { dkimFor, dkimSource, setDkimEnabled } from '../../identities/dkim.ts';
import { newIdentity, verifiesAtOnce } from '../../identities/identities.ts';
import { setMailFrom } from '../../identities/mail-from.ts';
import { identityNameOf } from '../../identities/names.ts';
import { checkPolicy } from '../../identities/policies.ts';
import { v2Paging } from '../../paging.ts';
import { identityType } from '../../resources.ts';
import { tagging } from '../../tags.ts';
import { sendVerificationMail } from '../../verification/verification.ts';

const MAX_POLICIES = 20;

/** Returns the hosted zone of CNAME records for SES-managed keys. */
const hostedZone = (region: string): string => `dkim.${region}.amazonses.com`;

function dkimAttributes({ dkim, type }: Identity, region: string): DkimAttributes {
  const managed = type === 'DOMAIN' && dkim.origin === 'AWS_SES';
  return {
    SigningEnabled: dkim.enabled,
    Status: dkim.status,
    ...(dkim.selector !== undefined && { Tokens: [dkim.selector] }),
    ...(dkim.tokens.length && { Tokens: [...dkim.tokens], SigningHostedZone: hostedZone(region) }),
    SigningAttributesOrigin: dkim.origin,
    ...(managed && dkim.length && { NextSigningKeyLength: dkim.length, CurrentSigningKeyLength: dkim.length }),
    ...(dkim.keyMadeAt !== undefined && { LastKeyGenerationTimestamp: new Date(dkim.keyMadeAt) }),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateEmailIdentity.html */
export async function CreateEmailIdentity(
  input: InputOf<'CreateEmailIdentity'>,
  ctx: SesContext,
): Promise<OutputOf<'CreateEmailIdentity'>> {
  const { state } = ctx;
  const name = identityNameOf(input.EmailIdentity);
  if (state.identity(name)) throw alreadyExists(`Email identity ${name} already exist.`);
  if (input.ConfigurationSetName !== undefined) configurationSetOf(input.ConfigurationSetName, ctx);
  const tags = tagging.merge(undefined, input.Tags);
  const isDomain = !name.includes('@');
  if (input.DkimSigningAttributes && !isDomain) throw badRequest('Only domains can have DKIM signing attributes.');
  const record = newIdentity(state, input.EmailIdentity, 'sesv2', {
    tags,
    ...(isDomain && {
      dkim: {
        enabled: true,
        ...dkimFor(input.DkimSigningAttributes ?? {}, ctx.ids, ctx.clock.now(), verifiesAtOnce(state)),
      },
    }),
    ...(input.ConfigurationSetName !== undefined && { configurationSet: input.ConfigurationSetName }),
  });
  const identity = state.identities.put(name, record);
  if (!verifiesAtOnce(state)) await sendVerificationMail(state, name, ctx.endpoint);
  return {
    IdentityType: identity.type,
    VerifiedForSendingStatus: identity.verification === 'SUCCESS',
    DkimAttributes: dkimAttributes(dkimSource(state, identity), ctx.region),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetEmailIdentity.html */
export function GetEmailIdentity(
  { EmailIdentity }: InputOf<'GetEmailIdentity'>,
  ctx: SesContext,
): OutputOf<'GetEmailIdentity'> {
  const identity = identityOf(EmailIdentity, ctx);
  const { mailFrom, verifiedAt, verification } = identity;
  return {
    IdentityType: identity.type,
    FeedbackForwardingStatus: identity.forwarding,
    VerifiedForSendingStatus: verification === 'SUCCESS',
    DkimAttributes: dkimAttributes(dkimSource(ctx.state, identity), ctx.region),
    MailFromAttributes: mailFrom
      ? {
          MailFromDomain: mailFrom.domain,
          MailFromDomainStatus: mailFrom.status,
          BehaviorOnMxFailure: mailFrom.behavior,
        }
      : ({ BehaviorOnMxFailure: 'USE_DEFAULT_VALUE' } as NonNullable<
          OutputOf<'GetEmailIdentity'>['MailFromAttributes']
        >),
    Policies: { ...identity.policies },
    Tags: structuredClone(identity.tags) as OutputOf<'GetEmailIdentity'>['Tags'],
    ...(identity.configurationSet !== undefined && { ConfigurationSetName: identity.configurationSet }),
    VerificationStatus: verification,
    VerificationInfo:
      verifiedAt === undefined
        ? {}
        : { LastCheckedTimestamp: new Date(verifiedAt), LastSuccessTimestamp: new Date(verifiedAt) },
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListEmailIdentities.html */
export function ListEmailIdentities(
  input: InputOf<'ListEmailIdentities'>,
  { state }: SesContext,
): OutputOf<'ListEmailIdentities'> {
  return v2Paging
    .page('ListEmailIdentities', input, state.identities.list(), ({ name }) => name)
    .list(({ name, type, verification }) => ({
      IdentityType: type,
      IdentityName: name,
      SendingEnabled: verification === 'SUCCESS',
      VerificationStatus: verification,
    }));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteEmailIdentity.html */
export function DeleteEmailIdentity({ EmailIdentity }: InputOf<'DeleteEmailIdentity'>, ctx: SesContext) {
  ctx.state.identities.delete(identityOf(EmailIdentity, ctx).name);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutEmailIdentityConfigurationSetAttributes.html */
export function PutEmailIdentityConfigurationSetAttributes(
  { EmailIdentity, ConfigurationSetName }: InputOf<'PutEmailIdentityConfigurationSetAttributes'>,
  ctx: SesContext,
) {
  const { name } = identityOf(EmailIdentity, ctx);
  if (ConfigurationSetName !== undefined) configurationSetOf(ConfigurationSetName, ctx);
  ctx.state.identities.update(name, (draft) => {
    if (ConfigurationSetName === undefined) delete draft.configurationSet;
    else draft.configurationSet = ConfigurationSetName;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutEmailIdentityDkimAttributes.html */
export function PutEmailIdentityDkimAttributes(
  { EmailIdentity, SigningEnabled = false }: InputOf<'PutEmailIdentityDkimAttributes'>,
  ctx: SesContext,
) {
  setDkimEnabled(ctx.state, EmailIdentity, SigningEnabled, 'sesv2');
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutEmailIdentityDkimSigningAttributes.html */
export function PutEmailIdentityDkimSigningAttributes(
  { EmailIdentity, SigningAttributesOrigin, SigningAttributes = {} }: InputOf<'PutEmailIdentityDkimSigningAttributes'>,
  ctx: SesContext,
): OutputOf<'PutEmailIdentityDkimSigningAttributes'> {
  if (EmailIdentity.includes('@')) throw badRequest('The EmailIdentity value must be a valid domain.');
  const { name } = identityOf(EmailIdentity, ctx);
  const external = SigningAttributes.DomainSigningPrivateKey !== undefined;
  if ((SigningAttributesOrigin === 'EXTERNAL') !== external)
    throw badRequest('The SigningAttributes do not belong to the SigningAttributesOrigin.');
  const attributes = { ...SigningAttributes, DomainSigningAttributesOrigin: SigningAttributesOrigin };
  const dkim = dkimFor(attributes, ctx.ids, ctx.clock.now(), verifiesAtOnce(ctx.state));
  const identity = ctx.state.identities.update(name, (draft) => {
    draft.dkim = { enabled: draft.dkim.enabled, ...dkim };
  });
  const { Status, Tokens, SigningHostedZone } = dkimAttributes(identity, ctx.region);
  return {
    DkimStatus: Status,
    ...(Tokens && { DkimTokens: Tokens }),
    ...(SigningHostedZone !== undefined && { SigningHostedZone }),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutEmailIdentityFeedbackAttributes.html */
export function PutEmailIdentityFeedbackAttributes(
  { EmailIdentity, EmailForwardingEnabled = false }: InputOf<'PutEmailIdentityFeedbackAttributes'>,
  ctx: SesContext,
) {
  const { name } = identityOf(EmailIdentity, ctx);
  ctx.state.identities.update(name, (draft) => {
    draft.forwarding = EmailForwardingEnabled;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutEmailIdentityMailFromAttributes.html */
export function PutEmailIdentityMailFromAttributes(
  {
    EmailIdentity,
    MailFromDomain,
    BehaviorOnMxFailure = 'USE_DEFAULT_VALUE',
  }: InputOf<'PutEmailIdentityMailFromAttributes'>,
  ctx: SesContext,
) {
  const { name } = identityOf(EmailIdentity, ctx);
  setMailFrom(ctx.state, name, MailFromDomain, BehaviorOnMxFailure, 'sesv2');
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateEmailIdentityPolicy.html */
export function CreateEmailIdentityPolicy(
  { EmailIdentity, PolicyName, Policy }: InputOf<'CreateEmailIdentityPolicy'>,
  ctx: SesContext,
) {
  const { name, policies } = identityOf(EmailIdentity, ctx);
  if (Object.hasOwn(policies, PolicyName)) throw alreadyExists(`Policy <${PolicyName}> already exists.`);
  if (Object.keys(policies).length >= MAX_POLICIES)
    throw limitExceeded('An identity cannot have more than 20 policies.');
  checkPolicy(Policy, identityType.arn({ name }, ctx), 'sesv2');
  ctx.state.identities.update(name, (draft) => {
    draft.policies[PolicyName] = Policy;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateEmailIdentityPolicy.html */
export function UpdateEmailIdentityPolicy(
  { EmailIdentity, PolicyName, Policy }: InputOf<'UpdateEmailIdentityPolicy'>,
  ctx: SesContext,
) {
  const { name, policies } = identityOf(EmailIdentity, ctx);
  if (!Object.hasOwn(policies, PolicyName)) throw notFound(`Policy <${PolicyName}> does not exist.`);
  checkPolicy(Policy, identityType.arn({ name }, ctx), 'sesv2');
  ctx.state.identities.update(name, (draft) => {
    draft.policies[PolicyName] = Policy;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteEmailIdentityPolicy.html */
export function DeleteEmailIdentityPolicy(
  { EmailIdentity, PolicyName }: InputOf<'DeleteEmailIdentityPolicy'>,
  ctx: SesContext,
) {
  const { name, policies } = identityOf(EmailIdentity, ctx);
  if (!Object.hasOwn(policies, PolicyName)) throw notFound(`Policy <${PolicyName}> does not exist.`);
  ctx.state.identities.update(name, (draft) => {
    delete draft.policies[PolicyName];
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetEmailIdentityPolicies.html */
export function GetEmailIdentityPolicies(
  { EmailIdentity }: InputOf<'GetEmailIdentityPolicies'>,
  ctx: SesContext,
): OutputOf<'GetEmailIdentityPolicies'> {
  return { Policies: { ...identityOf(EmailIdentity, ctx).policies } };
}
