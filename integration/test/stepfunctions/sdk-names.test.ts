import { Scheduler } from '@aws-sdk/client-scheduler';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as secretsmanager } from '@emu/svc-secretsmanager/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLE, type SfnTest, startSfn } from '../../../packages/svc-stepfunctions/test/support.ts';

let t: SfnTest;
beforeAll(async () => {
  t = await startSfn({ manifests: [apigateway, cognito, dynamodb, iam, logs, scheduler, secretsmanager, sqs, ssm] });
});
afterAll(() => t[Symbol.asyncDispose]());

type Outcome = {
  status: string;
  output: Record<string, unknown>;
  error: string | undefined;
  cause: string | undefined;
};

/** Runs one task. */
async function outcome(action: string, Parameters: object): Promise<Outcome> {
  const Resource = `arn:aws:states:::aws-sdk:${action}`;
  const T = { Type: 'Task', Resource, Parameters, End: true };
  const executionArn = await t.start(await t.machine({ StartAt: 'T', States: { T } }));
  const described = () => t.sfn.describeExecution({ executionArn });
  // The service is loaded first.
  await expect.poll(async () => (await described()).status, { timeout: 20_000 }).not.toBe('RUNNING');
  const { status, output, error, cause } = await described();
  return { status: status!, error, cause, output: output === undefined ? {} : JSON.parse(output) };
}

test('members begin with a capital letter, and keys of maps are unchanged', async () => {
  const made = await outcome('apigateway:createRestApi', { Name: 'api', Tags: { team: 'blue' } });
  expect(made).toMatchObject({ status: 'SUCCEEDED', output: { Name: 'api', Tags: { team: 'blue' } } });
  const read = await outcome('apigateway:getRestApi', { RestApiId: made.output.Id });
  expect(read.output).toMatchObject({ Name: 'api', EndpointConfiguration: { Types: ['EDGE'] } });

  await outcome('cloudwatchlogs:createLogGroup', { LogGroupName: '/sfn/group', Tags: { Owner: 'me' } });
  const { output } = await outcome('cloudwatchlogs:describeLogGroups', { LogGroupNamePrefix: '/sfn/' });
  expect(output).toMatchObject({ LogGroups: [{ LogGroupName: '/sfn/group' }] });
});

test('leading capital letters form a word', async () => {
  const { output } = await outcome('sqs:createQueue', { QueueName: 'q' });
  const { QueueUrl } = output as { QueueUrl: string };
  const sent = await outcome('sqs:sendMessage', { QueueUrl, MessageBody: 'm' });
  expect(Object.keys(sent.output).sort()).toEqual(['Md5OfMessageBody', 'MessageId']);

  await outcome('dynamodb:createTable', {
    TableName: 'items',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  const Item = { id: { S: '1' }, seen: { Bool: true }, tags: { Ss: ['a'] }, none: { Nul: true }, BOOL: { N: '1' } };
  expect(await outcome('dynamodb:putItem', { TableName: 'items', Item })).toMatchObject({ status: 'SUCCEEDED' });
  const read = await outcome('dynamodb:getItem', { TableName: 'items', Key: { id: { S: '1' } } });
  expect(read.output).toEqual({ Item });
});

test.each([
  [
    'iam:getRole',
    { RoleName: 'absent' },
    'Iam.NoSuchEntityException',
    /\(Service: Iam, Status Code: 404, Request ID: /,
  ],
  [
    'ssm:getParameter',
    { Name: 'absent' },
    'Ssm.ParameterNotFoundException',
    /^Service returned error code ParameterNotFound \(Service: Ssm, Status Code: 400, Request ID: /,
  ],
  [
    'sqs:getQueueUrl',
    { QueueName: 'absent' },
    'Sqs.QueueDoesNotExistException',
    /\(Service: Sqs, Status Code: 400, Request ID: /,
  ],
  [
    'cognitoidentityprovider:describeUserPool',
    { UserPoolId: 'us-east-1_absent00' },
    'CognitoIdentityProvider.ResourceNotFoundException',
    /\(Service: CognitoIdentityProvider, Status Code: 400, Request ID: /,
  ],
])('%s fails with the error of the SDK for Java', async (action, parameters, error, cause) => {
  const failed = await outcome(action, parameters);
  expect(failed).toMatchObject({ status: 'FAILED', error });
  expect(failed.cause).toMatch(cause);
});

test('schedules use the same member names', async () => {
  const client = new Scheduler(t.emulator.clientConfig());
  const stateMachineArn = await t.machine({ StartAt: 'P', States: { P: { Type: 'Pass', End: true } } });
  const Input = JSON.stringify({ StateMachineArn: stateMachineArn, Input: '{"A":1}' });
  const Target = { Arn: 'arn:aws:scheduler:::aws-sdk:sfn:startExecution', RoleArn: ROLE, Input };
  const FlexibleTimeWindow = { Mode: 'OFF' } as const;
  await client.createSchedule({ Name: 's', ScheduleExpression: 'rate(1 hour)', FlexibleTimeWindow, Target });
  await t.emulator.kernel.clock.advance(60_000);
  const { executions } = await t.sfn.listExecutions({ stateMachineArn });
  const { input } = await t.sfn.describeExecution({ executionArn: executions![0]!.executionArn });
  expect(JSON.parse(input!)).toEqual({ A: 1 });
});

// "If you use the Amazon Web Services CLI or one of the Amazon Web Services SDKs to call this operation, then you can
// leave this parameter empty. The CLI or SDK generates a random UUID for you":
// https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html
test('missing idempotency tokens are generated as by an SDK', async () => {
  const made = await outcome('secretsmanager:createSecret', { Name: 'token', SecretString: 'a' });
  const uuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(made).toMatchObject({ status: 'SUCCEEDED', output: { VersionId: uuid } });
  const put = await outcome('secretsmanager:putSecretValue', { SecretId: 'token', SecretString: 'b' });
  expect(put).toMatchObject({ status: 'SUCCEEDED', output: { VersionId: uuid } });
  expect(put.output.VersionId).not.toBe(made.output.VersionId);
  const ClientRequestToken = 'c'.repeat(32);
  const own = await outcome('secretsmanager:putSecretValue', {
    SecretId: 'token',
    SecretString: 'c',
    ClientRequestToken,
  });
  expect(own.output.VersionId).toBe(ClientRequestToken);

  const scheduler = new Scheduler(t.emulator.clientConfig());
  const Input = JSON.stringify({ SecretId: 'token', SecretString: 'd' });
  const Target = { Arn: 'arn:aws:scheduler:::aws-sdk:secretsmanager:putSecretValue', RoleArn: ROLE, Input };
  const FlexibleTimeWindow = { Mode: 'OFF' } as const;
  await scheduler.createSchedule({ Name: 'put', ScheduleExpression: 'rate(1 hour)', FlexibleTimeWindow, Target });
  await t.emulator.kernel.clock.advance(60_000);
  const read = await outcome('secretsmanager:getSecretValue', { SecretId: 'token' });
  expect(read.output).toMatchObject({ SecretString: 'd', VersionId: uuid });
});
