import { type Benchmark, besideBare, compareLoad, type Prepare, withServers } from './compare.ts';
import { call, type Server, startEmu } from './processes.ts';
import { ssm } from './requests.ts';

const Name = '/app/db/host';
const put = ssm('PutParameter', { Name, Value: 'db.example.com', Type: 'String' });
const READ = JSON.stringify({
  Parameter: {
    ARN: `arn:aws:ssm:us-east-1:123456789012:parameter${Name}`,
    DataType: 'text',
    LastModifiedDate: 1735689600.123,
    Name,
    Type: 'String',
    Value: 'db.example.com',
    Version: 1,
  },
});

/** Reads one parameter. */
const get = (): Prepare => {
  let made = false;
  return async (server) => {
    if (!made) await call(server, put);
    made = true;
    return [ssm('GetParameter', { Name })];
  };
};

const WRITTEN = JSON.stringify({ Tier: 'Standard', Version: 101 });

/** Writes one parameter repeatedly, which keeps its hundred latest versions. */
const write = (): Prepare => {
  const request = ssm('PutParameter', { Name, Value: 'db.example.com', Overwrite: true });
  let made = false;
  return async (server) => {
    if (!made) {
      await call(server, put);
      for (let version = 2; version <= 100; version++) await call(server, request);
    }
    made = true;
    return [request];
  };
};

/** Creates parameters, ten below each path, some concurrently. */
async function fill(server: Server, count: number): Promise<void> {
  let left = count;
  const maker = async (): Promise<void> => {
    while (left-- > 0)
      await call(
        server,
        ssm('PutParameter', { Name: `/app/${Math.floor(left / 10)}/${left % 10}`, Value: 'v', Type: 'String' }),
      );
  };
  await Promise.all(Array.from({ length: 8 }, maker));
}

/** Cost of a page of ten among 100,000 parameters, compared with 1,000. */
const byPath: Benchmark = (effort) =>
  withServers([startEmu(), startEmu()], async (many, few) => {
    await fill(many!, 100_000);
    await fill(few!, 1000);
    const page: Prepare = async () => [ssm('GetParametersByPath', { Path: '/app/50', Recursive: true })];
    const figures = await compareLoad(effort, [many!, page], [few!, page]);
    const name = 'GetParametersByPath of 10 in 100,000 beside 1,000';
    return [{ name, unit: 'req/s', target: { atLeast: 0.9 }, ...figures }];
  });

/** Benchmarks of Parameter Store. */
export const ssmBenchmarks: Readonly<Record<string, Benchmark>> = {
  'get-parameter': besideBare('Systems Manager GetParameter', READ, get, 0.45),
  'put-parameter': besideBare('Systems Manager PutParameter', WRITTEN, write, 0.45),
  'parameters-by-path': byPath,
};
