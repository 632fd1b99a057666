import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { describe, expect, it, vi } from 'vitest';
import { makeIndexed, makeTable, REGION, startDynamo } from './support.ts';

const policy = (action: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: action, Resource: '*' }],
  });

describe('resource policies', () => {
  it('have revisions that a change can require', async () => {
    await using t = await startDynamo();
    await makeTable(t, 'mine');
    const ResourceArn = (await t.db.describeTable({ TableName: 'mine' })).Table!.TableArn!;
    expect(await t.refusal('GetResourcePolicy', { ResourceArn })).toBe(
      `PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: ${ResourceArn}`,
    );
    const first = await t.db.putResourcePolicy({
      ResourceArn,
      Policy: policy('dynamodb:GetItem'),
      ExpectedRevisionId: 'NO_POLICY',
    });
    const same = await t.db.putResourcePolicy({ ResourceArn, Policy: policy('dynamodb:GetItem') });
    expect(same.RevisionId).toBe(first.RevisionId);
    const change = { ResourceArn, Policy: policy('dynamodb:Query'), ExpectedRevisionId: 'other' };
    const refused = 'PolicyNotFoundException: Resource-based policy not found for the provided ResourceArn: Requested';
    const other = `${refused} update for policy with revision id other, but`;
    const conflict = `${other} the policy associated to target table mine has revision id ${first.RevisionId}.`;
    expect(await t.refusal('PutResourcePolicy', change)).toBe(conflict);
    expect(await t.refusal('DeleteResourcePolicy', { ResourceArn, ExpectedRevisionId: 'other' })).toBe(conflict);
    expect(await t.refusal('PutResourcePolicy', { ...change, ExpectedRevisionId: 'NO_POLICY' })).toBe(
      `${refused} policy update expecting none to be present for table mine, but a policy exists with revision id ${first.RevisionId}.`,
    );
    const second = await t.db.putResourcePolicy({ ...change, ExpectedRevisionId: first.RevisionId });
    expect(second.RevisionId).not.toBe(first.RevisionId);
    expect(await t.db.getResourcePolicy({ ResourceArn })).toMatchObject({
      Policy: policy('dynamodb:Query'),
      RevisionId: second.RevisionId,
    });
    expect((await t.db.deleteResourcePolicy({ ResourceArn })).RevisionId).toBe(second.RevisionId);
    expect((await t.db.deleteResourcePolicy({ ResourceArn })).RevisionId).toBeUndefined();
    expect(await t.refusal('PutResourcePolicy', change)).toBe(`${other} table mine has no associated policy.`);
    const unknown = 'ResourceNotFoundException: Requested resource not found: Table: mine_ not found';
    expect(await t.refusal('PutResourcePolicy', { ...change, ResourceArn: `${ResourceArn}_` })).toBe(unknown);
    for (const operation of ['GetResourcePolicy', 'DeleteResourcePolicy'])
      expect(await t.refusal(operation, { ResourceArn: `${ResourceArn}_` })).toBe(unknown);
    expect(await t.refusal('PutResourcePolicy', { ResourceArn, Policy: 'nonsense' })).toBe(
      'One or more parameter values were invalid: Invalid policy document: This policy contains invalid Json',
    );
  });
});

describe('contributor insights', () => {
  it('are disabled, by table and index', async () => {
    await using t = await startDynamo();
    await makeIndexed(t);
    expect(await t.db.describeContributorInsights({ TableName: 'idx' })).toMatchObject({
      TableName: 'idx',
      ContributorInsightsStatus: 'DISABLED',
    });
    const of = (input: object) => ({ TableName: 'idx', ...input });
    // Contributor insights are unsupported without CloudWatch reports.
    const enabled = await t.send('UpdateContributorInsights', of({ ContributorInsightsAction: 'ENABLE' }));
    expect(enabled).toMatchObject({
      status: 501,
      json: { message: 'emu does not implement contributor insights of dynamodb.' },
    });
    for (const index of [{ IndexName: 'gsi' }, {}])
      await t.db.updateContributorInsights({ TableName: 'idx', ...index, ContributorInsightsAction: 'DISABLE' });
    const first = await t.db.listContributorInsights({ MaxResults: 1 });
    expect(first.ContributorInsightsSummaries).toMatchObject([{ TableName: 'idx' }]);
    const { NextToken } = first;
    const rest = await t.db.listContributorInsights({ MaxResults: 1, NextToken });
    expect(rest).toMatchObject({ ContributorInsightsSummaries: [{ IndexName: 'gsi' }] });
    expect(rest.NextToken).toBeUndefined();
    expect(await t.refusal('ListContributorInsights', { NextToken: '1' })).toBe('Invalid NextToken');
    const ResourceArn = `arn:aws:dynamodb:${REGION}:000000000000:table/idx`;
    expect(await t.refusal('ListTagsOfResource', { ResourceArn, NextToken })).toBe('Invalid NextToken');
  });
});

/** Creates a fake Kinesis that stores the records it receives. */
const fakeKinesis = (records: { PartitionKey: string; Data: Uint8Array }[]) =>
  fakeService('kinesis', {
    DescribeStreamSummary: ({ StreamARN }) => {
      if (!String(StreamARN).endsWith('/changes'))
        throw awsError('ResourceNotFoundException', `Stream ${StreamARN} under account 000000000000 not found.`);
      return { StreamDescriptionSummary: { StreamStatus: 'ACTIVE' } };
    },
    PutRecord: (input) => {
      records.push(input as never);
      return {};
    },
  });

describe('Kinesis destinations', () => {
  const StreamArn = `arn:aws:kinesis:${REGION}:000000000000:stream/changes`;

  it('receive every change while enabled', async () => {
    const records: { PartitionKey: string; Data: Uint8Array }[] = [];
    await using t = await startDynamo({ manifests: [fakeKinesis(records)] });
    await makeTable(t, 'mine');
    expect(await t.db.enableKinesisStreamingDestination({ TableName: 'mine', StreamArn })).toMatchObject({
      DestinationStatus: 'ENABLING',
      EnableKinesisStreamingConfiguration: {},
    });
    await t.db.putItem({ TableName: 'mine', Item: { id: { S: 'a' }, v: { B: Buffer.from('x') } } });
    await t.db.deleteItem({ TableName: 'mine', Key: { id: { S: 'a' } } });
    await t.db.disableKinesisStreamingDestination({ TableName: 'mine', StreamArn });
    await t.db.putItem({ TableName: 'mine', Item: { id: { S: 'b' } } });
    // Records are sent after the response.
    await vi.waitFor(() => expect(records.map(({ PartitionKey }) => PartitionKey)).toEqual(['a', 'a']));
    const [first, second] = records.map(({ Data }) => JSON.parse(Buffer.from(Data).toString()));
    expect(first).toMatchObject({
      eventName: 'INSERT',
      tableName: 'mine',
      recordFormat: 'application/json',
      userIdentity: null,
      dynamodb: { Keys: { id: { S: 'a' } }, NewImage: { v: { B: 'eA==' } } },
    });
    expect(second).toMatchObject({ eventName: 'REMOVE', dynamodb: { OldImage: { id: { S: 'a' } } } });
    expect(await t.db.describeKinesisStreamingDestination({ TableName: 'mine' })).toMatchObject({
      KinesisDataStreamDestinations: [{ StreamArn, DestinationStatus: 'DISABLED' }],
    });
  });

  it('must be existing streams', async () => {
    await using t = await startDynamo({ manifests: [fakeKinesis([])] });
    await makeTable(t, 'mine');
    const none = StreamArn.replace('changes', 'none');
    expect(await t.refusal('EnableKinesisStreamingDestination', { TableName: 'mine', StreamArn: none })).toBe(
      `ResourceNotFoundException: Stream ${none} under account 000000000000 not found.`,
    );
    await using without = await startDynamo();
    await makeTable(without, 'mine');
    expect(await without.send('EnableKinesisStreamingDestination', { TableName: 'mine', StreamArn })).toMatchObject({
      status: 501,
      json: { message: expect.stringContaining('emu does not implement ') },
    });
  });

  it('rejects invalid requests as AWS does', async () => {
    await using t = await startDynamo({ manifests: [fakeKinesis([])] });
    await makeTable(t, 'mine');
    const missing = 'ResourceNotFoundException: Requested resource not found: Table: bad-table not found';
    expect(await t.refusal('EnableKinesisStreamingDestination', { TableName: 'bad-table', StreamArn })).toBe(missing);
    expect(await t.refusal('DisableKinesisStreamingDestination', { TableName: 'bad-table', StreamArn })).toBe(missing);
    await t.db.enableKinesisStreamingDestination({ TableName: 'mine', StreamArn });
    await t.db.putItem({ TableName: 'mine', Item: { id: { S: 'a' } } });
    expect((await t.db.getItem({ TableName: 'mine', Key: { id: { S: 'a' } } })).Item).toEqual({ id: { S: 'a' } });
    expect(await t.refusal('UpdateKinesisStreamingDestination', { TableName: 'mine', StreamArn })).toBe(
      'Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be null or contain only null values',
    );
    const precise = {
      TableName: 'mine',
      StreamArn,
      UpdateKinesisStreamingConfiguration: { ApproximateCreationDateTimePrecision: 'MICROSECOND' as const },
    };
    const bad = StreamArn.replace('changes', 'bad-stream');
    expect(await t.refusal('UpdateKinesisStreamingDestination', { ...precise, StreamArn: bad })).toBe(
      `Table is not in a valid state to enable Kinesis Streaming Destination: No streaming destination with streamArn: ${bad} found for table with tableName: mine`,
    );
    expect(await t.db.updateKinesisStreamingDestination(precise)).toMatchObject({ DestinationStatus: 'UPDATING' });
    const { TableId } = (await t.db.describeTable({ TableName: 'mine' })).Table!;
    expect(await t.refusal('UpdateKinesisStreamingDestination', precise)).toBe(
      `Invalid Request: Precision is already set to the desired value of MICROSECOND for tableId: ${TableId}, kdsArn: ${StreamArn}`,
    );
  });
});
