import type {
  InputOf,
  OutputOf,
  SelectObjectContentEventStream,
  SelectObjectContentOutput,
} from '@emu/service-types/s3';
import { readContent } from '../content/body.ts';
import { checkReadable, openDataKey } from '../content/encryption.ts';
import type { S3Context } from '../context.ts';
import { spool } from '../duckdb/spool.ts';
import { requireReadable } from '../lifecycle/restore.ts';
import { requireBucket, requireVersion } from '../lookup.ts';
import { BATCH, parquetRecords, QueryRun } from '../select/engine.ts';
import { selectError } from '../select/errors.ts';
import { parseStatement } from '../select/parse.ts';
import { planQuery } from '../select/query.ts';
import { Results } from '../select/results.ts';
import { inputFormatOf, outputFormatOf } from '../select/serialization/formats.ts';
import { type Counts, type Reader, RecordSource } from '../select/serialization/input.ts';
import { ResultWriter } from '../select/serialization/output.ts';
import { scanOf } from '../select/serialization/scan-range.ts';

type Event = SelectObjectContentEventStream;

/**
 * Runs a query and streams its results. An error before the first message is an ordinary response; a later one ends the
 * stream.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_SelectObjectContent.html
 */
export async function SelectObjectContent(
  input: InputOf<'SelectObjectContent'>,
  ctx: S3Context,
): Promise<OutputOf<'SelectObjectContent'>> {
  const bucket = requireBucket(ctx, input);
  if (input.ExpressionType !== 'SQL') throw selectError('InvalidExpressionType');
  const format = inputFormatOf(input.InputSerialization);
  const output = outputFormatOf(input.OutputSerialization);
  const statement = parseStatement(input.Expression);
  const version = requireVersion(ctx, bucket, input.Key, undefined);
  checkReadable(version.encryption, input);
  await openDataKey(ctx, version.encryption);
  requireReadable(ctx, bucket, version);
  const { content, size } = version;
  const scan = scanOf(input.ScanRange, format, size);
  const read: Reader = (start, end) => readContent(ctx.bodies, content, start, end);
  const now = ctx.clock.now();
  const progress = input.RequestProgress?.Enabled === true;
  if (format.kind === 'parquet') {
    const counts = { scanned: 0, processed: 0 };
    return started(
      parquetEvents(
        read,
        size,
        counts,
        (path) => planQuery(statement, undefined, parquetRecords(path, scan), now),
        (run, columns) => new Results(run, new ResultWriter(output, columns, undefined), counts, progress),
      ),
    );
  }
  const source = new RecordSource(read, size, format, scan);
  const columns = await source.columns();
  const query = planQuery(statement, columns, BATCH, now);
  const writer = new ResultWriter(output, query.columns, columns);
  return started(textEvents(source, query, (run) => new Results(run, writer, source.counts, progress)));
}

type Query = ReturnType<typeof planQuery>;

async function* textEvents(
  source: RecordSource,
  query: Query,
  results: (run: QueryRun) => Results,
): AsyncGenerator<Event> {
  const run = await QueryRun.open(query);
  try {
    yield* results(run).events(source.batches());
  } finally {
    run.close();
  }
}

async function* parquetEvents(
  read: Reader,
  size: number,
  counts: Counts,
  plan: (path: string) => Query,
  results: (run: QueryRun, columns: Query['columns']) => Results,
): AsyncGenerator<Event> {
  // Rejected before anything is copied.
  plan('');
  const file = await spool(read(0, size));
  try {
    const query = plan(file.path);
    const run = await QueryRun.open(query, file.path);
    try {
      counts.scanned = size;
      counts.processed = size;
      yield* results(run, query.columns).events(once());
    } finally {
      run.close();
    }
  } finally {
    await file.remove();
  }
}

async function* once(): AsyncGenerator<undefined> {
  yield undefined;
}

/** Waits for the first message, so that an earlier error becomes the response. */
async function started(events: AsyncGenerator<Event>): Promise<SelectObjectContentOutput> {
  const first = await events.next();
  return { Payload: all(first, events) };
}

async function* all(first: IteratorResult<Event>, rest: AsyncGenerator<Event>): AsyncGenerator<Event> {
  try {
    if (!first.done) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
