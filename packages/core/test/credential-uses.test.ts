import { expect, test } from 'vitest';
import type { Credential } from '../src/identity/principal.ts';
import { StoredCredentials } from '../src/services/stored-credentials.ts';

const accountId = '123456789012';
const key = (accessKeyId: string, userId: string): Credential => ({
  accessKeyId,
  secretAccessKey: 's',
  active: true,
  principal: { type: 'user', accountId, arn: `arn:aws:iam::${accountId}:user/${userId}`, userId },
});
const roleArn = `arn:aws:iam::${accountId}:role/app`;
const session = (accessKeyId: string): Credential => ({
  ...key(accessKeyId, 'AROA:s'),
  sessionToken: 't',
  session: { name: 's', roleArn, issuedAt: 0 },
});
const use = (service: string, at: number) => ({ service, at, region: 'eu-central-1' });

test('records the latest use of each service by user and by role, for any credential', () => {
  const credentials = new StoredCredentials();
  for (const credential of [key('AKIA1', 'AIDA1'), key('AKIA2', 'AIDA1'), session('ASIA1')])
    credentials.put(credential);
  credentials.recordUse('AKIA1', use('s3', 1));
  credentials.recordUse('AKIA1', use('sqs', 2));
  credentials.recordUse('AKIA2', use('s3', 3));
  credentials.recordUse('ASIA1', use('sns', 4));
  credentials.recordUse('AKIA9', use('kms', 5));
  expect([...credentials.lastUses('AIDA1')]).toMatchObject([use('s3', 3), use('sqs', 2)]);
  expect([...credentials.lastUses(roleArn)]).toMatchObject([use('sns', 4)]);
  expect(credentials.lastUse('AKIA1')).toMatchObject(use('sqs', 2));
  // Deleting a key keeps its user's uses.
  credentials.delete('AKIA1');
  expect([...credentials.lastUses('AIDA1')]).toHaveLength(2);
  credentials.discardUse(roleArn);
  expect([...credentials.lastUses(roleArn)]).toEqual([]);
  credentials.reset('access-keys', '000000000000');
  expect([...credentials.lastUses('AIDA1')]).toHaveLength(2);
  credentials.reset('access-keys', accountId);
  expect([...credentials.lastUses('AIDA1')]).toEqual([]);
});
