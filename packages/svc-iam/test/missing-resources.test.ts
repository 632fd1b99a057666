import { createLogger } from '@emu/core';
import { expect, test } from 'vitest';
import { ACCOUNT, failureOf, type IamTest, startIam, trust } from './support.ts';

const nobody = `arn:aws:iam::${ACCOUNT}:user/nobody`;
const joan = 'arn:aws:iam::000000000001:user/joan';
const boundary = `arn:aws:iam::${ACCOUNT}:policy/missing`;

/** Services whose principals differ from their action namespace, some with regions. */
const SERVICES = [
  ...['lambda', 'ecs-tasks', 'monitoring.rds', 'vpc-flow-logs', 'edgelambda', 'states.eu-west-1', 'logs.us-gov-west-1'],
  ...[
    'delivery.logs',
    'replication.dynamodb',
    'batchoperations.s3',
    'spotfleet',
    'pods.eks',
    'tasks.apprunner',
    'email',
  ],
].map((name) => `${name}.amazonaws.com`);

const trusts = (t: IamTest, principal: object) =>
  t.iam.createRole({ RoleName: 'app', AssumeRolePolicyDocument: trust(principal) });
const trustsUser = (t: IamTest, arn: string) => trusts(t, { AWS: arn });

test('principals and boundaries must exist where policies are enforced', async () => {
  await using t = await startIam({ settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } } });
  await t.client({ accessKeyId: '000000000001' }).createUser({ UserName: 'jane' });
  for (const arn of [nobody, joan])
    expect(await failureOf(trustsUser(t, arn))).toBe(
      `MalformedPolicyDocument: Invalid principal in policy: "AWS":"${arn}"`,
    );
  expect(await failureOf(trusts(t, { Service: ['ec2.amazonaws.com', 'lamda.amazonaws.com'] }))).toBe(
    'MalformedPolicyDocument: Invalid principal in policy: "SERVICE":"lamda.amazonaws.com"',
  );
  await trusts(t, { Service: SERVICES });
  await t.iam.createUser({ UserName: 'jane' });
  const missing = `NoSuchEntity: Scope ARN: ${boundary} does not exist or is not attachable.`;
  const bounded = { UserName: 'jane', PermissionsBoundary: boundary };
  expect(await failureOf(t.iam.putUserPermissionsBoundary(bounded))).toBe(missing);
});

test('otherwise they are accepted with a warning', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
  await using t = await startIam({ log });
  await trustsUser(t, nobody);
  await t.iam.putRolePermissionsBoundary({ RoleName: 'app', PermissionsBoundary: boundary });
  expect(lines).toEqual([
    expect.stringContaining(
      `AWS would refuse this: MalformedPolicyDocumentException: Invalid principal in policy: "AWS":"${nobody}"`,
    ),
    expect.stringContaining(`AWS would refuse this: NoSuchEntityException: Scope ARN: ${boundary} does not exist`),
  ]);
});
