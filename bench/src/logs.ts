import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { Emulator } from '@emu/emulator';
import { type Benchmark, compareLoad, withFolder, withServers } from './compare.ts';
import { alternate } from './measure.ts';
import { call, type LoadRequest, type Server, startBare, startEmu } from './processes.ts';

const EVENTS = 1_000_000;
/** A batch is limited to a million bytes. */
const BATCH = 2500;
const FIVE_MINUTES = 300_000;
const STREAM = { logGroupName: 'bench', logStreamName: 'stream' };
/** Interval of events that match the pattern. */
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

/** PutLogEvents of a hundred events of 200 bytes, compared with the bare server. */
const put: Benchmark = (effort) =>
  withServers([startEmu(), startBare()], async (emu, bare) => {
    const timestamp = Date.now();
    const logEvents = Array.from({ length: 100 }, (_, n) => ({ timestamp, message: `event ${n} ${FILLER}` }));
    const one = request('PutLogEvents', { ...STREAM, logEvents });
    const prepare = async (server: Server): Promise<LoadRequest[]> => {
      // Earlier events are removed, so that the memory stays constant.
      await call(server, request('DeleteLogGroup', { logGroupName: STREAM.logGroupName })).catch(() => undefined);
      await call(server, request('CreateLogGroup', { logGroupName: STREAM.logGroupName }));
      await call(server, request('CreateLogStream', STREAM));
      return [one];
    };
    const figures = await compareLoad(effort, [emu!, prepare], [bare!, async () => [one]]);
    const name = 'PutLogEvents of 100 events, beside the bare server';
    return [{ name, unit: 'requests/s', target: { atLeast: 0.1 }, ...figures }];
  });

/** Returns one of the log events. */
const messageOf = (n: number): string => `${n % RARE === 7 ? 'needle' : 'hay'} ${n} ${FILLER}`;

/** Starts an emulator with a million events in one stream. */
async function withEvents<T>(work: (emulator: Emulator, timestamp: number) => Promise<T>): Promise<T> {
  const { createEmulator } = await import('@emu/emulator');
  await using emulator = await createEmulator();
  const run = emulator.kernel.call.bind(emulator.kernel);
  await run('logs', 'CreateLogGroup', { logGroupName: STREAM.logGroupName });
  await run('logs', 'CreateLogStream', STREAM);
  const timestamp = Date.now();
  for (let start = 0; start < EVENTS; start += BATCH) {
    const logEvents = Array.from({ length: BATCH }, (_, n) => ({ timestamp, message: messageOf(start + n) }));
    await run('logs', 'PutLogEvents', { ...STREAM, logEvents });
  }
  return work(emulator, timestamp);
}

/** FilterLogEvents over a million events with a selective pattern, compared with parsing as many lines of JSON. */
const filter: Benchmark = ({ rounds }) =>
  withEvents(async (emulator, timestamp) => {
    const run = emulator.kernel.call.bind(emulator.kernel);
    const lines = Array.from({ length: EVENTS }, (_, n) => JSON.stringify({ timestamp, message: messageOf(n) }));
    const search = async (): Promise<number> => {
      const begun = performance.now();
      let found = 0;
      let nextToken: string | undefined;
      do {
        const page = await run('logs', 'FilterLogEvents', {
          logGroupName: STREAM.logGroupName,
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
  });

/**
 * Returns a function that measures DuckDB's time to count lines of JSON in a file; undefined if it is not installed.
 */
async function duckDb(file: string): Promise<(() => Promise<number>) | undefined> {
  const library = await import('@duckdb/node-api').catch(() => undefined);
  if (!library) return undefined;
  const connection = await (await library.DuckDBInstance.create(':memory:')).connect();
  const sql = `SELECT timestamp // ${FIVE_MINUTES} AS bin, count(*) FROM read_json('${file}', format = 'newline_delimited') GROUP BY bin`;
  return async () => {
    const begun = performance.now();
    const rows = await (await connection.run(sql)).getRows();
    if (Number(rows[0]![1]) !== EVENTS) throw new Error('DuckDB has not counted all events');
    return performance.now() - begun;
  };
}

/**
 * An Insights query that counts a million events, compared with DuckDB counting as many lines in a file, if installed.
 */
const insights: Benchmark = ({ rounds }) =>
  withEvents((emulator, timestamp) =>
    withFolder(async (folder) => {
      const run = emulator.kernel.call.bind(emulator.kernel);
      const count = async (): Promise<number> => {
        const begun = performance.now();
        const at = Math.floor(timestamp / 1000);
        const { queryId } = await run('logs', 'StartQuery', {
          logGroupName: STREAM.logGroupName,
          queryString: 'stats count(*) as total by bin(5m)',
          startTime: at - 1,
          endTime: at + 1,
        });
        for (;;) {
          const { status, results } = await run('logs', 'GetQueryResults', { queryId: queryId! });
          if (status === 'Complete' && results![0]!.some(({ value }) => value === String(EVENTS)))
            return performance.now() - begun;
          if (status !== 'Running') throw new Error(`the query is ${status}`);
          await setTimeout(5);
        }
      };
      const file = join(folder, 'events.jsonl');
      const lines = createWriteStream(file);
      for (let n = 0; n < EVENTS; n++)
        if (!lines.write(`${JSON.stringify({ timestamp, message: messageOf(n) })}\n`)) await once(lines, 'drain');
      lines.end();
      await finished(lines);
      const other = await duckDb(file);
      if (!other) return [];
      await count();
      await other();
      const name = `Insights: stats count(*) by bin(5m) over ${EVENTS} events, beside DuckDB reading them from a file`;
      return [{ name, unit: 'ms', ...(await alternate(rounds, count, other)) }];
    }),
  );

const MEGABYTE = 1024 * 1024;

/** Memory of two million events of 200 bytes, compared with their size. */
const memory: Benchmark = async () => {
  const child = fork(new URL('./logs-memory.ts', import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [{ grown, bytes }] = (await once(child, 'message')) as [{ grown: number; bytes: number }];
  await once(child, 'exit');
  const name = 'memory of 2,000,000 log events of 200 bytes, beside their bytes';
  const [value, reference] = [grown / MEGABYTE, bytes / MEGABYTE];
  return [{ name, value, reference, unit: 'MiB', ratio: value / reference, target: { atMost: 1.5 }, rounds: 1 }];
};

/** Benchmarks of log events by name. */
export const logsBenchmarks: Readonly<Record<string, Benchmark>> = {
  'put-log-events': put,
  'filter-log-events': filter,
  'insights-count': insights,
  'memory-of-logs': memory,
};
