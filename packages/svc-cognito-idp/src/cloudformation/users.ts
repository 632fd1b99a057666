import {
  ask,
  defined,
  defineProvider,
  everyItem,
  identifierOf,
  omit,
  type Properties,
  run,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import model from '../../model/cloudformation.json' with { type: 'json' };

const GONE = ['ResourceNotFoundException', 'UserNotFoundException'];
/** Client id that stands for the whole pool. */
const ALL = 'ALL';

interface UserProperties extends Properties {
  UserPoolId: string;
  Username?: string;
}

interface MemberProperties extends Properties {
  GroupName: string;
  UserPoolId: string;
  Username: string;
}

interface RiskProperties extends Properties {
  ClientId: string;
  UserPoolId: string;
}

interface Attribute {
  readonly Name?: string;
  readonly Value?: string;
}

/**
 * Users of user pools.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpooluser.html
 */
export const userPoolUser: AnyResourceProvider = defineProvider<UserProperties>({
  typeName: 'AWS::Cognito::UserPoolUser',
  model,
  service: 'cognito-idp',
  handles: [
    'ClientMetadata',
    'DesiredDeliveryMediums',
    'ForceAliasCreation',
    'MessageAction',
    'UserAttributes',
    'UserPoolId',
    'Username',
    'ValidationData',
  ],
  key: ['UserPoolId', 'Username'],
  gone: GONE,

  async create(properties, ctx) {
    const { UserPoolId, Username = ctx.name() } = properties;
    const { User } = await run(ctx, 'cognito-idp', 'AdminCreateUser', { ...properties, Username });
    return identifierOf(UserPoolId, User?.Username ?? Username);
  },

  find: (key, ctx) => ask(ctx, 'cognito-idp', 'AdminGetUser', key),

  describe: ({ UserAttributes }, key) => ({
    properties: defined({
      ...key,
      UserAttributes: unlessEmpty((UserAttributes as Attribute[] | undefined)?.filter(({ Name }) => Name !== 'sub')),
    }),
    attributes: {},
  }),

  remove: 'AdminDeleteUser',
  list: {
    operation: 'ListUsers',
    by: ['UserPoolId'],
    input: ({ UserPoolId }) => ({ UserPoolId }),
    token: ['PaginationToken', 'PaginationToken'],
    identifiers: ({ Users }: { Users?: { Username: string }[] }, { UserPoolId }) =>
      Users?.map(({ Username }) => identifierOf(String(UserPoolId), Username)),
  },
});

/**
 * Memberships of users in groups.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolusertogroupattachment.html
 */
export const userPoolUserToGroupAttachment: AnyResourceProvider = defineProvider<MemberProperties>({
  typeName: 'AWS::Cognito::UserPoolUserToGroupAttachment',
  model,
  service: 'cognito-idp',
  handles: ['GroupName', 'UserPoolId', 'Username'],
  key: ['UserPoolId', 'GroupName', 'Username'],
  gone: GONE,

  async create(properties, ctx) {
    await run(ctx, 'cognito-idp', 'AdminAddUserToGroup', properties);
    return identifierOf(properties.UserPoolId, properties.GroupName, properties.Username);
  },

  async find(key, ctx) {
    const groups = await everyItem(async (NextToken) => {
      const page = await run(ctx, 'cognito-idp', 'AdminListGroupsForUser', { ...omit(key, 'GroupName'), NextToken });
      return [page.Groups, page.NextToken] as const;
    });
    return groups.some(({ GroupName }) => GroupName === key.GroupName) ? key : undefined;
  },

  describe: (_found, key) => ({ properties: key, attributes: {} }),
  remove: 'AdminRemoveUserFromGroup',
});

/** Returns the input that selects the client of a configuration. */
const riskKey = ({ ClientId, UserPoolId }: Properties): Properties =>
  defined({ UserPoolId, ClientId: ClientId === ALL ? undefined : ClientId });

/**
 * Handling of risky sign-ins, for one client or all.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cognito-userpoolriskconfigurationattachment.html
 */
export const userPoolRiskConfigurationAttachment: AnyResourceProvider = defineProvider<RiskProperties>({
  typeName: 'AWS::Cognito::UserPoolRiskConfigurationAttachment',
  model,
  service: 'cognito-idp',
  handles: [
    'AccountTakeoverRiskConfiguration',
    'ClientId',
    'CompromisedCredentialsRiskConfiguration',
    'RiskExceptionConfiguration',
    'UserPoolId',
  ],
  key: ['UserPoolId', 'ClientId'],
  gone: GONE,

  async create(properties, ctx) {
    await run(ctx, 'cognito-idp', 'SetRiskConfiguration', {
      ...omit(properties, 'ClientId'),
      ...riskKey(properties),
    });
    return identifierOf(properties.UserPoolId, properties.ClientId);
  },

  async find(key, ctx) {
    const found = (await run(ctx, 'cognito-idp', 'DescribeRiskConfiguration', riskKey(key))).RiskConfiguration;
    const rest = omit(found as Properties, 'UserPoolId', 'ClientId', 'LastModifiedDate');
    return unlessEmpty(rest);
  },

  describe: (found, key) => ({ properties: { ...key, ...found }, attributes: {} }),

  update: (key, _previous, desired, ctx) =>
    run(ctx, 'cognito-idp', 'SetRiskConfiguration', { ...omit(desired, 'ClientId'), ...riskKey(key) }),

  remove: async (key, _properties, ctx) => await run(ctx, 'cognito-idp', 'SetRiskConfiguration', riskKey(key)),
});
