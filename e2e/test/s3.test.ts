import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { S3 } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { awsCli, noCli } from '../src/aws-cli.ts';
import { type Emu, startEmu, temporaryDirectory } from '../src/emu.ts';
import { canRun, clientEnvironment, run } from '../src/programs.ts';

const MIB = 1024 * 1024;
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');

let emu: Emu;
let s3: S3;
beforeAll(async () => {
  emu = await startEmu();
  s3 = new S3({
    endpoint: emu.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
});
afterAll(async () => {
  s3?.destroy();
  await emu?.kill();
});

/** Returns the keys of a bucket with their sizes. */
const keysOf = async (Bucket: string): Promise<Record<string, number | undefined>> =>
  Object.fromEntries(((await s3.listObjectsV2({ Bucket })).Contents ?? []).map(({ Key, Size }) => [Key, Size]));

describe('S3 through the JavaScript SDK', () => {
  test('lib-storage uploads a stream in parts, and can abort an upload', { timeout: 120_000 }, async () => {
    const Bucket = 'sdk-uploads';
    await s3.createBucket({ Bucket });
    const bytes = randomBytes(17 * MIB);
    const source = Readable.from([bytes.subarray(0, MIB), bytes.subarray(MIB)], { objectMode: false });
    const uploaded = await new Upload({
      client: s3,
      params: { Bucket, Key: 'large', Body: source, ContentType: 'application/x-large', ChecksumAlgorithm: 'SHA256' },
      partSize: 5 * MIB,
    }).done();
    expect(uploaded.ETag).toMatch(/^"[0-9a-f]{32}-4"$/);
    const got = await s3.getObject({ Bucket, Key: 'large' });
    expect(got).toMatchObject({ ContentLength: 17 * MIB, ContentType: 'application/x-large', ETag: uploaded.ETag });
    expect(md5(await got.Body!.transformToByteArray())).toBe(md5(bytes));
    const third = await s3.getObject({ Bucket, Key: 'large', PartNumber: 3 });
    expect(third).toMatchObject({ PartsCount: 4, ContentRange: `bytes ${10 * MIB}-${15 * MIB - 1}/${17 * MIB}` });
    expect(md5(await third.Body!.transformToByteArray())).toBe(md5(bytes.subarray(10 * MIB, 15 * MIB)));

    const given = new Upload({ client: s3, params: { Bucket, Key: 'given-up', Body: new Readable({ read() {} }) } });
    const ended = expect(given.done()).rejects.toMatchObject({ name: 'AbortError' });
    await given.abort();
    await ended;
    expect(await keysOf(Bucket)).toEqual({ large: 17 * MIB });
    expect((await s3.listMultipartUploads({ Bucket })).Uploads).toBeUndefined();
  });

  test('one of two concurrent conditional writes succeeds', async () => {
    const Bucket = 'sdk-conditions';
    await s3.createBucket({ Bucket });
    const put = (Body: string) => s3.putObject({ Bucket, Key: 'lock', Body, IfNoneMatch: '*' });
    const outcomes = await Promise.allSettled([put('a'), put('b'), put('c')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ name: 'PreconditionFailed' });
  });
});

describe.skipIf(noCli !== undefined)(`S3 through the AWS CLI${noCli ? ` (skipped: ${noCli})` : ''}`, () => {
  const { run: aws, succeed: answer } = awsCli(() => emu.url);

  test('cp, sync, ls, mv and rm', { timeout: 300_000 }, async () => {
    using directory = temporaryDirectory();
    const source = join(directory.path, 'source');
    const target = join(directory.path, 'target');
    mkdirSync(join(source, 'deep/er'), { recursive: true });
    const large = randomBytes(20 * MIB);
    writeFileSync(join(source, 'large.bin'), large);
    writeFileSync(join(source, 'naïve & <odd> name+1.txt'), 'odd');
    writeFileSync(join(source, 'deep/er/one.json'), '{}');
    // S3 returns object times in whole seconds, so an object written in the same second counts as newer.
    const before = new Date(Date.now() - 60_000);
    for (const name of ['large.bin', 'naïve & <odd> name+1.txt', 'deep/er/one.json'])
      utimesSync(join(source, name), before, before);
    await answer('s3', 'mb', 's3://cli-files');
    await answer('s3', 'sync', '--only-show-errors', source, 's3://cli-files/data');
    expect(await keysOf('cli-files')).toEqual({
      'data/deep/er/one.json': 2,
      'data/large.bin': 20 * MIB,
      'data/naïve & <odd> name+1.txt': 3,
    });
    // Existing objects are not uploaded again.
    writeFileSync(join(source, 'new.txt'), 'new');
    const second = await answer('s3', 'sync', '--no-progress', source, 's3://cli-files/data');
    expect(second).toMatch(/^upload: \S+new\.txt to s3:\/\/cli-files\/data\/new\.txt\n$/);
    await answer('s3', 'cp', '--only-show-errors', '--recursive', 's3://cli-files/data', target);
    expect(md5(readFileSync(join(target, 'large.bin')))).toBe(md5(large));
    expect(readFileSync(join(target, 'naïve & <odd> name+1.txt'), 'utf8')).toBe('odd');
    await answer('s3', 'mv', '--only-show-errors', '--recursive', 's3://cli-files/data/deep', 's3://cli-files/moved');
    await answer('s3', 'cp', '--only-show-errors', 's3://cli-files/data/large.bin', 's3://cli-files/copy.bin');
    expect(await keysOf('cli-files')).toMatchObject({ 'moved/er/one.json': 2, 'copy.bin': 20 * MIB });
    const listed = await answer('s3', 'ls', 's3://cli-files/');
    expect(listed.split('\n').map((line) => line.trim().split(/\s+/).slice(-2).join(' '))).toEqual([
      'PRE data/',
      'PRE moved/',
      `${20 * MIB} copy.bin`,
      '',
    ]);
    const refused = await aws('s3', 'rb', 's3://cli-files');
    expect(refused.stderr).toContain('(BucketNotEmpty) when calling the DeleteBucket operation');
    await answer('s3', 'rm', '--only-show-errors', '--recursive', 's3://cli-files');
    await answer('s3', 'rb', 's3://cli-files');
    const gone = await aws('s3', 'ls', 's3://cli-files');
    expect(gone.stderr.trim()).toBe(
      'An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist',
    );
  });

  test('versions, presigned URLs and standard input', { timeout: 180_000 }, async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'body');
    const api = async (...args: string[]) => JSON.parse((await answer('s3api', ...args)) || '{}');
    const bucket = ['--bucket', 'cli-versions'];
    await api('create-bucket', ...bucket, '--create-bucket-configuration', 'LocationConstraint=eu-west-1');
    await api('put-bucket-versioning', ...bucket, '--versioning-configuration', 'Status=Enabled');
    const ids: string[] = [];
    for (const body of ['first', 'second']) {
      writeFileSync(file, body);
      ids.push((await api('put-object', ...bucket, '--key', 'k', '--body', file, '--metadata', 'a=b')).VersionId);
    }
    const marker = await api('delete-object', ...bucket, '--key', 'k');
    expect(marker).toMatchObject({ DeleteMarker: true });
    expect((await aws('s3api', 'head-object', ...bucket, '--key', 'k')).stderr.trim()).toBe(
      'An error occurred (404) when calling the HeadObject operation: Not Found',
    );
    const listed = await api('list-object-versions', ...bucket);
    expect(listed.Versions.map(({ VersionId }: { VersionId: string }) => VersionId)).toEqual([ids[1], ids[0]]);
    expect(listed.DeleteMarkers).toMatchObject([{ VersionId: marker.VersionId, IsLatest: true }]);
    expect(await api('get-object', ...bucket, '--key', 'k', '--version-id', ids[0]!, file)).toMatchObject({
      Metadata: { a: 'b' },
      VersionId: ids[0],
    });
    expect(readFileSync(file, 'utf8')).toBe('first');
    await api('delete-object', ...bucket, '--key', 'k', '--version-id', marker.VersionId);
    const url = (await answer('s3', 'presign', 's3://cli-versions/k', '--expires-in', '60')).trim();
    expect(await (await fetch(url)).text()).toBe('second');
  });
});

const boto3 = canRun('python3', '-c', 'import boto3');

describe.skipIf(!boto3)(`S3 by boto3${boto3 ? '' : ' (skipped: there is no boto3 on this machine)'}`, () => {
  test('transfers, conditions, presigned posts and the resource API', { timeout: 180_000 }, async () => {
    const program = fileURLToPath(new URL('../python/s3_client.py', import.meta.url));
    expect(await run('python3', [program], { env: clientEnvironment(emu.url) })).toEqual({
      code: 0,
      stdout: 'ok\n',
      stderr: '',
    });
  });
});

const s3cmd = canRun('s3cmd', '--version');

describe.skipIf(!s3cmd)(`S3 by s3cmd${s3cmd ? '' : ' (skipped: there is no s3cmd on this machine)'}`, () => {
  test('puts in parts, syncs, copies, lists and deletes', { timeout: 180_000 }, async () => {
    using directory = temporaryDirectory();
    const host = emu.url.slice('http://'.length);
    const s3cmd = async (...args: string[]): Promise<string> => {
      const flags = ['--no-ssl', `--host=${host}`, `--host-bucket=${host}`, '--access_key=test', '--secret_key=test'];
      const config = ['--config=/dev/null', '--region=us-east-1', '--no-progress'];
      const { code, stdout, stderr } = await run('s3cmd', [...config, ...flags, ...args]);
      expect(code, stdout + stderr).toBe(0);
      return stdout;
    };
    const large = randomBytes(12 * MIB);
    const files = join(directory.path, 'files');
    mkdirSync(files);
    writeFileSync(join(files, 'large'), large);
    writeFileSync(join(files, 'söme name'), 'x');
    await s3cmd('mb', 's3://s3cmd-bucket');
    await s3cmd('put', '--multipart-chunk-size-mb=5', join(files, 'large'), 's3://s3cmd-bucket/large');
    await s3cmd('sync', `${files}/`, 's3://s3cmd-bucket/files/');
    await s3cmd('cp', 's3://s3cmd-bucket/files/söme name', 's3://s3cmd-bucket/copy');
    expect(await keysOf('s3cmd-bucket')).toEqual({
      copy: 1,
      'files/large': 12 * MIB,
      'files/söme name': 1,
      large: 12 * MIB,
    });
    await s3cmd('get', 's3://s3cmd-bucket/large', join(directory.path, 'back'));
    expect(md5(readFileSync(join(directory.path, 'back')))).toBe(md5(large));
    await s3cmd('rb', '--recursive', '--force', 's3://s3cmd-bucket');
    await expect(s3.headBucket({ Bucket: 's3cmd-bucket' })).rejects.toMatchObject({ name: 'NotFound' });
  });
});

const rclone = canRun('rclone', 'version');

describe.skipIf(!rclone)(`S3 by rclone${rclone ? '' : ' (skipped: there is no rclone on this machine)'}`, () => {
  test('syncs both ways and checks what it sent', { timeout: 180_000 }, async () => {
    using directory = temporaryDirectory();
    const rclone = async (...args: string[]): Promise<string> => {
      const env = {
        RCLONE_CONFIG: join(directory.path, 'rclone.conf'),
        // rclone's HTTP library accepts no other certificates.
        AWS_CA_BUNDLE: undefined,
        RCLONE_CONFIG_EMU_TYPE: 's3',
        RCLONE_CONFIG_EMU_PROVIDER: 'Other',
        RCLONE_CONFIG_EMU_ENDPOINT: emu.url,
        RCLONE_CONFIG_EMU_REGION: 'us-east-1',
        RCLONE_CONFIG_EMU_ACCESS_KEY_ID: 'test',
        RCLONE_CONFIG_EMU_SECRET_ACCESS_KEY: 'test',
      };
      const { code, stdout, stderr } = await run('rclone', ['--s3-upload-cutoff=8M', '--s3-chunk-size=5M', ...args], {
        env,
      });
      expect(code, stdout + stderr).toBe(0);
      return stdout;
    };
    const files = join(directory.path, 'files');
    const back = join(directory.path, 'back');
    mkdirSync(join(files, 'sub'), { recursive: true });
    const large = randomBytes(11 * MIB);
    writeFileSync(join(files, 'large'), large);
    writeFileSync(join(files, 'sub/wörd'), 'x');
    await rclone('mkdir', 'emu:rclone-bucket');
    await rclone('sync', files, 'emu:rclone-bucket/files');
    await rclone('check', files, 'emu:rclone-bucket/files', '--download');
    expect((await rclone('lsf', '-R', 'emu:rclone-bucket')).trim().split('\n').sort()).toEqual([
      'files/',
      'files/large',
      'files/sub/',
      'files/sub/wörd',
    ]);
    await rclone('copy', 'emu:rclone-bucket/files', back);
    expect(md5(readFileSync(join(back, 'large')))).toBe(md5(large));
    await rclone('purge', 'emu:rclone-bucket');
    await expect(s3.headBucket({ Bucket: 'rclone-bucket' })).rejects.toMatchObject({ name: 'NotFound' });
  });
});
