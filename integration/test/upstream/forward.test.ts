import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createLogger, defaultSettings } from '@emu/core';
import type { Logger } from '@emu/core/service';
import { createTestEmulator } from '@emu/gateway/testing';
import { manifest as iam } from '@emu/svc-iam/manifest';
import { manifest as s3 } from '@emu/svc-s3/manifest';
import { manifest as sesv2 } from '@emu/svc-ses/manifest';
import { manifest as sqs } from '@emu/svc-sqs/manifest';
import { createForwarder } from '@emu/upstream';
import { describe, expect, test } from 'vitest';

const KEY = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret of the user' };
const settings = defaultSettings();
const log = createLogger({ level: 'error', format: 'text' });

/** A server in the place of AWS, which keeps what it receives. */
async function awsServer(): Promise<{
  url: URL;
  received: { url: string; headers: IncomingHttpHeaders; body: string }[];
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const received: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      received.push({ url: request.url!, headers: request.headers, body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"answer":42}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    received,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const forwarderTo = (url: URL, names: readonly string[], more: object = {}) =>
  createForwarder({
    names,
    readOnly: false,
    manifests: [s3, sqs, iam, sesv2],
    settings,
    log,
    credentials: async () => KEY,
    url,
    ...more,
  });

const signedBy = (service: string): Record<string, string> => ({
  authorization: `AWS4-HMAC-SHA256 Credential=test/20261129/eu-west-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
});

describe('--forward', () => {
  test('sends requests of services that emu lacks to AWS, signed with the user’s credentials, and no others', async () => {
    await using aws = await awsServer();
    const forwarder = await forwarderTo(aws.url, ['bedrock', 'textract']);
    await using emulator = await createTestEmulator({ manifests: [sqs], forwarder });
    await emulator.control('PUT', '/_emulator/requests/recording', { enabled: true });
    const listener = await emulator.gateway.listen();
    const body = JSON.stringify({ password: 'of the prompt' });
    const invoked = await fetch(`${listener.url}/model/anthropic.claude/invoke`, {
      method: 'POST',
      headers: { ...signedBy('bedrock'), 'content-type': 'application/json' },
      body,
    });
    expect(await invoked.json()).toEqual({ answer: 42 });
    await fetch(listener.url, {
      method: 'POST',
      headers: {
        ...signedBy('textract'),
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'Textract.DetectDocumentText',
      },
      body: '{}',
    });
    const config = {
      endpoint: listener.url,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    };
    await new SQSClient(config).send(new CreateQueueCommand({ QueueName: 'own' }));
    const other = await fetch(listener.url, { method: 'POST', headers: signedBy('polly'), body: '{}' });
    expect(other.status).toBe(501);
    expect(aws.received).toMatchObject([
      { url: '/model/anthropic.claude/invoke', body },
      { url: '/', body: '{}' },
    ]);
    for (const { headers } of aws.received) {
      expect(headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-west-1\/(?:bedrock|textract)\/aws4_request/,
      );
    }
    const { json: health } = await emulator.control('GET', '/_emulator/health');
    expect(health).toMatchObject({ forwarded: ['bedrock', 'textract'], services: ['sqs'] });
    await listener.close();
    forwarder.close();
  });

  test('records forwarded requests without their input and output', async () => {
    await using aws = await awsServer();
    const forwarder = await forwarderTo(aws.url, ['bedrock']);
    const values = { EMULATOR_RECORD_REQUESTS: true };
    await using emulator = await createTestEmulator({ manifests: [sqs], forwarder, settings: { values } });
    const listener = await emulator.gateway.listen();
    const headers = { ...signedBy('bedrock'), 'content-type': 'application/json' };
    await fetch(`${listener.url}/model/m/invoke`, { method: 'POST', headers, body: '{"secret":"value"}' });
    const { json } = await emulator.control('GET', '/_emulator/requests');
    expect(json).toMatchObject({
      requests: [
        {
          service: 'bedrock-runtime',
          operation: 'InvokeModel',
          region: 'eu-west-1',
          status: 200,
          input: null,
          output: null,
        },
      ],
    });
    expect(JSON.stringify(json)).not.toMatch(/value|AKIA/);
    await listener.close();
    forwarder.close();
  });

  test('sends a service that emu has only with "!", streams included', async () => {
    await using upstream = await createTestEmulator({ manifests: [s3, iam], verifySigv4: true });
    const { json } = await upstream.control('POST', '/_emulator/iam/create-admin', {
      accountId: '123456789012',
      userName: 'admin',
    });
    const there = await upstream.gateway.listen();
    const forwarder = await forwarderTo(new URL(there.url), ['s3!'], { credentials: async () => json });
    await using emulator = await createTestEmulator({ manifests: [s3, sqs], forwarder });
    const here = await emulator.gateway.listen();
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const client = new S3Client({ endpoint: here.url, region: 'us-east-1', credentials });
    await client.send(new CreateBucketCommand({ Bucket: 'far' }));
    const text = 'x'.repeat(1_000_000);
    await client.send(new PutObjectCommand({ Bucket: 'far', Key: 'k', Body: text }));
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'far', Key: 'k' }));
    expect(await Body!.transformToString()).toBe(text);
    const inside = new S3Client(emulator.clientConfig());
    await inside.send(new HeadBucketCommand({ Bucket: 'far' }));
    expect(emulator.kernel.loadedService('s3')).toBeUndefined();
    client.destroy();
    await here.close();
    await there.close();
    forwarder.close();
  });

  test('with --forward-read-only refuses everything else', async () => {
    await using aws = await awsServer();
    const forwarder = await forwarderTo(aws.url, ['bedrock'], { readOnly: true });
    await using emulator = await createTestEmulator({ manifests: [sqs], forwarder });
    const listener = await emulator.gateway.listen();
    const listed = await fetch(`${listener.url}/foundation-models`, { headers: signedBy('bedrock') });
    expect(listed.status).toBe(200);
    const headers = { ...signedBy('bedrock'), 'content-type': 'application/json' };
    const invoked = await fetch(`${listener.url}/model/m/invoke`, { method: 'POST', headers, body: '{}' });
    expect(invoked.status).toBe(403);
    expect(await invoked.text()).toContain('--forward-read-only');
    expect(aws.received.map(({ url }) => url)).toEqual(['/foundation-models']);
    await listener.close();
    forwarder.close();
  });

  test('tells services apart that share a name in signatures', async () => {
    await using aws = await awsServer();
    const forwarder = await forwarderTo(aws.url, ['mailmanager']);
    await using emulator = await createTestEmulator({ manifests: [sesv2], forwarder });
    const listener = await emulator.gateway.listen();
    const headers = { ...signedBy('ses'), 'content-type': 'application/x-amz-json-1.0' };
    await fetch(listener.url, {
      method: 'POST',
      headers: { ...headers, 'x-amz-target': 'MailManagerSvc.ListArchives' },
      body: '{}',
    });
    expect(aws.received).toHaveLength(1);
    await fetch(listener.url, {
      method: 'POST',
      headers: { ...signedBy('ses'), 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Action=ListIdentities&Version=2010-12-01',
    });
    expect(aws.received).toHaveLength(1);
    await listener.close();
    forwarder.close();
  });

  test.for([
    [['sqs'], 'emu has the service sqs. To send its requests to AWS instead, write sqs!'],
    [['bedrok'], 'AWS has no service bedrok; did you mean bedrock?'],
  ] as const)('%j is refused', async ([names, message]) => {
    await expect(forwarderTo(new URL('http://127.0.0.1:1'), names)).rejects.toThrow(message);
  });

  test('responds with an error that names the server that does not respond', async () => {
    const forwarder = await forwarderTo(new URL('http://127.0.0.1:1'), ['textract'], {
      log: Object.assign(Object.create(log) as Logger, { error: () => undefined }),
    });
    await using emulator = await createTestEmulator({ manifests: [sqs], forwarder });
    const listener = await emulator.gateway.listen();
    const headers = {
      ...signedBy('textract'),
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'Textract.GetAdapter',
    };
    const response = await fetch(listener.url, { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('127.0.0.1 did not respond');
    await listener.close();
    forwarder.close();
  });
});
