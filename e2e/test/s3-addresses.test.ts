import { lookup } from 'node:dns';
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, S3, type S3ClientConfig } from '@aws-sdk/client-s3';
import { S3Control } from '@aws-sdk/client-s3-control';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import S3OfVersion2 from 'aws-sdk/clients/s3.js';
import { Client as Minio } from 'minio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, clientEnvironment, run } from '../src/programs.ts';
import { noTerraform, plugins } from '../src/terraform.ts';

const ACCOUNT = '123456789012';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const region = 'us-east-1';

/** Resolves names below `localhost` to this machine, as systemd-resolved and browsers do and other resolvers do not. */
const agent = new Agent({
  lookup: (name, options, found) => lookup(name.endsWith('.localhost') ? '127.0.0.1' : name, options, found),
});

let emu: Emu;
let named: string;
beforeAll(async () => {
  emu = await startEmu();
  named = `http://localhost:${emu.port}`;
});
afterAll(async () => {
  agent.destroy();
  await emu?.kill();
});

/** A client without the path style setting. */
const clientOf = (endpoint: string, more: Partial<S3ClientConfig> = {}): S3 =>
  new S3({ endpoint, region, credentials, requestHandler: new NodeHttpHandler({ httpAgent: agent }), ...more });

/** Writes, reads and lists an object with an unusual key. */
async function exercise(s3: S3, Bucket: string): Promise<void> {
  await s3.createBucket({ Bucket });
  await s3.putObject({ Bucket, Key: 'a b/ü+1', Body: 'hello' });
  expect((await s3.listObjectsV2({ Bucket })).Contents?.map(({ Key }) => Key)).toEqual(['a b/ü+1']);
  expect(await (await s3.getObject({ Bucket, Key: 'a b/ü+1' })).Body!.transformToString()).toBe('hello');
  expect((await s3.listBuckets({})).Buckets?.map(({ Name }) => Name)).toContain(Bucket);
}

describe('clients without special settings', () => {
  test('SDK v3 at the address that emu prints', async () => {
    const s3 = clientOf(emu.url, { requestHandler: new NodeHttpHandler() });
    await exercise(s3, 'v3-address');
    s3.destroy();
  });

  // The last two could also be a service and an access point.
  test.each(['v3-photos', 'sqs', `v3-${ACCOUNT}`])(
    'SDK v3 at localhost, with the bucket %s in the host name',
    async (Bucket) => {
      const s3 = clientOf(named);
      await exercise(s3, Bucket);
      const url = await getSignedUrl(s3, new GetObjectCommand({ Bucket, Key: 'a b/ü+1' }));
      expect(new URL(url).hostname).toBe(`${Bucket}.localhost`);
      const answer = await new Promise<string>((done, failed) => {
        get(url, { agent }, (response) => text(response).then(done, failed)).on('error', failed);
      });
      expect(answer).toBe('hello');
      s3.destroy();
    },
  );

  test('SDK v2 at localhost', async () => {
    const s3 = new S3OfVersion2({ endpoint: named, region, credentials, httpOptions: { agent } });
    await s3.createBucket({ Bucket: 'v2-photos' }).promise();
    await s3.putObject({ Bucket: 'v2-photos', Key: 'k', Body: 'hello' }).promise();
    const { Body, $response } = await s3.getObject({ Bucket: 'v2-photos', Key: 'k' }).promise();
    expect(String(Body)).toBe('hello');
    expect($response.httpResponse.statusCode).toBe(200);
  });

  test.each(['127.0.0.1', 'localhost'])('MinIO at %s', async (endPoint) => {
    const client = new Minio({ endPoint, port: emu.port, useSSL: false, accessKey: 'test', secretKey: 'test' });
    const bucket = endPoint === 'localhost' ? 'minio-by-name' : 'minio-by-address';
    await client.makeBucket(bucket, region);
    await client.putObject(bucket, 'k', 'hello');
    expect(await text(await client.getObject(bucket, 'k'))).toBe('hello');
    await client.removeObject(bucket, 'k');
    await client.removeBucket(bucket);
  });
});

const noBoto = canRun('python3', '-c', 'import boto3') ? undefined : 'python3 cannot import boto3 here';
const without = (program: string): string | undefined =>
  canRun(program, program === 'rclone' ? 'version' : '--version')
    ? undefined
    : `there is no ${program} on this machine`;
const skipped = (reason: string | undefined): string => (reason === undefined ? '' : ` (skipped: ${reason})`);

/** Endpoints that users configure: the address that emu prints, and its host name. */
const ADDRESSES = ['127.0.0.1', 'localhost'] as const;
/** Bucket of one client. */
const bucketOf = (client: string, host: string): string => `${client}-${host === 'localhost' ? 'name' : 'address'}`;

describe('programs with an endpoint only', () => {
  const at = (host: string): string => `http://${host}:${emu.port}`;

  test.skipIf(noBoto).each(ADDRESSES)(`boto3 at %s${skipped(noBoto)}`, async (host) => {
    const program = `
import boto3, urllib.request
s3, bucket = boto3.client("s3"), "${bucketOf('boto', host)}"
s3.create_bucket(Bucket=bucket)
s3.put_object(Bucket=bucket, Key="a b/ü+1", Body=b"hello")
print([each["Key"] for each in s3.list_objects_v2(Bucket=bucket)["Contents"]])
url = s3.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "a b/ü+1"})
print(urllib.request.urlopen(url).read().decode())
s3.delete_object(Bucket=bucket, Key="a b/ü+1")
s3.delete_bucket(Bucket=bucket)`;
    const { stdout, stderr } = await run('python3', ['-c', program], { env: clientEnvironment(at(host)) });
    expect({ stdout, stderr }).toEqual({ stdout: "['a b/ü+1']\nhello\n", stderr: '' });
  });

  describe.skipIf(noCli)(`the AWS CLI${skipped(noCli)}`, () => {
    const aws = awsCli(() => emu.url);
    test.each(ADDRESSES)('%s', async (host) => {
      const { succeed } = aws.with({ endpoint: at(host) });
      using folder = temporaryDirectory();
      const [file, bucket] = [join(folder.path, 'file'), `s3://${bucketOf('cli', host)}`];
      writeFileSync(file, 'hello');
      await succeed('s3', 'mb', bucket);
      await succeed('s3', 'cp', file, `${bucket}/a b/ü+1`);
      expect(await succeed('s3', 'ls', '--recursive', bucket)).toContain('a b/ü+1');
      expect(await succeed('s3', 'cp', `${bucket}/a b/ü+1`, '-')).toBe('hello');
      await succeed('s3', 'rb', '--force', bucket);
    });
  });

  const noRclone = without('rclone');
  test.skipIf(noRclone).each(ADDRESSES)(`rclone at %s${skipped(noRclone)}`, async (host) => {
    using folder = temporaryDirectory();
    writeFileSync(join(folder.path, 'ü+1'), 'hello');
    const remote = `emu:${bucketOf('rclone', host)}`;
    const rclone = async (...args: string[]): Promise<string> => {
      const env = {
        ...clientEnvironment(at(host)),
        // It has its own transport, for which its SDK cannot load one.
        AWS_CA_BUNDLE: undefined,
        RCLONE_CONFIG: join(folder.path, 'none'),
        RCLONE_CONFIG_EMU_TYPE: 's3',
        RCLONE_CONFIG_EMU_PROVIDER: 'Other',
        RCLONE_CONFIG_EMU_ENV_AUTH: 'true',
        RCLONE_CONFIG_EMU_ENDPOINT: at(host),
      };
      const { code, stdout, stderr } = await run('rclone', args, { env });
      expect(code, stderr).toBe(0);
      return stdout;
    };
    await rclone('mkdir', remote);
    await rclone('copy', join(folder.path, 'ü+1'), `${remote}/a b`);
    expect(await rclone('lsf', '--recursive', '--files-only', remote)).toBe('a b/ü+1\n');
    expect(await rclone('cat', `${remote}/a b/ü+1`)).toBe('hello');
    await rclone('check', join(folder.path), `${remote}/a b`, '--one-way', '--include', 'ü+1');
    await rclone('purge', remote);
    expect(await rclone('lsd', 'emu:')).not.toContain(bucketOf('rclone', host));
  });

  const noS3cmd = without('s3cmd');
  // The second is its form for buckets in host names, which need no resolution if emu is the proxy.
  test.skipIf(noS3cmd).each([
    ['127.0.0.1', '%h'],
    ['localhost', '%(bucket)s.%h'],
  ])(`s3cmd at %s, with buckets at %s${skipped(noS3cmd)}`, async (host, buckets) => {
    using folder = temporaryDirectory();
    const file = join(folder.path, 'file');
    writeFileSync(file, 'hello');
    const base = `${host}:${emu.port}`;
    const proxy = `proxy_host = 127.0.0.1\nproxy_port = ${emu.port}\n`;
    const config = join(folder.path, 's3cfg');
    writeFileSync(
      config,
      `[default]\naccess_key = test\nsecret_key = test\nuse_https = False\nhost_base = ${base}\nhost_bucket = ${buckets.replace('%h', base)}\n${host === 'localhost' ? proxy : ''}`,
    );
    const s3cmd = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await run('s3cmd', ['--config', config, '--no-progress', ...args]);
      expect(code, stdout + stderr).toBe(0);
      return stdout;
    };
    const bucket = `s3://${bucketOf('s3cmd', host)}`;
    await s3cmd('mb', bucket);
    await s3cmd('put', file, `${bucket}/a b/ü+1`);
    expect(await s3cmd('ls', '--recursive', bucket)).toContain('a b/ü+1');
    expect(await s3cmd('get', `${bucket}/a b/ü+1`, '-')).toBe('hello');
    await s3cmd('rb', '--recursive', '--force', bucket);
    expect(await s3cmd('ls')).not.toContain(bucket);
  });

  test.skipIf(noTerraform)(`Terraform${skipped(noTerraform)}`, { timeout: 120_000 }, async () => {
    using folder = temporaryDirectory();
    writeFileSync(
      join(folder.path, 'main.tf'),
      `provider "aws" {}
resource "aws_s3_bucket" "one" {
  bucket = "terraform-address"
}
resource "aws_s3_object" "one" {
  bucket  = aws_s3_bucket.one.id
  key     = "a b/ü+1"
  content = "hello"
}`,
    );
    const env = { ...clientEnvironment(emu.url), TF_CLI_CONFIG_FILE: undefined, CHECKPOINT_DISABLE: '1' };
    const terraform = async (...args: string[]): Promise<void> => {
      const { code, stdout, stderr } = await run('terraform', [...args, '-no-color'], { cwd: folder.path, env });
      expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: '' });
    };
    await terraform('init', `-plugin-dir=${plugins}`, '-input=false');
    await terraform('apply', '-auto-approve', '-input=false');
    const s3 = clientOf(emu.url);
    const { Body } = await s3.getObject({ Bucket: 'terraform-address', Key: 'a b/ü+1' });
    expect(await Body!.transformToString()).toBe('hello');
    s3.destroy();
  });
});

test('S3 Control and access points are reached with the account in the host name', async () => {
  const s3 = clientOf(named);
  const control = new S3Control({
    endpoint: named,
    region,
    credentials,
    requestHandler: new NodeHttpHandler({ httpAgent: agent }),
  });
  await s3.createBucket({ Bucket: 'pointed-at' });
  await s3.putObject({ Bucket: 'pointed-at', Key: 'k', Body: 'hello' });
  const point = { AccountId: ACCOUNT, Name: 'point', Bucket: 'pointed-at' };
  const { AccessPointArn } = await control.createAccessPoint(point);
  const { AccessPointList = [] } = await control.listAccessPoints({ AccountId: ACCOUNT });
  expect(AccessPointList.map(({ Name }) => Name)).toEqual(['point']);
  const { Body } = await s3.getObject({ Bucket: AccessPointArn, Key: 'k' });
  expect(await Body!.transformToString()).toBe('hello');
  s3.destroy();
  control.destroy();
});

test('directory buckets are reached by their host names, with sessions', async () => {
  const Bucket = 'fast--use1-az4--x-s3';
  // With a custom endpoint, SDKs create a session even for CreateBucket.
  const zones = clientOf(named, { disableS3ExpressSessionAuth: true });
  await zones.createBucket({
    Bucket,
    CreateBucketConfiguration: {
      Location: { Type: 'AvailabilityZone', Name: 'use1-az4' },
      Bucket: { Type: 'Directory', DataRedundancy: 'SingleAvailabilityZone' },
    },
  });
  for (const endpoint of [named, emu.url]) {
    const s3 = clientOf(endpoint);
    for (const Key of ['k', '/k']) {
      await s3.putObject({ Bucket, Key, Body: endpoint + Key });
      expect(await (await s3.getObject({ Bucket, Key })).Body!.transformToString()).toBe(endpoint + Key);
    }
    expect((await s3.listObjectsV2({ Bucket })).Contents?.map(({ Key }) => Key).sort()).toEqual(['/k', 'k']);
    s3.destroy();
  }
  zones.destroy();
});
