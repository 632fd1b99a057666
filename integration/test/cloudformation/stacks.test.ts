import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

let emulator: TestEmulator;
let cfn: CloudFormation;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [cloudformation, secretsmanager, sns, sqs, ssm] });
  cfn = new CloudFormation(emulator.clientConfig());
});
afterAll(() => emulator.close());

async function settled(StackName: string): Promise<string> {
  for (let turn = 0; turn < 2000; turn++) {
    const { Stacks } = await cfn.describeStacks({ StackName });
    const status = Stacks![0]!.StackStatus!;
    if (!status.endsWith('_IN_PROGRESS')) return status;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${StackName} does not settle`);
}

test('values of Parameter Store and of secrets are inserted where templates refer to them', async () => {
  const store = new SSM(emulator.clientConfig());
  await store.putParameter({ Name: '/delay', Value: '7', Type: 'String' });
  await store.putParameter({ Name: '/size', Value: '2048', Type: 'String' });
  await new SecretsManager(emulator.clientConfig()).createSecret({ Name: 'timeout', SecretString: '{"seconds":"45"}' });
  const TemplateBody = JSON.stringify({
    Parameters: { Delay: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/delay' } },
    Resources: {
      Queue: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          QueueName: 'resolved',
          DelaySeconds: { Ref: 'Delay' },
          VisibilityTimeout: '{{resolve:secretsmanager:timeout:SecretString:seconds}}',
          MaximumMessageSize: '{{resolve:ssm:/size}}',
        },
      },
    },
  });
  await cfn.createStack({ StackName: 'resolved', TemplateBody });
  expect(await settled('resolved')).toBe('CREATE_COMPLETE');
  const client = new SQS(emulator.clientConfig());
  const { QueueUrl } = await client.getQueueUrl({ QueueName: 'resolved' });
  const { Attributes } = await client.getQueueAttributes({ QueueUrl, AttributeNames: ['All'] });
  expect(Attributes).toMatchObject({ DelaySeconds: '7', VisibilityTimeout: '45', MaximumMessageSize: '2048' });
  const { Stacks } = await cfn.describeStacks({ StackName: 'resolved' });
  expect(Stacks![0]!.Parameters).toEqual([{ ParameterKey: 'Delay', ParameterValue: '/delay', ResolvedValue: '7' }]);
  await expect(
    cfn.updateStack({
      StackName: 'resolved',
      UsePreviousTemplate: true,
      Parameters: [{ ParameterKey: 'Delay', ParameterValue: '/none' }],
    }),
  ).rejects.toThrow('Unable to fetch parameters [/none] from parameter store for this account.');
});

test("a stack's events are published to its topics", async () => {
  const topics = new SNS(emulator.clientConfig());
  const queues = new SQS(emulator.clientConfig());
  const { TopicArn } = await topics.createTopic({ Name: 'events' });
  const { QueueUrl } = await queues.createQueue({ QueueName: 'events' });
  const { Attributes } = await queues.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn'] });
  await topics.subscribe({
    TopicArn,
    Protocol: 'sqs',
    Endpoint: Attributes!.QueueArn,
    Attributes: { RawMessageDelivery: 'true' },
  });
  await cfn.createStack({
    StackName: 'told',
    TemplateBody: JSON.stringify({ Resources: { Queue: { Type: 'AWS::SQS::Queue' } } }),
    NotificationARNs: [TopicArn!],
  });
  expect(await settled('told')).toBe('CREATE_COMPLETE');
  const seen = new Set<string>();
  await expect
    .poll(async () => {
      const { Messages = [] } = await queues.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
      for (const { Body } of Messages)
        seen.add(`${/LogicalResourceId='(.*)'/.exec(Body!)![1]} ${/ResourceStatus='(.*)'/.exec(Body!)![1]}`);
      return [...seen].sort();
    })
    .toEqual(['Queue CREATE_COMPLETE', 'Queue CREATE_IN_PROGRESS', 'told CREATE_COMPLETE', 'told CREATE_IN_PROGRESS']);
});
