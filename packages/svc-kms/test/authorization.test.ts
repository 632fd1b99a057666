import { KMS } from '@aws-sdk/client-kms';
import {
  createTestEmulator,
  type PolicyStatement,
  policyText,
  type TestEmulator,
  TestIdentities,
} from '@emu/gateway/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manifest } from '../src/manifest.ts';

const ACCOUNT = '123456789012';
const OTHER = '000000000002';
const ROOT = `arn:aws:iam::${ACCOUNT}:root`;
const JANE = `arn:aws:iam::${ACCOUNT}:user/jane`;

let identities: TestIdentities;
let emulator: TestEmulator;
let root: KMS;
let KeyId: string;

const allow = (Action: string | string[], rest: PolicyStatement = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action,
  Resource: '*',
  ...rest,
});
const admin = allow('kms:*', { Principal: { AWS: ROOT } });

beforeEach(async () => {
  identities = new TestIdentities();
  emulator = await createTestEmulator({
    manifests: [manifest, identities.manifest],
    settings: { values: { EMULATOR_ENFORCE_IAM: true } },
  });
  root = new KMS(emulator.clientConfig());
  KeyId = (await root.createKey({ Tags: [{ TagKey: 'team', TagValue: 'blue' }] })).KeyMetadata!.Arn!;
});
afterEach(() => emulator.close());

const as = (name: string, may: PolicyStatement[] = [], accountId = ACCOUNT): KMS =>
  new KMS(emulator.clientConfig(identities.user(emulator, name, { may, accountId })));
const setPolicy = (...statements: PolicyStatement[]) =>
  root.putKeyPolicy({ KeyId, Policy: policyText(statements), BypassPolicyLockoutSafetyCheck: true });
const encrypt = (kms: KMS, EncryptionContext: Record<string, string> = {}) =>
  kms.encrypt({ KeyId, Plaintext: Buffer.from('x'), EncryptionContext });
const refused = (who: string, action: string, resource: string, why: string) => ({
  name: 'AccessDeniedException',
  message: `User: ${who} is not authorized to perform: ${action} on resource: ${resource} ${why}`,
  $metadata: expect.objectContaining({ httpStatusCode: 400 }),
});
const denied = { name: 'AccessDeniedException' };

describe('key policies', () => {
  test('by default delegate to the policies of the account', async () => {
    await expect(encrypt(as('jane'))).rejects.toMatchObject(
      refused(JANE, 'kms:Encrypt', KeyId, 'because no identity-based policy allows the kms:Encrypt action'),
    );
    await encrypt(as('jane', [allow('kms:Encrypt')]));
    await encrypt(as('jane', [allow('kms:Encrypt', { Resource: KeyId })]));
    await expect(encrypt(as('jane', [allow('kms:Encrypt', { Resource: `${KeyId}x` })]))).rejects.toMatchObject(denied);
  });

  test('without the account, identity policies of its users have no effect', async () => {
    as('jane');
    await setPolicy(allow('kms:Decrypt', { Principal: { AWS: JANE } }));
    await expect(encrypt(as('bob', [allow('kms:*')]))).rejects.toMatchObject({
      message: expect.stringContaining('because no resource-based policy allows the kms:Encrypt action'),
    });
    await expect(encrypt(root)).rejects.toMatchObject(denied);
  });

  test('can name users, who then need no other policy', async () => {
    as('jane');
    await setPolicy(admin, allow('kms:Encrypt', { Principal: { AWS: JANE } }));
    await encrypt(as('jane'));
    await setPolicy(admin, allow('kms:Encrypt', { Effect: 'Deny', Principal: '*' }));
    await expect(encrypt(as('jane', [allow('kms:*')]))).rejects.toMatchObject({
      message: expect.stringContaining('with an explicit deny in a resource-based policy'),
    });
  });

  test('reject users and roles that the account lacks', async () => {
    const naming = (AWS: string) => setPolicy(admin, allow('kms:Encrypt', { Principal: { AWS } }));
    const invalid = {
      name: 'MalformedPolicyDocumentException',
      message: 'Policy contains a statement with one or more invalid principals.',
    };
    await expect(naming(`${ROOT.slice(0, -4)}role/nobody`)).rejects.toMatchObject(invalid);
    await expect(naming('nobody')).rejects.toMatchObject(invalid);
    const Policy = policyText([admin, allow('kms:Encrypt', { Principal: { AWS: `${JANE}2` } })]);
    await expect(root.createKey({ Policy })).rejects.toMatchObject(invalid);
    await naming(`arn:aws:iam::${OTHER}:user/somebody`);
    await naming(identities.role('app'));
    expect((await root.getKeyPolicy({ KeyId })).Policy).toContain('role/app');
  });

  test('allow other accounts to decrypt and to retire grants by token', async () => {
    const eve = as('eve', [allow('kms:*')], OTHER);
    const { CiphertextBlob } = await encrypt(root);
    const hidden = {
      name: 'AccessDeniedException',
      message:
        'The ciphertext refers to a customer master key that does not exist, does not exist in this region, or you are not allowed to access.',
    };
    await expect(eve.decrypt({ CiphertextBlob })).rejects.toMatchObject(hidden);
    await setPolicy(
      admin,
      allow(['kms:Decrypt', 'kms:ReEncryptFrom'], { Principal: { AWS: `arn:aws:iam::${OTHER}:root` } }),
    );
    expect(Buffer.from((await eve.decrypt({ CiphertextBlob })).Plaintext!).toString()).toBe('x');
    const own = (await eve.createKey({})).KeyMetadata!.Arn!;
    expect(await eve.reEncrypt({ CiphertextBlob, DestinationKeyId: own })).toMatchObject({ SourceKeyId: KeyId });
    const elsewhere = new KMS(emulator.clientConfig({ region: 'eu-west-1' }));
    await expect(elsewhere.decrypt({ CiphertextBlob })).rejects.toMatchObject(hidden);

    const { GrantToken } = await root.createGrant({
      KeyId,
      GranteePrincipal: JANE,
      RetiringPrincipal: `arn:aws:iam::${OTHER}:user/eve`,
      Operations: ['Encrypt'],
    });
    await expect(as('bob', [allow('kms:Decrypt')], OTHER).retireGrant({ GrantToken })).rejects.toMatchObject(denied);
    await eve.retireGrant({ GrantToken });
    expect((await root.listGrants({ KeyId })).Grants).toEqual([]);
  });

  test('may leave the key to the role of the current session, and must not deny it', async () => {
    const role = identities.role('keeper', { may: [allow('kms:*')] });
    const session = new KMS(emulator.clientConfig(identities.session(emulator, role)));
    const own = allow('kms:*', { Principal: { AWS: role } });
    const made = (await session.createKey({ Policy: policyText([own]) })).KeyMetadata!.KeyId!;
    await session.putKeyPolicy({ KeyId: made, Policy: policyText([own, own]) });
    const primary = (await root.createKey({ MultiRegion: true })).KeyMetadata!.KeyId!;
    await session.replicateKey({ KeyId: primary, ReplicaRegion: 'eu-west-1', Policy: policyText([own]) });
    const locked = {
      name: 'MalformedPolicyDocumentException',
      message: 'The new key policy will not allow you to update the key policy in the future.',
    };
    const denial = allow('kms:PutKeyPolicy', { Effect: 'Deny', Principal: { AWS: role } });
    await expect(session.createKey({ Policy: policyText([own, denial]) })).rejects.toMatchObject(locked);
    const most = { Effect: 'Allow', Principal: { AWS: role }, NotAction: 'kms:Put*', Resource: '*' } as const;
    await expect(session.createKey({ Policy: policyText([most]) })).rejects.toMatchObject(locked);
    await session.createKey({ Policy: policyText([{ ...most, NotAction: 'kms:Encrypt' }]) });
    const other = allow('kms:*', { Principal: { AWS: identities.role('other') } });
    await expect(session.createKey({ Policy: policyText([other]) })).rejects.toMatchObject(locked);
  });

  test("of another account and the caller's own policies must both allow", async () => {
    const eve = as('eve', [allow('kms:*')], OTHER);
    await expect(encrypt(eve)).rejects.toMatchObject(denied);
    await setPolicy(admin, allow('kms:Encrypt', { Principal: { AWS: `arn:aws:iam::${OTHER}:root` } }));
    await encrypt(eve);
    await expect(encrypt(as('eve', [], OTHER))).rejects.toMatchObject(denied);
  });

  test('of AWS managed keys allow access through their service only', async () => {
    const alias = 'alias/aws/sqs';
    await expect(root.encrypt({ KeyId: alias, Plaintext: Buffer.from('x') })).rejects.toMatchObject(denied);
    const { KeyMetadata } = await root.describeKey({ KeyId: alias });
    const principal = { type: 'user', accountId: ACCOUNT, arn: JANE, userId: 'AIDAJANE' } as const;
    const generate = (via: string) =>
      emulator.kernel.call('kms', 'GenerateDataKey', { KeyId: KeyMetadata!.Arn!, KeySpec: 'AES_256' }, {
        accountId: ACCOUNT,
        region: 'us-east-1',
        principal,
        authorize: {},
        via,
      } as never);
    await expect(generate('sqs')).resolves.toMatchObject({ KeyId: KeyMetadata!.Arn });
    await expect(generate('s3')).rejects.toMatchObject({ code: 'AccessDeniedException' });
  });
});

describe('permissions', () => {
  test('of Decrypt and ReEncrypt apply to the keys of the ciphertext and the request', async () => {
    const { CiphertextBlob } = await encrypt(root);
    const other = (await root.createKey({})).KeyMetadata!.Arn!;
    await expect(as('jane').decrypt({ CiphertextBlob })).rejects.toMatchObject({
      message: expect.stringContaining(`kms:Decrypt on resource: ${KeyId}`),
    });
    await as('jane', [allow('kms:Decrypt', { Resource: KeyId })]).decrypt({ CiphertextBlob });
    const from = allow('kms:ReEncryptFrom', { Resource: KeyId });
    const again = { CiphertextBlob, DestinationKeyId: other };
    await expect(as('jane', [from]).reEncrypt(again)).rejects.toMatchObject({
      message: expect.stringContaining(`kms:ReEncryptTo on resource: ${other}`),
    });
    await as('jane', [from, allow('kms:ReEncryptTo', { Resource: other })]).reEncrypt(again);
  });

  test('of aliases apply to the alias and its key', async () => {
    const alias = `arn:aws:kms:us-east-1:${ACCOUNT}:alias/app`;
    const create = (kms: KMS) => kms.createAlias({ AliasName: 'alias/app', TargetKeyId: KeyId });
    await expect(create(as('jane', [allow('kms:CreateAlias', { Resource: KeyId })]))).rejects.toMatchObject({
      message: expect.stringContaining(`on resource: ${alias}`),
    });
    await expect(create(as('jane', [allow('kms:CreateAlias', { Resource: alias })]))).rejects.toMatchObject({
      message: expect.stringContaining(`on resource: ${KeyId}`),
    });
    await create(as('jane', [allow('kms:CreateAlias', { Resource: [alias, KeyId] })]));
    await expect(as('jane').deleteAlias({ AliasName: 'alias/app' })).rejects.toMatchObject(denied);
  });

  test('of operations without a key apply to every resource', async () => {
    await expect(as('jane').listKeys({})).rejects.toMatchObject(
      refused(JANE, 'kms:ListKeys', '*', 'because no identity-based policy allows the kms:ListKeys action'),
    );
    await as('jane', [allow(['kms:ListKeys', 'kms:ListAliases', 'kms:GenerateRandom'])]).listAliases({ KeyId });
    await expect(
      as('jane', [allow('kms:CreateKey')]).createKey({ Tags: [{ TagKey: 'a', TagValue: 'b' }] }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('kms:TagResource'),
    });
  });

  test.each<[what: string, condition: object, expected: boolean]>([
    ['a pair of the encryption context', { StringEquals: { 'kms:EncryptionContext:app': 'shop' } }, true],
    ['another pair', { StringEquals: { 'kms:EncryptionContext:app': 'blog' } }, false],
    ['the keys of the context', { 'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['app'] } }, true],
    [
      'the spec of the key',
      { StringEquals: { 'kms:KeySpec': 'SYMMETRIC_DEFAULT', 'kms:KeyUsage': 'ENCRYPT_DECRYPT' } },
      true,
    ],
    ['the origin of the key', { StringEquals: { 'kms:KeyOrigin': 'EXTERNAL' } }, false],
    ['the account of the caller', { StringEquals: { 'kms:CallerAccount': ACCOUNT } }, true],
    ['the service that calls', { StringEquals: { 'kms:ViaService': 's3.us-east-1.amazonaws.com' } }, false],
    ['a tag of the key', { StringEquals: { 'aws:ResourceTag/team': 'blue' } }, true],
    ['an alias of the key', { 'ForAnyValue:StringEquals': { 'kms:ResourceAliases': 'alias/app' } }, false],
    ['one Region only', { Bool: { 'kms:MultiRegion': 'false' } }, true],
    [
      'the algorithm that is used unless said',
      { StringEquals: { 'kms:EncryptionAlgorithm': 'SYMMETRIC_DEFAULT' } },
      true,
    ],
  ])('can depend on %s', async (_what, Condition, expected) => {
    const answer = encrypt(as('jane', [allow('kms:Encrypt', { Condition })]), { app: 'shop' });
    if (expected) await expect(answer).resolves.toMatchObject({ KeyId });
    else await expect(answer).rejects.toMatchObject(denied);
  });
});

test('conditions use the defaults of missing parameters', async () => {
  const jane = as('jane', [
    allow('kms:ScheduleKeyDeletion', {
      Condition: { NumericGreaterThan: { 'kms:ScheduleKeyDeletionPendingWindowInDays': 14 } },
    }),
    allow('kms:PutKeyPolicy', { Condition: { Bool: { 'kms:BypassPolicyLockoutSafetyCheck': false } } }),
    allow('kms:EnableKeyRotation', { Condition: { NumericEquals: { 'kms:RotationPeriodInDays': 365 } } }),
  ]);
  const Policy = policyText([admin]);
  await jane.putKeyPolicy({ KeyId, Policy });
  await expect(jane.putKeyPolicy({ KeyId, Policy, BypassPolicyLockoutSafetyCheck: true })).rejects.toMatchObject(
    denied,
  );
  await jane.enableKeyRotation({ KeyId });
  await expect(jane.enableKeyRotation({ KeyId, RotationPeriodInDays: 90 })).rejects.toMatchObject(denied);
  await expect(jane.scheduleKeyDeletion({ KeyId, PendingWindowInDays: 14 })).rejects.toMatchObject(denied);
  expect(await jane.scheduleKeyDeletion({ KeyId })).toMatchObject({ PendingWindowInDays: 30 });
});

test('ReEncrypt can be limited to one key', async () => {
  const { CiphertextBlob } = await encrypt(root);
  const jane = as('jane', [allow('kms:ReEncrypt*', { Condition: { Bool: { 'kms:ReEncryptOnSameKey': true } } })]);
  await jane.reEncrypt({ CiphertextBlob, DestinationKeyId: KeyId });
  const DestinationKeyId = (await root.createKey({})).KeyMetadata!.Arn!;
  await expect(jane.reEncrypt({ CiphertextBlob, DestinationKeyId })).rejects.toMatchObject(denied);
});

describe('grants', () => {
  test('allow what policies do not', async () => {
    const jane = as('jane');
    await expect(encrypt(jane)).rejects.toMatchObject(denied);
    const grant = { KeyId, GranteePrincipal: JANE, Operations: ['Encrypt' as const] };
    await expect(as('bob').createGrant(grant)).rejects.toMatchObject(denied);
    const { GrantId } = await root.createGrant(grant);
    const { CiphertextBlob } = await encrypt(jane);
    await expect(jane.decrypt({ CiphertextBlob })).rejects.toMatchObject(denied);
    await expect(encrypt(as('bob'))).rejects.toMatchObject(denied);
    await root.revokeGrant({ KeyId, GrantId });
    await expect(encrypt(jane)).rejects.toMatchObject(denied);
  });

  test('of roles apply to their sessions', async () => {
    const role = identities.role('app');
    await root.createGrant({ KeyId, GranteePrincipal: role, Operations: ['Encrypt'] });
    await encrypt(new KMS(emulator.clientConfig(identities.session(emulator, role))));
  });

  test.each([
    ['EncryptionContextSubset', true],
    ['EncryptionContextEquals', false],
  ])('with %s are bound to the encryption context', async (constraint, more) => {
    const jane = as('jane');
    await root.createGrant({
      KeyId,
      GranteePrincipal: JANE,
      Operations: ['Encrypt'],
      Constraints: { [constraint]: { app: 'shop' } },
    });
    await expect(encrypt(jane)).rejects.toMatchObject(denied);
    await expect(encrypt(jane, { app: 'blog' })).rejects.toMatchObject(denied);
    await encrypt(jane, { app: 'shop' });
    const answer = encrypt(jane, { app: 'shop', more: 'of it' });
    if (more) await answer;
    else await expect(answer).rejects.toMatchObject(denied);
  });

  test('allow the creation of grants that allow no more', async () => {
    const jane = as('jane');
    await root.createGrant({
      KeyId,
      GranteePrincipal: JANE,
      Operations: ['CreateGrant', 'Encrypt'],
      Constraints: { EncryptionContextSubset: { app: 'shop' } },
    });
    const grant = { KeyId, GranteePrincipal: `arn:aws:iam::${ACCOUNT}:user/bob`, Operations: ['Encrypt' as const] };
    const Constraints = { EncryptionContextEquals: { app: 'shop', more: 'x' } };
    await expect(jane.createGrant(grant)).rejects.toMatchObject(denied);
    await expect(jane.createGrant({ ...grant, Operations: ['Decrypt'], Constraints })).rejects.toMatchObject(denied);
    await jane.createGrant({ ...grant, Constraints });
    await encrypt(as('bob'), { app: 'shop', more: 'x' });
    await expect(encrypt(as('bob'), { app: 'shop' })).rejects.toMatchObject(denied);
  });

  test('are overridden by explicit denials', async () => {
    await root.createGrant({ KeyId, GranteePrincipal: JANE, Operations: ['Encrypt'] });
    await expect(encrypt(as('jane', [allow('kms:*', { Effect: 'Deny' })]))).rejects.toMatchObject(denied);
  });

  test('are retired by the principals named in them', async () => {
    const grant = { KeyId, GranteePrincipal: JANE, Operations: ['Encrypt' as const], RetiringPrincipal: `${JANE}2` };
    const { GrantId } = await root.createGrant(grant);
    await expect(as('jane').retireGrant({ KeyId, GrantId })).rejects.toMatchObject(denied);
    await as('jane2').retireGrant({ KeyId, GrantId });
  });
});
