import { enforceQuota } from '@emu/gateway/testing';
import { expect, test } from 'vitest';
import { failureOf, startSecrets } from './support.ts';

test('limits secrets of a region, including those scheduled for deletion', async () => {
  await using t = await startSecrets();
  const create = (Name: string) => t.secrets.createSecret({ Name, SecretString: 'x' });
  await create('one');
  await enforceQuota(t.emulator, 'secretsmanager/L-2F66C23C', 1);
  expect(await failureOf(create('two'))).toBe(
    "LimitExceededException: You can't have more than 1 secrets in a region.",
  );
  expect(await failureOf(create('one'))).toContain('ResourceExistsException');
  await t.secrets.deleteSecret({ SecretId: 'one' });
  expect(await failureOf(create('two'))).toContain('LimitExceededException');
  await t.advance(31);
  await t.secrets.listSecrets({});
  await t.client({ region: 'eu-west-1' }).createSecret({ Name: 'elsewhere', SecretString: 'x' });
});

test('operations share a rate', async () => {
  await using t = await startSecrets();
  await t.secrets.createSecret({ Name: 's', SecretString: 'x' });
  await enforceQuota(t.emulator, 'secretsmanager/L-BC8DD7C4', 2);
  await t.secrets.tagResource({ SecretId: 's', Tags: [{ Key: 'a', Value: 'b' }] });
  await t.secrets.untagResource({ SecretId: 's', TagKeys: ['a'] });
  const third = t.secrets.tagResource({ SecretId: 's', Tags: [{ Key: 'a', Value: 'b' }] });
  expect(await failureOf(third)).toBe('ThrottlingException: Rate exceeded');
});
