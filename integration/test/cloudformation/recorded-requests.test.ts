import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { S3 } from '@aws-sdk/client-s3';
import { SNS } from '@aws-sdk/client-sns';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ENGINE } from './recorded/engine.ts';
import { deleteStacks, ended, hasRecordings, played } from './recorded/recordings.ts';
import { type Clients, REQUESTS } from './recorded/requests.ts';

let emulator: TestEmulator;
let clients: Clients;

beforeAll(async () => {
  if (!hasRecordings) return;
  emulator = await createTestEmulator({
    manifests: [cloudformation, s3, sns, ssm],
    settings: { accountId: '111111111111' },
  });
  const config = emulator.clientConfig();
  const cfn = new CloudFormation(config);
  clients = {
    cfn,
    s3: new S3(config),
    sns: new SNS(config),
    ssm: new SSM(config),
    ended: (StackName) => ended(cfn, StackName),
    async deployed(StackName, template, more) {
      const { StackId } = await cfn.createStack({ StackName, TemplateBody: JSON.stringify(template), ...more });
      return ended(cfn, StackId!);
    },
  };
});
afterAll(() => emulator?.close());

afterEach(() => clients && deleteStacks(clients.cfn));

describe.skipIf(!hasRecordings)('recorded requests', () => {
  test.each(Object.entries({ ...REQUESTS, ...ENGINE }))('%s', async (name, program) => {
    expect(await played(name, (step) => program(step, clients))).toEqual([]);
  });
});
