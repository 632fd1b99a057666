import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Endpoint, eventually, type SnsTest, startEndpoint, startSns } from './support.ts';

/** Verifies a message as receivers do, with the certificate that it names. */
async function isGenuine(body: Record<string, string>): Promise<boolean> {
  const pem = await (await fetch(body.SigningCertURL!)).text();
  const names =
    body.Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names.map((name) => (body[name] === undefined ? '' : `${name}\n${body[name]}\n`)).join('');
  const algorithm = { 1: 'RSA-SHA1', 2: 'RSA-SHA256' }[body.SignatureVersion!]!;
  return verify(algorithm, Buffer.from(text), createPublicKey(pem), Buffer.from(body.Signature!, 'base64'));
}

/** Subscribes an endpoint and confirms it with the received link. */
async function subscribed(
  test: SnsTest,
  TopicArn: string,
  endpoint: Endpoint,
  attributes: Record<string, string> = {},
) {
  const SubscriptionArn = await test.subscribe(TopicArn, 'http', endpoint.url, attributes);
  const { body } = await endpoint.reached(1);
  const answer = await fetch(JSON.parse(body).SubscribeURL);
  expect(await answer.text()).toContain(`<SubscriptionArn>${SubscriptionArn}</SubscriptionArn>`);
  endpoint.requests.length = 0;
  return SubscriptionArn;
}

const retries = (policy: Record<string, unknown>) => ({
  DeliveryPolicy: JSON.stringify({ healthyRetryPolicy: policy }),
});

describe('HTTP endpoints', () => {
  it('confirm, receive signed messages, and are notified of their end', async () => {
    await using endpoint = await startEndpoint();
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    const answer = await test.sns.subscribe({ TopicArn, Protocol: 'http', Endpoint: endpoint.url });
    expect(answer.SubscriptionArn).toBe('pending confirmation');
    const request = await endpoint.reached(1);
    expect(request.path).toBe('/hook');
    expect(request.headers).toMatchObject({
      'content-type': 'text/plain; charset=UTF-8',
      'user-agent': 'Amazon Simple Notification Service Agent',
      'accept-encoding': 'gzip,deflate',
      'x-amz-sns-message-type': 'SubscriptionConfirmation',
      'x-amz-sns-topic-arn': TopicArn,
    });
    expect(request.headers).not.toHaveProperty('x-amz-sns-subscription-arn');
    const confirmation = JSON.parse(request.body);
    expect(Object.keys(confirmation)).toEqual([
      'Type',
      'MessageId',
      'Token',
      'TopicArn',
      'Message',
      'SubscribeURL',
      'Timestamp',
      'SignatureVersion',
      'Signature',
      'SigningCertURL',
    ]);
    expect(confirmation.Message).toBe(
      `You have chosen to subscribe to the topic ${TopicArn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
    );
    expect(await isGenuine(confirmation)).toBe(true);
    await test.sns.publish({ TopicArn, Message: 'too early' });
    expect((await fetch(confirmation.SubscribeURL.replace(confirmation.Token, 'f'.repeat(288)))).status).toBe(400);
    expect((await fetch(confirmation.SubscribeURL)).status).toBe(200);

    await test.sns.publish({ TopicArn, Message: 'hello', Subject: 'greeting' });
    const notification = await endpoint.reached(2);
    const body = JSON.parse(notification.body);
    expect(body).toMatchObject({ Type: 'Notification', Message: 'hello', Subject: 'greeting' });
    expect(notification.headers).toMatchObject({
      'x-amz-sns-message-type': 'Notification',
      'x-amz-sns-message-id': body.MessageId,
      'x-amz-sns-subscription-arn': expect.stringContaining(`${TopicArn}:`),
    });
    expect(await isGenuine(body)).toBe(true);
    expect(await isGenuine({ ...body, Message: 'forged' })).toBe(false);
    const [shown] = (await eventually(async () => {
      const deliveries = (await test.messages()).at(-1)!.deliveries;
      return deliveries[0]?.status === 'delivered' && deliveries;
    })) as { statusCode?: number }[];
    expect(shown).toMatchObject({ protocol: 'http', endpoint: endpoint.url, statusCode: 200 });

    expect((await fetch(body.UnsubscribeURL)).status).toBe(200);
    const end = JSON.parse((await endpoint.reached(3)).body);
    expect(end).toMatchObject({ Type: 'UnsubscribeConfirmation', TopicArn });
    expect(await isGenuine(end)).toBe(true);
    expect((await test.sns.listSubscriptions({})).Subscriptions).toEqual([]);
    await fetch(end.SubscribeURL);
    expect((await test.sns.listSubscriptions({})).Subscriptions).toHaveLength(1);
  });

  it('receive raw messages with the content type of their policy', async () => {
    await using endpoint = await startEndpoint();
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    const SubscriptionArn = await subscribed(test, TopicArn, endpoint, {
      RawMessageDelivery: 'true',
      DeliveryPolicy: JSON.stringify({ requestPolicy: { headerContentType: 'text/csv' } }),
    });
    const { Attributes } = await test.sns.getSubscriptionAttributes({ SubscriptionArn });
    expect(JSON.parse(Attributes!.DeliveryPolicy!)).toEqual({
      healthyRetryPolicy: null,
      sicklyRetryPolicy: null,
      throttlePolicy: null,
      requestPolicy: { headerContentType: 'text/csv' },
      guaranteed: false,
    });
    expect(JSON.parse(Attributes!.EffectiveDeliveryPolicy!)).toMatchObject({
      healthyRetryPolicy: { numRetries: 3 },
      requestPolicy: { headerContentType: 'text/csv' },
    });
    await test.sns.publish({ TopicArn, Message: 'a,b' });
    const request = await endpoint.reached(1);
    expect(request.body).toBe('a,b');
    expect(request.headers).toMatchObject({ 'content-type': 'text/csv', 'x-amz-sns-rawdelivery': 'true' });
  });

  it('are retried by the policy, and not beyond', async () => {
    await using endpoint = await startEndpoint();
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    const dlq = await test.queue('dlq');
    await subscribed(test, TopicArn, endpoint, {
      ...retries({ numRetries: 2, minDelayTarget: 10, maxDelayTarget: 10 }),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dlq }),
    });
    endpoint.status = 503;
    await test.sns.publish({ TopicArn, Message: 'hello' });
    await endpoint.reached(1);
    const delivery = async () => (await test.messages())[0]!.deliveries[0]!;
    await eventually(async () => (await delivery()).statusCode === 503);
    expect(await delivery()).toMatchObject({ status: 'failed', error: 'the endpoint answered 503' });
    await test.advance(9);
    expect(endpoint.requests).toHaveLength(1);
    await test.advance(1);
    expect(endpoint.requests).toHaveLength(2);
    expect(await test.received('dlq')).toEqual([]);
    await test.advance(10);
    expect(endpoint.requests).toHaveLength(3);
    expect(await delivery()).toMatchObject({ status: 'dead-lettered', statusCode: 503 });
    expect((await test.received('dlq')).map(({ body }) => JSON.parse(body).Message)).toEqual(['hello']);
    await test.advance(3600);
    expect(endpoint.requests).toHaveLength(3);
  });

  it('receive it immediately after they have recovered', async () => {
    await using endpoint = await startEndpoint();
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    await subscribed(test, TopicArn, endpoint);
    endpoint.status = 500;
    await test.sns.publish({ TopicArn, Message: 'hello' });
    await endpoint.reached(1);
    await eventually(async () => (await test.messages())[0]!.deliveries[0]!.statusCode === 500);
    endpoint.status = 200;
    await test.advance(20);
    expect((await test.messages())[0]!.deliveries).toMatchObject([{ status: 'delivered', statusCode: 200 }]);
  });

  it('are not retried after a rejection', async () => {
    await using endpoint = await startEndpoint();
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    await subscribed(test, TopicArn, endpoint);
    endpoint.status = 404;
    await test.sns.publish({ TopicArn, Message: 'hello' });
    await endpoint.reached(1);
    await test.advance(3600);
    expect(endpoint.requests).toHaveLength(1);
    const shown = await eventually(async () => {
      const [delivery] = (await test.messages())[0]!.deliveries;
      return delivery!.statusCode !== undefined && delivery;
    });
    expect(shown).toMatchObject({ status: 'failed', statusCode: 404 });
    await test.advance(3600);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('receive at most the configured number per second', async () => {
    await using endpoint = await startEndpoint();
    await using test = await startSns();
    const TopicArn = await test.topic('topic', {
      DeliveryPolicy: JSON.stringify({ http: { defaultThrottlePolicy: { maxReceivesPerSecond: 1 } } }),
    });
    await subscribed(test, TopicArn, endpoint, { RawMessageDelivery: 'true' });
    await test.advance(10);
    for (const Message of ['1', '2', '3']) await test.sns.publish({ TopicArn, Message });
    await endpoint.reached(1);
    await test.advance(1);
    expect(endpoint.requests.map(({ body }) => body)).toEqual(['1', '2']);
    await test.advance(1);
    expect(endpoint.requests.map(({ body }) => body)).toEqual(['1', '2', '3']);
  });

  it('that are unreachable or never respond block nothing', async () => {
    await using endpoint = await startEndpoint();
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    endpoint.status = undefined;
    await test.subscribe(TopicArn, 'http', endpoint.url);
    await test.subscribe(TopicArn, 'http', 'http://127.0.0.1:1/closed');
    for (const { subscriptionArn } of await test.pending())
      await test.emulator.control('POST', '/_emulator/sns/confirm-subscription', { subscriptionArn });
    await test.subscribe(TopicArn, 'sqs', await test.queue('q'), { RawMessageDelivery: 'true' });
    for (let n = 0; n < 200; n++) await test.sns.publish({ TopicArn, Message: `m${n}` });
    expect(await test.received('q')).toHaveLength(200);
    const closed = await eventually(async () => {
      const deliveries = (await test.messages())[0]!.deliveries;
      return deliveries.find(({ error }) => error?.includes('ECONNREFUSED'));
    });
    expect(closed).toMatchObject({ endpoint: 'http://127.0.0.1:1/closed', status: 'failed' });
  });

  it('may have user and password in their URL', async () => {
    await using endpoint = await startEndpoint();
    await using test = await startSns();
    const TopicArn = await test.topic('topic');
    await test.subscribe(TopicArn, 'http', endpoint.url.replace('//', '//user:p%40ss@'));
    const { headers } = await endpoint.reached(1);
    expect(headers.authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
  });
});

describe('signatures', () => {
  it.each(['1', '2'])('of version %s are verified by the certificate', async (SignatureVersion) => {
    await using endpoint = await startEndpoint();
    await using test = await startSns();
    const TopicArn = await test.topic('topic', { SignatureVersion });
    await subscribed(test, TopicArn, endpoint);
    await test.sns.publish({ TopicArn, Message: 'signed', MessageStructure: undefined });
    const body = JSON.parse((await endpoint.reached(1)).body);
    expect(body.SignatureVersion).toBe(SignatureVersion);
    expect(await isGenuine(body)).toBe(true);
    const certificate = new X509Certificate(await (await fetch(body.SigningCertURL)).text());
    expect(certificate.subject).toBe('CN=sns.amazonaws.com');
  });
});

it('links in messages require no signature, even if signatures are verified', async () => {
  await using test = await startSns({ settings: { values: { EMULATOR_VERIFY_SIGV4: true } } });
  const topic = `arn:aws:sns:us-east-1:123456789012:none`;
  const follow = async (query: string) => (await test.emulator.control('GET', `/?Version=2010-03-31&${query}`)).status;
  expect(await follow(`Action=Unsubscribe&SubscriptionArn=${topic}:0f0e0d0c-0000-4000-8000-000000000000`)).toBe(200);
  // The token is wrong, not the missing signature.
  expect(await follow(`Action=ConfirmSubscription&TopicArn=${topic}&Token=none`)).toBe(400);
  expect(await follow('Action=ListTopics')).toBe(403);
});
