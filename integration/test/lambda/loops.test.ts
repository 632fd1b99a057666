import { S3 } from '@aws-sdk/client-s3';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as snsManifest } from '@emu/svc-sns/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningTest, startRunning } from '../../../packages/svc-lambda/test/running.ts';
import { ACCOUNT, arn, REGION } from '../../../packages/svc-lambda/test/support.ts';

let test: RunningTest;
beforeAll(async () => {
  test = await startRunning({ manifests: [s3Manifest, snsManifest, sqsManifest] });
});
afterAll(() => test[Symbol.asyncDispose]());

/** Defines a function that sends a request with its trace header, as AWS's SDKs do in functions. */
const sender = (service: string, method: string, path: string, contentType: string, body: string) =>
  test.define({
    'index.js': `const http = require('node:http');
      exports.handler = (event, context, done) => {
        const { hostname, port } = new URL(process.env.AWS_ENDPOINT_URL);
        const headers = { 'content-type': '${contentType}', 'x-amzn-trace-id': process.env._X_AMZN_TRACE_ID,
          authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + '/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0' };
        http.request({ hostname, port, path: '${path}', method: '${method}', headers, agent: false }, (response) => { response.resume(); response.on('end', () => done(null, response.statusCode)); }).end(${JSON.stringify(body)});
      };`,
  });

/** Waits until a function has run 16 times, and a moment longer. @returns the number of its runs */
async function runsOf(name: string): Promise<number> {
  const count = async () => {
    const { json } = await test.emulator.control('GET', '/_emulator/lambda/invocations');
    const { invocations } = json as { invocations: { functionName: string }[] };
    return invocations.filter(({ functionName }) => functionName === name).length;
  };
  await expect.poll(count, { timeout: 20_000 }).toBeGreaterThanOrEqual(16);
  await new Promise((resolve) => setTimeout(resolve, 500));
  return count();
}

it('a function that writes to the bucket that invokes it is stopped', async () => {
  const s3 = new S3({ ...test.emulator.clientConfig(), forcePathStyle: true });
  await s3.createBucket({ Bucket: 'loop' });
  const name = await sender('s3', 'PUT', '/loop/again', 'text/plain', 'again');
  await s3.putBucketNotificationConfiguration({
    Bucket: 'loop',
    NotificationConfiguration: {
      LambdaFunctionConfigurations: [{ LambdaFunctionArn: arn(`function:${name}`), Events: ['s3:ObjectCreated:*'] }],
    },
    SkipDestinationValidation: true,
  });
  await s3.putObject({ Bucket: 'loop', Key: 'first', Body: 'first' });
  expect(await runsOf(name)).toBe(16);
});

it('a function that publishes to a topic whose queue invokes it is stopped', async () => {
  const sqs = new SQS(test.emulator.clientConfig());
  const sns = new SNS(test.emulator.clientConfig());
  await sqs.createQueue({ QueueName: 'loop' });
  const { TopicArn } = await sns.createTopic({ Name: 'loop' });
  const queueArn = `arn:aws:sqs:${REGION}:${ACCOUNT}:loop`;
  await sns.subscribe({ TopicArn, Protocol: 'sqs', Endpoint: queueArn });
  const body = new URLSearchParams({
    Action: 'Publish',
    Version: '2010-03-31',
    TopicArn: TopicArn!,
    Message: 'again',
  }).toString();
  const name = await sender('sns', 'POST', '/', 'application/x-www-form-urlencoded', body);
  await test.lambda.createEventSourceMapping({ FunctionName: name, EventSourceArn: queueArn });
  await sns.publish({ TopicArn, Message: 'first' });
  expect(await runsOf(name)).toBe(16);
});
