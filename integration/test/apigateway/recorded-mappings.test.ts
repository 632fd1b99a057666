import { createServer } from 'node:http';
import { APIGateway, type PutIntegrationCommandInput } from '@aws-sdk/client-api-gateway';
import { Kinesis } from '@aws-sdk/client-kinesis';
import { Lambda } from '@aws-sdk/client-lambda';
import { S3 } from '@aws-sdk/client-s3';
import { SQS } from '@aws-sdk/client-sqs';
import { asRecorded, createTestEmulator, differences, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as kinesisManifest } from '@emu/svc-kinesis/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, hasRecordings, recordedAnswers } from '../../../packages/svc-apigateway/test/recorded-answers.ts';
import { type Asked, ask } from '../../../packages/svc-apigateway/test/support.ts';

type Json = Parameters<typeof differences>[0];

const ROLE = `arn:aws:iam::${ACCOUNT}:role/any`;
const CODE = `
exports.hello = async () => ({ message: 'hello world' });
exports.echo = async (event) => event;
exports.selects = async ({ statusCode }) => {
  if (statusCode === '400') throw new Error('Error: Raising four hundred from within the Lambda function');
  if (statusCode === '500') throw new Error('Error: Raising five hundred from within the Lambda function');
  return 'Pass';
};
exports.answers = async ({ body }) => ({ statusCode: 200, body: body === 'fail' ? 'customerror' : 'noerror' });
exports.tells = async (event) => ({
  statusCode: 200,
  body: JSON.stringify('response from localstack lambda: ' + JSON.stringify(event)),
  isBase64Encoded: false,
  headers: {},
});
exports.proxy = async () => ({ statusCode: 200, body: '{"data": "ok"}' });
`;

let emulator: TestEmulator;
let api: APIGateway;
beforeAll(async () => {
  if (!hasRecordings) return;
  emulator = await createTestEmulator({
    manifests: [apigateway, kinesisManifest, lambdaManifest, s3Manifest, sqsManifest],
    settings: { accountId: ACCOUNT },
  });
  api = new APIGateway(emulator.clientConfig());
  const lambda = new Lambda(emulator.clientConfig());
  for (const name of ['hello', 'echo', 'selects', 'answers', 'tells', 'proxy'])
    await lambda.createFunction({
      FunctionName: name,
      Runtime: 'nodejs20.x',
      Role: ROLE,
      Handler: `index.${name}`,
      Code: { ZipFile: zipOf({ 'index.js': CODE }) },
    });
});
afterAll(() => emulator?.close());

const uriOf = (name: string): string =>
  `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:${ACCOUNT}:function:${name}/invocations`;

/** An integration response: its selection and content. */
interface Response {
  readonly selectionPattern?: string;
  readonly template?: string;
}

/** Runs an action whose response is compared. */
type Compare = <Output extends object>(name: string, running: Promise<Output>) => Promise<Output>;

/** Creates and deploys a method with its integration; `compare` receives the responses of its creation. */
async function deployed(
  integration: Partial<PutIntegrationCommandInput>,
  {
    method = 'POST',
    requestParameters = undefined as Record<string, boolean> | undefined,
    responses = { 200: {} } as Readonly<Record<string, Response>>,
    compare = (async (_, running) => running) as Compare,
    pathPart = 'test',
  } = {},
) {
  const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({ name: 'recorded' });
  const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart });
  const place = { restApiId, resourceId, httpMethod: method };
  await compare(
    'put-method',
    api.putMethod({ ...place, authorizationType: 'NONE', ...(requestParameters && { requestParameters }) }),
  );
  await compare(
    'put-integration',
    api.putIntegration({ ...place, type: 'AWS', integrationHttpMethod: 'POST', credentials: ROLE, ...integration }),
  );
  for (const [statusCode, { selectionPattern, template }] of Object.entries(responses)) {
    await compare('put-method-response', api.putMethodResponse({ ...place, statusCode }));
    await compare(
      'put-integration-response',
      api.putIntegrationResponse({
        ...place,
        statusCode,
        ...(selectionPattern !== undefined && { selectionPattern }),
        ...(template !== undefined && { responseTemplates: { 'application/json': template } }),
      }),
    );
  }
  await api.createDeployment({ restApiId, stageName: 'dev' });
  return {
    place,
    send: (asked: Omit<Asked, 'path'> & { path?: string } = {}) =>
      ask(emulator, {
        method: method === 'ANY' ? 'GET' : method,
        host: `${restApiId}.execute-api.us-east-1.amazonaws.com`,
        ...asked,
        path: asked.path ?? '/dev/test',
      }),
  };
}

/** Compares the responses of steps with recorded ones, and collects differences. */
function comparison(test: string) {
  const recorded = recordedAnswers(test);
  const known = new Map<string, string>();
  const found: string[] = [];
  const compare: Compare = async (name, running) => {
    if (recorded[name] !== undefined)
      found.push(...differences(recorded[name], await asRecorded(running), known, name));
    return running.catch(() => ({}) as never);
  };
  return { recorded, known, found, compare };
}

const JSON_BODY = { headers: { 'content-type': 'application/json' } };

describe.skipIf(!hasRecordings)('recorded mapped integrations with functions', () => {
  it("return the function's response", async () => {
    const { recorded, found, compare } = comparison('test_lambda_aws_integration');
    const { send } = await deployed({ uri: uriOf('hello') }, { compare });
    expect((await send({ ...JSON_BODY, body: '{}' })).json).toEqual(recorded['lambda-aws-integration']);
    expect(found).toEqual([]);
  });

  it("pass the template's result to the function", async () => {
    const { recorded, found, compare } = comparison('test_lambda_aws_integration_with_request_template');
    const { place, send } = await deployed(
      { uri: uriOf('echo'), requestTemplates: { 'application/json': '{"param1": "$input.params(\'param1\')"}' } },
      {
        method: 'GET',
        requestParameters: { 'method.request.querystring.param1': false },
        responses: { 200: { selectionPattern: '' } },
        compare,
      },
    );
    expect((await send({ path: '/dev/test?param1=foobar' })).json).toEqual(recorded['lambda-aws-integration-1']);
    const typed = { path: '/dev/test?param1=foobar', ...JSON_BODY };
    expect((await send(typed)).json).toEqual(recorded['lambda-aws-integration-2']);
    await compare('delete-integration', api.deleteIntegration(place));
    await compare('get-integration-after-delete', api.getIntegration(place));
    expect(found).toEqual([]);
  });

  it("select responses by the function's error", async () => {
    const recorded = recordedAnswers('test_lambda_selection_patterns');
    const { send } = await deployed(
      {
        uri: uriOf('selects'),
        requestTemplates: { 'application/json': '{"statusCode": "$input.params(\'statusCode\')"}' },
      },
      {
        method: 'GET',
        requestParameters: { 'method.request.querystring.statusCode': false },
        responses: { 200: {}, 400: { selectionPattern: '.*four hundred.*' }, 500: { selectionPattern: '.+' } },
      },
    );
    for (const status of [200, 400, 500]) {
      const answer = await send({ path: `/dev/test?statusCode=${status}` });
      expect(answer.status).toBe(status);
      const theirs = recorded[`lambda-selection-pattern-${status}`]!;
      // A failure's members besides the message depend on the runtime.
      const messageOf = (one: unknown) => (status === 200 ? one : (one as { errorMessage: string }).errorMessage);
      expect(messageOf(answer.json)).toEqual(messageOf(theirs));
    }
  });

  it('return another status set by a template', async () => {
    const recorded = recordedAnswers('test_lambda_aws_integration_response_with_mapping_templates');
    const template = `#set($inputRoot = $input.path('$'))#if($inputRoot.body == 'customerror')#set($context.responseOverride.status = 400)#else#set($context.responseOverride.status = 202)#end$input.json('$')`;
    const { send } = await deployed({ uri: uriOf('answers') }, { responses: { 200: { template } } });
    for (const [step, body] of [
      ['response-template-202', '{"body": "fine"}'],
      ['response-template-400', '{"body": "fail"}'],
    ] as const) {
      const { status, json } = await send({ ...JSON_BODY, body });
      expect({ body: json, statusCode: status }).toEqual(recorded[step]);
    }
  });

  it('are tested with the log of both directions', async () => {
    const recorded = recordedAnswers('TestAPIGateway::test_apigw_test_invoke_method_api');
    const { place } = await deployed({ uri: uriOf('tells') }, { method: 'GET', pathPart: 'foo' });
    const asked = {
      test_invoke_method_response: {},
      test_invoke_method_response_with_body: {
        pathWithQueryString: '/foo?queryTest=value',
        headers: { 'content-type': 'application/json' },
        body: '{"test": "val123"}',
      },
    };
    const found: string[] = [];
    for (const [step, request] of Object.entries(asked)) {
      const answer = (await asRecorded(api.testInvokeMethod({ ...place, ...request }))) as Record<string, Json>;
      const { log, ...rest } = answer as { log: string };
      const { log: theirs, ...others } = recorded[step] as { log: Record<string, string> };
      found.push(...differences(others as Json, rest as Json, new Map(), step));
      const lines = log.split('\n').map((line) => line.replace(/^\w{3} \w{3} \d\d [\d:]{8} UTC \d{4} : /, ''));
      const wanted = Object.values(theirs).map((line) => line.replace('DDD MMM dd hh:mm:ss UTC yyyy : ', ''));
      // The endpoint's host is recorded as a placeholder; requests are not signed here.
      expect(lines[8]).toContain('x-amzn-lambda-integration-tag=');
      for (const [at, line] of wanted.entries()) {
        const date = 'Date=Day, dd MMM yyyy hh:mm:ss GMT';
        const own = (lines[at] ?? '').replace(/Date=\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT/, date);
        if (at !== 8) found.push(...differences(line, own, new Map(), `${step}.${at}`));
      }
    }
    expect(found).toEqual([]);
  });

  it('of an imported document use the endpoint in a stage variable', async () => {
    const recorded = recordedAnswers('TestApiGatewayImportRestApi::test_import_with_stage_variables');
    const server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://any');
      const seen = { args: Object.fromEntries(searchParams), data: '', method: request.method, path: pathname };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(seen));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const integration = (uri: string) => ({
      'x-amazon-apigateway-integration': {
        type: 'http',
        httpMethod: 'POST',
        uri,
        responses: { default: { statusCode: '200' } },
        requestParameters: { 'integration.request.querystring.qs_key': "'qs_value'" },
        passthroughBehavior: 'when_no_match',
      },
      responses: { 200: { description: 'ok' } },
    });
    const document = {
      openapi: '3.0.1',
      info: { title: 'variables', version: '1' },
      paths: { '/path1': { get: integration(`http://\${stageVariables.url}`) } },
    };
    const { id: restApiId } = await api.importRestApi({
      body: Buffer.from(JSON.stringify(document)),
      failOnWarnings: true,
    });
    const { id: deploymentId } = await api.createDeployment({ restApiId });
    const variables = { url: `127.0.0.1:${port}/test-path` };
    await api.createStage({ restApiId, deploymentId, stageName: 'v1', variables });
    await api.createStage({ restApiId, deploymentId, stageName: 'v2' });
    const host = `${restApiId}.execute-api.us-east-1.amazonaws.com`;
    try {
      const { domain, origin, ...theirs } = recorded['get-resp-from-http'] as Record<string, Json>;
      expect((await ask(emulator, { host, path: '/v1/path1' })).json).toEqual(theirs);
      const failed = await ask(emulator, { host, path: '/v2/path1' });
      const errorType = failed.headers['x-amzn-errortype'];
      expect({ body: failed.json, errorType }).toEqual(recorded['get-error-resp-from-http']);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('reject a Lambda proxy without POST', async () => {
    const recorded = recordedAnswers('test_lambda_aws_proxy_integration_non_post_method');
    const { send } = await deployed({ type: 'AWS_PROXY', uri: uriOf('proxy'), integrationHttpMethod: 'GET' });
    expect((await send()).json).toEqual(recorded['invocation-payload-with-get-proxy-method']);
  });

  it('pass bodies to templates as text', async () => {
    const recorded = recordedAnswers('TestApiGatewayCommon::test_input_body_formatting') as Record<
      string,
      Record<string, string>
    >;
    const bodies = { 'empty-body': '', 'json-body': '{"some": "value"}', 'str-body': 'some raw data' };
    const whole = 'Action=SendMessage&MessageBody=$input.body';
    const templates: Record<string, [request: string | undefined, response: string | undefined]> = {
      'response-raw-body': ['$input.body', undefined],
      'response-str-body-input': [whole, undefined],
      'response-str-body-output': ['$input.body', whole],
      'response-str-body-all': [whole, whole],
      'response-body-attr-access': ['$input.body.testAccess', '$input.body'],
      'response-url-encode': [
        'EncodedBody=$util.urlEncode($input.body)&EncodedBodyAccess=$util.urlEncode($input.body.testAccess)',
        undefined,
      ],
    };
    const found: string[] = [];
    for (const [step, [request, response]] of Object.entries(templates)) {
      const seen: Record<string, string> = {};
      for (const [name, body] of Object.entries(bodies)) {
        const { text } = await rendered(request, response, body);
        seen[name] = `b'${text}'`;
      }
      for (const name of Object.keys(bodies))
        if (seen[name] !== recorded[step]![name])
          found.push(`${step}.${name}: ${recorded[step]![name]} / ${seen[name]}`);
    }
    expect(found).toEqual([]);
  });
});

/** Returns the request and response of an endpoint that returns its request. */
async function rendered(request: string | undefined, response: string | undefined, body: string) {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.concat(chunks));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as { port: number };
    const { send } = await deployed(
      {
        type: 'HTTP',
        credentials: undefined,
        uri: `http://127.0.0.1:${port}/`,
        ...(request !== undefined && { requestTemplates: { 'application/json': request } }),
      },
      { responses: { 200: response === undefined ? {} : { template: response } } },
    );
    return await send({ ...JSON_BODY, body });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe.skipIf(!hasRecordings)('recorded requests to services', () => {
  it('a Kinesis record', async () => {
    const streams = new Kinesis(emulator.clientConfig());
    for (const [action, body, template] of [
      [
        'PutRecord',
        '{"kinesis": "snapshot"}',
        `{"StreamName": "PutRecord", "Data": "$util.base64Encode($input.body)", "PartitionKey": "test"}`,
      ],
      [
        'PutRecords',
        JSON.stringify({ records: ['bar1', 'bar2', 'bar3'].map((foo) => ({ data: `{"foo": "${foo}"}`, key: '20' })) }),
        `{"StreamName": "PutRecords", "Records": [#foreach($elem in $input.path('$.records')){"Data": "$util.base64Encode($elem.data)", "PartitionKey": "$elem.key"}#if($foreach.hasNext),#end#end]}`,
      ],
    ] as const) {
      const recorded = recordedAnswers(`test_apigateway_to_kinesis[${action}]`).kinesis_records as {
        Records: { Data: string; PartitionKey: string }[];
      };
      await streams.createStream({ StreamName: action, ShardCount: 1 });
      await emulator.kernel.clock.advance(60_000);
      const { send } = await deployed({
        uri: `arn:aws:apigateway:us-east-1:kinesis:action/${action}`,
        requestTemplates: { 'application/json': template },
      });
      expect((await send({ ...JSON_BODY, body })).status).toBe(200);
      const shard = { StreamName: action, ShardId: 'shardId-000000000000' };
      const { ShardIterator } = await streams.getShardIterator({ ...shard, ShardIteratorType: 'TRIM_HORIZON' });
      const { Records = [] } = await streams.getRecords({ ShardIterator });
      const ours = Records.map(({ Data, PartitionKey }) => ({
        Data: `b'${Buffer.from(Data!).toString()}'`,
        PartitionKey,
      }));
      expect(ours).toEqual(recorded.Records.map(({ Data, PartitionKey }) => ({ Data, PartitionKey })));
    }
  });

  it('SQS messages with attributes', async () => {
    const queues = new SQS(emulator.clientConfig());
    for (const attribute of ['MessageAttribute', 'MessageAttributes']) {
      const recorded = recordedAnswers(`test_sqs_aws_integration_with_message_attribute[${attribute}]`);
      const { QueueUrl } = await queues.createQueue({ QueueName: attribute });
      const { send } = await deployed({
        uri: `arn:aws:apigateway:us-east-1:sqs:path/${ACCOUNT}/${attribute}`,
        requestParameters: { 'integration.request.header.Content-Type': "'application/x-www-form-urlencoded'" },
        requestTemplates: {
          'application/json': `Action=SendMessage&MessageBody=$util.urlEncode($input.body)&${attribute}.1.Name=user-agent&${attribute}.1.Value.DataType=String&${attribute}.1.Value.StringValue=$input.params('User-Agent')`,
        },
        passthroughBehavior: 'NEVER',
      });
      const headers = { ...JSON_BODY.headers, 'user-agent': 'BAR-Header' };
      expect((await send({ headers, body: '{"foo": "bar"}' })).status).toBe(200);
      const { Messages = [] } = await queues.receiveMessage({ QueueUrl, MessageAttributeNames: ['All'] });
      expect(JSON.parse(Messages[0]!.Body!)).toEqual(recorded['sqs-message-body']);
      expect([attribute, Messages[0]!.MessageAttributes]).toEqual([attribute, recorded['sqs-message-attributes']]);
    }
  });

  it('an XML response of SQS, which a template converts to JSON', async () => {
    const recorded = recordedAnswers('test_sqs_request_and_response_xml_templates_integration');
    await new SQS(emulator.clientConfig()).createQueue({ QueueName: 'xml' });
    const template = `#set($response = $input.path('$.SendMessageResponse')){"messageId": "$response.SendMessageResult.MessageId", "requestId": "$response.ResponseMetadata.RequestId"}`;
    const { send } = await deployed(
      {
        uri: `arn:aws:apigateway:us-east-1:sqs:path/${ACCOUNT}/xml`,
        requestParameters: { 'integration.request.header.Content-Type': "'application/x-www-form-urlencoded'" },
        requestTemplates: { 'application/json': 'Action=SendMessage&MessageBody=$util.urlEncode($input.body)' },
        passthroughBehavior: 'NEVER',
      },
      { responses: { 200: { template } } },
    );
    const { json } = await send({ ...JSON_BODY, body: '{"foo": "bar"}' });
    expect(differences(recorded['sqs-json-response']!, json as Json, new Map())).toEqual([]);
  });

  it('S3 objects, by the method of the request or the integration', async () => {
    const s3 = new S3({ ...emulator.clientConfig(), forcePathStyle: true });
    await s3.createBucket({ Bucket: 'bucket' });
    const recorded = recordedAnswers('test_apigateway_s3_any');
    const integration = (httpMethod: string) => ({
      integrationHttpMethod: httpMethod,
      uri: 'arn:aws:apigateway:us-east-1:s3:path/bucket/{key}',
      requestParameters: { 'integration.request.path.key': 'method.request.path.key' },
    });
    const by = { requestParameters: { 'method.request.path.key': true }, pathPart: '{key}' };
    const any = await deployed(integration('ANY'), { ...by, method: 'ANY' });
    /** Returns S3's error without the ids of the request. */
    const errorOf = (text: string) =>
      Object.fromEntries(
        ['Code', 'Key', 'Message'].map((name) => [name, new RegExp(`<${name}>(.*?)</${name}>`).exec(text)?.[1]]),
      );
    const theirs = (step: Json) => {
      const { Code, Key, Message } = (step as Record<string, Record<string, Json>>).Error!;
      return { Code, Key, Message };
    };
    const path = '/dev/test.json';
    const ask = (method: string, body?: string) =>
      any.send({ method, path, ...(body !== undefined && { ...JSON_BODY, body }) });
    expect(errorOf((await ask('GET')).text)).toEqual(theirs(recorded['get-object-empty']!));
    for (const id of [1, 2]) {
      await ask('PUT', `{"put_id": ${id}}`);
      expect((await ask('GET')).json).toEqual(recorded[`get-object-${id}`]);
    }
    await ask('DELETE');
    expect(errorOf((await ask('GET')).text)).toEqual(theirs(recorded['get-object-deleted']!));
    const direct = await s3.getObject({ Bucket: 'bucket', Key: 'test.json' }).catch((error: Error) => error);
    expect(direct).toMatchObject({ name: theirs(recorded['get-object-s3']!).Code });

    const mapped = recordedAnswers('test_apigateway_s3_method_mapping');
    await s3.putObject({
      Bucket: 'bucket',
      Key: 'test.json',
      Body: '{"message": "great success!"}',
      ContentType: 'application/json',
    });
    const get = await deployed(integration('GET'), { ...by, method: 'ANY' });
    expect((await get.send({ method: 'POST', path, ...JSON_BODY, body: '{}' })).json).toEqual(mapped['get-object']);
    const del = await deployed(integration('DELETE'), { ...by, method: 'ANY' });
    await del.send({ path });
    expect(errorOf((await get.send({ path })).text)).toEqual(theirs(mapped['get-deleted-object']!));
  });
});
