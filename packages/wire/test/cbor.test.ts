import { describe, expect, it } from 'vitest';
import { CborError, readCbor } from '../src/cbor-reader.ts';
import { CborWriter } from '../src/cbor-writer.ts';
import { AwsError, awsError, compileService, type WireRequest } from '../src/index.ts';
import { smallModel } from './support/small-model.ts';

const [protocol] = compileService(smallModel(['rpcv2Cbor'])).protocols;
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const request = (body: Uint8Array, path = '/service/Zoo_20240101/operation/PutAnimal'): WireRequest => ({
  method: 'POST',
  path,
  query: '',
  headers: { 'smithy-protocol': 'rpc-v2-cbor' },
  body,
});

/** Returns the bytes written by `write`. */
function written(write: (out: CborWriter) => void): string {
  const out = new CborWriter();
  out.reset();
  write(out);
  return out.take().toString('hex');
}

describe('CBOR', () => {
  it.each([
    ['00', 0],
    ['1818', 24],
    ['1903e8', 1000],
    ['1b000000e8d4a51000', 1000000000000],
    ['1bffffffffffffffff', 18446744073709552000],
    ['3903e7', -1000],
    ['f97e00', Number.NaN],
    ['f90001', 2 ** -24],
    ['f9c400', -4],
    ['fa47c35000', 100000],
    ['fb3ff199999999999a', 1.1],
    ['f6', null],
    ['f7', null],
    ['c24101', 1],
    ['c249010000000000000000', 18446744073709552000],
    ['c34100', -1],
    ['c48221196ab3', 273.15],
    ['d81842f600', Buffer.from([0xf6, 0])],
    ['5f42010243030405ff', Buffer.from([1, 2, 3, 4, 5])],
    ['7f657374726561646d696e67ff', 'streaming'],
    ['9f0182029f03ffff', [1, [2, [3]]]],
    ['bf6161f56162f4ff', { a: true, b: false }],
    ['c11a514b67b0', new Date(1363896240000)],
    ['c1fb41d452d9ec200000', new Date(1363896240500)],
  ])('reads %s', (bytes, expected) => {
    expect(readCbor(hex(bytes))).toEqual(expected);
  });

  it.each([
    ['', 'nothing'],
    ['ff', 'a break alone'],
    ['0000', 'bytes after the value'],
    ['1c', 'reserved information'],
    ['1f', 'an indefinite number'],
    ['62ff00', 'text that is not UTF-8'],
    ['6261', 'text that ends early'],
    ['9bffffffffffffffff', 'a length beyond the body'],
    ['bbffffffffffffffff', 'a length beyond the body'],
    ['5b7fffffffffffffff', 'a length beyond the body'],
    ['a10102', 'a key that is not text'],
    ['bf6161ff', 'a key without a value'],
    ['8201ff', 'a break in a definite length'],
    ['7f4100ff', 'a chunk of another type'],
    ['c160', 'an invalid time'],
    ['c16161', 'an invalid time'],
    ['c1fb7ff0000000000000', 'an invalid time'],
    ['f0', 'a simple value'],
    ['81'.repeat(100_000), 'deep nesting'],
    ['c1'.repeat(100_000), 'deep nesting of tags'],
  ])('rejects %.20s: %s', (bytes) => {
    expect(() => readCbor(hex(bytes))).toThrow(CborError);
  });

  it.each<[string, Buffer]>([
    ['empty maps', Buffer.alloc(700_000, 0xa0)],
    ['byte strings', Buffer.alloc(300_000, 0x40)],
    ['texts', Buffer.from('63616161'.repeat(1_000_000), 'hex')],
    [
      'entries of one map',
      Buffer.from(
        Array.from({ length: 400_000 }, (_, index) => [
          0x63,
          ...Buffer.from(index.toString(36).padStart(4, '0').slice(1)),
          0,
        ]).flat(),
      ),
    ],
  ])('does not take a multiple of its size in memory: %s', (what, values) => {
    const [start, end] = [what === 'entries of one map' ? 0xbf : 0x9f, 0xff];
    const read = (most: number): unknown =>
      readCbor(Buffer.concat([Buffer.from([start]), values.subarray(0, most), Buffer.from([end])]));
    expect(() => read(values.length)).toThrow(expect.objectContaining({ code: 'RequestEntityTooLarge', status: 413 }));
    expect(read(100)).toBeDefined();
  });

  it('writes the shortest exact form', () => {
    expect(written((out) => out.integer(23))).toBe('17');
    expect(written((out) => out.integer(255))).toBe('18ff');
    expect(written((out) => out.integer(-1000))).toBe('3903e7');
    expect(written((out) => out.integer(65536))).toBe('1a00010000');
    expect(written((out) => out.integer(2 ** 40))).toBe('1b0000010000000000');
    expect(written((out) => out.float(1.5))).toBe('fa3fc00000');
    expect(written((out) => out.float(1.1))).toBe('fb3ff199999999999a');
    expect(written((out) => out.timestamp(new Date(1500)))).toBe('c1fa3fc00000');
    expect(written((out) => out.timestamp(new Date(1000)))).toBe('c101');
    expect(written((out) => out.text('é'.repeat(5000)))).toHaveLength(2 * 10003);
  });
});

describe('rpcv2Cbor', () => {
  it('names the operation in the path', () => {
    expect(protocol!.match(request(hex('')))?.name).toBe('PutAnimal');
    expect(protocol!.match(request(hex(''), '/v1/service/Zoo_20240101/operation/Ping'))?.name).toBe('Ping');
    for (const path of ['/service/Other/operation/Ping', '/service/Zoo_20240101/operation/constructor', '/'])
      expect(protocol!.match(request(hex(''), path))).toBeUndefined();
  });

  it('decodes and checks types', () => {
    const decode = (bytes: string): unknown => protocol!.decode('PutAnimal', request(hex(bytes)));
    expect(
      decode('bf644e616d65637265786350494e0165 50686f746f420001 64426f726ec1fb3ff8000000000000 63416765f7ff'),
    ).toEqual({
      Name: 'rex',
      Photo: Buffer.from([0, 1]),
      Born: new Date(1500),
    });
    expect(decode('')).toEqual({});
    expect(() => decode('bf644e616d6501ff')).toThrow('NUMBER_VALUE can not be converted to a String');
    expect(() => decode('bf6550686f746f6161ff')).toThrow('STRING_VALUE can not be converted to a Blob');
    expect(() => decode('bf64426f726e01ff')).toThrow('NUMBER_VALUE can not be converted to milliseconds since epoch');
    expect(() => decode('bf6354616763c100ff')).toThrow(AwsError);
    // A byte string or a time is not a structure, although both are objects in JavaScript.
    expect(() => decode('4100')).toThrow(AwsError);
    expect(() => decode('bf6459 6f756e6781c100ff')).toThrow(AwsError);
    expect(() => decode('bf6341676 5f97e00ff')).toThrow('NUMBER_VALUE can not be converted to an Integer');
    expect(decode('bf654e6f7465738241 00c100ff')).toEqual({ Notes: ['AA==', '1970-01-01T00:00:00Z'] });
  });

  it('encodes outputs and errors', () => {
    const { headers, body } = protocol!.encode(
      'PutAnimal',
      { Name: 'rex', Born: new Date(1500), Tags: { a: 0.5 }, internal: 1 },
      'r',
    );
    expect(headers).toEqual({
      'x-amzn-RequestId': 'r',
      'smithy-protocol': 'rpc-v2-cbor',
      'Content-Type': 'application/cbor',
    });
    expect(readCbor(body as Uint8Array)).toEqual({ Name: 'rex', Born: new Date(1500), Tags: { a: 0.5 } });
    expect(protocol!.encode('Ping', undefined, 'r')).toEqual({
      status: 200,
      headers: { 'x-amzn-RequestId': 'r', 'smithy-protocol': 'rpc-v2-cbor' },
      body: '',
    });
    const error = protocol!.encodeError(awsError('AnimalEscaped', 'gone', { members: { Name: 'rex' } }), 'r');
    expect(error.status).toBe(409);
    expect(readCbor(error.body as Uint8Array)).toEqual({
      __type: 'com.amazonaws.zoo#AnimalEscaped',
      message: 'gone',
      Name: 'rex',
    });
    const common = protocol!.encodeError(awsError('ValidationException', 'bad'), 'r');
    expect(readCbor(common.body as Uint8Array)).toEqual({
      __type: 'com.amazon.coral.validate#ValidationException',
      message: 'bad',
    });
  });
});
