import { gzipSync } from 'node:zlib';
import { sendRaw } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CloudWatchTest, startCloudWatch } from './support.ts';

let test: CloudWatchTest;
beforeAll(async () => {
  test = await startCloudWatch();
  await test.cloudwatch.putMetricData({ Namespace: 'N', MetricData: [{ MetricName: 'm', Value: 41 }] });
});
afterAll(() => test[Symbol.asyncDispose]());

const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=test/20260305/us-east-1/monitoring/aws4_request, SignedHeaders=host, Signature=00';
const query = (form: Record<string, string>) =>
  sendRaw(test.emulator, {
    method: 'POST',
    target: '/',
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/x-www-form-urlencoded' },
    chunks: [new URLSearchParams({ Version: '2010-08-01', ...form }).toString()],
  });
const json = (operation: string, input: object) =>
  sendRaw(test.emulator, {
    method: 'POST',
    target: '/',
    headers: {
      authorization: AUTHORIZATION,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `GraniteServiceVersion20100801.${operation}`,
    },
    chunks: [JSON.stringify(input)],
  });
/** Sends an operation of the RPC protocol with an input of small maps and texts. */
const cbor = (operation: string, input: Record<string, string>) =>
  sendRaw(test.emulator, {
    method: 'POST',
    target: `/service/GraniteServiceVersion20100801/operation/${operation}`,
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/cbor', 'smithy-protocol': 'rpc-v2-cbor' },
    chunks: [
      Buffer.concat([
        Buffer.from([0xa0 + Object.keys(input).length]),
        ...Object.entries(input).flatMap(([key, value]) => [text(key), text(value)]),
      ]),
    ],
  });
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x78, value.length]), Buffer.from(value)]);

describe('protocols', () => {
  it('responds to query requests', async () => {
    const { status, text: answer } = await query({
      Action: 'GetMetricStatistics',
      Namespace: 'N',
      MetricName: 'm',
      StartTime: test.at(-60).toISOString(),
      EndTime: test.at(60).toISOString(),
      Period: '60',
      'Statistics.member.1': 'Sum',
    });
    expect(status).toBe(200);
    expect(answer).toContain('<GetMetricStatisticsResponse xmlns="http://monitoring.amazonaws.com/doc/2010-08-01/">');
    expect(answer).toContain('<Sum>41</Sum>');
    expect(answer).toContain('<Timestamp>2026-03-05T12:00:00Z</Timestamp>');
  });

  it('responds in CBOR with times in seconds', async () => {
    await test.cloudwatch.putDashboard({ DashboardName: 'board', DashboardBody: '{"widgets":[]}' });
    const answer = await cbor('ListDashboards', {});
    expect(answer.status).toBe(200);
    expect(answer.headers['smithy-protocol']).toBe('rpc-v2-cbor');
    // The text is decoded as UTF-8, which corrupts bytes beyond ASCII; tag and number are located by position.
    const after = answer.text.slice(answer.text.indexOf('LastModified') + 'LastModified'.length);
    expect(after.charCodeAt(0)).toBe(0xfffd);
    expect(after.charCodeAt(1)).toBe(0x1a);
  });

  it('accepts compressed data', async () => {
    const { status } = await sendRaw(test.emulator, {
      method: 'POST',
      target: '/',
      headers: {
        authorization: AUTHORIZATION,
        'content-type': 'application/x-amz-json-1.0',
        'content-encoding': 'gzip',
        'x-amz-target': 'GraniteServiceVersion20100801.PutMetricData',
      },
      chunks: [gzipSync(JSON.stringify({ Namespace: 'N', MetricData: [{ MetricName: 'compressed', Value: 1 }] }))],
    });
    expect(status).toBe(200);
    expect((await test.cloudwatch.listMetrics({ MetricName: 'compressed' })).Metrics).toHaveLength(1);
  });

  it('formats not-found errors as AWS does, without a message', async () => {
    const input = { AlarmName: 'none', StateValue: 'OK', StateReason: 'x' };
    const queried = await query({ Action: 'SetAlarmState', ...input });
    expect(queried.status).toBe(404);
    expect(queried.text).toContain('<Code>ResourceNotFound</Code>');
    expect(queried.text).not.toContain('<Message>');
    const answered = await json('SetAlarmState', input);
    expect(answered.status).toBe(404);
    expect(JSON.parse(answered.text)).toEqual({ __type: 'com.amazonaws.cloudwatch.v2010_08_01#ResourceNotFound' });
    expect((await cbor('SetAlarmState', input)).status).toBe(404);
  });

  it('formats constraint violations as AWS does', async () => {
    const input = { AlarmName: 'none', StateValue: 'INVALID', StateReason: 'x' };
    const message =
      "1 validation error detected: Value 'INVALID' at 'stateValue' failed to satisfy constraint: Member must satisfy enum value set: [INSUFFICIENT_DATA, ALARM, OK]";
    const queried = await query({ Action: 'SetAlarmState', ...input });
    expect(queried.text).toContain('<Code>ValidationError</Code>');
    expect(JSON.parse((await json('SetAlarmState', input)).text)).toEqual({
      __type: 'com.amazon.coral.validate#ValidationException',
      message,
    });
  });
});
