import { APIGateway, type PutIntegrationCommandInput } from '@aws-sdk/client-api-gateway';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { SFN } from '@aws-sdk/client-sfn';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, differences, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as dynamodb } from '@emu/svc-dynamodb/manifest';
import { manifest as events } from '@emu/svc-events/manifest';
import { manifest as kinesis } from '@emu/svc-kinesis/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { manifest as stepfunctions } from '@emu/svc-stepfunctions/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, hasRecordings, recordedAnswers } from '../../../packages/svc-apigateway/test/recorded-answers.ts';

type Json = Parameters<typeof differences>[0];

const ROLE = `arn:aws:iam::${ACCOUNT}:role/any`;

let emulator: TestEmulator;
let api: APIGateway;
beforeAll(async () => {
  if (!hasRecordings) return;
  emulator = await createTestEmulator({
    manifests: [apigateway, dynamodb, events, kinesis, sqs, stepfunctions],
    settings: { accountId: ACCOUNT },
  });
  api = new APIGateway(emulator.clientConfig());
});
afterAll(() => emulator?.close());

type Given = Partial<PutIntegrationCommandInput> & Pick<PutIntegrationCommandInput, 'type'>;

/**
 * Creates a deployed API with a resource `{test}`, and returns a function that sends a request and returns status and
 * JSON of the response.
 */
async function deployed(
  integration: Given,
  { template, method = 'POST' }: { template?: string; method?: string } = {},
) {
  const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'recorded' });
  const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart: '{test}' });
  const place = { restApiId, resourceId, httpMethod: method };
  await api.putMethod({ ...place, authorizationType: 'NONE', apiKeyRequired: false });
  await api.putMethodResponse({ ...place, statusCode: '200' });
  await api.putIntegration({ ...place, ...integration });
  const responseTemplates = template === undefined ? {} : { responseTemplates: { 'application/json': template } };
  await api.putIntegrationResponse({ ...place, statusCode: '200', ...responseTemplates });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  const ask = async (body: unknown = undefined, path = 'test', headers: Record<string, string> = {}) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const answer = await sendRaw(emulator, {
      method,
      target: `/dev/${path}`,
      headers: {
        host: `${restApiId}.execute-api.us-east-1.amazonaws.com`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(text && { chunks: [text] }),
    });
    return { status: answer.status, json: JSON.parse(answer.text || '""') as Json };
  };
  return { restApiId: restApiId!, place, ask };
}

/** Creates a deployed API for an operation of a service. */
const action = (uri: string, template?: string) =>
  deployed({
    type: 'AWS',
    integrationHttpMethod: 'POST',
    credentials: ROLE,
    uri: `arn:aws:apigateway:us-east-1:${uri}`,
    ...(template !== undefined && { requestTemplates: { 'application/json': template } }),
    passthroughBehavior: 'WHEN_NO_TEMPLATES',
  });

const content = (recorded: Json): Json => (recorded as { content: Json }).content;

describe.skipIf(!hasRecordings)('recorded integrations', () => {
  it('with DynamoDB put, get and list items', async () => {
    const tables = new DynamoDB(emulator.clientConfig());
    const TableName = 'table';
    await tables.createTable({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    for (const id of ['test', 'test2', 'test 3']) await tables.putItem({ TableName, Item: { id: { S: id } } });
    const query = await action(
      'dynamodb:action/Query',
      `{"TableName": "${TableName}", "KeyConditionExpression": "id = :id", "ExpressionAttributeValues": {":id": {"S": "$input.path('$.id')"}}}`,
    );
    const queries = recordedAnswers('test_rest_api_to_dynamodb_integration[Query]');
    for (const id of ['test', 'test2', 'test 3', 'invalid'])
      expect(await query.ask({ id })).toEqual({ status: 200, json: content(queries[`result-${id}`]!) });
    const inOrder = (answer: Json): Json => {
      const { Items, ...rest } = answer as { Items: { id: { S: string } }[] };
      return { ...rest, Items: Items.toSorted((a, b) => (a.id.S < b.id.S ? -1 : 1)) } as Json;
    };
    const scan = await action('dynamodb:action/Scan', `{"TableName": "${TableName}"}`);
    const scanned = recordedAnswers('test_rest_api_to_dynamodb_integration[Scan]')['result-scan']!;
    expect(inOrder((await scan.ask({})).json)).toEqual(inOrder(content(scanned)));
    const put = await action(
      'dynamodb:action/PutItem',
      `{"TableName": "${TableName}", "Item": {"id": {"S": "$input.path('$.id')"}}}`,
    );
    const puts = recordedAnswers('test_rest_api_to_dynamodb_integration[PutItem]');
    expect((await put.ask({ id: 'test-new' })).json).toEqual(content(puts['result-put-item']!));
    const { ResponseMetadata: _, ...all } = puts['result-scan'] as Record<string, Json>;
    const { $metadata, ...ours } = await tables.scan({ TableName });
    expect(inOrder(ours as Json)).toEqual(inOrder(all));
  });

  it("with Kinesis, EventBridge and Step Functions return the services' responses", async () => {
    const StreamName = 'stream';
    const streams = new Kinesis(emulator.clientConfig());
    await streams.createStream({ StreamName, ShardCount: 1 });
    await emulator.kernel.clock.advance(60_000);
    const found: string[] = [];
    const one = await action(
      'kinesis:action/PutRecord',
      `{"StreamName": "${StreamName}", "Data": "$util.base64Encode($input.json('$'))", "PartitionKey": "test"}`,
    );
    const put = recordedAnswers('test_apigateway_to_kinesis[PutRecord]').apigateway_response!;
    found.push(...differences(put, (await one.ask({ kinesis: 'snapshot' })).json, new Map(), 'PutRecord'));
    const many = await action(
      'kinesis:action/PutRecords',
      `{"StreamName": "${StreamName}", "Records": [#foreach($elem in $input.path('$.records')){"Data": "$util.base64Encode($elem.data)", "PartitionKey": "$elem.key"}#if($foreach.hasNext),#end#end]}`,
    );
    const records = ['bar1', 'bar2', 'bar3'].map((foo) => ({ data: JSON.stringify({ foo }), key: '20' }));
    const puts = recordedAnswers('test_apigateway_to_kinesis[PutRecords]').apigateway_response!;
    found.push(...differences(puts, (await many.ask({ records })).json, new Map(), 'PutRecords'));

    const bus = await action(
      'events:action/PutEvents',
      '{"Entries": [{"Source": "test", "DetailType": "t", "Detail": "$util.escapeJavaScript($input.json(\'$\'))"}]}',
    );
    const sent = recordedAnswers('test_apigateway_to_eventbridge')['eventbridge-put-events-response']!;
    found.push(...differences(sent, (await bus.ask({ a: 1 })).json, new Map(), 'PutEvents'));

    const machines = new SFN({ ...emulator.clientConfig(), disableHostPrefix: true });
    const { stateMachineArn } = await machines.createStateMachine({
      name: 'machine',
      roleArn: ROLE,
      definition: '{"StartAt": "a", "States": {"a": {"Type": "Pass", "End": true}}}',
    });
    const input = `"input": "$util.escapeJavaScript($input.json('$'))", "stateMachineArn": "${stateMachineArn}"`;
    const start = await action('states:action/StartExecution', `{${input}}`);
    const test = 'TestApigatewayStepfunctions::test_apigateway_with_step_function_integration';
    const started = recordedAnswers(`${test}[StartExecution]`).start_execution_response!;
    found.push(...differences(started, (await start.ask({ a: 1 })).json, new Map(), 'StartExecution'));
    const drop = await action('states:action/DeleteStateMachine', `{"stateMachineArn": "${stateMachineArn}"}`);
    const dropped = recordedAnswers(`${test}[DeleteStateMachine]`).delete_state_machine_response!;
    found.push(...differences(dropped, (await drop.ask({})).json, new Map(), 'DeleteStateMachine'));
    expect(found).toEqual([]);
  });

  it("with SQS send the template's result, and map the response by a template", async () => {
    const queues = new SQS(emulator.clientConfig());
    const { QueueUrl } = await queues.createQueue({ QueueName: 'queue' });
    const { ask } = await deployed(
      {
        type: 'AWS',
        integrationHttpMethod: 'POST',
        credentials: ROLE,
        uri: `arn:aws:apigateway:us-east-1:sqs:path/${ACCOUNT}/queue`,
        requestParameters: { 'integration.request.header.Content-Type': "'application/x-www-form-urlencoded'" },
        requestTemplates: { 'application/json': 'Action=SendMessage&MessageBody=$input.body' },
        passthroughBehavior: 'NEVER',
      },
      { template: '{"message": "great success!"}' },
    );
    const recorded = recordedAnswers('test_sqs_aws_integration');
    expect((await ask({ foo: 'bar' })).json).toEqual(recorded['sqs-aws-integration-with-payload']);
    expect((await ask()).json).toEqual(recorded['sqs-aws-integration-without-payload']);
    const { Messages = [] } = await queues.receiveMessage({ QueueUrl, MaxNumberOfMessages: 10 });
    const bodies = (recorded['sqs-messages'] as { Body: Json }[]).map(({ Body }) => Body);
    expect(Messages.map(({ Body }) => JSON.parse(Body!) as Json)).toEqual(bodies);
  });

  it('that are mocked respond by their templates, for any passthrough behavior', async () => {
    for (const passthroughBehavior of ['WHEN_NO_MATCH', 'WHEN_NO_TEMPLATES'])
      for (const method of ['GET', 'POST']) {
        const test = `TestIntegrations::test_mock_integration_response[${passthroughBehavior}-UrlType.HOST_BASED-${method}]`;
        const { ask } = await deployed(
          { type: 'MOCK', passthroughBehavior, requestTemplates: { 'application/json': '{"statusCode": 200}' } },
          { method, template: '{"statusCode": 200, "id": $input.params(\'test\')}' },
        );
        expect((await ask(method === 'POST' ? { a: 1 } : undefined, '42')).json).toEqual(
          recordedAnswers(test)['mock-response'],
        );
      }
  });

  it('of canaries use the deployment of the canary', async () => {
    const recorded = recordedAnswers('TestCanaryDeployments::test_invoking_canary_deployment');
    const template = (message: string) =>
      JSON.stringify({
        statusCode: 200,
        message,
        variable: '$stageVariables.testVar',
        nonExistingDefault: '$stageVariables.noStageVar',
        nonOverridden: '$stageVariables.defaultVar',
        isCanary: '$context.isCanaryRequest',
      });
    const { restApiId, place, ask } = await deployed(
      { type: 'MOCK', requestTemplates: { 'application/json': '{"statusCode": 200}' } },
      { method: 'GET', template: template('default deployment') },
    );
    const stage = { restApiId, stageName: 'dev' };
    await api.createDeployment({ ...stage, variables: { testVar: 'default', defaultVar: 'default' } });
    await api.updateIntegrationResponse({
      ...place,
      statusCode: '200',
      patchOperations: [
        { op: 'replace', path: '/responseTemplates/application~1json', value: template('canary deployment') },
      ],
    });
    const stageVariableOverrides = { testVar: 'canary', noStageVar: 'canary' };
    await api.createDeployment({ ...stage, canarySettings: { percentTraffic: 0, stageVariableOverrides } });
    expect((await ask()).json).toEqual(recorded['response-deployment-1']);
    const patchOperations = [{ op: 'replace' as const, path: '/canarySettings/percentTraffic', value: '100.0' }];
    await api.updateStage({ ...stage, patchOperations });
    expect((await ask()).json).toEqual(recorded['response-canary-deployment']);
  });
});
