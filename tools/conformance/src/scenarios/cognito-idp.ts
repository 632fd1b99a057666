import { createHmac } from 'node:crypto';
import * as sdk from '@aws-sdk/client-cognito-identity-provider';
import { definePlugin, type ServiceManifest } from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-cognito-idp/model/cognito-idp.json' with { type: 'json' };
import lambdaModel from '../../../../packages/svc-lambda/model/lambda.json' with { type: 'json' };
import sesModel from '../../../../packages/svc-ses/model/ses.json' with { type: 'json' };
import snsModel from '../../../../packages/svc-sns/model/sns.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import * as pages from './cognito-idp-pages.ts';
import * as risks from './cognito-idp-risks.ts';

const UserPoolId = 'us-east-1_known';
const ResourceArn = `arn:aws:cognito-idp:us-east-1:123456789012:userpool/${UserPoolId}`;
const PASSWORD = 'Passw0rd!';
const FUNCTION = 'arn:aws:lambda:us-east-1:123456789012:function:f';
const ROLE = 'arn:aws:iam::123456789012:role/r';
const CALLBACK = 'https://app.example.com/';

/** Latest message to a phone, which contains the code. */
let latest = '';
const manifestOf = (name: string, plugin: ReturnType<typeof definePlugin>): ServiceManifest => ({
  name,
  signingNames: [name],
  hostNames: [name],
  load: async () => plugin,
});

/** Phones with messages that contain codes. */
const sns = manifestOf(
  'sns',
  definePlugin<{ Publish: { input: { Message: string }; output: object } }, undefined>({
    name: 'sns',
    model: snsModel as unknown as ServiceModel,
    stateScope: 'region',
    collections: [],
    operations: [
      {
        Publish: ({ Message }) => {
          latest = Message;
          return { MessageId: 'm' };
        },
      },
    ],
  }),
);

/** E-mails, the latest of which contains the feedback links about a sign-in. */
const ses = manifestOf(
  'ses',
  definePlugin<{ SendEmail: { input: object; output: object } }, undefined>({
    name: 'ses',
    model: sesModel as unknown as ServiceModel,
    stateScope: 'region',
    collections: [],
    operations: [
      {
        SendEmail: (input) => {
          risks.noteEmail(input);
          return { MessageId: 'm' };
        },
      },
    ],
  }),
);

/** A function that allows everything and adds its client metadata to tokens. */
const lambda = manifestOf(
  'lambda',
  definePlugin<{ Invoke: { input: { Payload: Uint8Array }; output: object } }, undefined>({
    name: 'lambda',
    model: lambdaModel as unknown as ServiceModel,
    stateScope: 'region',
    collections: [],
    operations: [
      {
        Invoke: ({ Payload }) => {
          const event = JSON.parse(Buffer.from(Payload).toString()) as {
            triggerSource: string;
            request: { clientMetadata?: { refuse?: string }; validationData?: { refuse?: string } };
          };
          const { clientMetadata, validationData } = event.request;
          if (clientMetadata?.refuse || validationData?.refuse)
            return { StatusCode: 200, FunctionError: 'Unhandled', Payload: Buffer.from('{"errorMessage":"refused"}') };
          return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(event)) };
        },
      },
    ],
  }),
);

const codeIn = (): string => /\d{6}/.exec(latest)![0];
const attribute = (Name: string, Value: string) => ({ Name, Value });
const ALL_FLOWS = [
  'ALLOW_USER_PASSWORD_AUTH',
  'ALLOW_ADMIN_USER_PASSWORD_AUTH',
  'ALLOW_USER_SRP_AUTH',
  'ALLOW_CUSTOM_AUTH',
  'ALLOW_REFRESH_TOKEN_AUTH',
  'ALLOW_USER_AUTH',
];

const settings = {
  Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
  AutoVerifiedAttributes: ['phone_number'],
  SmsConfiguration: { SnsCallerArn: ROLE },
  DeviceConfiguration: { ChallengeRequiredOnNewDevice: true, DeviceOnlyRememberedOnUserPrompt: false },
  UserPoolTier: 'PLUS',
  UserPoolAddOns: { AdvancedSecurityMode: 'AUDIT' },
  LambdaConfig: {
    PreSignUp: FUNCTION,
    PostConfirmation: FUNCTION,
    CustomMessage: FUNCTION,
    PreTokenGeneration: FUNCTION,
    PreAuthentication: FUNCTION,
    PostAuthentication: FUNCTION,
  },
};

/** Creates a pool with clients, users in every state, a group, a resource server, a provider and a domain. */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateUserPool', { PoolName: 'known', UserPoolTags: { _custom_id_: 'known', team: 'a' }, ...settings });
  await send('SetUserPoolMfaConfig', {
    UserPoolId,
    MfaConfiguration: 'OPTIONAL',
    SoftwareTokenMfaConfiguration: { Enabled: true },
    SmsMfaConfiguration: {},
    EmailMfaConfiguration: {},
    ...pages.WEB_AUTHN,
  });
  await send('CreateUserPool', { PoolName: 'other', UserPoolTags: { _custom_id_: 'other' } });
  await send('CreateResourceServer', {
    UserPoolId,
    Identifier: 'known',
    Name: 'known',
    Scopes: [{ ScopeName: 'read', ScopeDescription: 'r' }],
  });
  await send('CreateIdentityProvider', { UserPoolId, ProviderName: 'known', ...google(), IdpIdentifiers: ['known'] });
  await send('CreateUserPoolDomain', { UserPoolId, Domain: 'known' });
  const client = async (more: object): Promise<{ ClientId: string; ClientSecret?: string }> => {
    const { UserPoolClient } = await send('CreateUserPoolClient', {
      UserPoolId,
      ClientName: 'known',
      ExplicitAuthFlows: ALL_FLOWS,
      CallbackURLs: [CALLBACK],
      ...more,
    });
    return UserPoolClient as { ClientId: string; ClientSecret?: string };
  };
  const { ClientId } = await client({});
  const secret = await client({ GenerateSecret: true, EnablePropagateAdditionalUserContextData: true });
  const { ClientSecretDescriptor } = await send('AddUserPoolClientSecret', { UserPoolId, ClientId: secret.ClientId });
  await send('CreateGroup', { UserPoolId, GroupName: 'known' });
  const made: Facts = { ClientId, SecretClient: secret.ClientId, Secret: secret.ClientSecret! };
  made.SecretId = (ClientSecretDescriptor as { ClientSecretId: string }).ClientSecretId;
  const { Terms } = await send('CreateTerms', { UserPoolId, ClientId, ...terms() });
  made.TermsId = (Terms as { TermsId: string }).TermsId;
  await user(send, 'known');
  await send('AdminLinkProviderForUser', { UserPoolId, DestinationUser: ownUser(), SourceUser: linked() });
  await send('AdminAddUserToGroup', { UserPoolId, GroupName: 'known', Username: 'known' });
  const tokens = await signIn(send, made);
  const DeviceKey = tokens.NewDeviceMetadata!.DeviceKey!;
  await send('ConfirmDevice', {
    AccessToken: tokens.AccessToken,
    DeviceKey,
    DeviceSecretVerifierConfig: { PasswordVerifier: 'AQ==', Salt: 'AQ==' },
  });
  const facts = { ...made, AccessToken: tokens.AccessToken!, RefreshToken: tokens.RefreshToken!, DeviceKey };
  return { ...facts, ...(await pages.setUpPages(send, facts)) };
}

async function user(send: Send, Username: string): Promise<void> {
  await send('AdminCreateUser', {
    UserPoolId,
    Username,
    MessageAction: 'SUPPRESS',
    UserAttributes: [
      attribute('phone_number', '+15555550123'),
      attribute('phone_number_verified', 'true'),
      attribute('name', 'N'),
    ],
  });
  await send('AdminSetUserPassword', { UserPoolId, Username, Password: PASSWORD, Permanent: true });
}

interface Tokens {
  AccessToken?: string;
  RefreshToken?: string;
  NewDeviceMetadata?: { DeviceKey?: string };
}

const byAdministrator = { AuthFlow: 'ADMIN_USER_PASSWORD_AUTH' };
const passwordFlow = ({ ClientId }: Facts, USERNAME = 'known') => ({
  ClientId,
  AuthFlow: 'USER_PASSWORD_AUTH',
  AuthParameters: { USERNAME, PASSWORD },
});

async function signIn(send: Send, facts: Facts): Promise<Tokens> {
  const { AuthenticationResult } = await send('InitiateAuth', passwordFlow(facts));
  return AuthenticationResult as Tokens;
}

const google = () => ({
  ProviderType: 'Google',
  ProviderDetails: { client_id: 'a', client_secret: 'b', authorize_scopes: 'openid' },
});

/** Computes the code of a software token (RFC 6238). */
function totp(secret: string, now: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  return String((mac.readUInt32BE(mac[19]! & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Returns every pool with its contents. */
async function observe(send: Send, facts: Facts): Promise<unknown> {
  const answer = async (operation: string, input: object) => {
    const { $metadata: _, ...rest } = await send(operation, input as Record<string, unknown>);
    return rest;
  };
  const { UserPools } = await send('ListUserPools', { MaxResults: 60 });
  const { AccessToken } = facts;
  // Effects visible to the users themselves only; failed requests change nothing.
  const noticed = [
    await outcomeOf(send('GetUser', { AccessToken })),
    await outcomeOf(send('VerifySoftwareToken', { AccessToken, UserCode: '000000' })),
    await outcomeOf(send('VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code: 'x' })),
    await outcomeOf(send('AdminSetUserMFAPreference', { ...known(), SoftwareTokenMfaSettings: { Enabled: true } })),
  ];
  const all = await Promise.all(
    (UserPools as { Id: string }[]).map(async ({ Id }) => {
      const pool = { UserPoolId: Id };
      const all = await Promise.all([
        answer('DescribeUserPool', pool),
        answer('GetUserPoolMfaConfig', pool),
        answer('ListUserPoolClients', pool),
        answer('ListUsers', pool),
        answer('ListGroups', pool),
        answer('ListResourceServers', pool),
        answer('ListIdentityProviders', pool),
        answer('ListTerms', pool),
        answer('DescribeRiskConfiguration', pool),
      ]);
      const { UserPoolClients } = all[2] as { UserPoolClients: { ClientId: string }[] };
      const { Users } = all[3] as { Users: { Username: string }[] };
      const { Groups } = all[4] as { Groups: { GroupName: string }[] };
      const { Providers } = all[6] as { Providers: { ProviderName: string }[] };
      const domain = (all[0] as { UserPool: { Domain?: string } }).UserPool.Domain;
      return [
        ...all,
        ...(await Promise.all(
          UserPoolClients.map(({ ClientId }) => answer('DescribeUserPoolClient', { ...pool, ClientId })),
        )),
        ...(await Promise.all(
          UserPoolClients.map(({ ClientId }) => answer('ListUserPoolClientSecrets', { ...pool, ClientId })),
        )),
        ...(await Promise.all(
          UserPoolClients.map(({ ClientId }) => answer('DescribeRiskConfiguration', { ...pool, ClientId })),
        )),
        ...(await Promise.all(
          (all[7] as { Terms: { TermsId: string }[] }).Terms.map(({ TermsId }) =>
            answer('DescribeTerms', { ...pool, TermsId }),
          ),
        )),
        ...(await Promise.all(Users.map(({ Username }) => answer('AdminGetUser', { ...pool, Username })))),
        ...(await Promise.all(Users.map(({ Username }) => answer('AdminListDevices', { ...pool, Username })))),
        ...(await Promise.all(Groups.map(({ GroupName }) => answer('ListUsersInGroup', { ...pool, GroupName })))),
        ...(await Promise.all(
          Providers.map(({ ProviderName }) => answer('DescribeIdentityProvider', { ...pool, ProviderName })),
        )),
        domain && (await answer('DescribeUserPoolDomain', { Domain: domain })),
      ];
    }),
  );
  const { Users } = await send('ListUsers', { UserPoolId });
  const events = (Users as { Username: string }[]).map(({ Username }) => outcomeAndEvents(send, Username));
  return [noticed, all, await Promise.all(events), await pages.observePages(send, facts)];
}

const outcomeAndEvents = async (send: Send, Username: string): Promise<unknown> => {
  try {
    return (await send('AdminListUserAuthEvents', { UserPoolId, Username })).AuthEvents;
  } catch (error) {
    return (error as Error).name;
  }
};

const inPool = () => ({ UserPoolId });
const known = () => ({ UserPoolId, Username: 'known' });
const group = () => ({ UserPoolId, GroupName: 'known' });
const member = () => ({ ...group(), Username: 'known' });
const device = ({ DeviceKey }: Facts) => ({ ...known(), DeviceKey });
const ownDevice = ({ AccessToken, DeviceKey }: Facts) => ({ AccessToken, DeviceKey });
const own = ({ AccessToken }: Facts) => ({ AccessToken });
const terms = () => ({
  TermsName: 'terms-of-use',
  TermsSource: 'LINK',
  Enforcement: 'NONE',
  Links: { 'cognito:default': CALLBACK },
});
const termsOf = ({ TermsId }: Facts) => ({ UserPoolId, TermsId });
const blocked = () => ({ RiskExceptionConfiguration: { BlockedIPRangeList: ['203.0.113.0/24'] } });
const linked = () => ({
  ProviderName: 'known',
  ProviderAttributeName: 'Cognito_Subject',
  ProviderAttributeValue: '1',
});
const ownUser = () => ({ ProviderName: 'Cognito', ProviderAttributeName: 'Username', ProviderAttributeValue: 'known' });
const server = () => ({ UserPoolId, Identifier: 'known' });
const provider = () => ({ UserPoolId, ProviderName: 'known' });
const client = ({ ClientId }: Facts) => ({ UserPoolId, ClientId });
const secretClient = ({ SecretClient }: Facts) => ({ UserPoolId, ClientId: SecretClient });
const hash = ({ Secret, SecretClient }: Facts, name: string): string =>
  createHmac('sha256', Secret!).update(`${name}${SecretClient}`).digest('base64');

/** Signs a user up and returns the sent message. */
const signedUp = async (send: Send, { ClientId }: Facts): Promise<Facts> => {
  await send('SignUp', {
    ClientId,
    Username: 'new',
    Password: PASSWORD,
    UserAttributes: [attribute('phone_number', '+15555550199')],
  });
  return { code: codeIn() };
};
const forgot = async (send: Send, { ClientId }: Facts): Promise<Facts> => {
  await send('ForgotPassword', { ClientId, Username: 'known' });
  return { code: codeIn() };
};
const asked = async (send: Send, facts: Facts): Promise<Facts> => {
  await send('AdminSetUserMFAPreference', { ...known(), SMSMfaSettings: { Enabled: true } });
  const { Session } = await send('InitiateAuth', passwordFlow(facts));
  return { Session: Session as string, code: codeIn() };
};
const toBeVerified = async (send: Send, { AccessToken }: Facts): Promise<Facts> => {
  await send('AdminUpdateUserAttributes', {
    ...known(),
    UserAttributes: [attribute('phone_number_verified', 'false')],
  });
  await send('GetUserAttributeVerificationCode', { AccessToken, AttributeName: 'phone_number' });
  return { code: codeIn() };
};
const newDevice = async (send: Send, facts: Facts): Promise<Facts> => {
  const { AccessToken, NewDeviceMetadata } = await signIn(send, facts);
  return { AccessToken: AccessToken!, DeviceKey: NewDeviceMetadata!.DeviceKey! };
};
const answerSms = ({ Session, code }: Facts) => ({
  ChallengeName: 'SMS_MFA',
  Session,
  ChallengeResponses: { USERNAME: 'known', SMS_MFA_CODE: code },
});
const strings = (value: string) => [[attribute('name', value)]];
const metadata = [{ refuse: 'yes' }];
const changedPool = (send: Send) => send('UpdateUserPool', { UserPoolId, ...settings, DeletionProtection: 'ACTIVE' });
const anotherUser = (send: Send) => user(send, 'another');

/** Signs in through the client with a secret. */
const secretFlow = (facts: Facts) => ({
  ClientId: facts.SecretClient,
  AuthFlow: 'USER_PASSWORD_AUTH',
  AuthParameters: { USERNAME: 'known', PASSWORD, SECRET_HASH: hash(facts, 'known') },
});

/** Returns the outcome of a request: its response, or the name of the error. */
const outcomeOf = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'succeeded',
    (error: Error) => `${error.name}: ${error.message}`,
  );
/** Whether the user is still signed in. */
const stillSignedIn = (send: Send, { AccessToken }: Facts) => outcomeOf(send('GetUser', { AccessToken }));
const signsIn = (send: Send, facts: Facts) => outcomeOf(signIn(send, facts));
const eventsOf = async (send: Send) => (await send('AdminListUserAuthEvents', known())).AuthEvents;

/** Amazon Cognito user pools. */
export const cognitoIdp: Scenario = {
  service: 'cognito-idp',
  fakes: [sns, lambda, ses],
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const config = { ...emulator.clientConfig(), maxAttempts: 1 };
    const own = sender(new sdk.CognitoIdentityProviderClient(config) as never, sdk);
    return async (operation, input) => {
      if (operation === risks.LEVEL) return emulator.control.cognito.setRiskLevel(input as never) as never;
      if (operation === risks.COMPROMISED)
        return emulator.control.cognito.markPasswordCompromised(input as never) as never;
      if (operation === pages.PAGE) return { page: await (await emulator.fetch(String(input.url))).text() };
      if (operation !== pages.UPLOAD) return own(operation, input);
      const { url, body } = input as { url: string; body: string };
      const headers = { 'x-amz-server-side-encryption': 'aws:kms' };
      await emulator.fetch(url, { method: 'PUT', body, headers });
      return {};
    };
  },
  setUp,
  observe,
  inputs: {
    ...pages.inputs,
    AddCustomAttributes: () => ({ UserPoolId, CustomAttributes: [{ Name: 'a', AttributeDataType: 'String' }] }),
    AddUserPoolClientSecret: client,
    AdminAddUserToGroup: () => ({ ...member(), GroupName: 'more' }),
    AdminConfirmSignUp: () => ({ UserPoolId, Username: 'new' }),
    AdminCreateUser: () => ({ UserPoolId, Username: 'made' }),
    AdminDeleteUser: known,
    AdminDeleteUserAttributes: () => ({ ...known(), UserAttributeNames: ['name'] }),
    AdminDisableUser: known,
    AdminDisableProviderForUser: () => ({ UserPoolId, User: linked() }),
    AdminEnableUser: known,
    AdminForgetDevice: device,
    AdminGetDevice: device,
    AdminGetUser: known,
    AdminInitiateAuth: (facts) => ({ UserPoolId, ...passwordFlow(facts), ...byAdministrator }),
    AdminLinkProviderForUser: () => ({
      UserPoolId,
      DestinationUser: ownUser(),
      SourceUser: { ...linked(), ProviderAttributeValue: '2' },
    }),
    AdminListDevices: known,
    AdminListGroupsForUser: known,
    AdminListUserAuthEvents: known,
    AdminRemoveUserFromGroup: member,
    AdminResetUserPassword: known,
    AdminRespondToAuthChallenge: (facts) => ({ ...client(facts), ...answerSms(facts) }),
    AdminSetUserMFAPreference: () => ({ ...known(), SMSMfaSettings: { Enabled: true } }),
    AdminSetUserPassword: () => ({ ...known(), Password: `${PASSWORD}2` }),
    AdminSetUserSettings: () => ({
      ...known(),
      MFAOptions: [{ DeliveryMedium: 'SMS', AttributeName: 'phone_number' }],
    }),
    AdminUpdateAuthEventFeedback: ({ EventId }) => ({ ...known(), EventId, FeedbackValue: 'Valid' }),
    AdminUpdateDeviceStatus: (facts) => ({ ...device(facts), DeviceRememberedStatus: 'not_remembered' }),
    AdminUpdateUserAttributes: () => ({ ...known(), UserAttributes: [attribute('name', 'X')] }),
    AdminUserGlobalSignOut: known,
    AssociateSoftwareToken: own,
    ChangePassword: (facts) => ({ ...own(facts), PreviousPassword: PASSWORD, ProposedPassword: `${PASSWORD}2` }),
    ConfirmDevice: (facts) => ({
      ...ownDevice(facts),
      DeviceSecretVerifierConfig: { PasswordVerifier: 'AQ==', Salt: 'AQ==' },
    }),
    ConfirmForgotPassword: ({ ClientId, code }) => ({
      ClientId,
      Username: 'known',
      ConfirmationCode: code,
      Password: `${PASSWORD}2`,
    }),
    ConfirmSignUp: ({ ClientId, code }) => ({ ClientId, Username: 'new', ConfirmationCode: code }),
    CreateGroup: () => ({ UserPoolId, GroupName: 'made' }),
    CreateIdentityProvider: () => ({ UserPoolId, ProviderName: 'made', ...google() }),
    CreateResourceServer: () => ({ UserPoolId, Identifier: 'made', Name: 'made' }),
    CreateTerms: (facts) => ({ ...client(facts), ...terms(), TermsName: 'privacy-policy' }),
    CreateUserPool: () => ({ PoolName: 'made' }),
    CreateUserPoolClient: () => ({ UserPoolId, ClientName: 'made' }),
    CreateUserPoolDomain: () => ({ UserPoolId: 'us-east-1_other', Domain: 'made' }),
    DeleteGroup: group,
    DeleteIdentityProvider: provider,
    DeleteResourceServer: server,
    DeleteTerms: termsOf,
    DeleteUser: own,
    DeleteUserAttributes: (facts) => ({ ...own(facts), UserAttributeNames: ['name'] }),
    DeleteUserPool: () => ({ UserPoolId: 'us-east-1_other' }),
    DeleteUserPoolClient: client,
    DeleteUserPoolClientSecret: (facts) => ({ ...secretClient(facts), ClientSecretId: facts.SecretId }),
    DeleteUserPoolDomain: () => ({ UserPoolId, Domain: 'known' }),
    DescribeIdentityProvider: provider,
    DescribeResourceServer: server,
    DescribeRiskConfiguration: inPool,
    DescribeTerms: termsOf,
    DescribeUserPool: inPool,
    DescribeUserPoolClient: client,
    DescribeUserPoolDomain: () => ({ Domain: 'known' }),
    ForgetDevice: ownDevice,
    ForgotPassword: ({ ClientId }) => ({ ClientId, Username: 'known' }),
    GetDevice: ownDevice,
    GetGroup: group,
    GetIdentityProviderByIdentifier: () => ({ UserPoolId, IdpIdentifier: 'known' }),
    GetTokensFromRefreshToken: ({ ClientId, RefreshToken }) => ({ ClientId, RefreshToken }),
    GetUser: own,
    GetUserAttributeVerificationCode: (facts) => ({ ...own(facts), AttributeName: 'phone_number' }),
    GetUserAuthFactors: own,
    GetUserPoolMfaConfig: inPool,
    GlobalSignOut: own,
    InitiateAuth: (facts) => passwordFlow(facts),
    ListDevices: own,
    ListGroups: inPool,
    ListIdentityProviders: inPool,
    ListResourceServers: inPool,
    ListTagsForResource: () => ({ ResourceArn }),
    ListTerms: inPool,
    ListUserPoolClientSecrets: secretClient,
    ListUserPoolClients: inPool,
    ListUserPools: () => ({ MaxResults: 60 }),
    ListUsers: inPool,
    ListUsersInGroup: group,
    ResendConfirmationCode: ({ ClientId }) => ({ ClientId, Username: 'new' }),
    RespondToAuthChallenge: (facts) => ({ ClientId: facts.ClientId, ...answerSms(facts) }),
    RevokeToken: ({ ClientId, RefreshToken }) => ({ ClientId, Token: RefreshToken }),
    SetRiskConfiguration: inPool,
    SetUserMFAPreference: (facts) => ({ ...own(facts), SMSMfaSettings: { Enabled: true } }),
    SetUserPoolMfaConfig: () => ({
      UserPoolId,
      MfaConfiguration: 'ON',
      SoftwareTokenMfaConfiguration: { Enabled: true },
    }),
    SetUserSettings: (facts) => ({
      ...own(facts),
      MFAOptions: [{ DeliveryMedium: 'SMS', AttributeName: 'phone_number' }],
    }),
    SignUp: ({ ClientId }) => ({ ClientId, Username: 'made', Password: PASSWORD }),
    TagResource: () => ({ ResourceArn, Tags: { new: 'x' } }),
    UpdateAuthEventFeedback: ({ EventId, FeedbackToken }) => ({
      ...known(),
      EventId,
      FeedbackToken,
      FeedbackValue: 'Valid',
    }),
    UntagResource: () => ({ ResourceArn, TagKeys: ['team'] }),
    UpdateDeviceStatus: (facts) => ({ ...ownDevice(facts), DeviceRememberedStatus: 'not_remembered' }),
    UpdateGroup: () => ({ ...group(), Description: 'new' }),
    UpdateIdentityProvider: () => ({ ...provider(), AttributeMapping: { name: 'name' } }),
    UpdateResourceServer: () => ({ ...server(), Name: 'new' }),
    UpdateTerms: (facts) => ({ ...termsOf(facts), TermsName: 'privacy-policy' }),
    UpdateUserAttributes: (facts) => ({ ...own(facts), UserAttributes: [attribute('name', 'X')] }),
    UpdateUserPool: () => ({ UserPoolId }),
    UpdateUserPoolClient: (facts) => ({ ...client(facts), ClientName: 'renamed' }),
    UpdateUserPoolDomain: () => ({ UserPoolId, Domain: 'known', ManagedLoginVersion: 2 }),
    VerifySoftwareToken: (facts) => ({ ...own(facts), UserCode: facts.userCode }),
    VerifyUserAttribute: (facts) => ({ ...own(facts), AttributeName: 'phone_number', Code: facts.code }),
  },
  also: {
    SetRiskConfiguration: [(facts) => client(facts), () => ({ UserPoolId, ...risks.configuration() })],
    AdminUpdateUserAttributes: [() => ({ ...known(), UserAttributes: [attribute('phone_number', '+15555550100')] })],
    UpdateUserAttributes: [(facts) => ({ ...own(facts), UserAttributes: [attribute('phone_number', '+15555550100')] })],
    AdminInitiateAuth: [
      (facts) => ({ ...client(facts), ...passwordFlow(facts), ...byAdministrator, ContextData: risks.context() }),
    ],
    AdminRespondToAuthChallenge: [(facts) => ({ ...client(facts), ...answerSms(facts), ContextData: risks.context() })],
    InitiateAuth: [secretFlow],
    RespondToAuthChallenge: [
      (facts) => ({
        ClientId: facts.SecretClient,
        ChallengeName: 'SMS_MFA',
        Session: facts.SecretSession,
        ChallengeResponses: {
          USERNAME: 'known',
          SMS_MFA_CODE: facts.secretCode,
          SECRET_HASH: hash(facts, 'known'),
        },
      }),
    ],
    ConfirmSignUp: [
      (facts) => ({
        ClientId: facts.SecretClient,
        Username: 'new',
        SecretHash: hash(facts, 'new'),
        ConfirmationCode: facts.code,
      }),
    ],
    ConfirmForgotPassword: [
      (facts) => ({
        ClientId: facts.SecretClient,
        Username: 'known',
        SecretHash: hash(facts, 'known'),
        ConfirmationCode: facts.code,
        Password: `${PASSWORD}2`,
      }),
    ],
    ResendConfirmationCode: [
      (facts) => ({ ClientId: facts.SecretClient, Username: 'new', SecretHash: hash(facts, 'new') }),
    ],
    ForgotPassword: [
      (facts) => ({ ClientId: facts.SecretClient, Username: 'known', SecretHash: hash(facts, 'known') }),
    ],
    SignUp: [
      (facts) => ({
        ClientId: facts.SecretClient,
        Username: 'made',
        Password: PASSWORD,
        SecretHash: hash(facts, 'made'),
      }),
    ],
    CreateUserPoolClient: [
      () => ({
        UserPoolId,
        ClientName: 'made',
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid'],
        CallbackURLs: [CALLBACK],
        LogoutURLs: [CALLBACK],
        DefaultRedirectURI: CALLBACK,
      }),
    ],
    UpdateUserPoolClient: [
      (facts) => ({
        ...client(facts),
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid'],
        CallbackURLs: [CALLBACK],
        LogoutURLs: [CALLBACK],
        DefaultRedirectURI: CALLBACK,
      }),
    ],
  },
  // Events are in memory only and are not records.
  live: [
    'AdminListUserAuthEvents',
    'AdminUpdateAuthEventFeedback',
    'SetRiskConfiguration',
    'UpdateAuthEventFeedback',
    ...pages.live,
  ],
  before: {
    ...pages.before,
    AdminAddUserToGroup: async (send) => {
      await send('CreateGroup', { UserPoolId, GroupName: 'more' });
      return {};
    },
    AdminConfirmSignUp: signedUp,
    AdminEnableUser: async (send) => {
      await send('AdminDisableUser', known());
      return {};
    },
    AdminRespondToAuthChallenge: asked,
    AdminListUserAuthEvents: async (send, facts) => {
      await signIn(send, facts);
      return {};
    },
    AdminUpdateAuthEventFeedback: async (send, facts) => {
      await signIn(send, facts);
      const { AuthEvents } = await send('AdminListUserAuthEvents', known());
      return { EventId: (AuthEvents as { EventId: string }[])[0]!.EventId };
    },
    UpdateAuthEventFeedback: async (send, facts) => {
      await risks.protect(send, settings);
      await send('SetRiskConfiguration', { UserPoolId, ...risks.configuration() });
      await send(risks.LEVEL, { userPoolId: UserPoolId, riskLevel: 'Low' });
      await signIn(send, facts);
      return risks.feedback();
    },
    ConfirmDevice: newDevice,
    ConfirmForgotPassword: forgot,
    ConfirmSignUp: signedUp,
    ResendConfirmationCode: signedUp,
    RespondToAuthChallenge: async (send, facts) => {
      const own = await asked(send, facts);
      const { Session } = await send('InitiateAuth', secretFlow(facts));
      return { ...own, SecretSession: Session as string, secretCode: codeIn() };
    },
    VerifySoftwareToken: async (send, { AccessToken }) => {
      const { SecretCode } = await send('AssociateSoftwareToken', { AccessToken });
      // The clock stands still; the changed state contains its time.
      const { UserLastModifiedDate } = await send('AdminGetUser', known());
      return { userCode: totp(SecretCode as string, (UserLastModifiedDate as Date).getTime()) };
    },
    VerifyUserAttribute: toBeVerified,
  },
  after: {
    ...pages.after,
    AdminInitiateAuth: eventsOf,
    AdminRespondToAuthChallenge: eventsOf,
    AdminUpdateAuthEventFeedback: eventsOf,
    UpdateAuthEventFeedback: eventsOf,
    SetRiskConfiguration: async (send, facts) => {
      await risks.protect(send, settings);
      return risks.effects(send, () => outcomeOf(signIn(send, facts)), facts.ClientId!);
    },
    AdminUserGlobalSignOut: stillSignedIn,
    AssociateSoftwareToken: (send, { AccessToken }) =>
      outcomeOf(send('VerifySoftwareToken', { AccessToken, UserCode: '000000' })),
    ChangePassword: signsIn,
    ConfirmForgotPassword: signsIn,
    ForgotPassword: (send, { ClientId }) =>
      outcomeOf(
        send('ConfirmForgotPassword', { ClientId, Username: 'known', ConfirmationCode: 'x', Password: PASSWORD }),
      ),
    GetUserAttributeVerificationCode: (send, { AccessToken }) =>
      outcomeOf(send('VerifyUserAttribute', { AccessToken, AttributeName: 'phone_number', Code: 'x' })),
    GlobalSignOut: stillSignedIn,
    InitiateAuth: eventsOf,
    ResendConfirmationCode: (send, { ClientId, code }) =>
      outcomeOf(send('ConfirmSignUp', { ClientId, Username: 'new', ConfirmationCode: code })),
    RespondToAuthChallenge: eventsOf,
    RevokeToken: stillSignedIn,
    // The name is sent with the token request.
    VerifySoftwareToken: async (send, facts) => {
      await send('AdminSetUserMFAPreference', { ...known(), SoftwareTokenMfaSettings: { Enabled: true } });
      return (await send('InitiateAuth', passwordFlow(facts))).ChallengeParameters;
    },
  },
  deviations: [
    { path: /completionMessage$/, reason: "AWS's own messages have spaces" },
    { path: /schemaAttributes\.\d+\.member\.name$/, reason: 'phone_number_verified is longer than names may be' },
  ],
  values: {
    ...pages.values,
    ...risks.values,
    'AdminSetUserMFAPreference.WebAuthnMfaSettings': [{ Enabled: true }],
    'SetUserMFAPreference.WebAuthnMfaSettings': [{ Enabled: true }],
    'SetRiskConfiguration.RiskExceptionConfiguration': [blocked().RiskExceptionConfiguration],
    'SetRiskConfiguration.RiskExceptionConfiguration.SkippedIPRangeList': [['203.0.113.0/24']],
    'CreateTerms.Links': [terms().Links],
    'UpdateTerms.Links': [{ 'cognito:default': 'https://app.example.com/other' }],
    'AdminConfirmSignUp.ClientMetadata': metadata,
    'AdminCreateUser.ClientMetadata': metadata,
    'AdminCreateUser.ValidationData': [[attribute('refuse', 'yes')]],
    'AdminCreateUser.UserAttributes': [...strings('a'), ...strings('b'), [attribute('phone_number', '+15555550100')]],
    'AdminCreateUser.TemporaryPassword': ['Other0ne!'],
    'AdminInitiateAuth.ClientMetadata': metadata,
    'AdminRespondToAuthChallenge.ClientMetadata': metadata,
    'AdminUpdateUserAttributes.UserAttributes': [...strings('a'), [attribute('phone_number', '+15555550100')]],
    'ConfirmSignUp.ClientMetadata': metadata,
    'ConfirmForgotPassword.ClientMetadata': metadata,
    'ForgotPassword.ClientMetadata': metadata,
    'GetTokensFromRefreshToken.ClientMetadata': metadata,
    'GetUserAttributeVerificationCode.ClientMetadata': metadata,
    'InitiateAuth.ClientMetadata': metadata,
    'ResendConfirmationCode.ClientMetadata': metadata,
    'RespondToAuthChallenge.ClientMetadata': metadata,
    'AdminResetUserPassword.ClientMetadata': metadata,
    'SignUp.ClientMetadata': metadata,
    'SignUp.ValidationData': [[attribute('refuse', 'yes')]],
    'SignUp.UserAttributes': [...strings('a'), ...strings('b')],
    'AdminUpdateUserAttributes.ClientMetadata': metadata,
    'UpdateUserAttributes.ClientMetadata': metadata,
    'UpdateUserAttributes.UserAttributes': [...strings('a'), [attribute('phone_number', '+15555550100')]],
    'ListUsers.Filter': ['name = "N"', 'name = "none"'],
    'ListUsers.AttributesToGet': [['name']],
    'CreateUserPool.LambdaConfig': [
      { PreSignUp: FUNCTION },
      { PreTokenGenerationConfig: { LambdaArn: FUNCTION, LambdaVersion: 'V2_0' } },
    ],
    'UpdateUserPool.LambdaConfig': [{ PreSignUp: FUNCTION }, {}],
    'CreateUserPool.Schema': [[{ Name: 'a', AttributeDataType: 'String' }]],
  },
  reads: {
    ...pages.reads,
    // It returns tokens, and changes nothing if they do not rotate.
    GetTokensFromRefreshToken: (send) =>
      send('AdminUpdateUserAttributes', { ...known(), UserAttributes: [attribute('name', 'X')] }),
    AdminGetDevice: (send, facts) =>
      send('AdminUpdateDeviceStatus', { ...device(facts), DeviceRememberedStatus: 'not_remembered' }),
    AdminGetUser: (send) => send('AdminDisableUser', known()),
    AdminListDevices: (send, facts) => send('AdminForgetDevice', device(facts)),
    AdminListGroupsForUser: (send) => send('AdminRemoveUserFromGroup', member()),
    AdminListUserAuthEvents: (send, facts) => signIn(send, facts),
    DescribeIdentityProvider: (send) =>
      send('UpdateIdentityProvider', { ...provider(), AttributeMapping: { name: 'name' } }),
    DescribeResourceServer: (send) => send('UpdateResourceServer', { ...server(), Name: 'new' }),
    DescribeRiskConfiguration: (send) => send('SetRiskConfiguration', { UserPoolId, ...blocked() }),
    DescribeTerms: (send, facts) => send('UpdateTerms', { ...termsOf(facts), TermsName: 'privacy-policy' }),
    DescribeUserPool: changedPool,
    DescribeUserPoolClient: (send, facts) => send('UpdateUserPoolClient', { ...client(facts), ClientName: 'renamed' }),
    DescribeUserPoolDomain: (send) =>
      send('UpdateUserPoolDomain', { UserPoolId, Domain: 'known', ManagedLoginVersion: 2 }),
    GetDevice: (send, facts) =>
      send('AdminUpdateDeviceStatus', { ...device(facts), DeviceRememberedStatus: 'not_remembered' }),
    GetGroup: (send) => send('UpdateGroup', { ...group(), Description: 'new' }),
    GetIdentityProviderByIdentifier: (send) =>
      send('UpdateIdentityProvider', { ...provider(), AttributeMapping: { name: 'name' } }),
    GetUser: (send) => send('AdminUpdateUserAttributes', { ...known(), UserAttributes: [attribute('name', 'X')] }),
    GetUserAuthFactors: (send) => send('AdminSetUserMFAPreference', { ...known(), SMSMfaSettings: { Enabled: true } }),
    GetUserPoolMfaConfig: (send) => send('SetUserPoolMfaConfig', { UserPoolId, MfaConfiguration: 'OFF' }),
    ListDevices: (send, facts) => send('AdminForgetDevice', device(facts)),
    ListGroups: (send) => send('DeleteGroup', group()),
    ListIdentityProviders: (send) => send('DeleteIdentityProvider', provider()),
    ListResourceServers: (send) => send('DeleteResourceServer', server()),
    ListTagsForResource: (send) => send('TagResource', { ResourceArn, Tags: { new: 'x' } }),
    ListTerms: (send, facts) => send('DeleteTerms', termsOf(facts)),
    ListUserPoolClientSecrets: (send, facts) =>
      send('DeleteUserPoolClientSecret', { ...secretClient(facts), ClientSecretId: facts.SecretId }),
    ListUserPoolClients: (send, facts) => send('DeleteUserPoolClient', client(facts)),
    ListUserPools: (send) => send('CreateUserPool', { PoolName: 'made' }),
    ListUsers: anotherUser,
    ListUsersInGroup: (send) => send('AdminRemoveUserFromGroup', member()),
  },
};
