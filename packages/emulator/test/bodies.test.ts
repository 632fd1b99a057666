import { type RawResponse, sendRaw } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmulator, type EmbeddedEmulator } from '../src/index.ts';
import { SERVICES } from '../src/services.ts';

let emu: EmbeddedEmulator;
beforeAll(async () => {
  emu = await createEmulator({ logLevel: 'error' });
});
afterAll(() => emu.close());

const FORM = 'application/x-www-form-urlencoded';
const scope = (service: string): string =>
  `AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;

interface Sent {
  service: string;
  target?: string;
  method?: string;
  type: string;
  /** `X-Amz-Target` of a JSON request. */
  call?: string;
  prefix?: string;
}

/** Sends a body of a prefix and spaces. */
const send = (
  { service, target = '/', method = 'POST', type, call, prefix = '' }: Sent,
  size: number,
): Promise<RawResponse> =>
  sendRaw(emu, {
    method,
    target,
    headers: {
      'content-type': type,
      'content-length': String(size),
      authorization: scope(service),
      ...(call !== undefined && { 'x-amz-target': call }),
    },
    chunks: [prefix, Buffer.alloc(size - prefix.length, ' ')],
  });

describe("requests above AWS's size limits", () => {
  it('are limited for every service', () => {
    expect(SERVICES.filter(({ bodies }) => bodies === undefined).map(({ name }) => name)).toEqual([]);
  });

  it.each<[string, Sent, limit: number, status: number, text: string]>([
    [
      'SQS',
      { service: 'sqs', type: 'application/x-amz-json-1.0', call: 'AmazonSQS.SendMessage' },
      6_381_568,
      413,
      'HTTP content length exceeded 6381568 bytes.',
    ],
    [
      'SQS, as a form',
      { service: 'sqs', type: FORM, prefix: 'Action=SendMessage&Version=2012-11-05&MessageBody=' },
      6_381_568,
      413,
      'HTTP content length exceeded 6381568 bytes.',
    ],
    [
      'Lambda, a package',
      { service: 'lambda', type: 'application/json', target: '/2015-03-31/functions' },
      70_167_211,
      413,
      'Request must be smaller than 70167211 bytes for the CreateFunction operation',
    ],
    [
      'Lambda, a payload',
      { service: 'lambda', type: 'application/json', target: '/2015-03-31/functions/f/invocations' },
      12_582_912,
      413,
      'Request must be smaller than 6291456 bytes for the InvokeFunction operation',
    ],
    [
      'S3, a document',
      { service: 's3', type: 'application/xml', target: '/bucket?delete' },
      8_388_608,
      400,
      '<Code>MaxMessageLengthExceeded</Code><Message>Your request was too big.</Message>',
    ],
    [
      'DynamoDB',
      { service: 'dynamodb', type: 'application/x-amz-json-1.0', call: 'DynamoDB_20120810.PutItem' },
      16_777_216,
      413,
      'RequestEntityTooLarge',
    ],
  ])('are rejected by %s', async (_, sent, limit, status, text) => {
    const refused = await send(sent, limit + 1);
    expect(refused.status).toBe(status);
    expect(refused.text).toContain(text);
    expect((await send(sent, limit)).text).not.toContain(text);
  });
});

it('accepts any bytes for a function', async () => {
  const values = `[${'{},'.repeat(2_000_000)}{}]`;
  const invoke: Sent = {
    service: 'lambda',
    type: 'application/json',
    target: '/2015-03-31/functions/f/invocations',
    prefix: values,
  };
  expect((await send(invoke, values.length)).text).toContain('Function not found');
});
