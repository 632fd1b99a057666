import { manifest as iam } from '@emu/svc-iam/manifest';
import { expect, test } from 'vitest';
import { ACCOUNT, failureOf, type SqsTest, startSqs } from '../../../packages/svc-sqs/test/support.ts';

const naming = (t: SqsTest) =>
  JSON.stringify({
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${ACCOUNT}:role/nobody` },
        Action: 'sqs:SendMessage',
        Resource: t.arnOf('q'),
      },
    ],
  });

test('a policy with an unknown role is rejected if policies are enforced', async () => {
  await using t = await startSqs([iam], { EMULATOR_ENFORCE_IAM: true });
  expect(await failureOf(t.queue('q', { Policy: naming(t) }))).toEqual({
    code: 'InvalidAttributeValue',
    message: 'Invalid value for the parameter Policy.',
    status: 400,
  });
});

test('a policy with an unknown role is stored otherwise', async () => {
  await using t = await startSqs([iam]);
  const QueueUrl = await t.queue('q', { Policy: naming(t) });
  const { Attributes } = await t.sqs.getQueueAttributes({ QueueUrl, AttributeNames: ['Policy'] });
  expect(Attributes).toEqual({ Policy: naming(t) });
});
