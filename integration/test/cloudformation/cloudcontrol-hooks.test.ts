import { CloudControl } from '@aws-sdk/client-cloudcontrol';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { createTestEmulator, fakeService, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudcontrol } from '@emu/svc-cloudcontrol/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ALIAS = 'Private::Lambda::QueueHook';
const TypeName = 'AWS::SQS::Queue';

interface Asked {
  readonly actionInvocationPoint: string;
  readonly stackId: unknown;
  readonly requestData: { targetName: string; targetModel: { resourceProperties: { QueueName?: string } } };
}

const asked: Asked[] = [];
/** A hook function that rejects queues whose names begin with `bad`. */
const lambda = fakeService('lambda', {
  Invoke: async ({ Payload }: { Payload?: Uint8Array }) => {
    const request = JSON.parse(Buffer.from(Payload!).toString()) as Asked;
    asked.push(request);
    const bad = request.requestData.targetModel.resourceProperties.QueueName?.startsWith('bad');
    const answer = bad
      ? { hookStatus: 'FAILED', errorCode: 'NonCompliant', message: 'a bad name' }
      : { hookStatus: 'SUCCESS', message: 'fine' };
    return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(answer)) };
  },
});

let emulator: TestEmulator;
let control: CloudControl;
let cfn: CloudFormation;
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [cloudcontrol, cloudformation, sqs, lambda] });
  control = new CloudControl({ ...emulator.clientConfig(), maxAttempts: 1 });
  cfn = new CloudFormation(emulator.clientConfig());
});
afterAll(() => emulator.close());

const configure = (TypeArn: string, FailureMode: string) =>
  cfn.setTypeConfiguration({
    TypeArn,
    Configuration: JSON.stringify({
      CloudFormationConfiguration: {
        HookConfiguration: {
          HookInvocationStatus: 'ENABLED',
          TargetOperations: ['RESOURCE', 'CLOUD_CONTROL'],
          FailureMode,
          Properties: { LambdaFunction: 'arn:aws:lambda:us-east-1:000000000000:function:hook' },
        },
      },
    }),
  });

/** Waits for the result of a request. */
async function ended(RequestToken: string | undefined) {
  for (const end = Date.now() + 20_000; Date.now() < end; ) {
    const status = await control.getResourceRequestStatus({ RequestToken });
    if (/^(?:SUCCESS|FAILED)$/.test(status.ProgressEvent!.OperationStatus!)) return status;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(JSON.stringify(await control.getResourceRequestStatus({ RequestToken })));
}
const created = async (QueueName: string) => {
  const { ProgressEvent } = await control.createResource({ TypeName, DesiredState: JSON.stringify({ QueueName }) });
  return ended(ProgressEvent!.RequestToken);
};

test('hooks fail requests of Cloud Control, or only warn', async () => {
  expect(await created('before')).not.toHaveProperty('HooksProgressEvent');
  const { Arn } = await cfn.activateType({
    Type: 'HOOK',
    TypeName: 'AWS::Hooks::LambdaHook',
    PublisherId: 'aws-hooks',
    TypeNameAlias: ALIAS,
  });
  await configure(Arn!, 'FAIL');
  const good = await created('good');
  expect(good).toMatchObject({
    ProgressEvent: { OperationStatus: 'SUCCESS', HooksRequestToken: good.ProgressEvent!.RequestToken },
    HooksProgressEvent: [
      {
        HookTypeName: ALIAS,
        HookTypeArn: Arn,
        InvocationPoint: 'PRE_PROVISION',
        HookStatus: 'HOOK_COMPLETE_SUCCEEDED',
        FailureMode: 'FAIL',
      },
    ],
  });
  expect(asked.at(-1)).toMatchObject({
    actionInvocationPoint: 'CREATE_PRE_PROVISION',
    stackId: null,
    requestData: { targetName: TypeName, targetModel: { resourceProperties: { QueueName: 'good' } } },
  });
  expect(await created('bad-one')).toMatchObject({
    ProgressEvent: { OperationStatus: 'FAILED', StatusMessage: `The following hook(s) failed: [${ALIAS}]` },
    HooksProgressEvent: [
      { HookStatus: 'HOOK_COMPLETE_FAILED', HookStatusMessage: 'Hook failed with message: a bad name' },
    ],
  });
  const { ResourceDescriptions } = await control.listResources({ TypeName });
  expect(ResourceDescriptions).toHaveLength(2);
  const { HookResults } = await cfn.listHookResults({ TypeArn: Arn, Status: 'HOOK_COMPLETE_FAILED' });
  expect(HookResults).toMatchObject([{ TargetType: 'CLOUD_CONTROL' }]);

  await configure(Arn!, 'WARN');
  expect((await created('bad-two')).ProgressEvent).toMatchObject({ OperationStatus: 'SUCCESS' });
  const { ProgressEvent } = await control.deleteResource({ TypeName, Identifier: good.ProgressEvent!.Identifier });
  expect((await ended(ProgressEvent!.RequestToken)).ProgressEvent!.OperationStatus).toBe('SUCCESS');
  expect(asked.at(-1)!.actionInvocationPoint).toBe('DELETE_PRE_PROVISION');
});
