import { gzipSync } from 'node:zlib';
import type { BodyLimits } from '@emu/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inflate } from '../src/inflate.ts';
import { createTestEmulator, manifestOf, type RawResponse, sendRaw, type TestEmulator } from '../src/testing/index.ts';
import { Turns } from '../src/turns.ts';
import { notesPlugin } from './notes.ts';
import { call } from './requests.ts';

const MIB = 1024 * 1024;
const BODIES: BodyLimits = {
  bytes: 4 * MIB,
  operations: { GetNote: 1000 },
  refusal: (limit, operation) => ({ code: 'NoteTooLong', message: `${operation} takes ${limit}`, status: 400 }),
};
const FORM = {
  'content-type': 'application/x-www-form-urlencoded',
  authorization: call('').authorization!,
};

let emulator: TestEmulator;

async function start(bodies: BodyLimits): Promise<void> {
  emulator = await createTestEmulator({
    manifests: [{ ...manifestOf(notesPlugin), bodies }],
    maxRequestBodyBytes: 5 * MIB,
  });
}

beforeEach(() => start(BODIES));
afterEach(() => emulator.close());

const post = (headers: Record<string, string>, body: string | Uint8Array): Promise<RawResponse> =>
  sendRaw(emulator, {
    method: 'POST',
    target: '/',
    headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
    chunks: [body],
  });
const note = (bytes: number): string => JSON.stringify({ Name: 'n', Text: 'x'.repeat(bytes) });
const form = (bytes: number): string => `Action=PutNote&Version=2020-02-02&Name=n&Text=${'x'.repeat(bytes)}`;

describe('a body over the limit of its service', () => {
  it('is refused with the error of the service, by the limit of the operation', async () => {
    expect(await post(call('PutNote'), note(3 * MIB))).toMatchObject({ status: 200 });
    const refused = await post(call('PutNote'), note(4 * MIB));
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.text)).toMatchObject({
      __type: expect.stringMatching(/#NoteTooLong$/),
      message: 'PutNote takes 4194304',
    });
    expect(JSON.parse((await post(call('GetNote'), note(1000))).text)).toMatchObject({
      message: 'GetNote takes 1000',
    });
  });

  it('is refused by the limit of emu where that is lower', async () => {
    await emulator.close();
    await start({ ...BODIES, bytes: 6 * MIB });
    const refused = await post(call('PutNote'), note(5 * MIB));
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.text)).toMatchObject({ __type: expect.stringMatching(/#RequestEntityTooLarge$/) });
  });

  it('is refused as a form, before it is read as far as its service is known', async () => {
    expect(await post(FORM, form(3 * MIB))).toMatchObject({ status: 200 });
    const refused = await post(FORM, form(4 * MIB));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('<Code>NoteTooLong</Code>');
    // Of no known length, and short enough for the service but not for the operation.
    const get = await post(
      { ...FORM, 'content-length': '' },
      `Action=GetNote&Version=2020-02-02&Name=${'x'.repeat(1000)}`,
    );
    expect(get.text).toContain('<Message>GetNote takes 1000</Message>');
  });
});

describe('a compressed body', () => {
  it('is inflated as a form for an operation that takes it, and only for that', async () => {
    const headers = { ...FORM, 'content-encoding': 'gzip' };
    expect(await post(headers, gzipSync(form(3000)))).toMatchObject({ status: 200 });
    const other = await post(headers, gzipSync('Action=WhoAmI&Version=2020-02-02'));
    expect(other.status).toBe(400);
    expect(other.text).toContain('<Code>MissingAction</Code>');
  });

  it('is inflated for every operation of a service that takes it everywhere', async () => {
    const headers = { ...call('GetNote'), 'content-encoding': 'gzip' };
    const body = gzipSync('{"Name":"none"}');
    expect(JSON.parse((await post(headers, body)).text)).toMatchObject({
      __type: expect.stringMatching(/#SerializationException$/),
    });
    await emulator.close();
    await start({ ...BODIES, gzip: true });
    expect(JSON.parse((await post(headers, body)).text)).toMatchObject({ message: 'There is no note none.' });
  });

  it('is inflated to the limit of its operation only', async () => {
    await emulator.close();
    await start({ ...BODIES, gzip: true });
    const refused = await post({ ...call('GetNote'), 'content-encoding': 'gzip' }, gzipSync(note(2000)));
    expect(JSON.parse(refused.text)).toMatchObject({ message: 'GetNote takes 1000' });
  });

  it('is inflated to a hundred times its size only', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * MIB));
    expect(bomb.length * 100).toBeLessThan(20 * MIB);
    await expect(inflate(bomb, 100 * MIB)).rejects.toMatchObject({ limit: bomb.length * 100 });
    expect(await inflate(gzipSync(Buffer.alloc(200_000)), MIB)).toHaveLength(200_000);
  });
});

describe('large work', () => {
  it('is done one at a time, also after some that failed', async () => {
    const turns = new Turns();
    let running = 0;
    const work = async (): Promise<number> => {
      running++;
      await new Promise((resolve) => setImmediate(resolve));
      return running--;
    };
    const failed = expect(turns.take(() => Promise.reject(new Error('this one')))).rejects.toThrow('this one');
    expect(await Promise.all([turns.take(work), turns.take(work), turns.take(work)])).toEqual([1, 1, 1]);
    await failed;
  });
});
