import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { BodyLimits } from '@emu/core/service';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inflate } from '../src/body/inflate.ts';
import { jsonWeight } from '../src/body/json-weight.ts';
import { Turns } from '../src/body/turns.ts';
import { createTestEmulator, manifestOf, type RawResponse, sendRaw, type TestEmulator } from '../src/testing/index.ts';
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

  it('is refused by the limit of emu if that is lower', async () => {
    await emulator.close();
    await start({ ...BODIES, bytes: 6 * MIB });
    const refused = await post(call('PutNote'), note(5 * MIB));
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.text)).toMatchObject({ __type: expect.stringMatching(/#RequestEntityTooLarge$/) });
  });

  it('is refused as a form, before it is read if its service is known', async () => {
    expect(await post(FORM, form(3 * MIB))).toMatchObject({ status: 200 });
    const refused = await post(FORM, form(4 * MIB));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('<Code>NoteTooLong</Code>');
    // Its length is unknown, and below the limit of the service but not of the operation.
    const get = await post(
      { ...FORM, 'content-length': '' },
      `Action=GetNote&Version=2020-02-02&Name=${'x'.repeat(1000)}`,
    );
    expect(get.text).toContain('<Message>GetNote takes 1000</Message>');
  });
});

describe('a compressed body', () => {
  it('is inflated as a form only for an operation that takes it', async () => {
    const headers = { ...FORM, 'content-encoding': 'gzip' };
    expect(await post(headers, gzipSync(form(3000)))).toMatchObject({ status: 200 });
    const other = await post(headers, gzipSync('Action=WhoAmI&Version=2020-02-02'));
    expect(other.status).toBe(400);
    expect(other.text).toContain('<Code>MissingAction</Code>');
  });

  it('is inflated as a form to the limit of the operations that take it', async () => {
    await emulator.close();
    await start({ bytes: MIB, operations: { PutNote: 3 * MIB } });
    const headers = { ...FORM, 'content-encoding': 'gzip' };
    const random = randomBytes(MIB).toString('hex');
    const body = (tail: string): Buffer => gzipSync(`Action=PutNote&Version=2020-02-02&Name=n&Text=${random}${tail}`);
    expect(await post(headers, body(''))).toMatchObject({ status: 200 });
    expect(await post(headers, body(random))).toMatchObject({ status: 413 });
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

  it('is inflated only to the limit of its operation', async () => {
    await emulator.close();
    await start({ ...BODIES, gzip: true });
    const refused = await post({ ...call('GetNote'), 'content-encoding': 'gzip' }, gzipSync(note(2000)));
    expect(JSON.parse(refused.text)).toMatchObject({ message: 'GetNote takes 1000' });
  });

  it('is inflated only to a hundred times its size', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * MIB));
    expect(bomb.length * 100).toBeLessThan(20 * MIB);
    await expect(inflate(bomb, 100 * MIB)).rejects.toMatchObject({ limit: bomb.length * 100 });
    expect(await inflate(gzipSync(Buffer.alloc(200_000)), MIB)).toHaveLength(200_000);
  });
});

describe('a body of many values', () => {
  const crowd = `{"Name":"n","Tags":[${'{},'.repeat(1_500_000)}{}]}`;

  it('is refused before it is parsed, by the error of the service if it has one', async () => {
    await emulator.close();
    await start({ bytes: 5 * MIB });
    const refused = await post(call('PutNote'), crowd);
    expect(refused.status).toBe(413);
    expect(JSON.parse(refused.text)).toMatchObject({
      __type: expect.stringMatching(/#RequestEntityTooLarge$/),
      message: 'The request body holds more values than the emulator takes in one request.',
    });
    await emulator.close();
    await start({ bytes: 5 * MIB, crowded: (name) => ({ code: 'NoteTooFull', message: `in ${name}`, status: 400 }) });
    const own = await post(call('PutNote'), crowd);
    expect(own.status).toBe(400);
    expect(JSON.parse(own.text)).toMatchObject({
      __type: expect.stringMatching(/#NoteTooFull$/),
      message: 'in PutNote',
    });
  });

  it('is weighed by its objects, its strings and the entries of large objects', async () => {
    const weigh = (value: unknown): Promise<number> => jsonWeight(Buffer.from(JSON.stringify(value)), 2 ** 30);
    const strings = await weigh(Array.from({ length: 1000 }, () => 'a string that says "{[,:" \\'));
    expect(strings).toBeGreaterThan(1000 * 20);
    expect(strings).toBeLessThan(1000 * 80);
    expect(await weigh('x'.repeat(1_000_000))).toBeLessThan(1000);
    const numbers = await weigh(Array.from({ length: 10_000 }, (_, index) => index));
    expect(numbers).toBeLessThan(100_000);
    const names = Array.from({ length: 10_000 }, (_, index) => [`name-${index}`, 1]);
    expect(await weigh(Object.fromEntries(names))).toBeGreaterThan(3 * (await weigh(names.map(([name]) => name))));
  });
});

describe('large work', () => {
  it('runs one at a time, and ends once', async () => {
    const turns = new Turns();
    let running = 0;
    const work = async (): Promise<number> => {
      const end = await turns.enter();
      running++;
      await new Promise((resolve) => setImmediate(resolve));
      const seen = running--;
      end();
      end();
      return seen;
    };
    expect(await Promise.all([work(), work(), work()])).toEqual([1, 1, 1]);
  });

  it('continues after a refused body', async () => {
    await emulator.close();
    await start({ ...BODIES, gzip: true });
    const headers = { ...call('PutNote'), 'content-encoding': 'gzip' };
    const text = randomBytes(MIB).toString('hex');
    const large = gzipSync(JSON.stringify({ Name: 'n', Text: text }));
    const [torn, whole] = await Promise.all([post(headers, 'no gzip'), post(headers, large)]);
    expect([torn.status, whole.status]).toEqual([400, 200]);
  });
});
