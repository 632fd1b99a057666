import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { residentBytes, type ServerProcess, startServerProcess } from '@emu/gateway/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MB = 1024 * 1024;
/** Bytes by which four concurrent requests may raise the resident memory. */
const MAX_GROWTH = 300 * MB;
const PROGRAM = join(import.meta.dirname, 'programs', 'server.ts');

interface Large {
  service?: string;
  method?: string;
  path?: string;
  type: string;
  headers?: Record<string, string>;
  body: string | Uint8Array;
}

/** Returns as many copies of a piece as fit into a size. */
function pieces(size: number, piece: (index: number) => string): string {
  const out: string[] = [];
  for (let length = 0, index = 0; length < size; index++) {
    out.push(piece(index));
    length += out[index]!.length;
  }
  return out.join('');
}

const FORM = 'application/x-www-form-urlencoded';
const put = (size: number, parameter: (index: number) => string): string =>
  `Action=PutMetricData&Version=2010-08-01&Namespace=a${pieces(size, parameter)}`;
const zipped = (body: string | Uint8Array): Pick<Large, 'headers' | 'body'> => ({
  headers: { 'content-encoding': 'gzip' },
  body: gzipSync(body),
});
/** Returns `{ MetricData: [{}, [], …] }` with empty maps and lists, which take one byte each. */
const cbor = (size: number): Uint8Array =>
  Buffer.concat([
    Buffer.from([0xa1, 0x6a]),
    Buffer.from('MetricData'),
    Buffer.from([0x9f]),
    randomBytes(size).map((byte) => (byte & 1 ? 0xa0 : 0x80)),
    Buffer.from([0xff]),
  ]);

const LARGE: Record<string, () => Large> = {
  'a form of many parameters': () => ({
    service: 'sqs',
    type: FORM,
    body: `Action=SendMessage&Version=2012-11-05${pieces(6 * MB, (index) => `&${index.toString(36)}=`)}`,
  }),
  'a form of many branches': () => ({
    service: 'sqs',
    type: FORM,
    body: `Action=SendMessageBatch&Version=2012-11-05${pieces(6 * MB, (index) => `&SendMessageBatchRequestEntry.${index}.Id=a`)}`,
  }),
  'a compressed form': () => ({
    service: 'monitoring',
    type: FORM,
    ...zipped(put(7.9 * MB, (index) => `&MetricData.member.${index}=`)),
  }),
  'a compressed body of CBOR': () => ({
    service: 'monitoring',
    path: '/service/GraniteServiceVersion20100801/operation/PutMetricData',
    type: 'application/cbor',
    body: gzipSync(cbor(7.9 * MB)),
    headers: { 'smithy-protocol': 'rpc-v2-cbor', 'content-encoding': 'gzip' },
  }),
  'a document of XML': () => ({
    service: 's3',
    path: '/bucket?delete',
    type: 'application/xml',
    body: `<Delete>${pieces(7.9 * MB, (index) => `<Object><Key>${index}</Key></Object>`)}</Delete>`,
  }),
  'attributes of XML': () => ({
    service: 's3',
    path: '/bucket?delete',
    type: 'application/xml',
    body: `<Delete ${pieces(7.9 * MB, (index) => ` a${index}="b"`)}/>`,
  }),
  'records that a sentence shows': () => ({
    service: 'firehose',
    type: 'application/x-amz-json-1.1',
    headers: { 'x-amz-target': 'Firehose_20150804.PutRecordBatch' },
    body: `{"DeliveryStreamName":"a","Records":[${'{"Data":""},'.repeat(350_000)}{}]}`,
  }),
  'a definition of YAML': () => ({
    service: 'apigateway',
    path: '/restapis?mode=import',
    type: 'application/yaml',
    body: `swagger: "2.0"\ninfo:\n  title: a\nx:\n${'- a\n'.repeat(1_400_000)}`,
  }),
  'a definition in a member': () => ({
    service: 'apigateway',
    method: 'PUT',
    path: '/v2/apis',
    type: 'application/json',
    body: JSON.stringify({ body: `{"openapi":"3.0.1","info":{"title":"a"},"x":[${'{},'.repeat(1_800_000)}{}]}` }),
  }),
  'a control route': () => ({
    path: '/_emulator/clock',
    type: 'application/json',
    body: `[${'{},'.repeat(5_000_000)}{}]`,
  }),
};

// The peak memory of another process is available on Linux only.
describe.skipIf(process.platform !== 'linux')('four concurrent large bodies of small values', () => {
  let dataPath: string;
  let server: ServerProcess;
  beforeEach(async () => {
    dataPath = mkdtempSync(join(tmpdir(), 'emu-test-'));
    server = await startServerProcess(PROGRAM, dataPath);
  });
  afterEach(async () => {
    await server?.kill();
    rmSync(dataPath, { recursive: true, force: true });
  });

  it.each(Object.entries(LARGE))('use little memory: %s', async (_, make) => {
    const { service, method = 'POST', path = '/', type, headers, body } = make();
    const scope = `AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`;
    const send = async (content: string | Uint8Array): Promise<number> => {
      const response = await fetch(server.url + path, {
        method,
        headers: { 'content-type': type, ...(service && { authorization: scope }), ...headers },
        body: content as Uint8Array<ArrayBuffer>,
      });
      await response.arrayBuffer();
      return response.status;
    };
    // Load the service.
    await send(headers?.['content-encoding'] ? gzipSync('') : '');
    const before = residentBytes(server.pid);
    const statuses = await Promise.all([1, 2, 3, 4].map(() => send(body)));
    expect(residentBytes(server.pid, 'VmHWM') - before).toBeLessThan(MAX_GROWTH);
    for (const status of statuses) expect([400, 413]).toContain(status);
  });
});
