import * as sdk from '@aws-sdk/client-eventbridge';
import type { ServiceModel } from '@emu/wire';
import model from '../../../../packages/svc-events/model/events.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';
import { after, fakes, noted, QUEUE, targets } from './events-effects.ts';

const ACCOUNT = '123456789012';
const WEST = 'us-west-2';
const PARTNER = 'aws.partner/shop.example/orders';
const OFFERED = 'aws.partner/shop.example/offered';
const arn = (resource: string, region = 'us-east-1'): string => `arn:aws:events:${region}:${ACCOUNT}:${resource}`;
const PATTERN = '{"source":["app"]}';
const EVENT = JSON.stringify({
  id: '1',
  account: ACCOUNT,
  source: 'app',
  time: '2026-01-01T00:00:00Z',
  region: 'us-east-1',
  resources: [],
  'detail-type': 'Order',
  detail: {},
});

const basic = (Password: string) => ({ BasicAuthParameters: { Username: 'user', Password } });
const apiKey = { ApiKeyAuthParameters: { ApiKeyName: 'x-key', ApiKeyValue: 'secret' } };
const parameter = { Key: 'k', Value: 'v', IsValueSecret: true };
const oauth = {
  OAuthParameters: {
    ClientParameters: { ClientID: 'client', ClientSecret: 'secret' },
    AuthorizationEndpoint: 'https://localhost:1/token',
    HttpMethod: 'POST',
    OAuthHttpParameters: {
      HeaderParameters: [parameter],
      QueryStringParameters: [parameter],
      BodyParameters: [parameter],
    },
  },
};
const endpoint = (ReplicationState = 'DISABLED') => ({
  RoutingConfig: {
    FailoverConfig: {
      Primary: { HealthCheck: 'arn:aws:route53:::healthcheck/4be5c2d4-7a2e-4d7c-a6b5-7f2b4f1a7d11' },
      Secondary: { Route: WEST },
    },
  },
  ReplicationConfig: { State: ReplicationState },
  EventBuses: [{ EventBusArn: arn('event-bus/known') }, { EventBusArn: arn('event-bus/known', WEST) }],
  RoleArn: `arn:aws:iam::${ACCOUNT}:role/replicate`,
});
const replay = (ReplayName: string) => ({
  ReplayName,
  EventSourceArn: arn('archive/known'),
  EventStartTime: new Date('2026-01-01T00:00:00Z'),
  EventEndTime: new Date('2026-01-02T00:00:00Z'),
  Destination: { Arn: arn('event-bus/known') },
});

/**
 * Creates a resource of every kind: a bus with a policy, a rule with a target, an archive with a replay, a connection
 * and so on.
 */
async function setUp(send: Send): Promise<Facts> {
  await send('CreateEventBus', { Name: 'known', Tags: [{ Key: 'team', Value: 'a' }] });
  await send('West.CreateEventBus', { Name: 'known' });
  await send('CreateEventBus', { Name: 'empty' });
  await send('PutPermission', {
    EventBusName: 'known',
    Action: 'events:PutEvents',
    Principal: '000000000001',
    StatementId: 'first',
  });
  await send('PutRule', { Name: 'known', EventBusName: 'known', EventPattern: PATTERN });
  await send('PutRule', { Name: 'bare', EventPattern: PATTERN });
  await send('PutTargets', { Rule: 'known', EventBusName: 'known', Targets: [{ Id: 'one', Arn: QUEUE }] });
  await send('CreateArchive', { ArchiveName: 'known', EventSourceArn: arn('event-bus/known') });
  await send('StartReplay', replay('known'));
  const { ConnectionArn } = await send('CreateConnection', {
    Name: 'known',
    AuthorizationType: 'BASIC',
    AuthParameters: basic('x'),
  });
  const { ApiDestinationArn } = await send('CreateApiDestination', {
    Name: 'known',
    ConnectionArn,
    InvocationEndpoint: 'https://localhost:1/orders',
    HttpMethod: 'POST',
  });
  await send('CreateEndpoint', { Name: 'known', ...endpoint() });
  for (const Name of [PARTNER, OFFERED]) await send('CreatePartnerEventSource', { Name, Account: ACCOUNT });
  await send('CreateEventBus', { Name: PARTNER, EventSourceName: PARTNER });
  return { connection: ConnectionArn as string, destination: ApiDestinationArn as string };
}

const LISTS = [
  ['ListEventBuses'],
  ['ListRules', { EventBusName: 'known' }],
  ['ListRules'],
  ['ListTargetsByRule', { Rule: 'known', EventBusName: 'known' }],
  ['ListTargetsByRule', { Rule: 'bare' }],
  ['ListTagsForResource', { ResourceARN: arn('event-bus/known') }],
  ['ListArchives'],
  ['ListReplays'],
  ['ListConnections'],
  ['DescribeConnection', { Name: 'known' }],
  ['ListApiDestinations'],
  ['DescribeApiDestination', { Name: 'known' }],
  ['ListEndpoints'],
  ['ListEventSources'],
  ['ListPartnerEventSources', { NamePrefix: 'aws.partner/shop.example/' }],
  ['DescribeEventBus', { Name: 'known' }],
  ['DescribeArchive', { ArchiveName: 'known' }],
] as const;

/** Returns all lists; for deleted resources, their absence. */
async function observe(send: Send): Promise<unknown> {
  const told = async (operation: string, input: Record<string, unknown> = {}): Promise<unknown> => {
    try {
      const { $metadata: _, ...answer } = await send(operation, input);
      return answer;
    } catch (error) {
      if ((error as Error).name === 'ResourceNotFoundException') return 'gone';
      throw error;
    }
  };
  const found: unknown[] = [];
  for (const [operation, input] of LISTS) found.push(await told(operation, input));
  return found;
}

/** A route to another bus than the second one. */
const elsewhere = {
  FailoverConfig: { ...endpoint().RoutingConfig.FailoverConfig, Secondary: { Route: 'eu-west-1' } },
};
/** The rule of the archive, which can be changed with Force only. */
const archived = { Rule: 'Events-Archive-known', EventBusName: 'known' };
const targetsOf = { Rule: 'known', EventBusName: 'known' };
const rule = () => ({ Name: 'known', EventBusName: 'known' });
const bus = () => ({ Name: 'known' });
const tag = (send: Send) =>
  send('TagResource', { ResourceARN: arn('event-bus/known'), Tags: [{ Key: 'b', Value: 'c' }] });
const putRule = (send: Send) => send('PutRule', { ...rule(), EventPattern: PATTERN, Description: 'changed' });
const entry = (Source: string) => ({ Source, DetailType: 'Order', Detail: '{"a":1}' });

/** Amazon EventBridge. */
export const events: Scenario = {
  service: 'events',
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const clientAt = (region?: string): Send =>
      sender(
        new sdk.EventBridgeClient({
          ...emulator.clientConfig(),
          ...(region !== undefined && { region }),
          maxAttempts: 1,
        }) as never,
        sdk,
      );
    const here = clientAt();
    const west = clientAt(WEST);
    return noted(async (operation, input) => {
      if (operation === 'Advance') {
        await emulator.clock.advance(input.time as string);
        return {};
      }
      return operation.startsWith('West.') ? west(operation.slice('West.'.length), input) : here(operation, input);
    });
  },
  fakes,
  after,
  refuses: ({ FailedEntryCount }) => typeof FailedEntryCount === 'number' && FailedEntryCount > 0,
  setUp,
  before: {
    // A second item of each paged list.
    ...Object.fromEntries(
      (
        [
          ['ListApiDestinations', 'CreateApiDestination'],
          ['ListArchives', 'CreateArchive'],
          ['ListConnections', 'CreateConnection'],
          ['ListEndpoints', 'CreateEndpoint'],
        ] as const
      ).map(([list, create]) => [
        list,
        async (send: Send, facts: Facts): Promise<Facts> => {
          await send(create, events.inputs[create]!(facts));
          return {};
        },
      ]),
    ),
    ListReplays: async (send) => {
      await send('StartReplay', replay('second'));
      return {};
    },
    ListRuleNamesByTarget: async (send) => {
      await send('PutRule', { Name: 'second', EventBusName: 'known', EventPattern: PATTERN });
      await send('PutTargets', { Rule: 'second', EventBusName: 'known', Targets: [{ Id: 'one', Arn: QUEUE }] });
      return {};
    },
    ListTargetsByRule: async (send) => {
      await send('PutTargets', { ...targetsOf, Targets: [{ Id: 'two', Arn: QUEUE }] });
      return {};
    },
    ListPartnerEventSourceAccounts: async (send) => {
      await send('CreatePartnerEventSource', { Name: PARTNER, Account: '999999999999' });
      return {};
    },
    PutPartnerEvents: async (send) => {
      await send('PutRule', { Name: 'all', EventBusName: PARTNER, EventPattern: '{"detail-type":["Order"]}' });
      await send('PutTargets', { Rule: 'all', EventBusName: PARTNER, Targets: [{ Id: 'one', Arn: QUEUE }] });
      return {};
    },
    PutTargets: async (send) => {
      await send('PutTargets', { Rule: 'bare', Targets: [{ Id: 'old', Arn: QUEUE }] });
      return {};
    },
    UpdateApiDestination: async (send) => {
      const { ConnectionArn } = await send('CreateConnection', {
        Name: 'other',
        AuthorizationType: 'BASIC',
        AuthParameters: basic('y'),
      });
      return { other: ConnectionArn as string };
    },
    UpdateEndpoint: async (send) => {
      const { RoleArn: _, ...plain } = endpoint();
      await send('CreateEndpoint', { Name: 'plain', ...plain });
      return {};
    },
    ActivateEventSource: async (send) => {
      await send('DeactivateEventSource', { Name: PARTNER });
      return {};
    },
    DeleteRule: async (send) => {
      await send('RemoveTargets', { Rule: 'known', EventBusName: 'known', Ids: ['one'] });
      return {};
    },
    EnableRule: async (send) => {
      await send('DisableRule', rule());
      return {};
    },
  },
  observe,
  values: {
    ...Object.fromEntries(
      [
        ...['ListApiDestinations', 'ListArchives', 'ListConnections', 'ListReplays'].map((one) => `${one}.Limit`),
        ...['ListRuleNamesByTarget.Limit', 'ListTargetsByRule.Limit', 'ListEndpoints.MaxResults'],
        'ListPartnerEventSourceAccounts.Limit',
      ].map((member) => [member, [1]]),
    ),
    ...Object.fromEntries(
      ['CreateEndpoint', 'UpdateEndpoint'].flatMap((operation) => [
        [`${operation}.RoutingConfig`, [endpoint().RoutingConfig, elsewhere]],
        [`${operation}.RoutingConfig.FailoverConfig`, [elsewhere.FailoverConfig]],
        [`${operation}.EventBuses`, [[...endpoint().EventBuses].reverse()]],
      ]),
    ),
    ...Object.fromEntries(
      ['CreateEventBus', 'UpdateEventBus'].map((operation) => [
        `${operation}.LogConfig`,
        [{ IncludeDetail: 'FULL', Level: 'TRACE' }],
      ]),
    ),
    'PutTargets.Targets[].Id': ['old'],
    'PutTargets.Targets[].RedshiftDataParameters.SecretManagerArn': [
      `arn:aws:secretsmanager:us-east-1:${ACCOUNT}:secret:s`,
    ],
  },
  also: {
    ListApiDestinations: [({ connection }) => ({ ConnectionArn: connection })],
    ListArchives: [() => ({ EventSourceArn: arn('event-bus/known') })],
    ListReplays: [() => ({ EventSourceArn: arn('archive/known') })],
    CreateEndpoint: [
      () => ({ Name: 'new', ...endpoint('ENABLED') }),
      () => {
        const { RoleArn: _, ...plain } = endpoint();
        return { Name: 'new', ...plain };
      },
    ],
    CreateEventBus: [() => ({ Name: OFFERED, EventSourceName: OFFERED })],
    DeleteRule: [() => ({ ...archived, Name: archived.Rule, Force: true })],
    PutTargets: targets,
    RemovePermission: [() => ({ EventBusName: 'known', RemoveAllPermissions: true })],
    RemoveTargets: [() => ({ ...archived, Ids: [archived.Rule], Force: true })],
    UpdateApiDestination: [({ other }) => ({ Name: 'known', ConnectionArn: other })],
    UpdateEndpoint: [
      () => ({ Name: 'plain', ReplicationConfig: { State: 'DISABLED' } }),
      () => ({ Name: 'plain', ReplicationConfig: { State: 'ENABLED' }, RoleArn: endpoint().RoleArn }),
    ],
    CreateConnection: [
      () => ({ Name: 'new', AuthorizationType: 'OAUTH_CLIENT_CREDENTIALS', AuthParameters: oauth }),
      () => ({ Name: 'new', AuthorizationType: 'API_KEY', AuthParameters: apiKey }),
    ],
    UpdateConnection: [
      () => ({ Name: 'known', AuthorizationType: 'OAUTH_CLIENT_CREDENTIALS', AuthParameters: oauth }),
      () => ({ Name: 'known', AuthorizationType: 'API_KEY', AuthParameters: apiKey }),
    ],
  },
  inputs: {
    ActivateEventSource: () => ({ Name: PARTNER }),
    CancelReplay: () => ({ ReplayName: 'known' }),
    CreateApiDestination: ({ connection }) => ({
      Name: 'new',
      ConnectionArn: connection,
      InvocationEndpoint: 'https://localhost:1/orders',
      HttpMethod: 'POST',
    }),
    CreateArchive: () => ({ ArchiveName: 'new', EventSourceArn: arn('event-bus/known') }),
    CreateConnection: () => ({ Name: 'new', AuthorizationType: 'BASIC', AuthParameters: basic('x') }),
    CreateEndpoint: () => ({ Name: 'new', ...endpoint() }),
    CreateEventBus: () => ({ Name: 'new' }),
    CreatePartnerEventSource: () => ({ Name: `${PARTNER}/new`, Account: ACCOUNT }),
    DeactivateEventSource: () => ({ Name: PARTNER }),
    DeauthorizeConnection: bus,
    DeleteApiDestination: bus,
    DeleteArchive: () => ({ ArchiveName: 'known' }),
    DeleteConnection: bus,
    DeleteEndpoint: bus,
    DeleteEventBus: () => ({ Name: 'empty' }),
    DeletePartnerEventSource: () => ({ Name: PARTNER, Account: ACCOUNT }),
    DeleteRule: rule,
    DescribeApiDestination: bus,
    DescribeArchive: () => ({ ArchiveName: 'known' }),
    DescribeConnection: bus,
    DescribeEndpoint: bus,
    DescribeEventBus: bus,
    DescribeEventSource: () => ({ Name: PARTNER }),
    DescribePartnerEventSource: () => ({ Name: PARTNER }),
    DescribeReplay: () => ({ ReplayName: 'known' }),
    DescribeRule: rule,
    DisableRule: rule,
    EnableRule: rule,
    ListPartnerEventSourceAccounts: () => ({ EventSourceName: PARTNER }),
    ListPartnerEventSources: () => ({ NamePrefix: 'aws.partner/shop.example/' }),
    ListRuleNamesByTarget: () => ({ TargetArn: QUEUE, EventBusName: 'known' }),
    ListRules: () => ({ EventBusName: 'known' }),
    ListTagsForResource: () => ({ ResourceARN: arn('event-bus/known') }),
    ListTargetsByRule: () => ({ Rule: 'known', EventBusName: 'known' }),
    PutEvents: () => ({ Entries: [{ ...entry('app'), EventBusName: 'known' }] }),
    PutPartnerEvents: () => ({ Entries: [entry(PARTNER)] }),
    PutPermission: () => ({ EventBusName: 'known', Action: 'events:PutEvents', Principal: '*', StatementId: 'second' }),
    PutRule: () => ({ Name: 'new', EventPattern: PATTERN }),
    PutTargets: () => ({ Rule: 'bare', Targets: [{ Id: 'new', Arn: QUEUE }] }),
    RemovePermission: () => ({ EventBusName: 'known', StatementId: 'first' }),
    RemoveTargets: () => ({ Rule: 'known', EventBusName: 'known', Ids: ['one'] }),
    StartReplay: () => replay('new'),
    TagResource: () => ({ ResourceARN: arn('event-bus/known'), Tags: [{ Key: 'new', Value: 'x' }] }),
    TestEventPattern: () => ({ EventPattern: PATTERN, Event: EVENT }),
    UntagResource: () => ({ ResourceARN: arn('event-bus/known'), TagKeys: ['team'] }),
    UpdateApiDestination: () => ({ Name: 'known', HttpMethod: 'PUT' }),
    UpdateArchive: () => ({ ArchiveName: 'known', RetentionDays: 7 }),
    UpdateConnection: () => ({ Name: 'known', AuthParameters: { BasicAuthParameters: { Username: 'other' } } }),
    UpdateEndpoint: () => ({ Name: 'known', ReplicationConfig: { State: 'ENABLED' } }),
    UpdateEventBus: () => ({ Name: 'known', Description: 'changed' }),
  },
  reads: {
    DescribeApiDestination: (send) => send('UpdateApiDestination', { Name: 'known', HttpMethod: 'PUT' }),
    DescribeArchive: (send) => send('UpdateArchive', { ArchiveName: 'known', RetentionDays: 7 }),
    DescribeConnection: (send) => send('UpdateConnection', { Name: 'known', Description: 'changed' }),
    DescribeEndpoint: (send) => send('UpdateEndpoint', { Name: 'known', Description: 'changed' }),
    DescribeEventBus: (send) => send('UpdateEventBus', { Name: 'known', Description: 'changed' }),
    DescribeEventSource: (send) => send('DeactivateEventSource', { Name: PARTNER }),
    DescribePartnerEventSource: undefined,
    DescribeReplay: (send) => send('CancelReplay', { ReplayName: 'known' }),
    DescribeRule: putRule,
    ListApiDestinations: (send) => send('UpdateApiDestination', { Name: 'known', HttpMethod: 'PUT' }),
    ListArchives: (send) => send('UpdateArchive', { ArchiveName: 'known', RetentionDays: 7 }),
    ListConnections: (send) => send('DeauthorizeConnection', { Name: 'known' }),
    ListEndpoints: (send) => send('DeleteEndpoint', { Name: 'known' }),
    ListEventBuses: (send) => send('DeleteEventBus', { Name: 'empty' }),
    ListEventSources: (send) => send('DeactivateEventSource', { Name: PARTNER }),
    ListPartnerEventSourceAccounts: (send) => send('DeactivateEventSource', { Name: PARTNER }),
    ListPartnerEventSources: (send) => send('DeletePartnerEventSource', { Name: PARTNER, Account: ACCOUNT }),
    ListReplays: (send) => send('CancelReplay', { ReplayName: 'known' }),
    ListRuleNamesByTarget: (send) => send('RemoveTargets', { Rule: 'known', EventBusName: 'known', Ids: ['one'] }),
    ListRules: putRule,
    ListTagsForResource: tag,
    ListTargetsByRule: (send) => send('RemoveTargets', { Rule: 'known', EventBusName: 'known', Ids: ['one'] }),
    // Effects on events are visible at targets, which belong to other services, and through the control route; the
    // package's own tests cover them.
    PutEvents: undefined,
    PutPartnerEvents: undefined,
    TestEventPattern: undefined,
  },
};
