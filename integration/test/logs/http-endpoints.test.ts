import { gzipSync } from 'node:zlib';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { IAM } from '@aws-sdk/client-iam';
import { createTestEmulator, refusal, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { manifest as iamManifest } from '@emu/svc-iam/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ACCOUNT = '000000000000';
const SIGNED = 'AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/logs/aws4_request, SignedHeaders=host, Signature=0';
const group = 'by-http';
const NAMES = { 'x-aws-log-group': group, 'x-aws-log-stream': 'stream' };

let emulator: TestEmulator;
let logs: CloudWatchLogs;
let iam: IAM;
let token: string;
let now: number;
beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [logsManifest, iamManifest, s3Manifest],
    settings: { accountId: ACCOUNT, region: 'us-east-1', values: { EMULATOR_ENFORCE_IAM: true } },
  });
  emulator.kernel.clock.freeze();
  now = emulator.kernel.clock.now();
  logs = new CloudWatchLogs(emulator.clientConfig());
  iam = new IAM(emulator.clientConfig());
  await logs.createLogGroup({ logGroupName: group });
  await logs.createLogStream({ logGroupName: group, logStreamName: 'stream' });
  await iam.createUser({ UserName: 'collector' });
  await allow(['logs:PutLogEvents', 'logs:CallWithBearerToken']);
  const { ServiceSpecificCredential } = await iam.createServiceSpecificCredential({
    UserName: 'collector',
    ServiceName: 'logs.amazonaws.com',
    CredentialAgeDays: 30,
  });
  token = ServiceSpecificCredential!.ServiceCredentialSecret!;
});
afterAll(() => emulator.close());

const allow = (Action: string[]) =>
  iam.putUserPolicy({
    UserName: 'collector',
    PolicyName: 'send',
    PolicyDocument: JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] }),
  });

/** Sends a body, by default signed and with the group and the stream in headers. */
const send = (
  target: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): ReturnType<typeof sendRaw> =>
  sendRaw(emulator, {
    method: 'POST',
    target,
    headers: { authorization: SIGNED, 'content-type': 'application/json', ...NAMES, ...headers },
    chunks: [body],
  });

/** Ids of messages that were returned already. */
const seen = new Set<string>();
async function arrived(): Promise<[ago: number, message: string][]> {
  const { events } = await logs.filterLogEvents({ logGroupName: group });
  const fresh = events!.filter(({ eventId }) => !seen.has(eventId!));
  for (const { eventId } of fresh) seen.add(eventId!);
  return fresh.map(({ timestamp, message }) => [now - timestamp!, message!]);
}

describe('the endpoint of the log collector', () => {
  it('accepts objects with an event, in a list or concatenated', async () => {
    const at = now / 1000;
    const first = `{"event":"Hello","time":${at - 2},"host":"a"}`;
    const second = `{"event":{"text":"}{"},"time":"${at - 1.5}"}`;
    const answer = await send('/services/collector/event', `${first}${second}\n{"message":"no event"} 17 "x"`);
    expect([answer.status, answer.text]).toEqual([200, '{}']);
    expect(await arrived()).toEqual([
      [2000, first],
      [1500, second],
    ]);
    await send('/services/collector/event', '[{"event":42,"time":"never"},{"event":true}]');
    expect(await arrived()).toEqual([
      [0, '{"event":42,"time":"never"}'],
      [0, '{"event":true}'],
    ]);
  });

  it('rejects invalid JSON', async () => {
    expect((await send('/services/collector/event', '{"event":1')).status).toBe(400);
    expect(await arrived()).toEqual([]);
  });
});

describe('the endpoint of JSON lines', () => {
  it('accepts any value per line, and the items of lists, and skips invalid lines', async () => {
    const body = [
      `{"timestamp":${now - 2000},"big":12345678901234567890}`,
      `[{"timestamp":${now - 1000}},"in a list"]`,
      '',
      'no JSON',
      '"a text"',
      'null',
    ].join('\r\n');
    const { status } = await send('/ingest/bulk', gzipSync(body), {
      'content-encoding': 'gzip',
      'content-type': 'application/x-ndjson; charset=utf-8',
    });
    expect(status).toBe(200);
    expect(await arrived()).toEqual([
      [2000, `{"timestamp":${now - 2000},"big":12345678901234567890}`],
      [1000, `{"timestamp":${now - 1000}}`],
      [0, 'in a list'],
      [0, 'a text'],
      [0, 'null'],
    ]);
  });
});

describe('the endpoint of structured JSON', () => {
  it('accepts objects only, of the first value', async () => {
    await send('/ingest/json', `[{"timestamp":${now - 5},"n":1},"text",42,{"n":2}]`);
    expect(await arrived()).toEqual([
      [5, `{"timestamp":${now - 5},"n":1}`],
      [0, '{"n":2}'],
    ]);
    await send('/ingest/json', '{"n":3}{"n":4}');
    expect(await arrived()).toEqual([[0, '{"n":3}']]);
    expect((await send('/ingest/json', '[]')).text).toBe('{}');
    expect((await send('/ingest/json', '{')).status).toBe(400);
    expect((await send('/ingest/json', '{}', { 'content-type': 'application/x-ndjson' })).status).toBe(400);
    expect(await arrived()).toEqual([]);
  });

  it('accepts names as query parameters, but not both ways', async () => {
    const none = { 'x-aws-log-group': '', 'x-aws-log-stream': '' };
    const target = `/ingest/json?logGroup=${group}&logStream=stream`;
    const raw = (headers: Record<string, string>) =>
      sendRaw(emulator, {
        method: 'POST',
        target,
        headers: { authorization: SIGNED, 'content-type': 'application/json', ...headers },
        chunks: ['{"q":1}'],
      });
    expect((await raw({})).status).toBe(200);
    expect((await raw(NAMES)).status).toBe(400);
    expect(await arrived()).toEqual([[0, '{"q":1}']]);
    expect((await send('/ingest/json', '{}', none)).status).toBe(400);
    const missing = await send('/ingest/json', '{}', { 'x-aws-log-stream': 'other' });
    expect([missing.status, missing.text]).toEqual([
      400,
      '{"__type":"ResourceNotFoundException","message":"The specified log stream does not exist."}',
    ]);
  });
});

const record = (ago: number) => ({
  timeUnixNano: `${BigInt(now - ago) * 1_000_000n + 123n}`,
  severityNumber: 9,
  severityText: 'INFO',
  body: { stringValue: 'signed in' },
  attributes: [
    { key: 'user.id', value: { intValue: '7' } },
    { key: 'tags', value: { arrayValue: { values: [{ stringValue: 'a' }, { boolValue: true }] } } },
  ],
  traceId: '5b8efff798038103d269b633813fc60c',
});
const exportOf = (...records: object[]) => ({
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeLogs: [{ scope: { name: 'lib', version: '1.0' }, logRecords: records }],
    },
  ],
});
const messageOf = (ago: number) =>
  `{"resource":{"attributes":{"service.name":"shop"}},"scope":{"name":"lib","version":"1.0"},` +
  `"timeUnixNano":${BigInt(now - ago) * 1_000_000n + 123n},"observedTimeUnixNano":0,"severityNumber":9,` +
  `"severityText":"INFO","body":"signed in","attributes":{"user.id":7,"tags":["a",true]},` +
  `"traceId":"5b8efff798038103d269b633813fc60c"}`;

describe('the endpoint of OpenTelemetry', () => {
  it('accepts log records as JSON, and returns the number of rejected ones', async () => {
    const DAY = 86_400_000;
    const answer = await send('/v1/logs', JSON.stringify(exportOf(record(10))));
    expect([answer.status, answer.text]).toEqual([200, '{}']);
    expect(await arrived()).toEqual([[10, messageOf(10)]]);
    const old = await send('/v1/logs', JSON.stringify(exportOf(record(15 * DAY))));
    expect(JSON.parse(old.text)).toEqual({
      partialSuccess: { rejectedLogRecords: 1, errorMessage: '{"tooOldLogEventCount": 1}' },
    });
    expect(await arrived()).toEqual([]);
  });

  it('accepts them as messages of protocol buffers', async () => {
    // ResourceLogs { resource {} scopeLogs { scope { name: "lib" } logRecords { timeUnixNano, body { stringValue: "hi" } } } }
    const nanos = Buffer.alloc(8);
    nanos.writeBigUInt64LE(BigInt(now - 3) * 1_000_000n);
    const message = (field: number, ...parts: Uint8Array[]) => {
      const content = Buffer.concat(parts);
      return Buffer.concat([Buffer.from([field * 8 + 2, content.length]), content]);
    };
    const text = (field: number, value: string) => message(field, Buffer.from(value));
    const log = message(2, Buffer.concat([Buffer.from([9]), nanos]), message(5, text(1, 'hi')));
    const body = message(1, message(2, message(1, text(1, 'lib')), log));
    const type = 'application/x-protobuf';
    const answer = await send('/v1/logs', body, { 'content-type': type });
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([200, type, '']);
    const [[ago, stored] = [0, '']] = await arrived();
    expect(ago).toBe(3);
    expect(JSON.parse(stored)).toMatchObject({ scope: { name: 'lib' }, body: 'hi', attributes: {} });
    expect((await send('/v1/logs', Buffer.from([0xff, 0xff]), { 'content-type': type })).status).toBe(400);
  });

  it('rejects deeply nested values and names as query parameters', async () => {
    const deep = '{"arrayValue":{"values":['.repeat(500) + ']}}'.repeat(500);
    const body = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${deep}}]}]}]}`;
    expect((await send('/v1/logs', body)).status).toBe(400);
    const byQuery = await sendRaw(emulator, {
      method: 'POST',
      target: `/v1/logs?logGroup=${group}&logStream=stream`,
      headers: { authorization: SIGNED, 'content-type': 'application/json' },
      chunks: ['{}'],
    });
    expect(byQuery.status).toBe(400);
  });
});

describe('bearer tokens', () => {
  const bearer = (key = token) => send('/ingest/json', '{"by":"token"}', { authorization: `Bearer ${key}` });

  it('are accepted if the group allows them, of users who may use them', async () => {
    expect((await bearer()).status).toBe(401);
    await logs.putBearerTokenAuthentication({ logGroupIdentifier: group, bearerTokenAuthenticationEnabled: true });
    const { logGroups } = await logs.describeLogGroups({ logGroupNamePrefix: group });
    expect(logGroups![0]!.bearerTokenAuthenticationEnabled).toBe(true);
    expect((await bearer()).status).toBe(200);
    expect(await arrived()).toEqual([[0, '{"by":"token"}']]);
    await allow(['logs:PutLogEvents']);
    expect((await bearer()).status).toBe(403);
    await allow(['logs:PutLogEvents', 'logs:CallWithBearerToken']);
    await logs.putBearerTokenAuthentication({ logGroupIdentifier: group, bearerTokenAuthenticationEnabled: false });
    expect((await bearer()).status).toBe(401);
    await logs.putBearerTokenAuthentication({ logGroupIdentifier: group, bearerTokenAuthenticationEnabled: true });
    expect(await arrived()).toEqual([]);
  });

  it('are rejected if unknown, inactive or expired', async () => {
    expect((await bearer(`ACWL${Buffer.from(`x-at-${ACCOUNT}:y`).toString('base64')}`)).status).toBe(401);
    expect((await bearer('nonsense')).status).toBe(401);
    const { ServiceSpecificCredentials } = await iam.listServiceSpecificCredentials({ UserName: 'collector' });
    const ServiceSpecificCredentialId = ServiceSpecificCredentials![0]!.ServiceSpecificCredentialId;
    const put = (Status: 'Active' | 'Inactive') =>
      iam.updateServiceSpecificCredential({ UserName: 'collector', ServiceSpecificCredentialId, Status });
    await put('Inactive');
    expect((await bearer()).status).toBe(401);
    await put('Active');
    expect((await bearer()).status).toBe(200);
    await emulator.kernel.clock.advance(31 * 86_400_000);
    expect((await bearer()).status).toBe(401);
  });

  it('require a group of the standard class', async () => {
    const put = (logGroupIdentifier: string) =>
      refusal(logs.putBearerTokenAuthentication({ logGroupIdentifier, bearerTokenAuthenticationEnabled: true }));
    expect((await put('absent')).name).toBe('ResourceNotFoundException');
    await logs.createLogGroup({ logGroupName: 'rare', logGroupClass: 'INFREQUENT_ACCESS' });
    expect((await put('rare')).name).toBe('InvalidOperationException');
  });
});

it('does not handle requests for other services', async () => {
  const { status } = await sendRaw(emulator, { method: 'POST', target: '/v1/logs?uploads' });
  expect(status).not.toBe(401);
});
