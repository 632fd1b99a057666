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

  it('logs a defect and answers 500 InternalFailure with the request id', async () => {
    const lines: string[] = [];
    const { createLogger } = await import('@emu/core');
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

  it('answers 501 for operations without a handler and UnknownOperationException for names of none', async () => {
    await using emulator = await createTestEmulator({ plugins: [notesPlugin] });
    const missing = await emulator.gateway.handle(request({ headers: call('Missing'), body: '{}' }));
    expect(missing.status).toBe(501);
    expect(JSON.parse(await textOf(missing))).toMatchObject({ message: 'emu does not implement notes.Missing.' });
    const unknown = await emulator.gateway.handle(request({ headers: call('Nothing'), body: '{}' }));
    expect(unknown.status).toBe(400);
    expect(JSON.parse(await textOf(unknown))).toEqual({ __type: 'com.amazon.coral.service#UnknownOperationException' });
  });
});
