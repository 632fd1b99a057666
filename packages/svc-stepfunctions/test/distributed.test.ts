import { fakeService } from '@emu/gateway/testing';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, REGION, type SfnTest, startSfn } from './support.ts';

/** Objects of a bucket by key. */
const objects = new Map<string, string | Buffer>();
const s3 = fakeService('s3', {
  GetObject: ({ Key }) => ({
    Body: (async function* () {
      yield Buffer.from((objects.get(String(Key)) ?? '') as string);
    })(),
  }),
  PutObject: ({ Key, Body }) => {
    objects.set(String(Key), Buffer.from(Body as string, 'base64').toString());
    return {};
  },
  ListObjectsV2: () => ({
    Contents: [...objects].map(([Key, text]) => ({ Key, Size: text.length, LastModified: new Date(1_000_000) })),
  }),
});

let t: SfnTest;
beforeAll(async () => {
  // Loading takes real time, not emulated time.
  await Promise.all([import('hyparquet'), import('fzstd')]);
  t = await startSfn({ manifests: [s3] });
});
afterAll(() => t[Symbol.asyncDispose]());

const pass = { StartAt: 'P', States: { P: { Type: 'Pass', End: true } } };
const mode = (processor: object, ExecutionType = 'STANDARD') => ({
  ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType },
  ...processor,
});
const map = (more: object, processor: object = pass) => ({
  StartAt: 'M',
  States: { M: { Type: 'Map', ItemProcessor: mode(processor), End: true, ...more } },
});
const reader = (key: string, config: object, more: object = {}) => ({
  ItemReader: {
    Resource: 'arn:aws:states:::s3:getObject',
    Parameters: { Bucket: 'b', Key: key },
    ReaderConfig: config,
  },
  ...more,
});
/** Runs a map and returns its output. */
const outputOf = async (definition: object, input: unknown = {}) => (await t.run(definition, input)).output;

describe('a distributed Map', () => {
  test('runs a child execution per item', async () => {
    const { output, events } = await t.run(map({ ItemsPath: '$.list', Label: 'L', MaxConcurrency: 2 }), {
      list: [1, 2, 3],
    });
    expect(output).toEqual([1, 2, 3]);
    expect(events.map(({ type, id, previousEventId }) => [type, id, previousEventId])).toEqual([
      ['ExecutionStarted', 1, 0],
      ['MapStateEntered', 2, 0],
      ['MapStateStarted', 3, 2],
      ['MapRunStarted', 4, 3],
      ['MapRunSucceeded', 5, 4],
      ['MapStateSucceeded', 6, 5],
      ['MapStateExited', 7, 4],
      ['ExecutionSucceeded', 8, 7],
    ]);
    const { executions } = await t.sfn.listExecutions({
      stateMachineArn: (await t.sfn.listStateMachines({})).stateMachines![0]!.stateMachineArn!,
    });
    const executionArn = executions![0]!.executionArn!;
    const { mapRuns } = await t.sfn.listMapRuns({ executionArn });
    const [{ mapRunArn = '', stateMachineArn = '' } = {}] = mapRuns!;
    expect(mapRunArn).toMatch(new RegExp(`^arn:aws:states:${REGION}:${ACCOUNT}:mapRun:m1/L:[0-9a-f-]+$`));
    expect(stateMachineArn).toMatch(/:stateMachine:m1\/L$/);
    const counts = {
      pending: 0,
      running: 0,
      succeeded: 3,
      failed: 0,
      timedOut: 0,
      aborted: 0,
      total: 3,
      resultsWritten: 0,
    };
    expect(await t.sfn.describeMapRun({ mapRunArn })).toMatchObject({
      executionArn,
      status: 'SUCCEEDED',
      maxConcurrency: 2,
      toleratedFailureCount: 0,
      itemCounts: counts,
      executionCounts: counts,
    });
    const children = (await t.sfn.listExecutions({ mapRunArn })).executions!;
    expect(children).toMatchObject([{ status: 'SUCCEEDED', itemCount: 1, mapRunArn }, {}, {}]);
    const child = await t.sfn.describeExecution({ executionArn: children[2]!.executionArn });
    expect(child).toMatchObject({ input: '1', output: '1', mapRunArn });
    expect(await t.events(children[2]!.executionArn!)).toHaveLength(4);
  });

  test('passes batches of selected items', async () => {
    const more = {
      ItemsPath: '$.list',
      ItemSelector: { 'n.$': '$$.Map.Item.Value', 'at.$': '$$.Map.Item.Index' },
      ItemBatcher: { MaxItemsPerBatch: 2, BatchInput: { 'all.$': '$.name' } },
    };
    expect(await outputOf(map(more), { list: [5, 6, 7], name: 'x' })).toEqual([
      {
        BatchInput: { all: 'x' },
        Items: [
          { n: 5, at: 0 },
          { n: 6, at: 1 },
        ],
      },
      { BatchInput: { all: 'x' }, Items: [{ n: 7, at: 2 }] },
    ]);
  });

  test.each([
    ['JSON', '[1,2,3]', { MaxItems: 2 }, [1, 2]],
    ['JSON', '{"a":{"list":[1]}}', { ItemsPointer: '/a/list' }, [1]],
    ['JSON', '{"a":1}', {}, [{ Key: 'a', Value: 1 }]],
    ['JSONL', '{"a":1}\n\n{"a":2}\n', {}, [{ a: 1 }, { a: 2 }]],
    ['CSV', 'h,i\n1,"a ""b"",\nc"\n', { CSVHeaderLocation: 'FIRST_ROW' }, [{ h: '1', i: 'a "b",\nc' }]],
    [
      'CSV',
      '1|2\n',
      { CSVHeaderLocation: 'GIVEN', CSVHeaders: ['x', 'y'], CSVDelimiter: 'PIPE' },
      [{ x: '1', y: '2' }],
    ],
  ])('reads %s %s', async (InputType, text, config, items) => {
    objects.set('items', text);
    expect(await outputOf(map(reader('items', { InputType, ...config })))).toEqual(items);
  });

  const table = (from: number, codec: 'SNAPPY' | 'UNCOMPRESSED') =>
    Buffer.from(
      parquetWriteBuffer({
        codec,
        columnData: [
          { name: 'id', data: [from, from + 1, from + 2], type: 'INT32' },
          { name: 'name', data: ['ä', 'b', null], type: 'STRING' },
          { name: 'big', data: [1n, 2n, 9_007_199_254_740_993n], type: 'INT64' },
          { name: 'at', data: [0, 1, 2].map((day) => new Date(day * 86_400_000)), type: 'TIMESTAMP' },
        ],
      }),
    );
  const row = (id: number, name: string | null, big: number | string, day: number) => ({
    id,
    name,
    big,
    at: new Date(day * 86_400_000).toISOString(),
  });

  test.each(['SNAPPY', 'UNCOMPRESSED'] as const)('reads Parquet %s', async (codec) => {
    objects.set('items', table(1, codec));
    expect(await outputOf(map(reader('items', { InputType: 'PARQUET' })))).toEqual([
      row(1, 'ä', 1, 0),
      row(2, 'b', 2, 1),
      row(3, null, '9007199254740993', 2),
    ]);
    expect(await outputOf(map(reader('items', { InputType: 'PARQUET', MaxItems: 1 })))).toEqual([row(1, 'ä', 1, 0)]);
  });

  test('reads the contents of listed objects and of an Athena manifest', async () => {
    objects.clear();
    objects.set('a.jsonl', '{"n":1}\n{"n":2}\n');
    objects.set('b.jsonl', '{"n":3}\n');
    const ReaderConfig = { InputType: 'JSONL', Transformation: 'LOAD_AND_FLATTEN' };
    const listing = { Resource: 'arn:aws:states:::s3:listObjectsV2', Parameters: { Bucket: 'b' }, ReaderConfig };
    expect(await outputOf(map({ ItemReader: listing }))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    objects.set('manifest.csv', 's3://b/b.jsonl\ns3://b/a.jsonl\n');
    const athena = reader('manifest.csv', { InputType: 'JSONL', ManifestType: 'ATHENA_DATA', MaxItems: 2 });
    expect(await outputOf(map(athena))).toEqual([{ n: 3 }, { n: 1 }]);
  });

  test('fails for invalid Parquet', async () => {
    objects.set('items', 'text');
    const { status, error, cause } = await t.run(map(reader('items', { InputType: 'PARQUET' })));
    expect([status, error]).toEqual(['FAILED', 'States.ItemReaderFailed']);
    expect(cause).toContain('not valid PARQUET');
  });

  test('reads inventories and object lists', async () => {
    objects.clear();
    objects.set('data.csv', '"b","k"\n');
    const files = [{ key: 'data.csv' }];
    const manifest = { destinationBucket: 'arn:aws:s3:::b', fileFormat: 'CSV', fileSchema: 'Bucket, Key', files };
    objects.set('manifest.json', JSON.stringify(manifest));
    expect(await outputOf(map(reader('manifest.json', { InputType: 'MANIFEST' })))).toEqual([
      { Bucket: 'b', Key: 'k' },
    ]);
    const ItemReader = { Resource: 'arn:aws:states:::s3:listObjectsV2', Parameters: { Bucket: 'b' } };
    expect(await outputOf(map({ ItemReader }))).toMatchObject([
      { Key: 'data.csv', Size: 8, LastModified: 1000 },
      { Key: 'manifest.json' },
    ]);
  });

  test('fails for invalid sources', async () => {
    objects.set('items', 'text');
    const { status, error, events } = await t.run(map(reader('items', { InputType: 'JSON' })));
    expect([status, error]).toEqual(['FAILED', 'States.ItemReaderFailed']);
    expect(events.map(({ type }) => type)).toContain('MapRunFailed');
  });

  const failing = {
    StartAt: 'C',
    States: {
      C: { Type: 'Choice', Choices: [{ Variable: '$', NumericEquals: 2, Next: 'F' }], Default: 'P' },
      F: { Type: 'Fail', Error: 'Bad' },
      P: { Type: 'Pass', End: true },
    },
  };
  test('tolerates the configured number of failures', async () => {
    const tolerant = { ItemsPath: '$', ToleratedFailurePercentage: 50 };
    expect(await outputOf(map(tolerant, failing), [1, 2, 3])).toEqual([1, 3]);
    const { status, error, events } = await t.run(map({ ItemsPath: '$', MaxConcurrency: 1 }, failing), [1, 2, 3]);
    expect([status, error]).toEqual(['FAILED', 'States.ExceedToleratedFailureThreshold']);
    expect(events.slice(-3).map(({ type }) => type)).toEqual(['MapRunFailed', 'MapStateFailed', 'ExecutionFailed']);
  });

  test('writes its results to a bucket', async () => {
    objects.clear();
    const ResultWriter = { Resource: 'arn:aws:states:::s3:putObject', Parameters: { Bucket: 'b', Prefix: 'out' } };
    const output = (await outputOf(
      map({ ItemsPath: '$', ResultWriter, ToleratedFailureCount: 1 }, failing),
      [1, 2],
    )) as {
      MapRunArn: string;
      ResultWriterDetails: { Bucket: string; Key: string };
    };
    const folder = `out/${output.MapRunArn.split(':').at(-1)}`;
    expect(output.ResultWriterDetails).toEqual({ Bucket: 'b', Key: `${folder}/manifest.json` });
    const read = (name: string) => JSON.parse(String(objects.get(`${folder}/${name}`))) as unknown;
    expect(read('manifest.json')).toMatchObject({
      DestinationBucket: 'b',
      ResultFiles: { SUCCEEDED: [{ Key: `${folder}/SUCCEEDED_0.json` }], FAILED: [{}], PENDING: [] },
    });
    expect(read('SUCCEEDED_0.json')).toMatchObject([{ Input: '1', Output: '1', Status: 'SUCCEEDED' }]);
    expect(read('FAILED_0.json')).toMatchObject([{ Input: '2', Error: 'Bad', Status: 'FAILED' }]);
    const { itemCounts } = await t.sfn.describeMapRun({ mapRunArn: output.MapRunArn });
    expect(itemCounts).toMatchObject({ resultsWritten: 1, failed: 1 });
  });

  test('can be changed while running, and ends with its execution', async () => {
    const wait = { StartAt: 'W', States: { W: { Type: 'Wait', Seconds: 60, End: true } } };
    const executionArn = await t.start(await t.machine(map({ ItemsPath: '$', MaxConcurrency: 1 }, wait)), [1, 2, 3]);
    const { mapRuns } = await t.sfn.listMapRuns({ executionArn });
    const { mapRunArn } = mapRuns![0]!;
    await t.sfn.updateMapRun({ mapRunArn, maxConcurrency: 2, toleratedFailureCount: 1, toleratedFailurePercentage: 5 });
    expect(await t.sfn.describeMapRun({ mapRunArn })).toMatchObject({
      maxConcurrency: 2,
      toleratedFailureCount: 1,
      toleratedFailurePercentage: 5,
      itemCounts: { running: 1, pending: 2 },
    });
    await t.sfn.stopExecution({ executionArn });
    expect(await t.sfn.describeMapRun({ mapRunArn })).toMatchObject({
      status: 'ABORTED',
      itemCounts: { running: 0, aborted: 1 },
    });
    await expect(t.sfn.describeMapRun({ mapRunArn: `${mapRunArn}x` })).rejects.toThrow('does not exist');
    await expect(t.sfn.updateMapRun({ mapRunArn: `${mapRunArn}x` })).rejects.toThrow('does not exist');
    await expect(t.sfn.listExecutions({ mapRunArn: `${mapRunArn}x` })).rejects.toThrow('does not exist');
    await expect(t.sfn.listMapRuns({ executionArn: `${executionArn}x` })).rejects.toThrow('Does Not Exist');
  });
});

describe('a redrive', () => {
  test('continues from the failed state', async () => {
    objects.clear();
    const definition = {
      StartAt: 'A',
      States: {
        A: { Type: 'Pass', Result: 'kept', ResultPath: '$.a', Next: 'M' },
        M: { ...map(reader('items', { InputType: 'JSON' })).States.M, ResultPath: '$.items' },
      },
    };
    const executionArn = await t.start(await t.machine(definition));
    await expect.poll(async () => (await t.sfn.describeExecution({ executionArn })).status).toBe('FAILED');
    expect(await t.sfn.describeExecution({ executionArn })).toMatchObject({
      redriveStatus: 'REDRIVABLE',
      redriveCount: 0,
    });
    objects.set('items', '[1]');
    const first = await t.sfn.redriveExecution({ executionArn, clientToken: 'token' });
    expect(await t.sfn.redriveExecution({ executionArn, clientToken: 'token' })).toMatchObject({
      redriveDate: first.redriveDate,
    });
    await expect.poll(async () => (await t.sfn.describeExecution({ executionArn })).status).toBe('SUCCEEDED');
    const described = await t.sfn.describeExecution({ executionArn });
    expect(described).toMatchObject({ redriveCount: 1, redriveStatus: 'NOT_REDRIVABLE' });
    expect(JSON.parse(described.output!)).toEqual({ a: 'kept', items: [1] });
    const types = (await t.events(executionArn)).map(({ type }) => type);
    expect(types.filter((type) => type === 'PassStateEntered')).toHaveLength(1);
    expect(types).toContain('ExecutionRedriven');
    const { stateMachineArn } = described;
    const { executions } = await t.sfn.listExecutions({ stateMachineArn, redriveFilter: 'REDRIVEN' });
    expect(executions).toMatchObject([{ redriveCount: 1 }]);
    expect((await t.sfn.listExecutions({ stateMachineArn, redriveFilter: 'NOT_REDRIVEN' })).executions).toEqual([]);
    await expect(t.sfn.redriveExecution({ executionArn })).rejects.toMatchObject({
      name: 'ExecutionNotRedrivable',
      message: 'Execution is SUCCEEDED and cannot be redriven',
    });
  });
});
