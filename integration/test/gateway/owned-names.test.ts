import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import { Lambda } from '@aws-sdk/client-lambda';
import { SQS } from '@aws-sdk/client-sqs';
import { createTestEmulator, sendRaw, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as apigatewayv2 } from '@emu/svc-apigatewayv2/manifest';
import { manifest as cognito } from '@emu/svc-cognito-idp/manifest';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';

const CertificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/c';

let emulator: TestEmulator;
let queues: SQS;
/** Host names below domains that a stranger could own, by resource. */
const names: Record<string, string> = {
  'REST API': 'rest.example.com',
  'HTTP API': 'http.example.com',
  'user pool': 'auth.example.com',
};

beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: [apigateway, apigatewayv2, cognito, lambda, sqs] });
  const config = emulator.clientConfig();
  queues = new SQS(config);
  await new APIGateway(config).createDomainName({
    domainName: names['REST API'],
    regionalCertificateArn: CertificateArn,
    endpointConfiguration: { types: ['REGIONAL'] },
  });
  const http = new ApiGatewayV2(config);
  const DomainName = names['HTTP API'];
  await http.createDomainName({ DomainName, DomainNameConfigurations: [{ CertificateArn }] });
  const pools = new CognitoIdentityProvider(config);
  const { UserPool } = await pools.createUserPool({ PoolName: 'pool' });
  await pools.createUserPoolDomain({
    UserPoolId: UserPool!.Id,
    Domain: names['user pool'],
    CustomDomainConfig: { CertificateArn },
  });
  const functions = new Lambda(config);
  await functions.createFunction({
    FunctionName: 'function',
    Role: 'arn:aws:iam::123456789012:role/any',
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Code: { ZipFile: zipOf({ 'index.js': 'exports.handler = async () => "from the function";' }) },
  });
  await functions.addPermission({
    FunctionName: 'function',
    StatementId: 'all',
    Action: 'lambda:InvokeFunctionUrl',
    Principal: '*',
    FunctionUrlAuthType: 'NONE',
  });
  const { FunctionUrl } = await functions.createFunctionUrlConfig({ FunctionName: 'function', AuthType: 'NONE' });
  names['function URL'] = `${new URL(FunctionUrl!).hostname.split('.')[0]}.lambda-url.us-east-1.example.com`;
});
afterAll(() => emulator.close());

it.each(['REST API', 'HTTP API', 'user pool', 'function URL'])(
  'only the %s is reachable through its host name',
  async (what) => {
    const host = `${names[what]}:4566`;
    const of = (target: string, method = 'GET', headers: Record<string, string> = {}, body?: string) =>
      sendRaw(emulator, { method, target, headers: { ...headers, host }, ...(body !== undefined && { body }) });
    const own = await of('/none');
    expect(own.text).not.toContain('--allow-host');
    for (const target of [
      '/_emulator/health',
      '/_emulator/credentials',
      '/_localstack/health',
      '/latest/meta-data/iam/security-credentials/',
      '/2015-03-31/functions',
      '/restapis',
      '/v2/apis',
      '/?Action=ListQueues&Version=2012-11-05',
    ])
      expect((await of(target)).text, target).not.toMatch(
        /"status":"ok"|"services"|accessKeyId|"Functions"|"items?"|QueueUrl/,
      );
    await queues.createQueue({ QueueName: 'kept' });
    await of('/_reset', 'POST');
    const target = { 'x-amz-target': 'AmazonSQS.CreateQueue', 'content-type': 'application/x-amz-json-1.0' };
    await of('/', 'POST', target, '{"QueueName":"made"}');
    await of('/', 'POST', { 'content-type': 'application/x-www-form-urlencoded' }, 'Action=CreateQueue&QueueName=made');
    const { QueueUrls = [] } = await queues.listQueues({});
    expect(QueueUrls.map((url) => url.split('/').at(-1))).toEqual(['kept']);
    // Sibling names and names below it remain foreign.
    for (const other of [`x.${names[what]}`, 'example.com'])
      expect((await sendRaw(emulator, { method: 'GET', target: '/', headers: { host: other } })).status, other).toBe(
        403,
      );
  },
);
