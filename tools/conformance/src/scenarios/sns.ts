import * as sdk from '@aws-sdk/client-sns';
import type { ServiceModel } from '@emu/wire';
import { fakeService } from '../../../../packages/gateway/src/testing/fake-service.ts';
import model from '../../../../packages/svc-sns/model/sns.json' with { type: 'json' };
import type { Facts, Scenario, Send } from '../scenario.ts';
import { sender } from '../sdk.ts';

const QUEUE = 'arn:aws:sqs:us-east-1:123456789012:orders';
const NUMBER = '+15551234567';
const PROTECTION = JSON.stringify({
  Name: 'policy',
  Version: '2021-06-01',
  Statement: [
    { DataDirection: 'Inbound', Principal: ['*'], DataIdentifier: ['EmailAddress'], Operation: { Deny: {} } },
  ],
});

/** Texts sent to queues since the last publication. */
let sent: string[] = [];
/** Fake queues that record their messages. */
const queues = fakeService('sqs', {
  SendMessage: (input) => {
    sent.push(JSON.stringify(input));
    return {};
  },
});

/**
 * Creates a topic with a confirmed and a pending subscription, a permission and a tag; an application with a device; a
 * number.
 */
async function setUp(send: Send): Promise<Facts> {
  const { TopicArn } = await send('CreateTopic', { Name: 'orders', Tags: [{ Key: 'team', Value: 'a' }] });
  const { SubscriptionArn } = await send('Subscribe', { TopicArn, Protocol: 'sms', Endpoint: NUMBER });
  await send('AddPermission', { TopicArn, Label: 'known', AWSAccountId: ['000000000001'], ActionName: ['Publish'] });
  const { PlatformApplicationArn } = await send('CreatePlatformApplication', {
    Name: 'app',
    Platform: 'GCM',
    Attributes: { PlatformCredential: 'key' },
  });
  const { EndpointArn } = await send('CreatePlatformEndpoint', { PlatformApplicationArn, Token: 'device' });
  await send('CreateSMSSandboxPhoneNumber', { PhoneNumber: NUMBER });
  return {
    topic: TopicArn as string,
    subscription: SubscriptionArn as string,
    application: PlatformApplicationArn as string,
    endpoint: EndpointArn as string,
  };
}

/** Returns topics and subscriptions with their attributes and tags, applications with their endpoints, and SMS. */
async function observe(send: Send): Promise<unknown> {
  const { Topics } = await send('ListTopics', {});
  const topics = (Topics as { TopicArn: string }[]).map(async ({ TopicArn }) => [
    (await send('GetTopicAttributes', { TopicArn })).Attributes,
    (await send('ListTagsForResource', { ResourceArn: TopicArn })).Tags,
    (await send('GetDataProtectionPolicy', { ResourceArn: TopicArn })).DataProtectionPolicy,
  ]);
  const { Subscriptions } = await send('ListSubscriptions', {});
  const subscriptions = (Subscriptions as { SubscriptionArn: string }[]).map(async (subscription) =>
    subscription.SubscriptionArn.startsWith('arn:')
      ? (await send('GetSubscriptionAttributes', { SubscriptionArn: subscription.SubscriptionArn })).Attributes
      : subscription,
  );
  const { PlatformApplications } = await send('ListPlatformApplications', {});
  const endpoints = (PlatformApplications as { PlatformApplicationArn: string }[]).map(
    async ({ PlatformApplicationArn }) =>
      (await send('ListEndpointsByPlatformApplication', { PlatformApplicationArn })).Endpoints,
  );
  return [
    await Promise.all(topics),
    await Promise.all(subscriptions),
    PlatformApplications,
    await Promise.all(endpoints),
    (await send('GetSMSAttributes', {})).attributes,
    (await send('ListSMSSandboxPhoneNumbers', {})).PhoneNumbers,
    (await send('ListPhoneNumbersOptedOut', {})).phoneNumbers,
    await send('ControlState', {}),
  ];
}

const topic = (facts: Facts) => ({ TopicArn: facts.topic });
const resource = (facts: Facts) => ({ ResourceArn: facts.topic });
const subscription = (facts: Facts) => ({ SubscriptionArn: facts.subscription });
const application = (facts: Facts) => ({ PlatformApplicationArn: facts.application });
const endpoint = (facts: Facts) => ({ EndpointArn: facts.endpoint });
const subscribe = (send: Send, facts: Facts) =>
  send('Subscribe', { ...topic(facts), Protocol: 'sqs', Endpoint: QUEUE });
const optOut = (send: Send) => send('OptOut', { phoneNumber: NUMBER });

const placed = { MessageGroupId: 'group', MessageDeduplicationId: 'once' };

/** Subscribes queues to the topic, and to a FIFO topic. */
async function subscribed(send: Send, facts: Facts): Promise<Facts> {
  // Signing messages that are not raw is slow.
  const Attributes = { RawMessageDelivery: 'true' };
  await send('Subscribe', { ...topic(facts), Protocol: 'sqs', Endpoint: QUEUE, Attributes });
  const { TopicArn } = await send('CreateTopic', { Name: 'orders.fifo', Attributes: { FifoTopic: 'true' } });
  await send('Subscribe', { TopicArn, Protocol: 'sqs', Endpoint: `${QUEUE}.fifo`, Attributes });
  return { fifo: TopicArn as string };
}

/** Waits for all deliveries and returns the messages of queues. */
async function delivered(send: Send): Promise<string[]> {
  for (let count = -1; count !== sent.length; ) {
    count = sent.length;
    for (let n = 0; n < 2; n++) await send('ListPlatformApplications', {});
  }
  return sent;
}

/** Amazon SNS. */
export const sns: Scenario = {
  service: 'sns',
  model: model as unknown as ServiceModel,
  client: (emulator) => {
    const send = sender(new sdk.SNSClient({ ...emulator.clientConfig(), maxAttempts: 1 }) as never, sdk);
    const { sns: control } = emulator.control;
    return async (operation, input) => {
      if (operation === 'OptOut') return { ...(await control.optOut(input.phoneNumber as string)) };
      if (operation === 'Sms') return { ...(await control.sms()) };
      if (operation === 'ControlState')
        return { ...(await control.messages()), ...(await control.pendingConfirmations()) };
      if (operation.startsWith('Publish')) sent = [];
      return send(operation, input);
    };
  },
  fakes: [queues],
  setUp,
  observe,
  after: {
    Publish: delivered,
    PublishBatch: delivered,
  },
  values: {
    'ConfirmSubscription.AuthenticateOnUnsubscribe': ['true'],
    'CreatePlatformEndpoint.Token': ['device'],
    'ListSMSSandboxPhoneNumbers.MaxResults': [1],
    'PublishBatch.PublishBatchRequestEntries': [[{ Id: 'a', Message: 'hello' }]],
    'Publish.Subject': ['two\nlines'],
    'PublishBatch.PublishBatchRequestEntries[].Id': ['b'],
    'PublishBatch.PublishBatchRequestEntries[].Subject': ['two\nlines'],
    'SetTopicAttributes.AttributeValue': ['x'.repeat(101)],
  },
  // The password is in an SMS, which is listed but not stored.
  live: ['VerifySMSSandboxPhoneNumber'],
  before: {
    ListSMSSandboxPhoneNumbers: async (send) => {
      await send('CreateSMSSandboxPhoneNumber', { PhoneNumber: '+15557654321' });
      return {};
    },
    Publish: subscribed,
    PublishBatch: subscribed,
    ConfirmSubscription: async (send, facts) => {
      await send('Subscribe', { ...topic(facts), Protocol: 'email', Endpoint: 'jane@example.com' });
      const { pendingConfirmations } = await send('ControlState', {});
      return { token: (pendingConfirmations as { token: string }[])[0]!.token };
    },
    OptInPhoneNumber: async (send) => {
      await optOut(send);
      return {};
    },
    VerifySMSSandboxPhoneNumber: async (send) => {
      const { messages } = await send('Sms', {});
      return { password: /\d{6}/.exec((messages as { message: string }[])[0]!.message)![0] };
    },
  },
  also: {
    CreatePlatformEndpoint: [(facts) => ({ ...application(facts), Token: 'device', CustomUserData: 'x' })],
    Publish: [
      (facts) => ({ TargetArn: facts.topic, Message: 'hello', Subject: 'greeting' }),
      (facts) => ({ TopicArn: facts.fifo, Message: 'hello', ...placed }),
    ],
    PublishBatch: [
      (facts) => ({
        ...topic(facts),
        PublishBatchRequestEntries: ['a', 'b'].map((Id) => ({ Id, Message: 'hello', Subject: 'greeting' })),
      }),
      (facts) => ({
        TopicArn: facts.fifo,
        PublishBatchRequestEntries: [{ Id: 'a', Message: 'hello', ...placed }],
      }),
    ],
    Subscribe: [(facts) => ({ ...topic(facts), Protocol: 'email', Endpoint: 'jane@example.com' })],
  },
  inputs: {
    AddPermission: (facts) => ({
      ...topic(facts),
      Label: 'new',
      AWSAccountId: ['000000000002'],
      ActionName: ['Publish'],
    }),
    CheckIfPhoneNumberIsOptedOut: () => ({ phoneNumber: NUMBER }),
    ConfirmSubscription: (facts) => ({ ...topic(facts), Token: facts.token }),
    CreatePlatformApplication: () => ({ Name: 'new', Platform: 'GCM', Attributes: { PlatformCredential: 'key' } }),
    CreatePlatformEndpoint: (facts) => ({ ...application(facts), Token: 'another' }),
    CreateSMSSandboxPhoneNumber: () => ({ PhoneNumber: '+15557654321' }),
    CreateTopic: () => ({ Name: 'fresh' }),
    DeleteEndpoint: endpoint,
    DeletePlatformApplication: application,
    DeleteSMSSandboxPhoneNumber: () => ({ PhoneNumber: NUMBER }),
    DeleteTopic: topic,
    GetDataProtectionPolicy: resource,
    GetEndpointAttributes: endpoint,
    GetPlatformApplicationAttributes: application,
    GetSubscriptionAttributes: subscription,
    GetTopicAttributes: topic,
    ListEndpointsByPlatformApplication: application,
    ListSubscriptionsByTopic: topic,
    ListTagsForResource: resource,
    OptInPhoneNumber: () => ({ phoneNumber: NUMBER }),
    Publish: (facts) => ({ ...topic(facts), Message: 'hello' }),
    PublishBatch: (facts) => ({ ...topic(facts), PublishBatchRequestEntries: [{ Id: 'a', Message: 'hello' }] }),
    PutDataProtectionPolicy: (facts) => ({ ...resource(facts), DataProtectionPolicy: PROTECTION }),
    RemovePermission: (facts) => ({ ...topic(facts), Label: 'known' }),
    SetEndpointAttributes: (facts) => ({ ...endpoint(facts), Attributes: { Enabled: 'false' } }),
    SetPlatformApplicationAttributes: (facts) => ({ ...application(facts), Attributes: { Enabled: 'false' } }),
    SetSMSAttributes: () => ({ attributes: { DefaultSenderID: 'emu' } }),
    SetSubscriptionAttributes: (facts) => ({
      ...subscription(facts),
      AttributeName: 'FilterPolicy',
      AttributeValue: '{"a":["b"]}',
    }),
    SetTopicAttributes: (facts) => ({ ...topic(facts), AttributeName: 'DisplayName', AttributeValue: 'Orders' }),
    Subscribe: (facts) => ({ ...topic(facts), Protocol: 'sqs', Endpoint: QUEUE }),
    TagResource: (facts) => ({ ...resource(facts), Tags: [{ Key: 'color', Value: 'red' }] }),
    Unsubscribe: subscription,
    UntagResource: (facts) => ({ ...resource(facts), TagKeys: ['team'] }),
    VerifySMSSandboxPhoneNumber: (facts) => ({ PhoneNumber: NUMBER, OneTimePassword: facts.password }),
  },
  reads: {
    CheckIfPhoneNumberIsOptedOut: optOut,
    GetDataProtectionPolicy: (send, facts) =>
      send('PutDataProtectionPolicy', { ...resource(facts), DataProtectionPolicy: PROTECTION }),
    GetEndpointAttributes: (send, facts) =>
      send('SetEndpointAttributes', { ...endpoint(facts), Attributes: { Enabled: 'false' } }),
    GetPlatformApplicationAttributes: (send, facts) =>
      send('SetPlatformApplicationAttributes', { ...application(facts), Attributes: { Enabled: 'false' } }),
    GetSMSAttributes: (send) => send('SetSMSAttributes', { attributes: { DefaultSenderID: 'emu' } }),
    // No account is in the sandbox, and none has origination numbers.
    GetSMSSandboxAccountStatus: undefined,
    GetSubscriptionAttributes: (send, facts) =>
      send('SetSubscriptionAttributes', {
        ...subscription(facts),
        AttributeName: 'FilterPolicy',
        AttributeValue: '{"a":["b"]}',
      }),
    GetTopicAttributes: subscribe,
    ListEndpointsByPlatformApplication: (send, facts) =>
      send('CreatePlatformEndpoint', { ...application(facts), Token: 'another' }),
    ListOriginationNumbers: undefined,
    ListPhoneNumbersOptedOut: optOut,
    ListPlatformApplications: (send, facts) => send('DeletePlatformApplication', application(facts)),
    ListSMSSandboxPhoneNumbers: (send) => send('DeleteSMSSandboxPhoneNumber', { PhoneNumber: NUMBER }),
    ListSubscriptions: subscribe,
    ListSubscriptionsByTopic: subscribe,
    ListTagsForResource: (send, facts) => send('UntagResource', { ...resource(facts), TagKeys: ['team'] }),
    ListTopics: (send) => send('CreateTopic', { Name: 'other' }),
  },
};
