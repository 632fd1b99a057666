import { createHash, createHmac } from 'node:crypto';
import type { GatewayRequest } from '@emu/gateway/proxy';
import {
  decodeEventMessage,
  type EventMessage,
  encodeEventMessage,
  readEventMessages,
  type WireRequest,
} from '@emu/wire';
import { describe, expect, test } from 'vitest';
import { prepareBody } from '../src/body.ts';
import type { Call } from '../src/recognition.ts';
import { EventSigner } from '../src/signing.ts';

const KEY = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
const SIGNING = { credentials: KEY, service: 'transcribe', region: 'us-east-1', asymmetric: false };

/** A recognised upload with a body in pieces of a few bytes. */
function upload(headers: Record<string, string>, body: Uint8Array): Call {
  const request: GatewayRequest = {
    method: 'PUT',
    target: '/b/k',
    headers: { host: 'localhost', 'content-length': String(body.length), ...headers },
    body: {
      bytes: async () => body,
      async *stream() {
        for (let at = 0; at < body.length; at += 7) yield body.subarray(at, at + 7);
      },
    },
    remoteAddress: undefined,
    localPort: undefined,
    secure: false,
    signal: () => new AbortController().signal,
  };
  const wire: WireRequest = {
    method: 'PUT',
    path: '/b/k',
    query: '',
    headers: request.headers,
    body: new Uint8Array(),
  };
  return {
    ...{ request, wire, path: '/b/k', query: '', service: 's3', aws: undefined, region: 'us-east-1' },
    scope: { accessKeyId: 'test', date: '20261129', region: 'us-east-1', service: 's3', presigned: false },
    hostNamesResource: false,
    modelled: undefined,
    operation: undefined,
    dataHost: undefined,
  };
}

async function textOf(body: unknown): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body as AsyncIterable<Uint8Array>) pieces.push(piece);
  return Buffer.concat(pieces).toString('latin1');
}

const signedChunk = (data: string): string =>
  `${data.length.toString(16)};chunk-signature=${'0'.repeat(64)}\r\n${data}\r\n`;

describe('chunks', () => {
  test('that the client has signed are sent as one unsigned body', async () => {
    const framed = Buffer.from(
      `${signedChunk('hello ')}${signedChunk('world')}0;chunk-signature=${'0'.repeat(64)}\r\n\r\n`,
    );
    const { headers, body, tap } = await prepareBody(
      upload(
        {
          'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
          'x-amz-decoded-content-length': '11',
          'content-encoding': 'aws-chunked,gzip',
        },
        framed,
      ),
      100,
    );
    expect(headers).toEqual({
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      'content-length': '11',
      'content-encoding': 'gzip',
    });
    expect(await textOf(body)).toBe('hello world');
    expect(Buffer.from(tap!.bytes).toString()).toBe('hello world');
    expect(tap!.isCut).toBe(false);
  });

  test('with signed trailers keep the trailers, without their signature', async () => {
    const framed = Buffer.from(
      `${signedChunk('hello')}0;chunk-signature=${'0'.repeat(64)}\r\nx-amz-checksum-crc32:NhCmhg==\r\nx-amz-trailer-signature:${'0'.repeat(64)}\r\n\r\n`,
    );
    const { headers, body } = await prepareBody(
      upload(
        {
          'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
          'x-amz-decoded-content-length': '5',
          'x-amz-trailer': 'x-amz-checksum-crc32',
          'content-encoding': 'aws-chunked',
        },
        framed,
      ),
      100,
    );
    expect(headers).toEqual({
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'x-amz-decoded-content-length': '5',
      'x-amz-trailer': 'x-amz-checksum-crc32',
      'content-encoding': 'aws-chunked',
    });
    expect((await textOf(body)).replace(/\r\n/g, '|')).toMatch(
      /^(?:[1-5]\|[helo]+\|)+0\|x-amz-checksum-crc32:NhCmhg==\|\|$/,
    );
  });

  test('without signatures are unchanged, and copied without their framing up to the limit', async () => {
    const framed = Buffer.from('5\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n');
    const { body, tap } = await prepareBody(
      upload(
        {
          'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
          'x-amz-decoded-content-length': '11',
          'content-encoding': 'aws-chunked',
        },
        framed,
      ),
      8,
    );
    expect(await textOf(body)).toBe(framed.toString());
    await tap!.fill!();
    expect(Buffer.from(tap!.bytes).toString()).toBe('hello wo');
    expect([tap!.isCut, tap!.length]).toEqual([true, 11]);
  });
});

/** Computes the signature of an event as AWS describes it. */
function signatureOf(prior: string, date: Date, payload: Uint8Array): string {
  const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  const long = date.toISOString().replace(/[-:]|\.\d+/g, '');
  const day = long.slice(0, 8);
  const header = Buffer.alloc(15);
  header.set(Buffer.from('\x05:date\x08', 'latin1'));
  header.writeBigInt64BE(BigInt(date.getTime()), 7);
  const key = ['us-east-1', 'transcribe', 'aws4_request'].reduce<Buffer>(
    (before, part) => hmac(before, part),
    hmac(`AWS4${KEY.secretAccessKey}`, day),
  );
  const scope = `${day}/us-east-1/transcribe/aws4_request`;
  return hmac(key, ['AWS4-HMAC-SHA256-PAYLOAD', long, scope, prior, hash(header), hash(payload)].join('\n')).toString(
    'hex',
  );
}

test('events are signed anew, each with the signature of the one before', async () => {
  const event = (text: string): Uint8Array =>
    encodeEventMessage({
      headers: new Map([
        [':message-type', { type: 'string', value: 'event' }],
        [':event-type', { type: 'string', value: 'AudioEvent' }],
      ]),
      payload: Buffer.from(text),
    });
  const outer = (payload: Uint8Array): Uint8Array =>
    encodeEventMessage({
      headers: new Map([
        [':date', { type: 'timestamp', value: new Date(0) }],
        [':chunk-signature', { type: 'binary', value: new Uint8Array(32) }],
      ]),
      payload,
    });
  const stream = Buffer.concat([outer(event('one')), outer(event('two')), outer(new Uint8Array())]);
  const sent = await prepareBody(
    upload(
      {
        'content-type': 'application/vnd.amazon.eventstream',
        'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-EVENTS',
      },
      stream,
    ),
    1000,
  );
  expect(sent.headers['content-length']).toBeUndefined();
  let prior = 'ab'.repeat(32);
  sent.signEvents!(new EventSigner(SIGNING, prior));
  const messages: EventMessage[] = [];
  for await (const message of readEventMessages(sent.body as AsyncIterable<Uint8Array>)) messages.push(message);
  expect(messages).toHaveLength(3);
  for (const { headers, payload } of messages) {
    const date = headers.get(':date')!.value as Date;
    prior = signatureOf(prior, date, payload);
    expect(Buffer.from(headers.get(':chunk-signature')!.value as Uint8Array).toString('hex')).toBe(prior);
  }
  expect(Buffer.from(decodeEventMessage(messages[0]!.payload).payload).toString()).toBe('one');
  expect(messages[2]!.payload).toHaveLength(0);
  expect(sent.tap!.length).toBe(event('one').length + event('two').length);
});
