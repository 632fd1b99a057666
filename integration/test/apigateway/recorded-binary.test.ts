import { APIGateway, type ContentHandlingStrategy } from '@aws-sdk/client-api-gateway';
import { S3 } from '@aws-sdk/client-s3';
import { createTestEmulator, sendRaw, type TestEmulator } from '@emu/gateway/testing';
import { manifest as apigateway } from '@emu/svc-apigateway/manifest';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT, hasRecordings, recordedAnswers } from '../../../packages/svc-apigateway/test/recorded-answers.ts';

const BINARY = 'image/png';
const TEXT = 'text/plain';
const ENCODED = 'H4sIABRs7mMC/0vOzy0oSi0uTk1RSEksSdRRKM7IL81JUUhKVcjMK0vMyUxRCA1x07VQKC4pysxLBwC4ORBXLwAAAA==';
const PAYLOADS: Readonly<Record<string, Buffer>> = {
  raw: Buffer.from(ENCODED, 'base64'),
  encoded: Buffer.from(ENCODED),
  text: Buffer.from('this is a UTF8 text typed object'),
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' };

/** Parses bytes as printed by Python, or a text. */
function recordedBytes(recorded: unknown): Buffer {
  const text = String(recorded);
  if (!/^b['"]/.test(text)) return Buffer.from(text);
  const plain = text
    .slice(2, -1)
    .replace(/\\x([0-9a-f]{2})|\\(.)/g, (_, hex: string, char: string) =>
      hex === undefined ? ESCAPES[char]! : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(plain, 'latin1');
}

let emulator: TestEmulator;
let api: APIGateway;
let s3: S3;
beforeAll(async () => {
  if (!hasRecordings) return;
  emulator = await createTestEmulator({ manifests: [apigateway, s3Manifest], settings: { accountId: ACCOUNT } });
  api = new APIGateway(emulator.clientConfig());
  s3 = new S3(emulator.clientConfig());
  await s3.createBucket({ Bucket: 'bucket' });
});
afterAll(() => emulator?.close());

/** Creates an API for the objects of a bucket. */
async function objects(
  media: readonly string[],
  { request, response }: { request?: ContentHandlingStrategy; response?: ContentHandlingStrategy },
  templates: { request?: string; response?: string } = {},
) {
  const { id: restApiId, rootResourceId: parentId } = await api.createRestApi({
    name: 'binary',
    binaryMediaTypes: [...media],
  });
  const { id: resourceId } = await api.createResource({ restApiId, parentId, pathPart: '{key}' });
  const place = { restApiId, resourceId, httpMethod: 'ANY', statusCode: '200' };
  await api.putMethod({
    ...place,
    authorizationType: 'NONE',
    requestParameters: { 'method.request.path.key': true, 'method.request.header.Content-Type': false },
  });
  await api.putMethodResponse({ ...place, responseParameters: { 'method.response.header.ETag': false } });
  await api.putIntegration({
    ...place,
    type: 'AWS',
    integrationHttpMethod: 'ANY',
    credentials: `arn:aws:iam::${ACCOUNT}:role/any`,
    uri: 'arn:aws:apigateway:us-east-1:s3:path/bucket/{key}',
    requestParameters: {
      'integration.request.path.key': 'method.request.path.key',
      'integration.request.header.Content-Type': 'method.request.header.Content-Type',
    },
    ...(request && { contentHandling: request }),
    ...(templates.request && { requestTemplates: { 'application/json': templates.request } }),
  });
  await api.putIntegrationResponse({
    ...place,
    responseParameters: { 'method.response.header.ETag': 'integration.response.header.ETag' },
    ...(response && { contentHandling: response }),
    ...(templates.response && { responseTemplates: { 'application/json': templates.response } }),
  });
  await api.createDeployment({ restApiId, stageName: 'dev' });
  return (method: string, headers: Record<string, string>, body?: Buffer) =>
    sendRaw(emulator, {
      method,
      target: '/dev/key',
      headers: { host: `${restApiId}.execute-api.us-east-1.amazonaws.com`, ...headers },
      ...(body && { chunks: [body] }),
    });
}

const test = 'TestApiGatewayS3BinarySupport::test_apigw_s3_binary_support';

describe.skipIf(!hasRecordings)('recorded bodies', () => {
  it.each([
    ['request[None]', undefined],
    ['request[CONVERT_TO_TEXT]', 'CONVERT_TO_TEXT'],
    ['request_convert_to_binary', 'CONVERT_TO_BINARY'],
  ] as const)('of a %s reach S3', async (name, request) => {
    const recorded = recordedAnswers(`${test}_${name}`);
    const apis = { 'no-binary': await objects([], { request }), binary: await objects([BINARY], { request }) };
    const cases = Object.entries(recorded).flatMap(([step, answer]) => {
      const [, media, sent] = /^get-obj-(no-binary-media|binary-type|binary-media|text-type)-(.*)$/.exec(step) ?? [];
      return media === undefined ? [] : [{ step, media, sent: sent!.replace('binary-', ''), answer }];
    });
    expect(cases.length).toBeGreaterThan(4);
    for (const { step, media, sent, answer } of cases) {
      const put = apis[media === 'no-binary-media' ? 'no-binary' : 'binary'];
      const type = media === 'text-type' ? TEXT : BINARY;
      expect((await put('PUT', { 'content-type': type }, PAYLOADS[sent])).status, step).toBe(200);
      const { Body, ContentType } = await s3.getObject({ Bucket: 'bucket', Key: 'key' });
      const bytes = Buffer.from(await Body!.transformToByteArray());
      const { Body: content, ContentType: known } = answer as Record<string, unknown>;
      expect([step, ContentType, bytes.toString('hex')]).toEqual([step, known, recordedBytes(content).toString('hex')]);
    }
  });

  it.each([
    ['no_content_handling', undefined],
    ['convert_to_text', 'CONVERT_TO_TEXT'],
    ['convert_to_binary', 'CONVERT_TO_BINARY'],
  ] as const)('of a response with %s reach the client', async (name, response) => {
    const recorded = recordedAnswers(`${test}_response_${name}`);
    const apis = { none: await objects([], { response }), binary: await objects([BINARY], { response }) };
    const cases = Object.entries(recorded).flatMap(([step, answer]) => {
      const [, sent, none, type, accept] = /^(\w+)-(?:(no-media)|payload-(\w+)-accept-(\w+))$/.exec(step) ?? [];
      return sent === undefined ? [] : [{ step, sent, none, type, accept, answer }];
    });
    expect(cases.length).toBeGreaterThan(8);
    for (const { step, sent, none, type, accept, answer } of cases) {
      const ContentType = none || type === 'binary' ? BINARY : TEXT;
      await s3.putObject({ Bucket: 'bucket', Key: 'key', Body: PAYLOADS[sent]!, ContentType });
      const get = apis[none ? 'none' : 'binary'];
      const { headers, bytes } = await get('GET', { accept: none || accept === 'binary' ? BINARY : TEXT });
      const { content, etag } = answer as Record<string, unknown>;
      expect([step, headers.etag, bytes.toString('hex')]).toEqual([step, etag, recordedBytes(content).toString('hex')]);
    }
  });

  it('are mapped only if they are text', async () => {
    const template = '{"data": "$input.body"}';
    const requested = recordedAnswers(`${test}_request_convert_to_binary_with_request_template`);
    const put = await objects([], { request: 'CONVERT_TO_BINARY' }, { request: template });
    expect((await put('PUT', { 'content-type': BINARY }, PAYLOADS.encoded)).status).toBe(200);
    const { Body, ContentType } = await s3.getObject({ Bucket: 'bucket', Key: 'key' });
    const bytes = Buffer.from(await Body!.transformToByteArray());
    const { Body: content, ContentType: known } = requested['get-obj-encoded'] as Record<string, unknown>;
    expect([ContentType, bytes.toString('hex')]).toEqual([known, recordedBytes(content).toString('hex')]);
    const answered = recordedAnswers(`${test}_response_convert_to_binary_with_request_template`);
    await s3.putObject({ Bucket: 'bucket', Key: 'key', Body: PAYLOADS.encoded!, ContentType: TEXT });
    const get = await objects([BINARY], { response: 'CONVERT_TO_TEXT' }, { response: template });
    const mapped = await get('GET', { accept: BINARY });
    const { content: theirs, etag } = answered['encoded-text-payload-binary-accept'] as Record<string, unknown>;
    expect([mapped.headers.etag, mapped.bytes.toString()]).toEqual([etag, recordedBytes(theirs).toString()]);
  });
});
