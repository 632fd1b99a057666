import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { S3 } from '@aws-sdk/client-s3';
import { SFN } from '@aws-sdk/client-sfn';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { fakeService } from '@emu/gateway/testing';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { expect, it } from 'vitest';
import {
  type Definition,
  difference,
  hasRecordings,
  type Json,
  jsonText,
  paired,
  type RecordedRun,
  recordedRuns,
  SERVED,
} from '../../../packages/svc-stepfunctions/test/recorded-runs.ts';
import { ACCOUNT, REGION, ROLE, type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

type Details = { [member: string]: Json };
/** Setup of a run: its input and definition with the created resources, and external actions during it. */
interface Scene {
  input: string;
  definition: Definition;
  /** Placeholders in the recording for created resources, by their values here. */
  names?: Record<string, string>;
  /** Runs the next external action. @returns whether one remained */
  act?: () => Promise<boolean>;
}
type Prepare = (run: RecordedRun, definition: Definition) => Promise<Scene>;

const OTHER = '222222222222';
const EDGE = "an edge endpoint of API Gateway answers with CloudFront's headers";
const RESOLVER = 'the name of a host that no resolver knows is in the answer';
/** Reasons of runs that are not replayed. */
const WITHOUT: Readonly<Record<string, string>> = {
  test_run_task: 'there is no ECS',
  test_run_task_sync: 'there is no ECS',
  test_run_task_raise_failure: 'there is no ECS',
  test_run_task_sync_raise_failure: 'there is no ECS',
  test_invoke_with_query_parameters: EDGE,
  test_invoke_base: EDGE,
  test_invoke_with_body_post: EDGE,
  test_invoke_error: EDGE,
  'test_invoke_with_headers[custom_header1]': EDGE,
  'test_invoke_with_headers[custom_header2]': EDGE,
  test_send_message_no_such_queue: RESOLVER,
  test_send_message_no_such_queue_no_catch: RESOLVER,
  test_map_item_reader_json_no_json_list_object: 'the recording does not tell what the object holds',
  'test_map_item_reader_base_json_with_items_path[VALID_ITEMS_PATH_FROM_INPUT]':
    'the test puts other items into the definition',
  test_variables_in_lambda_task: 'only enforced permissions keep a role from being assumed',
};

/** Recordings that differ, with the reasons. */
const REDRIVES = 'what a nested execution answered told nothing of redrives then';
const SMALL_LETTERS = 'AWS wrote the name of a header with small letters in some answers';
const ONE_MORE = 'the definition has had one more attribute since';
const DIFFERENT: Readonly<Record<string, string>> = {
  test_start_execution_sync: REDRIVES,
  test_start_execution_sync_delegate_failure: REDRIVES,
  test_start_execution_sync_delegate_timeout: REDRIVES,
  test_start_execution_sync2: REDRIVES,
  test_publish_message_attributes: ONE_MORE,
  'test_base_integrations[DYNAMODB_PUT_GET_ITEM]': SMALL_LETTERS,
  'test_base_integrations[DYNAMODB_PUT_UPDATE_GET_ITEM]': SMALL_LETTERS,
};

/** Returns the details of an event under any name. */
const detailsOf = (event: Details): Details =>
  (Object.entries(event).find(([name]) => name.endsWith('EventDetails'))?.[1] ?? {}) as Details;

/** Number of equal recordings; for each other one the first differing event is printed. */
const MIN_SAME = 113;

it.skipIf(!hasRecordings)('replays the recorded runs that call services', { timeout: 120_000 }, async () => {
  await using t = await startSfn({
    manifests: [dynamodb, events, s3Manifest, secretsmanager, snsManifest, sqsManifest, fakeService('lambda', {})],
  });
  const prepare = scenes(t);
  const without = new Map<string, number>();
  const different: [name: string, first: string][] = [];
  let same = 0;
  for (const run of recordedRuns()) {
    if (!SERVED.has(run.test)) continue;
    const why = WITHOUT[run.name] ?? WITHOUT[run.test];
    if (why !== undefined) {
      without.set(why, (without.get(why) ?? 0) + 1);
      continue;
    }
    const [found] = paired(run, run.definitions);
    let first: string | undefined;
    try {
      first = await played(t, run, await prepare(run, found!.definition));
    } catch (error) {
      first = `${run.name}: ${String(error).slice(0, 600)}`;
    }
    if (first === undefined) same++;
    else different.push([run.name, first]);
  }
  console.info(`played ${same + different.length}, of which ${same} are the same`);
  console.info([...without].map(([why, count]) => `not played ${count}: ${why}`).join('\n'));
  console.info(different.map(([, first]) => first).join('\n'));
  expect(different.filter(([name]) => !Object.hasOwn(DIFFERENT, name))).toEqual([]);
  expect(same).toBeGreaterThanOrEqual(MIN_SAME);
});

/** Replays a run. @returns the difference of its history; undefined if equal */
async function played(t: SfnTest, run: RecordedRun, scene: Scene): Promise<string | undefined> {
  const stateMachineArn = await t.machine(scene.definition);
  const { executionArn } = await t.sfn.startExecution({ stateMachineArn, input: scene.input });
  let quiet = 0;
  let seen = 0;
  for (let round = 0; ; round++) {
    const { status } = await t.sfn.describeExecution({ executionArn });
    if (status !== 'RUNNING') break;
    if (round > 2000) throw new Error('the execution does not end');
    const { length } = await t.events(executionArn!);
    if (length > seen || (await scene.act?.())) quiet = 0;
    seen = length;
    // A service's first call loads its code, which takes real time.
    await new Promise((resolve) => setTimeout(resolve, quiet > 5 ? 3 : 0));
    // Only time remains.
    if (++quiet > 5) await t.advance(5000);
  }
  let text = JSON.stringify(await t.events(executionArn!));
  for (const [here, there] of Object.entries(scene.names ?? {})) text = text.replaceAll(here, there);
  return difference(run, JSON.parse(text) as object[]);
}

/** Resources created for a run, by the names in its input. */
function scenes(t: SfnTest): Prepare {
  const { emulator, sfn } = t;
  const [sqs, sns, tables] = [SQS, SNS, DynamoDB].map((Client) => new Client(emulator.clientConfig())) as [
    SQS,
    SNS,
    DynamoDB,
  ];
  const s3 = new S3(emulator.clientConfig());
  let made = 0;

  /** Completes the tasks whose tokens arrive in a queue, as recorded. */
  function answering(run: RecordedRun, QueueUrl: string): () => Promise<boolean> {
    const ends = run.events.filter(
      (event) =>
        /^(TaskSucceeded|TaskFailed|TaskTimedOut)$/.test(String(event.type)) &&
        /waitForTaskToken|startExecution/.test(String(detailsOf(event).resource)),
    );
    return async () => {
      const { Messages: [message] = [] } = await sqs.receiveMessage({ QueueUrl });
      if (!message) return false;
      await sqs.deleteMessage({ QueueUrl, ReceiptHandle: message.ReceiptHandle });
      const { TaskToken: taskToken } = JSON.parse(message.Body!) as { TaskToken?: string };
      const end = ends.shift();
      if (taskToken === undefined || !end) return true;
      const { output, error, cause } = detailsOf(end);
      if (end.type === 'TaskSucceeded') {
        const text = jsonText(output).replaceAll(/<task_token:\d+>/g, taskToken);
        await sfn.sendTaskSuccess({ taskToken, output: text });
      }
      if (end.type === 'TaskFailed')
        await sfn.sendTaskFailure({ taskToken, error: error as string, cause: cause as string });
      return true;
    };
  }

  const withQueue: Prepare = async (run, definition) => {
    const url = (await sqs.createQueue({ QueueName: `q${++made}` })).QueueUrl!;
    const named = (JSON.parse(run.input) as { QueueUrl: string }).QueueUrl;
    // Tests insert times into definitions, or remove them.
    const scheduled = detailsOf(run.events.find(({ type }) => type === 'TaskScheduled')!);
    const { error } = run.events.map(detailsOf).find((details) => 'error' in details) ?? {};
    const text = JSON.stringify(definition).replace('<%WaitForTaskTokenFailureErrorName%>', String(error));
    const timed = JSON.parse(text) as { States: Record<string, Details> };
    for (const state of Object.values(timed.States)) {
      for (const [name, given] of [
        ['TimeoutSeconds', 'timeoutInSeconds'],
        ['HeartbeatSeconds', 'heartbeatInSeconds'],
      ] as const) {
        if (!(name in state)) continue;
        if (given in scheduled) state[name] = scheduled[given]!;
        else delete state[name];
      }
    }
    const input = run.input.replaceAll(named, url);
    return { input, definition: timed as object as Definition, names: { [url]: named }, act: answering(run, url) };
  };

  const withTopic: Prepare = async (run, definition) => {
    const fifo = run.test.includes('fifo');
    const Name = `t${++made}${fifo ? '.fifo' : ''}`;
    const { TopicArn } = await sns.createTopic({ Name, ...(fifo && { Attributes: { FifoTopic: 'true' } }) });
    const url = (await sqs.createQueue({ QueueName: `q${made}` })).QueueUrl!;
    const Endpoint = `arn:aws:sqs:${REGION}:${ACCOUNT}:q${made}`;
    if (!fifo) await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint, Attributes: { RawMessageDelivery: 'true' } });
    if (run.test.endsWith('error_topic_arn')) await sns.deleteTopic({ TopicArn });
    const input = run.input.replace(/"arn:<partition>:sns:[^"]*"/, () => JSON.stringify(TopicArn));
    return { input, definition, act: answering(run, url) };
  };

  const withTable: Prepare = async (run, definition) => {
    const TableName = `table${++made}`;
    if (!/no_such_table|invalid/.test(run.test)) {
      const [AttributeName] = ['id'];
      await tables.createTable({
        TableName,
        AttributeDefinitions: [{ AttributeName, AttributeType: 'S' }],
        KeySchema: [{ AttributeName, KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      });
    }
    const named = (JSON.parse(run.input) as { TableName: string }).TableName.replace('/', '');
    return { input: run.input.replaceAll(named, TableName), definition, names: { [TableName]: named } };
  };

  /** Returns a state machine that ends like the recorded nested one. */
  const withMachine: Prepare = async (run, definition) => {
    const ends = run.events.map(detailsOf).flatMap(({ output, cause }) => [output, cause]) as Json[];
    const end = ends.findLast((value) => value && typeof value === 'object' && 'Status' in (value as object));
    const { Output, Error: error, Cause: cause } = (end ?? {}) as Details;
    const nested =
      error === undefined
        ? { Type: 'Pass', Result: Output === undefined ? {} : JSON.parse(jsonText(Output)), End: true }
        : { Type: 'Fail', Error: error, Cause: cause };
    const accountId = run.input.includes('<secondary_test_aws_account_id>') ? OTHER : ACCOUNT;
    const their = new SFN(emulator.clientConfig({ accessKeyId: accountId }));
    const RoleArn = `arn:aws:iam::${accountId}:role/trusted`;
    const machine = {
      name: `nested${++made}`,
      definition: JSON.stringify({ StartAt: 'N', States: { N: nested } }),
      roleArn: ROLE,
    };
    const { stateMachineArn } = await their.createStateMachine(machine);
    if (run.test.endsWith('no_such_arn')) await their.deleteStateMachine({ stateMachineArn });
    const input = run.input
      .replace(/"arn:<partition>:states:[^"]*"/, () => JSON.stringify(stateMachineArn))
      .replaceAll('<trusted_role_arn>', RoleArn);
    const text = JSON.stringify(definition).replaceAll('"__tbd__"', () => JSON.stringify(stateMachineArn));
    return { input, definition: JSON.parse(text) as Definition, names: { [RoleArn]: '<trusted_role_arn>' } };
  };

  /** A nested execution whose task is completed with its token. */
  const withMachineAndToken: Prepare = async (run, definition) => {
    const url = (await sqs.createQueue({ QueueName: `q${++made}` })).QueueUrl!;
    const Parameters = { 'QueueUrl.$': '$.QueueUrl', MessageBody: { 'TaskToken.$': '$.TaskToken' } };
    const send = { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage', Parameters, Next: 'W' };
    const wait = { Type: 'Wait', Seconds: 100, End: true };
    const stateMachineArn = await t.machine({ StartAt: 'S', States: { S: send, W: wait } });
    const input = { StateMachineArn: stateMachineArn, Name: 'nested', QueueUrl: url };
    const names = { [url]: 'sqs_queue_url' };
    return { input: JSON.stringify(input), definition, names, act: answering(run, url) };
  };

  /** An activity with a worker that acts like the recorded one. */
  const withActivity: Prepare = async (run, definition) => {
    const { activityArn } = await sfn.createActivity({ name: `a${++made}` });
    const text = JSON.stringify(definition).replace('"__tbd__"', () => JSON.stringify(activityArn));
    const { workerName } = run.events.map(detailsOf).find((details) => 'workerName' in details) ?? {};
    const end = run.events.find(({ type }) => /^Activity(Succeeded|Failed|TimedOut)$/.test(String(type)));
    let worked = false;
    const act = async (): Promise<boolean> => {
      if (worked) return false;
      worked = true;
      const { taskToken } = await sfn.getActivityTask({ activityArn, workerName: workerName as string });
      const { output, error, cause } = detailsOf(end!);
      if (end!.type === 'ActivitySucceeded') {
        if (run.test.endsWith('heartbeat')) await sfn.sendTaskHeartbeat({ taskToken });
        await sfn.sendTaskSuccess({ taskToken, output: jsonText(output) });
      }
      if (end!.type === 'ActivityFailed')
        await sfn.sendTaskFailure({ taskToken, error: error as string, cause: jsonText(cause) });
      return true;
    };
    const scene = {
      input: run.input,
      definition: JSON.parse(text) as Definition,
      names: { [activityArn!]: 'activity_arn' },
    };
    if (end) return { ...scene, act };
    await sfn.deleteActivity({ activityArn });
    return scene;
  };

  const withBucket: Prepare = async (run, definition) => {
    const Bucket = `bucket-${++made}`;
    await s3.createBucket({ Bucket });
    const { Key, Bucket: named } = JSON.parse(run.input) as { Key?: string; Bucket: string };
    for (const [name, Body] of Object.entries(OBJECTS[run.test]?.(run) ?? {}))
      await s3.putObject({ Bucket, Key: name === '' ? Key! : name, Body, ContentType: 'binary/octet-stream' });
    const text = JSON.stringify(definition)
      .replace('"__TBD__"', () => JSON.stringify(HEADERS[run.test]))
      .replaceAll('result-bucket', Bucket)
      .replace('"MaxItems":2', (found) => (/^\d+$/.test(run.parameter) ? `"MaxItems":${run.parameter}` : found));
    const names = { [Bucket]: named ?? 'result-bucket' };
    const input = named === undefined ? run.input : run.input.replaceAll(named, Bucket);
    return { input, definition: JSON.parse(text) as Definition, names };
  };

  const asTold: Prepare = async (run, definition) => ({ input: run.input, definition });

  return (run, definition) => {
    const given = JSON.parse(run.input) as Details;
    const kind = run.name.includes('sync_with_task_token')
      ? withMachineAndToken
      : run.test.startsWith('test_activity')
        ? withActivity
        : 'StateMachineArn' in given || JSON.stringify(definition).includes('sfn:startExecution')
          ? withMachine
          : 'QueueUrl' in given
            ? withQueue
            : 'TopicArn' in given
              ? withTopic
              : 'TableName' in given
                ? withTable
                : ('Bucket' in given && given.Bucket !== 'someNonexistentBucketName') ||
                    run.test.includes('result_writer')
                  ? withBucket
                  : asTold;
    return kind(run, definition);
  };
}

/** Returns the last output of a recorded run. */
const outputOf = ({ events: all }: RecordedRun): Json => {
  const { output } = all.map(detailsOf).findLast((details) => 'output' in details) ?? {};
  return typeof output === 'string' ? (JSON.parse(output) as Json) : output!;
};

const ROWS = "Value1,Value2,Value3\nValue4,Value5,Value6\n,,,\ntrue,1,'HelloWorld'\nNull,None,\n   ,\n";
const COLUMNS = 'Col1,Col2\nValue1,Value2\nValue3,Value4\nValue5,Value6\nValue7,Value8\n';
const STATEMENTS = JSON.stringify([
  { verdict: 'true', statement_date: '6/11/2008', statement_source: 'speech' },
  { verdict: 'false', statement_date: '6/7/2022', statement_source: 'television' },
  { verdict: 'mostly-true', statement_date: '5/18/2016', statement_source: 'news' },
  { verdict: 'false', statement_date: '5/18/2024', statement_source: 'x' },
]);

/** Objects of a run's bucket by key; the empty key represents the one in the input. */
const OBJECTS: Readonly<Record<string, (run: RecordedRun) => Record<string, string>>> = {
  test_s3_get_object: (run) => ({ '': (outputOf(run) as { Body: string }).Body }),
  test_map_item_reader_base_list_objects_v2: () =>
    Object.fromEntries([0, 1, 2].map((number) => [`file_${number}.txt`, 'twelve bytes'])),
  test_map_item_reader_base_csv_headers_first_line: () => ({ '': `Col1,Col2,Col3\n${ROWS}` }),
  test_map_item_reader_base_csv_headers_decl: () => ({ '': ROWS }),
  test_map_item_reader_csv_headers_decl_duplicate_headers: () => ({ '': ROWS }),
  test_map_item_reader_csv_headers_decl_extra_fields: () => ({ '': ROWS }),
  test_map_item_reader_csv_headers_first_row_typed_headers: () => ({ '': ROWS.replace(/^.*/, '0,True,{}') }),
  test_map_item_reader_csv_first_row_extra_fields: () => ({ '': ROWS.replace(/^.*/, 'H1,') }),
  test_map_item_reader_csv_max_items: () => ({ '': COLUMNS }),
  test_map_item_reader_csv_max_items_paths: () => ({ '': COLUMNS }),
  test_map_item_reader_base_json: (run) => ({ '': JSON.stringify(outputOf(run)) }),
  test_map_item_reader_json_no_json_list_object: () => ({ '': '{"Hello":"world"}' }),
  test_map_item_reader_base_json_max_items: (run) => {
    const [item] = outputOf(run) as Json[];
    return { '': JSON.stringify(Array.from({ length: 3 }, () => item)) };
  },
  test_map_item_reader_base_json_max_items_jsonata: () => ({ '': STATEMENTS }),
  test_map_item_batching_base_json_max_per_batch_jsonata: () => ({ '': STATEMENTS }),
  test_reference_in_map_state_max_items_path: () => ({ '': STATEMENTS }),
  test_map_item_reader_base_json_with_items_path: (run) => ({ '': JSON.stringify(outputOf(run)) }),
};

/** Headers declared by a test. */
const HEADERS: Readonly<Record<string, string[]>> = {
  test_map_item_reader_base_csv_headers_decl: ['H1', 'H2', 'H3'],
  test_map_item_reader_csv_headers_decl_duplicate_headers: ['H1', 'H1', 'H3'],
  test_map_item_reader_csv_headers_decl_extra_fields: ['H1'],
};
