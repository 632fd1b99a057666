import { CreateFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as S3 from '@aws-sdk/client-s3';
import { zipOf } from '@emu/gateway/testing';
import { manifest as lambda } from '@emu/svc-lambda/manifest';
import { expect, it } from 'vitest';
import { ACCOUNT as AccountId, errorOf, start } from './support.ts';
import '@aws-sdk/signature-v4a';

const Bucket = 'a-bucket';
const key = { accessKeyId: 'AKIAEXAMPLEEXAMPLE00', secretAccessKey: 'the secret' };

/** Starts an emulator that verifies signatures, with an access point. */
async function strict() {
  const test = await start({ verifySigv4: true, others: [lambda] });
  const { credentials, clock } = test.emulator.kernel;
  clock.resume();
  const principal = {
    type: 'root',
    accountId: AccountId,
    arn: `arn:aws:iam::${AccountId}:root`,
    userId: AccountId,
  } as const;
  credentials.put({ ...key, active: true, principal });
  const control = test.controlOf(key);
  const s3 = test.s3Of(key);
  await s3.send(new S3.CreateBucketCommand({ Bucket }));
  await s3.send(new S3.PutObjectCommand({ Bucket, Key: 'k', Body: 'text' }));
  await control.createAccessPoint({ AccountId, Name: 'point', Bucket });
  return { ...test, control, s3, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

const wrong = { ...key, secretAccessKey: 'not the secret' };
const mismatch = { name: 'SignatureDoesNotMatch', $metadata: { httpStatusCode: 403 } };

it('verifies signatures for the hosts of access points', async () => {
  await using test = await strict();
  expect(await errorOf(test.controlOf(wrong).listAccessPoints({ AccountId }))).toMatchObject(mismatch);
  const arn = `arn:aws:s3:us-east-1:${AccountId}:accesspoint/point`;
  const read = (who: typeof key) => test.s3Of(who).send(new S3.GetObjectCommand({ Bucket: arn, Key: 'k' }));
  expect(await (await read(key)).Body!.transformToString()).toBe('text');
  expect(await errorOf(read(wrong))).toMatchObject(mismatch);
});

it('verifies SigV4A signatures of requests to Multi-Region Access Points', async () => {
  await using test = await strict();
  const { control, emulator } = test;
  const Details = { Name: 'worldwide', Regions: [{ Bucket }] };
  await control.createMultiRegionAccessPoint({ AccountId, ClientToken: 't', Details });
  emulator.kernel.clock.freeze();
  await emulator.kernel.clock.advance(1000);
  const { Alias } = (await control.getMultiRegionAccessPoint({ AccountId, Name: 'worldwide' })).AccessPoint!;
  const read = (who: typeof key) => {
    const { endpoint: _endpoint, ...config } = emulator.clientConfig(who);
    const Mrap = `arn:aws:s3::${AccountId}:accesspoint/${Alias}`;
    return new S3.S3Client(config).send(new S3.GetObjectCommand({ Bucket: Mrap, Key: 'k' }));
  };
  expect(await (await read(key)).Body!.transformToString()).toBe('text');
  expect(await errorOf(read(wrong))).toMatchObject(mismatch);
});

it('gives functions of access points URLs with valid signatures', async () => {
  await using test = await strict();
  const code = `exports.handler = async ({ headObjectContext: { inputS3Url } }) => {
    const status = async (url) => (await fetch(url, { method: 'HEAD' })).status;
    const told = [await status(inputS3Url), await status(inputS3Url.replace('/k?', '/other?'))].join();
    return { statusCode: 200, headers: { 'x-amz-meta-told': told } };
  };`;
  const client = new LambdaClient(test.emulator.clientConfig(key));
  await client.send(
    new CreateFunctionCommand({
      FunctionName: 'f',
      Role: `arn:aws:iam::${AccountId}:role/r`,
      Runtime: 'nodejs20.x',
      Handler: 'index.handler',
      Timeout: 30,
      Code: { ZipFile: zipOf({ 'index.js': code }) },
    }),
  );
  await test.control.createAccessPointForObjectLambda({
    AccountId,
    Name: 'transformed',
    Configuration: {
      SupportingAccessPoint: `arn:aws:s3:us-east-1:${AccountId}:accesspoint/point`,
      TransformationConfigurations: [
        {
          Actions: ['HeadObject'],
          ContentTransformation: { AwsLambda: { FunctionArn: `arn:aws:lambda:us-east-1:${AccountId}:function:f` } },
        },
      ],
    },
  });
  const Transformed = `arn:aws:s3-object-lambda:us-east-1:${AccountId}:accesspoint/transformed`;
  const s3 = test.s3Of(key);
  const { Metadata } = await s3.send(new S3.HeadObjectCommand({ Bucket: Transformed, Key: 'k' }));
  expect(Metadata).toEqual({ told: '200,403' });
});
