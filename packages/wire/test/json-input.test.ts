import { describe, expect, it } from 'vitest';
import { compileService } from '../src/index.ts';
import { smallModel } from './support/small-model.ts';

const codec = compileService(smallModel(['awsJson1_1']));
const decode = (json: unknown) => codec.inputFromJson('PutAnimal', json);
const inputOf = (members: object) => {
  const { input, failures } = decode({ Name: 'rex', ...members });
  expect(failures).toEqual([]);
  return input;
};
const failed = 'failed to satisfy constraint: ';

describe('an input from JSON', () => {
  it('has blobs, timestamps and numbers in the form for handlers', () => {
    const json = {
      Name: 'rex',
      Photo: 'AQI=',
      Age: 3,
      Long: 2 ** 40,
      Double: 'NaN',
      Tame: true,
      Names: ['a'],
      Sparse: ['x', null],
      Tags: { a: 0.5 },
      Young: [{ Name: 'b', Young: [{ Name: 'c' }] }],
      Food: { Hay: 'x' },
    };
    const before = structuredClone(json);
    expect(inputOf(json)).toEqual({ ...json, Photo: Buffer.from([1, 2]), Double: Number.NaN });
    expect(json).toEqual(before);
  });

  it.each([
    ['seconds', 1_700_000_000.5],
    ['ISO 8601', '2023-11-14T22:13:20.500Z'],
    ['ISO 8601 with an offset', '2023-11-14T23:13:20.500+01:00'],
  ])('parses a timestamp as %s', (_kind, Born) => {
    expect(inputOf({ Born })).toEqual({ Name: 'rex', Born: new Date(1_700_000_000_500) });
  });

  it('keeps documents unchanged and omits nulls', () => {
    const Notes = { any: ['thing', null, 1] };
    expect(inputOf({ Notes, Kind: null, Tags: null })).toEqual({ Name: 'rex', Notes });
  });

  it('accepts map keys that are names of prototype members', () => {
    const ById = JSON.parse('{"__proto__":{"Name":"a"}}') as object;
    const { ById: decoded } = inputOf({ ById }) as { ById: object };
    expect(Object.entries(decoded)).toEqual([['__proto__', { Name: 'a' }]]);
  });

  it('is an empty object for an operation without input', () => {
    expect(codec.inputFromJson('Ping', {})).toEqual({ input: {}, failures: [] });
    expect(codec.inputFromJson('Ping', { Name: 'a' }).failures).toMatchObject([
      { constraint: 'unknown', path: 'name' },
    ]);
  });

  it.each([
    ['an unknown member', { Color: 'red' }, 'unknown', 'color', 'Member must be one that the operation has'],
    ['a name in another case', { kind: 'CAT' }, 'unknown', 'kind', 'Member must be one that the operation has'],
    [
      'a nested unknown member',
      { Young: [{ Nme: 'b' }] },
      'unknown',
      'young.1.member.nme',
      'Member must be one that the operation has',
    ],
    ['no object', { Food: 'hay' }, 'type', 'food', 'Member must be an object'],
    ['an array for an object', { Tags: [] }, 'type', 'tags', 'Member must be an object'],
    ['no array', { Names: 'a' }, 'type', 'names', 'Member must be an array'],
    ['no string', { Kind: 1 }, 'type', 'kind', 'Member must be a string'],
    ['no boolean', { Tame: 'true' }, 'type', 'tame', 'Member must be a boolean'],
    ['a fraction', { Age: 1.5 }, 'type', 'age', 'Member must be a whole number of 32 bits'],
    ['a number beyond 32 bits', { Count: 2 ** 31 }, 'type', 'count', 'Member must be a whole number of 32 bits'],
    ['a fraction of a long', { Long: 0.5 }, 'type', 'long', 'Member must be a whole number'],
    ['no number', { Double: '1' }, 'type', 'double', 'Member must be a number'],
    ['no base64', { Photo: '%' }, 'type', 'photo', 'Member must be base64'],
    [
      'no timestamp',
      { Born: 'yesterday' },
      'type',
      'born',
      'Member must be seconds since the epoch or an ISO 8601 timestamp',
    ],
  ] as const)('rejects %s', (_what, members, constraint, path, text) => {
    expect(decode({ Name: 'rex', ...members }).failures).toMatchObject([
      { constraint, path, message: `Value at '${path}' ${failed}${text}` },
    ]);
  });

  it('rejects values that are not objects', () => {
    for (const json of [null, 'x', []]) expect(decode(json).failures).toMatchObject([{ constraint: 'type', path: '' }]);
  });

  it('rejects unlimited nesting', () => {
    let deep: object = { Name: 'a' };
    for (let level = 0; level < 600; level++) deep = { Name: 'a', Young: [deep] };
    expect(decode(deep).failures.at(-1)!.message).toMatch(/Member must not nest deeper than 500 levels$/);
    let notes: unknown = 'end';
    for (let level = 0; level < 600; level++) notes = [notes];
    expect(decode({ Name: 'a', Notes: notes }).failures).toMatchObject([{ constraint: 'type', path: 'notes' }]);
  });

  it('reports every wrong member, never with its value', () => {
    const { failures } = decode({ Name: 1, Password: { a: 'secret' }, Colour: 'x' });
    expect(failures.map(({ path }) => path)).toEqual(['name', 'password', 'colour']);
    expect(failures.map(({ message }) => message).join()).not.toContain('secret');
  });

  it('violates constraints of the model like any input', () => {
    expect(decode({ Age: 11 }).failures.map(({ message }) => message)).toEqual([
      `Value null at 'name' ${failed}Member must not be null`,
      `Value '11' at 'age' ${failed}Member must have value less than or equal to 10`,
    ]);
    expect(decode({ Name: 'rex', Names: ['a', null] }).failures).toMatchObject([{ constraint: 'null', path: 'names' }]);
  });
});
