import { execFileSync } from 'node:child_process';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { SQS } from '@aws-sdk/client-sqs';
import { SSM } from '@aws-sdk/client-ssm';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as sns } from '@emu/svc-sns/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as ssm } from '@emu/svc-ssm/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

let emulator: TestEmulator;
let cfn: CloudFormation;

beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [cloudformation, lambda, logs, sns, sqs, ssm],
    settings: { values: { EMULATOR_RUNTIME_DIR: '/missing' } },
  });
  cfn = new CloudFormation(emulator.clientConfig());
  await new SSM(emulator.clientConfig()).putParameter({ Name: '/asked', Value: 'known', Type: 'String' });
});
afterAll(() => emulator?.close());

const settled = async (StackName: string) => {
  await expect
    .poll(async () => (await cfn.describeStacks({ StackName })).Stacks![0]!.StackStatus, { timeout: 40_000 })
    .not.toMatch(/_IN_PROGRESS$/);
  return (await cfn.describeStacks({ StackName })).Stacks![0]!;
};

/** A custom resource of a function with inline code. */
const inline = (Runtime: string, ZipFile: string) =>
  JSON.stringify({
    Resources: {
      Function: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Runtime,
          Handler: 'index.handler',
          Role: 'arn:aws:iam::000000000000:role/any',
          Timeout: 20,
          Code: { ZipFile },
        },
      },
      Custom: {
        Type: 'Custom::Lookup',
        Properties: {
          ServiceToken: { 'Fn::GetAtt': ['Function', 'Arn'] },
          Name: '/asked',
          Count: 2,
          ServiceTimeout: 60,
        },
      },
    },
    Outputs: {
      Value: { Value: { 'Fn::GetAtt': ['Custom', 'Value'] } },
      Count: { Value: { 'Fn::GetAtt': ['Custom', 'Count'] } },
    },
  });

const NODE = `
const response = require('cfn-response');
const { SSMClient, GetParameterCommand } = require('@aws-sdk/client-ssm');
exports.handler = (event, context) => {
  const { Name, Count } = event.ResourceProperties;
  if (event.RequestType === 'Delete') return response.send(event, context, response.SUCCESS);
  new SSMClient().send(new GetParameterCommand({ Name })).then(
    ({ Parameter }) => response.send(event, context, response.SUCCESS, { Value: Parameter.Value, Count: typeof Count }),
    (error) => response.send(event, context, response.FAILED, { Error: String(error) }),
  );
};`;

const PYTHON = `
import boto3
import cfnresponse

def handler(event, context):
    if event["RequestType"] == "Delete":
        cfnresponse.send(event, context, cfnresponse.SUCCESS, {})
        return
    name = event["ResourceProperties"]["Name"]
    value = boto3.client("ssm").get_parameter(Name=name)["Parameter"]["Value"]
    count = type(event["ResourceProperties"]["Count"]).__name__
    cfnresponse.send(event, context, cfnresponse.SUCCESS, {"Value": value, "Count": count}, "python-id")
`;

function hasBoto3(): boolean {
  try {
    execFileSync('python3', ['-c', 'import boto3'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['nodejs20.x', NODE, 'string'],
  ['python3.12', PYTHON, 'str'],
])('inline code of %s has the response module of custom resources, and an AWS SDK', async (runtime, code, type) => {
  if (runtime.startsWith('python') && !hasBoto3()) return console.info('python3 has no boto3: not tried');
  const StackName = runtime.replace('.', '');
  await cfn.createStack({ StackName, TemplateBody: inline(runtime, code) });
  const stack = await settled(StackName);
  const { StackEvents } = await cfn.describeStackEvents({ StackName });
  expect(stack, JSON.stringify(StackEvents)).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
    Outputs: [
      { OutputKey: 'Value', OutputValue: 'known' },
      { OutputKey: 'Count', OutputValue: type },
    ],
  });
  await cfn.deleteStack({ StackName });
  expect(await settled(stack.StackId!)).toMatchObject({ StackStatus: 'DELETE_COMPLETE' });
});

test.each([
  [
    'nodejs20.x',
    "require('@aws-sdk/client-nowhere');",
    /Error: Cannot find module '@aws-sdk\/client-nowhere'\. .*; emu finds it after: emu runtime install nodejs/,
  ],
  [
    'python3.12',
    'import botocore.nowhere',
    /No module named 'botocore.*'\. .*; emu finds it after: emu runtime install python/,
  ],
  ['python3.13', 'import boto3_nowhere', /No module named 'boto3_nowhere'/],
])('code of %s with a missing module fails the stack with the reason', async (runtime, code, missing) => {
  const StackName = `missing${runtime.replace('.', '')}`;
  const { StackId } = await cfn.createStack({ StackName, TemplateBody: inline(runtime, code) });
  expect(await settled(StackId!)).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE' });
  const { StackEvents } = await cfn.describeStackEvents({ StackName: StackId });
  const failed = StackEvents!.find(({ ResourceStatus }) => ResourceStatus === 'CREATE_FAILED')!;
  expect(failed.LogicalResourceId).toBe('Custom');
  expect(failed.ResourceStatusReason).toContain('cannot be loaded where emu runs: ');
  expect(failed.ResourceStatusReason).toMatch(missing);
});

test('a handler that reports a missing SDK itself fails the stack with the command that installs it', async () => {
  // As CDK's AwsCustomResource does.
  const code = `const { send, FAILED, SUCCESS } = require('cfn-response');
// A part of the module's reason.
const reason = 'Package @aws-sdk/client-nowhere does not exist.';
exports.handler = (event, context) =>
  send(event, { ...context, logStreamName: reason }, event.RequestType === 'Delete' ? SUCCESS : FAILED);`;
  const { StackId } = await cfn.createStack({ StackName: 'reported', TemplateBody: inline('nodejs20.x', code) });
  expect(await settled(StackId!)).toMatchObject({ StackStatus: 'ROLLBACK_COMPLETE' });
  const { StackEvents } = await cfn.describeStackEvents({ StackName: StackId });
  const failed = StackEvents!.find(({ ResourceStatus }) => ResourceStatus === 'CREATE_FAILED')!;
  expect(failed.ResourceStatusReason).toMatch(
    /Message returned: .*Package @aws-sdk\/client-nowhere does not exist\. AWS's runtimes include @aws-sdk\/client-nowhere; emu finds it after: emu runtime install nodejs \(RequestId: /,
  );
});

test('a custom resource can also use a topic', async () => {
  const queues = new SQS(emulator.clientConfig());
  const TemplateBody = JSON.stringify({
    Resources: {
      Topic: { Type: 'AWS::SNS::Topic' },
      Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'asked' } },
      Subscription: {
        Type: 'AWS::SNS::Subscription',
        Properties: {
          TopicArn: { Ref: 'Topic' },
          Protocol: 'sqs',
          Endpoint: { 'Fn::GetAtt': ['Queue', 'Arn'] },
          RawMessageDelivery: true,
        },
      },
      Custom: {
        Type: 'AWS::CloudFormation::CustomResource',
        DependsOn: 'Subscription',
        Properties: { ServiceToken: { Ref: 'Topic' }, Size: 3 },
      },
    },
    Outputs: { Made: { Value: { 'Fn::GetAtt': ['Custom', 'Made'] } } },
  });
  const { StackId } = await cfn.createStack({ StackName: 'topic', TemplateBody });
  await expect.poll(() => queues.getQueueUrl({ QueueName: 'asked' }).catch(() => undefined)).toBeTruthy();
  const { QueueUrl } = await queues.getQueueUrl({ QueueName: 'asked' });
  const { Messages } = await queues.receiveMessage({ QueueUrl, WaitTimeSeconds: 20 });
  const request = JSON.parse(Messages![0]!.Body!);
  expect(request).toMatchObject({ RequestType: 'Create', StackId, LogicalResourceId: 'Custom' });
  expect(request.ResourceProperties).toEqual({ ServiceToken: request.ServiceToken, Size: '3' });
  const { StackId: _, RequestId, LogicalResourceId } = request;
  const body = { Status: 'SUCCESS', PhysicalResourceId: 'of-topic', StackId, RequestId, LogicalResourceId };
  const answered = await fetch(request.ResponseURL, {
    method: 'PUT',
    body: JSON.stringify({ ...body, Data: { Made: 'by hand' } }),
  });
  expect(answered.status).toBe(200);
  expect(await settled('topic')).toMatchObject({
    StackStatus: 'CREATE_COMPLETE',
    Outputs: [{ OutputValue: 'by hand' }],
  });
});
