import { type Benchmark, compareLoad, withServers } from './compare.ts';
import { alternate } from './measure.ts';
import { call, type LoadRequest, type Server, startBare, startEmu } from './processes.ts';

const EVENTS = 1_000_000;
const BATCH = 10_000;
/** One event of so many has what is looked for. */
const RARE = 50_000;
const FILLER = 'x'.repeat(180);

const headersOf = (operation: string): Record<string, string> => ({
  'content-type': 'application/x-amz-json-1.1',
  'x-amz-target': `Logs_20140328.${operation}`,
  authorization: `AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/logs/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
});

const request = (operation: string, input: object): LoadRequest => ({
  path: '/',
  headers: headersOf(operation),
  body: JSON.stringify(input),
});

/** PutLogEvents of a hundred events of 200 bytes, beside the bare server. */
const put: Benchmark = (effort) =>
  withServers([startEmu(), startBare()], async (emu, bare) => {
    const stream = { logGroupName: 'bench', logStreamName: 'stream' };
    const timestamp = Date.now();
    const logEvents = Array.from({ length: 100 }, (_, n) => ({ timestamp, message: `event ${n} ${FILLER}` }));
    const one = request('PutLogEvents', { ...stream, logEvents });
    const prepare = async (server: Server): Promise<LoadRequest[]> => {
      // What was put before goes, so that memory stays as it is.
      await call(server, request('DeleteLogGroup', { logGroupName: stream.logGroupName })).catch(() => undefined);
      await call(server, request('CreateLogGroup', { logGroupName: stream.logGroupName }));
      await call(server, request('CreateLogStream', stream));
      return [one];
    };
    const figures = await compareLoad(effort, [emu!, prepare], [bare!, async () => [one]]);
    const name = 'PutLogEvents of 100 events, beside the bare server';
    return [{ name, unit: 'requests/s', target: { atLeast: 0.1 }, ...figures }];
  });

/** FilterLogEvents over a million events by a selective pattern, beside parsing as many lines of JSON. */
const filter: Benchmark = async ({ rounds }) => {
  const { createEmulator } = await import('@emu/emulator');
  await using emulator = await createEmulator();
  const run = emulator.kernel.call.bind(emulator.kernel);
  const stream = { logGroupName: 'bench', logStreamName: 'stream' };
  await run('logs', 'CreateLogGroup', { logGroupName: stream.logGroupName });
  await run('logs', 'CreateLogStream', stream);
  const lines: string[] = [];
  const timestamp = Date.now();
  // A batch has a million bytes at most.
  const size = BATCH / 4;
  for (let start = 0; start < EVENTS; start += size) {
    const logEvents = Array.from({ length: size }, (_, n) => ({
      timestamp,
      message: `${(start + n) % RARE === 7 ? 'needle' : 'hay'} ${start + n} ${FILLER}`,
    }));
    await run('logs', 'PutLogEvents', { ...stream, logEvents });
    for (const event of logEvents) lines.push(JSON.stringify(event));
  }
  const search = async (): Promise<number> => {
    const begun = performance.now();
    let found = 0;
    let nextToken: string | undefined;
    do {
      const page = await run('logs', 'FilterLogEvents', {
        logGroupName: stream.logGroupName,
        filterPattern: 'needle',
        nextToken,
      });
      found += page.events!.length;
      ({ nextToken } = page);
    } while (nextToken !== undefined);
    if (found !== EVENTS / RARE) throw new Error(`found ${found} events`);
    return performance.now() - begun;
  };
  const parse = async (): Promise<number> => {
    const begun = performance.now();
    let found = 0;
    for (const line of lines) if ((JSON.parse(line) as { message: string }).message.includes('needle')) found++;
    if (found !== EVENTS / RARE) throw new Error(`found ${found} events`);
    return performance.now() - begun;
  };
  await search();
  await parse();
  const name = `FilterLogEvents over ${EVENTS} events, beside parsing as many lines`;
  return [{ name, unit: 'ms', target: { atMost: 1 }, ...(await alternate(rounds, search, parse)) }];
};

/** What log events cost, by name. */
export const logsBenchmarks: Readonly<Record<string, Benchmark>> = {
  'put-log-events': put,
  'filter-log-events': filter,
};
