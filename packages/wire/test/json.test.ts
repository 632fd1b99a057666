import { describe, expect, it } from 'vitest';
import { AwsError, awsError, compileService, type WireRequest } from '../src/index.ts';
import { smallModel } from './support/small-model.ts';

const codec = compileService(smallModel(['awsJson1_1']));
const [protocol] = codec.protocols;

const request = (body: unknown, headers: WireRequest['headers'] = {}): WireRequest => ({
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'x-amz-target': 'Zoo_20240101.PutAnimal', 'content-type': 'application/x-amz-json-1.1', ...headers },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const decode = (body: unknown): unknown => protocol!.decode('PutAnimal', request(body));
const errorOf = (body: unknown): AwsError => {
  try {
    decode(body);
  } catch (error) {
    if (error instanceof AwsError) return error;
    throw error;
  }
  throw new Error('it was accepted');
};

describe('awsJson requests', () => {
  it('are matched by their exact target', () => {
    expect(protocol!.match(request({}))?.name).toBe('PutAnimal');
    for (const target of ['PutAnimal', 'Zoo_20240101.putAnimal', 'Other.PutAnimal', 'Zoo_20240101.__proto__'])
      expect(protocol!.match(request({}, { 'x-amz-target': target }))).toBeUndefined();
  });

  it('have typed values and drop nulls and unknown members', () => {
    const input = decode({
      Name: 'rex',
      Age: 3.9,
      Photo: 'AAE=',
      Born: 1.5,
      Count: null,
      Unknown: [{}],
      Double: 'NaN',
      Tame: true,
    });
    expect(input).toEqual({
      Name: 'rex',
      Age: 3,
      Photo: Buffer.from([0, 1]),
      Born: new Date(1500),
      Double: Number.NaN,
      Tame: true,
    });
  });

  it('keep nulls of sparse lists and any document', () => {
    expect(decode({ Sparse: ['a', null], Notes: { a: [null, 1] } })).toEqual({
      Sparse: ['a', null],
      Notes: { a: [null, 1] },
    });
  });

  it('have at most the elements of a too long list that its error shows', () => {
    const model = smallModel(['awsJson1_1']);
    const { shapes } = model;
    shapes.Sparse = { ...shapes.Sparse!, max: 10 };
    const [limited] = compileService(model).protocols;
    const listOf = (length: number) => {
      const body = { Sparse: Array.from({ length }, () => 'a') };
      return (limited!.decode('PutAnimal', request(body)) as { Sparse: string[] }).Sparse.length;
    };
    expect([10, 11, 2048, 2049, 100_000].map(listOf)).toEqual([10, 11, 2048, 2048, 2048]);
  });

  it('cannot change a prototype', () => {
    const input = decode(
      '{"__proto__":{"polluted":1},"Tags":{"__proto__":0.5},"Notes":{"__proto__":{"x":1}}}',
    ) as Record<string, object>;
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(Object.keys(input).sort()).toEqual(['Notes', 'Tags']);
    expect(Object.keys(input.Tags!)).toEqual(['__proto__']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it.each([
    ['{"Name":1}', 'NUMBER_VALUE can not be converted to a String'],
    ['{"Name":true}', 'TRUE_VALUE can not be converted to a String'],
    ['{"Name":[]}', 'Start of list found where not expected'],
    ['{"Name":{}}', 'Start of structure or map found where not expected.'],
    ['{"Age":"1"}', 'STRING_VALUE can not be converted to an Integer'],
    ['{"Long":false}', 'FALSE_VALUE can not be converted to a Long'],
    ['{"Tame":1}', 'NUMBER_VALUE can not be converted to a Boolean'],
    // https://github.com/architect/dynalite/blob/master/test/helpers.js
    ['{"Tame":"23"}', "'23' can not be converted to an Boolean"],
    ['{"Double":"one"}', 'STRING_VALUE can not be converted to a Double'],
    ['{"Born":"now"}', 'STRING_VALUE can not be converted to milliseconds since epoch'],
    ['{"Names":"x"}', 'Expected list or null'],
    ['{"Names":{}}', 'Start of structure or map found where not expected.'],
    ['{"Tags":"x"}', 'Expected map or null'],
    ['{"Young":[1]}', 'Expected null'],
    [
      '{"Photo":"AAE"}',
      "'AAE' can not be converted to a Blob: Base64 encoded length is expected a multiple of 4 bytes but found: 3",
    ],
    ['{"Photo":"A*E="}', "'A*E=' can not be converted to a Blob: Invalid Base64 character: '*'"],
    ['[]', 'Start of list found where not expected'],
    ['', ''],
    ['{', ''],
    ['null', ''],
  ])('reject %s', (body, message) => {
    expect(errorOf(body)).toMatchObject({ code: 'SerializationException', message });
  });

  it('reject too much nesting and invalid UTF-8', () => {
    expect(errorOf(`{"Notes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`).code).toBe('SerializationException');
    const nested = `${'{"Name":"a","Young":['.repeat(1000)}${']}'.repeat(1000)}`;
    expect(errorOf(`{"Young":[${nested}]}`).code).toBe('SerializationException');
    const broken = { ...request({}), body: Buffer.from([0x7b, 0xff, 0x7d]) };
    expect(() => protocol!.decode('PutAnimal', broken)).toThrow(AwsError);
  });

  it('clamp integers to the type', () => {
    expect(decode('{"Count":3000000000,"Long":1e30}')).toEqual({ Count: 2147483647, Long: 2 ** 63 });
  });

  it('may have no body without an input', () => {
    expect(protocol!.decode('Ping', request(''))).toEqual({});
  });
});

describe('awsJson responses', () => {
  it('have the members of the shape only', () => {
    const output = {
      Name: 'a"\u2028\ud800',
      Double: Number.POSITIVE_INFINITY,
      Photo: Buffer.from('hi'),
      Born: new Date(1500),
      internal: 1,
      Tags: { a: 0.5, b: undefined },
    };
    const { status, headers, body } = protocol!.encode('PutAnimal', output, 'r-1');
    expect(status).toBe(200);
    expect(headers).toEqual({ 'x-amzn-RequestId': 'r-1', 'Content-Type': 'application/x-amz-json-1.1' });
    expect(JSON.parse(body as string)).toEqual({
      Name: 'a"\u2028\ud800',
      Double: 'Infinity',
      Photo: 'aGk=',
      Born: 1.5,
      Tags: { a: 0.5 },
    });
    expect(protocol!.encode('Ping', undefined, 'r').body).toBe('{}');
  });

  it('report a handler with an output of another type', () => {
    expect(() => protocol!.encode('PutAnimal', { Name: 1 }, 'r')).toThrow(
      'an output has number where its model has a string',
    );
    expect(() => protocol!.encode('PutAnimal', { Born: 'now' }, 'r')).toThrow(TypeError);
  });

  it('have errors with their type, status and members', () => {
    const error = awsError('AnimalEscaped', 'gone', { members: { Name: 'rex' } });
    const { status, body } = protocol!.encodeError(error, 'r');
    expect(status).toBe(409);
    expect(JSON.parse(body as string)).toEqual({ __type: 'AnimalEscaped', message: 'gone', Name: 'rex' });
    expect(protocol!.encodeError(awsError('ZooOnFire', 'help'), 'r')).toMatchObject({
      status: 500,
      body: '{"__type":"ZooOnFire","Message":"help"}',
    });
    expect(protocol!.encodeError(awsError('AccessDeniedException', 'no'), 'r').body).toBe(
      '{"__type":"AccessDeniedException","message":"no"}',
    );
    expect(protocol!.encodeError(awsError('__proto__', 'no'), 'r').status).toBe(400);
  });

  it('contain the namespace of errors in version 1.0, and their query code for clients that expect it', () => {
    const model = smallModel(['awsJson1_0', 'awsQuery'], ({ metadata }) => {
      metadata.queryCompatible = true;
    });
    const [json] = compileService(model, { namespace: 'com.amazonaws.zoo.v2' }).protocols;
    const response = json!.encodeError(awsError('AnimalEscaped', 'gone'), 'r');
    expect(response.headers['x-amzn-query-error']).toBe('Zoo.AnimalEscaped;Sender');
    expect(JSON.parse(response.body as string).__type).toBe('com.amazonaws.zoo.v2#AnimalEscaped');
    const byCode = json!.encodeError(awsError('Zoo.AnimalEscaped', 'gone'), 'r');
    expect(JSON.parse(byCode.body as string).__type).toBe('com.amazonaws.zoo.v2#AnimalEscaped');
    const common = json!.encodeError(awsError('SerializationException', 'x'), 'r');
    expect(common.body).toBe('{"__type":"com.amazon.coral.service#SerializationException","Message":"x"}');
    const [plain] = compileService(smallModel(['awsJson1_0'])).protocols;
    expect(plain!.encodeError(awsError('AnimalEscaped', ''), 'r').body).toBe(
      '{"__type":"com.amazonaws.zoo#AnimalEscaped"}',
    );
  });
});
