import { EventBridge } from '@aws-sdk/client-eventbridge';
import { CreateBucketCommand, PutBucketPolicyCommand, S3Client } from '@aws-sdk/client-s3';
import { S3Control } from '@aws-sdk/client-s3-control';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as s3control } from '@emu/svc-s3control/manifest';
import { describe, expect, test } from 'vitest';

const AccountId = '123456789012';
const Bucket = 'a-bucket';
const point = `arn:aws:s3:us-east-1:${AccountId}:accesspoint/point`;

/** A policy for a role of the account that does not exist. */
const naming = (Action: string, Resource: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Sid: 's', Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${AccountId}:role/none` }, Action, Resource },
    ],
  });

const puts: [string, (emulator: TestEmulator) => Promise<unknown>, string][] = [
  [
    'a bucket',
    (emulator) =>
      new S3Client(emulator.clientConfig()).send(
        new PutBucketPolicyCommand({ Bucket, Policy: naming('s3:GetObject', `arn:aws:s3:::${Bucket}/*`) }),
      ),
    'MalformedPolicy',
  ],
  [
    'an access point',
    (emulator) =>
      new S3Control(emulator.clientConfig()).putAccessPointPolicy({
        AccountId,
        Name: 'point',
        Policy: naming('s3:GetObject', `${point}/object/*`),
      }),
    'MalformedPolicy',
  ],
  [
    'a bus',
    (emulator) =>
      new EventBridge(emulator.clientConfig()).putPermission({
        Policy: naming('events:PutEvents', `arn:aws:events:us-east-1:${AccountId}:event-bus/default`),
      }),
    'ValidationException',
  ],
];

// As `OperationContext.wouldRefuse` documents; SQS, SNS, KMS, Kinesis and Secrets Manager have tests of their own.
describe.each([true, false])('with policies enforced: %s', (EMULATOR_ENFORCE_IAM) => {
  test(`a policy with a missing role is ${EMULATOR_ENFORCE_IAM ? 'rejected' : 'accepted'}`, async () => {
    await using emulator = await createTestEmulator({
      manifests: [s3, s3control, events, iam],
      settings: { values: { EMULATOR_ENFORCE_IAM } },
    });
    await new S3Client(emulator.clientConfig()).send(new CreateBucketCommand({ Bucket }));
    await new S3Control(emulator.clientConfig()).createAccessPoint({ AccountId, Name: 'point', Bucket });
    for (const [what, put, code] of puts) {
      const outcome = await put(emulator).then(
        () => 'accepted',
        (error: Error) => error.name,
      );
      expect([what, outcome]).toEqual([what, EMULATOR_ENFORCE_IAM ? code : 'accepted']);
    }
  });
});
