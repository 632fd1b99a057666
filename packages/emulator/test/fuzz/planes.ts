import { connect } from 'node:net';
import { type RawRequest, sendRaw, zipOf } from '@emu/gateway/testing';
import { mutate, mutateText } from '../../../wire/test/fuzz/bytes.ts';
import type { Random } from '../../../wire/test/fuzz/random.ts';
import type { Tally } from '../../../wire/test/fuzz/tally.ts';
import type { EmbeddedEmulator } from '../../src/embed.ts';

const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/any`;
const CODE = `exports.handler = async ({ rawPath }) => ({ statusCode: 200, body: String(rawPath) });`;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** A data plane with well-formed requests. */
export interface Plane {
  name: string;
  /** Host without a port. */
  host: string;
  /** Paths with queries. */
  targets: readonly string[];
  /** Bodies with their content types. */
  bodies: readonly (readonly [type: string, body: string])[];
}

type Call = (service: string, operation: string, input: unknown) => Promise<Record<string, unknown>>;

/** Creates a resource of every kind that serves requests without a model, and returns them. */
export async function createPlanes(emu: EmbeddedEmulator): Promise<Plane[]> {
  const call: Call = (service, operation, input) =>
    emu.kernel.callJson(service, operation, input) as Promise<Record<string, unknown>>;
  const bodies = [[JSON_TYPE, '{"a":[1,2,{"b":"c"}],"n":1e20}']] as const;
  const functionArn = await createFunction(call);
  // Its URL is that of the request's host.
  const { text } = await sendRaw(emu, {
    method: 'POST',
    target: '/2021-10-31/functions/fuzz-page/url',
    headers: {
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20240101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0',
      'content-type': JSON_TYPE,
    },
    chunks: ['{"AuthType":"NONE"}'],
  });
  const { FunctionUrl } = JSON.parse(text) as { FunctionUrl: string };
  const { ApiId: httpApi } = await call('apigatewayv2', 'CreateApi', {
    Name: 'fuzz',
    ProtocolType: 'HTTP',
    Target: functionArn,
    CorsConfiguration: { AllowOrigins: ['https://a.example'], AllowMethods: ['*'], MaxAge: 10 },
  });
  const paths = ['/', '/items/1?x=1&x=2&y=', '/a%20b/c;d?%zz=1', '/dev/items?max=2147483648&min=-1'];
  return [
    { name: 'function URL', host: `${new URL(FunctionUrl).hostname.split('.')[0]}.lambda-url.us-east-1.localhost` },
    { name: 'HTTP API', host: `${httpApi}.execute-api.us-east-1.localhost` },
    { name: 'REST API', host: `${await createRestApi(call)}.execute-api.us-east-1.localhost` },
  ]
    .map((plane): Plane => ({ ...plane, targets: paths, bodies }))
    .concat(
      await createWebSocketApi(call),
      await createWebsite(call),
      await createPages(call),
      await createQueue(call),
      {
        name: 'HTTP ingestion',
        host: 'logs.us-east-1.localhost',
        targets: ['/v1/logs', '/services/collector/event?logGroup=fuzz&logStream=a', '/ingest/bulk', '/ingest/json'],
        bodies: [
          [JSON_TYPE, '{"event":"a","time":1e20}\n{"event":{"b":1},"time":-1}'],
          [
            JSON_TYPE,
            '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","body":{"stringValue":"a"}}]}]}]}',
          ],
        ],
      },
    );
}

async function createFunction(call: Call): Promise<string> {
  const { FunctionArn } = await call('lambda', 'CreateFunction', {
    FunctionName: 'fuzz-page',
    Role: ROLE,
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Timeout: 20,
    Code: { ZipFile: Buffer.from(zipOf({ 'index.js': CODE })).toString('base64') },
  });
  for (const Action of ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'])
    await call('lambda', 'AddPermission', {
      FunctionName: 'fuzz-page',
      StatementId: Action.slice(7),
      Action,
      Principal: '*',
    });
  return FunctionArn as string;
}

/** Creates a REST API whose mock integrations use templates. */
async function createRestApi(call: Call): Promise<string> {
  const { id: restApiId, rootResourceId } = await call('apigateway', 'CreateRestApi', { name: 'fuzz' });
  const { id: proxy } = await call('apigateway', 'CreateResource', {
    restApiId,
    parentId: rootResourceId,
    pathPart: '{proxy+}',
  });
  for (const resourceId of [rootResourceId, proxy]) {
    const method = { restApiId, resourceId, httpMethod: 'ANY' };
    await call('apigateway', 'PutMethod', { ...method, authorizationType: 'NONE' });
    await call('apigateway', 'PutIntegration', {
      ...method,
      type: 'MOCK',
      // Otherwise the integration receives bodies of other types as they are, and answers 500 as in AWS.
      passthroughBehavior: 'NEVER',
      requestTemplates: { [JSON_TYPE]: '{"statusCode":200}' },
    });
    await call('apigateway', 'PutMethodResponse', { ...method, statusCode: '200' });
    await call('apigateway', 'PutIntegrationResponse', {
      ...method,
      statusCode: '200',
      responseTemplates: { [JSON_TYPE]: '{"path":"$context.path","query":"$util.escapeJavaScript($input.params())"}' },
    });
  }
  await call('apigateway', 'CreateDeployment', { restApiId, stageName: 'dev' });
  return restApiId as string;
}

async function createWebSocketApi(call: Call): Promise<Plane> {
  const { ApiId } = await call('apigatewayv2', 'CreateApi', {
    Name: 'fuzz-sockets',
    ProtocolType: 'WEBSOCKET',
    RouteSelectionExpression: '$request.body.action',
  });
  const { IntegrationId } = await call('apigatewayv2', 'CreateIntegration', {
    ApiId,
    IntegrationType: 'MOCK',
    RequestTemplates: { $default: '{"statusCode":200}' },
    TemplateSelectionExpression: '\\$default',
  });
  for (const RouteKey of ['$connect', '$default'])
    await call('apigatewayv2', 'CreateRoute', { ApiId, RouteKey, Target: `integrations/${IntegrationId}` });
  await call('apigatewayv2', 'CreateStage', { ApiId, StageName: 'dev', AutoDeploy: true });
  return {
    name: 'WebSocket API',
    host: `${ApiId}.execute-api.us-east-1.localhost`,
    targets: ['/dev', '/dev?x=1', '/dev/@connections/abc%3D', '/dev/@connections/'],
    bodies: [[JSON_TYPE, '{"action":"a","data":{"b":[1]}}']],
  };
}

async function createWebsite(call: Call): Promise<Plane> {
  await call('s3', 'CreateBucket', { Bucket: 'fuzz-site' });
  await call('s3', 'PutBucketWebsite', {
    Bucket: 'fuzz-site',
    WebsiteConfiguration: {
      IndexDocument: { Suffix: 'index.html' },
      RoutingRules: [{ Condition: { KeyPrefixEquals: 'old/' }, Redirect: { ReplaceKeyPrefixWith: 'new/' } }],
    },
  });
  await call('s3', 'DeletePublicAccessBlock', { Bucket: 'fuzz-site' });
  const Statement = [{ Effect: 'Allow', Principal: '*', Action: 's3:*', Resource: 'arn:aws:s3:::fuzz-site/*' }];
  await call('s3', 'PutBucketPolicy', {
    Bucket: 'fuzz-site',
    Policy: JSON.stringify({ Version: '2012-10-17', Statement }),
  });
  return {
    name: 'website',
    host: 'fuzz-site.s3-website.us-east-1.localhost',
    targets: ['/', '/old/a?b', '/missing/', '/index.html?versionId=1'],
    bodies: [[JSON_TYPE, '']],
  };
}

/** Creates a user pool with hosted pages. */
async function createPages(call: Call): Promise<Plane> {
  const { UserPool } = (await call('cognito-idp', 'CreateUserPool', { PoolName: 'fuzz' })) as {
    UserPool: { Id: string };
  };
  const UserPoolId = UserPool.Id;
  await call('cognito-idp', 'CreateUserPoolDomain', { UserPoolId, Domain: 'fuzz-people' });
  const { UserPoolClient } = (await call('cognito-idp', 'CreateUserPoolClient', {
    UserPoolId,
    ClientName: 'fuzz',
    CallbackURLs: ['https://a.example/back'],
    LogoutURLs: ['https://a.example/out'],
    AllowedOAuthFlows: ['code', 'implicit'],
    AllowedOAuthScopes: ['openid', 'email'],
    AllowedOAuthFlowsUserPoolClient: true,
    SupportedIdentityProviders: ['COGNITO'],
  })) as { UserPoolClient: { ClientId: string } };
  const query = `client_id=${UserPoolClient.ClientId}&redirect_uri=https%3A%2F%2Fa.example%2Fback&response_type=code&scope=openid&state=s`;
  const pages = ['/login', '/signup', '/confirmuser', '/confirm', '/forgotPassword', '/confirmForgotPassword'];
  return {
    name: 'hosted pages',
    host: 'fuzz-people.auth.us-east-1.localhost',
    targets: [
      ...[...pages, '/oauth2/authorize', '/oauth2/idpresponse', '/saml2/idpresponse', '/passkeys/add'].map(
        (path) => `${path}?${query}`,
      ),
      ...[
        '/oauth2/token',
        '/oauth2/revoke',
        '/oauth2/userinfo',
        `/logout?${query}&logout_uri=https%3A%2F%2Fa.example%2Fout`,
      ],
      ...['/saml2/logout', '/ui/image', '/.well-known/jwks.json', '/eventfeedback'],
    ],
    bodies: [
      [FORM, `${query}&username=ann&password=Passw0rd!&_csrf=a`],
      [FORM, `grant_type=authorization_code&${query}&code=a&code_verifier=b`],
      [FORM, `grant_type=refresh_token&${query}&refresh_token=a`],
      [FORM, 'SAMLResponse=PGE%2BPC9hPg%3D%3D&RelayState=a'],
    ],
  };
}

async function createQueue(call: Call): Promise<Plane> {
  await call('sqs', 'CreateQueue', { QueueName: 'fuzz-queue' });
  const queue = `/${ACCOUNT}/fuzz-queue`;
  const requests = [
    ...['Action=SendMessage&MessageBody=a&DelaySeconds=1e20', 'Action=ReceiveMessage&MaxNumberOfMessages=2147483648'],
    ...['Action=ReceiveMessage&VisibilityTimeout=-1', 'Action=DeleteMessage&ReceiptHandle=a', 'Action=Nothing'],
    'Action=GetQueueAttributes&AttributeName.1=All',
    'Action=SendMessageBatch&SendMessageBatchRequestEntry.99999999999.Id=a&SendMessageBatchRequestEntry.-1.MessageBody=b',
  ];
  return {
    name: 'queue URL',
    host: 'localhost',
    targets: [queue, ...requests.map((request) => `${queue}?${request}`)],
    bodies: requests.map((request) => [FORM, request] as const),
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'];
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['origin', 'https://a.example'],
  ['access-control-request-method', 'PUT'],
  ['authorization', 'Bearer a.b.c'],
  ['authorization', 'Basic YTpi'],
  ['cookie', 'a=b; cognito=; =; \u00ff'],
  ['range', 'bytes=0-99999999999999999999'],
  ['content-encoding', 'gzip'],
  ['if-modified-since', 'Thu, 99 Foo 99999 00:00:00 GMT'],
  ['x-forwarded-for', '1.2.3.4, '],
  ['accept', '*/*;q=1e20'],
  ['upgrade', 'websocket'],
  ['x-amz-log-type', 'Tail'],
];

/** Returns a request of a data plane, most of them broken. */
export function planeRequest(plane: Plane, random: Random, tally: Tally): RawRequest {
  const other = (): Uint8Array => Buffer.from(random.of(plane.targets));
  const target = random.of(plane.targets);
  const [type, body] = random.of(plane.bodies);
  const [name, value] = random.of(HEADERS);
  const broken = random.once(2) ? mutateText(target, random, tally, other) : target;
  return {
    method: random.of(METHODS),
    target: broken.startsWith('/') ? broken : `/${broken}`,
    headers: {
      host: plane.host,
      'content-type': random.once(5) ? 'text/plain' : type,
      ...(random.once(2) && { [name]: value }),
    },
    chunks: [random.once(2) ? mutate(Buffer.from(body), random, tally, other) : body],
  };
}

/**
 * Connects to a WebSocket API, and sends broken frames.
 * @returns the status of the upgrade; undefined without an answer
 */
export function planeSocket(port: number, plane: Plane, random: Random, tally: Tally): Promise<number | undefined> {
  const other = (): Uint8Array => Buffer.from('GET / HTTP/1.1');
  const text = '{"action":"a"}';
  const mask = Buffer.from([1, 2, 3, 4]);
  const masked = Buffer.from(text).map((byte, index) => byte ^ mask[index % 4]!);
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | masked.length]), mask, masked]);
  const target = random.once(3) ? encodeURI(mutateText('/dev?x=1', random, tally, other)) : '/dev';
  return new Promise((resolve) => {
    let status: number | undefined;
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(status));
    socket.once('data', (chunk) => {
      status = Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1]);
      socket.end(mutate(Buffer.concat([frame, frame]), random, tally, other));
      socket.on('data', () => {});
    });
    socket.write(
      `GET ${target} HTTP/1.1\r\nHost: ${plane.host}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    );
  });
}
