import { fakeService } from '@emu/gateway/testing';
import { awsError } from '@emu/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf, groupArn, type LogsTest, REGION, startLogs } from './support.ts';

// Messages are from AWS recordings where available.

const KEY = `arn:aws:kms:${REGION}:000000000000:key/11111111-2222-3333-4444-555555555555`;
const kms = fakeService('kms', {
  DescribeKey({ KeyId }) {
    if (KeyId !== KEY) throw awsError('NotFoundException', 'no such key');
    return { KeyMetadata: { Arn: KEY, Enabled: true, KeyUsage: 'ENCRYPT_DECRYPT' } };
  },
});

describe('log groups and streams', () => {
  let test: LogsTest;
  beforeAll(async () => {
    test = await startLogs({ manifests: [kms] });
  });
  afterAll(() => test[Symbol.asyncDispose]());

  it('describes groups and streams with their settings', async () => {
    const { logs, now } = test;
    const logGroupName = '/made/one';
    await logs.createLogGroup({ logGroupName, kmsKeyId: KEY, logGroupClass: 'INFREQUENT_ACCESS', tags: { a: 'b' } });
    const { logGroups } = await logs.describeLogGroups({ logGroupNamePrefix: '/made/' });
    expect(logGroups).toEqual([
      {
        logGroupName,
        creationTime: now,
        metricFilterCount: 0,
        arn: `${groupArn(logGroupName)}:*`,
        logGroupArn: groupArn(logGroupName),
        storedBytes: 0,
        kmsKeyId: KEY,
        logGroupClass: 'INFREQUENT_ACCESS',
        deletionProtectionEnabled: false,
      },
    ]);
    expect((await logs.listTagsLogGroup({ logGroupName })).tags).toEqual({ a: 'b' });
    await logs.disassociateKmsKey({ logGroupName });
    const after = await logs.describeLogGroups({ logGroupNamePattern: 'ade/on' });
    expect(after.logGroups).toEqual([
      {
        logGroupName,
        creationTime: now,
        metricFilterCount: 0,
        arn: `${groupArn(logGroupName)}:*`,
        logGroupArn: groupArn(logGroupName),
        logGroupClass: 'INFREQUENT_ACCESS',
      },
    ]);
    await logs.associateKmsKey({ resourceIdentifier: groupArn(logGroupName), kmsKeyId: KEY });
    const { logGroups: found } = await logs.describeLogGroups({ logGroupIdentifiers: [logGroupName] });
    expect(found![0]!.kmsKeyId).toBe(KEY);
  });

  it('rejects duplicates, and invalid names, keys or prefixes', async () => {
    const { logs } = test;
    await test.group('taken', 'stream');
    const failures: [Promise<unknown>, string][] = [
      [
        logs.createLogGroup({ logGroupName: 'taken' }),
        'ResourceAlreadyExistsException: The specified log group already exists',
      ],
      [
        logs.createLogStream({ logGroupName: 'taken', logStreamName: 'stream' }),
        'ResourceAlreadyExistsException: The specified log stream already exists',
      ],
      [
        logs.createLogGroup({ logGroupName: 'x'.repeat(513) }),
        'InvalidParameterException: Invalid LogGroup or LogStream, both must have length less than or equal to 512.',
      ],
      [
        logs.createLogGroup({ logGroupName: 'keyed', kmsKeyId: KEY.replace('1', '2') }),
        'InvalidParameterException: The specified KMS key does not exist or is not allowed to be used with LogGroup ' +
          `'${groupArn('keyed')}'.`,
      ],
      [
        logs.describeLogGroups({ logGroupNamePrefix: 'a', logGroupNamePattern: 'b' }),
        'InvalidParameterException: LogGroup name prefix and LogGroup name pattern are mutually exclusive parameters.',
      ],
      [
        logs.createLogGroup({ logGroupName: 'aws/mine' }),
        'InvalidParameterException: Log groups starting with AWS/ are reserved for AWS.',
      ],
      [
        logs.deleteLogGroup({ logGroupName: 'none' }),
        'ResourceNotFoundException: The specified log group does not exist.',
      ],
    ];
    for (const [request, failure] of failures) expect(await failureOf(request)).toBe(failure);
  });

  it('deletes groups with their contents', async () => {
    const { logs } = test;
    const logGroupName = await test.group('deleted', 'a', 'b');
    await test.put(logGroupName, 'a', 'one');
    await test.put(logGroupName, 'b', 'two');
    await logs.deleteLogStream({ logGroupName, logStreamName: 'a' });
    const read = async () => (await logs.filterLogEvents({ logGroupName })).events!.map(({ message }) => message);
    expect(await read()).toEqual(['two']);
    await logs.createLogStream({ logGroupName, logStreamName: 'a' });
    expect(await read()).toEqual(['two']);
    await logs.deleteLogGroup({ logGroupName });
    await test.group(logGroupName, 'b');
    expect(await read()).toEqual([]);
  });

  it('rejects the deletion of protected groups', async () => {
    const { logs } = test;
    const logGroupName = await test.group('protected', 'a');
    const protect = (deletionProtectionEnabled: boolean) =>
      logs.putLogGroupDeletionProtection({ logGroupIdentifier: groupArn(logGroupName), deletionProtectionEnabled });
    await protect(true);
    const refusal =
      'ValidationException: Deletion protection is enabled for the specified log group. Disable it before you delete.';
    expect(await failureOf(logs.deleteLogGroup({ logGroupName }))).toBe(refusal);
    expect(await failureOf(logs.deleteLogStream({ logGroupName, logStreamName: 'a' }))).toBe(refusal);
    await protect(false);
    await logs.deleteLogGroup({ logGroupName });
  });

  it('lists groups in pages, and streams by name or last event', async () => {
    const { logs } = test;
    const logGroupName = await test.group('many', 's1', 's2', 's3');
    await test.put(logGroupName, 's2', 'old');
    await test.advance(1);
    await test.put(logGroupName, 's1', 'new');
    const names = async (input: Parameters<typeof logs.describeLogStreams>[0] = {}) => {
      const { logStreams, nextToken } = await logs.describeLogStreams({ logGroupName, limit: 2, ...input });
      const rest =
        nextToken === undefined
          ? undefined
          : await logs.describeLogStreams({ logGroupName, limit: 2, ...input, nextToken });
      return [...logStreams!, ...(rest?.logStreams ?? [])].map(({ logStreamName }) => logStreamName);
    };
    expect(await names()).toEqual(['s1', 's2', 's3']);
    expect(await names({ descending: true })).toEqual(['s3', 's2', 's1']);
    expect(await names({ orderBy: 'LastEventTime', descending: true })).toEqual(['s1', 's2', 's3']);
    expect(await names({ logStreamNamePrefix: 's2' })).toEqual(['s2']);
    expect(await failureOf(names({ orderBy: 'LastEventTime', logStreamNamePrefix: 's' }))).toBe(
      'InvalidParameterException: Cannot order by LastEventTime with a logStreamNamePrefix.',
    );
    await test.group('many-more');
    const { logGroups } = await logs.listLogGroups({ logGroupNamePattern: '^many' });
    expect(logGroups).toEqual(
      ['many', 'many-more'].map((name) => ({
        logGroupName: name,
        logGroupArn: groupArn(name),
        logGroupClass: 'STANDARD',
      })),
    );
  });

  it('tags groups by name and by ARN', async () => {
    const { logs } = test;
    const logGroupName = await test.group('tagged');
    const resourceArn = groupArn(logGroupName);
    await logs.tagResource({ resourceArn, tags: { one: '1', two: '2' } });
    await logs.tagLogGroup({ logGroupName, tags: { two: 'b', three: '3' } });
    expect((await logs.listTagsForResource({ resourceArn })).tags).toEqual({ one: '1', two: 'b', three: '3' });
    await logs.untagResource({ resourceArn, tagKeys: ['one'] });
    await logs.untagLogGroup({ logGroupName, tags: ['three'] });
    expect((await logs.listTagsForResource({ resourceArn })).tags).toEqual({ two: 'b' });
    expect(await failureOf(logs.listTagsForResource({ resourceArn: groupArn('none') }))).toBe(
      'ResourceNotFoundException: The specified resource does not exist.',
    );
    const listed = async (values?: string[]) =>
      (await logs.listLogGroups({ logGroupTags: [{ key: 'two', values }] })).logGroups!.length;
    expect([await listed(), await listed(['b']), await listed(['c'])]).toEqual([1, 1, 0]);
    const tags = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`t${index}`, '']));
    expect(await failureOf(logs.tagResource({ resourceArn, tags }))).toBe(
      'TooManyTagsException: The resource has too many tags.',
    );
  });
});

describe('retention', () => {
  it('expires events permanently, and rejects expired new ones', async () => {
    await using test = await startLogs();
    const { logs } = test;
    const logGroupName = await test.group('kept', 'a');
    const day = 86_400;
    await test.put(logGroupName, 'a', 'day 0');
    await test.advance(2 * day);
    await test.put(logGroupName, 'a', 'day 2');
    const read = async () =>
      (await logs.getLogEvents({ logGroupName, logStreamName: 'a' })).events!.map(({ message }) => message);
    expect(await failureOf(logs.putRetentionPolicy({ logGroupName, retentionInDays: 2 }))).toMatch(
      /^InvalidParameterException: 1 validation error detected: Value '2' at 'retentionInDays'/,
    );
    await logs.putRetentionPolicy({ logGroupName, retentionInDays: 1 });
    expect(await read()).toEqual(['day 2']);
    const { logGroups } = await logs.describeLogGroups();
    expect(logGroups![0]!.retentionInDays).toBe(1);
    const yesterday = test.now - day * 1000;
    const answer = await logs.putLogEvents({
      logGroupName,
      logStreamName: 'a',
      logEvents: [
        { timestamp: yesterday - 1, message: 'expired' },
        { timestamp: yesterday, message: 'just kept' },
      ],
    });
    expect(answer.rejectedLogEventsInfo).toEqual({ expiredLogEventEndIndex: 1 });
    expect(await read()).toEqual(['just kept', 'day 2']);
    await logs.deleteRetentionPolicy({ logGroupName });
    expect(await read()).toEqual(['just kept', 'day 2']);
    await logs.putRetentionPolicy({ logGroupName, retentionInDays: 1 });
    await test.advance(60);
    // The expiry run, without a request in between.
    expect(await read()).toEqual(['day 2']);
  });
});

describe('resource policies', () => {
  it('stores policies by name or log group, up to ten', async () => {
    await using test = await startLogs();
    const { logs, now } = test;
    const policyDocument = JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'route53.amazonaws.com' },
          Action: 'logs:PutLogEvents',
          Resource: '*',
        },
      ],
    });
    const put = (policyName: string) => logs.putResourcePolicy({ policyName, policyDocument });
    const policy = { policyName: 'p0', policyDocument, lastUpdatedTime: now, policyScope: 'ACCOUNT' };
    expect((await put('p0')).resourcePolicy).toEqual(policy);
    for (let index = 1; index < 10; index++) await put(`p${index}`);
    expect(await failureOf(put('p10'))).toBe('LimitExceededException: Resource limit exceeded.');
    const { resourcePolicies } = await logs.describeResourcePolicies({ limit: 1 });
    expect(resourcePolicies).toEqual([policy]);
    expect(await failureOf(logs.deleteResourcePolicy({ policyName: 'none' }))).toBe(
      'ResourceNotFoundException: Policy with name [none] does not exist.',
    );
    const resourceArn = groupArn(await test.group('with-policy'));
    const { revisionId } = await logs.putResourcePolicy({ resourceArn, policyDocument });
    const again = logs.putResourcePolicy({ resourceArn, policyDocument, expectedRevisionId: 'other' });
    expect(await failureOf(again)).toMatch(/^OperationAbortedException/);
    const described = await logs.describeResourcePolicies({ resourceArn });
    expect(described.resourcePolicies).toMatchObject([{ resourceArn, policyScope: 'RESOURCE', revisionId }]);
    await logs.deleteResourcePolicy({ resourceArn, expectedRevisionId: revisionId });
    expect((await logs.describeResourcePolicies({ policyScope: 'RESOURCE' })).resourcePolicies).toEqual([]);
    const broken = logs.putResourcePolicy({ policyName: 'p1', policyDocument: '{' });
    expect(await failureOf(broken)).toMatch(/^InvalidParameterException/);
  });
});
