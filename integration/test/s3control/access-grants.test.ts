import * as S3 from '@aws-sdk/client-s3';
import { STS } from '@aws-sdk/client-sts';
import { type PolicyStatement, policyText, TestIdentities } from '@emu/gateway/testing';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT as AccountId, type ControlTest, errorOf, OTHER, start } from './support.ts';

const Bucket = 'a-bucket';
const instanceArn = `arn:aws:s3:us-east-1:${AccountId}:access-grants/default`;
const role = `arn:aws:iam::${AccountId}:role/location`;
const jane = `arn:aws:iam::${AccountId}:user/jane`;
const iam = (GranteeIdentifier: string) => ({ GranteeType: 'IAM' as const, GranteeIdentifier });

describe('instances, locations and grants', () => {
  let test: ControlTest;
  beforeEach(async () => {
    test = await start({ others: [sts] });
  });
  afterEach(() => test[Symbol.asyncDispose]());

  it('are created, returned, updated and deleted', async () => {
    const { control } = test;
    expect(await errorOf(control.getAccessGrantsInstance({ AccountId }))).toMatchObject({
      name: 'AccessGrantsInstanceNotExistsError',
      message: 'Access Grants Instance does not exist',
      $metadata: { httpStatusCode: 404 },
    });
    const instance = { AccessGrantsInstanceId: 'default', AccessGrantsInstanceArn: instanceArn };
    const Tags = [{ Key: 'a', Value: 'b' }];
    expect(await control.createAccessGrantsInstance({ AccountId, Tags })).toMatchObject(instance);
    expect((await errorOf(control.createAccessGrantsInstance({ AccountId }))).name).toBe(
      'AccessGrantsInstanceAlreadyExists',
    );
    expect((await control.listAccessGrantsInstances({ AccountId })).AccessGrantsInstancesList).toMatchObject([
      instance,
    ]);
    const elsewhere = test.controlOf({ region: 'eu-west-1' });
    expect((await elsewhere.listAccessGrantsInstances({ AccountId })).AccessGrantsInstancesList ?? []).toEqual([]);

    const LocationScope = `s3://${Bucket}/data/*`;
    const locationOf = (scope: string) =>
      control.createAccessGrantsLocation({ AccountId, LocationScope: scope, IAMRoleArn: role, Tags });
    const location = await locationOf(LocationScope);
    expect(location).toMatchObject({
      LocationScope,
      IAMRoleArn: role,
      AccessGrantsLocationArn: `${instanceArn}/location/${location.AccessGrantsLocationId}`,
    });
    expect((await locationOf('s3://')).AccessGrantsLocationId).toBe('default');
    expect((await errorOf(locationOf(LocationScope))).name).toBe('AccessGrantsLocationAlreadyExistsError');
    expect((await errorOf(locationOf('s3://b/a*b*'))).name).toBe('InvalidAccessGrantsLocation');
    const { AccessGrantsLocationId } = location;
    const updated = await control.updateAccessGrantsLocation({
      AccountId,
      AccessGrantsLocationId,
      IAMRoleArn: `${role}2`,
    });
    expect(updated.IAMRoleArn).toBe(`${role}2`);
    const foreign = { AccountId, AccessGrantsLocationId, IAMRoleArn: `arn:aws:iam::${OTHER}:role/x` };
    expect((await errorOf(control.updateAccessGrantsLocation(foreign))).name).toBe('InvalidIamRole');
    const found = await control.listAccessGrantsLocations({ AccountId, LocationScope });
    expect(found.AccessGrantsLocationsList).toMatchObject([{ AccessGrantsLocationId, IAMRoleArn: `${role}2` }]);

    const grantOf = (rest: object = {}) =>
      control.createAccessGrant({ AccountId, AccessGrantsLocationId, Grantee: iam(jane), Permission: 'READ', ...rest });
    const grant = await grantOf({ AccessGrantsLocationConfiguration: { S3SubPrefix: 'in/*' }, Tags });
    expect(grant).toMatchObject({
      Grantee: iam(jane),
      Permission: 'READ',
      GrantScope: `s3://${Bucket}/data/in/*`,
      AccessGrantsLocationConfiguration: { S3SubPrefix: 'in/*' },
      AccessGrantArn: `${instanceArn}/grant/${grant.AccessGrantId}`,
    });
    const again = grantOf({ AccessGrantsLocationConfiguration: { S3SubPrefix: 'in/*' } });
    expect((await errorOf(again)).name).toBe('AccessGrantAlreadyExists');
    for (const bad of [
      { Grantee: iam('jane') },
      { Grantee: { GranteeType: 'DIRECTORY_USER', GranteeIdentifier: '83d43802-00b1-7054-db02-f1d683aacba5' } },
      { S3PrefixType: 'Object', AccessGrantsLocationConfiguration: { S3SubPrefix: 'in/*' } },
    ])
      expect((await errorOf(grantOf(bad))).name).toBe('InvalidAccessGrant');
    const nowhere = grantOf({ AccessGrantsLocationId: 'none' });
    expect((await errorOf(nowhere)).name).toBe('NoSuchAccessGrantsLocationError');
    const of = { AccountId, AccessGrantId: grant.AccessGrantId! };
    expect(await control.getAccessGrant(of)).toMatchObject({ GrantScope: grant.GrantScope });
    expect((await control.listAccessGrants({ AccountId, Permission: 'READ' })).AccessGrantsList).toHaveLength(1);
    expect((await control.listAccessGrants({ AccountId, Permission: 'WRITE' })).AccessGrantsList ?? []).toEqual([]);
    for (const ResourceArn of [instanceArn, location.AccessGrantsLocationArn!, grant.AccessGrantArn!])
      expect((await control.listTagsForResource({ AccountId, ResourceArn })).Tags).toEqual(Tags);

    const drop = () => control.deleteAccessGrantsLocation({ AccountId, AccessGrantsLocationId });
    expect((await errorOf(drop())).name).toBe('AccessGrantsLocationNotEmptyError');
    await control.deleteAccessGrant(of);
    expect((await errorOf(control.getAccessGrant(of))).name).toBe('NoSuchAccessGrantError');
    await drop();
    expect((await errorOf(drop())).name).toBe('NoSuchAccessGrantsLocationError');
    const remove = () => control.deleteAccessGrantsInstance({ AccountId });
    expect((await errorOf(remove())).name).toBe('AccessGrantsInstanceNotEmptyError');
    await control.deleteAccessGrantsLocation({ AccountId, AccessGrantsLocationId: 'default' });
    await remove();
    expect((await errorOf(remove())).name).toBe('AccessGrantsInstanceNotExistsError');
  });

  it('belong to a directory, and have a policy', async () => {
    const { control } = test;
    await control.createAccessGrantsInstance({ AccountId });
    const IdentityCenterArn = 'arn:aws:sso:::instance/ssoins-1234567890abcdef';
    await control.associateAccessGrantsIdentityCenter({ AccountId, IdentityCenterArn });
    expect(await control.getAccessGrantsInstance({ AccountId })).toMatchObject({
      IdentityCenterInstanceArn: IdentityCenterArn,
      IdentityCenterApplicationArn: expect.stringMatching(
        `^arn:aws:sso::${AccountId}:application/ssoins-1234567890abcdef/apl-[0-9a-f]{16}$`,
      ),
    });
    const { AccessGrantsLocationId } = await control.createAccessGrantsLocation({
      AccountId,
      LocationScope: `s3://${Bucket}`,
      IAMRoleArn: role,
    });
    const { GrantScope } = await control.createAccessGrant({
      AccountId,
      AccessGrantsLocationId,
      Permission: 'WRITE',
      Grantee: { GranteeType: 'DIRECTORY_GROUP', GranteeIdentifier: '83d43802-00b1-7054-db02-f1d683aacba5' },
    });
    expect(GrantScope).toBe(`s3://${Bucket}/*`);
    await control.dissociateAccessGrantsIdentityCenter({ AccountId });
    expect((await control.getAccessGrantsInstance({ AccountId })).IdentityCenterInstanceArn).toBeUndefined();

    const get = () => control.getAccessGrantsInstanceResourcePolicy({ AccountId });
    const put = (Policy: string) => control.putAccessGrantsInstanceResourcePolicy({ AccountId, Policy });
    expect((await errorOf(get())).name).toBe('AccessGrantsInstanceResourcePolicyNotExists');
    expect((await errorOf(put('{}'))).name).toBe('InvalidResourcePolicy');
    const Policy = policyText([
      { Effect: 'Allow', Principal: { AWS: OTHER }, Action: 's3:ListAccessGrants', Resource: instanceArn },
    ]);
    const other = test.controlOf({ accessKeyId: OTHER });
    expect((await errorOf(other.listAccessGrants({ AccountId }))).name).toBe('AccessDenied');
    await put(Policy);
    expect((await get()).Policy).toBe(Policy);
    expect((await other.listAccessGrants({ AccountId })).AccessGrantsList).toHaveLength(1);
    expect((await errorOf(other.listAccessGrantsLocations({ AccountId }))).name).toBe('AccessDenied');
    await control.deleteAccessGrantsInstanceResourcePolicy({ AccountId });
    expect((await errorOf(other.listAccessGrants({ AccountId }))).name).toBe('AccessDenied');
  });

  it('are found by prefix', async () => {
    const { control } = test;
    const find = (client: typeof control, account: string, S3Prefix = `s3://${Bucket}/x`) =>
      client.getAccessGrantsInstanceForPrefix({ AccountId: account, S3Prefix });
    await test.s3.send(new S3.CreateBucketCommand({ Bucket }));
    expect((await errorOf(find(control, AccountId))).name).toBe('AccessGrantsInstanceNotExistsError');
    await control.createAccessGrantsInstance({ AccountId });
    await control.createAccessGrantsLocation({ AccountId, LocationScope: 's3://', IAMRoleArn: role });
    for (const [client, account] of [
      [control, AccountId],
      [test.controlOf({ accessKeyId: OTHER }), OTHER],
    ] as const)
      expect((await find(client, account)).AccessGrantsInstanceArn).toBe(instanceArn);
    expect((await errorOf(find(control, AccountId, 's3://not-there/x'))).name).toBe(
      'AccessGrantsInstanceNotExistsError',
    );
  });
});

describe('data access', () => {
  const identities = new TestIdentities();
  let test: ControlTest;
  let grantee: ReturnType<TestIdentities['user']>;
  const allow = (Action: string, Resource: string): PolicyStatement => ({ Effect: 'Allow', Action, Resource });
  beforeEach(async () => {
    test = await start({
      others: [sts, identities.manifest],
      settings: { values: { EMULATOR_ENFORCE_IAM: true } },
    });
    await test.s3.send(new S3.CreateBucketCommand({ Bucket }));
    for (const Key of ['in/a', 'in/deep/b', 'out/c'])
      await test.s3.send(new S3.PutObjectCommand({ Bucket, Key, Body: Key }));
    grantee = identities.user(test.emulator, 'jane', {
      accountId: AccountId,
      may: [allow('s3:GetDataAccess', instanceArn), allow('s3:ListCallerAccessGrants', instanceArn)],
    });
    const Principal = { Service: 'access-grants.s3.amazonaws.com' };
    identities.role('location', {
      accountId: AccountId,
      may: [allow('s3:*', '*')],
      trusts: [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }],
    });
    identities.role('closed', { trusts: [], accountId: AccountId });
    await test.control.createAccessGrantsInstance({ AccountId });
  });
  afterEach(() => test[Symbol.asyncDispose]());

  const grant = async (scope: string, Permission: 'READ' | 'READWRITE' = 'READ', IAMRoleArn = role) => {
    const { AccessGrantsLocationId } = await test.control.createAccessGrantsLocation({
      AccountId,
      LocationScope: scope,
      IAMRoleArn,
    });
    await test.control.createAccessGrant({ AccountId, AccessGrantsLocationId, Permission, Grantee: iam(jane) });
  };
  const access = (Target: string, rest: object = {}) =>
    test.controlOf(grantee).getDataAccess({ AccountId, Target, Permission: 'READ', ...rest });
  /** Returns a client with the issued credentials. */
  const clientOf = ({ Credentials: given }: Pick<Awaited<ReturnType<typeof access>>, 'Credentials'>) =>
    test.s3Of(
      {},
      {
        credentials: {
          accessKeyId: given!.AccessKeyId!,
          secretAccessKey: given!.SecretAccessKey!,
          sessionToken: given!.SessionToken!,
        },
      },
    );
  const read = (client: S3.S3Client, Key: string) => client.send(new S3.GetObjectCommand({ Bucket, Key }));

  // https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html#amazons3-policy-keys
  it('and the grants themselves have condition keys', async () => {
    const where = (key: string, value: string): PolicyStatement => ({
      Effect: 'Allow',
      Action: 's3:*',
      Resource: '*',
      Condition: { StringEquals: { [`s3:${key}`]: value } },
    });
    const as = (name: string, key: string, value: string) =>
      test.controlOf(identities.user(test.emulator, name, { accountId: AccountId, may: [where(key, value)] }));
    const LocationScope = `s3://${Bucket}/in/*`;
    const location = (name: string, scope: string) =>
      as(name, 'AccessGrantsLocationScope', scope).createAccessGrantsLocation({
        AccountId,
        LocationScope,
        IAMRoleArn: role,
      });
    expect((await errorOf(location('elsewhere', 's3://'))).name).toBe('AccessDenied');
    // The role must be passed, too, which the condition denies.
    expect((await errorOf(location('here', LocationScope))).message).toContain('iam:PassRole');
    const { AccessGrantsLocationId } = await test.control.createAccessGrantsLocation({
      AccountId,
      LocationScope,
      IAMRoleArn: role,
    });
    const create = (name: string, scope: string) =>
      as(name, 'AccessGrantScope', scope).createAccessGrant({
        AccountId,
        AccessGrantsLocationId,
        AccessGrantsLocationConfiguration: { S3SubPrefix: 'deep/*' },
        Permission: 'READ',
        Grantee: iam(jane),
      });
    expect((await errorOf(create('other', LocationScope))).name).toBe('AccessDenied');
    const { AccessGrantId } = await create('deep', `s3://${Bucket}/in/deep/*`);
    const of = { AccountId, AccessGrantId };
    expect((await errorOf(as('other', 'AccessGrantScope', 's3://').getAccessGrant(of))).name).toBe('AccessDenied');
    await as('deep', 'AccessGrantScope', `s3://${Bucket}/in/deep/*`).getAccessGrant(of);

    // Credentials of a grant, as opposed to other sessions of its role.
    const client = clientOf(await access(`s3://${Bucket}/in/deep/*`));
    const Condition = { StringNotEquals: { 's3:AccessGrantsInstanceArn': instanceArn } };
    const deny = {
      Effect: 'Deny' as const,
      Principal: '*',
      Action: 's3:GetObject',
      Resource: `arn:aws:s3:::${Bucket}/*`,
    };
    const Policy = policyText([{ ...deny, Condition }]);
    await test.s3.send(new S3.PutBucketPolicyCommand({ Bucket, Policy }));
    await read(client, 'in/deep/b');
    expect((await errorOf(read(test.s3, 'in/deep/b'))).name).toBe('AccessDenied');

    // Users choose the names of their sessions.
    const assumer = { accountId: AccountId, may: [allow('sts:AssumeRole', '*')] };
    const trusts = [{ Effect: 'Allow' as const, Principal: { AWS: jane }, Action: 'sts:AssumeRole' }];
    identities.role('imitator', { accountId: AccountId, may: [allow('s3:*', '*')], trusts });
    const credentials = identities.user(test.emulator, 'jane', assumer);
    const imitated = await new STS(test.emulator.clientConfig(credentials)).assumeRole({
      RoleArn: `arn:aws:iam::${AccountId}:role/imitator`,
      RoleSessionName: 'access-grants-00000000-0000-4000-8000-000000000000',
    });
    expect((await errorOf(read(clientOf(imitated), 'in/deep/b'))).name).toBe('AccessDenied');
  });

  it('is limited to the grant that matches the target most closely', async () => {
    await grant(`s3://${Bucket}/in/*`);
    await grant(`s3://${Bucket}/in/deep/*`, 'READWRITE');
    const wide = await access(`s3://${Bucket}/in/*`);
    expect(wide).toMatchObject({ MatchedGrantTarget: `s3://${Bucket}/in/*`, Grantee: iam(jane) });
    const client = clientOf(wide);
    for (const key of ['in/a', 'in/deep/b']) await read(client, key);
    expect((await errorOf(read(client, 'out/c'))).name).toBe('AccessDenied');
    const write = client.send(new S3.PutObjectCommand({ Bucket, Key: 'in/a', Body: 'x' }));
    expect((await errorOf(write)).name).toBe('AccessDenied');
    await client.send(new S3.ListObjectsV2Command({ Bucket, Prefix: 'in/' }));
    expect((await errorOf(client.send(new S3.ListObjectsV2Command({ Bucket })))).name).toBe('AccessDenied');

    const deep = await access(`s3://${Bucket}/in/deep/b`, { TargetType: 'Object', Permission: 'READWRITE' });
    expect(deep.MatchedGrantTarget).toBe(`s3://${Bucket}/in/deep/*`);
    await clientOf(deep).send(new S3.PutObjectCommand({ Bucket, Key: 'in/deep/new', Body: 'x' }));
    const minimal = await access(`s3://${Bucket}/in/deep/b`, { TargetType: 'Object', Privilege: 'Minimal' });
    expect(minimal.MatchedGrantTarget).toBe(`s3://${Bucket}/in/deep/b`);
    await read(clientOf(minimal), 'in/deep/b');
    expect((await errorOf(read(clientOf(minimal), 'in/deep/new'))).name).toBe('AccessDenied');

    const refused = access(`s3://${Bucket}/in/*`, { Permission: 'WRITE' });
    expect(await errorOf(refused)).toMatchObject({
      name: 'AccessDenied',
      message: `You do not have WRITE permissions to the requested S3 Prefix: s3://${Bucket}/in/*`,
      $metadata: { httpStatusCode: 403 },
    });
    expect((await errorOf(access(`s3://${Bucket}/out/*`))).name).toBe('AccessDenied');
    expect((await errorOf(access('nonsense'))).name).toBe('InvalidRequest');
    const { CallerAccessGrantsList } = await test.controlOf(grantee).listCallerAccessGrants({ AccountId });
    expect(CallerAccessGrantsList!.map(({ GrantScope }) => GrantScope).sort()).toEqual([
      `s3://${Bucket}/in/*`,
      `s3://${Bucket}/in/deep/*`,
    ]);
  });

  it('requires a role that trusts S3 Access Grants', async () => {
    await grant(`s3://${Bucket}/in/*`, 'READ', `arn:aws:iam::${AccountId}:role/closed`);
    expect(await errorOf(access(`s3://${Bucket}/in/*`))).toMatchObject({
      name: 'StsNotAuthorizedError',
      message: `User: access-grants.s3.amazonaws.com is not authorized to perform: sts:AssumeRole on resource: arn:aws:iam::${AccountId}:role/closed`,
    });
  });

  it('is granted to sessions of roles', async () => {
    const reader = identities.role('reader', { accountId: AccountId, may: [allow('s3:GetDataAccess', instanceArn)] });
    await grant(`s3://${Bucket}/in/*`);
    grantee = identities.session(test.emulator, reader);
    expect((await errorOf(access(`s3://${Bucket}/in/*`))).name).toBe('AccessDenied');
    const { AccessGrantsList } = await test.control.listAccessGrants({ AccountId });
    const { AccessGrantsLocationId } = AccessGrantsList![0]!;
    await test.control.createAccessGrant({
      AccountId,
      AccessGrantsLocationId,
      Permission: 'READ',
      Grantee: iam(reader),
    });
    await read(clientOf(await access(`s3://${Bucket}/in/*`)), 'in/a');
  });
});
