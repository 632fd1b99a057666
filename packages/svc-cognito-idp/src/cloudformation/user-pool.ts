import { type AnyResourceProvider, defineProvider, type ProviderContext } from '@emu/core';
import {
  defined,
  differs,
  everyItem,
  factsOf,
  listChanges,
  omit,
  type Properties,
  pick,
  run,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import { awsError } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = 'ResourceNotFoundException';
/** Properties that are members of the same name and that can be changed. */
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
/** Properties that a pool keeps for ever. */
const FIXED = ['AliasAttributes', 'UsernameAttributes', 'UsernameConfiguration'] as const;

interface Attribute extends Properties {
  Name?: string;
}

interface UserPoolProperties extends Properties {
  Schema?: readonly Attribute[];
  UserPoolName?: string;
  UserPoolTags?: Readonly<Record<string, string>>;
}

const poolOf = async (UserPoolId: string, ctx: ProviderContext) =>
  (await unless(ctx.call('cognito-idp', 'DescribeUserPool', { UserPoolId }), GONE))?.UserPool;

/** Attributes that a pool can be given later: the custom ones. @throws AwsError for any other change */
function addedAttributes(previous: UserPoolProperties, desired: UserPoolProperties): Attribute[] {
  const { added, removed } = listChanges(previous.Schema, desired.Schema);
  if (removed.length)
    throw awsError('InvalidParameterException', 'Existing schema attributes cannot be modified or deleted.');
  return added;
}

/**
 * User pools.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpool.html
 */
export const userPool: AnyResourceProvider = defineProvider<UserPoolProperties>({
  typeName: 'AWS::Cognito::UserPool',
  facts: factsOf(model, 'AWS::Cognito::UserPool'),
  handles: [...SETTINGS, ...FIXED, 'Schema', 'UserPoolName'],

  async create(properties, ctx) {
    const { UserPoolName: PoolName = ctx.name({ max: 128 }) } = properties;
    const made = await run(ctx, 'cognito-idp', 'CreateUserPool', { ...omit(properties, 'UserPoolName'), PoolName });
    return { identifier: made.UserPool!.Id! };
  },

  async read(UserPoolId, ctx) {
    const found = await poolOf(UserPoolId, ctx);
    if (!found) return undefined;
    const ProviderName = `cognito-idp.${ctx.region}.amazonaws.com/${UserPoolId}`;
    return {
      properties: defined({
        ...(pick(found, [...SETTINGS, ...FIXED] as never[]) as Properties),
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
        throw awsError('InvalidParameterException', `Updates are not allowed for property - ${name}.`);
    const CustomAttributes = addedAttributes(previous, desired);
    if (CustomAttributes.length) await run(ctx, 'cognito-idp', 'AddCustomAttributes', { UserPoolId, CustomAttributes });
    // What an update leaves out returns to its default.
    await run(ctx, 'cognito-idp', 'UpdateUserPool', {
      ...pick(desired, SETTINGS),
      ...(previous.UserPoolTags && !desired.UserPoolTags && { UserPoolTags: {} }),
      PoolName: desired.UserPoolName,
      UserPoolId,
    });
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
