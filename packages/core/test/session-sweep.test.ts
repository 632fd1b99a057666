import { expect, test } from 'vitest';
import { createLogger, defaultSettings, Kernel } from '../src/index.ts';

const HOUR = 3_600_000;

test('sessions are removed a day after they expired, long-term keys never', async () => {
  const kernel = new Kernel({
    manifests: [],
    settings: defaultSettings({ accountId: '000000000000' }),
    log: createLogger({ level: 'error', format: 'text' }),
    bodies: () => {
      throw new Error('no service keeps bodies here');
    },
  });
  await kernel.start();
  kernel.clock.freeze();
  const principal = {
    type: 'root',
    accountId: '000000000000',
    arn: 'arn:aws:iam::000000000000:root',
    userId: '000000000000',
  } as const;
  const base = { secretAccessKey: 's', active: true, principal };
  kernel.credentials.put({ ...base, accessKeyId: 'AKIA' });
  kernel.credentials.put({ ...base, accessKeyId: 'ASIA', sessionToken: 't', expiresAt: kernel.clock.now() + HOUR });
  await kernel.clock.advance(24 * HOUR);
  expect(kernel.credentials.get('ASIA')).toBeDefined();
  await kernel.clock.advance(3 * HOUR);
  expect(kernel.credentials.get('ASIA')).toBeUndefined();
  expect(kernel.credentials.get('AKIA')).toBeDefined();
  await kernel.close();
});
