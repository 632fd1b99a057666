import { request } from 'node:https';
import { APIGateway } from '@aws-sdk/client-api-gateway';
import { ApiGatewayV2 } from '@aws-sdk/client-apigatewayv2';
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs';
import { S3 } from '@aws-sdk/client-s3';
import type { Listener } from '@emu/gateway';
import { createTestEmulator, fakeService, refusal, type TestEmulator } from '@emu/gateway/testing';
import { manifest as restManifest } from '@emu/svc-apigateway/manifest';
import { manifest as httpManifest } from '@emu/svc-apigatewayv2/manifest';
import { manifest as logsManifest } from '@emu/svc-logs/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, it } from 'vitest';

const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/c';
const FUNCTION = 'arn:aws:lambda:us-east-1:123456789012:function:f';
const DAY = 86_400_000;

interface Pair {
  cert: string;
  key: string;
}

/** Creates a certificate authority and a client with a certificate of it. */
async function authority(name: string, days = 30): Promise<{ ca: string; client: Pair }> {
  const from = new Date(Date.now() - 60 * DAY);
  const { cert, clientcert, clientprivate } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: from,
    notAfterDate: new Date(Date.now() + 60 * DAY),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true },
    ],
    clientCertificate: {
      cn: `client of ${name}`,
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: from,
      notAfterDate: new Date(Date.now() + days * DAY),
    },
  });
  return { ca: cert, client: { cert: clientcert!, key: clientprivate! } };
}

let emulator: TestEmulator;
let listener: Listener;
let rest: APIGateway;
let http: ApiGatewayV2;
let logs: CloudWatchLogs;
let ours: Awaited<ReturnType<typeof authority>>;
let expired: Awaited<ReturnType<typeof authority>>;
let theirs: Awaited<ReturnType<typeof authority>>;

beforeAll(async () => {
  const lambda = fakeService('lambda', {
    Invoke({ Payload }) {
      const { requestContext } = JSON.parse(Buffer.from(Payload as Uint8Array).toString());
      const { authentication, identity } = requestContext;
      const shown = (authentication ?? identity)?.clientCert ?? null;
      const answer = { statusCode: 200, body: JSON.stringify(shown) };
      return { StatusCode: 200, Payload: Buffer.from(JSON.stringify(answer)) };
    },
  });
  emulator = await createTestEmulator({ manifests: [restManifest, httpManifest, logsManifest, s3Manifest, lambda] });
  listener = await emulator.gateway.listen({ port: 0 });
  const config = { ...emulator.clientConfig(), maxAttempts: 1 };
  rest = new APIGateway(config);
  http = new ApiGatewayV2(config);
  [ours, expired, theirs] = await Promise.all([authority('ours'), authority('late', -1), authority('theirs')]);
  logs = new CloudWatchLogs(config);
  await logs.createLogGroup({ logGroupName: 'access' });
  const s3 = new S3(config);
  await s3.createBucket({ Bucket: 'trust' });
  await s3.putObject({ Bucket: 'trust', Key: 'store.pem', Body: `${ours.ca}\n${expired.ca}` });
  await s3.putObject({ Bucket: 'trust', Key: 'other.pem', Body: theirs.ca });
  await s3.putObject({ Bucket: 'trust', Key: 'text', Body: 'no certificate' });
});
afterAll(async () => {
  await listener.close(100);
  await emulator.close();
});

const LOG_GROUP = 'arn:aws:logs:us-east-1:123456789012:log-group:access';
const MEMBERS = ['subjectDN', 'issuerDN', 'serialNumber', 'validity.notBefore', 'validity.notAfter', 'clientCertPem'];
const FORMAT = JSON.stringify([...MEMBERS.map((name) => `$context.identity.clientCert.${name}`), '$context.requestId']);

/** Checks that the last access log line contains the members of the client certificate of `text`. */
async function expectLogged(text: string): Promise<void> {
  const { subjectDN, issuerDN, serialNumber, validity, clientCertPem } = JSON.parse(text);
  const { notBefore, notAfter } = validity;
  const last = async () => {
    const { events = [] } = await logs.filterLogEvents({ logGroupName: 'access' });
    return JSON.parse(events.at(-1)?.message ?? '[]').slice(0, MEMBERS.length) as unknown;
  };
  await expect.poll(last).toEqual([subjectDN, issuerDN, serialNumber, notBefore, notAfter, clientCertPem]);
}

/** Sends a TLS request with a client certificate. The server certificate is emu's. */
const get = (host: string, path: string, client?: Pair): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const options = { port: listener.port, path, headers: { host }, servername: host, rejectUnauthorized: false };
    request({ host: '127.0.0.1', agent: false, ...options, ...client }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    })
      .on('error', reject)
      .end();
  });

/** Checks which clients a domain admits. */
async function expectMutual(host: string): Promise<void> {
  const { status, text } = await get(host, '/who', ours.client);
  expect([status, JSON.parse(text)]).toEqual([
    200,
    {
      clientCertPem: expect.stringContaining('BEGIN CERTIFICATE'),
      subjectDN: 'CN=client of ours',
      issuerDN: 'CN=ours',
      serialNumber: expect.stringMatching(/^[0-9a-f]{2}(:[0-9a-f]{2})+$/),
      validity: { notBefore: expect.stringMatching(/ GMT$/), notAfter: expect.stringMatching(/ GMT$/) },
    },
  ]);
  for (const client of [undefined, theirs.client, expired.client])
    expect(await get(host, '/who', client)).toEqual({ status: 403, text: '{"message":"Forbidden"}' });
}

it('a domain of a REST API admits clients with certificates of its trust store', async () => {
  const { id, rootResourceId } = await rest.createRestApi({ name: 'mutual' });
  const { id: resourceId } = await rest.createResource({ restApiId: id, parentId: rootResourceId, pathPart: 'who' });
  const place = { restApiId: id, resourceId, httpMethod: 'GET' };
  await rest.putMethod({ ...place, authorizationType: 'NONE' });
  await rest.putIntegration({
    ...place,
    type: 'AWS_PROXY',
    integrationHttpMethod: 'POST',
    uri: `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${FUNCTION}/invocations`,
  });
  await rest.createDeployment({ restApiId: id, stageName: 'dev' });
  const domainName = 'rest.example.com';
  const create = (truststoreUri: string) =>
    rest.createDomainName({
      domainName,
      regionalCertificateArn: CERTIFICATE,
      endpointConfiguration: { types: ['REGIONAL'] },
      mutualTlsAuthentication: { truststoreUri },
    });
  for (const uri of ['store.pem', 's3://trust/none.pem', 's3://trust/text'])
    expect((await refusal(create(uri))).name).toBe('BadRequestException');
  const { mutualTlsAuthentication } = await create('s3://trust/store.pem');
  expect(mutualTlsAuthentication).toEqual({ truststoreUri: 's3://trust/store.pem' });
  await rest.createBasePathMapping({ domainName, restApiId: id, stage: 'dev' });
  await expectMutual(domainName);
  const setting = (name: string, value: string) =>
    ({ op: 'replace', path: `/accessLogSettings/${name}`, value }) as const;
  const patchOperations = [setting('destinationArn', LOG_GROUP), setting('format', FORMAT)];
  await rest.updateStage({ restApiId: id, stageName: 'dev', patchOperations });
  await expectLogged((await get(domainName, '/who', ours.client)).text);

  const replace = (path: string, value: string) =>
    rest.updateDomainName({ domainName, patchOperations: [{ op: 'replace', path, value }] });
  await replace('/mutualTlsAuthentication/truststoreUri', 's3://trust/other.pem');
  expect((await get(domainName, '/who', ours.client)).status).toBe(403);
  expect((await get(domainName, '/who', theirs.client)).status).toBe(200);
  await replace('/mutualTlsAuthentication/truststoreUri', '');
  expect((await rest.getDomainName({ domainName })).mutualTlsAuthentication).toBeUndefined();
  expect(await get(domainName, '/who')).toEqual({ status: 200, text: 'null' });
});

it('a domain of an HTTP API admits clients with certificates of its trust store', async () => {
  const { ApiId } = await http.createApi({ Name: 'mutual', ProtocolType: 'HTTP', Target: FUNCTION });
  const DomainName = 'http.example.com';
  const create = (TruststoreUri: string) =>
    http.createDomainName({
      DomainName,
      DomainNameConfigurations: [{ CertificateArn: CERTIFICATE }],
      MutualTlsAuthentication: { TruststoreUri },
    });
  expect((await refusal(create('s3://trust/text'))).name).toBe('BadRequestException');
  const { MutualTlsAuthentication } = await create('s3://trust/store.pem');
  expect(MutualTlsAuthentication).toEqual({ TruststoreUri: 's3://trust/store.pem' });
  await http.createApiMapping({ DomainName, ApiId, Stage: '$default' });
  await expectMutual(DomainName);
  const AccessLogSettings = { DestinationArn: LOG_GROUP, Format: FORMAT };
  await http.updateStage({ ApiId, StageName: '$default', AccessLogSettings });
  await expectLogged((await get(DomainName, '/who', ours.client)).text);
  const info = async () =>
    (await emulator.control('GET', `/_emulator/apigatewayv2/domain-names/${DomainName}/mtls-info`)).json;
  expect(await info()).toMatchObject({
    domainName: DomainName,
    truststoreUri: 's3://trust/store.pem',
    clientCaBundle: expect.stringContaining(ours.ca.trim()),
    truststoreWarnings: [],
  });
  await http.updateDomainName({ DomainName, MutualTlsAuthentication: { TruststoreUri: '' } });
  expect(await get(DomainName, '/who')).toEqual({ status: 200, text: 'null' });
  expect(await info()).not.toHaveProperty('clientCaBundle');
});
