import { crc32 } from 'node:zlib';
import { InvokeWithResponseStreamCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client, SelectObjectContentCommand } from '@aws-sdk/client-s3';
import { EventStreamCodec, Int64 } from '@smithy/core/event-streams';
import { describe, expect, it } from 'vitest';
import { eventStreamDecoder, eventStreamEncoder } from '../src/event-stream.ts';
import {
  decodeEventMessage,
  type EventHeader,
  encodeEventMessage,
  readEventMessages,
} from '../src/event-stream-message.ts';
import { awsError, compileService, type ServiceModel } from '../src/index.ts';
import { jsonBodyCodec } from '../src/json-body.ts';
import { requestHandler } from './support/sdk.ts';
import { modelOf } from './support/services.ts';
import { smallModel } from './support/small-model.ts';

const sdk = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
);

async function* stream<T>(...items: T[]): AsyncIterable<T> {
  yield* items;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) out.push(item);
  return out;
}

const string = (value: string): EventHeader => ({ type: 'string', value });

const MESSAGE = {
  headers: new Map<string, EventHeader>([
    ['yes', { type: 'boolean', value: true }],
    ['no', { type: 'boolean', value: false }],
    ['byte', { type: 'byte', value: -7 }],
    ['short', { type: 'short', value: -300 }],
    ['integer', { type: 'integer', value: 70_000 }],
    ['long', { type: 'long', value: -5_000_000_000n }],
    ['binary', { type: 'binary', value: Uint8Array.from([1, 2, 3]) }],
    ['string', string('é😹')],
    ['timestamp', { type: 'timestamp', value: new Date(1_700_000_000_123) }],
    ['uuid', { type: 'uuid', value: '01234567-89ab-cdef-0123-456789abcdef' }],
  ]),
  payload: Uint8Array.from([9, 8, 7]),
};

const SDK_MESSAGE: Parameters<EventStreamCodec['encode']>[0] = {
  headers: {
    yes: { type: 'boolean', value: true },
    no: { type: 'boolean', value: false },
    byte: { type: 'byte', value: -7 },
    short: { type: 'short', value: -300 },
    integer: { type: 'integer', value: 70_000 },
    long: { type: 'long', value: Int64.fromNumber(-5_000_000_000) },
    binary: { type: 'binary', value: Uint8Array.from([1, 2, 3]) },
    string: { type: 'string', value: 'é😹' },
    timestamp: { type: 'timestamp', value: new Date(1_700_000_000_123) },
    uuid: { type: 'uuid', value: '01234567-89ab-cdef-0123-456789abcdef' },
  },
  body: Uint8Array.from([9, 8, 7]),
};

describe('messages of event streams', () => {
  it('equal those of the SDK, to the byte', () => {
    expect(Buffer.from(encodeEventMessage(MESSAGE))).toEqual(Buffer.from(sdk.encode(SDK_MESSAGE)));
    const { headers, payload } = decodeEventMessage(sdk.encode(SDK_MESSAGE));
    expect(headers).toEqual(MESSAGE.headers);
    expect(new Uint8Array(payload)).toEqual(MESSAGE.payload);
    const empty = { headers: new Map<string, EventHeader>(), payload: new Uint8Array() };
    expect(Buffer.from(encodeEventMessage(empty))).toEqual(
      Buffer.from(sdk.encode({ headers: {}, body: empty.payload })),
    );
  });

  it('are found in chunks of any size', async () => {
    const bytes = Buffer.concat(Array.from({ length: 5 }, () => encodeEventMessage(MESSAGE)));
    for (const size of [1, 7, 11, 13, 100, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      const messages = await all(readEventMessages(stream(...chunks)));
      expect(messages.map(({ headers }) => headers)).toEqual(Array(5).fill(MESSAGE.headers));
    }
  });

  it('are rejected if any byte is damaged', () => {
    const bytes = encodeEventMessage(MESSAGE);
    for (let index = 0; index < bytes.length; index++) {
      const damaged = Uint8Array.from(bytes);
      damaged[index]! ^= 0x10;
      expect(() => decodeEventMessage(damaged), `byte ${index}`).toThrow(/checksum|lengths|large/);
    }
  });

  it('are rejected if incomplete or too large', async () => {
    const bytes = encodeEventMessage(MESSAGE);
    await expect(all(readEventMessages(stream(bytes.subarray(0, -1))))).rejects.toThrow('the stream ends within');
    await expect(all(readEventMessages(stream(bytes), 2))).rejects.toThrow('a message is too large');
    const huge = { headers: new Map([['a', string('x'.repeat(70_000))]]), payload: new Uint8Array() };
    expect(() => encodeEventMessage(huge)).toThrow(RangeError);
  });

  it.each([
    [[0x05, 0x61], 'a header exceeds the headers'],
    [[0x01, 0x61, 0x07, 0x00, 0x09, 0x61], 'a header exceeds the headers'],
    [[0x01, 0x61, 0x05, 0x00], 'a header exceeds the headers'],
    [[0x01, 0x61], 'a header exceeds the headers'],
    [[0x01, 0x61, 0x0a], 'a header has the unknown type 10'],
  ])('are rejected with invalid headers: %j', (headers, message) => {
    const bytes = Buffer.alloc(16 + headers.length);
    bytes.writeUInt32BE(bytes.length, 0);
    bytes.writeUInt32BE(headers.length, 4);
    bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8);
    bytes.set(headers, 12);
    bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
    expect(() => decodeEventMessage(bytes)).toThrow(message);
  });
});

/** A test service with an event of every kind. */
const watching = (protocol: 'awsJson1_1' | 'restJson1'): ServiceModel =>
  smallModel([protocol], ({ operations, shapes }) => {
    Object.assign(operations, {
      Watch: {
        http: { method: 'POST', uri: '/watch' },
        input: { shape: 'WatchInput' },
        output: { shape: 'WatchOutput' },
      },
    });
    const payload = protocol === 'restJson1' ? { payload: 'Events' } : {};
    Object.assign(shapes, {
      WatchInput: { type: 'structure', members: { Events: { shape: 'Sightings' } }, ...payload },
      WatchOutput: {
        type: 'structure',
        members: { Name: { shape: 'String' }, Events: { shape: 'Sightings' } },
        ...payload,
      },
      Sightings: {
        type: 'structure',
        eventstream: true,
        members: {
          Seen: { shape: 'Seen' },
          Picture: { shape: 'Picture' },
          Note: { shape: 'Note' },
          Fed: { shape: 'Fed' },
          Quiet: { shape: 'Quiet' },
          AnimalEscaped: { shape: 'AnimalEscaped' },
        },
      },
      Seen: { type: 'structure', event: true, members: { Name: { shape: 'String' }, Young: { shape: 'Animals' } } },
      Picture: {
        type: 'structure',
        event: true,
        members: {
          Taken: { shape: 'Timestamp', eventheader: true },
          Size: { shape: 'Long', eventheader: true },
          Width: { shape: 'Count', eventheader: true },
          Colour: { shape: 'Boolean', eventheader: true },
          Camera: { shape: 'String', eventheader: true, locationName: 'x-camera' },
          Key: { shape: 'Blob', eventheader: true },
          Data: { shape: 'Blob', eventpayload: true },
        },
      },
      Note: { type: 'structure', event: true, members: { Text: { shape: 'String', eventpayload: true } } },
      Fed: { type: 'structure', event: true, members: { Animal: { shape: 'Animal', eventpayload: true } } },
      Quiet: { type: 'structure', event: true, members: {} },
    });
  });

const EVENTS = [
  { Seen: { Name: 'leo', Young: [{ Name: 'cub' }] } },
  {
    Picture: {
      Taken: new Date(1_700_000_000_123),
      Size: 5_000_000_000,
      Width: -3,
      Colour: true,
      Camera: 'north',
      Key: Uint8Array.from([7]),
      Data: Uint8Array.from([1, 2, 3]),
    },
  },
  { Note: { Text: 'é' } },
  { Fed: { Animal: { Name: 'leo' } } },
  { Quiet: {} },
  { AnimalEscaped: { message: 'It is out.', Name: 'leo' } },
];

/** Returns headers and payload of each message, decoded by the SDK. */
async function messagesOf(bytes: AsyncIterable<Uint8Array>): Promise<[Record<string, unknown>, string][]> {
  const messages = await all(bytes);
  return messages.map((message) => {
    const { headers, body } = sdk.decode(message);
    const values = Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value]));
    return [values, Buffer.from(body).toString('utf8')];
  });
}

describe('events by their model', () => {
  const model = watching('restJson1');
  const codec = jsonBodyCodec(model);
  const encode = eventStreamEncoder(model, 'Sightings', codec);
  const decode = eventStreamDecoder(model, 'Sightings', codec);

  it('are equal after encoding and decoding', async () => {
    expect(await all(decode(encode(stream(...EVENTS))))).toEqual(EVENTS);
  });

  it('have the headers that clients read', async () => {
    const messages = await messagesOf(encode(stream(...EVENTS)));
    expect(
      messages.map(([headers]) => [headers[':message-type'], headers[':event-type'], headers[':content-type']]),
    ).toEqual([
      ['event', 'Seen', 'application/json'],
      ['event', 'Picture', 'application/octet-stream'],
      ['event', 'Note', 'text/plain'],
      ['event', 'Fed', 'application/json'],
      ['event', 'Quiet', 'application/json'],
      ['exception', undefined, 'application/json'],
    ]);
    expect(messages[1]![0]).toMatchObject({ 'x-camera': 'north', Width: -3, Colour: true });
    expect(messages[4]![1]).toBe('{}');
    expect(messages[5]).toEqual([
      expect.objectContaining({ ':exception-type': 'AnimalEscaped' }),
      '{"message":"It is out.","Name":"leo"}',
    ]);
  });

  it('end with an exception of the stream, or with an unmodelled error', async () => {
    async function* failing(code: string): AsyncIterable<unknown> {
      yield { Quiet: {} };
      throw awsError(code, 'It failed.', { members: { Name: 'leo' } });
    }
    const [, exception] = await messagesOf(encode(failing('AnimalEscaped')));
    expect(exception).toEqual([
      { ':message-type': 'exception', ':exception-type': 'AnimalEscaped', ':content-type': 'application/json' },
      '{"message":"It failed.","Name":"leo"}',
    ]);
    const [, error] = await messagesOf(encode(failing('ThrottlingException')));
    expect(error).toEqual([
      { ':message-type': 'error', ':error-code': 'ThrottlingException', ':error-message': 'It failed.' },
      '',
    ]);
    await expect(all(decode(encode(failing('ThrottlingException'))))).rejects.toMatchObject({
      code: 'ThrottlingException',
      message: 'It failed.',
    });
  });

  it('pass on errors that are not AwsError', async () => {
    async function* broken(): AsyncIterable<unknown> {
      yield { Quiet: {} };
      throw new TypeError('a bug');
    }
    await expect(all(encode(broken()))).rejects.toThrow('a bug');
    await expect(all(encode(stream({ Unheard: {} })))).rejects.toThrow('Sightings has no event Unheard');
  });

  it('can be signed individually', async () => {
    const signed = (payload: Uint8Array): Uint8Array =>
      encodeEventMessage({
        headers: new Map<string, EventHeader>([
          [':date', { type: 'timestamp', value: new Date(0) }],
          [':chunk-signature', { type: 'binary', value: new Uint8Array(32) }],
        ]),
        payload,
      });
    const [note] = await all(encode(stream({ Note: { Text: 'x' } })));
    expect(await all(decode(stream(signed(note!), signed(new Uint8Array()))))).toEqual([{ Note: { Text: 'x' } }]);
    await expect(all(decode(stream(signed(Uint8Array.from([1])))))).rejects.toMatchObject({
      code: 'SerializationException',
    });
  });

  it('of unknown kinds are skipped', async () => {
    const message = (type: string): Uint8Array =>
      encodeEventMessage({
        headers: new Map([
          [':message-type', string('event')],
          [':event-type', string(type)],
        ]),
        payload: Buffer.from('{"Name":"x"}'),
      });
    const bytes = stream(message('initial-request'), message('Unheard'), message('Seen'), message('__proto__'));
    expect(await all(decode(bytes))).toEqual([{ Seen: { Name: 'x' } }]);
  });

  it.each<[string, Map<string, EventHeader>, string]>([
    ['is not JSON', new Map([[':event-type', string('Seen')]]), '{'],
    ['has a member of another type', new Map([[':event-type', string('Seen')]]), '{"Name":1}'],
    [
      'has a header of another type',
      new Map([
        [':event-type', string('Picture')],
        ['Size', string('1')],
      ]),
      '',
    ],
  ])('are rejected if one %s', async (_, headers, payload) => {
    headers.set(':message-type', string('event'));
    const bytes = stream(encodeEventMessage({ headers, payload: Buffer.from(payload) }));
    await expect(all(decode(bytes))).rejects.toMatchObject({ code: 'SerializationException', status: 400 });
  });

  it('are rejected if they are not an event stream', async () => {
    await expect(all(decode(stream(Buffer.from('{"Seen":{"Name":"leo"}}'))))).rejects.toMatchObject({
      code: 'SerializationException',
    });
  });
});

describe('operations with event streams', () => {
  it('in restJson send and receive events only', async () => {
    const [protocol] = compileService(watching('restJson1')).protocols;
    expect([protocol!.streams('Watch'), protocol!.streams('PutAnimal')]).toEqual([true, false]);
    const { headers, body } = protocol!.encode('Watch', { Events: stream({ Note: { Text: 'x' } }) }, 'r');
    expect(headers['Content-Type']).toBe('application/vnd.amazon.eventstream');
    const made = { method: 'POST', path: '/watch', query: '', headers: {}, body: new Uint8Array() };
    const input = protocol!.decode('Watch', { ...made, stream: body as AsyncIterable<Uint8Array> });
    expect(await all((input as { Events: AsyncIterable<unknown> }).Events)).toEqual([{ Note: { Text: 'x' } }]);
  });

  it('in awsJson send the other members first', async () => {
    const [protocol] = compileService(watching('awsJson1_1')).protocols;
    const output = { Name: 'zoo', Events: stream({ Note: { Text: 'x' } }) };
    const { headers, body } = protocol!.encode('Watch', output, 'r');
    expect(headers['Content-Type']).toBe('application/vnd.amazon.eventstream');
    const messages = await messagesOf(body as AsyncIterable<Uint8Array>);
    expect(messages).toEqual([
      [
        { ':message-type': 'event', ':event-type': 'initial-response', ':content-type': 'application/x-amz-json-1.1' },
        '{"Name":"zoo"}',
      ],
      [{ ':message-type': 'event', ':event-type': 'Note', ':content-type': 'text/plain' }, 'x'],
    ]);
    const none = await messagesOf(protocol!.encode('Watch', {}, 'r').body as AsyncIterable<Uint8Array>);
    expect(none).toHaveLength(1);
  });

  const config = { region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };

  it('are read by the SDK for S3', async () => {
    const events = [
      { Records: { Payload: Uint8Array.from([1, 2]) } },
      { Stats: { Details: { BytesScanned: 5, BytesProcessed: 6, BytesReturned: 7 } } },
      { Cont: {} },
      { End: {} },
    ];
    const handler = requestHandler(compileService(modelOf('test/model/s3.json')), (protocol, name, input) => {
      expect(input).toMatchObject({ Bucket: 'b', Key: 'k', Expression: 'select <1>' });
      return protocol.encode(name, { Payload: stream(...events) }, 'r');
    });
    const client = new S3Client({
      ...config,
      endpoint: 'http://localhost',
      forcePathStyle: true,
      requestHandler: handler,
    });
    const { Payload } = await client.send(
      new SelectObjectContentCommand({
        Bucket: 'b',
        Key: 'k',
        Expression: 'select <1>',
        ExpressionType: 'SQL',
        InputSerialization: { CSV: {} },
        OutputSerialization: { CSV: {} },
      }),
    );
    expect(await all(Payload!)).toEqual(events);
  });

  it('are read by the SDK for Lambda', async () => {
    const events = [{ PayloadChunk: { Payload: Uint8Array.from([1]) } }, { InvokeComplete: { ErrorCode: 'x' } }];
    const handler = requestHandler(compileService(modelOf('test/model/lambda.json')), (protocol, name) =>
      protocol.encode(name, { StatusCode: 200, EventStream: stream(...events) }, 'r'),
    );
    const client = new LambdaClient({ ...config, endpoint: 'http://localhost', requestHandler: handler });
    const { EventStream } = await client.send(new InvokeWithResponseStreamCommand({ FunctionName: 'f' }));
    expect(await all(EventStream!)).toEqual(events);
  });
});
