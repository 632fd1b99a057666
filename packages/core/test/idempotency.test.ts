import { type AwsError, awsError } from '@emu/wire';
import { describe, expect, test } from 'vitest';
import { Collection } from '../src/collections/collection.ts';
import { type FirstRequest, IdempotencyTokens, tokenCollection, tokensOf } from '../src/service.ts';

const conflict = (token: string): AwsError => awsError('Conflict', `${token} was used.`);

/** Tokens of a store, the clock's time and the number of executed requests. */
function store(
  rules: { period?: number; maximum?: number; shared?: boolean; member?: string; compares?: boolean } = {},
) {
  const { compares = true, ...own } = rules;
  const records = new Collection<FirstRequest<string>>();
  const world = { now: 1000, runs: 0, records };
  const tokens = new IdempotencyTokens<string>({
    clock: { now: () => world.now },
    records,
    ...own,
    ...(compares && { refuse: conflict }),
  });
  const run = () => {
    world.runs += 1;
    return `result ${world.runs}`;
  };
  return { world, tokens, run };
}

describe('a stored token', () => {
  test("returns the first request's result for a repetition", () => {
    const { tokens, run, world } = store();
    const input = { ClientToken: 't', Name: 'a' };
    expect(tokens.once('Create', input, run)).toBe('result 1');
    expect(tokens.once('Create', { ...input }, run)).toBe('result 1');
    expect(tokens.find('Create', input)).toEqual({ result: 'result 1' });
    expect(world.runs).toBe(1);
  });

  test('is optional: requests without one run each time', () => {
    const { tokens, run, world } = store();
    expect([tokens.once('Create', { Name: 'a' }, run), tokens.once('Create', { Name: 'a' }, run)]).toEqual([
      'result 1',
      'result 2',
    ]);
    expect(tokens.find('Create', {})).toBeUndefined();
    expect(world.records.size).toBe(0);
  });

  test("of another request is rejected with the service's error", () => {
    const { tokens, run } = store();
    tokens.once('Create', { ClientToken: 't', Name: 'a' }, run);
    expect(() => tokens.once('Create', { ClientToken: 't', Name: 'b' }, run)).toThrow('t was used.');
    expect(() => tokens.find('Create', { ClientToken: 't', Name: 'b' })).toThrow('t was used.');
  });

  test('is compared with the request only if the service rejects mismatches', () => {
    const { tokens, run } = store({ compares: false });
    tokens.once('Create', { ClientToken: 't', Name: 'a' }, run);
    expect(tokens.once('Create', { ClientToken: 't', Name: 'b' }, run)).toBe('result 1');
  });

  test('belongs to one operation, or to all if they share it', () => {
    const own = store();
    own.tokens.once('Create', { ClientToken: 't' }, own.run);
    expect(own.tokens.once('Delete', { ClientToken: 't' }, own.run)).toBe('result 2');
    const shared = store({ shared: true, member: 'Token' });
    shared.tokens.once('Create', { Token: 't' }, shared.run);
    expect(shared.tokens.once('Delete', { Token: 't' }, shared.run)).toBe('result 1');
  });

  test('expires by the clock, and is removed', () => {
    const { tokens, run, world } = store({ period: 500 });
    const input = { ClientToken: 't', Name: 'a' };
    tokens.once('Create', input, run);
    world.now = 1499;
    expect(tokens.once('Create', input, run)).toBe('result 1');
    world.now = 1500;
    expect(tokens.once('Create', { ...input, Name: 'b' }, run)).toBe('result 2');
    world.now = 2500;
    tokens.once('Create', { ClientToken: 'u' }, run);
    expect([...world.records.entries()].map(([key]) => key)).toEqual(['Create u']);
  });

  test('is evicted above the limit, the oldest first', () => {
    const { tokens, run, world } = store({ maximum: 2 });
    for (const ClientToken of ['a', 'b', 'c']) tokens.once('Create', { ClientToken }, run);
    expect([...world.records.entries()].map(([key]) => key)).toEqual(['Create b', 'Create c']);
  });

  test('stays unused after a failed request', async () => {
    const { tokens, run } = store();
    const fails = () => {
      throw new Error('no');
    };
    expect(() => tokens.once('Create', { ClientToken: 't' }, fails)).toThrow('no');
    await expect(tokens.once('Create', { ClientToken: 't' }, async () => fails())).rejects.toThrow('no');
    expect(tokens.once('Create', { ClientToken: 't' }, run)).toBe('result 1');
  });

  test('shares the result of a running request', async () => {
    const { tokens, world } = store();
    let finish = (_result: string) => {};
    const slow = () => {
      world.runs += 1;
      return new Promise<string>((resolve) => {
        finish = resolve;
      });
    };
    const input = { ClientToken: 't', Name: 'a' };
    const answers = [tokens.once('Create', input, slow), tokens.once('Create', input, slow)];
    expect(() => tokens.once('Create', { ...input, Name: 'b' }, slow)).toThrow('t was used.');
    finish('done');
    expect(await Promise.all(answers)).toEqual(['done', 'done']);
    expect(world.runs).toBe(1);
    expect(await tokens.once('Create', input, slow)).toBe('done');
  });

  test('stores only a digest of its request, and accepts the JSON of earlier versions', () => {
    const { tokens, run, world } = store();
    tokens.once('Create', { ClientToken: 't', Secret: 'hunter2', Bytes: new Uint8Array([1]) }, run);
    expect(world.records.get('Create t')).toEqual({
      request: expect.stringMatching(/^[0-9a-f]{64}$/),
      at: 1000,
      result: 'result 1',
    });
    world.records.put('Create u', { request: '{"Name":"a"}', at: 1000, result: 'earlier' });
    expect(tokens.once('Create', { Name: 'a', ClientToken: 'u' }, run)).toBe('earlier');
    expect(() => tokens.once('Create', { Name: 'b', ClientToken: 'u' }, run)).toThrow('u was used.');
  });
});

test('a collection reads the records of earlier versions', () => {
  const { decode } = tokenCollection<string>('tokens', 'region', 'arn');
  expect(decode!({ request: 'r', at: 1, arn: 'a' })).toEqual({ request: 'r', at: 1, result: 'a' });
  expect(decode!({ request: 'r', at: 1, result: 'a' })).toEqual({ request: 'r', at: 1, result: 'a' });
});

describe('a token of a record', () => {
  interface Note {
    id: string;
    token?: string;
    request?: string;
    at: number;
  }
  function notes(period?: number) {
    const collection = new Collection<Note>();
    const world = { now: 1000 };
    const tokens = new IdempotencyTokens({
      clock: { now: () => world.now },
      records: tokensOf(collection, ({ token, request, at }) =>
        token === undefined ? undefined : { token, request, at },
      ),
      ...(period !== undefined && { period }),
      refuse: (token, first) => awsError('Conflict', `${token} made ${first?.id}.`),
    });
    const make = (note: Note) => () => collection.put(note.id, note);
    return { collection, world, tokens, make };
  }

  test('belongs to the request that created the record, as long as the record exists', () => {
    const { collection, tokens, make } = notes();
    const input = { ClientToken: 't', Name: 'a' };
    const first = { id: '1', token: 't', request: '{"Name":"a"}', at: 1000 };
    expect(tokens.once('Create', input, make(first))).toBe(first);
    expect(tokens.once('Create', input, make({ ...first, id: '2' }))).toBe(first);
    expect(() => tokens.find('Create', { ...input, Name: 'b' })).toThrow('t made 1.');
    collection.delete('1');
    expect(tokens.find('Create', input)).toBeUndefined();
  });

  test('expires, and then the next record with it counts', () => {
    const { world, tokens, make } = notes(500);
    const request = '{"Name":"a"}';
    tokens.once('Create', { ClientToken: 't', Name: 'a' }, make({ id: '1', token: 't', request, at: 1000 }));
    world.now = 1500;
    tokens.once('Create', { ClientToken: 't', Name: 'a' }, make({ id: '2', token: 't', request, at: 1500 }));
    expect(tokens.find('Create', { ClientToken: 't', Name: 'a' })?.result.id).toBe('2');
  });

  test('is rejected each time if the record has no data of its request', () => {
    const { tokens, make } = notes();
    tokens.once('Create', { ClientToken: 't' }, make({ id: '1', token: 't', at: 1000 }));
    expect(() => tokens.find('Create', { ClientToken: 't' })).toThrow('t made 1.');
  });
});
