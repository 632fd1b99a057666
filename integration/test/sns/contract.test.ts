import { SNS } from '@aws-sdk/client-sns';
import { describeServiceContract, type TestClientConfig } from '@emu/gateway/testing';
import { manifest } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import type { ServiceModel } from '@emu/wire';
import { unsupportedPatterns } from '@emu/wire';
import { expect, it } from 'vitest';
import model from '../../../packages/svc-sns/model/sns.json' with { type: 'json' };

const CREDENTIALS = { PlatformCredential: 'key' };

async function act(config: TestClientConfig) {
  const sns = new SNS(config);
  const { TopicArn } = await sns.createTopic({
    Name: 'topic',
    Attributes: { DisplayName: 'd' },
    Tags: [{ Key: 'team', Value: 'orders' }],
  });
  await sns.addPermission({ TopicArn, Label: 'l', AWSAccountId: ['123456789012'], ActionName: ['Publish'] });
  await sns.subscribe({
    TopicArn,
    Protocol: 'sms',
    Endpoint: '+15551234567',
    Attributes: { FilterPolicy: '{"a":["b"]}' },
  });
  await sns.subscribe({ TopicArn, Protocol: 'email', Endpoint: 'jane@example.com' });
  const fifo = await sns.createTopic({ Name: 't.fifo', Attributes: { FifoTopic: 'true' } });
  const message = { TopicArn: fifo.TopicArn, Message: 'm', MessageGroupId: 'g', MessageDeduplicationId: 'd' };
  const published = await sns.publish(message);
  const { PlatformApplicationArn } = await sns.createPlatformApplication({
    Name: 'app',
    Platform: 'GCM',
    Attributes: CREDENTIALS,
  });
  await sns.createPlatformEndpoint({ PlatformApplicationArn, Token: 'device' });
  await sns.setSMSAttributes({ attributes: { DefaultSenderID: 'emu' } });
  await sns.createSMSSandboxPhoneNumber({ PhoneNumber: '+15551234567' });
  return { message, sequence: published.SequenceNumber };
}

async function observe(config: TestClientConfig, memo: Awaited<ReturnType<typeof act>>) {
  const sns = new SNS(config);
  const { Topics = [] } = await sns.listTopics({});
  const topics = [];
  for (const { TopicArn } of Topics) {
    const { Attributes } = await sns.getTopicAttributes({ TopicArn });
    const { Tags } = await sns.listTagsForResource({ ResourceArn: TopicArn });
    const { Subscriptions } = await sns.listSubscriptionsByTopic({ TopicArn });
    topics.push({ Attributes, Tags, Subscriptions });
  }
  const { PlatformApplications = [] } = await sns.listPlatformApplications({});
  const endpoints = [];
  for (const { PlatformApplicationArn } of PlatformApplications)
    endpoints.push((await sns.listEndpointsByPlatformApplication({ PlatformApplicationArn })).Endpoints);
  const repeated = Topics.length ? (await sns.publish(memo.message)).SequenceNumber === memo.sequence : undefined;
  return {
    topics,
    PlatformApplications,
    endpoints,
    repeated,
    sms: (await sns.getSMSAttributes({})).attributes,
    sandbox: (await sns.listSMSSandboxPhoneNumbers({})).PhoneNumbers,
  };
}

describeServiceContract({ manifest, others: [sqs], scope: 'region', act, observe });

it('parses every pattern of the model', () => {
  expect(unsupportedPatterns(model as unknown as ServiceModel)).toEqual([]);
});
