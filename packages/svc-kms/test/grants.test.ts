import { expect, test } from 'vitest';
import { ACCOUNT, failureOf, startKms, text } from './support.ts';

const GranteePrincipal = `arn:aws:iam::${ACCOUNT}:role/app`;
const RetiringPrincipal = `arn:aws:iam::${ACCOUNT}:role/admin`;

test('grants are created, listed, revoked and retired', async () => {
  await using t = await startKms();
  const { KeyId, Arn } = await t.key();
  const request = {
    KeyId,
    GranteePrincipal,
    RetiringPrincipal,
    Operations: ['Encrypt' as const, 'Decrypt' as const],
    Constraints: { EncryptionContextSubset: { a: '1' } },
    Name: 'named',
  };
  const first = await t.kms.createGrant(request);
  expect(first).toMatchObject({ GrantId: expect.stringMatching(/^[0-9a-f]{64}$/), GrantToken: expect.any(String) });
  expect((await t.kms.createGrant(request)).GrantId).toBe(first.GrantId);
  const { Name: _name, ...unnamed } = request;
  const second = await t.kms.createGrant(unnamed);
  expect(second.GrantId).not.toBe(first.GrantId);
  expect((await t.kms.listGrants({ KeyId, GrantId: first.GrantId })).Grants).toEqual([
    {
      KeyId: Arn,
      GrantId: first.GrantId,
      Name: 'named',
      CreationDate: expect.any(Date),
      GranteePrincipal,
      RetiringPrincipal,
      IssuingAccount: `arn:aws:iam::${ACCOUNT}:root`,
      Operations: ['Encrypt', 'Decrypt'],
      Constraints: { EncryptionContextSubset: { a: '1' } },
    },
  ]);
  expect((await t.kms.listGrants({ KeyId, GranteePrincipal: RetiringPrincipal })).Grants).toEqual([]);
  const page = await t.kms.listRetirableGrants({ RetiringPrincipal, Limit: 1 });
  expect(page).toMatchObject({ Truncated: true });
  expect((await t.kms.listRetirableGrants({ RetiringPrincipal, Marker: page.NextMarker })).Grants).toHaveLength(1);
  await t.kms.encrypt({ KeyId, Plaintext: text('x'), GrantTokens: [first.GrantToken!] });
  expect(await failureOf(t.kms.revokeGrant({ KeyId, GrantId: first.GrantId, DryRun: true }))).toContain('DryRun');
  await t.kms.revokeGrant({ KeyId, GrantId: first.GrantId });
  expect(await failureOf(t.kms.revokeGrant({ KeyId, GrantId: first.GrantId }))).toContain('NotFoundException');
  await t.kms.retireGrant({ GrantToken: second.GrantToken });
  expect((await t.kms.listGrants({ KeyId })).Grants).toEqual([]);
  expect(await failureOf(t.kms.retireGrant({ GrantToken: second.GrantToken }))).toContain('InvalidGrantToken');
  const third = await t.kms.createGrant(unnamed);
  await t.kms.retireGrant({ KeyId: Arn, GrantId: third.GrantId });
  expect(await failureOf(t.kms.retireGrant({ KeyId: Arn, GrantId: third.GrantId }))).toContain('NotFoundException');
  expect(await failureOf(t.kms.retireGrant({ KeyId: Arn }))).toContain('ValidationException');
});

test('CreateGrant rejects invalid principals, operations and constraints', async () => {
  await using t = await startKms();
  const aes = await t.key();
  const ec = await t.key({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
  const grant = (KeyId: string, input: object) =>
    failureOf(t.kms.createGrant({ KeyId, GranteePrincipal, Operations: ['DescribeKey'], ...input }));
  expect(await grant(aes.KeyId, { GranteePrincipal: 'nobody' })).toContain('InvalidArnException');
  expect(await grant(aes.KeyId, { Operations: ['Sign'] })).toContain('ValidationException');
  expect(await grant(ec.KeyId, { Operations: ['Encrypt'] })).toContain('ValidationException');
  expect(
    await grant(ec.KeyId, { Operations: ['Sign'], Constraints: { EncryptionContextEquals: { a: '1' } } }),
  ).toContain('ValidationException');
  await t.kms.disableKey({ KeyId: aes.KeyId });
  expect(await grant(aes.KeyId, {})).toBe(`DisabledException: ${aes.Arn} is disabled.`);
});
