import { type Benchmark, besideBare, compareLoad, type Prepare, withServers } from './compare.ts';
import { alternate, type Figure } from './measure.ts';
import { call, type LoadRequest, type Server, startBareStreams, startEmu, stream } from './processes.ts';

/** Headers of a request of S3, as an SDK sends them. */
export const S3_HEADERS = {
  'x-amz-date': '20250101T000000Z',
  'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
  authorization: `AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
};
const KIB = 'x'.repeat(1024);
/** CRC-32 of the body, which SDKs send with every upload. */
const KIB_CRC32 = 'SNfwYw==';

const put = (path: string, body: string, headers: Record<string, string> = {}): LoadRequest => ({
  method: 'PUT',
  path,
  headers: { ...S3_HEADERS, ...headers },
  body,
});
const get = (path: string): LoadRequest => ({ method: 'GET', path, headers: S3_HEADERS, body: '' });

/** Writes an object of 1 KiB repeatedly. */
export const putKib: Prepare = async (server) => {
  await call(server, put('/bench', ''));
  return [put('/bench/key', KIB, { 'x-amz-checksum-crc32': KIB_CRC32 })];
};

/** Reads an object of 1 KiB repeatedly. */
export const getKib: Prepare = async (server) => {
  await call(server, put('/bench', ''));
  await call(server, put('/bench/key', KIB));
  return [get('/bench/key')];
};

const putSmall = besideBare('S3 PutObject of 1 KiB', '', () => putKib, 0.55);
const getSmall = besideBare('S3 GetObject of 1 KiB', KIB, () => getKib, 0.59);

const LARGE = 64 * 2 ** 20;
const HALF = { atLeast: 0.5 };

const streams =
  (name: string, method: 'GET' | 'PUT', bare: string, target?: Figure['target']): Benchmark =>
  ({ rounds, seconds }) =>
    withServers([startEmu(), startBareStreams()], async (emu, server) => {
      await call(emu!, put('/bench', ''));
      await stream(emu!, { method: 'PUT', path: '/bench/large', bytes: LARGE, seconds: 0.1 });
      const move = (at: Server, path: string) => () => stream(at, { method, path, bytes: LARGE, seconds });
      const figures = await alternate(rounds, move(emu!, '/bench/large'), move(server!, bare));
      const inMegabytes = { ...figures, value: figures.value / 1e6, reference: figures.reference / 1e6 };
      return [{ name, unit: 'MB/s', ...(target && { target }), ...inMegabytes }];
    });

/** Creates a bucket of empty objects, some hundred requests concurrently. */
async function fillBucket(server: Server, bucket: string, keys: number): Promise<void> {
  await call(server, put(`/${bucket}`, ''));
  let next = 0;
  const putter = async (): Promise<void> => {
    while (next < keys) {
      const key = String(next++).padStart(9, '0');
      await call(server, put(`/${bucket}/${key.slice(0, 3)}/${key}`, ''));
    }
  };
  await Promise.all(Array.from({ length: 16 }, putter));
}

const listing: Benchmark = (effort) =>
  withServers([startEmu(), startEmu()], async (large, small) => {
    // A message of the queue benchmarks and an object key cost about the same.
    await fillBucket(large!, 'bench', effort.messages);
    await fillBucket(small!, 'bench', 10_000);
    const page = [get('/bench?list-type=2&start-after=000/000004999')];
    const figures = await compareLoad(effort, [large!, async () => page], [small!, async () => page]);
    const name = `S3 ListObjectsV2, a page of 1,000 of ${effort.messages.toLocaleString('en-US')} keys beside 10,000`;
    return [{ name, unit: 'req/s', target: { atLeast: 0.8 }, ...figures }];
  });

/** Benchmarks of S3. */
export const s3Benchmarks: Readonly<Record<string, Benchmark>> = {
  's3-put': putSmall,
  's3-get': getSmall,
  's3-put-stream': streams(
    'S3 PutObject of 64 MiB, beside a bare server that streams it to a file',
    'PUT',
    '/file',
    HALF,
  ),
  's3-put-digest': streams('S3 PutObject of 64 MiB, beside one that makes its MD5 too', 'PUT', '/digest', HALF),
  // Without a target: the MD5 of the ETag alone takes longer than discarding a body.
  's3-put-drop': streams('S3 PutObject of 64 MiB, beside one that drops it', 'PUT', '/drop'),
  's3-get-stream': streams('S3 GetObject of 64 MiB', 'GET', `/${LARGE}`, HALF),
  's3-list': listing,
};
