import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { residentBytes, type ServerProcess, startServerProcess } from '@emu/gateway/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MB = 1024 * 1024;
/** Maximum growth of the resident memory by four concurrent requests, in bytes. */
const MAX = 300 * MB;
/** Size of a body just below DynamoDB's limit of 16 MB. */
const SIZE = 15.5 * MB;

const TOO_LARGE = /^400 .*Item size has exceeded/;
const PROGRAM = join(import.meta.dirname, 'programs', 'server.ts');
const HEADERS = {
  'content-type': 'application/x-amz-json-1.0',
  'content-encoding': 'gzip',
  authorization:
    'AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
};

// Only Linux reports the peak memory of another process.
describe.skipIf(process.platform !== 'linux')('four concurrent large compressed bodies', () => {
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

  const send = async (body: Uint8Array, operation = 'PutItem'): Promise<string> => {
    const headers = { ...HEADERS, 'x-amz-target': `DynamoDB_20120810.${operation}` };
    const response = await fetch(server.url, { method: 'POST', headers, body });
    return `${response.status} ${await response.text()}`;
  };

  it.each([
    ['a long string', `{"TableName":"none","Item":{"id":{"S":"${text()}"}}}`, /^400 .*(ResourceNotFound|Validation)/],
    ['a million small attributes', `{"TableName":"none","Item":{${attributes(1_000_000)}}}`, TOO_LARGE],
    ['as many attributes as are decoded', `{"TableName":"none","Item":{${attributes(135_000)}}}`, TOO_LARGE],
    ['as many elements as are decoded', `{"TableName":"none","Item":{"id":{"L":[${elements(420_000)}]}}}`, TOO_LARGE],
    ['five million empty values', `{"RequestItems":{"none":[${empty()}]}}`, /^413 .*more values/, 'BatchWriteItem'],
    ['of zeros, more than a hundred times as large', ' '.repeat(SIZE), /^413 /],
  ])('use little memory: %s', async (_, json, answer, operation = 'PutItem') => {
    const body = gzipSync(json);
    await send(gzipSync('{}'));
    const before = residentBytes(server.pid);
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(body, operation)));
    for (const one of answers) expect(one).toMatch(answer);
    expect(residentBytes(server.pid, 'VmHWM') - before).toBeLessThan(MAX);
  });
});

/** Returns text with a compression ratio of about fifty. */
function text(): string {
  let whole = '';
  while (whole.length < SIZE) whole += randomBytes(128).toString('hex').repeat(64);
  return whole;
}

/** Returns attributes that use much more memory than bytes. */
function attributes(count: number): string {
  return Array.from({ length: count }, (_, index) => `"${index.toString(36)}":{"S":""}`).join(',');
}

/** Returns list elements that use somewhat more memory than bytes. */
function elements(count: number): string {
  return Array.from({ length: count }, (_, index) => `{"N":"${index}"}`).join(',');
}

/** Returns values that use thirty times as much memory as bytes, in an order that hardly compresses. */
function empty(): string {
  const kinds = ['{},{}', '{},[]', '[],{}', '[],[]'];
  return Array.from(randomBytes(2_500_000), (byte) => kinds[byte % 4]).join(',');
}
