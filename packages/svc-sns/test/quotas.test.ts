import { enforceQuota } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import { failureOf, startSns } from './support.ts';

const FILTER = { FilterPolicy: '{"a":["b"]}' };
const limit = (code: string) => ({ code, status: 403 });

test('limits topics of an account only if enforced', async () => {
  await using t = await startSns();
  await t.topic('one');
  await t.topic('two');
  await enforceQuota(t.emulator, 'sns/L-61103206', 2);
  expect(await failureOf(t.sns.createTopic({ Name: 'three' }))).toMatchObject(limit('TopicLimitExceeded'));
  const TopicArn = await t.topic('two');
  await t.sns.deleteTopic({ TopicArn });
  await t.topic('three');
  await t.client({ region: 'eu-west-1' }).createTopic({ Name: 'elsewhere' });
});

describe('subscriptions', () => {
  test('of a topic are limited, and a repeated subscription does not count', async () => {
    await using t = await startSns();
    const topic = await t.topic('t');
    await t.subscribe(topic, 'sms', '+12065550100');
    await enforceQuota(t.emulator, 'sns/L-A4340BCD', 1);
    const again = { TopicArn: topic, Protocol: 'sms', Endpoint: '+12065550101' };
    expect(await failureOf(t.sns.subscribe(again))).toMatchObject(limit('SubscriptionLimitExceeded'));
    await t.subscribe(topic, 'sms', '+12065550100');
    await t.subscribe(await t.topic('other'), 'sms', '+12065550101');
  });

  test('that are pending count until they are confirmed or removed', async () => {
    await using t = await startSns();
    const topic = await t.topic('t');
    await enforceQuota(t.emulator, 'sns/L-1A43D3DB', 1);
    await t.subscribe(topic, 'email', 'a@example.com');
    const next = { TopicArn: topic, Protocol: 'email', Endpoint: 'b@example.com' };
    expect(await failureOf(t.sns.subscribe(next))).toMatchObject(limit('SubscriptionLimitExceeded'));
    const [{ token } = { token: '' }] = await t.pending();
    await t.sns.confirmSubscription({ TopicArn: topic, Token: token });
    await t.sns.subscribe(next);
    await t.sns.deleteTopic({ TopicArn: topic });
    await t.subscribe(await t.topic('u'), 'email', 'c@example.com');
  });

  test.each(['sns/L-B96EDA7D', 'sns/L-4126E74A'])('with a filter policy are counted: %s', async (quota) => {
    await using t = await startSns();
    const topic = await t.topic('t');
    await enforceQuota(t.emulator, quota, 1);
    const first = await t.subscribe(topic, 'sms', '+12065550100', FILTER);
    const second = await t.subscribe(topic, 'sms', '+12065550101');
    const AttributeName = 'FilterPolicy';
    const filter = (SubscriptionArn: string, AttributeValue: string) =>
      t.sns.setSubscriptionAttributes({ SubscriptionArn, AttributeName, AttributeValue });
    const refused = limit('FilterPolicyLimitExceeded');
    expect(await failureOf(filter(second, FILTER.FilterPolicy))).toMatchObject(refused);
    const third = { TopicArn: topic, Protocol: 'sms', Endpoint: '+12065550102', Attributes: FILTER };
    expect(await failureOf(t.sns.subscribe(third))).toMatchObject(refused);
    await filter(first, '{"a":["c"]}');
    await t.sns.unsubscribe({ SubscriptionArn: first });
    await filter(second, FILTER.FilterPolicy);
  });
});

test('rates allow the requests of one second', async () => {
  await using t = await startSns();
  await enforceQuota(t.emulator, 'sns/L-039289D5');
  for (let request = 0; request < 30; request++) await t.sns.listTopics({});
  expect(await failureOf(t.sns.listTopics({}))).toEqual({
    code: 'Throttling',
    message: 'Rate exceeded',
    status: 400,
  });
  await t.topic('others-are-not-throttled');
  await t.advance(1);
  await t.sns.listTopics({});
});
