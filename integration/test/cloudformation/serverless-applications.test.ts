import { execFileSync } from 'node:child_process';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { EventBridge } from '@aws-sdk/client-eventbridge';
import { S3 } from '@aws-sdk/client-s3';
import { SFN } from '@aws-sdk/client-sfn';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as logs } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Asked, ask } from '../../../packages/svc-apigateway/test/support.ts';

const WAIT = { timeout: 30_000, interval: 20 };

let emulator: TestEmulator;
let cfn: CloudFormation;
let sqs: SQS;

beforeAll(async () => {
  emulator = await createTestEmulator({
    manifests: [
      ...[apigateway, apigatewayv2, cloudformation, dynamodb, events, iam, lambda, logs],
      ...[s3Manifest, sqsManifest, stepfunctions, sts],
    ],
  });
  cfn = new CloudFormation(emulator.clientConfig());
  sqs = new SQS(emulator.clientConfig());
});
afterAll(() => emulator?.close());

/** Deploys a template through a change set, as `sam deploy` does. @returns the stack's outputs */
async function deployed(StackName: string, TemplateBody: string): Promise<Record<string, string>> {
  const { Id: ChangeSetName } = await cfn.createChangeSet({
    StackName,
    ChangeSetName: 'samcli-deploy',
    ChangeSetType: 'CREATE',
    TemplateBody,
    Capabilities: ['CAPABILITY_IAM'],
  });
  const changes = async () => (await cfn.describeChangeSet({ ChangeSetName })).Status;
  await expect.poll(changes, WAIT).not.toMatch(/_(PENDING|IN_PROGRESS)$/);
  await cfn.executeChangeSet({ ChangeSetName });
  const described = async () => (await cfn.describeStacks({ StackName })).Stacks![0]!;
  await expect.poll(async () => (await described()).StackStatus, WAIT).not.toMatch(/_IN_PROGRESS$/);
  const { StackStatus, Outputs = [] } = await described();
  const { StackEvents = [] } = await cfn.describeStackEvents({ StackName });
  const failed = StackEvents.filter(({ ResourceStatus }) => ResourceStatus?.endsWith('_FAILED'));
  expect([StackStatus, failed.map((one) => [one.LogicalResourceId, one.ResourceStatusReason])]).toEqual([
    'CREATE_COMPLETE',
    [],
  ]);
  return Object.fromEntries(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue!]));
}

async function removed(StackName: string): Promise<void> {
  const { StackId } = (await cfn.describeStacks({ StackName })).Stacks![0]!;
  await cfn.deleteStack({ StackName });
  const status = async () => (await cfn.describeStacks({ StackName: StackId })).Stacks![0]!.StackStatus;
  await expect.poll(status, WAIT).toBe('DELETE_COMPLETE');
}

/** Returns the response at a URL of AWS. */
const at = (address: string, more: Partial<Asked> = {}) => {
  const { hostname, pathname } = new URL(address);
  return ask(emulator, { host: hostname, path: pathname, ...more });
};

test('an HTTP API of two functions with global settings', async () => {
  const { Url } = await deployed(
    'pages',
    `
Transform: AWS::Serverless-2016-10-31
Globals:
  Function: { Runtime: nodejs22.x, Handler: index.handler, Environment: { Variables: { GREETING: hello } } }
Resources:
  Get:
    Type: AWS::Serverless::Function
    Properties:
      InlineCode: |
        exports.handler = async ({ pathParameters: { name } }) => process.env.GREETING + ' ' + name;
      Events:
        Get: { Type: HttpApi, Properties: { Method: GET, Path: '/{name}' } }
  Post:
    Type: AWS::Serverless::Function
    Properties:
      InlineCode: |
        exports.handler = async ({ body }) => ({ statusCode: 201, body: 'took ' + body });
      Events:
        Post: { Type: HttpApi, Properties: { Method: POST, Path: / } }
Outputs:
  Url: { Value: !Sub 'https://\${ServerlessHttpApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}' }
`,
  );
  expect(await at(`${Url}/you`)).toMatchObject({ status: 200, text: 'hello you' });
  expect(
    await at(`${Url}/`, { method: 'POST', body: 'this', headers: { 'content-type': 'text/plain' } }),
  ).toMatchObject({ status: 201, text: 'took this' });
  await removed('pages');
});

test('a REST API that starts executions of a state machine', async () => {
  const { Url, Machine } = await deployed(
    'orders',
    `
Transform: AWS::Serverless-2016-10-31
Globals: { Api: { OpenApiVersion: 3.0 } }
Resources:
  Price:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: nodejs22.x
      Handler: index.handler
      InlineCode: |
        exports.handler = async ({ pieces }) => ({ total: pieces * 3 });
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: Price
        States: { Price: { Type: Task, Resource: !GetAtt Price.Arn, End: true } }
      Policies: [{ LambdaInvokePolicy: { FunctionName: !Ref Price } }]
      Events:
        Post: { Type: Api, Properties: { Method: POST, Path: /orders } }
Outputs:
  Url: { Value: !Sub 'https://\${ServerlessRestApi}.execute-api.\${AWS::Region}.amazonaws.com/Prod/orders' }
  Machine: { Value: !Ref Order }
`,
  );
  const { json } = await at(Url!, { method: 'POST', body: JSON.stringify({ pieces: 4 }) });
  const { executionArn } = json as { executionArn: string };
  expect(executionArn.split(':')[6]).toBe(Machine!.split(':')[6]);
  const sfn = new SFN(emulator.clientConfig());
  await expect.poll(async () => (await sfn.describeExecution({ executionArn })).status, WAIT).toBe('SUCCEEDED');
  expect((await sfn.describeExecution({ executionArn })).output).toBe('{"total":12}');
  await removed('orders');
});

test('a function that a queue invokes and that writes to a table', async () => {
  const { Jobs, Results } = await deployed(
    'worker',
    `
Transform: AWS::Serverless-2016-10-31
Resources:
  Jobs: { Type: AWS::SQS::Queue }
  Results: { Type: AWS::Serverless::SimpleTable }
  Worker:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: nodejs22.x
      Handler: index.handler
      Environment: { Variables: { RESULTS: !Ref Results } }
      Policies: [{ DynamoDBCrudPolicy: { TableName: !Ref Results } }]
      InlineCode: |
        const { DynamoDB } = require('@aws-sdk/client-dynamodb');
        exports.handler = async ({ Records: [{ body }] }) =>
          new DynamoDB().putItem({ TableName: process.env.RESULTS, Item: { id: { S: body } } });
      Events:
        Jobs: { Type: SQS, Properties: { Queue: !GetAtt Jobs.Arn, BatchSize: 1 } }
Outputs:
  Jobs: { Value: !Ref Jobs }
  Results: { Value: !Ref Results }
`,
  );
  await sqs.sendMessage({ QueueUrl: Jobs!, MessageBody: 'work' });
  const tables = new DynamoDB(emulator.clientConfig());
  await expect
    .poll(async () => (await tables.scan({ TableName: Results })).Items, WAIT)
    .toEqual([{ id: { S: 'work' } }]);
  await removed('worker');
});

test('a function that events of a bus invoke, with a destination for its result', async () => {
  const { Bus, Done } = await deployed(
    'events',
    `
Transform: AWS::Serverless-2016-10-31
Resources:
  Bus: { Type: AWS::Events::EventBus, Properties: { Name: shop } }
  Done: { Type: AWS::SQS::Queue }
  Listener:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: nodejs22.x
      Handler: index.handler
      InlineCode: |
        exports.handler = async ({ detail }) => ({ seen: detail.order });
      EventInvokeConfig:
        DestinationConfig: { OnSuccess: { Type: SQS, Destination: !GetAtt Done.Arn } }
      Events:
        Placed:
          Type: EventBridgeRule
          Properties: { EventBusName: !Ref Bus, Pattern: { source: [shop], detail-type: [placed] } }
Outputs:
  Bus: { Value: !Ref Bus }
  Done: { Value: !Ref Done }
`,
  );
  const entry = { EventBusName: Bus, Source: 'shop', Detail: '{"order":7}' };
  await new EventBridge(emulator.clientConfig()).putEvents({
    Entries: [
      { ...entry, DetailType: 'cancelled', Detail: '{"order":6}' },
      { ...entry, DetailType: 'placed' },
    ],
  });
  const { Messages = [] } = await sqs.receiveMessage({ QueueUrl: Done, WaitTimeSeconds: 20 });
  expect(JSON.parse(Messages[0]!.Body!)).toMatchObject({ responsePayload: { seen: 7 } });
  await removed('events');
});

test('a function with a layer, a published alias, and a URL', async () => {
  const s3 = new S3(emulator.clientConfig());
  await s3.createBucket({ Bucket: 'code' });
  const Body = zipOf({ 'nodejs/node_modules/shared/index.js': 'exports.word = "shared";' });
  await s3.putObject({ Bucket: 'code', Key: 'layer.zip', Body });
  const { Url, Version } = await deployed(
    'layered',
    `
Transform: AWS::Serverless-2016-10-31
Resources:
  Shared:
    Type: AWS::Serverless::LayerVersion
    Properties: { ContentUri: s3://code/layer.zip, RetentionPolicy: Delete }
  Front:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: nodejs22.x
      Handler: index.handler
      Layers: [!Ref Shared]
      AutoPublishAlias: live
      FunctionUrlConfig: { AuthType: NONE }
      InlineCode: |
        exports.handler = async (event, { invokedFunctionArn }) =>
          require('shared').word + ' by ' + invokedFunctionArn.split(':').at(-1);
Outputs:
  Url: { Value: !GetAtt FrontUrl.FunctionUrl }
  Version: { Value: !Ref Front.Version }
`,
  );
  expect(Version).toMatch(/:1$/);
  expect(await at(Url!)).toMatchObject({ status: 200, text: 'shared by live' });
  await removed('layered');
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.log('skipped: stacks with SnapStart, for there is no python3 on PATH');
    return false;
  }
}
const withPython = test.skipIf(!hasPython());

const snapStart = (code: string): string => `
Transform: AWS::Serverless-2016-10-31
Resources:
  Front:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: python3.12
      Handler: index.handler
      AutoPublishAlias: live
      SnapStart: { ApplyOn: PublishedVersions }
      FunctionUrlConfig: { AuthType: NONE }
      InlineCode: |
        ${code}
Outputs:
  Url: { Value: !GetAtt FrontUrl.FunctionUrl }
  Latest: { Value: !GetAtt Front.SnapStartResponse.OptimizationStatus }
`;

withPython('a function with SnapStart, whose version is initialized', async () => {
  const code = 'handler = lambda event, context: __import__("os").environ["AWS_LAMBDA_INITIALIZATION_TYPE"]';
  const { Url, Latest } = await deployed('snapped', snapStart(code));
  expect(Latest).toBe('Off');
  expect(await at(Url!)).toMatchObject({ status: 200, text: 'snap-start' });
  await removed('snapped');
});

withPython('a stack fails with the initialization of a version with SnapStart', async () => {
  const StackName = 'unsnapped';
  const TemplateBody = snapStart('raise ValueError("no configuration")');
  const Capabilities = ['CAPABILITY_IAM', 'CAPABILITY_AUTO_EXPAND'] as const;
  await cfn.createStack({ StackName, TemplateBody, Capabilities: [...Capabilities] });
  const status = async () => (await cfn.describeStacks({ StackName })).Stacks![0]!.StackStatus;
  await expect.poll(status, WAIT).toBe('ROLLBACK_COMPLETE');
  const { StackEvents = [] } = await cfn.describeStackEvents({ StackName });
  const failed = StackEvents.find(({ ResourceStatus }) => ResourceStatus === 'CREATE_FAILED');
  expect(failed?.ResourceType).toBe('AWS::Lambda::Version');
  expect(failed?.ResourceStatusReason).toContain('Function initialization failed: no configuration');
  await removed(StackName);
});
