import { describe, expect, it } from 'vitest';
import { awsError, compileService, unsupportedPatterns, validationError, violationText } from '../src/index.ts';
import { modelOf } from './support/services.ts';
import { smallModel } from './support/small-model.ts';

const codec = compileService(smallModel(['awsJson1_1']));
const failures = (input: object) => codec.validate('PutAnimal', input);
const messages = (input: object): string[] => failures({ Name: 'rex', ...input }).map(({ message }) => message);
const failed = 'failed to satisfy constraint: ';

describe('constraints of a model', () => {
  it('accept valid inputs', () => {
    const input = {
      Kind: 'CAT',
      Age: 10,
      Photo: Buffer.alloc(4),
      Names: ['a'],
      Sparse: [null],
      Tags: { a: 0.5 },
      Food: { Hay: 'x' },
      Young: [{ Name: 'b', Young: [] }],
    };
    expect(messages(input)).toEqual([]);
    expect(codec.validate('Ping', {})).toEqual([]);
  });

  it.each([
    [{ Name: undefined }, [`Value null at 'name' ${failed}Member must not be null`]],
    [
      { Name: '' },
      [
        `Value '' at 'name' ${failed}Member must satisfy regular expression pattern: [a-z]+`,
        `Value '' at 'name' ${failed}Member must have length greater than or equal to 1`,
      ],
    ],
    [{ Name: 'abcdefghi' }, [`Value 'abcdefghi' at 'name' ${failed}Member must have length less than or equal to 8`]],
    [{ Kind: 'FISH' }, [`Value 'FISH' at 'kind' ${failed}Member must satisfy enum value set: [CAT, DOG]`]],
    [{ Age: 11 }, [`Value '11' at 'age' ${failed}Member must have value less than or equal to 10`]],
    [{ Age: -1 }, [`Value '-1' at 'age' ${failed}Member must have value greater than or equal to 0`]],
    [
      { Photo: Buffer.alloc(5) },
      [
        `Value 'java.nio.HeapByteBuffer[pos=0 lim=5 cap=5]' at 'photo' ${failed}Member must have length less than or equal to 4`,
      ],
    ],
    [
      { Names: ['a', 'b', 'c', 'd'] },
      [`Value '[a, b, c, d]' at 'names' ${failed}Member must have length less than or equal to 3`],
    ],
    [
      { Young: [{}, { Name: 'b', Young: [{}] }] },
      [
        `Value null at 'young.1.member.name' ${failed}Member must not be null`,
        `Value null at 'young.2.member.young.1.member.name' ${failed}Member must not be null`,
      ],
    ],
    [{ Young: [null] }, [`Value null at 'young.1.member' ${failed}Member must not be null`]],
    [{ ById: { seven: {} } }, [`Value null at 'byId.seven.member.name' ${failed}Member must not be null`]],
    [
      { Food: {} },
      [`Value 'Food(meat=null, hay=null)' at 'food' ${failed}Member must have exactly one of its members set`],
    ],
    [{ Password: 'secret' }, [`Value at 'password' ${failed}Member must have length less than or equal to 4`]],
  ])('reject %j', (input, expected) => {
    expect(messages(input)).toEqual(expected);
  });

  it('report scalars of lists and maps together with their collection', () => {
    const name =
      'Member must have length less than or equal to 8, Member must have length greater than or equal to 1, Member must satisfy regular expression pattern: [a-z]+';
    expect(messages({ Names: ['A', 'b'] })).toEqual([
      `Value '[A, b]' at 'names' ${failed}Member must satisfy constraint: [${name}, Member must not be null]`,
    ]);
    // Message of AWS Lambda for the weights of an alias.
    expect(messages({ Tags: { a: 2 } })).toEqual([
      `Value '{a=2.0}' at 'tags' ${failed}Map value must satisfy constraint: [Member must have value less than or equal to 1.0, Member must have value greater than or equal to 0.0, Member must not be null]`,
    ]);
    expect(messages({ Tags: { A: 1 } })).toEqual([
      `Value '{A=1.0}' at 'tags' ${failed}Map keys must satisfy constraint: [${name}]`,
    ]);
  });

  it('count code points instead of surrogate halves', () => {
    const many = compileService(
      smallModel(['awsJson1_1'], ({ shapes }) => {
        shapes.Name = { type: 'string', min: 2, max: 3 };
      }),
    );
    const count = (Name: string): number => many.validate('PutAnimal', { Name }).length;
    expect([count('😀'), count('😀😀'), count('😀😀😀'), count('😀😀😀😀'), count('a'), count('abcd')]).toEqual([
      1, 0, 0, 1, 1, 1,
    ]);
  });

  it('return the path of the invalid member', () => {
    expect(failures({ Name: 'a', Young: [{ Name: 'b' }, {}] })).toEqual([
      {
        constraint: 'required',
        path: 'young.2.member.name',
        members: ['Young', 1, 'Name'],
        value: undefined,
        reason: 'Member must not be null',
        message: expect.stringContaining('null'),
      },
    ]);
  });

  it('show at most 2,048 characters of a value', () => {
    const [shown] = messages({ Names: Array.from({ length: 300_000 }, () => 'a') });
    expect(shown).toMatch(/^Value '\[a, a, .*, a, \.\.\.\]' at 'names' failed/);
    expect(shown!.length).toBeLessThan(3000);
    const long = 'é'.repeat(100_000);
    const failed = "' at 'name' failed to satisfy constraint: Member must have length less than or equal to 8";
    expect(messages({ Name: long })).toContain(`Value '${'é'.repeat(2048)}...${failed}`);
    // A character of two halves is not split.
    expect(messages({ Name: `a${'😀'.repeat(5000)}` })).toContain(`Value 'a${'😀'.repeat(1023)}...${failed}`);
    const [nested] = messages({ Food: { Hay: long, Meat: long } });
    expect(nested!.length).toBeLessThan(3000);
    expect(nested).toMatch(/failed to satisfy constraint: Member must have exactly one of its members set$/);
    expect(violationText('name', 'Member is odd', long)).toBe(
      `1 validation error detected: Value '${'é'.repeat(2048)}...' at 'name' failed to satisfy constraint: Member is odd`,
    );
  });

  it('are shortened in the middle with all other long messages', () => {
    const { message } = awsError('Any', `start ${'x'.repeat(1_000_000)} end`);
    expect(message).toMatch(/^start x+\.\.\.x+ end$/);
    expect(message).toHaveLength(32 * 1024 + 3);
  });

  it('stop after ten failures', () => {
    expect(failures({ Name: 'a', Young: Array.from({ length: 100_000 }, () => ({})) })).toHaveLength(10);
  });

  it('become one error', () => {
    expect(validationError(failures({ Name: 'abcdefghi', Age: 11 }))).toMatchObject({
      code: 'ValidationException',
      status: 400,
      message: `2 validation errors detected: Value 'abcdefghi' at 'name' ${failed}Member must have length less than or equal to 8; Value '11' at 'age' ${failed}Member must have value less than or equal to 10`,
    });
    expect(validationError(failures({}), 'ValidationError')).toMatchObject({
      code: 'ValidationError',
      message: expect.stringMatching(/^1 validation error detected: /),
    });
  });
});

it.each(['secretsmanager', 'lambda', 'cloudwatch', 's3', 'ec2'])('every pattern of %s can be checked', (service) => {
  expect(unsupportedPatterns(modelOf(`test/model/${service}.json`))).toEqual([]);
});
