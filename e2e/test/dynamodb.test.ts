import { cpSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, clientEnvironment, type Outcome, run } from '../src/programs.ts';

const cli = canRun('aws', '--version');

describe.skipIf(!cli)(`DynamoDB by the AWS CLI${cli ? '' : ' (skipped: there is no `aws` on this machine)'}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu();
  });
  afterAll(() => emu?.kill());

  const aws = (...args: string[]): Promise<Outcome> =>
    run('aws', ['--endpoint-url', emu.url, '--output', 'json', ...args], { env: clientEnvironment(emu.url) });
  const answer = async (...args: string[]) => {
    const { code, stdout, stderr } = await aws(...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.trim() ? (JSON.parse(stdout) as Record<string, unknown>) : {};
  };

  test('a table from creation to deletion, with its stream', { timeout: 180_000 }, async () => {
    const named = ['--table-name', 'cli'];
    await answer(
      ...['dynamodb', 'create-table', ...named, '--billing-mode', 'PAY_PER_REQUEST'],
      ...['--attribute-definitions', 'AttributeName=id,AttributeType=S'],
      ...['--key-schema', 'AttributeName=id,KeyType=HASH'],
      ...['--stream-specification', 'StreamEnabled=true,StreamViewType=NEW_IMAGE'],
    );
    await answer('dynamodb', 'wait', 'table-exists', ...named);
    await answer('dynamodb', 'put-item', ...named, '--item', '{"id":{"S":"a ✓"},"n":{"N":"1.50"}}');
    const { Items } = await answer('dynamodb', 'scan', ...named);
    expect(Items).toEqual([{ id: { S: 'a ✓' }, n: { N: '1.5' } }]);
    const statement = await answer('dynamodb', 'execute-statement', '--statement', 'SELECT n FROM cli');
    expect(statement.Items).toEqual([{ n: { N: '1.5' } }]);
    const { Streams } = (await answer('dynamodbstreams', 'list-streams', ...named)) as {
      Streams: { StreamArn: string }[];
    };
    const arn = Streams[0]!.StreamArn;
    const { StreamDescription } = (await answer('dynamodbstreams', 'describe-stream', '--stream-arn', arn)) as {
      StreamDescription: { Shards: { ShardId: string }[] };
    };
    const { ShardIterator } = await answer(
      ...['dynamodbstreams', 'get-shard-iterator', '--stream-arn', arn, '--shard-iterator-type', 'TRIM_HORIZON'],
      ...['--shard-id', StreamDescription.Shards[0]!.ShardId],
    );
    const { Records } = (await answer(
      ...['dynamodbstreams', 'get-records', '--shard-iterator', String(ShardIterator)],
    )) as { Records: { eventName: string; dynamodb: object }[] };
    expect(Records).toMatchObject([{ eventName: 'INSERT', dynamodb: { NewImage: { n: { N: '1.5' } } } }]);
    const failed = await aws('dynamodb', 'get-item', ...named, '--key', '{"id":{"N":"1"}}');
    expect(failed.stderr).toContain(
      'An error occurred (ValidationException) when calling the GetItem operation: The provided key element does not match the schema',
    );
    await answer('dynamodb', 'delete-table', ...named);
    await answer('dynamodb', 'wait', 'table-not-exists', ...named);
  });
});

const plugins = process.env.EMU_TF_PLUGINS ?? '/opt/tf-plugins';
const reason = !canRun('terraform', 'version')
  ? 'there is no `terraform` on this machine'
  : !existsSync(plugins)
    ? `there are no providers in ${plugins}; EMU_TF_PLUGINS names another folder`
    : undefined;

describe.skipIf(reason !== undefined)(`DynamoDB by Terraform${reason ? ` (skipped: ${reason})` : ''}`, () => {
  test('applies, plans no changes, and destroys', { timeout: 600_000 }, async () => {
    await using emu = await startEmu();
    using directory = temporaryDirectory();
    cpSync(fileURLToPath(new URL('../terraform-dynamodb/', import.meta.url)), directory.path, { recursive: true });
    const env = {
      ...clientEnvironment(emu.url),
      AWS_ENDPOINT_URL: undefined,
      TF_VAR_endpoint: emu.url,
      TF_CLI_CONFIG_FILE: undefined,
      TF_IN_AUTOMATION: '1',
      CHECKPOINT_DISABLE: '1',
    };
    const terraform = (...args: string[]): Promise<Outcome> =>
      run('terraform', [...args, '-no-color'], { cwd: directory.path, env });
    const succeed = async (...args: string[]): Promise<void> => {
      const { code, stdout, stderr } = await terraform(...args);
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    };
    const db = new DynamoDB({
      endpoint: emu.url,
      region: 'eu-central-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    });

    await succeed('init', `-plugin-dir=${plugins}`, '-input=false');
    await succeed('apply', '-auto-approve', '-input=false');
    const { Table: orders } = await db.describeTable({ TableName: 'orders' });
    expect(orders).toMatchObject({
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      LocalSecondaryIndexes: [{ IndexName: 'by-date' }],
      GlobalSecondaryIndexes: [{ IndexName: 'by-state', Projection: { ProjectionType: 'KEYS_ONLY' } }],
    });
    expect((await db.describeTimeToLive({ TableName: 'orders' })).TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'expires',
    });
    const { Item } = await db.getItem({ TableName: 'sessions', Key: { id: { S: 'first' } } });
    expect(Item?.count).toEqual({ N: '1' });

    const plan = await terraform('plan', '-detailed-exitcode', '-input=false');
    expect(plan.code, plan.stdout + plan.stderr).toBe(0);
    await succeed('destroy', '-auto-approve', '-input=false');
    expect((await db.listTables({})).TableNames).toEqual([]);
    db.destroy();
  });
});
