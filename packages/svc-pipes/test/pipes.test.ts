import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { arn, failureOf, type PipesTest, pipe, REGION, ROLE, SOURCE, startPipes, TARGET } from './support.ts';

let t: PipesTest;
beforeAll(async () => {
  t = await startPipes();
});
afterEach(() => t.emulator.control('POST', '/_emulator/reset/pipes'));
afterAll(() => t[Symbol.asyncDispose]());

const resourceArn = arn('pipes', 'pipe/p');
const refusalOf = (more: object) => failureOf(t.pipes.createPipe(pipe(more)));
const stream = { Source: arn('kinesis', 'stream/s') };

describe('a pipe', () => {
  test('changes through its states', async () => {
    const made = await t.pipes.createPipe(pipe({ DesiredState: 'RUNNING' }));
    expect(made).toMatchObject({ Arn: resourceArn, Name: 'p', DesiredState: 'RUNNING', CurrentState: 'CREATING' });
    expect(await t.settled()).toBe('RUNNING');
    expect((await t.pipes.stopPipe({ Name: 'p' })).CurrentState).toBe('STOPPING');
    expect(await t.settled()).toBe('STOPPED');
    expect((await t.pipes.startPipe({ Name: 'p' })).CurrentState).toBe('STARTING');
    expect(await t.settled()).toBe('RUNNING');
    expect(await t.pipes.deletePipe({ Name: 'p' })).toMatchObject({
      CurrentState: 'DELETING',
      DesiredState: 'DELETED',
    });
    await expect.poll(() => failureOf(t.pipes.describePipe({ Name: 'p' }))).toMatch('Pipe p does not exist.');
  });

  test('is described as created', async () => {
    const more = {
      Description: 'what for',
      Enrichment: arn('lambda', 'function:f'),
      EnrichmentParameters: { InputTemplate: '<$.body>' },
      SourceParameters: { SqsQueueParameters: { BatchSize: 3 }, FilterCriteria: { Filters: [{ Pattern: '{}' }] } },
      TargetParameters: { InputTemplate: '{"id": "<$.messageId>"}' },
      LogConfiguration: {
        Level: 'ERROR' as const,
        CloudwatchLogsLogDestination: { LogGroupArn: arn('logs', 'log-group:g') },
      },
      Tags: { team: 'orders' },
    };
    await t.pipes.createPipe(pipe({ ...more, SourceParameters: { SqsQueueParameters: { BatchSize: 3 } } }));
    expect(await t.pipes.describePipe({ Name: 'p' })).toMatchObject({
      ...more,
      SourceParameters: { SqsQueueParameters: { BatchSize: 3 } },
      Source: SOURCE,
      Target: TARGET,
      RoleArn: ROLE,
      Arn: resourceArn,
    });
  });

  test('keeps members that an update omits, and replaces service parameters as a whole', async () => {
    await t.make({
      ...stream,
      Description: 'old',
      SourceParameters: {
        KinesisStreamParameters: { StartingPosition: 'LATEST', BatchSize: 5, MaximumRetryAttempts: 2 },
        FilterCriteria: { Filters: [{ Pattern: '{"a":[1]}' }] },
      },
    });
    const other = arn('sns', 'topic');
    await t.pipes.updatePipe({
      Name: 'p',
      RoleArn: ROLE,
      Target: other,
      Description: '',
      SourceParameters: { KinesisStreamParameters: { MaximumRetryAttempts: 1 } },
    });
    expect(await t.settled()).toBe('STOPPED');
    const after = await t.pipes.describePipe({ Name: 'p' });
    expect(after.SourceParameters).toEqual({
      KinesisStreamParameters: { StartingPosition: 'LATEST', MaximumRetryAttempts: 1 },
      FilterCriteria: { Filters: [{ Pattern: '{"a":[1]}' }] },
    });
    expect(after).toMatchObject({ Target: other });
    expect(after.Description).toBeUndefined();
    // Terraform's provider sends empty members for removed and absent settings, and plans no change afterwards.
    await t.pipes.updatePipe({
      Name: 'p',
      RoleArn: ROLE,
      SourceParameters: {
        KinesisStreamParameters: { MaximumRetryAttempts: 1, DeadLetterConfig: {} },
        FilterCriteria: {},
      },
    });
    expect(await t.settled()).toBe('STOPPED');
    expect((await t.pipes.describePipe({ Name: 'p' })).SourceParameters).toEqual({
      KinesisStreamParameters: { StartingPosition: 'LATEST', MaximumRetryAttempts: 1 },
    });
  });

  test('cannot start with an unsupported source or target', async () => {
    const kafka = { Source: arn('kafka', 'cluster/c/1'), DesiredState: 'RUNNING' as const };
    expect(
      await t.make({ ...kafka, SourceParameters: { ManagedStreamingKafkaParameters: { TopicName: 'topic' } } }),
    ).toBe('CREATE_FAILED: emu does not read Amazon MSK.');
    const ecs = {
      Target: arn('ecs', 'cluster/c'),
      TargetParameters: { EcsTaskParameters: { TaskDefinitionArn: ROLE } },
    };
    expect(await t.make({ ...ecs, Name: 'tasks', DesiredState: 'RUNNING' })).toBe(
      'CREATE_FAILED: emu does not deliver to targets of ecs.',
    );
    expect(
      await t.make({
        ...stream,
        Name: 'lost',
        DesiredState: 'RUNNING',
        SourceParameters: { KinesisStreamParameters: { StartingPosition: 'LATEST' } },
      }),
    ).toMatch(/^CREATE_FAILED: /);
  });

  test('is listed by filters', async () => {
    await t.make({ Name: 'a' });
    await t.make({ Name: 'b', Source: arn('sqs', 'other'), DesiredState: 'RUNNING' });
    const names = async (input: object) => (await t.pipes.listPipes(input)).Pipes!.map(({ Name }) => Name);
    expect(await names({})).toEqual(['a', 'b']);
    expect(await names({ NamePrefix: 'b' })).toEqual(['b']);
    expect(await names({ SourcePrefix: SOURCE })).toEqual(['a']);
    expect(await names({ TargetPrefix: arn('sns', '') })).toEqual([]);
    expect(await names({ DesiredState: 'RUNNING' })).toEqual(['b']);
    expect(await names({ CurrentState: 'STOPPED' })).toEqual(['a']);
    const first = await t.pipes.listPipes({ Limit: 1 });
    expect(await names({ Limit: 1, NextToken: first.NextToken })).toEqual(['b']);
    expect(await failureOf(t.pipes.listPipes({ NextToken: 'x' }))).toBe('ValidationException: Invalid NextToken.');
  });

  test('has tags', async () => {
    await t.make({ Tags: { a: '1' } });
    await t.pipes.tagResource({ resourceArn, tags: { b: '2' } });
    await t.pipes.untagResource({ resourceArn, tagKeys: ['a'] });
    expect((await t.pipes.listTagsForResource({ resourceArn })).tags).toEqual({ b: '2' });
    const none = arn('pipes', 'pipe/none');
    expect(await failureOf(t.pipes.tagResource({ resourceArn: none, tags: { a: '1' } }))).toMatch('NotFoundException');
    expect(await failureOf(t.pipes.untagResource({ resourceArn: none, tagKeys: ['a'] }))).toMatch('NotFoundException');
    expect(await failureOf(t.pipes.listTagsForResource({ resourceArn: none }))).toMatch('NotFoundException');
    expect(await failureOf(t.pipes.tagResource({ resourceArn, tags: { 'aws:x': '1' } }))).toMatch('reserved');
  });
});

describe('is rejected', () => {
  // AWS's answers are quoted by https://github.com/badmintoncryer/cdk-preflight/tree/main/rules/pipes
  test.each([
    [{ Source: arn('sns', 'topic') }, `The source ${arn('sns', 'topic')} is not supported.`],
    [stream, 'SourceParameters.KinesisStreamParameters Missing required parameter.'],
    [
      { ...stream, SourceParameters: { KinesisStreamParameters: { StartingPosition: 'AT_TIMESTAMP' } } },
      'StartingPositionTimestamp is required for, and only for, the StartingPosition AT_TIMESTAMP.',
    ],
    [
      { SourceParameters: { KinesisStreamParameters: { StartingPosition: 'LATEST' } } },
      'Invalid source parameter provided for source.',
    ],
    [
      { Source: `${SOURCE}.fifo`, SourceParameters: { SqsQueueParameters: { MaximumBatchingWindowInSeconds: 1 } } },
      'MaximumBatchingWindowInSeconds is not supported for FIFO queues.',
    ],
    [
      { Source: `${SOURCE}.fifo`, SourceParameters: { SqsQueueParameters: { BatchSize: 11 } } },
      'BatchSize must be less than or equal to 10 for FIFO queues.',
    ],
    [
      { SourceParameters: { SqsQueueParameters: { BatchSize: 11 } } },
      'MaximumBatchingWindowInSeconds must be greater than 0 if BatchSize is greater than 10.',
    ],
    [
      { SourceParameters: { SqsQueueParameters: { BatchSize: 100, MaximumBatchingWindowInSeconds: 1 } } },
      'The configured batch size 100 is greater than the max supported',
    ],
    [{ SourceParameters: { FilterCriteria: { Filters: [{ Pattern: '{' }] } } }, 'Invalid Event Pattern. Reason: '],
    [{ Target: arn('dynamodb', 'table/t') }, `The target ${arn('dynamodb', 'table/t')} is not supported.`],
    [{ Target: arn('sns', 'topic.fifo') }, 'SNS FIFO topics are not supported as a pipe target.'],
    [{ Target: arn('kinesis', 'stream/s') }, 'TargetParameters.KinesisStreamParameters Missing required parameter.'],
    [
      { TargetParameters: { KinesisStreamParameters: { PartitionKey: 'k' } } },
      'Invalid target parameter provided for target.',
    ],
    [{ Target: `${TARGET}.fifo` }, 'MessageGroupId is required for FIFO queues.'],
    [{ Enrichment: TARGET }, 'Invalid pipe enrichment.'],
    [{ EnrichmentParameters: { InputTemplate: 'x' } }, 'EnrichmentParameters cannot be used without an enrichment.'],
    [
      { Enrichment: arn('lambda', 'function:f'), EnrichmentParameters: { HttpParameters: {} } },
      `HttpParameters cannot be used with the enrichment ${arn('lambda', 'function:f')}.`,
    ],
    [
      { TargetParameters: { InputTemplate: '<aws.pipes.other>' } },
      'Invalid json path reference or predefined variable for placeholder',
    ],
    [{ LogConfiguration: { Level: 'INFO' } }, 'Must provide at least 1 log destination in LogConfiguration'],
  ])('%j', async (more, message) => {
    const failure = await refusalOf(more);
    expect(failure.startsWith(`ValidationException: ${message}`), failure).toBe(true);
    expect((await t.pipes.listPipes({})).Pipes).toEqual([]);
  });

  test('if it exists already, or does not exist', async () => {
    await t.make();
    const error = await t.pipes.createPipe(pipe()).catch((reason: object) => reason);
    expect(error).toMatchObject({
      name: 'ConflictException',
      message: 'Pipe p already exists.',
      resourceId: 'p',
      resourceType: 'pipe',
    });
    expect(await failureOf(t.pipes.stopPipe({ Name: 'p' }))).toBe('ConflictException: Pipe p is stopped already.');
    await t.pipes.startPipe({ Name: 'p' });
    expect(await t.settled()).toBe('RUNNING');
    expect(await failureOf(t.pipes.startPipe({ Name: 'p' }))).toBe('ConflictException: Pipe p is running already.');
    const Name = 'none';
    const missing = 'NotFoundException: Pipe none does not exist.';
    expect(await failureOf(t.pipes.describePipe({ Name }))).toBe(missing);
    expect(await failureOf(t.pipes.deletePipe({ Name }))).toBe(missing);
    expect(await failureOf(t.pipes.startPipe({ Name }))).toBe(missing);
    expect(await failureOf(t.pipes.stopPipe({ Name }))).toBe(missing);
    expect(await failureOf(t.pipes.updatePipe({ Name, RoleArn: ROLE }))).toBe(missing);
  });

  test('in another account and region, where it is not visible', async () => {
    await t.make();
    const { Pipes: Client } = await import('@aws-sdk/client-pipes');
    const other = new Client(t.emulator.clientConfig({ accessKeyId: '111111111111', region: 'eu-west-1' }));
    expect((await other.listPipes({})).Pipes).toEqual([]);
    expect(REGION).not.toBe('eu-west-1');
  });
});
