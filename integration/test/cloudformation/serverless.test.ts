import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CloudFormation } from '@aws-sdk/client-cloudformation';
import { Lambda } from '@aws-sdk/client-lambda';
import { createTestEmulator, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cloudformation } from '@emu/svc-cloudformation/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as scheduler } from '@emu/svc-scheduler/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as sts } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, expect, test } from 'vitest';

const MANIFESTS = [apigateway, apigatewayv2, cloudformation, dynamodb, events, iam, lambda, s3, scheduler, sqs, sts];
const TURNS = 1000;
/** Interval of checks of a stack in milliseconds, during which it makes progress. */
const STEP = 20;

let emulator: TestEmulator;
let cfn: CloudFormation;

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: MANIFESTS });
  cfn = new CloudFormation(emulator.clientConfig());
});
afterAll(() => emulator.close());

/** Waits for the final status of a stack. Returns it with the failures. */
async function settled(StackName: string): Promise<string> {
  for (let turn = 0; turn < TURNS; turn++) {
    const { Stacks } = await cfn.describeStacks({ StackName });
    const status = Stacks![0]!.StackStatus!;
    if (!status.endsWith('_IN_PROGRESS'))
      return status === 'CREATE_COMPLETE' ? status : `${status}: ${await failures(StackName)}`;
    await new Promise((resolve) => setTimeout(resolve, STEP));
  }
  throw new Error(`${StackName} does not settle`);
}

async function failures(StackName: string): Promise<string> {
  const { StackEvents = [] } = await cfn.describeStackEvents({ StackName });
  const failed = StackEvents.filter(({ ResourceStatus }) => ResourceStatus?.endsWith('_FAILED'));
  return failed.map((event) => `${event.LogicalResourceId}: ${event.ResourceStatusReason}`).join('; ');
}

async function create(StackName: string, Resources: object, more: object = {}): Promise<Map<string, string>> {
  const TemplateBody = JSON.stringify({ Transform: 'AWS::Serverless-2016-10-31', ...more, Resources });
  await cfn.createStack({
    StackName,
    TemplateBody,
    Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_AUTO_EXPAND'],
  });
  expect(await settled(StackName)).toBe('CREATE_COMPLETE');
  const { StackResources = [] } = await cfn.describeStackResources({ StackName });
  return new Map(StackResources.map((one) => [one.LogicalResourceId!, one.PhysicalResourceId!]));
}

async function remove(StackName: string): Promise<void> {
  const { Stacks } = await cfn.describeStacks({ StackName });
  await cfn.deleteStack({ StackName });
  for (let turn = 0; turn < TURNS; turn++) {
    const { Stacks: now } = await cfn.describeStacks({ StackName: Stacks![0]!.StackId });
    const status = now![0]!.StackStatus!;
    if (status === 'DELETE_COMPLETE') return;
    if (status === 'DELETE_FAILED') throw new Error(await failures(Stacks![0]!.StackId!));
    await new Promise((resolve) => setTimeout(resolve, STEP));
  }
  throw new Error(`${StackName} is not deleted`);
}

const code = {
  Handler: 'index.handler',
  InlineCode: 'exports.handler = async () => ({ statusCode: 200, body: "from inline code" });',
  Runtime: 'nodejs22.x',
};

test('a function with an HTTP API, a queue, a table and schedules is deployed and deleted', async () => {
  const made = await create(
    'http',
    {
      Jobs: { Type: 'AWS::SQS::Queue' },
      Things: { Type: 'AWS::Serverless::SimpleTable' },
      Worker: {
        Type: 'AWS::Serverless::Function',
        Properties: {
          ...code,
          Environment: { Variables: { TABLE: { Ref: 'Things' } } },
          Policies: [{ DynamoDBCrudPolicy: { TableName: { Ref: 'Things' } } }],
          Events: {
            Get: { Type: 'HttpApi', Properties: { Path: '/things/{id}', Method: 'get' } },
            Jobs: { Type: 'SQS', Properties: { Queue: { 'Fn::GetAtt': ['Jobs', 'Arn'] }, BatchSize: 5 } },
            Nightly: { Type: 'Schedule', Properties: { Schedule: 'rate(1 day)' } },
            Hourly: { Type: 'ScheduleV2', Properties: { ScheduleExpression: 'rate(1 hour)' } },
          },
        },
      },
    },
    { Outputs: { Url: { Value: { 'Fn::GetAtt': ['ServerlessHttpApi', 'ApiEndpoint'] } } } },
  );
  const apis = new ApiGatewayV2(emulator.clientConfig());
  const ApiId = made.get('ServerlessHttpApi')!;
  const { Items: routes } = await apis.getRoutes({ ApiId });
  expect(routes!.map(({ RouteKey }) => RouteKey)).toEqual(['GET /things/{id}']);
  const { Items: stages } = await apis.getStages({ ApiId });
  expect(stages).toMatchObject([{ StageName: '$default', AutoDeploy: true, Tags: { 'httpapi:createdBy': 'SAM' } }]);
  const { Stacks } = await cfn.describeStacks({ StackName: 'http' });
  expect(Stacks![0]!.Outputs).toMatchObject([{ OutputKey: 'Url', OutputValue: expect.stringContaining(ApiId) }]);

  const functions = new Lambda(emulator.clientConfig());
  const FunctionName = made.get('Worker')!;
  const { Environment } = await functions.getFunctionConfiguration({ FunctionName });
  expect(Environment!.Variables).toEqual({ TABLE: made.get('Things') });
  const { EventSourceMappings } = await functions.listEventSourceMappings({ FunctionName });
  expect(EventSourceMappings).toMatchObject([{ BatchSize: 5, UUID: made.get('WorkerJobs') }]);
  const { Policy } = await functions.getPolicy({ FunctionName });
  expect(Policy).toContain(`${ApiId}/*/GET/things/*`);
  await remove('http');
  await expect(apis.getApi({ ApiId })).rejects.toMatchObject({ name: 'NotFoundException' });
});

test('a function with a REST API is deployed, with the stages of the API, and deleted', async () => {
  const made = await create('rest', {
    Worker: {
      Type: 'AWS::Serverless::Function',
      Properties: { ...code, Events: { Get: { Type: 'Api', Properties: { Path: '/things', Method: 'get' } } } },
    },
  });
  const call = <Output>(operation: string, input: object) =>
    emulator.kernel.callJson('apigateway', operation, input) as Promise<Output>;
  const apis = async () => (await call<{ items?: { id: string; name: string }[] }>('GetRestApis', {})).items ?? [];
  const restApiId = made.get('ServerlessRestApi')!;
  expect(await apis()).toMatchObject([{ id: restApiId, name: 'rest' }]);
  const stages = await call<{ item: { stageName: string }[] }>('GetStages', { restApiId });
  expect(stages.item.map(({ stageName }) => stageName).sort()).toEqual(['Prod', 'Stage']);
  await remove('rest');
  expect(await apis()).toEqual([]);
});

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html: CodeDeploy
// shifts traffic "when the version changes on an AWS::Lambda::Alias resource".
test('the update policy of an alias affects only a change of its version', async () => {
  const StackName = 'shifted';
  const template = (FunctionVersion: string, Description: string): object => ({
    Resources: {
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          AssumeRolePolicyDocument: {
            Version: '2012-10-17',
            Statement: { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
          },
        },
      },
      Hello: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Handler: code.Handler,
          Runtime: code.Runtime,
          Code: { ZipFile: code.InlineCode },
          Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        },
      },
      First: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Hello' } } },
      Live: {
        Type: 'AWS::Lambda::Alias',
        DependsOn: 'First',
        UpdatePolicy: { CodeDeployLambdaAliasUpdate: { ApplicationName: 'app', DeploymentGroupName: 'group' } },
        Properties: { FunctionName: { Ref: 'Hello' }, FunctionVersion, Name: 'live', Description },
      },
    },
  });
  const Capabilities = ['CAPABILITY_IAM' as const];
  const update = async (version: string, description: string) => {
    await cfn.updateStack({ StackName, TemplateBody: JSON.stringify(template(version, description)), Capabilities });
    return settled(StackName);
  };
  await cfn.createStack({ StackName, TemplateBody: JSON.stringify(template('$LATEST', 'first')), Capabilities });
  expect(await settled(StackName)).toBe('CREATE_COMPLETE');
  expect(await update('$LATEST', 'second')).toMatch(/^UPDATE_COMPLETE/);
  expect(await update('1', 'second')).toMatch(
    /^UPDATE_ROLLBACK_COMPLETE: .*CodeDeployLambdaAliasUpdate is not supported/,
  );
  await remove(StackName);
});
