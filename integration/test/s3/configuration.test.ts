import * as S3 from '@aws-sdk/client-s3';
import { manifest as kms } from '@emu/svc-kms/manifest';
import { describe, expect, it } from 'vitest';
import { errorOf, s3Emulator } from '../../../packages/svc-s3/test/helpers.ts';

const Bucket = 'a-bucket';

async function withBucket(extra: Partial<S3.CreateBucketCommandInput> = {}) {
  const env = await s3Emulator();
  await env.s3.send(new S3.CreateBucketCommand({ Bucket, ...extra }));
  return env;
}

describe('defaults of new buckets', () => {
  it('match those of AWS', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    expect((await s3.send(new S3.GetBucketEncryptionCommand({ Bucket }))).ServerSideEncryptionConfiguration).toEqual({
      Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' }, BucketKeyEnabled: false }],
    });
    expect((await s3.send(new S3.GetPublicAccessBlockCommand({ Bucket }))).PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      IgnorePublicAcls: true,
      BlockPublicPolicy: true,
      RestrictPublicBuckets: true,
    });
    expect((await s3.send(new S3.GetBucketOwnershipControlsCommand({ Bucket }))).OwnershipControls).toEqual({
      Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }],
    });
    expect((await s3.send(new S3.GetBucketRequestPaymentCommand({ Bucket }))).Payer).toBe('BucketOwner');
    expect((await s3.send(new S3.GetBucketAclCommand({ Bucket }))).Grants).toMatchObject([
      { Permission: 'FULL_CONTROL' },
    ]);
    const missing: [Promise<unknown>, string, string][] = [
      [
        s3.send(new S3.GetBucketCorsCommand({ Bucket })),
        'NoSuchCORSConfiguration',
        'The CORS configuration does not exist',
      ],
      [
        s3.send(new S3.GetBucketLifecycleConfigurationCommand({ Bucket })),
        'NoSuchLifecycleConfiguration',
        'The lifecycle configuration does not exist',
      ],
      [
        s3.send(new S3.GetBucketWebsiteCommand({ Bucket })),
        'NoSuchWebsiteConfiguration',
        'The specified bucket does not have a website configuration',
      ],
      [s3.send(new S3.GetBucketPolicyCommand({ Bucket })), 'NoSuchBucketPolicy', 'The bucket policy does not exist'],
      [s3.send(new S3.GetBucketTaggingCommand({ Bucket })), 'NoSuchTagSet', 'The TagSet does not exist'],
      [
        s3.send(new S3.GetBucketReplicationCommand({ Bucket })),
        'ReplicationConfigurationNotFoundError',
        'The replication configuration was not found',
      ],
      [
        s3.send(new S3.GetObjectLockConfigurationCommand({ Bucket })),
        'ObjectLockConfigurationNotFoundError',
        'Object Lock configuration does not exist for this bucket',
      ],
      [
        s3.send(new S3.GetBucketAnalyticsConfigurationCommand({ Bucket, Id: 'x' })),
        'NoSuchConfiguration',
        'The specified configuration does not exist.',
      ],
    ];
    for (const [call, name, message] of missing)
      expect(await errorOf(call)).toMatchObject({ name, message, $metadata: { httpStatusCode: 404 } });
  });
});

describe('CORS, lifecycle and website documents', () => {
  it('are returned as stored, and validated', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    const CORSRules = [{ AllowedMethods: ['GET'], AllowedOrigins: ['*'], MaxAgeSeconds: 10, ID: 'one' }];
    await s3.send(new S3.PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }));
    expect((await s3.send(new S3.GetBucketCorsCommand({ Bucket }))).CORSRules).toEqual(CORSRules);
    const bad = { CORSRules: [{ AllowedMethods: ['MYMETHOD'], AllowedOrigins: ['*'] }] };
    expect(await errorOf(s3.send(new S3.PutBucketCorsCommand({ Bucket, CORSConfiguration: bad })))).toMatchObject({
      name: 'InvalidRequest',
      message: 'Found unsupported HTTP method in CORS config. Unsupported method is MYMETHOD',
    });
    await s3.send(new S3.DeleteBucketCorsCommand({ Bucket }));
    expect(await errorOf(s3.send(new S3.GetBucketCorsCommand({ Bucket })))).toMatchObject({
      name: 'NoSuchCORSConfiguration',
    });

    const Rules: S3.LifecycleRule[] = [
      { ID: 'a', Status: 'Enabled', Filter: { Prefix: 'x/' }, Expiration: { Date: new Date('2030-01-01T00:00:00Z') } },
      { Status: 'Enabled', Filter: {}, NoncurrentVersionExpiration: { NoncurrentDays: 3 } },
    ];
    const put = await s3.send(
      new S3.PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
    );
    expect(put.TransitionDefaultMinimumObjectSize).toBe('all_storage_classes_128K');
    const got = await s3.send(new S3.GetBucketLifecycleConfigurationCommand({ Bucket }));
    expect(got.Rules).toMatchObject([Rules[0]!, { Status: 'Enabled', ID: expect.any(String) }]);
    const wrong = (rule: Partial<S3.LifecycleRule>): Promise<unknown> =>
      s3.send(
        new S3.PutBucketLifecycleConfigurationCommand({
          Bucket,
          LifecycleConfiguration: { Rules: [{ Status: 'Enabled', Filter: { Prefix: '' }, ...rule }] },
        }),
      );
    expect(await errorOf(wrong({ Expiration: { Date: new Date('2030-01-01T01:00:00Z') } }))).toMatchObject({
      name: 'InvalidArgument',
      message: "'Date' must be at midnight GMT",
    });
    expect(await errorOf(wrong({}))).toMatchObject({ name: 'InvalidRequest' });
    expect(await errorOf(wrong({ Expiration: { Days: 1, ExpiredObjectDeleteMarker: true } }))).toMatchObject({
      name: 'MalformedXML',
    });
    const And = {
      Tags: [
        { Key: 'a', Value: '1' },
        { Key: 'a', Value: '2' },
      ],
    };
    expect(await errorOf(wrong({ Filter: { And }, Expiration: { Days: 1 } }))).toMatchObject({
      message: 'Duplicate Tag Keys are not allowed.',
    });

    const website = { IndexDocument: { Suffix: 'index.html' }, ErrorDocument: { Key: 'error.html' } };
    await s3.send(new S3.PutBucketWebsiteCommand({ Bucket, WebsiteConfiguration: website }));
    expect(await s3.send(new S3.GetBucketWebsiteCommand({ Bucket }))).toMatchObject(website);
    const invalid: [S3.WebsiteConfiguration, string][] = [
      [{ IndexDocument: { Suffix: '/index.html' } }, 'The IndexDocument Suffix is not well formed'],
      [
        { ErrorDocument: { Key: 'x' } },
        'A value for IndexDocument Suffix must be provided if RedirectAllRequestsTo is empty',
      ],
      [
        { RedirectAllRequestsTo: { HostName: 'x' }, IndexDocument: { Suffix: 'x' } },
        'RedirectAllRequestsTo cannot be provided in conjunction with other Routing Rules.',
      ],
    ];
    for (const [WebsiteConfiguration, message] of invalid)
      expect(await errorOf(s3.send(new S3.PutBucketWebsiteCommand({ Bucket, WebsiteConfiguration })))).toMatchObject({
        name: 'InvalidArgument',
        message,
      });
  });
});

describe('access', () => {
  it('validates policies, and blocks public ones', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    const statement = {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::123456789012:root' },
      Action: 's3:GetObject',
      Resource: `arn:aws:s3:::${Bucket}/*`,
    };
    const put = (policy: unknown): Promise<unknown> =>
      s3.send(
        new S3.PutBucketPolicyCommand({ Bucket, Policy: typeof policy === 'string' ? policy : JSON.stringify(policy) }),
      );
    await put({ Version: '2012-10-17', Statement: [statement] });
    expect((await s3.send(new S3.GetBucketPolicyStatusCommand({ Bucket }))).PolicyStatus?.IsPublic).toBe(false);
    const refused: [unknown, string][] = [
      ['x', "Policies must be valid JSON and the first byte must be '{'"],
      [{}, 'Missing required field Statement'],
      [{ Statement: [{ ...statement, Resource: 'arn:aws:s3:::other/*' }] }, 'Policy has invalid resource'],
      [{ Statement: [{ ...statement, Action: 'sqs:SendMessage' }] }, 'Policy has invalid action'],
    ];
    for (const [policy, message] of refused)
      expect(await errorOf(put(policy))).toMatchObject({ name: 'MalformedPolicy', message });
    expect(await errorOf(put({ Statement: [{ ...statement, Principal: '*' }] }))).toMatchObject({
      name: 'AccessDenied',
    });
    await s3.send(new S3.DeletePublicAccessBlockCommand({ Bucket }));
    expect(await errorOf(s3.send(new S3.GetPublicAccessBlockCommand({ Bucket })))).toMatchObject({
      name: 'NoSuchPublicAccessBlockConfiguration',
    });
    await put({ Statement: [{ ...statement, Principal: '*' }] });
    expect((await s3.send(new S3.GetBucketPolicyStatusCommand({ Bucket }))).PolicyStatus?.IsPublic).toBe(true);
    await s3.send(new S3.DeleteBucketPolicyCommand({ Bucket }));
    expect(await errorOf(s3.send(new S3.GetBucketPolicyCommand({ Bucket })))).toMatchObject({
      name: 'NoSuchBucketPolicy',
      BucketName: Bucket,
    });
  });

  it('sets ACLs if the bucket allows them', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    expect(await errorOf(s3.send(new S3.PutBucketAclCommand({ Bucket, ACL: 'public-read' })))).toMatchObject({
      name: 'AccessControlListNotSupported',
    });
    await s3.send(
      new S3.PutBucketOwnershipControlsCommand({
        Bucket,
        OwnershipControls: { Rules: [{ ObjectOwnership: 'ObjectWriter' }] },
      }),
    );
    expect(await errorOf(s3.send(new S3.PutBucketAclCommand({ Bucket, ACL: 'public-read' })))).toMatchObject({
      name: 'AccessDenied',
    });
    await s3.send(new S3.DeletePublicAccessBlockCommand({ Bucket }));
    await s3.send(new S3.PutBucketAclCommand({ Bucket, ACL: 'public-read' }));
    const { Owner, Grants } = await s3.send(new S3.GetBucketAclCommand({ Bucket }));
    expect(Grants).toMatchObject([
      { Permission: 'FULL_CONTROL' },
      { Permission: 'READ', Grantee: { Type: 'Group', URI: 'http://acs.amazonaws.com/groups/global/AllUsers' } },
    ]);
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ACL: 'authenticated-read' }));
    expect((await s3.send(new S3.GetObjectAclCommand({ Bucket, Key: 'k' }))).Grants).toHaveLength(2);
    await s3.send(new S3.PutObjectAclCommand({ Bucket, Key: 'k', GrantRead: `id="${Owner!.ID}"` }));
    expect((await s3.send(new S3.GetObjectAclCommand({ Bucket, Key: 'k' }))).Grants).toMatchObject([
      { Permission: 'READ', Grantee: { ID: Owner!.ID } },
    ]);
    const wrong: [Partial<S3.PutBucketAclCommandInput>, object][] = [
      [
        { ACL: 'fake-acl' as 'private' },
        { name: 'InvalidArgument', ArgumentName: 'x-amz-acl', ArgumentValue: 'fake-acl' },
      ],
      [
        { GrantWrite: 'uri="http://acs.amazonaws.com/groups/s3/FakeGroup"' },
        { message: 'Invalid group uri', ArgumentName: 'uri' },
      ],
      [
        { GrantWrite: 'fakekey="1234"' },
        { message: 'Argument format not recognized', ArgumentName: 'x-amz-grant-write' },
      ],
      [{ GrantWrite: 'id="wrong-id"' }, { message: 'Invalid id', ArgumentName: 'id' }],
      [{}, { name: 'MissingSecurityHeader', MissingHeaderName: 'x-amz-acl' }],
      [
        { ACL: 'private', GrantRead: `id="${Owner!.ID}"` },
        { message: 'Specifying both Canned ACLs and Header Grants is not allowed' },
      ],
      [{ AccessControlPolicy: { Grants: [] } }, { name: 'MalformedACLError' }],
    ];
    for (const [input, error] of wrong)
      expect(await errorOf(s3.send(new S3.PutBucketAclCommand({ Bucket, ...input })))).toMatchObject(error);
  });
});

describe('tags', () => {
  it('apply to buckets and versions', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    const TagSet = [{ Key: 'a', Value: '1' }];
    await s3.send(new S3.PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
    expect((await s3.send(new S3.GetBucketTaggingCommand({ Bucket }))).TagSet).toEqual(TagSet);
    await s3.send(new S3.DeleteBucketTaggingCommand({ Bucket }));
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x', Tagging: 'b=2&c' }));
    expect((await s3.send(new S3.GetObjectTaggingCommand({ Bucket, Key: 'k' }))).TagSet).toEqual([
      { Key: 'b', Value: '2' },
      { Key: 'c', Value: '' },
    ]);
    expect((await s3.send(new S3.GetObjectCommand({ Bucket, Key: 'k' }))).TagCount).toBe(2);
    await s3.send(new S3.PutObjectTaggingCommand({ Bucket, Key: 'k', Tagging: { TagSet } }));
    await s3.send(new S3.DeleteObjectTaggingCommand({ Bucket, Key: 'k' }));
    expect((await s3.send(new S3.GetObjectTaggingCommand({ Bucket, Key: 'k' }))).TagSet).toEqual([]);
    const wrong = (tags: S3.Tag[]): Promise<Error> =>
      errorOf(s3.send(new S3.PutBucketTaggingCommand({ Bucket, Tagging: { TagSet: tags } })));
    expect(await wrong([...TagSet, ...TagSet])).toMatchObject({
      name: 'InvalidTag',
      message: 'Cannot provide multiple Tags with the same key',
      TagKey: 'a',
    });
    expect(await wrong([{ Key: 'a,b', Value: '' }])).toMatchObject({
      message: 'The TagKey you have provided is invalid',
    });
    expect(await wrong([{ Key: 'aws:x', Value: '' }])).toMatchObject({
      message: 'System tags cannot be added/updated by requester',
    });
    expect(await errorOf(s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Tagging: 'a=1&a=2' })))).toMatchObject({
      name: 'InvalidArgument',
      ArgumentName: 'x-amz-tagging',
    });
  });
});

describe('object lock', () => {
  it('protects versions until their retention ends', async () => {
    await using env = await withBucket({ ObjectLockEnabledForBucket: true });
    const { s3, emulator } = env;
    expect((await s3.send(new S3.GetBucketVersioningCommand({ Bucket }))).Status).toBe('Enabled');
    const { VersionId } = await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
    expect(await errorOf(s3.send(new S3.GetObjectRetentionCommand({ Bucket, Key: 'k' })))).toMatchObject({
      name: 'NoSuchObjectLockConfiguration',
    });
    const until = new Date(Math.floor(emulator.kernel.clock.now() / 1000) * 1000 + 86_400_000);
    await s3.send(
      new S3.PutObjectRetentionCommand({ Bucket, Key: 'k', Retention: { Mode: 'GOVERNANCE', RetainUntilDate: until } }),
    );
    expect((await s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'k' }))).ObjectLockMode).toBe('GOVERNANCE');
    const remove = (extra: object = {}): Promise<unknown> =>
      s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'k', VersionId, ...extra }));
    expect(await errorOf(remove())).toMatchObject({
      name: 'AccessDenied',
      message: 'Access Denied because object protected by object lock.',
    });
    await s3.send(new S3.PutObjectLegalHoldCommand({ Bucket, Key: 'k', LegalHold: { Status: 'ON' } }));
    expect(await errorOf(remove({ BypassGovernanceRetention: true }))).toMatchObject({ name: 'AccessDenied' });
    const { Errors } = await s3.send(
      new S3.DeleteObjectsCommand({
        Bucket,
        Delete: { Objects: [{ Key: 'k', VersionId }] },
        BypassGovernanceRetention: true,
      }),
    );
    expect(Errors).toMatchObject([{ Code: 'AccessDenied', Key: 'k' }]);
    await s3.send(new S3.PutObjectLegalHoldCommand({ Bucket, Key: 'k', LegalHold: { Status: 'OFF' } }));
    await remove({ BypassGovernanceRetention: true });
    await s3.send(
      new S3.PutObjectLockConfigurationCommand({
        Bucket,
        ObjectLockConfiguration: {
          ObjectLockEnabled: 'Enabled',
          Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 1 } },
        },
      }),
    );
    const locked = await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'c', Body: 'x' }));
    expect(
      await errorOf(
        s3.send(
          new S3.DeleteObjectCommand({
            Bucket,
            Key: 'c',
            VersionId: locked.VersionId,
            BypassGovernanceRetention: true,
          }),
        ),
      ),
    ).toMatchObject({ name: 'AccessDenied' });
    expect(
      await errorOf(
        s3.send(new S3.PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Suspended' } })),
      ),
    ).toMatchObject({ name: 'InvalidBucketState' });
    await emulator.control('POST', '/_emulator/clock', { advance: 2 * 86_400_000 });
    await s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'c', VersionId: locked.VersionId }));
  });

  it('is rejected by buckets without it', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
    expect(
      await errorOf(s3.send(new S3.PutObjectLegalHoldCommand({ Bucket, Key: 'k', LegalHold: { Status: 'ON' } }))),
    ).toMatchObject({ message: 'Bucket is missing Object Lock Configuration' });
    expect(
      await errorOf(s3.send(new S3.DeleteObjectCommand({ Bucket, Key: 'k', BypassGovernanceRetention: true }))),
    ).toMatchObject({ name: 'InvalidArgument', ArgumentName: 'x-amz-bypass-governance-retention' });
  });
});

describe('encryption', () => {
  it('with KMS requires a usable key', async () => {
    await using env = await s3Emulator({ others: [kms] });
    const { s3 } = env;
    await s3.send(new S3.CreateBucketCommand({ Bucket }));
    const put = await s3.send(
      new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ServerSideEncryption: 'aws:kms', BucketKeyEnabled: true }),
    );
    expect(put).toMatchObject({
      ServerSideEncryption: 'aws:kms',
      BucketKeyEnabled: true,
      SSEKMSKeyId: expect.stringMatching(/^arn:aws:kms:us-east-1:/),
    });
    expect(put.ETag).not.toBe('"9dd4e461268c8034f5c8564e155c67a6"');
    expect(
      await errorOf(
        s3.send(
          new S3.PutObjectCommand({
            Bucket,
            Key: 'k',
            Body: 'x',
            ServerSideEncryption: 'aws:kms',
            SSEKMSKeyId: '134f2428-cec1-4b25-a1ae-9048164dba47',
          }),
        ),
      ),
    ).toMatchObject({ name: 'KMS.NotFoundException' });
    await s3.send(
      new S3.PutBucketEncryptionCommand({
        Bucket,
        ServerSideEncryptionConfiguration: {
          Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } }],
        },
      }),
    );
    expect(await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'd', Body: 'x' }))).toMatchObject({
      ServerSideEncryption: 'aws:kms',
    });
  });

  it('with a customer key requires that key again', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    const key = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: Buffer.alloc(32, 1).toString('base64') };
    const put = await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x', ...key }));
    expect(put.SSECustomerAlgorithm).toBe('AES256');
    expect(put.ServerSideEncryption).toBeUndefined();
    expect(await errorOf(s3.send(new S3.GetObjectCommand({ Bucket, Key: 'k' })))).toMatchObject({
      name: 'InvalidRequest',
    });
    const other = { ...key, SSECustomerKey: Buffer.alloc(32, 2).toString('base64') };
    expect(await errorOf(s3.send(new S3.GetObjectCommand({ Bucket, Key: 'k', ...other })))).toMatchObject({
      name: 'AccessDenied',
    });
    const got = await s3.send(new S3.GetObjectCommand({ Bucket, Key: 'k', ...key }));
    expect(await got.Body!.transformToString()).toBe('x');
  });
});

describe('settings with ids', () => {
  it('are stored, listed in pages, and deleted', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    for (let at = 0; at < 101; at++) {
      const Id = `m${String(at).padStart(3, '0')}`;
      await s3.send(
        new S3.PutBucketAnalyticsConfigurationCommand({
          Bucket,
          Id,
          AnalyticsConfiguration: { Id, StorageClassAnalysis: {} },
        }),
      );
    }
    const page = await s3.send(new S3.ListBucketAnalyticsConfigurationsCommand({ Bucket }));
    expect(page.AnalyticsConfigurationList).toHaveLength(100);
    const rest = await s3.send(
      new S3.ListBucketAnalyticsConfigurationsCommand({ Bucket, ContinuationToken: page.NextContinuationToken }),
    );
    expect(rest.AnalyticsConfigurationList).toMatchObject([{ Id: 'm100' }]);
    await s3.send(new S3.DeleteBucketAnalyticsConfigurationCommand({ Bucket, Id: 'm100' }));
    expect(
      await errorOf(s3.send(new S3.DeleteBucketAnalyticsConfigurationCommand({ Bucket, Id: 'm100' }))),
    ).toMatchObject({ name: 'NoSuchConfiguration' });
    const inventory: S3.InventoryConfiguration = {
      Id: 'i',
      IsEnabled: true,
      IncludedObjectVersions: 'All',
      Schedule: { Frequency: 'Daily' },
      Destination: { S3BucketDestination: { Bucket: `arn:aws:s3:::${Bucket}`, Format: 'CSV' } },
    };
    await s3.send(
      new S3.PutBucketInventoryConfigurationCommand({ Bucket, Id: 'i', InventoryConfiguration: inventory }),
    );
    expect(
      (await s3.send(new S3.GetBucketInventoryConfigurationCommand({ Bucket, Id: 'i' }))).InventoryConfiguration,
    ).toMatchObject(inventory);
    expect(
      await errorOf(
        s3.send(new S3.PutBucketInventoryConfigurationCommand({ Bucket, Id: 'j', InventoryConfiguration: inventory })),
      ),
    ).toMatchObject({ name: 'IdMismatch' });
    // https://github.com/aws/aws-cdk/issues/27793
    const Id = 'i'.repeat(65);
    const InventoryConfiguration = { ...inventory, Id };
    expect(
      await errorOf(s3.send(new S3.PutBucketInventoryConfigurationCommand({ Bucket, Id, InventoryConfiguration }))),
    ).toMatchObject({ name: 'MalformedXML' });
    // s3/s3.snapshot.json, test_s3_analytics_configurations
    const AnalyticsConfiguration = { Id: 'i', StorageClassAnalysis: {} };
    expect(
      await errorOf(
        s3.send(new S3.PutBucketAnalyticsConfigurationCommand({ Bucket, Id: 'j', AnalyticsConfiguration })),
      ),
    ).toMatchObject({ name: 'MalformedXML' });
  });
});

describe('other settings', () => {
  it('are stored', async () => {
    await using env = await withBucket();
    const { s3 } = env;
    await s3.send(
      new S3.PutBucketRequestPaymentCommand({ Bucket, RequestPaymentConfiguration: { Payer: 'Requester' } }),
    );
    expect((await s3.send(new S3.GetBucketRequestPaymentCommand({ Bucket }))).Payer).toBe('Requester');
    await s3.send(
      new S3.PutBucketAccelerateConfigurationCommand({ Bucket, AccelerateConfiguration: { Status: 'Enabled' } }),
    );
    expect((await s3.send(new S3.GetBucketAccelerateConfigurationCommand({ Bucket }))).Status).toBe('Enabled');
    await s3.send(
      new S3.PutBucketLoggingCommand({
        Bucket,
        BucketLoggingStatus: { LoggingEnabled: { TargetBucket: Bucket, TargetPrefix: 'logs/' } },
      }),
    );
    expect((await s3.send(new S3.GetBucketLoggingCommand({ Bucket }))).LoggingEnabled).toMatchObject({
      TargetBucket: Bucket,
    });
    expect(
      await errorOf(
        s3.send(
          new S3.PutBucketLoggingCommand({
            Bucket,
            BucketLoggingStatus: { LoggingEnabled: { TargetBucket: 'nothing-here', TargetPrefix: '' } },
          }),
        ),
      ),
    ).toMatchObject({ name: 'InvalidTargetBucketForLogging', TargetBucket: 'nothing-here' });
    expect(
      await errorOf(
        s3.send(
          new S3.PutBucketReplicationCommand({
            Bucket,
            ReplicationConfiguration: {
              Role: 'r',
              Rules: [{ Status: 'Enabled', Destination: { Bucket: 'arn:aws:s3:::other' }, Prefix: '' }],
            },
          }),
        ),
      ),
    ).toMatchObject({ message: "Versioning must be 'Enabled' on the bucket to apply a replication configuration" });
  });

  it('of request metrics are stored by id, and validated', async () => {
    await using env = await withBucket();
    const put = (Id: string, Filter?: S3.MetricsFilter, id = Id) =>
      env.s3.send(
        new S3.PutBucketMetricsConfigurationCommand({ Bucket, Id, MetricsConfiguration: { Id: id, Filter } }),
      );
    await put('EntireBucket');
    await put('logs', { Prefix: 'logs/' });
    expect(await env.s3.send(new S3.GetBucketMetricsConfigurationCommand({ Bucket, Id: 'logs' }))).toMatchObject({
      MetricsConfiguration: { Id: 'logs', Filter: { Prefix: 'logs/' } },
    });
    const { MetricsConfigurationList } = await env.s3.send(new S3.ListBucketMetricsConfigurationsCommand({ Bucket }));
    expect(MetricsConfigurationList?.map(({ Id }) => Id)).toEqual(['EntireBucket', 'logs']);
    expect(await errorOf(put('a', undefined, 'b'))).toMatchObject({ name: 'IdMismatch' });
    await env.s3.send(new S3.DeleteBucketMetricsConfigurationCommand({ Bucket, Id: 'logs' }));
    expect(
      await errorOf(env.s3.send(new S3.GetBucketMetricsConfigurationCommand({ Bucket, Id: 'logs' }))),
    ).toMatchObject({ name: 'NoSuchConfiguration', $metadata: { httpStatusCode: 404 } });
  });

  it('of tables without a writer are not implemented', async () => {
    await using env = await withBucket();
    const MetadataConfiguration = {
      JournalTableConfiguration: { RecordExpiration: { Expiration: 'DISABLED' as const } },
    };
    const create = new S3.CreateBucketMetadataConfigurationCommand({ Bucket, MetadataConfiguration });
    expect(await errorOf(env.s3.send(create))).toMatchObject({
      name: 'NotImplemented',
      message: 'emu does not implement s3.CreateBucketMetadataConfiguration.',
    });
  });
});
