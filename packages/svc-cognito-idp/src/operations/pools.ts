import { copyOf } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import type { AwsError } from '@emu/wire';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, unavailableInTier } from '../errors.ts';
import { poolOf } from '../lookup.ts';
import { paging } from '../paging.ts';
import { describePool } from '../pools/describe.ts';
import { schemaOf, withCustom } from '../pools/schema.ts';
import { changedSettings, newSettings } from '../pools/settings.ts';
import type { Pool, PoolRecord } from '../records.ts';
import { tagging } from '../tags.ts';

/** Tag that sets the id of a new pool, after the region. */
const CUSTOM_ID = '_custom_id_';
const DOMAIN_NAME = /^(?=.{1,127}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;
const ID_LENGTH = 9;
const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

function newId(tags: Readonly<Record<string, string>>, { state }: CognitoIdpContext): string {
  const wanted = tags[CUSTOM_ID];
  if (wanted === undefined) return `${state.region}_${state.ids.chars(ID_LENGTH, ID_CHARACTERS)}`;
  const id = wanted.startsWith(`${state.region}_`) ? wanted : `${state.region}_${wanted}`;
  if (!/^[\w-]+_[0-9a-zA-Z]+$/.test(id)) throw invalidParameter(`${wanted} is not the id of a user pool.`);
  if (state.directory.pools.has(id)) throw invalidParameter(`There is a user pool ${id} already.`);
  return id;
}

const smsRequired = (): AwsError =>
  invalidParameter(
    'SMS configuration and Auto verification for phone_number are required when MFA is required/optional',
  );

export function CreateUserPool(input: InputOf<'CreateUserPool'>, ctx: CognitoIdpContext): OutputOf<'CreateUserPool'> {
  const { state } = ctx;
  const settings = copyOf(newSettings(input));
  const schema = schemaOf(input.Schema);
  const tags = tagging.merge(undefined, input.UserPoolTags);
  const mfa = input.MfaConfiguration ?? 'OFF';
  if (mfa !== 'OFF' && !input.SmsConfiguration) throw smsRequired();
  const id = newId(tags, ctx);
  delete tags[CUSTOM_ID];
  const now = state.clock.now();
  const pool: PoolRecord = {
    id,
    name: input.PoolName,
    createdAt: now,
    updatedAt: now,
    settings,
    schema,
    mfa,
    tags,
    ...(mfa !== 'OFF' && { smsMfa: true }),
    ...(input.SmsAuthenticationMessage !== undefined && { smsMfaMessage: input.SmsAuthenticationMessage }),
  };
  const made = state.pools.put(id, pool);
  state.directory.pools.set(id, state);
  return { UserPool: describePool(made, state) };
}

export function DescribeUserPool(
  input: InputOf<'DescribeUserPool'>,
  ctx: CognitoIdpContext,
): OutputOf<'DescribeUserPool'> {
  return { UserPool: describePool(poolOf(input, ctx), ctx.state) };
}

export function UpdateUserPool(input: InputOf<'UpdateUserPool'>, ctx: CognitoIdpContext): OutputOf<'UpdateUserPool'> {
  const pool = poolOf(input, ctx);
  const settings = copyOf(changedSettings(input, copyOf(pool.settings)));
  const mfa = input.MfaConfiguration ?? 'OFF';
  if (mfa !== 'OFF' && !input.SmsConfiguration && !pool.softwareTokenMfa && !pool.emailMfa) throw smsRequired();
  const tags = input.UserPoolTags && tagging.merge(undefined, input.UserPoolTags);
  ctx.state.pools.update(pool.id, (draft) => {
    draft.settings = settings;
    draft.mfa = mfa;
    draft.smsMfa = mfa !== 'OFF' && input.SmsConfiguration !== undefined;
    if (input.SmsAuthenticationMessage !== undefined) draft.smsMfaMessage = input.SmsAuthenticationMessage;
    if (input.PoolName !== undefined) draft.name = input.PoolName;
    if (tags) draft.tags = tags;
    draft.updatedAt = ctx.clock.now();
  });
  return {};
}

export function DeleteUserPool(input: InputOf<'DeleteUserPool'>, ctx: CognitoIdpContext): OutputOf<'DeleteUserPool'> {
  const pool = poolOf(input, ctx);
  if (pool.settings.DeletionProtection === 'ACTIVE')
    throw invalidParameter(
      'The user pool cannot be deleted because deletion protection is activated. Deletion protection must be inactivated first.',
    );
  if ([...ctx.state.domains.values()].some(({ poolId }) => poolId === pool.id))
    throw invalidParameter('User pool cannot be deleted. It has a domain configured that should be deleted first.');
  ctx.state.deletePool(pool);
  return {};
}

export function ListUserPools(
  input: InputOf<'ListUserPools'>,
  { state }: CognitoIdpContext,
): OutputOf<'ListUserPools'> {
  return paging
    .page('ListUserPools', input, state.pools.values(), ({ id }) => id)
    .list((pool) => ({
      Id: pool.id,
      Name: pool.name,
      LambdaConfig: copyOf(pool.settings.LambdaConfig ?? {}),
      CreationDate: new Date(pool.createdAt),
      LastModifiedDate: new Date(pool.updatedAt),
    }));
}

export function AddCustomAttributes(
  input: InputOf<'AddCustomAttributes'>,
  ctx: CognitoIdpContext,
): OutputOf<'AddCustomAttributes'> {
  const pool = poolOf(input, ctx);
  const schema = withCustom(pool.schema, input.CustomAttributes);
  ctx.state.pools.update(pool.id, (draft) => {
    draft.schema = schema;
    draft.updatedAt = ctx.clock.now();
  });
  return {};
}

/** Returns the MFA configuration of a pool. */
function mfaConfig(pool: Pool): OutputOf<'GetUserPoolMfaConfig'> {
  const { SmsConfiguration } = pool.settings;
  return {
    MfaConfiguration: pool.mfa,
    ...(pool.smsMfa && {
      SmsMfaConfiguration: {
        ...(pool.smsMfaMessage !== undefined && { SmsAuthenticationMessage: pool.smsMfaMessage }),
        ...(SmsConfiguration && { SmsConfiguration: { ...SmsConfiguration } }),
      },
    }),
    ...(pool.softwareTokenMfa !== undefined && { SoftwareTokenMfaConfiguration: { Enabled: pool.softwareTokenMfa } }),
    ...(pool.emailMfa && { EmailMfaConfiguration: { ...pool.emailMfa } }),
    ...(pool.webAuthn && { WebAuthnConfiguration: { ...pool.webAuthn } }),
  };
}

export function GetUserPoolMfaConfig(
  input: InputOf<'GetUserPoolMfaConfig'>,
  ctx: CognitoIdpContext,
): OutputOf<'GetUserPoolMfaConfig'> {
  return mfaConfig(poolOf(input, ctx));
}

export function SetUserPoolMfaConfig(
  input: InputOf<'SetUserPoolMfaConfig'>,
  ctx: CognitoIdpContext,
): OutputOf<'SetUserPoolMfaConfig'> {
  const pool = poolOf(input, ctx);
  const { SmsMfaConfiguration: sms, SoftwareTokenMfaConfiguration: token, EmailMfaConfiguration: email } = input;
  const { WebAuthnConfiguration: webAuthn } = input;
  if (webAuthn?.RelyingPartyId !== undefined && !DOMAIN_NAME.test(webAuthn.RelyingPartyId))
    throw invalidParameter('RelyingPartyId must be a domain name.');
  if (pool.settings.UserPoolTier === 'LITE' && (email || webAuthn))
    throw unavailableInTier('Email MFA and passkeys are not available in the LITE feature plan.');
  const mfa = input.MfaConfiguration ?? 'OFF';
  if (sms && !sms.SmsConfiguration && !pool.settings.SmsConfiguration)
    throw invalidParameter('SMS configuration is required to turn on SMS MFA.');
  if (mfa !== 'OFF' && !sms && !token?.Enabled && !email)
    throw invalidParameter(
      "Invalid MFA configuration given, can't disable all MFAs with a required or optional configuration.",
    );
  if (mfa === 'OFF' && (sms || token?.Enabled || email))
    throw invalidParameter("Invalid MFA configuration given, can't turn off MFA and configure an MFA together.");
  const changed = ctx.state.pools.update(pool.id, (draft) => {
    draft.mfa = mfa;
    draft.smsMfa = sms !== undefined;
    if (sms?.SmsConfiguration) draft.settings.SmsConfiguration = sms.SmsConfiguration;
    if (sms?.SmsAuthenticationMessage !== undefined) {
      draft.smsMfaMessage = sms.SmsAuthenticationMessage;
      draft.settings.SmsAuthenticationMessage = sms.SmsAuthenticationMessage;
    }
    if (token) draft.softwareTokenMfa = token.Enabled === true;
    else delete draft.softwareTokenMfa;
    if (email) draft.emailMfa = email;
    else delete draft.emailMfa;
    if (webAuthn) draft.webAuthn = { UserVerification: 'preferred', ...webAuthn };
    draft.updatedAt = ctx.clock.now();
  });
  return mfaConfig(changed);
}
