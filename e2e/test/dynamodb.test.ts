import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu } from '../src/emu.ts';

describe.skipIf(noCli !== undefined)(`DynamoDB through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  let emu: Emu;
  beforeAll(async () => {
    emu = await startEmu();
  });
  afterAll(() => emu?.kill());

  const { run: aws, answer } = awsCli(() => emu.url);

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
