import { Lambda } from '@aws-sdk/client-lambda';
import { createLogger } from '@emu/core';
import { createTestEmulator, type PolicyStatement, TestIdentities } from '@emu/gateway/testing';
import { describe, expect, it } from 'vitest';
import { manifest } from '../src/manifest.ts';
import { startRunning } from './running.ts';
import { ACCOUNT, BASE, failureOf } from './support.ts';

const FOREIGN = 'arn:aws:iam::999999999999:role/team/worker';
const ABSENT = `arn:aws:iam::${ACCOUNT}:role/absent`;
const ASSUMES: PolicyStatement = {
  Effect: 'Allow',
  Principal: { Service: ['edgelambda.amazonaws.com', 'lambda.amazonaws.com'] },
  Action: 'sts:AssumeRole',
};
const CROSS_ACCOUNT = 'AccessDeniedException: Cross-account pass role is not allowed.';
const NOT_ASSUMED = 'InvalidParameterValueException: The role defined for the function cannot be assumed by Lambda.';

describe('with policies enforced', () => {
  it('a function requires a role of its own account that Lambda may assume', async () => {
    const identities = new TestIdentities();
    await using emulator = await createTestEmulator({
      manifests: [manifest, identities.manifest],
      settings: { accountId: ACCOUNT, values: { EMULATOR_ENFORCE_IAM: true } },
    });
    const lambda = new Lambda(emulator.clientConfig({ accessKeyId: ACCOUNT }));
    const create = (Role: string, FunctionName = 'refused') => lambda.createFunction({ ...BASE, FunctionName, Role });
    const role = (name: string, trusts: PolicyStatement) =>
      identities.role(name, { accountId: ACCOUNT, trusts: [trusts] });
    expect(await failureOf(create(FOREIGN))).toBe(CROSS_ACCOUNT);
    expect(await failureOf(create(ABSENT))).toBe(NOT_ASSUMED);
    const instance = role('instance', { ...ASSUMES, Principal: { Service: 'ec2.amazonaws.com' } });
    expect(await failureOf(create(instance))).toBe(NOT_ASSUMED);
    const Role = role('worker', ASSUMES);
    await create(Role, 'fn');
    for (const [changed, refusal] of [
      [FOREIGN, CROSS_ACCOUNT],
      [ABSENT, NOT_ASSUMED],
    ] as const)
      expect(await failureOf(lambda.updateFunctionConfiguration({ FunctionName: 'fn', Role: changed }))).toBe(refusal);
    expect((await lambda.getFunctionConfiguration({ FunctionName: 'fn' })).Role).toBe(Role);
  });
});

describe('without policies enforced', () => {
  it('a role of another account causes a warning, and the function uses its own account', async () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', format: 'text', write: (line) => void lines.push(line) });
    await using test = await startRunning({ log });
    const name = await test.define(
      { 'index.js': 'exports.handler = async () => process.env.AWS_ACCESS_KEY_ID;' },
      { Role: FOREIGN },
    );
    expect(lines).toEqual([expect.stringContaining(`AWS would refuse this: ${CROSS_ACCOUNT}`)]);
    const { payload } = await test.invoke(name);
    expect(test.emulator.kernel.credentials.get(payload as string)?.principal).toMatchObject({
      accountId: ACCOUNT,
      arn: `arn:aws:sts::${ACCOUNT}:assumed-role/worker/${name}`,
    });
    expect((await test.lambda.getFunctionConfiguration({ FunctionName: name })).Role).toBe(FOREIGN);
  });
});
