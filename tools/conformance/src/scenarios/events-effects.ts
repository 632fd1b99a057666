import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { provide, type ServiceManifest, vendedLogs } from '@emu/core/service';
import { awsError } from '@emu/wire';
import { fakeService } from '../../../../packages/gateway/src/testing/fake-service.ts';
import type { Facts, Scenario, Send } from '../scenario.ts';

const ACCOUNT = '123456789012';
const arn = (service: string, resource: string): string => `arn:aws:${service}:us-east-1:${ACCOUNT}:${resource}`;
export const QUEUE = arn('sqs', 'work');
const RoleArn = `arn:aws:iam::${ACCOUNT}:role/deliver`;

/** Data sent to targets since the last operation, as texts. */
let sent: string[] = [];

/** A fake service that records calls of its operations; a stream named `broken` fails. */
const noting = (name: string, ...operations: string[]): ServiceManifest =>
  fakeService(
    name,
    Object.fromEntries(
      operations.map((operation) => [
        operation,
        (input, { traceHeader }) => {
          sent.push(`${operation} ${JSON.stringify(input)} ${traceHeader ?? ''}`);
          if (input.StreamName === 'broken') throw awsError('InternalFailure', 'It is broken.', { status: 500 });
          return { ARN: arn('secretsmanager', 'secret:connection') };
        },
      ]),
    ),
  );

const logs = noting('logs', 'CreateLogStream', 'PutLogEvents');
/** Fake log deliveries that record their input. */
const deliveries: ServiceManifest = {
  ...logs,
  provides: [vendedLogs],
  load: async () => ({
    ...(await logs.load()),
    provides: [
      provide(vendedLogs, () => ({
        deliver: async ({ logType }, records) => {
          for (const record of records) sent.push(`${logType} ${JSON.stringify(record)}`);
        },
      })),
    ],
  }),
};

/** Services that are targets of rules. */
export const fakes: readonly ServiceManifest[] = [
  noting('batch', 'SubmitJob'),
  noting('ecs', 'RunTask'),
  noting('kinesis', 'PutRecord'),
  noting('redshift-data', 'ExecuteStatement', 'BatchExecuteStatement'),
  noting('sagemaker', 'StartPipelineExecution'),
  noting('secretsmanager', 'CreateSecret', 'UpdateSecret', 'DeleteSecret'),
  noting('sqs', 'SendMessage'),
  noting('ssm', 'SendCommand'),
  deliveries,
];

/** Operations before which the recorded data is cleared. */
const FIRST = new Set(['PutEvents', 'PutPartnerEvents', 'CreateConnection', 'UpdateConnection']);

/** Returns a sender that records the data for targets from an operation on. */
export const noted =
  (send: Send): Send =>
  (operation, input) => {
    if (FIRST.has(operation)) sent = [];
    return send(operation, input);
  };

/** Waits for all deliveries and returns the data for targets. */
async function told(send: Send): Promise<string[]> {
  // Timers that are due have run when a request is answered; their consequences when the next one is.
  for (let count = -1; count !== sent.length; ) {
    count = sent.length;
    for (let n = 0; n < 2; n++) await send('DescribeEventBus', {});
  }
  return sent;
}

const entry = (EventBusName: string) => ({
  Source: 'app',
  DetailType: 'Order',
  Detail: '{"a":1}',
  Time: new Date('2026-01-01T00:00:00Z'),
  EventBusName,
});

/** Puts a matching event onto a bus. @returns the data for the targets */
async function delivered(send: Send, bus = 'default'): Promise<string[]> {
  await send('PutEvents', { Entries: [entry(bus)] });
  return told(send);
}

/** Puts a matching event onto a bus, with time for retries. @returns the data for the targets */
async function deliveredInTime(send: Send): Promise<string[]> {
  await send('PutEvents', { Entries: [entry('default')] });
  // The delay doubles with each attempt.
  for (const time of ['1s', '2s', '4s', '8s', '16s']) {
    await told(send);
    await send('Advance', { time });
  }
  return told(send);
}

/** Returns a received request without its port. */
async function textOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
  const { host: _, ...headers } = request.headers;
  return `${request.method} ${request.url} ${JSON.stringify(headers)} ${body}`;
}

/** Runs work with the URL of a server that returns tokens. @returns the received requests */
async function requestsTo(work: (url: string, requests: readonly string[]) => Promise<unknown>): Promise<string[]> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void textOf(request).then((text) => {
      requests.push(text);
      response.end('{"access_token":"token"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return requests.sort();
}

/** Waits for a condition, up to a timeout. */
async function settled(so: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200 && !(await so()); tries++) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Puts two events for an API destination. @returns the requests to it */
function calls(send: Send, Name: string, connection?: string): Promise<string[]> {
  return requestsTo(async (url, requests) => {
    const isOAuth = connection !== undefined && (await authorizedAt(send, connection, `${url}/token`));
    const { ApiDestinationArn } = await send('UpdateApiDestination', { Name, InvocationEndpoint: `${url}/*/orders` });
    const { Targets } = await send('ListTargetsByRule', { Rule: 'bare' });
    if ((Targets as { Arn: string }[]).every(({ Arn }) => Arn !== ApiDestinationArn))
      await send('PutTargets', { Rule: 'bare', Targets: [{ Id: 'http', Arn: ApiDestinationArn, RoleArn }] });
    await send('PutEvents', { Entries: [entry('default'), entry('default')] });
    await settled(() => requests.length >= (isOAuth ? 3 : 2));
  });
}

/** Makes a connection fetch its token from a URL. @returns whether it does, as OAuth connections do */
async function authorizedAt(send: Send, Name: string, AuthorizationEndpoint: string): Promise<boolean> {
  const { AuthorizationType } = await send('DescribeConnection', { Name });
  if (AuthorizationType !== 'OAUTH_CLIENT_CREDENTIALS') return false;
  await send('UpdateConnection', { Name, AuthParameters: { OAuthParameters: { AuthorizationEndpoint } } });
  await settled(async () => (await send('DescribeConnection', { Name })).ConnectionState !== 'AUTHORIZING');
  return true;
}

const nameIn = (resource: unknown): string => String(resource).split('/')[1]!;

/** Returns the secret of a connection, and the request to an API destination that uses it. */
async function called(send: Send, _: Facts, { ConnectionArn }: Record<string, unknown>): Promise<unknown> {
  const secrets = [...sent];
  await send('UpdateApiDestination', { Name: 'known', ConnectionArn });
  return [secrets, await calls(send, 'known', nameIn(ConnectionArn))];
}

/** Returns the data that targets of the rule receive. */
async function reached(send: Send): Promise<unknown> {
  const { Targets } = await send('ListTargetsByRule', { Rule: 'bare' });
  const arns = (Targets as { Arn: string }[]).map(({ Arn }) => Arn);
  if (arns.some((Arn) => Arn.includes(':api-destination/'))) return calls(send, 'known');
  return arns.some((Arn) => Arn.endsWith('/broken')) ? deliveredInTime(send) : delivered(send);
}

const logged = (send: Send, _: Facts, { EventBusArn, Arn }: Record<string, unknown>): Promise<unknown> =>
  delivered(send, String(EventBusArn ?? Arn));
const destination = (send: Send, _: Facts, { ApiDestinationArn }: Record<string, unknown>): Promise<unknown> =>
  calls(send, nameIn(ApiDestinationArn));

/** Effects of operations at targets. */
export const after: Scenario['after'] = {
  CreateApiDestination: destination,
  CreateArchive: async (send) => {
    await delivered(send, 'known');
    await send('Advance', { time: '2d' });
    return (await send('DescribeArchive', { ArchiveName: 'new' })).EventCount;
  },
  CreateConnection: called,
  CreateEventBus: logged,
  PutEvents: told,
  PutPartnerEvents: told,
  PutTargets: reached,
  UpdateApiDestination: destination,
  UpdateConnection: called,
  UpdateEventBus: logged,
};

const target = (Target: object) => () => ({ Rule: 'bare', Targets: [{ Id: 'new', ...Target }] });

/** Targets of every kind with parameters. */
export const targets: readonly ((facts: Facts) => Record<string, unknown>)[] = [
  target({
    Arn: arn('ecs', 'cluster/c'),
    RoleArn,
    EcsParameters: {
      TaskDefinitionArn: 'task',
      TaskCount: 2,
      LaunchType: 'FARGATE',
      NetworkConfiguration: {
        awsvpcConfiguration: { Subnets: ['subnet-1'], SecurityGroups: ['sg-1'], AssignPublicIp: 'ENABLED' },
      },
      PlatformVersion: '1.4.0',
      Group: 'group',
      CapacityProviderStrategy: [{ capacityProvider: 'spot', weight: 1, base: 2 }],
      EnableECSManagedTags: true,
      EnableExecuteCommand: true,
      PlacementConstraints: [{ type: 'memberOf', expression: 'x' }],
      PlacementStrategy: [{ type: 'spread', field: 'y' }],
      PropagateTags: 'TASK_DEFINITION',
      ReferenceId: 'reference',
    },
  }),
  ({ destination: Arn }) => ({
    Rule: 'bare',
    Targets: [
      {
        Id: 'new',
        Arn,
        RoleArn,
        HttpParameters: {
          PathParameterValues: ['a'],
          HeaderParameters: { 'x-b': 'c' },
          QueryStringParameters: { d: 'e' },
        },
      },
    ],
  }),
  target({
    Arn: arn('redshift', 'cluster:c'),
    RedshiftDataParameters: { Database: 'd', DbUser: 'u', Sql: 's', StatementName: 'n', WithEvent: true },
  }),
  target({
    Arn: arn('batch', 'job-queue/q'),
    RoleArn,
    BatchParameters: { JobDefinition: 'd', JobName: 'j', ArrayProperties: { Size: 2 }, RetryStrategy: { Attempts: 2 } },
  }),
  target({
    Arn: arn('sagemaker', 'pipeline/p'),
    SageMakerPipelineParameters: { PipelineParameterList: [{ Name: 'a', Value: 'b' }] },
  }),
  target({
    Arn: arn('ssm', 'document/d'),
    RunCommandParameters: { RunCommandTargets: [{ Key: 'k', Values: ['a', 'b'] }] },
  }),
  target({ Arn: `${QUEUE}.fifo`, SqsParameters: { MessageGroupId: 'group' } }),
  target({ Arn: QUEUE, InputTransformer: { InputPathsMap: { a: '$.detail.a' }, InputTemplate: '{"b":<a>}' } }),
  target({
    Arn: arn('kinesis', 'stream/broken'),
    RoleArn,
    KinesisParameters: { PartitionKeyPath: '$.detail-type' },
    RetryPolicy: { MaximumRetryAttempts: 100, MaximumEventAgeInSeconds: 60 },
    DeadLetterConfig: { Arn: arn('sqs', 'dead') },
  }),
  target({ Arn: arn('kinesis', 'stream/s'), RoleArn, KinesisParameters: { PartitionKeyPath: '$.detail-type' } }),
];
