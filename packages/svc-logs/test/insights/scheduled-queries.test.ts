import type { CreateScheduledQueryCommandInput } from '@aws-sdk/client-cloudwatch-logs';
import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, failureOf, startLogs } from '../support.ts';

const role = `arn:aws:iam::${ACCOUNT}:role/queries`;
const hourly: CreateScheduledQueryCommandInput = {
  name: 'errors',
  queryLanguage: 'CWLI',
  queryString: 'filter @message like "ERROR" | stats count(*) as errors',
  logGroupIdentifiers: ['app'],
  scheduleExpression: 'cron(0 * * * ? *)',
  startTimeOffset: 3600,
  executionRoleArn: role,
};

/** Emulator with a bucket, or with one that denies access. */
async function withBucket(refuses = false) {
  const objects = new Map<string, { body: unknown; input: Record<string, unknown> }>();
  const s3 = fakeService('s3', {
    PutObject(input) {
      if (refuses) throw awsError('NoSuchBucket', 'The specified bucket does not exist');
      const body = JSON.parse(Buffer.from(input.Body as Uint8Array).toString()) as unknown;
      objects.set(`${input.Bucket}/${input.Key}`, { body, input });
      return {};
    },
  });
  const test = await startLogs({ manifests: [s3] });
  test.emulator.kernel.clock.set(Date.UTC(2024, 2, 5, 10, 30));
  await test.group('app', 'one');
  await test.put('app', 'one', 'ERROR one', 'fine');
  return { test, objects };
}

const destinationConfiguration = {
  s3Configuration: { destinationIdentifier: 's3://results/daily', roleArn: role },
};

describe('scheduled queries', () => {
  it('run on the clock, deliver results and have a history', async () => {
    const { test, objects } = await withBucket();
    await using _ = test;
    const { logs } = test;
    const { scheduledQueryArn, state } = await logs.createScheduledQuery({ ...hourly, destinationConfiguration });
    expect(scheduledQueryArn).toMatch(new RegExp(`^arn:aws:logs:us-east-1:${ACCOUNT}:scheduled-query:[0-9a-f-]{36}$`));
    expect(state).toBe('ENABLED');
    const created = test.now;
    await test.advance(2 * 3600);
    const history = { identifier: 'errors', startTime: created, endTime: test.now };
    const { triggerHistory, ...rest } = await logs.getScheduledQueryHistory(history);
    expect(rest).toMatchObject({ name: 'errors', scheduledQueryArn });
    const times = [12, 11].map((hour) => Date.UTC(2024, 2, 5, hour));
    expect(triggerHistory).toEqual(
      times.map((triggeredTimestamp) => ({
        queryId: expect.any(String),
        executionStatus: 'Complete',
        triggeredTimestamp,
        destinations: [
          {
            destinationType: 'S3',
            destinationIdentifier: 's3://results/daily',
            status: 'COMPLETE',
            processedIdentifier: expect.stringMatching(
              /^s3:\/\/results\/daily\/errors\/2024\/03\/05\/[0-9a-f-]{36}\.json$/,
            ),
          },
        ],
      })),
    );
    const bodies = triggerHistory!.map(
      ({ destinations }) => objects.get(destinations![0]!.processedIdentifier!.slice('s3://'.length))!.body,
    );
    expect(bodies).toEqual([
      expect.objectContaining({ status: 'Complete', results: [] }),
      expect.objectContaining({ queryLanguage: 'CWLI', results: [[{ field: 'errors', value: '1' }]] }),
    ]);
    expect(await logs.getScheduledQuery({ identifier: scheduledQueryArn })).toMatchObject({
      lastTriggeredTime: times[0],
      lastExecutionStatus: 'Complete',
    });
    const failed = await logs.getScheduledQueryHistory({ ...history, executionStatuses: ['Failed'] });
    expect(failed.triggerHistory).toEqual([]);
  });

  it('report the reason of a failure', async () => {
    const { test } = await withBucket(true);
    await using _ = test;
    const { logs } = test;
    await logs.createScheduledQuery({ ...hourly, destinationConfiguration });
    await logs.createScheduledQuery({ ...hourly, name: 'gone', logGroupIdentifiers: ['none'] });
    await test.advance(3600);
    const runs = async (identifier: string) => {
      const { triggerHistory } = await logs.getScheduledQueryHistory({ identifier, startTime: 0, endTime: test.now });
      return triggerHistory;
    };
    expect(await runs('errors')).toEqual([
      expect.objectContaining({
        executionStatus: 'Failed',
        destinations: [
          expect.objectContaining({ status: 'FAILED', errorMessage: 'The specified bucket does not exist' }),
        ],
      }),
    ]);
    expect(await runs('gone')).toEqual([
      {
        executionStatus: 'Failed',
        triggeredTimestamp: Date.UTC(2024, 2, 5, 11),
        errorMessage: expect.stringMatching(/^Log group 'none' does not exist for account ID '000000000000' /),
      },
    ]);
  });

  it('run while enabled, between start and end', async () => {
    const { test } = await withBucket();
    await using _ = test;
    const { logs } = test;
    const identifier = 'errors';
    const hour = (count: number) => Date.UTC(2024, 2, 5, count);
    await logs.createScheduledQuery({ ...hourly, state: 'DISABLED', tags: { a: 'b' } });
    await test.advance(3600);
    await logs.updateScheduledQuery({ ...hourly, identifier, scheduleStartTime: hour(13), scheduleEndTime: hour(14) });
    await test.advance(5 * 3600);
    const { triggerHistory } = await logs.getScheduledQueryHistory({ identifier, startTime: 0, endTime: test.now });
    expect(triggerHistory!.map(({ triggeredTimestamp }) => triggeredTimestamp)).toEqual([hour(14), hour(13)]);
  });

  it('lists, describes, updates and deletes scheduled queries', async () => {
    const { test } = await withBucket();
    await using _ = test;
    const { logs } = test;
    const { scheduledQueryArn } = await logs.createScheduledQuery({
      ...hourly,
      description: 'd',
      timezone: 'Europe/Berlin',
    });
    const { name, ...settings } = hourly;
    const summary = {
      scheduledQueryArn,
      name,
      state: 'ENABLED',
      scheduleExpression: hourly.scheduleExpression,
      timezone: 'Europe/Berlin',
      creationTime: test.now,
      lastUpdatedTime: test.now,
    };
    expect((await logs.listScheduledQueries({ state: 'ENABLED' })).scheduledQueries).toEqual([summary]);
    expect((await logs.listScheduledQueries({ state: 'DISABLED' })).scheduledQueries).toEqual([]);
    expect(await logs.getScheduledQuery({ identifier: 'errors' })).toMatchObject({
      ...summary,
      ...settings,
      description: 'd',
    });
    await logs.tagResource({ resourceArn: scheduledQueryArn, tags: { a: 'b' } });
    expect(await logs.listTagsForResource({ resourceArn: scheduledQueryArn })).toMatchObject({ tags: { a: 'b' } });
    const changed = { identifier: 'errors', ...settings, queryString: 'limit 1', state: 'DISABLED' } as const;
    expect(await logs.updateScheduledQuery(changed)).toMatchObject({
      queryString: 'limit 1',
      state: 'DISABLED',
      timezone: 'UTC',
    });
    expect(await failureOf(logs.createScheduledQuery(hourly))).toBe(
      'ConflictException: A scheduled query with the name errors already exists.',
    );
    await logs.deleteScheduledQuery({ identifier: scheduledQueryArn });
    for (const request of [
      logs.getScheduledQuery({ identifier: 'errors' }),
      logs.deleteScheduledQuery({ identifier: 'errors' }),
      logs.updateScheduledQuery(changed),
      logs.getScheduledQueryHistory({ identifier: 'errors', startTime: 0, endTime: 1 }),
    ])
      expect(await failureOf(request)).toBe('ResourceNotFoundException: The specified scheduled query does not exist.');
  });

  it.each<[Partial<CreateScheduledQueryCommandInput>, string]>([
    [{ queryLanguage: 'PPL' }, 'NotImplemented: emu does not implement the query language PPL of scheduled queries.'],
    [
      { queryString: 'foo' },
      'ValidationException: The query is not valid: unexpected symbol found foo at line 1 and position 0',
    ],
    [{ scheduleExpression: 'cron(x)' }, 'ValidationException: cron(x) is not a valid schedule expression.'],
    [{ timezone: 'Nowhere' }, 'ValidationException: Nowhere is not a valid timezone.'],
    [
      { scheduleStartTime: 2, scheduleEndTime: 1 },
      'ValidationException: The schedule end time must be after the schedule start time.',
    ],
  ])('rejects %j', async (input, failure) => {
    await using test = await startLogs();
    expect(await failureOf(test.logs.createScheduledQuery({ ...hourly, ...input }))).toBe(failure);
  });
});
