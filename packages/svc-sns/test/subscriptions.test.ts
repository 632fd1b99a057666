import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, REGION, type SnsTest, startSns } from './support.ts';

let test: SnsTest;
let TopicArn: string;
beforeAll(async () => {
  test = await startSns();
  TopicArn = await test.topic('topic');
});
afterAll(() => test[Symbol.asyncDispose]());

const queueArn = (name: string) => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
const invalid = (reason: string) => ({
  code: 'InvalidParameter',
  message: `Invalid parameter: ${reason}`,
  status: 400,
});
const subscribe = (
  Protocol: string,
  Endpoint: string | undefined,
  Attributes?: Record<string, string>,
  topic = TopicArn,
) => test.sns.subscribe({ TopicArn: topic, Protocol, Endpoint, Attributes });
const attributesOf = async (SubscriptionArn: string) =>
  (await test.sns.getSubscriptionAttributes({ SubscriptionArn })).Attributes!;

describe('Subscribe', () => {
  it('subscribes a queue of the account immediately', async () => {
    const SubscriptionArn = await test.subscribe(TopicArn, 'sqs', queueArn('q1'));
    expect(SubscriptionArn).toMatch(new RegExp(`^${TopicArn}:[\\da-f-]{36}$`));
    expect(await attributesOf(SubscriptionArn)).toEqual({
      ConfirmationWasAuthenticated: 'true',
      Endpoint: queueArn('q1'),
      Owner: ACCOUNT,
      PendingConfirmation: 'false',
      Protocol: 'sqs',
      RawMessageDelivery: 'false',
      SubscriptionArn,
      SubscriptionPrincipal: expect.stringMatching(/^arn:aws:iam::000000000000:/),
      TopicArn,
    });
  });

  it('keeps other endpoints pending until they confirm', async () => {
    expect((await subscribe('email', 'jane@example.com')).SubscriptionArn).toBe('pending confirmation');
    const SubscriptionArn = await test.subscribe(TopicArn, 'email', 'jane@example.com');
    expect(await attributesOf(SubscriptionArn)).toMatchObject({
      PendingConfirmation: 'true',
      ConfirmationWasAuthenticated: 'false',
    });
    const { Subscriptions } = await test.sns.listSubscriptionsByTopic({ TopicArn });
    expect(Subscriptions!.find(({ Protocol }) => Protocol === 'email')).toEqual({
      SubscriptionArn: 'PendingConfirmation',
      Owner: ACCOUNT,
      Protocol: 'email',
      Endpoint: 'jane@example.com',
      TopicArn,
    });
    const [pending] = await test.pending();
    expect(pending).toMatchObject({
      subscriptionArn: SubscriptionArn,
      protocol: 'email',
      endpoint: 'jane@example.com',
    });
    expect(await test.sns.confirmSubscription({ TopicArn, Token: pending!.token })).toMatchObject({ SubscriptionArn });
    expect(await attributesOf(SubscriptionArn)).toMatchObject({ PendingConfirmation: 'false' });
    expect(await test.pending()).toEqual([]);
    const { Attributes } = await test.sns.getTopicAttributes({ TopicArn });
    expect(Attributes!.SubscriptionsPending).toBe('0');
  });

  it('removes unconfirmed subscriptions after two days', async () => {
    const SubscriptionArn = await test.subscribe(TopicArn, 'email', 'late@example.com');
    const [{ token: Token } = { token: '' }] = await test.pending();
    await test.advance(2 * 24 * 3600 + 3600);
    expect(await failureOf(test.sns.confirmSubscription({ TopicArn, Token }))).toEqual(invalid('Token'));
    expect((await failureOf(test.sns.getSubscriptionAttributes({ SubscriptionArn }))).code).toBe('NotFound');
  });

  it('is idempotent if the attributes match', async () => {
    const raw = { RawMessageDelivery: 'true' };
    const first = await subscribe('sqs', queueArn('again'), raw);
    for (const same of [raw, {}, undefined])
      expect((await subscribe('sqs', queueArn('again'), same)).SubscriptionArn).toBe(first.SubscriptionArn);
    expect(await failureOf(subscribe('sqs', queueArn('again'), { RawMessageDelivery: 'false' }))).toEqual(
      invalid('Attributes Reason: Subscription already exists with different attributes'),
    );
  });

  it.each([
    ['test-protocol', 'x', 'Amazon SNS does not support this protocol string: test-protocol'],
    ['sqs', 'http://localhost/000000000000/q', 'SQS endpoint ARN'],
    [
      'sqs',
      queueArn('q.fifo'),
      'Invalid parameter: Endpoint Reason: FIFO SQS Queues can not be subscribed to standard SNS topics',
    ],
    ['lambda', queueArn('q'), 'Lambda endpoint ARN'],
    ['http', 'https://example.com', 'Endpoint must match the specified protocol'],
    ['https', 'http://example.com', 'Endpoint must match the specified protocol'],
    ['email', 'nobody', 'Email address'],
    ['sqs', undefined, 'Endpoint Reason: no value for required parameter'],
    [
      'firehose',
      `arn:aws:firehose:${REGION}:${ACCOUNT}:deliverystream/s`,
      'Attributes Reason: SubscriptionRoleArn is required for the firehose protocol',
    ],
  ])('rejects %s %s', async (protocol, endpoint, reason) => {
    expect(await failureOf(subscribe(protocol, endpoint))).toEqual(invalid(reason));
  });

  it.each(['invalid-number', '+15--551234567', 'NAA+15551234567', '+15551234567.', '/+15551234567'])(
    'rejects the number %s',
    async (number) => {
      expect(await failureOf(subscribe('sms', number))).toEqual({
        code: 'InvalidParameter',
        message: `Invalid SMS endpoint: ${number}`,
        status: 400,
      });
    },
  );

  it('normalizes numbers', async () => {
    const SubscriptionArn = await test.subscribe(TopicArn, 'sms', '+15/551-234.567');
    expect(await attributesOf(SubscriptionArn)).toMatchObject({
      Endpoint: '+15551234567',
      PendingConfirmation: 'false',
    });
  });

  it('rejects invalid attributes', async () => {
    const refuse = async (attributes: Record<string, string>, protocol = 'sqs', endpoint = queueArn('refused')) =>
      (await failureOf(subscribe(protocol, endpoint, attributes))).message;
    expect(await refuse({ RawMessageDelivery: 'wrongvalue' })).toBe(
      'Invalid parameter: Attributes Reason: RawMessageDelivery: Invalid value [wrongvalue]. Must be true or false.',
    );
    expect(
      await refuse({ RawMessageDelivery: 'true' }, 'lambda', `arn:aws:lambda:${REGION}:${ACCOUNT}:function:f`),
    ).toBe('Invalid parameter: Attributes Reason: Delivery protocol [lambda] does not support raw message delivery.');
    expect(await refuse({ FilterPolicy: 'invalid' })).toMatch(
      /^Invalid parameter: Attributes Reason: FilterPolicy: failed to parse JSON. Unrecognized token 'invalid': was expecting/,
    );
    expect(await refuse({ Nonsense: 'x' })).toBe('Invalid parameter: Attributes Reason: AttributeName');
  });

  it('rejects an unknown topic', async () => {
    expect(await failureOf(subscribe('sqs', queueArn('q'), {}, 'arn:aws:sns:us-east-1:random'))).toEqual(
      invalid('TopicArn Reason: An ARN must have at least 6 elements, not 5'),
    );
    expect(await failureOf(subscribe('sqs', queueArn('q'), {}, `${TopicArn}-missing`))).toEqual({
      code: 'NotFound',
      message: 'Topic does not exist',
      status: 404,
    });
  });
});

describe('SetSubscriptionAttributes', () => {
  const set = (SubscriptionArn: string, AttributeName: string, AttributeValue: string) =>
    test.sns.setSubscriptionAttributes({ SubscriptionArn, AttributeName, AttributeValue });

  it('sets and removes attributes', async () => {
    const arn = await test.subscribe(TopicArn, 'sqs', queueArn('set'));
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: queueArn('dlq') });
    await set(arn, 'RawMessageDelivery', 'TRUE');
    await set(arn, 'RedrivePolicy', RedrivePolicy);
    await set(arn, 'FilterPolicyScope', 'MessageBody');
    expect(await attributesOf(arn)).not.toHaveProperty('FilterPolicyScope');
    await set(arn, 'FilterPolicy', '{"object":{"key":[{"prefix":"auto-"}]}}');
    expect(await attributesOf(arn)).toMatchObject({
      RawMessageDelivery: 'true',
      RedrivePolicy,
      FilterPolicy: '{"object":{"key":[{"prefix":"auto-"}]}}',
      FilterPolicyScope: 'MessageBody',
    });
    expect(await failureOf(set(arn, 'FilterPolicyScope', 'MessageAttributes'))).toEqual(
      invalid('Filter policy scope MessageAttributes does not support nested filter policy'),
    );
    await set(arn, 'FilterPolicy', '{}');
    await set(arn, 'RedrivePolicy', '');
    const attributes = await attributesOf(arn);
    expect(attributes).not.toHaveProperty('FilterPolicy');
    expect(attributes).not.toHaveProperty('RedrivePolicy');
  });

  it('returns the delivery policy of HTTP endpoints', async () => {
    const arn = await test.subscribe(TopicArn, 'email', 'policy@example.com');
    expect(await attributesOf(arn)).not.toHaveProperty('EffectiveDeliveryPolicy');
  });

  it('rejects invalid values', async () => {
    const arn = await test.subscribe(TopicArn, 'sqs', queueArn('values'));
    const place = (column: number) =>
      ` at [Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); line: 1, column: ${column}]`;
    const json =
      "failed to parse JSON. Unexpected character ('i' (code 105)): was expecting double-quote to start field name";
    const cases: [string, string, string][] = [
      ['fake-attribute', 'x', 'AttributeName'],
      ['RawMessageDelivery', 'test-ValUe', 'RawMessageDelivery: Invalid value [test-ValUe]. Must be true or false.'],
      ['RawMessageDelivery', '', 'RawMessageDelivery: Invalid value []. Must be true or false.'],
      ['RedrivePolicy', '{"deadLetterTargetArn":"fake-arn"}', 'RedrivePolicy: deadLetterTargetArn is an invalid arn'],
      ['RedrivePolicy', '{invalidjson}', `RedrivePolicy: ${json}\n${place(2)}`],
      ['FilterPolicy', '{invalidjson}', `FilterPolicy: ${json}\n${place(2)}`],
      [
        'FilterPolicyScope',
        'RandomValue',
        'FilterPolicyScope: Invalid value [RandomValue]. Please use either MessageBody or MessageAttributes',
      ],
      [
        'FilterPolicy',
        '{"object":{"key":["x"]}}',
        'Filter policy scope MessageAttributes does not support nested filter policy',
      ],
      [
        'FilterPolicy',
        '{"key":[{"wildcard":"x*"}]}',
        expect.stringContaining('Unrecognized match type wildcard') as never,
      ],
      [
        'FilterPolicy',
        JSON.stringify(Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`k${n}`, ['v']]))),
        'FilterPolicy: Filter policy can not have more than 5 keys',
      ],
      [
        'FilterPolicy',
        JSON.stringify({ a: Array.from({ length: 13 }, (_, n) => n), b: Array.from({ length: 12 }, (_, n) => n) }),
        'FilterPolicy: Filter policy is too complex',
      ],
    ];
    for (const [name, value, reason] of cases) {
      const failure = await failureOf(set(arn, name, value));
      expect(failure.code).toBe('InvalidParameter');
      expect(failure.message.replace(/^Invalid parameter: /, ''), `${name} ${value}`).toEqual(reason);
    }
  });

  it('rejects an unknown subscription', async () => {
    expect(
      await failureOf(set(`${TopicArn}:11111111-1111-1111-1111-111111111111`, 'RawMessageDelivery', 'true')),
    ).toEqual({
      code: 'NotFound',
      message: 'Subscription does not exist',
      status: 404,
    });
  });
});

describe('Unsubscribe', () => {
  it('ends a subscription and succeeds for an ended one', async () => {
    const SubscriptionArn = await test.subscribe(TopicArn, 'sqs', queueArn('ended'));
    await test.sns.unsubscribe({ SubscriptionArn });
    await test.sns.unsubscribe({ SubscriptionArn });
    expect((await failureOf(test.sns.getSubscriptionAttributes({ SubscriptionArn }))).code).toBe('NotFound');
    expect((await test.sns.getTopicAttributes({ TopicArn })).Attributes!.SubscriptionsDeleted).not.toBe('0');
  });

  it.each([
    ['randomstring', 'SubscriptionArn Reason: An ARN must have at least 6 elements, not 1'],
    ['arn:aws:sns:us-east-1:random', 'SubscriptionArn Reason: An ARN must have at least 6 elements, not 5'],
    ['arn:aws:sns:us-east-1:000000000000:random', 'SubscriptionId'],
    ['', 'SubscriptionArn Reason: no value for required parameter'],
  ])('rejects %s', async (SubscriptionArn, reason) => {
    expect(await failureOf(test.sns.unsubscribe({ SubscriptionArn }))).toEqual(invalid(reason));
  });
});

describe('ConfirmSubscription', () => {
  it('rejects invalid tokens and topics', async () => {
    await subscribe('email', 'token@example.com');
    const token = 'a'.repeat(288);
    const confirm = (topic: string, Token: string) =>
      failureOf(test.sns.confirmSubscription({ TopicArn: topic, Token }));
    expect(await confirm(TopicArn, 'randomtoken')).toMatchObject({ message: 'Invalid token' });
    expect(await confirm(TopicArn, token)).toEqual(invalid('Token'));
    expect(await confirm(`${TopicArn}-none`, token)).toEqual(invalid('Token'));
    expect(await confirm('broken', token)).toEqual(invalid('Topic'));
    expect(await confirm(`arn:aws:sns:eu-west-1:${ACCOUNT}:topic`, token)).toEqual(invalid('Topic'));
  });

  it('may require signatures from then on', async () => {
    const SubscriptionArn = await test.subscribe(TopicArn, 'email-json', 'signed@example.com');
    const { token } = (await test.pending()).find(({ subscriptionArn }) => subscriptionArn === SubscriptionArn)!;
    await test.sns.confirmSubscription({ TopicArn, Token: token, AuthenticateOnUnsubscribe: 'true' });
    expect(await attributesOf(SubscriptionArn)).toMatchObject({ ConfirmationWasAuthenticated: 'true' });
    const unsigned = await test.emulator.control(
      'GET',
      `/?Action=Unsubscribe&SubscriptionArn=${SubscriptionArn}&Version=2010-03-31`,
    );
    expect(unsigned.status).toBe(403);
    await test.sns.unsubscribe({ SubscriptionArn });
  });
});

describe('lists', () => {
  it('return pages of 100, and only subscriptions of the account', async () => {
    await using other = await startSns();
    const arn = await other.topic('many');
    for (let n = 0; n < 101; n++) await other.subscribe(arn, 'sqs', queueArn(`q${n}`));
    const byTopic = await other.sns.listSubscriptionsByTopic({ TopicArn: arn });
    expect(byTopic.Subscriptions).toHaveLength(100);
    const rest = await other.sns.listSubscriptionsByTopic({ TopicArn: arn, NextToken: byTopic.NextToken });
    expect(rest.Subscriptions).toHaveLength(1);
    expect(rest.NextToken).toBeUndefined();
    const all = await other.sns.listSubscriptions({});
    expect(all.Subscriptions).toHaveLength(100);
    expect((await other.sns.listSubscriptions({ NextToken: all.NextToken })).Subscriptions).toHaveLength(1);
    const stranger = other.client({ accessKeyId: '000000000001' });
    expect((await stranger.listSubscriptions({})).Subscriptions).toEqual([]);
  });

  it('include subscriptions to topics of other accounts', async () => {
    const stranger = test.client({ accessKeyId: '000000000001' });
    const Endpoint = `arn:aws:sqs:${REGION}:000000000001:theirs`;
    const { SubscriptionArn } = await stranger.subscribe({ TopicArn, Protocol: 'sqs', Endpoint });
    expect((await stranger.listSubscriptions({})).Subscriptions).toEqual([
      { SubscriptionArn, Owner: '000000000001', Protocol: 'sqs', Endpoint, TopicArn },
    ]);
  });
});
