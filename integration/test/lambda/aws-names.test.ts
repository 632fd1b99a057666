import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { SQS } from '@aws-sdk/client-sqs';
import type { RequestRecord } from '@emu/control-client';
import { createLogger } from '@emu/core';
import { selfSigned } from '@emu/core/certificates';
import { manifest as s3Manifest } from '@emu/svc-s3/manifest';
import { manifest as sqsManifest } from '@emu/svc-sqs/manifest';
import { manifest as stsManifest } from '@emu/svc-sts/manifest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTest, startRunning } from '../../../packages/svc-lambda/test/running.ts';
import { arn, REGION } from '../../../packages/svc-lambda/test/support.ts';

const require = createRequire(import.meta.url);
const QUEUE = `https://sqs.${REGION}.amazonaws.com`;
const SIGNED = '/?Action=ListQueues&Version=2012-11-05';
const manifests = [sqsManifest, s3Manifest, stsManifest];

let test: RunningTest;
/** Lines of emu's log. */
const logged: string[] = [];
/** A server of another host, whose certificate nobody trusts. */
let other: Server;
let otherUrl: string;
beforeAll(async () => {
  const log = createLogger({ level: 'warn', format: 'text', write: (line) => logged.push(line) });
  test = await startRunning({ manifests, log, settings: { values: { EMULATOR_RECORD_REQUESTS: true } } });
  await new SQS(test.emulator.clientConfig()).createQueue({ QueueName: 'orders' });
  const now = Date.now();
  const certificate = await selfSigned({
    subject: { commonName: 'localhost' },
    keyType: 'ec',
    notBefore: now - 60_000,
    notAfter: now + 3_600_000,
    use: { server: { names: ['localhost'], addresses: ['127.0.0.1'] } },
  });
  other = createServer(certificate, (_, response) => response.end('other')).listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  otherUrl = `https://localhost:${(other.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  other.close();
  await test[Symbol.asyncDispose]();
});

/** The SDKs load for seconds on a busy machine. */
const PATIENT = { Timeout: 60 };

/** Runs the body of an asynchronous handler in Node.js. */
async function node(body: string, input: Parameters<RunningTest['define']>[1] = {}, own = test): Promise<unknown> {
  const name = await own.define(
    { 'index.js': `exports.handler = async (event, context) => {${body}};` },
    { ...PATIENT, ...input },
  );
  const { payload, FunctionError } = await own.invoke(name);
  return FunctionError ? { FunctionError, payload } : payload;
}

const FETCHED = `const response = await fetch('${QUEUE}${SIGNED}'); return [response.status, await response.text()];`;
const LISTED = [200, expect.stringContaining('/orders</QueueUrl>')];

describe('a function in Node.js reaches emu by TLS with', () => {
  it('fetch', async () => {
    expect(await node(FETCHED)).toEqual(LISTED);
  });

  it('https', async () => {
    const body = `
      const https = require('https');
      return new Promise((resolve, reject) => https.get('${QUEUE}${SIGNED}', async (response) => {
        const { authorized } = response.socket;
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve([response.statusCode, text, authorized]);
      }).on('error', reject));`;
    expect(await node(body)).toEqual([...LISTED, true]);
  });

  it('http without TLS', async () => {
    const body = `
      return new Promise((resolve, reject) => require('http').get('${QUEUE.replace('https', 'http')}${SIGNED}', async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve([response.statusCode, text]);
      }).on('error', reject));`;
    expect(await node(body)).toEqual(LISTED);
  });

  it('http2', async () => {
    const body = `
      const session = require('http2').connect('${QUEUE}');
      const stream = session.request({ ':path': '${SIGNED}' });
      const status = new Promise((resolve) => stream.once('response', (headers) => resolve(headers[':status'])));
      let text = '';
      for await (const chunk of stream) text += chunk;
      session.close();
      return [await status, text];`;
    expect(await node(body)).toEqual(LISTED);
  });

  it('undici', async () => {
    const body = `
      const { request } = require('${require.resolve('undici')}');
      const { statusCode, body } = await request('${QUEUE}${SIGNED}');
      return [statusCode, await body.text()];`;
    expect(await node(body)).toEqual(LISTED);
  });

  it('an import of a module', async () => {
    const body = `
      const { connect } = await import('node:tls');
      return new Promise((resolve, reject) => {
        const socket = connect({ host: 'sqs.${REGION}.amazonaws.com', port: 443, servername: 'sqs.${REGION}.amazonaws.com' });
        socket.on('secureConnect', () => { resolve(socket.authorized); socket.destroy(); }).on('error', reject);
      });`;
    expect(await node(body)).toBe(true);
  });

  it('the SDK v2', async () => {
    const body = `
      const { SQS, S3 } = require('${require.resolve('aws-sdk')}');
      const { QueueUrls } = await new SQS({ region: '${REGION}' }).listQueues().promise();
      const s3 = new S3({ region: '${REGION}' });
      await s3.createBucket({ Bucket: 'photos-v2' }).promise();
      await s3.putObject({ Bucket: 'photos-v2', Key: 'cat', Body: 'miaow' }).promise();
      const { Body } = await s3.getObject({ Bucket: 'photos-v2', Key: 'cat' }).promise();
      return [QueueUrls, Body.toString()];`;
    expect(await node(body)).toEqual([[expect.stringMatching(/\/orders$/)], 'miaow']);
  });

  it('a worker thread and a child process', async () => {
    const script = `fetch('${QUEUE}${SIGNED}').then((response) => response.status)`;
    const body = `
      const { Worker } = require('worker_threads');
      const { execFileSync } = require('child_process');
      const worker = new Worker(${JSON.stringify(`${script}.then((status) => require('worker_threads').parentPort.postMessage(status))`)}, { eval: true });
      const status = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
      return [status, Number(execFileSync(process.execPath, ['-e', ${JSON.stringify(`${script}.then(console.log)`)}]))];`;
    expect(await node(body)).toEqual([200, 200]);
  });

  it('NODE_OPTIONS of its own', async () => {
    const input = { Environment: { Variables: { NODE_OPTIONS: '--title=mine' } } };
    expect(await node(`${FETCHED.replace('return [', 'return [process.title, ')}`, input)).toEqual(['mine', ...LISTED]);
  });
});

describe('other hosts and ports', () => {
  const failure = (url: string) =>
    `return fetch(${JSON.stringify(url)}).then((response) => response.status, (error) => [error.cause.code, error.cause.message]);`;

  it('keep their certificates', async () => {
    const name = await test.define({
      'index.js': `exports.handler = async () => { await fetch('${QUEUE}${SIGNED}'); ${failure(otherUrl)} };`,
    });
    expect((await test.invoke(name)).payload).toEqual(['DEPTH_ZERO_SELF_SIGNED_CERT', expect.any(String)]);
    const trusting = `process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; return (await fetch('${otherUrl}')).text();`;
    expect(await node(trusting)).toBe('other');
  });

  it('of AWS are refused on ports other than those of HTTP', async () => {
    expect(await node(failure('https://db.abc.us-east-1.rds.amazonaws.com:5432/'))).toEqual([
      'ECONNREFUSED',
      expect.stringContaining('EMULATOR_AWS_NAMES_EXCEPT'),
    ]);
  });

  it('of services that emu lacks get 501', async () => {
    for (const host of [
      'rekognition.us-east-1.amazonaws.com',
      'd111111abcdef8.cloudfront.net',
      'x.aoss.us-east-1.on.aws',
    ]) {
      const answer = await node(
        `const response = await fetch('https://${host}/'); return [response.status, await response.text()];`,
      );
      expect(answer).toEqual([501, expect.stringContaining('The request is for a service that emu does not have')]);
    }
  });
});

it('redirected requests are in the request tree, with host and function', async () => {
  const name = await test.define({
    'index.js': `exports.handler = async () => { await fetch('${QUEUE}${SIGNED}'); await fetch('https://rekognition.us-east-1.amazonaws.com/'); };`,
  });
  const { $metadata } = await test.invoke(name);
  const { json } = await test.emulator.control('GET', '/_emulator/requests');
  const { requests } = json as { requests: RequestRecord[] };
  const redirected = requests.filter(({ redirectedFrom }) => redirectedFrom === arn(`function:${name}`));
  expect(redirected).toMatchObject([
    { service: 'sqs', operation: 'ListQueues', host: `sqs.${REGION}.amazonaws.com`, cause: $metadata.requestId },
    { service: '', status: 501, host: 'rekognition.us-east-1.amazonaws.com', cause: $metadata.requestId },
  ]);
  expect(requests.filter(({ service, host }) => service === 'lambda' && host !== undefined)).toEqual([]);
});

it('a function gains nothing from its port and its files', async () => {
  const body = `
    const { readdirSync, readFileSync } = require('fs');
    const { dirname, join } = require('path');
    const { relay, authority } = JSON.parse(process.env._EMULATOR_AWS_NAMES);
    const directory = dirname(authority);
    const texts = readdirSync(directory).filter((name) => name.endsWith('.pem')).map((name) => readFileSync(join(directory, name), 'utf8'));
    const status = await new Promise((resolve, reject) =>
      require('http').get({ ...relay, path: '/', headers: { host: 'www.example.com' } }, ({ statusCode }) => resolve(statusCode)).on('error', reject));
    const code = await new Promise((resolve) => {
      const socket = require('tls').connect({ ...relay, servername: 'www.example.com', ca: readFileSync(authority) });
      socket.on('secureConnect', () => resolve('trusted')).on('error', (error) => resolve(error.code));
    });
    const tunnel = await new Promise((resolve, reject) =>
      require('http').request({ ...relay, method: 'CONNECT', path: 'localhost:22' }).on('connect', ({ statusCode }) => resolve(statusCode)).on('error', reject).end());
    return [texts.length, texts.some((text) => text.includes('PRIVATE KEY')), status, code, tunnel];`;
  expect(await node(body)).toEqual([2, false, 403, 'DEPTH_ZERO_SELF_SIGNED_CERT', 407]);
});

it('the settings turn it off, let names through, and do not depend on a sandbox', async () => {
  const unreachable = `
    const { Socket } = require('net');
    return process.env._EMULATOR_AWS_NAMES === undefined ? 'untouched' : JSON.parse(process.env._EMULATOR_AWS_NAMES).exceptions;`;
  await using off = await startRunning({ manifests, settings: { values: { EMULATOR_AWS_NAMES: false } } });
  expect(await node(unreachable, {}, off)).toBe('untouched');
  await using bare = await startRunning({ manifests, settings: { values: { EMULATOR_LAMBDA_SANDBOX: 'off' } } });
  expect(await node(FETCHED.replace(', await response.text()', ''), {}, bare)).toEqual([200]);
  const exceptions = ['*.rds.amazonaws.com', 'sqs.us-east-1.amazonaws.com'];
  await using some = await startRunning({ manifests, settings: { values: { EMULATOR_AWS_NAMES_EXCEPT: exceptions } } });
  // A resolver of the program's own shows which names are looked up, without the internet.
  const looked = `
    const { connect } = require('net');
    const looked = [];
    for (const host of ['sqs.us-east-1.amazonaws.com', 'db.rds.amazonaws.com', 'sns.us-east-1.amazonaws.com'])
      await new Promise((resolve) => {
        const socket = connect({ host, port: 443, lookup: (name, options, done) => { looked.push(name); done(new Error('no')); } });
        socket.on('error', resolve).on('connect', () => { socket.destroy(); resolve(); });
      });
    return looked;`;
  expect(await node(looked, {}, some)).toEqual(['sqs.us-east-1.amazonaws.com', 'db.rds.amazonaws.com']);
});

/** Whether a program runs here. */
function has(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const curl = has('curl', '--version');
if (!curl) console.log('skipped: AWS host names in a custom runtime, for there is no curl on PATH');

describe.skipIf(!curl)('a custom runtime', () => {
  /** Runs a command of a shell for an invocation, whose output is the response. */
  const shell = async (command: string) => {
    const bootstrap = `#!/bin/sh
set -u
API="http://$AWS_LAMBDA_RUNTIME_API/2018-06-01/runtime/invocation"
while true; do
  curl -sS -D /tmp/emu-head-$$ -o /dev/null "$API/next" || exit 1
  ID=$(sed -n 's/^lambda-runtime-aws-request-id: *\\([^\r]*\\).*/\\1/Ip' /tmp/emu-head-$$)
  rm -f /tmp/emu-head-$$
  RESULT=$(${command}) 2>&1
  printf '%s' "$RESULT" | curl -sS -X POST --data-binary @- "$API/$ID/response" >/dev/null
done
`;
    const name = await test.define(
      { bootstrap: { content: bootstrap, mode: 0o755 } },
      { ...PATIENT, Runtime: 'provided.al2023', Handler: 'any' },
    );
    return (await test.invoke(name)).payload;
  };
  const status = "curl -s -o /dev/null -w '%{http_code}'";

  it('reaches emu by clients that follow HTTPS_PROXY', async () => {
    expect(await shell(`${status} '${QUEUE}${SIGNED}'`)).toBe(200);
    expect(await shell(`${status} https://rekognition.us-east-1.amazonaws.com/`)).toBe(501);
    expect(logged.filter((line) => line.includes('HTTPS_PROXY'))).toEqual([
      expect.stringContaining(
        "functions of provided.al2023 reach emu at AWS's host names through HTTPS_PROXY; clients that ignore it reach AWS itself there",
      ),
    ]);
  });

  it('reaches this machine directly, and other hosts with their own certificates', async () => {
    expect(await shell(`env -u https_proxy -u HTTPS_PROXY ${status} -k '${otherUrl}'`)).toBe(200);
    expect(await shell(`${status} -k '${otherUrl}'`)).toBe(200);
    // Through the proxy, which `127.0.0.1` would not use.
    const command = `curl -s --noproxy '' -o /dev/null '${otherUrl}' || echo $?; ${status} --noproxy '' -k '${otherUrl}'`;
    const untrusted = 60;
    expect(await shell(`{ ${command}; } | tr '\\n' ' ' | sed 's/.*/[&]/;s/ /,/'`)).toEqual([untrusted, 200]);
  });
});

const python = has('python3', '-c', 'import boto3, urllib3');
if (!python) console.log('skipped: AWS host names in Python, for there is no python3 with boto3 on PATH');

describe.skipIf(!python)('a function in Python reaches emu by TLS with', () => {
  const run = async (body: string) => {
    const name = await test.define(
      { 'app.py': `def handler(event, context):\n${body.replace(/^/gm, '    ')}\n` },
      { ...PATIENT, Runtime: 'python3.12', Handler: 'app.handler' },
    );
    return (await test.invoke(name)).payload;
  };

  it('urllib, also after a connection to another host', async () => {
    const body = `
import ssl, urllib.request, urllib.error
def code(url):
    try:
        return urllib.request.urlopen(url).read().decode()
    except urllib.error.URLError as error:
        return str(error.reason)
return [code("${otherUrl}"), code("${QUEUE}${SIGNED}"), code("${otherUrl}")]`;
    const untrusted = expect.stringContaining('CERTIFICATE_VERIFY_FAILED');
    expect(await run(body)).toEqual([untrusted, LISTED[1], untrusted]);
  });

  it('boto3 without AWS_ENDPOINT_URL', async () => {
    const body = `
import boto3, os
del os.environ["AWS_ENDPOINT_URL"]
session = boto3.session.Session()
s3 = session.client("s3")
s3.create_bucket(Bucket="photos-py")
s3.put_object(Bucket="photos-py", Key="cat", Body=b"miaow")
urls = session.client("sqs").list_queues()["QueueUrls"]
return [urls, s3.get_object(Bucket="photos-py", Key="cat")["Body"].read().decode(), s3.meta.endpoint_url]`;
    const queues = [expect.stringMatching(/\/orders$/)];
    expect(await run(body)).toEqual([queues, 'miaow', 'https://s3.amazonaws.com']);
  });

  it('asyncio and http.client', async () => {
    const body = `
import asyncio, http.client, ssl
async def status():
    reader, writer = await asyncio.open_connection("sqs.${REGION}.amazonaws.com", 443, ssl=True)
    writer.write(b"GET ${SIGNED} HTTP/1.1\\r\\nHost: sqs.${REGION}.amazonaws.com\\r\\nConnection: close\\r\\n\\r\\n")
    line = await reader.readline()
    writer.close()
    return line.decode().strip()
connection = http.client.HTTPSConnection("sqs.${REGION}.amazonaws.com")
connection.request("GET", "${SIGNED}")
return [asyncio.run(status()), connection.getresponse().status]`;
    expect(await run(body)).toEqual(['HTTP/1.1 200 OK', 200]);
  });
});
