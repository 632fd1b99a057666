import * as S3 from '@aws-sdk/client-s3';
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { describe, expect, it } from 'vitest';
import { errorOf, s3Emulator } from '../../../packages/svc-s3/test/helpers.ts';

const Bucket = 'a-bucket';
const DAY = 86_400_000;

async function withQueue() {
  const env = await s3Emulator({ others: [sqs] });
  const queues = new SQSClient(env.emulator.clientConfig());
  await env.s3.send(new S3.CreateBucketCommand({ Bucket }));
  const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName: 'events' }));
  const { Attributes } = await queues.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const receive = async (): Promise<Record<string, unknown>[]> => {
    const { Messages = [] } = await queues.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 }),
    );
    return Messages.map(({ Body }) => JSON.parse(Body!));
  };
  return { ...env, arn: Attributes!.QueueArn!, receive, [Symbol.asyncDispose]: () => env.emulator.close() };
}

describe('notifications', () => {
  it('reach a queue, by event and filter, after a test event', async () => {
    await using env = await withQueue();
    const { s3, arn, receive, emulator } = env;
    const QueueConfigurations = [
      {
        QueueArn: arn,
        Events: ['s3:ObjectCreated:*' as const, 's3:ObjectRemoved:Delete' as const],
        Filter: { Key: { FilterRules: [{ Name: 'prefix' as const, Value: 'in/' }] } },
      },
    ];
    await s3.send(
      new S3.PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: { QueueConfigurations } }),
    );
    expect(await receive()).toMatchObject([{ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket }]);
    const { QueueConfigurations: [shown] = [] } = await s3.send(
      new S3.GetBucketNotificationConfigurationCommand({ Bucket }),
    );
    expect(shown).toMatchObject({
      QueueArn: arn,
      Id: expect.any(String),
      Filter: { Key: { FilterRules: [{ Name: 'Prefix', Value: 'in/' }] } },
    });
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'in/a@b c', Body: 'hello' }));
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'out', Body: 'x' }));
    await s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'in/a@b c' }));
    const messages = (await receive()) as unknown as { Records: [{ eventName: string; s3: { object: object } }] }[];
    expect(messages.map(({ Records: [record] }) => record.eventName).sort()).toEqual([
      'ObjectCreated:Put',
      'ObjectRemoved:Delete',
    ]);
    const created = messages.find(({ Records: [record] }) => record.eventName === 'ObjectCreated:Put')!.Records[0];
    expect(created).toMatchObject({
      eventVersion: '2.1',
      eventSource: 'aws:s3',
      awsRegion: 'us-east-1',
      s3: {
        s3SchemaVersion: '1.0',
        configurationId: shown!.Id,
        bucket: { name: Bucket, arn: `arn:aws:s3:::${Bucket}` },
        object: { key: 'in/a%40b+c', size: 5, eTag: '5d41402abc4b2a76b9719d911017c592' },
      },
    });
    const { json } = await emulator.control('GET', '/_emulator/s3/notifications');
    expect(json).toMatchObject({
      notifications: [
        { eventName: 'ObjectCreated:Put', destination: arn, status: 'delivered' },
        { eventName: 'ObjectRemoved:Delete' },
      ],
    });
  });

  it('contain the trace header of the request, which stops loops', async () => {
    await using env = await withQueue();
    const { s3, arn, emulator } = env;
    const QueueConfigurations = [{ QueueArn: arn, Events: ['s3:ObjectCreated:*' as const] }];
    await s3.send(
      new S3.PutBucketNotificationConfigurationCommand({
        Bucket,
        NotificationConfiguration: { QueueConfigurations },
        SkipDestinationValidation: true,
      }),
    );
    const put = new S3.PutObjectCommand({ Bucket, Key: 'a', Body: 'x' });
    const header = 'Root=1-5759e988-bd862e3fe1be46a994272793;Lineage=a87bd80c:1';
    put.middlewareStack.add(
      (next) => (args) => {
        (args.request as { headers: Record<string, string> }).headers['x-amzn-trace-id'] = header;
        return next(args);
      },
      { step: 'build' },
    );
    const { kernel } = emulator;
    const invoke = kernel.invoke.bind(kernel);
    const traces: unknown[] = [];
    kernel.invoke = (invocation) => {
      if (invocation.operation === 'SendMessage') traces.push(invocation.traceHeader);
      return invoke(invocation);
    };
    await s3.send(put);
    expect(traces).toEqual([header]);
  });

  it('that cannot be delivered are recorded as failed', async () => {
    await using env = await withQueue();
    const { s3, emulator } = env;
    const NotificationConfiguration = {
      EventBridgeConfiguration: {},
      TopicConfigurations: [
        { TopicArn: 'arn:aws:sns:us-east-1:123456789012:topic', Events: ['s3:ObjectCreated:Put' as const] },
      ],
    };
    await s3.send(
      new S3.PutBucketNotificationConfigurationCommand({
        Bucket,
        NotificationConfiguration,
        SkipDestinationValidation: true,
      }),
    );
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
    const { json } = await emulator.control('GET', '/_emulator/s3/notifications');
    expect((json as { notifications: object[] }).notifications).toHaveLength(2);
    expect(json).toMatchObject({
      notifications: [{ status: 'failed', error: expect.any(String) }, { status: 'failed' }],
    });
  });

  it('are rejected for invalid destinations', async () => {
    await using env = await withQueue();
    const { s3 } = env;
    const put = (QueueArn: string, extra: object = {}): Promise<Error> =>
      errorOf(
        s3.send(
          new S3.PutBucketNotificationConfigurationCommand({
            Bucket,
            NotificationConfiguration: {
              QueueConfigurations: [{ QueueArn, Events: ['s3:ObjectCreated:*'], ...extra }],
            },
          }),
        ),
      );
    expect(await put('invalid-queue')).toMatchObject({
      name: 'InvalidArgument',
      message: 'The ARN could not be parsed',
      ArgumentName: 'Queue',
      ArgumentValue: 'invalid-queue',
    });
    const missing = 'arn:aws:sqs:us-east-1:123456789012:my-queue';
    expect(await put(missing)).toMatchObject({
      message: 'Unable to validate the following destination configurations',
      ArgumentName1: missing,
      ArgumentValue1: 'The destination queue does not exist',
    });
    expect(await put(missing, { Filter: { Key: { FilterRules: [{ Name: 'INVALID', Value: 'x' }] } } })).toMatchObject({
      message: 'filter rule name must be either prefix or suffix',
      ArgumentName: 'FilterRule.Name',
    });
  });
});

describe('destinations', () => {
  const arn = 'arn:aws:sqs:us-east-1:123456789012:queue';
  const to = (Events: S3.Event[], Prefix?: string, Suffix?: string, more: object = {}): S3.QueueConfiguration => ({
    QueueArn: arn,
    Events,
    Filter: {
      Key: {
        FilterRules: [
          ...(Prefix === undefined ? [] : [{ Name: 'prefix' as const, Value: Prefix }]),
          ...(Suffix === undefined ? [] : [{ Name: 'suffix' as const, Value: Suffix }]),
        ],
      },
    },
    ...more,
  });
  const CREATED: S3.Event[] = ['s3:ObjectCreated:*'];
  const PUT: S3.Event[] = ['s3:ObjectCreated:Put'];
  const OVERLAP = 'Configurations overlap. Configurations on the same bucket cannot share a common event type.';
  const AMBIGUOUS =
    'Configuration is ambiguously defined. Cannot have overlapping suffixes in two rules if the prefixes are overlapping for the same event type.';

  it('do not overlap, have unique ids, and are in the region of the bucket', async () => {
    await using env = await withQueue();
    const put = (...QueueConfigurations: S3.QueueConfiguration[]) =>
      env.s3.send(
        new S3.PutBucketNotificationConfigurationCommand({
          Bucket,
          NotificationConfiguration: { QueueConfigurations },
          SkipDestinationValidation: true,
        }),
      );
    const refused = async (...all: S3.QueueConfiguration[]) => (await errorOf(put(...all))).message;
    expect(await errorOf(put(to(CREATED), to(PUT)))).toMatchObject({
      name: 'InvalidArgument',
      message: OVERLAP,
      ArgumentName: 'Event',
      ArgumentValue: 's3:ObjectCreated:*, s3:ObjectCreated:Put',
    });
    expect(await refused(to(PUT, 'a/'), to(PUT, 'a/b'))).toBe(AMBIGUOUS);
    expect(await refused(to(PUT, 'a/', 'jpg'), to(PUT, 'a/', 'pg'))).toBe(AMBIGUOUS);
    expect(await refused(to(PUT, 'a/'), to(PUT, undefined, '.png'))).toBe(AMBIGUOUS);
    expect(await refused(to(PUT, 'a/', undefined, { Id: 'i' }), to(PUT, 'b/', undefined, { Id: 'i' }))).toBe(
      'Same ID used for multiple configurations. IDs must be unique',
    );
    expect(await refused(to(PUT, 'a/', undefined, { QueueArn: arn.replace('us-east-1', 'eu-west-1') }))).toBe(
      'The notification destination service region is not valid for the bucket location constraint',
    );
    await put(to(CREATED, 'a/', '.jpg'), to(CREATED, 'a/', '.png'), to(['s3:ObjectRemoved:*'], 'a/'), to(PUT, 'b/'));
  });

  it('receive one test event for all of their configurations', async () => {
    await using env = await withQueue();
    const QueueArn = { QueueArn: env.arn };
    const QueueConfigurations = ['a/', 'b/'].map((prefix) => to(CREATED, prefix, undefined, QueueArn));
    await env.s3.send(
      new S3.PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: { QueueConfigurations } }),
    );
    expect(await env.receive()).toMatchObject([{ Event: 's3:TestEvent', Bucket }]);
  });
});

it('are sent when restores start, complete and expire', async () => {
  await using env = await withQueue();
  const { s3, arn, receive, emulator } = env;
  const QueueConfigurations = [{ QueueArn: arn, Events: ['s3:ObjectRestore:*' as const] }];
  await s3.send(
    new S3.PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: { QueueConfigurations } }),
  );
  await receive();
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x', StorageClass: 'GLACIER' }));
  const restore = (Days: number) =>
    s3.send(new S3.RestoreObjectCommand({ Bucket, Key: 'k', RestoreRequest: { Days } }));
  const advance = (by: number) => emulator.control('POST', '/_emulator/clock', { advance: by });
  const told = async (): Promise<string[]> =>
    ((await receive()) as { Records: [{ eventName: string; userIdentity: { principalId: string } }] }[]).map(
      ({ Records: [{ eventName, userIdentity }] }) => `${eventName} by ${userIdentity.principalId.split(':')[0]}`,
    );
  await restore(1);
  await advance(2000);
  expect((await told()).sort()).toEqual(['ObjectRestore:Completed by s3.amazonaws.com', 'ObjectRestore:Post by AWS']);
  await restore(5);
  await advance(3 * DAY);
  expect((await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'k' }))).Restore).toContain('expiry-date');
  await advance(4 * DAY);
  expect(await told()).toEqual(['ObjectRestore:Delete by s3.amazonaws.com']);
  expect((await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'k' }))).Restore).toBeUndefined();
});

// https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
it('are sent when objects move to an archive tier and return', async () => {
  await using env = await withQueue();
  const { s3, arn, receive, emulator } = env;
  const Events = ['s3:IntelligentTiering' as const, 's3:ObjectRestore:*' as const];
  const QueueConfigurations = [{ QueueArn: arn, Events }];
  await s3.send(
    new S3.PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration: { QueueConfigurations } }),
  );
  await receive();
  const Tierings = [{ AccessTier: 'ARCHIVE_ACCESS' as const, Days: 90 }];
  const IntelligentTieringConfiguration = { Id: 'all', Status: 'Enabled' as const, Tierings };
  await s3.send(
    new S3.PutBucketIntelligentTieringConfigurationCommand({ Bucket, Id: 'all', IntelligentTieringConfiguration }),
  );
  const object = { Bucket, Key: 'k', Body: Buffer.alloc(128 * 1024), StorageClass: 'INTELLIGENT_TIERING' as const };
  await s3.send(new S3.PutObjectCommand(object));
  const advance = (by: number) => emulator.control('POST', '/_emulator/clock', { advance: by });
  await advance(92 * DAY);
  expect(await receive()).toMatchObject([
    {
      Records: [
        {
          eventVersion: '2.3',
          eventName: 'IntelligentTiering',
          s3: { object: { key: 'k' } },
          intelligentTieringEventData: { destinationAccessTier: 'ARCHIVE_ACCESS' },
        },
      ],
    },
  ]);
  await s3.send(new S3.RestoreObjectCommand({ Bucket, Key: 'k', RestoreRequest: {} }));
  await advance(2000);
  const told = (await receive()) as { Records: [{ eventName: string }] }[];
  expect(told.map(({ Records: [{ eventName }] }) => eventName).sort()).toEqual([
    'ObjectRestore:Completed',
    'ObjectRestore:Post',
  ]);
});

describe('lifecycle', () => {
  it('removes, moves and aborts due objects at a tick', async () => {
    await using env = await s3Emulator();
    const { s3, emulator } = env;
    await s3.send(new S3.CreateBucketCommand({ Bucket }));
    const Rules: S3.LifecycleRule[] = [
      { ID: 'tmp', Status: 'Enabled', Filter: { Prefix: 'tmp/' }, Expiration: { Days: 1 } },
      {
        ID: 'cold',
        Status: 'Enabled',
        Filter: { Prefix: 'cold/' },
        Transitions: [{ Days: 0, StorageClass: 'GLACIER' }],
      },
      {
        ID: 'parts',
        Status: 'Enabled',
        Filter: { Prefix: '' },
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
      },
    ];
    await s3.send(
      new S3.PutBucketLifecycleConfigurationCommand({
        Bucket,
        LifecycleConfiguration: { Rules },
        TransitionDefaultMinimumObjectSize: 'varies_by_storage_class',
      }),
    );
    const put = await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'tmp/a', Body: 'x' }));
    expect(put.Expiration).toMatch(/^expiry-date="\w{3}, \d\d \w{3} \d{4} 00:00:00 GMT", rule-id="tmp"$/);
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'cold/b', Body: 'x' }));
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'kept', Body: 'x' }));
    await s3.send(new S3.CreateMultipartUploadCommand({ Bucket, Key: 'big' }));
    const tick = async (): Promise<unknown> =>
      (await emulator.control('POST', '/_emulator/s3/lifecycle-processor/tick')).json;
    expect(await tick()).toMatchObject({ processedBuckets: 1, expiredObjects: 0 });
    await emulator.control('POST', '/_emulator/clock', { advance: 2 * DAY });
    await tick();
    expect(await errorOf(s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'tmp/a' })))).toMatchObject({
      name: 'NotFound',
    });
    expect((await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'cold/b' }))).StorageClass).toBe('GLACIER');
    expect((await s3.send(new S3.ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).toEqual([]);
    await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'kept' }));
    expect(await errorOf(s3.send(new S3.GetObjectCommand({ Bucket, Key: 'cold/b' })))).toMatchObject({
      name: 'InvalidObjectState',
      StorageClass: 'GLACIER',
    });
    const restore = () => s3.send(new S3.RestoreObjectCommand({ Bucket, Key: 'cold/b', RestoreRequest: { Days: 1 } }));
    expect((await restore()).$metadata.httpStatusCode).toBe(202);
    expect((await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'cold/b' }))).Restore).toBe('ongoing-request="true"');
    expect(await errorOf(restore())).toMatchObject({ name: 'RestoreAlreadyInProgress' });
    await emulator.control('POST', '/_emulator/clock', { advance: 2000 });
    const got = await s3.send(new S3.GetObjectCommand({ Bucket, Key: 'cold/b' }));
    expect(got.Restore).toMatch(/^ongoing-request="false", expiry-date="/);
  });

  it('creates delete markers in versioned buckets, and removes noncurrent versions', async () => {
    await using env = await s3Emulator();
    const { s3, emulator } = env;
    await s3.send(new S3.CreateBucketCommand({ Bucket }));
    await s3.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: '1' }));
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: '2' }));
    const Rules: S3.LifecycleRule[] = [
      {
        ID: 'r',
        Status: 'Enabled',
        Filter: {},
        Expiration: { Days: 1 },
        NoncurrentVersionExpiration: { NoncurrentDays: 1 },
      },
    ];
    await s3.send(new S3.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }));
    await emulator.control('POST', '/_emulator/clock', { advance: 2 * DAY });
    await emulator.control('POST', '/_emulator/s3/lifecycle-processor/tick');
    const listed = await s3.send(new S3.ListObjectVersionsCommand({ Bucket }));
    expect(listed.DeleteMarkers).toHaveLength(1);
    expect(listed.Versions).toHaveLength(1);
  });
});

describe('replication', () => {
  it('copies versions, tags and markers to the other bucket', async () => {
    await using env = await s3Emulator();
    const { s3, emulator } = env;
    const other = 'other-bucket';
    await s3.send(new S3.CreateBucketCommand({ Bucket }));
    await s3.send(
      new S3.CreateBucketCommand({ Bucket: other, CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }),
    );
    for (const name of [Bucket, other])
      await s3.send(
        new S3.PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration: { Status: 'Enabled' } }),
      );
    const ReplicationConfiguration: S3.ReplicationConfiguration = {
      Role: 'arn:aws:iam::123456789012:role/replication',
      Rules: [
        {
          Status: 'Enabled',
          Priority: 1,
          Filter: { Prefix: 'in/' },
          DeleteMarkerReplication: { Status: 'Enabled' },
          Destination: { Bucket: `arn:aws:s3:::${other}`, StorageClass: 'STANDARD_IA' },
        },
      ],
    };
    await s3.send(new S3.PutBucketReplicationCommand({ Bucket, ReplicationConfiguration }));
    const put = await s3.send(
      new S3.PutObjectCommand({ Bucket, Key: 'in/k', Body: 'hello', Tagging: 'a=1', Metadata: { m: '1' } }),
    );
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'out', Body: 'x' }));
    await emulator.control('POST', '/_emulator/clock', { advance: 10 });
    const replica = await s3.send(new S3.GetObjectCommand({ Bucket: other, Key: 'in/k', VersionId: put.VersionId }));
    expect(replica).toMatchObject({
      ReplicationStatus: 'REPLICA',
      Metadata: { m: '1' },
      StorageClass: 'STANDARD_IA',
      TagCount: 1,
    });
    expect(await replica.Body!.transformToString()).toBe('hello');
    expect((await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'in/k' }))).ReplicationStatus).toBe('COMPLETED');
    expect(await errorOf(s3.send(new S3.HeadObjectCommand({ Bucket: other, Key: 'out' })))).toMatchObject({
      name: 'NotFound',
    });
    await s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'in/k' }));
    await emulator.control('POST', '/_emulator/clock', { advance: 10 });
    expect((await s3.send(new S3.ListObjectVersionsCommand({ Bucket: other }))).DeleteMarkers).toHaveLength(1);
    await s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'in/k', VersionId: put.VersionId }));
    expect((await s3.send(new S3.ListObjectVersionsCommand({ Bucket: other }))).Versions).toHaveLength(1);
  });

  it('replicates tags, ACLs and locks, and changes the owner of replicas if configured', async () => {
    await using env = await s3Emulator();
    const { s3, emulator } = env;
    const theirs = new S3.S3Client(emulator.clientConfig({ accessKeyId: '000000000002' }));
    const ours = 'replicas';
    for (const [client, name] of [
      [s3, Bucket],
      [s3, ours],
      [theirs, 'their-replicas'],
      [theirs, 'their-own-replicas'],
    ] as const) {
      await client.send(
        new S3.CreateBucketCommand({
          Bucket: name,
          ObjectLockEnabledForBucket: true,
          ObjectOwnership: 'BucketOwnerPreferred',
        }),
      );
    }
    const to = (name: string, more: Partial<S3.Destination> = {}, index = 0): S3.ReplicationRule => ({
      ID: name,
      Status: 'Enabled',
      Priority: index,
      Filter: { Prefix: '' },
      DeleteMarkerReplication: { Status: 'Disabled' },
      SourceSelectionCriteria: { ReplicaModifications: { Status: 'Enabled' } },
      Destination: { Bucket: `arn:aws:s3:::${name}`, ...more },
    });
    const configure = (name: string, ...Rules: S3.ReplicationRule[]) =>
      s3.send(
        new S3.PutBucketReplicationCommand({
          Bucket: name,
          ReplicationConfiguration: { Role: 'arn:aws:iam::123456789012:role/replication', Rules },
        }),
      );
    const translated = { Account: '000000000002', AccessControlTranslation: { Owner: 'Destination' as const } };
    await configure(Bucket, to(ours), to('their-replicas', {}, 1), to('their-own-replicas', translated, 2));
    await configure(ours, to(Bucket));
    const settle = () => emulator.control('POST', '/_emulator/clock', { advance: 10 });
    const Key = 'k';
    await s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: 'x', Tagging: 'a=1' }));
    await settle();
    const id = (await s3.send(new S3.GetBucketAclCommand({ Bucket }))).Owner!.ID;
    const theirId = (await theirs.send(new S3.GetBucketAclCommand({ Bucket: 'their-replicas' }))).Owner!.ID;
    const acl = (name: string) => s3.send(new S3.GetObjectAclCommand({ Bucket: name, Key }));
    expect((await acl('their-replicas')).Owner!.ID).toBe(id);
    expect((await acl('their-own-replicas')).Owner!.ID).toBe(theirId);

    const tags = async (name: string) => (await s3.send(new S3.GetObjectTaggingCommand({ Bucket: name, Key }))).TagSet;
    const tag = (name: string, Value: string) =>
      s3.send(new S3.PutObjectTaggingCommand({ Bucket: name, Key, Tagging: { TagSet: [{ Key: 'a', Value }] } }));
    await tag(Bucket, '2');
    await s3.send(
      new S3.PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration: { BlockPublicAcls: false } }),
    );
    await s3.send(new S3.PutObjectAclCommand({ Bucket, Key, ACL: 'public-read' }));
    await s3.send(new S3.PutObjectLegalHoldCommand({ Bucket, Key, LegalHold: { Status: 'ON' } }));
    await settle();
    for (const name of [ours, 'their-replicas', 'their-own-replicas']) {
      expect(await tags(name)).toEqual([{ Key: 'a', Value: '2' }]);
      expect((await s3.send(new S3.GetObjectLegalHoldCommand({ Bucket: name, Key }))).LegalHold?.Status).toBe('ON');
    }
    expect((await acl(ours)).Grants).toHaveLength(2);
    expect((await acl('their-own-replicas')).Grants).toHaveLength(1);

    await tag(ours, '3');
    await settle();
    expect(await tags(Bucket)).toEqual([{ Key: 'a', Value: '3' }]);
    expect((await s3.send(new S3.HeadObjectCommand({ Bucket: ours, Key }))).ReplicationStatus).toBe('REPLICA');
    theirs.destroy();
  });
});
