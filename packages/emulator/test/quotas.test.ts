import { describe, expect, test } from 'vitest';
import { createEmulator, type EmbeddedEmulator } from '../src/index.ts';

const withEmulator = async (use: (emulator: EmbeddedEmulator) => Promise<void>, options = {}): Promise<void> => {
  await using emulator = await createEmulator(options);
  await use(emulator);
};

describe('the quotas of all services', () => {
  test('have codes of AWS, a default, a page, and existing operations', () =>
    withEmulator(async ({ kernel }) => {
      const quotas = await kernel.quotas.list();
      const codes = new Set(quotas.map(({ serviceCode }) => serviceCode));
      expect([...codes]).toEqual(
        expect.arrayContaining(['dynamodb', 'events', 'iam', 'kinesis', 'kms', 'lambda', 'logs', 'monitoring', 's3']),
      );
      expect([...codes]).toEqual(expect.arrayContaining(['secretsmanager', 'sns', 'sqs']));
      const wrong: string[] = [];
      for (const manifest of kernel.manifests)
        for (const quota of (await manifest.quotas?.()) ?? []) {
          const id = `${quota.serviceCode}/${quota.code}`;
          if (!/^L-[0-9A-F]{8}$/.test(quota.code)) wrong.push(`${id} is no code`);
          if (!quota.page.startsWith('https://docs.aws.amazon.com/')) wrong.push(`${id} has no page of AWS's`);
          const { defaultValue } = quota;
          const value = typeof defaultValue === 'number' ? defaultValue : defaultValue('us-east-1');
          if (!(value > 0)) wrong.push(`${id} has no default`);
          const operations = Object.keys({ ...quota.grows, ...quota.rate });
          const { plugin } = await kernel.service(manifest.name);
          for (const operation of operations)
            if (!(operation in plugin.operations)) wrong.push(`${id} is about ${operation}, which is not there`);
          if (!operations.length && !quota.own && !quota.listed) wrong.push(`${id} is about nothing`);
        }
      expect(wrong).toEqual([]);
    }));

  test('can be enforced unless they are only listed; naming another one fails the start', async () => {
    await withEmulator(
      async ({ kernel }) => {
        for (const quota of await kernel.quotas.list())
          expect(kernel.quotas.state(quota, '000000000000', 'us-east-1').enforced).toBe(!quota.listed);
      },
      { settings: { EMULATOR_ENFORCE_QUOTAS: 'true' } },
    );
    await expect(createEmulator({ settings: { EMULATOR_ENFORCE_QUOTA: 'sns/L-61103207' } })).rejects.toThrow(
      '--enforce-quota (EMULATOR_ENFORCE_QUOTA) names sns/L-61103207, which emu cannot enforce; did you mean sns/L-61103206?',
    );
    await expect(createEmulator({ settings: { EMULATOR_IGNORE_QUOTA: 'sqs/L-2DA3E3B2' } })).rejects.toThrow(
      '--ignore-quota (EMULATOR_IGNORE_QUOTA) names sqs/L-2DA3E3B2, which emu cannot enforce',
    );
  });
});
