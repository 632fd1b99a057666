import { gunzipSync } from 'node:zlib';
import { readsOnly } from '@emu/core';
import type { Listener } from '@emu/gateway';
import { createTestEmulator, type TestEmulator, zipOf } from '@emu/gateway/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MISSING, ownRoutes, routesOf } from '../../gateway/src/control/control-app.ts';
import { SERVICES } from '../src/services.ts';

const ACCOUNT = '123456789012';
const ROLE = `arn:aws:iam::${ACCOUNT}:role/any`;

let emulator: TestEmulator;
let listener: Listener;
/** Values of path parameters, by parameter or by path and parameter. */
const values = new Map<string, string>([
  ['account_id', ACCOUNT],
  ['region', 'us-east-1'],
  ['queue_name', 'jobs'],
  ['log_group_name', '%2Fkept'],
  ['function_name', 'kept'],
  ['layer_name', 'kept'],
  ['file', 'latest.zip'],
  ['username', 'ann'],
  ['service', 'sqs'],
  ['stage', 'ready'],
  ['group', 'default'],
]);

/** Creates the resource for each route that returns a single one, and data in the services. */
beforeAll(async () => {
  emulator = await createTestEmulator({ manifests: SERVICES, seed: 'routes' });
  const { kernel, gateway } = emulator;
  const call = (service: string, operation: string, input: unknown) =>
    kernel.callJson(service, operation, input) as Promise<Record<string, string>>;
  await call('sqs', 'CreateQueue', { QueueName: 'jobs' });
  await call('sqs', 'SendMessage', { QueueUrl: `http://localhost:4566/${ACCOUNT}/jobs`, MessageBody: 'kept' });
  await call('logs', 'CreateLogGroup', { logGroupName: '/kept' });
  const ZipFile = Buffer.from(zipOf({ 'index.js': 'exports.handler = async () => 1;' })).toString('base64');
  await call('lambda', 'CreateFunction', {
    FunctionName: 'kept',
    Role: ROLE,
    Runtime: 'nodejs20.x',
    Handler: 'index.handler',
    Code: { ZipFile },
  });
  await call('lambda', 'PublishLayerVersion', { LayerName: 'kept', Content: { ZipFile } });
  const made = await kernel.callJson('cognito-idp', 'CreateUserPool', { PoolName: 'kept' });
  const { Id: UserPoolId } = (made as { UserPool: { Id: string } }).UserPool;
  values.set('pool_id', UserPoolId);
  await call('cognito-idp', 'AdminCreateUser', { UserPoolId, Username: 'ann', TemporaryPassword: 'Passw0rd!' });
  await call('apigatewayv2', 'CreateDomainName', {
    DomainName: 'api.example.com',
    DomainNameConfigurations: [{ CertificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/c` }],
  });
  values.set('/_emulator/apigatewayv2/domain-names/{name}/mtls-info', 'api.example.com');
  await call('ses', 'VerifyDomainIdentity', { Domain: 'example.com' });
  await call('ses', 'VerifyDomainDkim', { Domain: 'example.com' });
  values.set('/_emulator/ses/identities/{name}/dkim-public-key', 'example.com');
  const sent = await call('ses', 'SendEmail', {
    Source: 'ann@example.com',
    Destination: { ToAddresses: ['bob@example.com'] },
    Message: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } },
  });
  values.set('message_id', sent.MessageId!);
  const definition = JSON.stringify({ StartAt: 'A', States: { A: { Type: 'Pass', End: true } } });
  const { stateMachineArn } = await call('stepfunctions', 'CreateStateMachine', {
    name: 'm',
    definition,
    roleArn: ROLE,
  });
  const { executionArn } = await call('stepfunctions', 'StartExecution', { stateMachineArn });
  values.set('execution_arn', encodeURIComponent(executionArn!));
  const { TopicArn } = await call('sns', 'CreateTopic', { Name: 'news' });
  await call('sns', 'Subscribe', { TopicArn, Protocol: 'email', Endpoint: 'ann@example.com' });
  await call('sns', 'Publish', { TopicArn, Message: 'kept' });
  await call('s3', 'CreateBucket', { Bucket: 'kept' });
  await call('dynamodb', 'CreateTable', {
    TableName: 'kept',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
  await call('cloudwatch', 'PutMetricData', { Namespace: 'kept', MetricData: [{ MetricName: 'm', Value: 1 }] });
  await call('kms', 'CreateKey', {});
  await call('events', 'PutEvents', { Entries: [{ Source: 's', DetailType: 't', Detail: '{}' }] });
  // Create the state of every service, as its requests do.
  for (const name of kernel.services) await kernel.service(name);
  await kernel.observers.settled();
  kernel.recorder.recording = true;
  kernel.clock.freeze();
  listener = await gateway.listen({});
}, 120_000);
afterAll(async () => {
  await listener?.close();
  await emulator?.close();
});

/** Returns the whole state of the emulator as lines of text, one per record. */
async function fingerprint(): Promise<Set<string>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await emulator.kernel.saveState()) chunks.push(chunk);
  return new Set(gunzipSync(Buffer.concat(chunks)).toString('latin1').split('\n'));
}

/** Returns a path with its parameters filled in. */
const filled = (path: string): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => values.get(path) ?? values.get(name) ?? 'x');

/** Sends a request and reads the response; for an endless one its start. */
async function ask(method: string, path: string): Promise<number> {
  const leave = new AbortController();
  const response = await fetch(`${listener.url}${filled(path)}`, { method, signal: leave.signal });
  if (path === '/_emulator/requests/events') await response.body?.getReader().read();
  else await response.arrayBuffer();
  leave.abort();
  return response.status;
}

/** Statuses other than 200, with their messages. */
const STATUSES: Readonly<Record<string, number>> = {
  // The URL of a WebSocket.
  '/_emulator/apigatewayv2/ws/{api_id}': 426,
  // Its query names a queue.
  '/_aws/sqs/messages': 400,
};

describe('control routes', () => {
  it('change nothing and run nothing for GET and HEAD', { timeout: 300_000 }, async () => {
    const { kernel, gateway } = emulator;
    const own = ownRoutes(gateway);
    const declared = [...own, ...(await Promise.all(kernel.services.map((name) => routesOf(kernel, name)))).flat()];
    expect(declared.length).toBeGreaterThan(90);
    const reads = new Set(declared.filter(({ method }) => method === 'GET').map(({ path }) => path));
    // SDKs read credentials with GET. The session is created once and reused until it is about to expire.
    expect(await ask('GET', '/_emulator/credentials')).toBe(200);
    kernel.recorder.clear();
    const problems: string[] = [];
    let before = await fingerprint();
    const compare = async (what: string): Promise<void> => {
      const after = await fingerprint();
      const changed = [...after]
        .filter((line) => !before.has(line))
        .concat([...before].filter((line) => !after.has(line)));
      // Lines of the archive include data between its entries.
      const shown = changed.map((line) => line.replace(/[^\x21-\x7e]+/g, ' ').slice(0, 160));
      if (changed.length > 0) problems.push(`${what} changes ${shown}`);
      before = after;
      for (const { service, operation } of kernel.recorder.list())
        if (!readsOnly(operation)) problems.push(`${what} runs ${service}.${operation}`);
      kernel.recorder.clear();
    };
    for (const path of new Set([...declared, ...MISSING].map((route) => route.path))) {
      const isRead = reads.has(path);
      for (const method of ['GET', 'HEAD']) {
        const status = await ask(method, path);
        const expected = isRead ? [STATUSES[path] ?? 200] : [404, 405, 501];
        if (!expected.includes(status)) problems.push(`${method} ${path} answers ${status}`);
      }
      if (isRead) await compare(path);
    }
    await compare('a route that is not read');
    expect(problems).toEqual([]);
  });
});
