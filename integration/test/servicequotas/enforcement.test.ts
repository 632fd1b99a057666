import { EventBridge } from '@aws-sdk/client-eventbridge';
import { ServiceQuotas } from '@aws-sdk/client-service-quotas';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, rejection } from '@emu/gateway/testing';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as servicequotas } from '@emu/svc-servicequotas/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { expect, test } from 'vitest';

const TOPICS = { ServiceCode: 'sns', QuotaCode: 'L-61103206' };
const PATH = '/_emulator/service-quotas/quotas/sns/L-61103206';

test('an approved increase allows more resources, and its usage is returned', async () => {
  await using emulator = await createTestEmulator({ manifests: [servicequotas, sns] });
  const topics = new SNS(emulator.clientConfig());
  const quotas = new ServiceQuotas(emulator.clientConfig());
  await emulator.control('PUT', PATH, { value: 2, enforce: true });
  for (const Name of ['one', 'two']) await topics.createTopic({ Name });
  expect((await rejection(topics.createTopic({ Name: 'three' }))).name).toMatch(/^TopicLimitExceeded/);
  const { json } = await emulator.control('GET', '/_emulator/service-quotas/quotas?serviceCode=sns');
  const { quotas: listed } = json as { quotas: { quotaCode: string }[] };
  expect(listed.find(({ quotaCode }) => quotaCode === TOPICS.QuotaCode)).toMatchObject({
    appliedValue: 2,
    usage: 2,
    enforced: true,
  });
  const { ReportId } = await quotas.startQuotaUtilizationReport({});
  const { Quotas } = await quotas.getQuotaUtilizationReport({ ReportId });
  expect(Quotas![0]).toMatchObject({ ...TOPICS, Utilization: 100, AppliedValue: 2, DefaultValue: 100_000 });
  await quotas.requestServiceQuotaIncrease({ ...TOPICS, DesiredValue: 3 });
  await topics.createTopic({ Name: 'three' });
  expect((await topics.listTopics({})).Topics).toHaveLength(3);
});

test('a rule sends the event of a quota near its limit to a queue', async () => {
  await using emulator = await createTestEmulator({ manifests: [events, servicequotas, sns, sqs] });
  emulator.kernel.clock.freeze();
  const queues = new SQS(emulator.clientConfig());
  const bus = new EventBridge(emulator.clientConfig());
  const { QueueUrl } = await queues.createQueue({ QueueName: 'health' });
  const { Attributes } = await queues.getQueueAttributes({ QueueUrl, AttributeNames: ['QueueArn'] });
  await bus.putRule({ Name: 'health', EventPattern: '{"source":["aws.health"]}' });
  await bus.putTargets({ Rule: 'health', Targets: [{ Id: 'queue', Arn: Attributes!.QueueArn! }] });
  const quotas = new ServiceQuotas(emulator.clientConfig());
  await quotas.startAutoManagement({ OptInLevel: 'ACCOUNT', OptInType: 'NotifyOnly' });
  await emulator.control('PUT', PATH, { value: 1 });
  await new SNS(emulator.clientConfig()).createTopic({ Name: 'one' });
  await emulator.kernel.clock.advance(5 * 60_000);
  const received = async () => (await queues.receiveMessage({ QueueUrl })).Messages?.[0]?.Body;
  await expect.poll(received).toContain('Quota Name: Topics per Account | Utilization: 100.0%');
});
