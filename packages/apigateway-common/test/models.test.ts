import { describe, expect, it } from 'vitest';
import { modelValidator } from '../src/models.ts';

const problem = (schema: object, body: unknown, others: Record<string, object> = {}): string | undefined =>
  modelValidator([
    { name: 'Tried', schema: JSON.stringify(schema) },
    ...Object.entries(others).map(([name, one]) => ({ name, schema: JSON.stringify(one) })),
  ]).problem('Tried', body);

// Source of the messages: validation.properties of https://github.com/java-json-tools/json-schema-validator
describe('messages for a body that violates a model', () => {
  it.each<[schema: object, body: unknown, told: string]>([
    [{ required: ['b', 'a', 'c'] }, { c: 1 }, 'object has missing required properties (["a","b"])'],
    [
      { type: 'number' },
      'a',
      'instance type (string) does not match any allowed primitive type (allowed: ["integer","number"])',
    ],
    [
      { type: ['object', 'null'] },
      1,
      'instance type (integer) does not match any allowed primitive type (allowed: ["null","object"])',
    ],
    [{ enum: ['a', 1] }, 'b', 'instance value ("b") not found in enum (possible values: ["a",1])'],
    [{ maximum: 5 }, 6, 'numeric instance is greater than the required maximum (maximum: 5, found: 6)'],
    [{ maximum: 5, exclusiveMaximum: true }, 5, 'numeric instance is not strictly lower than the required maximum 5'],
    [
      { maximum: 5, exclusiveMaximum: true },
      6,
      'numeric instance is greater than the required maximum (maximum: 5, found: 6)',
    ],
    [{ minimum: 5 }, 4.5, 'numeric instance is lower than the required minimum (minimum: 5, found: 4.5)'],
    [{ minimum: 5, exclusiveMinimum: true }, 5, 'numeric instance is not strictly greater than the required minimum 5'],
    [{ multipleOf: 2 }, 3, 'remainder of division is not zero (3 / 2)'],
    [{ minLength: 2 }, '"', 'string """ is too short (length: 1, required minimum: 2)'],
    [{ maxLength: 1 }, 'a😀', 'string "a😀" is too long (length: 2, maximum allowed: 1)'],
    [{ pattern: '^\\d+$' }, 'a', 'ECMA 262 regex "^\\d+$" does not match input string "a"'],
    [
      { format: 'date-time' },
      '2026-02-30T00:00:00Z',
      `string "2026-02-30T00:00:00Z" is invalid against requested date format(s) [yyyy-MM-dd'T'HH:mm:ssZ, yyyy-MM-dd'T'HH:mm:ss.[0-9]{1,12}Z]`,
    ],
    [{ format: 'email' }, 'a', 'string "a" is not a valid email address'],
    [{ format: 'hostname' }, 'a_b', 'string "a_b" is not a valid hostname'],
    [{ format: 'ipv4' }, '1.2.3', 'string "1.2.3" is not a valid IPv4 address'],
    [{ format: 'ipv6' }, '1.2.3.4', 'string "1.2.3.4" is not a valid IPv6 address'],
    [{ format: 'regex' }, '(', 'string "(" is not a valid ECMA 262 regular expression'],
    [{ format: 'uri' }, 'a b', 'string "a b" is not a valid URI'],
    [{ format: 'uuid' }, 'x', 'input string "x" is not a valid UUID'],
    [{ minItems: 2 }, [1], 'array is too short: must have at least 2 elements but instance has 1 elements'],
    [{ maxItems: 1 }, [1, 2], 'array is too long: must have at most 1 elements but instance has 2 elements'],
    [{ uniqueItems: true }, [1, 1], 'array must not contain duplicate elements'],
    [
      { items: [{}], additionalItems: false },
      [1, 2],
      'schema only allows 1 elements in array but instance has 2 elements',
    ],
    [{ minProperties: 1 }, {}, 'object has too few properties (found 0 but schema requires at least 1)'],
    [{ maxProperties: 1 }, { a: 1, b: 1 }, 'object has too many properties (found 2 but schema requires at most 1)'],
    [
      { properties: { a: {} }, additionalProperties: false },
      { a: 1, c: 1, b: 1 },
      'object instance has properties which are not allowed by the schema: ["b","c"]',
    ],
    [
      { dependencies: { a: ['b', 'c'] } },
      { a: 1, c: 1 },
      'property "a" of object has missing property dependencies (schema requires ["b","c"]; missing: ["b"])',
    ],
    [{ dependencies: { a: { required: ['b'] } } }, { a: 1 }, 'object has missing required properties (["b"])'],
    [
      { allOf: [{ type: 'string' }, { type: 'integer' }] },
      1,
      'instance failed to match all required schemas (matched only 1 out of 2)',
    ],
    [
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      1,
      'instance failed to match at least one required schema among 2',
    ],
    [{ oneOf: [{}, { type: 'integer' }] }, 1, 'instance failed to match exactly one schema (matched 2 out of 2)'],
    [{ not: { type: 'integer' } }, 1, 'instance matched a schema which it should not have'],
  ])('%j and %j', (schema, body, told) => {
    expect(problem(schema, body)).toBe(`[${told}]`);
    expect(problem({ properties: { a: schema }, patternProperties: { '^p': schema } }, { p: body })).toBe(`[${told}]`);
    expect(
      problem({ items: { $ref: 'https://apigateway.amazonaws.com/restapis/abc/models/Other' } }, [body], {
        Other: schema,
      }),
    ).toBe(`[${told}]`);
  });

  it.each([
    ['date-time', ['2026-11-28T08:00:00Z', '2026-11-28T08:00:00.123+01:00', 7]],
    ['email', ['a@b.example']],
    ['hostname', ['a-b.example']],
    ['ipv4', ['127.0.0.1']],
    ['ipv6', ['::1']],
    ['regex', ['^a+$']],
    ['uri', ['https://a.example/%C3%A4?b#c', 'urn:a']],
    ['uuid', ['01234567-89ab-cdef-0123-456789abcdef']],
    ['date', ['no date']],
    ['int32', [2 ** 40]],
  ])('of the format %s are absent if it matches or is not a draft 4 format', (format, values) => {
    for (const value of values) expect(problem({ format }, value)).toBeUndefined();
  });

  it('are ordered by keyword and property name, and cover nested values only if the outer value is valid', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      minProperties: 3,
      properties: { b: { type: 'string' }, a: { $ref: '#/definitions/short' } },
      definitions: { short: { type: 'string', maxLength: 1 } },
    };
    expect(problem(schema, { b: 1 })).toBe(
      '[object has too few properties (found 1 but schema requires at least 3), object has missing required properties (["a"])]',
    );
    expect(problem(schema, { b: 1, c: 1, a: 'aa' })).toBe(
      '[string "aa" is too long (length: 2, maximum allowed: 1), instance type (integer) does not match any allowed primitive type (allowed: ["string"])]',
    );
    expect(problem(schema, { a: 'a', b: 'b', c: 1 })).toBeUndefined();
  });
});
