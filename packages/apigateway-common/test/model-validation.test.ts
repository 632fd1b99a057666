import { expect, it } from 'vitest';
import { timerDelay } from '../../../tools/testing/delays.ts';
import { ModelValidation } from '../src/model-validation.ts';

const validation = (schema: object) => new ModelValidation([{ name: 'Tried', schema: JSON.stringify(schema) }]);

it.each([
  { type: 'object', properties: { a: { type: 'number' } } },
  { type: 'object', allOf: [{ properties: { a: { type: 'number' } } }] },
])('validates bodies with simple and with other models: %j', async (schema) => {
  const tried = validation(schema);
  expect(await tried.problem('Tried', '{"a":1}', 'api')).toBeUndefined();
  expect(await tried.problem('Tried', '{"a":"b"}', 'api')).toMatch(/^\[instance /);
  expect(await tried.problem('Tried', '{', 'api')).toBe('[the body is not valid JSON]');
});

it.each([
  [
    'nested references',
    {
      definitions: Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `d${at}`,
          at === 39 ? { type: 'object' } : { allOf: Array(2).fill({ $ref: `#/definitions/d${at + 1}` }) },
        ]),
      ),
      $ref: '#/definitions/d0',
    },
    '{}',
  ],
])('rejects a body whose validation exceeds a limit, without delay of the main thread: %s', async (_, schema, body) => {
  const delay = await timerDelay(async () => {
    const hostile = validation(schema).problem('Tried', body, 'hostile');
    expect(await validation({ not: { type: 'null' } }).problem('Tried', '1', 'other')).toBeUndefined();
    expect(await hostile).toBe('[the validation of the body exceeds its limits]');
  });
  expect(delay).toBeLessThan(100);
});

it.each([
  ['unique items', { uniqueItems: true }, JSON.stringify(Array.from({ length: 100_000 }, (_, at) => [at])), undefined],
  ['items', { items: Array.from({ length: 1000 }, () => ({ type: 'null' })) }, '[1]', /^\[instance type/],
  [
    'alternatives',
    Array.from({ length: 8 }).reduce<object>((inner) => ({ anyOf: [inner, inner] }), { type: 'null' }),
    '1',
    /^\[instance /,
  ],
])('validates a large body or model without delay of the main thread: %s', async (_, schema, body, problem) => {
  const delay = await timerDelay(async () => {
    const found = await validation(schema).problem('Tried', body, 'large');
    if (problem) expect(found).toMatch(problem);
    else expect(found).toBeUndefined();
  });
  expect(delay).toBeLessThan(100);
});
