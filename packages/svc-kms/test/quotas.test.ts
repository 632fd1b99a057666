import { enforceQuota } from '@emu/gateway/testing';
import { describe, expect, test } from 'vitest';
import { ACCOUNT, failureOf, startKms, text } from './support.ts';

const THROTTLED =
  'ThrottlingException: You have exceeded the rate at which you may call KMS. Reduce the frequency of your calls.';

describe('numbers', () => {
  test('of customer managed keys exclude AWS managed keys, and include keys pending deletion', async () => {
    await using t = await startKms();
    const { KeyId } = await t.key();
    await t.kms.describeKey({ KeyId: 'alias/aws/s3' });
    await enforceQuota(t.emulator, 'kms/L-C2F1777E', 2);
    await t.key();
    expect(await failureOf(t.key())).toBe(
      'LimitExceededException: The account has reached its limit of 2 customer managed keys.',
    );
    await t.kms.scheduleKeyDeletion({ KeyId, PendingWindowInDays: 7 });
    expect(await failureOf(t.key())).toContain('LimitExceededException');
    await t.advance(7);
    await t.key();
  });

  test('of grants apply to each key, and end with them', async () => {
    await using t = await startKms();
    const [{ KeyId }, other] = [await t.key(), await t.key()];
    const GranteePrincipal = `arn:aws:iam::${ACCOUNT}:root`;
    const grant = (key: string, Name?: string) =>
      t.kms.createGrant({ KeyId: key, GranteePrincipal, Operations: ['Decrypt'], Name });
    await enforceQuota(t.emulator, 'kms/L-D594A657', 1);
    const { GrantId } = await grant(KeyId, 'named');
    expect(await failureOf(grant(KeyId))).toBe(
      `LimitExceededException: The key ${KeyId} has reached its limit of 1 grants.`,
    );
    expect((await grant(KeyId, 'named')).GrantId).toBe(GrantId);
    await grant(other.Arn);
    await t.kms.revokeGrant({ KeyId, GrantId });
    await grant(KeyId);
  });
});

describe('rates', () => {
  test('of an operation are its own', async () => {
    await using t = await startKms();
    const { KeyId } = await t.key();
    await t.emulator.kernel.quotas.setEnforcement({ enforceAll: true });
    for (let request = 0; request < 5; request++)
      await t.kms.updateKeyDescription({ KeyId, Description: `${request}` });
    expect(await failureOf(t.kms.updateKeyDescription({ KeyId, Description: '' }))).toBe(THROTTLED);
    await t.kms.enableKey({ KeyId });
    await t.emulator.kernel.clock.advance(200);
    await t.kms.updateKeyDescription({ KeyId, Description: 'later' });
  });

  test('of cryptography are shared by operations, and separate for each kind of key', async () => {
    await using t = await startKms();
    const { KeyId } = await t.key();
    const rsa = await t.key({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' });
    await enforceQuota(t.emulator, 'kms/L-6E3AF000', 2);
    await enforceQuota(t.emulator, 'kms/L-2AC98190', 1);
    await t.kms.encrypt({ KeyId, Plaintext: text('a') });
    await t.kms.generateDataKey({ KeyId, KeySpec: 'AES_256' });
    expect(await failureOf(t.kms.generateRandom({ NumberOfBytes: 1 }))).toBe(THROTTLED);
    const sign = () => t.kms.sign({ KeyId: rsa.KeyId, Message: text('a'), SigningAlgorithm: 'RSASSA_PSS_SHA_256' });
    await sign();
    expect(await failureOf(sign())).toBe(THROTTLED);
  });

  test('count requests of services on behalf of their callers', async () => {
    await using t = await startKms();
    const { KeyId } = await t.key();
    await enforceQuota(t.emulator, 'kms/L-6E3AF000', 1);
    const encrypt = () => t.emulator.kernel.call('kms', 'Encrypt', { KeyId, Plaintext: text('a') });
    await encrypt();
    await expect(encrypt()).rejects.toThrow('You have exceeded the rate');
  });

  test('below one per second allow one request and then block', async () => {
    await using t = await startKms();
    await enforceQuota(t.emulator, 'kms/L-8A08DAEA', 0.5);
    await t.kms.listKeys({});
    await t.emulator.kernel.clock.advance(1000);
    expect(await failureOf(t.kms.listKeys({}))).toBe(THROTTLED);
    await t.emulator.kernel.clock.advance(1000);
    await t.kms.listKeys({});
  });
});
