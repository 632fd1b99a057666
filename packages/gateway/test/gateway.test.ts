import { constants } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@emu/core';
import type { LoggerOptions } from '@emu/core/service';
import { describe, expect, it } from 'vitest';
import { createTestEmulator } from '../src/testing/index.ts';
import { notesPlugin } from './notes.ts';
import { call, request, textOf } from './requests.ts';

describe('gateway', () => {
  it('runs an operation in the account and region of the signature', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const { gateway } = emulator;
    const put = await gateway.handle(
      request({ headers: call('PutNote', '000000000001', 'eu-west-1'), body: '{"Name":"a","Text":"hello"}' }),
    );
    expect(put.status).toBe(200);
    expect(JSON.parse(await textOf(put))).toEqual({ Size: 5 });

    const body = '{"Name":"a"}';
    const same = await gateway.handle(request({ headers: call('GetNote', '000000000001', 'eu-west-1'), body }));
    expect(JSON.parse(await textOf(same))).toEqual({ Name: 'a', Text: 'hello' });
    for (const headers of [call('GetNote', '000000000001'), call('GetNote', '000000000002', 'eu-west-1')]) {
      const other = await gateway.handle(request({ headers, body }));
      expect(other.status).toBe(404);
      expect(JSON.parse(await textOf(other))).toMatchObject({ message: 'There is no note a.' });
    }
  });

  it('takes unknown access keys for the root user of the default account', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const response = await emulator.gateway.handle(request({ headers: call('WhoAmI', 'AKIDEXAMPLE'), body: '{}' }));
    expect(JSON.parse(await textOf(response))).toEqual({
      Account: '123456789012',
      Arn: 'arn:aws:iam::123456789012:root',
      Region: 'us-east-1',
      Endpoint: 'http://localhost:4566',
      Key: 'AKIDEXAMPLE',
    });
  });

  it('logs a defect and returns 500 InternalFailure with the request id', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'error', format: 'json', write: (line) => lines.push(line) });
    await using emulator = await createTestEmulator({ plugins: [notesPlugin], log });
    const response = await emulator.gateway.handle(request({ headers: call('Fail'), body: '{}' }));
    expect(response.status).toBe(500);
    expect(JSON.parse(await textOf(response))).toEqual({
      __type: 'com.amazon.coral.service#InternalFailure',
      message: 'The request processing has failed because of an unknown error, exception or failure.',
    });
    const line = JSON.parse(lines.join(''));
    expect(line).toMatchObject({
      service: 'notes',
      operation: 'Fail',
      requestId: response.headers['x-amzn-RequestId'],
    });
    expect(line.error).toContain('a defect');
  });

  it('returns 501 for operations without a handler and UnknownOperationException for unknown names', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const missing = await emulator.gateway.handle(request({ headers: call('Missing'), body: '{}' }));
    expect(missing.status).toBe(501);
    expect(JSON.parse(await textOf(missing))).toMatchObject({ message: 'emu does not implement notes.Missing.' });
    const unknown = await emulator.gateway.handle(request({ headers: call('Nothing'), body: '{}' }));
    expect(unknown.status).toBe(400);
    expect(JSON.parse(await textOf(unknown))).toEqual({ __type: 'com.amazon.coral.service#UnknownOperationException' });
  });
});

describe('requests for unsupported services', () => {
  const scope = (service: string) =>
    `AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;
  const ask = async (headers: Record<string, string>, rest: { body?: string; target?: string } = {}) => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const response = await emulator.gateway.handle(request({ headers, ...rest }));
    return {
      status: response.status,
      type: response.headers['Content-Type'] ?? response.headers['content-type'],
      text: await textOf(response),
    };
  };
  const message = 'The request is for a service that emu does not have, by the signing name braket.';

  it('get an error in JSON if they are JSON', async () => {
    for (const version of ['1.0', '1.1']) {
      const type = `application/x-amz-json-${version}`;
      const answer = await ask(
        { authorization: scope('braket'), 'x-amz-target': 'Braket.X', 'content-type': type },
        { body: '{}' },
      );
      expect(answer).toMatchObject({ status: 501, type });
      expect(JSON.parse(answer.text)).toEqual({ __type: expect.stringMatching(/NotImplemented$/), message });
    }
    const rest = await ask({ authorization: scope('braket'), 'content-type': 'application/json' }, { target: '/jobs' });
    expect(rest).toMatchObject({ status: 501, type: 'application/json' });
    expect(JSON.parse(rest.text)).toEqual({ message });
  });

  it('get an error in XML if they use the query protocol or an unknown one', async () => {
    const form = await ask(
      { authorization: scope('braket'), 'content-type': 'application/x-www-form-urlencoded' },
      { body: 'Action=X&Version=2000-01-01' },
    );
    expect(form).toMatchObject({ status: 501, type: expect.stringContaining('xml') });
    expect(form.text).toMatch(/<ErrorResponse.*<Code>NotImplemented<\/Code>.*the signing name braket/s);
    const nothing = await ask({}, { target: '/bucket/key' });
    expect(nothing).toMatchObject({ status: 501, type: expect.stringContaining('xml') });
    expect(nothing.text).toContain('The request names no service');
  });

  it('get an error in CBOR if they are CBOR', async () => {
    const headers = {
      authorization: scope('braket'),
      'smithy-protocol': 'rpc-v2-cbor',
      'content-type': 'application/cbor',
    };
    const answer = await ask(headers, { target: '/service/Braket/operation/X' });
    expect(answer).toMatchObject({ status: 501, type: 'application/cbor' });
    expect(answer.text).toContain(message);
  });
});

describe('query protocol', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const ask = async (body: string | Uint8Array, headers: Record<string, string> = {}) => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const response = await emulator.gateway.handle(request({ headers: { ...FORM, ...headers }, body }));
    return { status: response.status, text: await textOf(response) };
  };

  it('is recognised unsigned by the form alone', async () => {
    const { status, text } = await ask('Action=PutNote&Version=2020-02-02&Name=a&Text=hello');
    expect(status).toBe(200);
    expect(text).toContain('<Size>5</Size>');
    const zipped = gzipSync('Action=PutNote&Version=2020-02-02&Name=a&Text=hi');
    expect((await ask(zipped, { 'content-encoding': 'gzip' })).text).toContain('<Size>2</Size>');
  });

  it('returns InvalidAction and MissingAction', async () => {
    const { authorization } = call('X') as { authorization: string };
    const invalid = await ask('Action=Nothing&Version=2020-02-02');
    expect(invalid.status).toBe(400);
    expect(invalid.text).toMatch(
      /<Code>InvalidAction<\/Code>\s*<Message>Could not find operation Nothing for version 2020-02-02<\/Message>/,
    );
    expect((await ask('x=y', { authorization })).text).toContain('<Code>MissingAction</Code>');
  });
});

it('returns 413 for a body within the limit that is too long for a string', async () => {
  await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
  const body = Buffer.alloc(constants.MAX_STRING_LENGTH + 1);
  const response = await emulator.gateway.handle({
    ...request({ headers: call('PutNote') }),
    body: { bytes: async () => body, async *stream() {} },
  });
  expect(response.status).toBe(413);
});

describe('access log', () => {
  const logged = async (format: LoggerOptions['format']) => {
    const lines: string[] = [];
    const log = createLogger({ level: 'debug', format, write: (line) => lines.push(line) });
    await using emulator = await createTestEmulator({ plugins: [notesPlugin], log });
    const { gateway } = emulator;
    const response = await gateway.handle(
      request({ headers: call('PutNote', '000000000001', 'eu-west-1'), body: '{"Name":"a"}' }),
    );
    await gateway.handle(request({ headers: call('Nothing'), body: '{}' }));
    await gateway.handle(request({ method: 'GET', target: '/_emulator/health' }));
    return { lines, requestId: response.headers['x-amzn-RequestId'] };
  };

  it('is one sentence per request in text', async () => {
    const { lines, requestId } = await logged('text');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      new RegExp(`DEBUG POST notes\\.PutNote 200 \\d+\\.\\d ms 000000000001 eu-west-1 ${requestId}\\n$`),
    );
    expect(lines[1]).toMatch(/DEBUG POST notes\.\? 400 \d+\.\d ms 123456789012 us-east-1 [-0-9a-f]{36}\n$/);
    expect(lines[2]).toMatch(/DEBUG GET \/_emulator\/health 200 \d+\.\d ms\n$/);
  });

  it('names the operation of a request with an invalid signature', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'debug', format: 'text', write: (line) => lines.push(line) });
    await using verifying = await createTestEmulator({ plugins: [notesPlugin], log, verifySigv4: true });
    await verifying.gateway.handle(request({ headers: call('PutNote'), body: '{}' }));
    expect(lines).toEqual([expect.stringMatching(/ POST notes\.PutNote 40\d /)]);
  });

  it('has fields in JSON', async () => {
    const { lines, requestId } = await logged('json');
    expect(JSON.parse(lines[0]!)).toEqual({
      time: expect.any(String),
      level: 'debug',
      message: 'request',
      method: 'POST',
      path: '/',
      service: 'notes',
      operation: 'PutNote',
      status: 200,
      duration: expect.any(Number),
      accountId: '000000000001',
      region: 'eu-west-1',
      requestId,
    });
    expect(JSON.parse(lines[2]!)).toMatchObject({ method: 'GET', path: '/_emulator/health', status: 200 });
  });
});

describe('request targets', () => {
  it('may be whole URLs, as clients of a proxy send them', async () => {
    await using emulator = await createTestEmulator({ version: '9' });
    for (const target of ['http://sqs.us-east-1.amazonaws.com/_emulator/health', '_emulator/health']) {
      const response = await emulator.gateway.handle(request({ method: 'GET', target }));
      expect(response.status, target).toBe(200);
    }
    for (const target of ['*', 'http://host', '', '/%zz?%zz=%zz&&=', '//'])
      expect((await emulator.gateway.handle(request({ method: 'GET', target }))).status, target).toBe(501);
  });
});
