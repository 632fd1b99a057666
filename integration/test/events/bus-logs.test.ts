import { gunzipSync } from 'node:zlib';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { S3 } from '@aws-sdk/client-s3';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { arn, type EventsTest, REGION, startEvents } from './support.ts';

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-logs-schema.html

let run: EventsTest;
let logs: CloudWatchLogs;
let s3: S3;
beforeAll(async () => {
  run = await startEvents({ manifests: [logsManifest, s3Manifest] });
  logs = new CloudWatchLogs(run.emulator.clientConfig());
  s3 = new S3(run.emulator.clientConfig());
});
afterAll(() => run[Symbol.asyncDispose]());

type Level = 'ERROR' | 'INFO' | 'TRACE';

/** Creates a bus that logs each level to a log group. */
async function busWithLogs(Name: string, Level: Level, IncludeDetail: 'NONE' | 'FULL' = 'NONE'): Promise<string> {
  const logGroupName = `/aws/vendedlogs/events/event-bus/${Name}`;
  await run.events.createEventBus({ Name, LogConfig: { Level, IncludeDetail } });
  await logs.createLogGroup({ logGroupName });
  const destinationResourceArn = `arn:aws:logs:${REGION}:000000000000:log-group:${logGroupName}`;
  const { deliveryDestination } = await logs.putDeliveryDestination({
    name: Name,
    outputFormat: 'json',
    deliveryDestinationConfiguration: { destinationResourceArn },
  });
  for (const level of ['ERROR', 'INFO', 'TRACE']) {
    const name = `${Name}-${level}`;
    await logs.putDeliverySource({ name, resourceArn: arn(`event-bus/${Name}`), logType: `${level}_LOGS` });
    await logs.createDelivery({ deliverySourceName: name, deliveryDestinationArn: deliveryDestination!.arn! });
  }
  return logGroupName;
}

/** Waits for a number of records in a group and returns them by step. */
async function recordsOf(logGroupName: string, count: number): Promise<Record<string, Record<string, unknown>>> {
  const read = async () => {
    const { events = [] } = await logs.filterLogEvents({ logGroupName });
    return events.map(({ message }) => JSON.parse(message!) as Record<string, unknown>);
  };
  await expect.poll(async () => (await read()).length, { timeout: 15_000 }).toBeGreaterThanOrEqual(count);
  const records = await read();
  expect(records).toHaveLength(count);
  return Object.fromEntries(records.map((record) => [record.message_type, record]));
}

const put = (EventBusName: string) => run.put({ n: 1 }, { EventBusName, Time: new Date(1000) });

describe('logs of buses', () => {
  test('contain each step of an event, by the level of the delivery', async () => {
    const group = await busWithLogs('traced', 'TRACE', 'FULL');
    const Arn = await run.queue('traced');
    await run.rule('all', { source: ['app'] }, [{ Arn, Id: 'queue' }], 'traced');
    const id = await put('traced');
    const records = await recordsOf(group, 8);
    expect(Object.keys(records).sort()).toEqual([
      'EVENT_INGEST_SUCCESS',
      'EVENT_RECEIPT',
      'INVOCATION_ATTEMPT_START',
      'INVOCATION_ATTEMPT_SUCCESS',
      'INVOCATION_START',
      'INVOCATION_SUCCESS',
      'RULE_MATCH',
      'RULE_MATCH_START',
    ]);
    expect(records.EVENT_INGEST_SUCCESS).toEqual({
      resource_arn: arn('event-bus/traced'),
      message_timestamp_ms: expect.any(Number),
      event_bus_name: 'traced',
      request_id: expect.any(String),
      event_id: id,
      message_type: 'EVENT_INGEST_SUCCESS',
      log_level: 'INFO',
      details: {
        caller_account_id: '000000000000',
        source_time_ms: 1000,
        source: 'app',
        detail_type: 'Order',
        resources: [],
        event_detail: '{"n":1}',
      },
    });
    const { invocation_id: invocationId, details } = records.INVOCATION_SUCCESS!;
    expect(details).toMatchObject({
      rule_arn: arn('rule/traced/all'),
      target_arn: Arn,
      target_input: expect.stringContaining('"detail":{"n":1}'),
      total_attempts: 1,
      final_invocation_status: 'SUCCESS',
      ingestion_to_success_latency_ms: 0,
    });
    expect(records.RULE_MATCH!.details).toEqual({
      rule_arn: arn('rule/traced/all'),
      target_arns: [Arn],
      invocation_ids: [invocationId],
    });
    const { logStreams } = await logs.describeLogStreams({ logGroupName: group });
    expect(logStreams!.map(({ logStreamName }) => logStreamName)).toEqual(['EventBridgeEventBusLogs']);
  });

  test('use the level of the bus, and contain details only if configured', async () => {
    const group = await busWithLogs('informed', 'INFO');
    await put('informed');
    const records = await recordsOf(group, 2);
    expect(records.EVENT_INGEST_SUCCESS!.details).not.toHaveProperty('event_detail');
    expect(records.NO_STANDARD_RULES_MATCHED).toMatchObject({ log_level: 'INFO', details: {} });
    await run.events.updateEventBus({ Name: 'informed', LogConfig: { Level: 'OFF', IncludeDetail: 'NONE' } });
    await put('informed');
    await run.events.updateEventBus({ Name: 'informed', LogConfig: { Level: 'ERROR', IncludeDetail: 'NONE' } });
    await run.events.putEvents({
      Entries: [{ EventBusName: 'informed', Source: 'app', DetailType: 'x', Detail: '{' }],
    });
    const { EVENT_INGEST_FAILURE: failure } = await recordsOf(group, 3);
    expect(failure).toMatchObject({ log_level: 'ERROR', error: { error_message: 'Detail is malformed.' } });
  });

  test('contain failed invocations and dead letters', async () => {
    const group = await busWithLogs('failing', 'ERROR');
    const dead = await run.queue('dead');
    const target = { Arn: `arn:aws:sqs:${REGION}:000000000000:none`, DeadLetterConfig: { Arn: dead } };
    await run.rule('all', { source: ['app'] }, [target], 'failing');
    await put('failing');
    const records = await recordsOf(group, 3);
    expect(records.INVOCATION_ATTEMPT_PERMANENT_FAILURE).toMatchObject({
      details: { attempt_type: 'FIRST', attempt_count: 1, invocation_status: 'NO_RESOURCE' },
      error: { error_message: expect.any(String), aws_service: 'sqs' },
    });
    expect(records.INVOCATION_FAILURE).toBeDefined();
    expect(records.INVOCATION_DLQ).toMatchObject({ details: { total_attempts: 1 } });
  });

  test('go to buckets by the path of the delivery, with its fields', async () => {
    await run.events.createEventBus({ Name: 'kept', LogConfig: { Level: 'INFO', IncludeDetail: 'NONE' } });
    await s3.createBucket({ Bucket: 'bus-logs' });
    await logs.putDeliverySource({ name: 'kept', resourceArn: arn('event-bus/kept'), logType: 'INFO_LOGS' });
    const { deliveryDestination } = await logs.putDeliveryDestination({
      name: 'kept',
      outputFormat: 'w3c',
      deliveryDestinationConfiguration: { destinationResourceArn: 'arn:aws:s3:::bus-logs/all' },
    });
    const recordFields = ['message_type', 'resource_arn', 'message_timestamp_ms', 'event_bus_name', 'log_level'];
    await logs.createDelivery({
      deliverySourceName: 'kept',
      deliveryDestinationArn: deliveryDestination!.arn!,
      recordFields,
      fieldDelimiter: ' ',
      s3DeliveryConfiguration: { suffixPath: '{region}/{yyyy}', enableHiveCompatiblePath: true },
    });
    await put('kept');
    const now = run.emulator.kernel.clock.now();
    const list = async () => {
      await run.advance(5000);
      return (await s3.listObjectsV2({ Bucket: 'bus-logs' })).Contents ?? [];
    };
    await expect.poll(async () => (await list()).length, { timeout: 15_000 }).toBe(1);
    const [{ Key } = {}] = await list();
    const year = new Date(now).getUTCFullYear();
    expect(Key).toMatch(
      new RegExp(`^all/AWSLogs/000000000000/EventBusLogs/region=${REGION}/year=${year}/.*\\.log\\.gz$`),
    );
    const { Body } = await s3.getObject({ Bucket: 'bus-logs', Key });
    const lines = gunzipSync(await Body!.transformToByteArray())
      .toString()
      .split('\n');
    expect(lines).toEqual([
      '#Version: 1.0',
      `#Fields: ${recordFields.join(' ')}`,
      `EVENT_INGEST_SUCCESS ${arn('event-bus/kept')} ${now} kept INFO`,
      `NO_STANDARD_RULES_MATCHED ${arn('event-bus/kept')} ${now} kept INFO`,
      '',
    ]);
  });

  test('go to buckets as Parquet files', async () => {
    await run.events.createEventBus({ Name: 'columns', LogConfig: { Level: 'INFO', IncludeDetail: 'NONE' } });
    await s3.createBucket({ Bucket: 'bus-columns' });
    await logs.putDeliverySource({ name: 'columns', resourceArn: arn('event-bus/columns'), logType: 'INFO_LOGS' });
    const { deliveryDestination } = await logs.putDeliveryDestination({
      name: 'columns',
      outputFormat: 'parquet',
      deliveryDestinationConfiguration: { destinationResourceArn: 'arn:aws:s3:::bus-columns' },
    });
    await logs.createDelivery({ deliverySourceName: 'columns', deliveryDestinationArn: deliveryDestination!.arn! });
    const id = await put('columns');
    const now = run.emulator.kernel.clock.now();
    const list = async () => {
      await run.advance(5000);
      return (await s3.listObjectsV2({ Bucket: 'bus-columns' })).Contents ?? [];
    };
    await expect.poll(async () => (await list()).length, { timeout: 15_000 }).toBe(1);
    const [{ Key } = {}] = await list();
    expect(Key).toMatch(/\.log\.parquet$/);
    const { Body } = await s3.getObject({ Bucket: 'bus-columns', Key });
    const bytes = await Body!.transformToByteArray();
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const records = await parquetReadObjects({ file });
    expect(records).toEqual([
      expect.objectContaining({
        message_type: 'EVENT_INGEST_SUCCESS',
        message_timestamp_ms: BigInt(now),
        event_id: id,
      }),
      expect.objectContaining({ message_type: 'NO_STANDARD_RULES_MATCHED', error: null }),
    ]);
    expect(JSON.parse(records[0]!.details as string)).toMatchObject({ source: 'app' });
  });
});
