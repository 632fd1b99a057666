import { describe, expect, it } from 'vitest';
import {
  AwsError,
  awsError,
  compileService,
  type HeaderValues,
  type ServiceModel,
  type WireRequest,
} from '../src/index.ts';
import { smallModel } from './support/small-model.ts';

const model = smallModel(['restJson1'], ({ operations, shapes }) => {
  const members: ServiceModel['shapes'][string]['members'] = {
    Zoo: { shape: 'String', location: 'uri', locationName: 'Zoo' },
    Path: { shape: 'String', location: 'uri', locationName: 'Path' },
    Limit: { shape: 'Count', location: 'querystring', locationName: 'limit' },
    Kinds: { shape: 'Sparse', location: 'querystring', locationName: 'kind' },
    Since: { shape: 'Timestamp', location: 'querystring', locationName: 'since' },
    Born: { shape: 'Timestamp', location: 'header', locationName: 'X-Born' },
    Names: { shape: 'Sparse', location: 'header', locationName: 'X-Names' },
    Counts: { shape: 'Counts', location: 'header', locationName: 'X-Counts' },
    Dates: { shape: 'Dates', location: 'header', locationName: 'X-Dates' },
    Hints: { shape: 'String', jsonvalue: true, location: 'header', locationName: 'X-Hints' },
    Meta: { shape: 'Labels', location: 'headers', locationName: 'x-meta-' },
    Note: { shape: 'String' },
    Tame: { shape: 'Boolean' },
  };
  shapes.Counts = { type: 'list', member: { shape: 'Count' } };
  shapes.Dates = { type: 'list', member: { shape: 'Timestamp' } };
  shapes.Labels = { type: 'map', key: { shape: 'String' }, value: { shape: 'String' } };
  shapes.File = { type: 'blob', streaming: true };
  shapes.Get = { type: 'structure', members, required: ['Zoo'] };
  shapes.Head = {
    type: 'structure',
    members: {
      Status: { shape: 'Count', location: 'statusCode' },
      Born: members!.Born!,
      Names: members!.Names!,
      Dates: members!.Dates!,
      Hints: members!.Hints!,
      Meta: members!.Meta!,
      Note: { shape: 'String' },
    },
  };
  shapes.Upload = {
    type: 'structure',
    payload: 'File',
    members: {
      Zoo: members!.Zoo!,
      Part: { shape: 'Count', location: 'querystring', locationName: 'part' },
      File: { shape: 'File', streaming: true },
    },
    required: ['Zoo', 'Part'],
  };
  shapes.Put = { ...shapes.Upload, required: ['Zoo'] };
  shapes.AnimalEscaped!.members!.Since = { shape: 'Count', location: 'header', locationName: 'X-Since' };
  const add = (name: string, method: string, uri: string, input?: string, output?: string, code?: number): void => {
    operations[name] = {
      http: { method, uri, ...(code && { code }) },
      ...(input && { input: { shape: input } }),
      ...(output && { output: { shape: output } }),
    };
  };
  add('GetZoo', 'GET', '/zoos/{Zoo}', 'Get', 'Head');
  add('GetFile', 'GET', '/zoos/{Zoo}/{Path+}', 'Get', 'Head');
  add('GetPolicy', 'GET', '/zoos/{Zoo}/{Path+}/policy', 'Get');
  add('ListZoos', 'GET', '/zoos/');
  add('GetDefault', 'GET', '/zoos/default');
  add('GetAcl', 'GET', '/zoos/{Zoo}?acl', 'Get');
  add('GetListV2', 'GET', '/zoos/{Zoo}?list-type=2&x-id=GetListV2', 'Get');
  add('PutFile', 'PUT', '/zoos/{Zoo}', 'Put', undefined, 204);
  add('UploadPart', 'PUT', '/zoos/{Zoo}', 'Upload', 'Put');
  add('PostZoo', 'POST', '/zoos/{Zoo}', 'Get', 'Head', 201);
});
const codec = compileService(model);
const [protocol] = codec.protocols;

function request(method: string, uri: string, headers: HeaderValues = {}, body = ''): WireRequest {
  const [path, query = ''] = uri.split('?', 2) as [string, string?];
  return { method, path, query, headers, body: Buffer.from(body) };
}
const matched = (method: string, uri: string): string | undefined => protocol!.match(request(method, uri))?.name;
const decode = (name: string, uri: string, headers?: HeaderValues, body?: string): Record<string, unknown> =>
  protocol!.decode(name, request('POST', uri, headers, body)) as Record<string, unknown>;

describe('REST requests are matched', () => {
  it.each([
    ['GET', '/zoos/a', 'GetZoo'],
    ['GET', '/zoos/a/', 'GetZoo'],
    ['GET', '/zoos', 'ListZoos'],
    ['GET', '/zoos/', 'ListZoos'],
    ['GET', '/zoos/default', 'GetDefault'],
    ['GET', '/zoos/a?acl', 'GetAcl'],
    ['GET', '/zoos/a?acl=', 'GetAcl'],
    ['GET', '/zoos/a?list-type=2&max=3', 'GetListV2'],
    ['GET', '/zoos/a?list-type=1', 'GetZoo'],
    ['GET', '/zoos/a/b', 'GetFile'],
    ['GET', '/zoos/a/b/c//d/', 'GetFile'],
    ['GET', '/zoos/a/b/c/policy', 'GetPolicy'],
    ['GET', '/zoos/a/policy', 'GetFile'],
    ['GET', '/zoos/%2F%zz', 'GetZoo'],
    ['PUT', '/zoos/a', 'PutFile'],
    ['PUT', '/zoos/a?part=1', 'UploadPart'],
    ['GET', '//zoos/a', undefined],
    ['GET', '/', undefined],
    ['DELETE', '/zoos/a', undefined],
    ['__proto__', '/zoos/a', undefined],
  ])('%s %s: %s', (method, uri, expected) => {
    expect(matched(method, uri)).toBe(expected);
  });
});

describe('REST requests are decoded', () => {
  it('from labels, greedy to the last slash', () => {
    expect(decode('GetFile', '/zoos/a%2Fb%20c/d/e%2F//f/')).toEqual({ Zoo: 'a/b c', Path: 'd/e///f/' });
    expect(decode('GetPolicy', '/zoos/a/b/c/policy')).toEqual({ Zoo: 'a', Path: 'b/c' });
    expect(() => decode('GetZoo', '/zoos/%zz')).toThrow(AwsError);
  });

  it('from the query', () => {
    const input = decode(
      'GetZoo',
      '/zoos/a?limit=3&kind=x&kind=y+z&since=2019-12-16T23%3A48%3A18Z&limit=4&other=%E0%A4%A',
    );
    expect(input).toEqual({ Zoo: 'a', Limit: 3, Kinds: ['x', 'y z'], Since: new Date('2019-12-16T23:48:18Z') });
    expect(decode('GetZoo', '/zoos/a?limit=&since=0')).toEqual({ Zoo: 'a', Since: new Date(0) });
    for (const limit of ['many', '2147483648'])
      expect(() => decode('GetZoo', `/zoos/a?limit=${limit}`)).toThrow(`'${limit}' can not be converted to an Integer`);
  });

  it('from headers', () => {
    const headers = {
      'x-born': 'Mon, 16 Dec 2019 23:48:18 GMT',
      'x-names': 'a, "b,c", "d\\"e"',
      'x-counts': '1,2 , 3',
      'x-dates': 'Mon, 16 Dec 2019 23:48:18 GMT, Mon, 16 Dec 2019 23:48:19 GMT',
      'x-hints': Buffer.from('{"a":1}').toString('base64'),
      'x-meta-color': Buffer.from('grün').toString('latin1'),
      'x-meta-__proto__': 'x',
    };
    const born = new Date('2019-12-16T23:48:18Z');
    const input = decode('GetZoo', '/zoos/a', headers);
    expect(input).toMatchObject({ Born: born, Names: ['a', 'b,c', 'd"e'], Counts: [1, 2, 3], Hints: { a: 1 } });
    expect(input.Dates).toEqual([born, new Date(born.getTime() + 1000)]);
    expect(Object.entries(input.Meta as object)).toEqual([
      ['color', 'grün'],
      ['__proto__', 'x'],
    ]);
    expect(() => decode('GetZoo', '/zoos/a', { 'x-hints': 'e30' })).toThrow(AwsError);
    expect(() => decode('GetZoo', '/zoos/a', { 'x-born': 'soon' })).toThrow(AwsError);
  });

  it('from the body, which cannot set members bound elsewhere', () => {
    expect(decode('PostZoo', '/zoos/a', {}, '{"Note":"hi","Zoo":"b","Limit":1,"X":1}')).toEqual({
      Zoo: 'a',
      Note: 'hi',
    });
    expect(decode('PostZoo', '/zoos/a', {}, '')).toEqual({ Zoo: 'a' });
    expect(() => decode('PostZoo', '/zoos/a', {}, '{"Note":1}')).toThrow(
      'NUMBER_VALUE can not be converted to a String',
    );
    expect(() => decode('PostZoo', '/zoos/a', {}, 'null')).toThrow(AwsError);
  });

  it('with their payload as a stream', async () => {
    expect([protocol!.streams('PutFile'), protocol!.streams('GetZoo')]).toEqual([true, false]);
    const { File } = protocol!.decode('PutFile', request('PUT', '/zoos/a', {}, 'bytes')) as {
      File: AsyncIterable<Uint8Array>;
    };
    const chunks: Uint8Array[] = [];
    for await (const chunk of File) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('bytes');
    const stream = (async function* () {})();
    const streamed = protocol!.decode('PutFile', { ...request('PUT', '/zoos/a'), stream }) as { File: unknown };
    expect(streamed.File).toBe(stream);
  });
});

describe('REST responses', () => {
  it('have status, headers and body from the output', () => {
    const born = new Date('2019-12-16T23:48:18.900Z');
    const output = {
      Status: 202,
      Born: born,
      Names: ['a', 'b,c'],
      Dates: [born, born],
      Hints: { a: 1 },
      Meta: { color: 'grün\r\n', 'b d': 'x' },
      Note: 'hi',
      other: 1,
    };
    const { status, headers, body } = protocol!.encode('PostZoo', output, 'r');
    expect([status, body]).toEqual([202, '{"Note":"hi"}']);
    expect(headers).toEqual({
      'x-amzn-RequestId': 'r',
      'Content-Type': 'application/json',
      'X-Born': 'Mon, 16 Dec 2019 23:48:18 GMT',
      'X-Names': 'a, "b,c"',
      'X-Dates': 'Mon, 16 Dec 2019 23:48:18 GMT, Mon, 16 Dec 2019 23:48:18 GMT',
      'X-Hints': 'eyJhIjoxfQ==',
      'x-meta-color': Buffer.from('grün  ').toString('latin1'),
      'x-meta-b-d': 'x',
    });
  });

  it('have the status of the model and no body without body members', () => {
    expect(protocol!.encode('PutFile', undefined, 'r')).toEqual({
      status: 204,
      headers: { 'x-amzn-RequestId': 'r' },
      body: '',
    });
    expect(protocol!.encode('PostZoo', {}, 'r')).toMatchObject({ status: 201, body: '{}' });
    expect(protocol!.encode('UploadPart', { File: 'text' }, 'r')).toMatchObject({
      body: 'text',
      headers: { 'Content-Type': 'application/octet-stream' },
    });
  });

  it('name errors in a header', () => {
    const error = awsError('AnimalEscaped', 'gone', {
      members: { Since: 3, Name: 'rex' },
      headers: { 'Retry-After': '1' },
    });
    expect(protocol!.encodeError(error, 'r')).toEqual({
      status: 409,
      headers: {
        'x-amzn-RequestId': 'r',
        'x-amzn-ErrorType': 'AnimalEscaped',
        'Content-Type': 'application/json',
        'X-Since': '3',
        'Retry-After': '1',
      },
      body: '{"message":"gone","Name":"rex"}',
    });
    expect(protocol!.encodeError(awsError('AccessDeniedException', 'no', { status: 403 }), 'r')).toMatchObject({
      status: 403,
      body: '{"message":"no"}',
    });
  });
});
