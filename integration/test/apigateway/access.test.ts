import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { Lambda } from '@aws-sdk/client-lambda';
import type { Listener } from '@emu/gateway';
import {
  createTestEmulator,
  enforceQuota,
  sendRaw,
  type TestEmulator,
  TestIdentities,
  zipOf,
} from '@emu/gateway/testing';
import { manifest as restManifest } from '@emu/svc-apigateway/manifest';
import { manifest as httpManifest } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cognitoManifest } from '@emu/svc-cognito-idp/manifest';
import { manifest as lambdaManifest } from '@emu/svc-lambda/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ACCOUNT = '123456789012';
const REGION = 'us-east-1';
const PASSWORD = 'Passw0rd!';
const CODE =
  "exports.handler = async ({ requestContext }) => ({ statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(requestContext.authorizer ?? {}) });";

let identities: TestIdentities;
let emulator: TestEmulator;
let listener: Listener;
let rest: APIGateway;
let http: ApiGatewayV2;
let functionArn: string;

beforeAll(async () => {
  identities = new TestIdentities();
  emulator = await createTestEmulator({
    manifests: [restManifest, httpManifest, cognitoManifest, lambdaManifest, identities.manifest],
    settings: { accountId: ACCOUNT, region: REGION, values: { EMULATOR_ENFORCE_IAM: true } },
  });
  // API Gateway fetches the keys of user pools over HTTP.
  listener = await emulator.gateway.listen({ port: 0 });
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  rest = new APIGateway(config);
  http = new ApiGatewayV2(config);
  const lambda = new Lambda(config);
  const role = identities.role('function', {
    trusts: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }],
  });
  const made = await lambda.createFunction({
    FunctionName: 'whoami',
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Role: role,
    Code: { ZipFile: zipOf({ 'index.js': CODE }) },
  });
  functionArn = made.FunctionArn!;
});
afterAll(async () => {
  await listener.close(100);
  await emulator.close();
});

/** Permits APIs to invoke the function. */
const permit = (StatementId: string, SourceArn: string): Promise<unknown> =>
  new Lambda(emulator.clientConfig()).addPermission({
    FunctionName: 'whoami',
    StatementId,
    Action: 'lambda:InvokeFunction',
    Principal: 'apigateway.amazonaws.com',
    SourceArn,
  });

const get = (apiId: string, target: string, headers: Record<string, string> = {}) =>
  sendRaw(emulator, {
    method: 'GET',
    target,
    headers: { host: `${apiId}.execute-api.${REGION}.amazonaws.com`, ...headers },
  });

/** Creates a REST API with the method `GET /whoami` on the function, deployed to `dev`. */
async function restApi(method: object, authorizer?: object): Promise<string> {
  const { id, rootResourceId } = await rest.createRestApi({ name: 'access' });
  const restApiId = id!;
  const { id: resourceId } = await rest.createResource({ restApiId, parentId: rootResourceId, pathPart: 'whoami' });
  const made = authorizer && (await rest.createAuthorizer({ restApiId, name: 'a', ...authorizer } as never));
  const place = { restApiId, resourceId, httpMethod: 'GET' };
  await rest.putMethod({ ...place, authorizationType: 'NONE', ...method, ...(made && { authorizerId: made.id }) });
  await rest.putIntegration({
    ...place,
    type: 'AWS_PROXY',
    integrationHttpMethod: 'POST',
    uri: `arn:aws:apigateway:${REGION}:lambda:path/2015-03-31/functions/${functionArn}/invocations`,
  });
  await rest.createDeployment({ restApiId, stageName: 'dev' });
  return restApiId;
}

describe('a user pool', () => {
  let pool: { id: string; arn: string; client: string };
  let tokens: { IdToken: string; AccessToken: string };

  beforeAll(async () => {
    const cognito = new CognitoIdentityProvider({ ...emulator.clientConfig(), maxAttempts: 1 });
    const { UserPool } = await cognito.createUserPool({ PoolName: 'p' });
    const UserPoolId = UserPool!.Id!;
    const { UserPoolClient } = await cognito.createUserPoolClient({
      UserPoolId,
      ClientName: 'c',
      ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
    });
    const ClientId = UserPoolClient!.ClientId!;
    await cognito.adminCreateUser({ UserPoolId, Username: 'jane' });
    await cognito.adminSetUserPassword({ UserPoolId, Username: 'jane', Password: PASSWORD, Permanent: true });
    const { AuthenticationResult } = await cognito.initiateAuth({
      ClientId,
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'jane', PASSWORD },
    });
    tokens = AuthenticationResult as typeof tokens;
    pool = { id: UserPoolId, arn: UserPool!.Arn!, client: ClientId };
  });

  it('admits its users to a REST API with identity tokens, or access tokens with a scope', async () => {
    const authorizer = {
      type: 'COGNITO_USER_POOLS',
      providerARNs: [pool.arn],
      identitySource: 'method.request.header.Authorization',
    };
    const id = await restApi({ authorizationType: 'COGNITO_USER_POOLS' }, authorizer);
    await permit('rest', `arn:aws:execute-api:${REGION}:${ACCOUNT}:${id}/*`);
    const answer = await get(id, '/dev/whoami', { authorization: tokens.IdToken });
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      200,
      { claims: { 'cognito:username': 'jane', aud: pool.client, token_use: 'id' } },
    ]);
    const refused = [
      {},
      { authorization: tokens.AccessToken },
      { authorization: `${tokens.IdToken.slice(0, -4)}AAAA` },
    ];
    for (const headers of refused)
      expect(await get(id, '/dev/whoami', headers as Record<string, string>)).toMatchObject({
        status: 401,
        text: '{"message":"Unauthorized"}',
      });
    const scoped = await restApi(
      { authorizationType: 'COGNITO_USER_POOLS', authorizationScopes: ['aws.cognito.signin.user.admin'] },
      authorizer,
    );
    await permit('scoped', `arn:aws:execute-api:${REGION}:${ACCOUNT}:${scoped}/*`);
    expect((await get(scoped, '/dev/whoami', { authorization: tokens.AccessToken })).status).toBe(200);
    expect((await get(scoped, '/dev/whoami', { authorization: tokens.IdToken })).status).toBe(401);
  });

  it('cannot be used by a REST API after its deletion', async () => {
    const gone = `${REGION}_gone00000`;
    const id = await restApi(
      { authorizationType: 'COGNITO_USER_POOLS' },
      {
        type: 'COGNITO_USER_POOLS',
        providerARNs: [pool.arn.replace(pool.id, gone)],
        identitySource: 'method.request.header.Authorization',
      },
    );
    const payload = { iss: `https://cognito-idp.${REGION}.amazonaws.com/${gone}`, token_use: 'id' };
    const parts = [{ alg: 'RS256', kid: 'k' }, payload].map((one) =>
      Buffer.from(JSON.stringify(one)).toString('base64url'),
    );
    expect(await get(id, '/dev/whoami', { authorization: `${parts.join('.')}.AAAA` })).toMatchObject({
      status: 500,
      text: '{"message":null}',
    });
  });

  it('is the issuer of a JWT authorizer of an HTTP API', async () => {
    const { ApiId } = await http.createApi({ Name: 'jwt', ProtocolType: 'HTTP' });
    const { AuthorizerId } = await http.createAuthorizer({
      ApiId,
      Name: 'pool',
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: {
        Issuer: `https://cognito-idp.${REGION}.amazonaws.com/${pool.id}`,
        Audience: [pool.client],
      },
    });
    await permit('jwt', `arn:aws:execute-api:${REGION}:${ACCOUNT}:${ApiId}/*`);
    const { IntegrationId } = await http.createIntegration({
      ApiId,
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: functionArn,
      PayloadFormatVersion: '2.0',
    });
    const route = { ApiId, AuthorizationType: 'JWT', AuthorizerId, Target: `integrations/${IntegrationId}` } as const;
    await http.createRoute({ ...route, RouteKey: 'GET /whoami' });
    const AuthorizationScopes = ['aws.cognito.signin.user.admin'];
    await http.createRoute({ ...route, RouteKey: 'GET /scoped', AuthorizationScopes });
    await http.createStage({ ApiId, StageName: '$default', AutoDeploy: true });
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const answer = await get(ApiId!, '/whoami', bearer(tokens.IdToken));
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      200,
      { jwt: { claims: { 'cognito:username': 'jane' }, scopes: null } },
    ]);
    expect((await get(ApiId!, '/scoped', bearer(tokens.AccessToken))).status).toBe(200);
    expect((await get(ApiId!, '/scoped', bearer(tokens.IdToken))).status).toBe(403);
    expect((await get(ApiId!, '/whoami')).status).toBe(401);
  });

  it('rejects an expired token with a separate message', async () => {
    const authorizer = {
      type: 'COGNITO_USER_POOLS',
      providerARNs: [pool.arn],
      identitySource: 'method.request.header.Authorization',
    };
    const id = await restApi({ authorizationType: 'COGNITO_USER_POOLS' }, authorizer);
    await emulator.kernel.clock.advance(3_600_001);
    expect(await get(id, '/dev/whoami', { authorization: tokens.IdToken })).toMatchObject({
      status: 401,
      text: '{"message":"The incoming token has expired"}',
    });
  });
});

describe('execute-api:Invoke', () => {
  const allow = (Resource: string) => [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource }];
  /** Returns the headers of a request signed by a user. The signature is not verified. */
  const signedBy = (accessKeyId: string): Record<string, string> => ({
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/${REGION}/execute-api/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
    'x-amz-date': '20260101T000000Z',
  });
  const userOf = (name: string, Resource?: string): Record<string, string> => {
    const { accessKeyId } = identities.user(emulator, name, { may: Resource === undefined ? [] : allow(Resource) });
    return signedBy(accessKeyId!);
  };

  it('is required on a method of a REST API', async () => {
    const id = await restApi({ authorizationType: 'AWS_IAM' });
    const arn = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${id}`;
    await permit('iam', `${arn}/*`);
    expect((await get(id, '/dev/whoami', userOf('jane', `${arn}/dev/GET/whoami`))).status).toBe(200);
    const refused = await get(id, '/dev/whoami', userOf('june', `${arn}/prod/*`));
    expect([refused.status, refused.headers['x-amzn-errortype']]).toEqual([403, 'AccessDeniedException']);
    const masked = `arn:aws:execute-api:${REGION}:********${ACCOUNT.slice(8)}:${id}`;
    expect(JSON.parse(refused.text)).toEqual({
      Message: `User: arn:aws:iam::${ACCOUNT}:user/june is not authorized to perform: execute-api:Invoke on resource: ${masked}/dev/GET/whoami because no identity-based policy allows the execute-api:Invoke action`,
    });
    expect(await get(id, '/dev/whoami')).toMatchObject({
      status: 403,
      text: '{"message":"Missing Authentication Token"}',
    });
  });

  it('is required on a route of an HTTP API', async () => {
    const { ApiId } = await http.createApi({ Name: 'iam', ProtocolType: 'HTTP' });
    const arn = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${ApiId}`;
    await permit('http-iam', `${arn}/*`);
    const { IntegrationId } = await http.createIntegration({
      ApiId,
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: functionArn,
      PayloadFormatVersion: '2.0',
    });
    const Target = `integrations/${IntegrationId}`;
    await http.createRoute({ ApiId, RouteKey: 'GET /whoami', AuthorizationType: 'AWS_IAM', Target });
    await http.createStage({ ApiId, StageName: '$default', AutoDeploy: true });
    const allowed = await get(ApiId!, '/whoami', userOf('jill', `${arn}/$default/GET/whoami`));
    expect([allowed.status, JSON.parse(allowed.text)]).toMatchObject([
      200,
      { iam: { userArn: `arn:aws:iam::${ACCOUNT}:user/jill`, accountId: ACCOUNT } },
    ]);
    for (const headers of [userOf('joan'), {}])
      expect(await get(ApiId!, '/whoami', headers)).toMatchObject({ status: 403, text: '{"message":"Forbidden"}' });
  });

  it("is not sufficient if the function's policy denies the API", async () => {
    const id = await restApi({});
    expect((await get(id, '/dev/whoami')).status).toBe(500);
    await permit('late', `arn:aws:execute-api:${REGION}:${ACCOUNT}:${id}/*/GET/whoami`);
    expect((await get(id, '/dev/whoami')).status).toBe(200);
  });
});

it("both kinds of APIs apply the account's rate if enforced", async () => {
  const id = await restApi({});
  const { ApiId } = await http.createApi({ Name: 'rate', ProtocolType: 'HTTP', Target: 'http://127.0.0.1:1' });
  await enforceQuota(emulator, 'apigateway/L-8A5B8E43', 0);
  expect(await get(id, '/dev/whoami')).toMatchObject({ status: 429, text: '{"message":"Too Many Requests"}' });
  expect(await get(ApiId!, '/')).toMatchObject({ status: 429, text: '{"message":"Too Many Requests"}' });
});
