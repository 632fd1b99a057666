import { definePlugin, type ServiceHandle } from '@emu/core/service';
import type { ServiceModel } from '@emu/wire';
import { expect, test } from 'vitest';
import { createTestEmulator, manifestOf } from '../src/testing/emulator.ts';

const model: ServiceModel = {
  service: 'early',
  source: { botocore: '0', path: 'none' },
  metadata: {
    apiVersion: '2020-01-01',
    endpointPrefix: 'early',
    signingName: 'early',
    serviceId: 'Early',
    protocols: ['awsQuery'],
    xmlNamespace: { uri: 'https://early.example/' },
  },
  operations: {},
  shapes: {},
};

test('programs that a service runs at start reach the emulator', async () => {
  let answered = 0;
  const plugin = definePlugin<object, undefined>({
    name: 'early',
    model,
    stateScope: 'account',
    collections: [],
    operations: [],
    onStart: async (handle: ServiceHandle<undefined>) => {
      answered = (await fetch(`${await handle.selfUrl()}/_emulator/health`)).status;
    },
  });
  await using emulator = await createTestEmulator({ manifests: [{ ...manifestOf(plugin), eager: () => true }] });
  expect(answered).toBe(200);
  expect(emulator.kernel.services).toEqual(['early']);
});
