import { CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as S3 from '@aws-sdk/client-s3';
import { zipOf } from '@emu/gateway/testing';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT as AccountId, type ControlTest, errorOf, start } from './support.ts';

const Bucket = 'a-bucket';
const arnOf = (name: string) => `arn:aws:s3-object-lambda:us-east-1:${AccountId}:accesspoint/${name}`;
const functionArn = (name: string) => `arn:aws:lambda:us-east-1:${AccountId}:function:${name}`;
type Action = 'GetObject' | 'HeadObject' | 'ListObjects' | 'ListObjectsV2';

/** Sends a WriteGetObjectResponse request without an SDK. */
const ANSWER = `
const answer = ({ outputRoute, outputToken }, body, headers = {}) =>
  fetch(process.env.AWS_ENDPOINT_URL + '/WriteGetObjectResponse', {
    method: 'POST',
    headers: {
      authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3-object-lambda/aws4_request',
      'x-amz-request-route': outputRoute,
      'x-amz-request-token': outputToken,
      ...headers,
    },
    body,
  });
`;

let test: ControlTest;

beforeEach(async () => {
  test = await start({ others: [lambda] });
  // Functions take real time.
  test.emulator.kernel.clock.resume();
  await test.s3.send(new S3.CreateBucketCommand({ Bucket }));
  await test.s3.send(new S3.PutObjectCommand({ Bucket, Key: 'in/a b', Body: 'text', Metadata: { m: '1' } }));
  await test.control.createAccessPoint({ AccountId, Name: 'plain', Bucket });
});
afterEach(() => test[Symbol.asyncDispose]());

/** Creates a function and an access point with its name that transforms through it. @returns a reader of it */
async function transformer(
  name: string,
  code: string,
  Actions: Action[] = ['GetObject'],
  AllowedFeatures: 'GetObject-Range'[] = [],
) {
  await new LambdaClient(test.emulator.clientConfig()).send(
    new CreateFunctionCommand({
      FunctionName: name,
      Role: `arn:aws:iam::${AccountId}:role/r`,
      Runtime: 'nodejs20.x',
      Handler: 'index.handler',
      Timeout: 30,
      Code: { ZipFile: zipOf({ 'index.js': ANSWER + code }) },
    }),
  );
  await test.control.createAccessPointForObjectLambda({
    AccountId,
    Name: name,
    Configuration: {
      SupportingAccessPoint: `arn:aws:s3:us-east-1:${AccountId}:accesspoint/plain`,
      AllowedFeatures,
      TransformationConfigurations: [
        {
          Actions,
          ContentTransformation: { AwsLambda: { FunctionArn: functionArn(name), FunctionPayload: '{"p":1}' } },
        },
      ],
    },
  });
  return test.s3Of();
}

describe('access points with functions', () => {
  it('are created, returned, updated and deleted', async () => {
    const { control } = test;
    const Name = 'point';
    await transformer(Name, 'exports.handler = async () => ({});');
    const Alias = { Value: expect.stringMatching(/^point-[a-z0-9]{34}--ol-s3$/), Status: 'READY' };
    expect(await control.getAccessPointForObjectLambda({ AccountId, Name })).toMatchObject({
      Name,
      Alias,
      CreationDate: expect.any(Date),
      PublicAccessBlockConfiguration: { BlockPublicPolicy: true },
    });
    const { ObjectLambdaAccessPointList } = await control.listAccessPointsForObjectLambda({ AccountId });
    expect(ObjectLambdaAccessPointList).toEqual([{ Name, ObjectLambdaAccessPointArn: arnOf(Name), Alias }]);
    const { Configuration } = await control.getAccessPointConfigurationForObjectLambda({ AccountId, Name });
    const changed = {
      ...Configuration!,
      AllowedFeatures: ['GetObject-Range' as const],
      CloudWatchMetricsEnabled: true,
    };
    await control.putAccessPointConfigurationForObjectLambda({ AccountId, Name, Configuration: changed });
    expect((await control.getAccessPointConfigurationForObjectLambda({ AccountId, Name })).Configuration).toEqual(
      changed,
    );
    const Policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Principal: { AWS: AccountId }, Action: 's3-object-lambda:GetObject', Resource: arnOf(Name) },
      ],
    });
    const policy = () => control.getAccessPointPolicyForObjectLambda({ AccountId, Name });
    expect((await errorOf(policy())).name).toBe('NoSuchAccessPointPolicy');
    await control.putAccessPointPolicyForObjectLambda({ AccountId, Name, Policy });
    expect((await policy()).Policy).toBe(Policy);
    const status = await control.getAccessPointPolicyStatusForObjectLambda({ AccountId, Name });
    expect(status.PolicyStatus).toEqual({ IsPublic: false });
    await control.deleteAccessPointPolicyForObjectLambda({ AccountId, Name });
    expect((await errorOf(policy())).name).toBe('NoSuchAccessPointPolicy');
    await control.deleteAccessPointForObjectLambda({ AccountId, Name });
    expect((await errorOf(control.getAccessPointForObjectLambda({ AccountId, Name }))).name).toBe('NoSuchAccessPoint');
  });

  it('reject invalid configurations', async () => {
    const create = (SupportingAccessPoint: string, FunctionArn: string, actions: Action[] = ['GetObject']) =>
      errorOf(
        test.control.createAccessPointForObjectLambda({
          AccountId,
          Name: 'bad',
          Configuration: {
            SupportingAccessPoint,
            TransformationConfigurations: [{ Actions: actions, ContentTransformation: { AwsLambda: { FunctionArn } } }],
          },
        }),
      );
    const supporting = `arn:aws:s3:us-east-1:${AccountId}:accesspoint/plain`;
    expect((await create('plain', functionArn('f'))).name).toBe('InvalidRequest');
    expect((await create(`${supporting}s`, functionArn('f'))).name).toBe('NoSuchAccessPoint');
    expect((await create(supporting, 'f')).name).toBe('InvalidRequest');
    expect((await create(supporting, functionArn('f'), ['DeleteObject' as Action])).name).toBe('MalformedXML');
  });
});

describe('objects through functions', () => {
  it('are the result of the function', async () => {
    const s3 = await transformer(
      'upper',
      `exports.handler = async (event) => {
        const original = await (await fetch(event.getObjectContext.inputS3Url)).text();
        const { xAmzRequestId, userIdentity, protocolVersion } = event;
        const told = JSON.stringify({ original: original.toUpperCase(), ...event.configuration, xAmzRequestId, userIdentity, protocolVersion, url: event.userRequest.url });
        await answer(event.getObjectContext, told, { 'x-amz-fwd-header-content-type': 'application/json', 'x-amz-meta-made': 'yes' });
        return { statusCode: 200 };
      };`,
    );
    const got = await s3.send(new S3.GetObjectCommand({ Bucket: arnOf('upper'), Key: 'in/a b' }));
    expect(got).toMatchObject({ ContentType: 'application/json', Metadata: { made: 'yes' } });
    expect(JSON.parse(await got.Body!.transformToString())).toEqual({
      original: 'TEXT',
      accessPointArn: arnOf('upper'),
      supportingAccessPointArn: `arn:aws:s3:us-east-1:${AccountId}:accesspoint/plain`,
      payload: '{"p":1}',
      xAmzRequestId: got.$metadata.requestId,
      userIdentity: expect.objectContaining({ type: 'Root', accountId: AccountId }),
      protocolVersion: '1.00',
      url: `https://upper-${AccountId}.s3-object-lambda.us-east-1.amazonaws.com/in/a%20b`,
    });
    // Requests that are not transformed pass: HEAD, lists and writes.
    const head = await s3.send(new S3.HeadObjectCommand({ Bucket: arnOf('upper'), Key: 'in/a b' }));
    expect(head).toMatchObject({ ContentLength: 4, Metadata: { m: '1' } });
    await s3.send(new S3.PutObjectCommand({ Bucket: arnOf('upper'), Key: 'new', Body: 'x' }));
    await test.s3.send(new S3.HeadObjectCommand({ Bucket, Key: 'new' }));
    const range = s3.send(new S3.GetObjectCommand({ Bucket: arnOf('upper'), Key: 'in/a b', Range: 'bytes=0-1' }));
    expect(await errorOf(range)).toMatchObject({ name: 'NotImplemented', $metadata: { httpStatusCode: 501 } });
    const { json } = await test.emulator.control('GET', '/_emulator/s3/object-lambda-responses');
    const { responses } = json as { responses: { body: string }[] };
    expect(responses).toMatchObject([
      { statusCode: 200, contentType: 'application/json', metadata: { made: 'yes' }, requestToken: expect.any(String) },
    ]);
    expect(JSON.parse(Buffer.from(responses[0]!.body, 'base64').toString()).original).toBe('TEXT');
  });

  it('may be large, and arrive while the function sends them', { timeout: 30_000 }, async () => {
    const s3 = await transformer(
      'large',
      `exports.handler = async (event) => {
        const { status } = await answer(event.getObjectContext, Buffer.alloc(8 << 20, 'x'));
        if (status !== 200) throw new Error('refused');
      };`,
    );
    const { Body, ContentLength } = await s3.send(new S3.GetObjectCommand({ Bucket: arnOf('large'), Key: 'in/a b' }));
    expect(ContentLength).toBe(8 << 20);
    expect((await Body!.transformToByteArray()).length).toBe(8 << 20);
  });

  it('can be aborted by callers', { timeout: 30_000 }, async () => {
    const s3 = await transformer(
      'slow',
      `exports.handler = async (event) => {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        await answer(event.getObjectContext, 'late');
      };`,
    );
    const abort = new AbortController();
    const read = s3.send(new S3.GetObjectCommand({ Bucket: arnOf('slow'), Key: 'in/a b' }), {
      abortSignal: abort.signal,
    });
    setTimeout(() => abort.abort(), 300);
    expect((await errorOf(read)).name).toBe('AbortError');
    // Later requests are served.
    const next = await s3.send(new S3.GetObjectCommand({ Bucket: arnOf('slow'), Key: 'in/a b' }));
    expect(await next.Body!.transformToString()).toBe('late');
  });

  it('are the errors that the function returns', async () => {
    const s3 = await transformer(
      'refuser',
      `exports.handler = async (event) => {
        await answer(event.getObjectContext, undefined, {
          'x-amz-fwd-status': '403', 'x-amz-fwd-error-code': 'NotForYou', 'x-amz-fwd-error-message': 'No.' });
      };`,
    );
    const got = s3.send(new S3.GetObjectCommand({ Bucket: arnOf('refuser'), Key: 'in/a b' }));
    expect(await errorOf(got)).toMatchObject({ name: 'NotForYou', message: 'No.', $metadata: { httpStatusCode: 403 } });
  });

  it('fail if the function fails, returns nothing, or does not exist', async () => {
    const silent = await transformer('silent', 'exports.handler = async () => ({});');
    const get = (s3: S3.S3Client, name: string) =>
      errorOf(s3.send(new S3.GetObjectCommand({ Bucket: arnOf(name), Key: 'in/a b' })));
    expect(await get(silent, 'silent')).toMatchObject({
      name: 'LambdaResponseNotReceived',
      $metadata: { httpStatusCode: 500 },
    });
    const broken = await transformer('broken', 'exports.handler = async () => { throw new Error("broken"); };');
    expect(await get(broken, 'broken')).toMatchObject({
      name: 'LambdaRuntimeError',
      $metadata: { httpStatusCode: 400 },
    });
    await test.control.putAccessPointConfigurationForObjectLambda({
      AccountId,
      Name: 'broken',
      Configuration: {
        SupportingAccessPoint: `arn:aws:s3:us-east-1:${AccountId}:accesspoint/plain`,
        TransformationConfigurations: [
          { Actions: ['GetObject'], ContentTransformation: { AwsLambda: { FunctionArn: functionArn('none') } } },
        ],
      },
    });
    expect((await get(broken, 'broken')).name).toBe('LambdaNotFound');
    const stray = test.s3.send(
      new S3.WriteGetObjectResponseCommand({ RequestRoute: 'io-1', RequestToken: 'none', Body: 'x' }),
    );
    expect((await errorOf(stray)).name).toBe('InvalidRequest');
  });

  it('are transformed in HEAD and lists as the function returns', async () => {
    const s3 = await transformer(
      'teller',
      `exports.handler = async (event) => {
        if (event.headObjectContext) {
          const { headers } = await fetch(event.headObjectContext.inputS3Url, { method: 'HEAD' });
          return { statusCode: 200, headers: { 'Content-Type': 'text/teller', 'content-length': '99', ETag: headers.get('etag'), 'x-amz-meta-told': 'yes' } };
        }
        if (event.listObjectsContext) {
          const listResultXml = await (await fetch(event.listObjectsContext.inputS3Url)).text();
          return { statusCode: 200, listResultXml: listResultXml.replace('in/a b', 'renamed') };
        }
        return { statusCode: 200, listBucketResult: { name: 'made-up', keyCount: 1, isTruncated: false, contents: [{ key: 'one', size: 3, lastModified: '2024-01-02T03:04:05Z' }] } };
      };`,
      ['HeadObject', 'ListObjects', 'ListObjectsV2'],
    );
    const through = { Bucket: arnOf('teller') };
    const head = await s3.send(new S3.HeadObjectCommand({ ...through, Key: 'in/a b' }));
    expect(head).toMatchObject({ ContentType: 'text/teller', ContentLength: 99, Metadata: { told: 'yes' } });
    expect(head.ETag).toMatch(/^"[0-9a-f]{32}"$/);
    const listed = await s3.send(new S3.ListObjectsCommand({ ...through, Prefix: 'in/' }));
    expect(listed.Contents!.map(({ Key, Size }) => [Key, Size])).toEqual([['renamed', 4]]);
    const second = await s3.send(new S3.ListObjectsV2Command(through));
    expect(second).toMatchObject({
      Name: 'made-up',
      KeyCount: 1,
      IsTruncated: false,
      Contents: [{ Key: 'one', Size: 3, LastModified: new Date('2024-01-02T03:04:05Z') }],
    });
  });
});
