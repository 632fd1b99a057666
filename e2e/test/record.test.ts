import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRecording, type RecordedLine } from '@emu/recording';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, type Outcome, run } from '../src/programs.ts';
import { noTerraform, plugins } from '../src/terraform.ts';

const EMU = fileURLToPath(new URL('../../apps/cli/bin/emu.js', import.meta.url));
/** Signature of another program, which emu does not verify. */
const authorization =
  'AWS4-HMAC-SHA256 Credential=test/20261129/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=0';
const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Variables of a user without access to AWS, who uses another emulator in its place. */
const USER = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'eu-west-1',
  AWS_DEFAULT_REGION: 'eu-west-1',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
};

let upstream: Emu;
const directory = temporaryDirectory();
beforeAll(async () => {
  upstream = await startEmu();
});
afterAll(async () => {
  await upstream?.kill();
  directory[Symbol.dispose]();
});

let files = 0;

/** Records a command against the second emulator. */
async function record(
  command: readonly string[],
  env: Record<string, string | undefined> = {},
  flags: readonly string[] = [],
  cwd?: string,
): Promise<Outcome & { file: string; lines: () => Promise<RecordedLine[]> }> {
  const file = join(directory.path, `${++files}.jsonl`);
  const args = [EMU, 'record', '--upstream', upstream.url, '--output', file, ...flags, '--', ...command];
  const outcome = await run(process.execPath, args, { env: { ...USER, ...env }, ...(cwd !== undefined && { cwd }) });
  const lines = async (): Promise<RecordedLine[]> => {
    const all: RecordedLine[] = [];
    const recording = await openRecording(file);
    for await (const line of recording.lines) all.push(line);
    return all;
  };
  return { ...outcome, file, lines };
}

const operationsOf = (lines: readonly RecordedLine[]): string[] =>
  lines.map(({ record: { service, operation } }) => `${service} ${operation}`);

describe('emu record', () => {
  test('runs SDK v3 unchanged, names account and region, and ends with the status of the command', async () => {
    const program = `
      const { SQSClient, CreateQueueCommand, SendMessageCommand } = await import('@aws-sdk/client-sqs');
      const { S3Client, CreateBucketCommand, PutObjectCommand } = await import('@aws-sdk/client-s3');
      const sqs = new SQSClient();
      const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'recorded' }));
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'for ann@mail.example.org' }));
      const s3 = new S3Client();
      await s3.send(new CreateBucketCommand({ Bucket: 'recorded' }));
      await s3.send(new PutObjectCommand({ Bucket: 'recorded', Key: 'k', Body: 'hello' }));
      process.exit(3);
    `;
    const { code, stderr, file, lines } = await record(
      [process.execPath, '--input-type=module', '--no-warnings', '--eval', program],
      {},
      [],
      HERE,
    );
    expect(stderr).toContain('account 123456789012 (arn:aws:iam::123456789012:root) in eu-west-1');
    expect(code).toBe(3);
    expect(operationsOf(await lines())).toEqual([
      'sqs CreateQueue',
      'sqs SendMessage',
      's3 CreateBucket',
      's3 PutObject',
    ]);
    const text = readFileSync(file, 'utf8');
    for (const hidden of ['ann@mail', '123456789012', 'Signature']) expect(text).not.toContain(hidden);
    const stored = await fetch(`${upstream.url}/recorded/k`, { headers: { authorization } });
    expect(await stored.text()).toBe('hello');
  });

  test.skipIf(!canRun('aws', '--version'))('runs the AWS CLI unchanged', async () => {
    const path = join(directory.path, 'file.txt');
    writeFileSync(path, 'hello');
    const script = `aws s3 mb s3://cli && aws s3 cp ${path} s3://cli/file.txt && aws sts get-caller-identity && aws dynamodb list-tables`;
    const { code, stderr, lines } = await record(['sh', '-c', script]);
    expect(code, stderr).toBe(0);
    expect(operationsOf(await lines())).toEqual([
      's3 CreateBucket',
      's3 PutObject',
      'sts GetCallerIdentity',
      'dynamodb ListTables',
    ]);
  });

  test.skipIf(!canRun('python3', '-c', 'import boto3'))('runs boto3 unchanged', async () => {
    const program = [
      'import boto3',
      "s3 = boto3.client('s3')",
      "s3.create_bucket(Bucket='boto', CreateBucketConfiguration={'LocationConstraint': 'eu-west-1'})",
      "s3.put_object(Bucket='boto', Key='k', Body=b'x' * 100000)",
      "assert len(s3.get_object(Bucket='boto', Key='k')['Body'].read()) == 100000",
      "boto3.client('sqs').create_queue(QueueName='boto')",
      "boto3.client('sns').create_topic(Name='boto')",
    ].join('\n');
    const { code, stderr, lines } = await record(['python3', '-c', program]);
    expect(code, stderr).toBe(0);
    expect(operationsOf(await lines())).toEqual([
      's3 CreateBucket',
      's3 PutObject',
      's3 GetObject',
      'sqs CreateQueue',
      'sns CreateTopic',
    ]);
  });

  test.skipIf(noTerraform !== undefined)(
    `runs Terraform unchanged${noTerraform === undefined ? '' : ` (skipped: ${noTerraform})`}`,
    { timeout: 240_000 },
    async () => {
      using folder = temporaryDirectory();
      writeFileSync(
        join(folder.path, 'main.tf'),
        `
        provider "aws" { region = "eu-west-1" }
        resource "aws_sqs_queue" "jobs" { name = "terraform" }
        resource "aws_s3_bucket" "photos" { bucket = "terraform" }
        resource "aws_iam_role" "worker" {
          name               = "terraform"
          assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = { Service = "lambda.amazonaws.com" }, Action = "sts:AssumeRole" }] })
        }
        `,
      );
      const env = {
        TF_CLI_CONFIG_FILE: undefined,
        TF_IN_AUTOMATION: '1',
        CHECKPOINT_DISABLE: '1',
        AWS_S3_USE_PATH_STYLE: 'true',
      };
      const init = await run('terraform', ['init', '-no-color', `-plugin-dir=${plugins}`], { cwd: folder.path, env });
      expect(init.code, init.stderr).toBe(0);
      const apply = await record(['terraform', 'apply', '-no-color', '-auto-approve'], env, [], folder.path);
      expect(apply.code, apply.stderr + apply.stdout).toBe(0);
      const operations = operationsOf(await apply.lines());
      for (const operation of ['sqs CreateQueue', 's3 CreateBucket', 'iam CreateRole'])
        expect(operations).toContain(operation);
      const destroyed = await record(['terraform', 'destroy', '-no-color', '-auto-approve'], env, [], folder.path);
      expect(destroyed.code, destroyed.stderr).toBe(0);
    },
  );

  test('without a command prints the variables, and ends with a signal', async () => {
    const { spawn } = await import('node:child_process');
    const file = join(directory.path, 'open.jsonl');
    const child = spawn(process.execPath, [EMU, 'record', '--upstream', upstream.url, '--output', file], {
      env: { ...process.env, ...USER },
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    let output = '';
    const url = await new Promise<string>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const found = /AWS_ENDPOINT_URL='?(http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    expect((await fetch(`${url}/recorded/k`, { headers: { authorization } })).status).toBe(200);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  test('leaves no file if AWS does not respond', async () => {
    const file = join(directory.path, 'unreached.jsonl');
    const args = [EMU, 'record', '--upstream', 'http://127.0.0.1:1', '--output', file, '--', process.execPath];
    const { code, stderr } = await run(process.execPath, args, { env: USER });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'emu: 127.0.0.1 did not respond: connect ECONNREFUSED 127.0.0.1:1\n',
    });
    expect(existsSync(file)).toBe(false);
  });

  test('refuses an existing file, and needs credentials for AWS', async () => {
    const file = join(directory.path, 'kept.jsonl');
    writeFileSync(file, '');
    const existing = await run(process.execPath, [EMU, 'record', '--output', file], { env: USER });
    expect(existing).toMatchObject({ code: 1, stderr: `emu: ${file} exists; name another file with --output.\n` });
    const none = join(directory.path, 'none.jsonl');
    const without = await run(process.execPath, [EMU, 'record', '--output', none, '--', 'true'], { env: USER });
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('test is a key that only emulators accept');
    expect(existsSync(none)).toBe(false);
  });
});

describe('emu --forward', () => {
  const start = (args: readonly string[], env = {}): Promise<Outcome> =>
    run(process.execPath, [EMU, '--addr', '127.0.0.1:0', ...args], { env: { ...USER, ...env } });

  test('is refused at the start without credentials, and for services of emu', async () => {
    const without = await start(['--forward', 'bedrock']);
    expect(without.code).toBe(1);
    expect(without.stderr).toContain('--forward (EMULATOR_FORWARD): AWS credentials are needed');
    const own = await start(['--forward', 'sqs'], { AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE' });
    expect(own.stderr).toContain('emu has the service sqs. To send its requests to AWS instead, write sqs!');
  });

  test('is named by the start message and the status', async () => {
    await using emu = await startEmu({
      args: ['--forward', 'bedrock,textract'],
      env: { ...USER, AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE' },
    });
    expect(emu.output()).toContain('forwards  requests of bedrock, textract leave this machine');
    const status = await run(process.execPath, [EMU, 'status', '--addr', `127.0.0.1:${emu.port}`]);
    expect(status.stdout).toContain('requests that leave this machine, to AWS: bedrock, textract');
  });
});
