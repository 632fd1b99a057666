import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { KMS } from '@aws-sdk/client-kms';
import { SFN } from '@aws-sdk/client-sfn';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROLE = 'arn:aws:iam::123456789012:role/r';
const DEFINITION = JSON.stringify({ StartAt: 'A', States: { A: { Type: 'Succeed' } } });

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [events, kinesis, kms, logs, ssm, stepfunctions, sts] });
});
afterAll(() => emulator.close());

type Config = ReturnType<TestEmulator['clientConfig']>;
/** Makes clients of a region. */
type As = <Client>(client: new (config: Config) => Client) => Client;
const inRegion =
  (region: string): As =>
  (client) =>
    new client({ ...emulator.clientConfig(), region });

/** Operations by ARN: creates a resource and returns its ARN; uses it; and the error for an ARN of another region. */
const CASES: readonly (readonly [
  operation: string,
  create: (as: As) => Promise<string | undefined>,
  use: (as: As, arn: string) => Promise<unknown>,
  error: object,
])[] = [
  [
    'GetParameter',
    async (as) => {
      await as(SSM).putParameter({ Name: '/app/key', Value: 'v', Type: 'String', Overwrite: true });
      return 'arn:aws:ssm:us-east-1:123456789012:parameter/app/key';
    },
    (as, Name) => as(SSM).getParameter({ Name }),
    { name: 'ParameterNotFound' },
  ],
  [
    'DeregisterStreamConsumer',
    async (as) => {
      await as(Kinesis).createStream({ StreamName: 's', ShardCount: 1 });
      const StreamARN = 'arn:aws:kinesis:us-east-1:123456789012:stream/s';
      await as(Kinesis).describeStreamSummary({ StreamARN });
      const { Consumer } = await as(Kinesis).registerStreamConsumer({ StreamARN, ConsumerName: 'c' });
      return Consumer?.ConsumerARN;
    },
    (as, ConsumerARN) => as(Kinesis).deregisterStreamConsumer({ ConsumerARN }),
    { name: 'ResourceNotFoundException' },
  ],
  [
    'DescribeEventBus',
    async (as) => (await as(EventBridge).createEventBus({ Name: 'bus' })).EventBusArn,
    (as, Name) => as(EventBridge).describeEventBus({ Name }),
    { name: 'ResourceNotFoundException', message: 'Event bus bus does not exist.' },
  ],
  [
    'PutRule',
    async (as) => (await as(EventBridge).createEventBus({ Name: 'rules' })).EventBusArn,
    (as, EventBusName) => as(EventBridge).putRule({ Name: 'r', EventBusName, EventPattern: '{"source":["s"]}' }),
    { name: 'ResourceNotFoundException' },
  ],
  [
    'DescribeKey',
    async (as) => (await as(KMS).createKey({})).KeyMetadata?.Arn,
    (as, KeyId) => as(KMS).describeKey({ KeyId }),
    { name: 'NotFoundException', message: 'Invalid arn us-east-1' },
  ],
  [
    'FilterLogEvents',
    async (as) => {
      await as(CloudWatchLogs).createLogGroup({ logGroupName: 'g' });
      return 'arn:aws:logs:us-east-1:123456789012:log-group:g';
    },
    (as, logGroupIdentifier) => as(CloudWatchLogs).filterLogEvents({ logGroupIdentifier }),
    { name: 'ResourceNotFoundException' },
  ],
  [
    'PutDeliverySource',
    async () => 'arn:aws:events:us-east-1:123456789012:event-bus/any',
    (as, resourceArn) => as(CloudWatchLogs).putDeliverySource({ name: 'source', resourceArn, logType: 'ERROR_LOGS' }),
    { name: 'ValidationException' },
  ],
  [
    'DescribeStateMachine',
    async (as) =>
      (await as(SFN).createStateMachine({ name: 'm', definition: DEFINITION, roleArn: ROLE })).stateMachineArn,
    (as, stateMachineArn) => as(SFN).describeStateMachine({ stateMachineArn }),
    { name: 'StateMachineDoesNotExist' },
  ],
];

test.each(CASES)('%s finds nothing by the ARN of another region', async (_operation, create, use, error) => {
  const arn = await create(inRegion('us-east-1'));
  // The other region has a state, too.
  await inRegion('eu-west-1')(SSM).putParameter({ Name: 'own', Value: 'v', Type: 'String', Overwrite: true });
  await expect(use(inRegion('eu-west-1'), arn!)).rejects.toMatchObject(error);
  await use(inRegion('us-east-1'), arn!);
});
