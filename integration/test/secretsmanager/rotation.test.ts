import { Lambda } from '@aws-sdk/client-lambda';
import { zipOf } from '@emu/gateway/testing';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  failureOf,
  type SecretsTest,
  startSecrets,
  token,
} from '../../../packages/svc-secretsmanager/test/support.ts';

/** A rotation function in the style of AWS's templates, over plain HTTP; it appends its steps to the value. */
const ROTATE = `const call = async (operation, input) => {
  const response = await fetch(process.env.AWS_ENDPOINT_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.' + operation },
    body: JSON.stringify(input),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
};
exports.handler = async ({ Step, SecretId, ClientRequestToken, RotationToken }) => {
  if (!RotationToken) throw new Error('there is no token');
  const { VersionIdsToStages: stages } = await call('DescribeSecret', { SecretId });
  if (!stages[ClientRequestToken].includes('AWSPENDING')) throw new Error('not pending');
  if (process.env.FAILS_IN === Step) throw new Error('no ' + Step);
  if (Step === 'createSecret') {
    const { SecretString } = await call('GetSecretValue', { SecretId });
    const next = SecretString + '+';
    await call('PutSecretValue', { SecretId, ClientRequestToken, SecretString: next, VersionStages: ['AWSPENDING'] });
  }
  if (Step === 'testSecret') {
    const { SecretString } = await call('GetSecretValue', { SecretId, VersionStage: 'AWSPENDING' });
    await call('TagResource', { SecretId, Tags: [{ Key: 'tested', Value: SecretString }] });
  }
  if (Step !== 'finishSecret') return;
  const [current] = Object.entries(stages).find(([, labels]) => labels.includes('AWSCURRENT'));
  await call('UpdateSecretVersionStage', {
    SecretId, VersionStage: 'AWSCURRENT', MoveToVersionId: ClientRequestToken, RemoveFromVersionId: current,
  });
};`;

let run: SecretsTest;
const arn = (name: string) => `arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}`;

beforeEach(async () => {
  run = await startSecrets({ manifests: [lambdaManifest] });
  const lambda = new Lambda(run.emulator.clientConfig());
  for (const [name, fails] of [
    ['rotate', ''],
    ['broken', 'testSecret'],
  ])
    await lambda.createFunction({
      FunctionName: name,
      Runtime: 'nodejs20.x',
      Role: `arn:aws:iam::${ACCOUNT}:role/rotate`,
      Handler: 'index.handler',
      Code: { ZipFile: zipOf({ 'index.js': ROTATE }) },
      Environment: { Variables: { FAILS_IN: fails! } },
    });
  await run.secrets.createSecret({ Name: 's', SecretString: 'a', ClientRequestToken: token(1) });
});
afterEach(() => run[Symbol.asyncDispose]());

const value = async () => (await run.secrets.getSecretValue({ SecretId: 's' })).SecretString;
const describeIt = () => run.secrets.describeSecret({ SecretId: 's' });
const settled = (expected: string) => expect.poll(value, { timeout: 20_000 }).toBe(expected);
const DAY = 86_400_000;

test('rotates immediately, in four steps', async () => {
  const rotated = await run.secrets.rotateSecret({
    SecretId: 's',
    ClientRequestToken: token(2),
    RotationLambdaARN: arn('rotate'),
    RotationRules: { AutomaticallyAfterDays: 30 },
  });
  expect(rotated).toMatchObject({ Name: 's', VersionId: token(2) });
  await settled('a+');
  await expect.poll(async () => (await describeIt()).LastRotatedDate, { timeout: 10_000 }).toBeDefined();
  const now = run.emulator.kernel.clock.now();
  const due = Math.floor((now + 30 * DAY) / DAY) * DAY;
  expect(await describeIt()).toMatchObject({
    RotationEnabled: true,
    RotationLambdaARN: arn('rotate'),
    RotationRules: { AutomaticallyAfterDays: 30 },
    LastRotatedDate: new Date(now),
    NextRotationDate: new Date(due + DAY - 1000),
    VersionIdsToStages: { [token(1)]: ['AWSPREVIOUS'], [token(2)]: ['AWSCURRENT'] },
  });
});

test('rotates by schedule, on the clock and by the tick', async () => {
  await run.secrets.rotateSecret({
    SecretId: 's',
    RotationLambdaARN: arn('rotate'),
    RotationRules: { ScheduleExpression: 'rate(10 days)', Duration: '2h' },
    RotateImmediately: false,
  });
  await expect
    .poll(async () => Object.keys((await describeIt()).VersionIdsToStages!), { timeout: 20_000 })
    .toEqual([token(1)]);
  expect((await describeIt()).Tags).toEqual([{ Key: 'tested', Value: 'a' }]);
  expect(await value()).toBe('a');
  const start = run.emulator.kernel.clock.now();
  expect((await describeIt()).NextRotationDate).toEqual(new Date(start + 10 * DAY + 7_200_000));
  const tick = () => run.emulator.control('POST', '/_emulator/secretsmanager/rotation-scheduler/tick');
  expect(await tick()).toEqual({ status: 200, json: { rotatedSecrets: [] } });
  await run.advance(10.01);
  await settled('a+');
  await run.advance(10);
  await settled('a++');
  await run.secrets.cancelRotateSecret({ SecretId: 's' });
  expect(await describeIt()).toMatchObject({ RotationEnabled: false });
  await run.advance(30);
  expect(await tick()).toEqual({ status: 200, json: { rotatedSecrets: [] } });
  expect(await value()).toBe('a++');
});

test('a failing function leaves the value unchanged; the next window retries', async () => {
  await run.secrets.rotateSecret({
    SecretId: 's',
    ClientRequestToken: token(2),
    RotationLambdaARN: arn('broken'),
    RotationRules: { AutomaticallyAfterDays: 1 },
  });
  await expect
    .poll(async () => (await describeIt()).VersionIdsToStages, { timeout: 20_000 })
    .toEqual({ [token(1)]: ['AWSCURRENT'], [token(2)]: ['AWSPENDING'] });
  await expect
    .poll(() => failureOf(run.secrets.rotateSecret({ SecretId: 's', ClientRequestToken: token(3) })))
    .toBe("InvalidRequestException: A previous rotation isn't complete. That rotation will be reattempted.");
  expect(await value()).toBe('a');
  await run.secrets.updateSecretVersionStage({
    SecretId: 's',
    VersionStage: 'AWSPENDING',
    RemoveFromVersionId: token(2),
  });
  expect(await describeIt()).not.toHaveProperty('LastRotatedDate');
});

describe('refuses', () => {
  const rotate = (input: object) => failureOf(run.secrets.rotateSecret({ SecretId: 's', ...input }));

  test('to rotate without a function', async () => {
    expect(await rotate({})).toBe(
      'InvalidRequestException: No Lambda rotation function ARN is associated with this secret.',
    );
    expect(await failureOf(run.secrets.cancelRotateSecret({ SecretId: 's' }))).toMatch(/^InvalidRequestException/);
    expect(await describeIt()).not.toHaveProperty('RotationEnabled');
  });

  test.each([
    { AutomaticallyAfterDays: 1, ScheduleExpression: 'rate(1 day)' },
    { ScheduleExpression: 'rate(3 hours)' },
    { ScheduleExpression: 'rate(5 minutes)' },
    { ScheduleExpression: 'cron(30 8 * * ? *)' },
    { ScheduleExpression: 'nonsense' },
    { AutomaticallyAfterDays: 1, Duration: '25h' },
  ])('the rules %j', async (RotationRules) => {
    expect(await rotate({ RotationLambdaARN: arn('rotate'), RotationRules })).toMatch(/^InvalidParameterException/);
    expect(await describeIt()).not.toHaveProperty('RotationEnabled');
  });
});
