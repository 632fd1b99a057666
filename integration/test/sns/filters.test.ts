import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SnsTest, startSns } from './support.ts';

let test: SnsTest;
beforeAll(async () => {
  test = await startSns();
});
afterAll(() => test[Symbol.asyncDispose]());

let count = 0;
/** Creates a topic with one raw subscription with a filter. */
async function filtered(policy: unknown, scope = 'MessageAttributes') {
  const name = `f${count++}`;
  const TopicArn = await test.topic(name);
  await test.subscribe(TopicArn, 'sqs', await test.queue(name), {
    RawMessageDelivery: 'true',
    FilterPolicy: JSON.stringify(policy),
    FilterPolicyScope: scope,
  });
  return {
    publish: (Message: string, MessageAttributes?: Record<string, { DataType: string; StringValue: string }>) =>
      test.sns.publish({ TopicArn, Message, MessageAttributes }),
    received: async () => (await test.received(name)).map(({ body }) => body),
  };
}

const text = (StringValue: string) => ({ DataType: 'String', StringValue });
const number = (value: number) => ({ DataType: 'Number', StringValue: String(value) });
const list = (...values: unknown[]) => ({ DataType: 'String.Array', StringValue: JSON.stringify(values) });

describe('filter policies on message attributes', () => {
  it('compare numbers numerically', async () => {
    const { publish, received } = await filtered({ attr1: [{ numeric: ['>', 0, '<=', 100] }] });
    await publish('in', { attr1: number(99) });
    await publish('out', { attr1: number(111) });
    await publish('text', { attr1: text('99') });
    await publish('none');
    expect(await received()).toEqual(['in']);
  });

  it('match the elements of arrays', async () => {
    const { publish, received } = await filtered({ interests: ['rugby', { 'anything-but': ['tennis', 'golf'] }] });
    await publish('any', { interests: list('tennis', 'football') });
    await publish('none of them', { interests: list('tennis', 'golf') });
    await publish('rugby', { interests: list('golf', 'rugby') });
    await publish('no array', { interests: { DataType: 'String.Array', StringValue: 'x' } });
    await publish('empty', { interests: list() });
    expect(await received()).toEqual(['any', 'rugby']);
  });

  it('treat a value that is not an array as its only element', async () => {
    const { publish, received } = await filtered({ interests: ['rugby', 5] });
    for (const value of ['"rugby"', '5', '"golf"', '{"a":"rugby"}'])
      await publish(value, { interests: { DataType: 'String.Array', StringValue: value } });
    expect(await received()).toEqual(['"rugby"', '5']);
  });

  it('compare five decimal places of numbers', async () => {
    const { publish, received } = await filtered({ price: [{ numeric: ['=', 301.5] }] });
    for (const value of [301.500009, 301.50001]) await publish(String(value), { price: number(value) });
    expect(await received()).toEqual(['301.500009']);
  });

  it('require every key, and support absence', async () => {
    const { publish, received } = await filtered({ store: [{ exists: true }], event: [{ exists: false }] });
    await publish('yes', { store: text('a') });
    await publish('both', { store: text('a'), event: text('b') });
    await publish('neither');
    expect(await received()).toEqual(['yes']);
  });

  it('support $or', async () => {
    const { publish, received } = await filtered({
      source: ['aws'],
      $or: [{ name: ['cpu'] }, { space: [{ prefix: 'AWS/' }], kind: [{ 'equals-ignore-case': 'METRIC' }] }],
    });
    await publish('1', { source: text('aws'), name: text('cpu') });
    await publish('2', { source: text('aws'), space: text('AWS/EC2'), kind: text('metric') });
    await publish('3', { source: text('aws'), space: text('AWS/EC2') });
    expect(await received()).toEqual(['1', '2']);
  });
});

describe('filter policies on the message body', () => {
  it('match nested objects and arrays', async () => {
    const { publish, received } = await filtered(
      { object: { key: [{ prefix: 'auto-' }], ip: [{ cidr: '10.0.0.0/24' }] } },
      'MessageBody',
    );
    const yes = JSON.stringify({ object: { key: 'auto-1', ip: '10.0.0.7' } });
    await publish(yes);
    await publish(JSON.stringify({ object: { key: 'auto-1', ip: '10.0.1.7' } }));
    await publish(JSON.stringify({ object: [{ key: 'auto-1' }, { ip: '10.0.0.7' }] }));
    await publish('no json');
    await publish('"auto-1"');
    expect(await received()).toEqual([yes]);
  });

  it('ignore message attributes', async () => {
    const { publish, received } = await filtered({ a: ['x'] }, 'MessageBody');
    await publish('{"a":"y"}', { a: text('x') });
    await publish('{"a":"x"}');
    expect(await received()).toEqual(['{"a":"x"}']);
  });

  it('count nested keys by their depth', async () => {
    const TopicArn = await test.topic('deep');
    const policy = {
      key_a: { key_b: { key_c: ['1', '2', '3', '4'] } },
      key_d: { key_e: ['1', '2', '3'] },
      key_f: ['1', '2', '3'],
    };
    await expect(
      test.subscribe(TopicArn, 'sqs', await test.queue('deep'), {
        FilterPolicyScope: 'MessageBody',
        FilterPolicy: JSON.stringify(policy),
      }),
    ).rejects.toThrow('Filter policy is too complex');
  });
});
