import {
  defined,
  defineProvider,
  differs,
  everyItem,
  listChanges,
  omit,
  type Properties,
  pick,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { cognitoIdpError } from '../errors.ts';

const GONE = 'ResourceNotFoundException';
/** Mutable properties with the same name as request members. */
const SETTINGS = [
  'AccountRecoverySetting',
  'AdminCreateUserConfig',
  'AutoVerifiedAttributes',
  'DeletionProtection',
  'DeviceConfiguration',
  'EmailConfiguration',
  'EmailVerificationMessage',
  'EmailVerificationSubject',
  'LambdaConfig',
  'MfaConfiguration',
  'Policies',
  'SmsAuthenticationMessage',
  'SmsConfiguration',
  'SmsVerificationMessage',
  'UserAttributeUpdateSettings',
  'UserPoolAddOns',
  'UserPoolTags',
  'UserPoolTier',
  'VerificationMessageTemplate',
] as const;
/** Immutable properties of a pool. */
const FIXED = ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'] as const;

/** Properties set by SetUserPoolMfaConfig. */
const MFA = [
  'EmailAuthenticationMessage',
  'EmailAuthenticationSubject',
  'EnabledMfas',
  'WebAuthnFactorConfiguration',
  'WebAuthnRelyingPartyID',
  'WebAuthnUserVerification',
] as const;

interface Attribute extends Properties {
  Name?: string;
}

interface UserPoolProperties extends Properties {
  EmailAuthenticationMessage?: string;
  EmailAuthenticationSubject?: string;
  EnabledMfas?: readonly string[];
  MfaConfiguration?: string;
  Schema?: readonly Attribute[];
  UserPoolName?: string;
  WebAuthnFactorConfiguration?: string;
  WebAuthnRelyingPartyID?: string;
  WebAuthnUserVerification?: string;
  UserPoolTags?: Readonly<Record<string, string>>;
}

const poolOf = async (UserPoolId: string, ctx: ProviderContext) =>
  (await unless(ctx.call('cognito-idp', 'DescribeUserPool', { UserPoolId }), GONE))?.UserPool;

const hasMfa = (properties: UserPoolProperties): boolean => MFA.some((name) => properties[name] !== undefined);

/** Sets the second factors of a pool. */
async function setMfa(UserPoolId: string, properties: UserPoolProperties, ctx: ProviderContext): Promise<void> {
  const { EmailAuthenticationMessage: Message, EmailAuthenticationSubject: Subject, SmsConfiguration } = properties;
  const { EnabledMfas = [], MfaConfiguration = 'OFF', SmsAuthenticationMessage } = properties;
  const passkeys = defined({
    FactorConfiguration: properties.WebAuthnFactorConfiguration,
    RelyingPartyId: properties.WebAuthnRelyingPartyID,
    UserVerification: properties.WebAuthnUserVerification,
  });
  const isOn = MfaConfiguration !== 'OFF' && EnabledMfas.length === 0;
  const sms = EnabledMfas.includes('SMS_MFA') || (isOn && SmsConfiguration !== undefined);
  await run(ctx, 'cognito-idp', 'SetUserPoolMfaConfig', {
    UserPoolId,
    MfaConfiguration,
    SmsMfaConfiguration: sms ? defined({ SmsAuthenticationMessage, SmsConfiguration }) : undefined,
    SoftwareTokenMfaConfiguration: EnabledMfas.includes('SOFTWARE_TOKEN_MFA') ? { Enabled: true } : undefined,
    WebAuthnConfiguration: unlessEmpty(passkeys),
    EmailMfaConfiguration: EnabledMfas.includes('EMAIL_OTP') ? defined({ Message, Subject }) : undefined,
  });
}

/** Returns the second factors in template form. */
async function mfaOf(UserPoolId: string, ctx: ProviderContext): Promise<Properties> {
  const found = await ctx.call('cognito-idp', 'GetUserPoolMfaConfig', { UserPoolId });
  const { EmailMfaConfiguration: email, WebAuthnConfiguration: passkeys } = found;
  const EnabledMfas = [
    ...(found.SmsMfaConfiguration ? ['SMS_MFA'] : []),
    ...(found.SoftwareTokenMfaConfiguration?.Enabled ? ['SOFTWARE_TOKEN_MFA'] : []),
    ...(email ? ['EMAIL_OTP'] : []),
  ];
  return {
    EmailAuthenticationMessage: email?.Message,
    EmailAuthenticationSubject: email?.Subject,
    EnabledMfas: unlessEmpty(EnabledMfas),
    WebAuthnFactorConfiguration: passkeys?.FactorConfiguration,
    WebAuthnRelyingPartyID: passkeys?.RelyingPartyId,
    WebAuthnUserVerification: passkeys?.UserVerification,
  };
}

/**
 * Returns the custom attributes to add to a pool.
 * @throws AwsError for any other change of the schema
 */
function addedAttributes(previous: UserPoolProperties, desired: UserPoolProperties): Attribute[] {
  const { added, removed } = listChanges(previous.Schema, desired.Schema);
  if (removed.length)
    throw cognitoIdpError('InvalidParameterException', 'Existing schema attributes cannot be modified or deleted.');
  return added;
}

/**
 * User pools.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpool.html
 */
export const userPool: AnyResourceProvider = defineProvider<UserPoolProperties>({
  typeName: 'AWS::Cognito::UserPool',
  model,
  handles: [...SETTINGS, ...FIXED, ...MFA, 'Schema', 'UserPoolName'],

  async create(properties, ctx) {
    const { UserPoolName: PoolName = ctx.name({ max: 128 }) } = properties;
    const settings = omit(properties, 'UserPoolName', ...MFA, ...(hasMfa(properties) ? ['MfaConfiguration'] : []));
    const made = await run(ctx, 'cognito-idp', 'CreateUserPool', { ...settings, PoolName });
    const UserPoolId = made.UserPool!.Id!;
    if (hasMfa(properties)) {
      ctx.created(UserPoolId);
      await setMfa(UserPoolId, properties, ctx);
    }
    return { identifier: UserPoolId };
  },

  async read(UserPoolId, ctx) {
    const found = await poolOf(UserPoolId, ctx);
    if (!found) return undefined;
    const ProviderName = `cognito-idp.${ctx.region}.amazonaws.com/${UserPoolId}`;
    return {
      properties: defined({
        ...(pick(found, [...SETTINGS, ...FIXED] as never[]) as Properties),
        ...(await mfaOf(UserPoolId, ctx)),
        LambdaConfig: unlessEmpty(found.LambdaConfig as Properties | undefined),
        UserPoolName: found.Name,
        UserPoolTags: unlessEmpty(found.UserPoolTags as Record<string, string> | undefined),
      }),
      attributes: { Arn: found.Arn, ProviderName, ProviderURL: `https://${ProviderName}`, UserPoolId },
    };
  },

  async update(UserPoolId, previous, desired, ctx) {
    for (const name of FIXED)
      if (differs(previous, desired, name))
        throw cognitoIdpError('InvalidParameterException', `Updates are not allowed for property - ${name}.`);
    const CustomAttributes = addedAttributes(previous, desired);
    if (CustomAttributes.length) await run(ctx, 'cognito-idp', 'AddCustomAttributes', { UserPoolId, CustomAttributes });
    // An update resets missing members to their defaults.
    await run(ctx, 'cognito-idp', 'UpdateUserPool', {
      ...pick(desired, SETTINGS),
      ...(hasMfa(desired) && { MfaConfiguration: undefined }),
      ...(previous.UserPoolTags && !desired.UserPoolTags && { UserPoolTags: {} }),
      PoolName: desired.UserPoolName,
      UserPoolId,
    });
    if (hasMfa(desired) || hasMfa(previous)) await setMfa(UserPoolId, desired, ctx);
  },

  async delete(UserPoolId, _properties, ctx) {
    await unless(ctx.call('cognito-idp', 'DeleteUserPool', { UserPoolId }), GONE);
  },

  list: (ctx) =>
    everyItem(async (NextToken) => {
      const page = await ctx.call('cognito-idp', 'ListUserPools', defined({ MaxResults: 60, NextToken }));
      return [page.UserPools?.map(({ Id }) => Id!), page.NextToken] as const;
    }),
});
