import * as S3 from '@aws-sdk/client-s3';
import { type PolicyStatement, policyText, type TestClientOptions, TestIdentities } from '@emu/gateway/testing';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, type ControlTest, errorOf, OTHER, start } from './support.ts';

const Bucket = 'a-bucket';
const arn = `arn:aws:s3:us-east-1:${ACCOUNT}:accesspoint/point`;
const all = `arn:aws:s3:::${Bucket}/*`;

let identities: TestIdentities;
let test: ControlTest;

beforeEach(async () => {
  identities = new TestIdentities();
  test = await start({ others: [identities.manifest, sts], settings: { values: { EMULATOR_ENFORCE_IAM: true } } });
  await test.s3.send(new S3.CreateBucketCommand({ Bucket }));
  await test.control.createAccessPoint({
    AccountId: ACCOUNT,
    Name: 'point',
    Bucket,
    Tags: [{ Key: 'team', Value: 'a' }],
  });
  await test.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'x' }));
});
afterEach(() => test[Symbol.asyncDispose]());

const allow = (
  Action: string | string[],
  Resource: string | string[],
  rest: PolicyStatement = {},
): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...rest,
});
const user = (name: string, may: PolicyStatement[] = [], accountId = ACCOUNT) =>
  identities.user(test.emulator, name, { may, accountId });
/** Reads by an ARN, for which SDKs use a separate host, or by bucket name. */
const read = (who: TestClientOptions, Key = 'k', from = arn) =>
  test.s3Of(who).send(new S3.GetObjectCommand({ Bucket: from, Key }));
const pointPolicy = (...statements: PolicyStatement[]) =>
  test.control.putAccessPointPolicy({ AccountId: ACCOUNT, Name: 'point', Policy: policyText(statements) });
const bucketPolicy = (...statements: PolicyStatement[]) =>
  test.s3.send(new S3.PutBucketPolicyCommand({ Bucket, Policy: policyText(statements) }));
const denied = { name: 'AccessDenied' };

describe('of operations', () => {
  it("requires S3's actions on S3 Control's resources", async () => {
    const control = test.controlOf(user('jane', [allow('s3:GetAccessPoint', arn)]));
    const of = { AccountId: ACCOUNT, Name: 'point' };
    await control.getAccessPoint(of);
    expect(await errorOf(control.deleteAccessPoint(of))).toMatchObject({
      name: 'AccessDenied',
      message: `User: arn:aws:iam::${ACCOUNT}:user/jane is not authorized to perform: s3:DeleteAccessPoint on resource: ${arn} because no identity-based policy allows the s3:DeleteAccessPoint action`,
    });
    const admin = test.controlOf(user('admin', [allow('s3:PutAccountPublicAccessBlock', '*')]));
    const block = { AccountId: ACCOUNT, PublicAccessBlockConfiguration: { BlockPublicAcls: true } };
    await admin.putPublicAccessBlock(block);
    await admin.deletePublicAccessBlock({ AccountId: ACCOUNT });
    expect(await errorOf(admin.getPublicAccessBlock({ AccountId: ACCOUNT }))).toMatchObject(denied);
    const outposts = `arn:aws:s3-outposts:us-east-1:${ACCOUNT}:outpost/op-01ac5d28a6a232904/bucket/local`;
    const local = test.controlOf(user('local', [allow('s3-outposts:*', outposts)]));
    await local.createBucket({ Bucket: 'local', OutpostId: 'op-01ac5d28a6a232904' });
    await local.getBucket({ AccountId: ACCOUNT, Bucket: outposts });
  });

  it('requires Multi-Region Access Points by alias, and any before creation', async () => {
    const Details = { Name: 'global', Regions: [{ Bucket }] };
    const input = { AccountId: ACCOUNT, ClientToken: 't', Details };
    const create = 's3:CreateMultiRegionAccessPoint';
    expect((await errorOf(test.controlOf(user('none')).createMultiRegionAccessPoint(input))).message).toContain(
      `${create} on resource: arn:aws:s3::${ACCOUNT}:accesspoint/* because`,
    );
    const maker = test.controlOf(user('maker', [allow(create, `arn:aws:s3::${ACCOUNT}:accesspoint/*`)]));
    const { RequestTokenARN } = await maker.createMultiRegionAccessPoint(input);
    await test.emulator.kernel.clock.advance(5000);
    const of = { AccountId: ACCOUNT, Name: 'global' };
    const { Alias } = (await test.control.getMultiRegionAccessPoint(of)).AccessPoint!;
    const reader = test.controlOf(
      user('reader', [
        allow('s3:GetMultiRegionAccessPoint', `arn:aws:s3::${ACCOUNT}:accesspoint/${Alias}`),
        allow('s3:DescribeMultiRegionAccessPointOperation', RequestTokenARN!),
      ]),
    );
    await reader.getMultiRegionAccessPoint(of);
    await reader.describeMultiRegionAccessPointOperation({ AccountId: ACCOUNT, RequestTokenARN });
    const { resources = [] } = (await test.emulator.kernel.service('s3control')).plugin;
    const handle = await test.emulator.kernel.service('s3control');
    for (const arn of [`arn:aws:s3::${ACCOUNT}:accesspoint/${Alias}`, RequestTokenARN!]) {
      const type = resources.find((candidate) => candidate.parse(arn))!;
      const address = type.parse(arn)!;
      const located = type.locate(handle, address)!;
      expect(type.find(located.state as never, address.key)).toEqual(address.key);
    }
  });

  it('considers tags', async () => {
    const team = (name: string, value: string) =>
      test.controlOf(
        user(name, [
          allow('s3:GetAccessPoint', '*', { Condition: { StringEquals: { 'aws:ResourceTag/team': value } } }),
        ]),
      );
    await team('one', 'a').getAccessPoint({ AccountId: ACCOUNT, Name: 'point' });
    const tagger = test.controlOf(
      user('tagger', [
        allow('s3:UntagResource', '*', { Condition: { StringEquals: { 'aws:ResourceTag/team': 'a' } } }),
      ]),
    );
    await tagger.untagResource({ AccountId: ACCOUNT, ResourceArn: arn, TagKeys: ['other'] });
    expect(await errorOf(team('two', 'b').getAccessPoint({ AccountId: ACCOUNT, Name: 'point' }))).toMatchObject(denied);
  });
});

describe('of objects through access points', () => {
  it('requires policies with the name of the access point', async () => {
    expect(await errorOf(read(user('nobody')))).toMatchObject(denied);
    // Permissions with the bucket's name do not apply to the access point.
    expect(await errorOf(read(user('direct', [allow('s3:GetObject', all)])))).toMatchObject(denied);
    const through = user('through', [allow('s3:GetObject', `${arn}/object/in/*`)]);
    await test.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'in/k', Body: 'x' }));
    await read(through, 'in/k');
    expect(await errorOf(read(through))).toMatchObject(denied);
    expect(await errorOf(read(through, 'in/k', Bucket))).toMatchObject(denied);
  });

  it('requires the policies of the access point and the bucket', async () => {
    const jane = { AWS: `arn:aws:iam::${ACCOUNT}:user/jane` };
    const who = user('jane');
    await pointPolicy(allow('s3:GetObject', `${arn}/object/*`, { Principal: jane }));
    await read(who);
    await bucketPolicy({ Effect: 'Deny', Principal: jane, Action: 's3:GetObject', Resource: all });
    expect(await errorOf(read(who))).toMatchObject(denied);
    const elsewhere = { StringNotEquals: { 's3:DataAccessPointArn': arn } };
    await bucketPolicy({
      Effect: 'Deny',
      Principal: jane,
      Action: 's3:GetObject',
      Resource: all,
      Condition: elsewhere,
    });
    await read(who);
    await pointPolicy({ Effect: 'Deny', Principal: jane, Action: 's3:GetObject', Resource: `${arn}/object/*` });
    expect(await errorOf(read(who))).toMatchObject(denied);
  });

  it('may depend on the tags of the access point', async () => {
    const tagged = (value: string) =>
      allow('s3:GetObject', `${arn}/object/*`, { Condition: { StringEquals: { 's3:AccessPointTag/team': value } } });
    expect(await errorOf(read(user('other', [tagged('b')])))).toMatchObject(denied);
    await read(user('own', [tagged('a')]));
    const own = (value: string) =>
      allow('s3:GetAccessPoint', arn, { Condition: { StringEquals: { 's3:AccessPointTag/team': value } } });
    const describe = (name: string, value: string) =>
      test.controlOf(user(name, [own(value)])).getAccessPoint({ AccountId: ACCOUNT, Name: 'point' });
    expect(await errorOf(describe('someone', 'b'))).toMatchObject(denied);
    await describe('owner', 'a');
  });

  it('admits other accounts if the bucket delegates to its access points', async () => {
    const bob = { AWS: `arn:aws:iam::${OTHER}:root` };
    const who = user('bob', [allow('s3:GetObject', `${arn}/object/*`)], OTHER);
    await pointPolicy(allow('s3:GetObject', `${arn}/object/*`, { Principal: bob }));
    expect(await errorOf(read(who))).toMatchObject(denied);
    const delegated = (account: string) =>
      bucketPolicy(
        allow('*', [`arn:aws:s3:::${Bucket}`, all], {
          Principal: { AWS: '*' },
          Condition: { StringEquals: { 's3:DataAccessPointAccount': account } },
        }),
      );
    await delegated(OTHER);
    expect(await errorOf(read(who))).toMatchObject(denied);
    await delegated(ACCOUNT);
    await read(who);
    expect(await errorOf(read(who, 'k', Bucket))).toMatchObject(denied);
  });

  it('restricts public policies to the account if configured', async () => {
    await test.s3.send(new S3.DeletePublicAccessBlockCommand({ Bucket }));
    await bucketPolicy(allow('s3:GetObject', all, { Principal: '*' }));
    const bob = user('bob', [allow('s3:GetObject', '*')], OTHER);
    await read(bob, 'k', Bucket);
    const PublicAccessBlockConfiguration = { RestrictPublicBuckets: true };
    await test.control.putPublicAccessBlock({ AccountId: ACCOUNT, PublicAccessBlockConfiguration });
    expect(await errorOf(read(bob, 'k', Bucket))).toMatchObject(denied);
    await read(user('jane'), 'k', Bucket);
  });
});

describe('of batch jobs', () => {
  const roleArn = (name: string) => `arn:aws:iam::${ACCOUNT}:role/${name}`;
  const batch = { Service: 'batchoperations.s3.amazonaws.com' };
  const generator = { SourceBucket: `arn:aws:s3:::${Bucket}`, EnableManifestOutput: false };
  const jobOf = (role: string, Priority = 1) => ({
    AccountId: ACCOUNT,
    ConfirmationRequired: false,
    ClientRequestToken: `${role}-${Priority}`,
    Operation: { S3PutObjectTagging: { TagSet: [{ Key: 'a', Value: 'b' }] } },
    Report: { Enabled: false },
    Priority,
    RoleArn: roleArn(role),
    ManifestGenerator: { S3JobManifestGenerator: generator },
  });
  const run = async (name: string) => {
    const { JobId } = await test.control.createJob(jobOf(name));
    await test.emulator.kernel.clock.advance(5000);
    return (await test.control.describeJob({ AccountId: ACCOUNT, JobId })).Job!;
  };
  const trusts = [{ Effect: 'Allow', Principal: batch, Action: 'sts:AssumeRole' }];

  it("uses the job's role for everything", async () => {
    const list = allow('s3:ListBucketVersions', `arn:aws:s3:::${Bucket}`);
    identities.role('writer', { accountId: ACCOUNT, trusts, may: [list, allow('s3:PutObjectTagging', all)] });
    identities.role('reader', { accountId: ACCOUNT, trusts, may: [list] });
    identities.role('blind', { accountId: ACCOUNT, trusts });
    identities.role('closed', { accountId: ACCOUNT, trusts: [], may: [list] });
    expect((await run('writer')).ProgressSummary).toMatchObject({ NumberOfTasksSucceeded: 1 });
    expect((await run('reader')).ProgressSummary).toMatchObject({ NumberOfTasksFailed: 1 });
    for (const name of ['blind', 'closed'])
      expect(await run(name)).toMatchObject({ Status: 'Failed', FailureReasons: [{ FailureCode: 'AccessDenied' }] });
  });

  it("requires permissions for the job's role, its operation and its priority", async () => {
    const create = (
      condition: PolicyStatement = {},
      passed: PolicyStatement[] = [allow('iam:PassRole', roleArn('writer'))],
    ) => test.controlOf(user('maker', [allow('s3:CreateJob', '*', condition), ...passed]));
    const limited = { Condition: { NumericLessThanEquals: { 's3:RequestJobPriority': '5' } } };
    await create(limited).createJob(jobOf('writer', 5));
    expect(await errorOf(create(limited).createJob(jobOf('writer', 6)))).toMatchObject(denied);
    const copies = { Condition: { StringEquals: { 's3:RequestJobOperation': 'S3PutObjectCopy' } } };
    expect(await errorOf(create(copies).createJob(jobOf('writer', 7)))).toMatchObject(denied);
    expect((await errorOf(create({}, []).createJob(jobOf('writer', 8)))).message).toContain('iam:PassRole');
  });
});
