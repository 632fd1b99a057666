import { exceedsBytes, parseArn } from '@emu/core/service';
import type { Json } from '@emu/polling';
import type { S3LogDestinationParameters, S3OutputFormat } from '@emu/service-types/pipes';
import { AwsError, textOf } from '@emu/wire';
import type { Failure } from './failure.ts';
import type { PipeWork } from './work.ts';

/** Severity of a step. */
export type LogLevel = 'ERROR' | 'INFO' | 'TRACE';

/** Data of a log entry besides its step. */
export interface StepFacts {
  readonly payload?: Json;
  readonly awsRequest?: Json;
  readonly awsResponse?: Json;
  readonly error?: Failure;
}

const RANK: Readonly<Record<string, number>> = { OFF: 0, ERROR: 1, INFO: 2, TRACE: 3 };
/** Limit of a log record in bytes. Execution data beyond it is omitted. */
const MAX_RECORD = 256 * 1024;
const DATA = ['payload', 'awsRequest', 'awsResponse'] as const;
/** Record members in the documented order, for log files that are not JSON. */
const FIELDS = [
  'resourceArn',
  'timestamp',
  'executionId',
  'messageType',
  'logLevel',
  ...DATA,
  'error',
  'truncatedFields',
] as const;

type LogRecord = Readonly<Partial<Record<(typeof FIELDS)[number], unknown>>>;

/**
 * Log of one execution of a pipe, written at its end.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-logs-schema.html
 */
export class PipeLog {
  private readonly lines: { timestamp: number; message: string; record: LogRecord }[] = [];
  private readonly executionId: string;
  private readonly rank: number;

  constructor(private readonly work: PipeWork) {
    this.rank = RANK[work.pipe.logging?.Level ?? 'OFF']!;
    this.executionId = this.rank > 0 ? work.state.ids.uuid() : '';
  }

  /** Logs a step if the pipe's log level includes it. */
  note(level: LogLevel, messageType: string, facts: StepFacts = {}): void {
    if (RANK[level]! > this.rank) return;
    const { state, pipe } = this.work;
    const timestamp = state.clock.now();
    const { error } = facts;
    const record: Record<string, unknown> = {
      resourceArn: state.pipeArn(pipe.name),
      timestamp,
      executionId: this.executionId,
      messageType,
      logLevel: level,
    };
    if (pipe.logging!.IncludeExecutionData?.includes('ALL'))
      for (const name of DATA) if (facts[name] !== undefined) record[name] = JSON.stringify(facts[name]);
    if (error)
      record.error = {
        httpStatusCode: error.status,
        message: error.message,
        details: error.details ?? '',
        awsService: error.service,
        requestId: this.executionId,
      };
    this.lines.push({ timestamp, ...fitted(record) });
  }

  /** Delivers the records to the destinations of the log. Failures are in emu's own log. */
  async write(): Promise<void> {
    if (!this.lines.length) return;
    const { CloudwatchLogsLogDestination, FirehoseLogDestination, S3LogDestination } = this.work.pipe.logging!;
    await Promise.all([
      CloudwatchLogsLogDestination && this.to(() => this.toLogs(CloudwatchLogsLogDestination.LogGroupArn)),
      FirehoseLogDestination && this.to(() => this.toFirehose(FirehoseLogDestination.DeliveryStreamArn)),
      S3LogDestination && this.to(() => this.toS3(S3LogDestination)),
    ]);
  }

  private async to(send: () => Promise<unknown>): Promise<void> {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      this.work.state.log.warn(`a log of the pipe ${this.work.pipe.name} could not be written`, { error });
    }
  }

  private async toLogs(arn: string): Promise<void> {
    const { state, pipe } = this.work;
    const { accountId, region, resource } = parseArn(arn)!;
    const logGroupName = resource.replace(/^log-group:/, '').replace(/:\*$/, '');
    const logStreamName = pipe.name;
    const options = { accountId, region, cause: pipe.id };
    try {
      await state.call('logs', 'CreateLogStream', { logGroupName, logStreamName }, options);
    } catch (error) {
      if (!(error instanceof AwsError) || error.code !== 'ResourceAlreadyExistsException') throw error;
    }
    const logEvents = this.lines.map(({ timestamp, message }) => ({ timestamp, message }));
    await state.call('logs', 'PutLogEvents', { logGroupName, logStreamName, logEvents }, options);
  }

  private async toFirehose(arn: string): Promise<void> {
    const { accountId, region, resource } = parseArn(arn)!;
    const Records = this.lines.map(({ message }) => ({ Data: Buffer.from(`${message}\n`) }));
    const input = { DeliveryStreamName: resource.replace('deliverystream/', ''), Records };
    await this.work.state.call('firehose', 'PutRecordBatch', input, { accountId, region, cause: this.work.pipe.id });
  }

  private async toS3(place: S3LogDestinationParameters): Promise<void> {
    const { state, pipe } = this.work;
    const day = new Date(state.clock.now()).toISOString();
    const prefix = place.Prefix ? `${place.Prefix.replace(/\/$/, '')}/` : '';
    const folder = `AWSLogs/${state.accountId}/EventBridgePipes/${state.region}/${pipe.name}`;
    await state.call(
      's3',
      'PutObject',
      {
        Bucket: place.BucketName,
        Key: `${prefix}${folder}/${day.slice(0, 13).replaceAll(/[-T]/g, '/')}/${this.executionId}.log`,
        Body: Buffer.from(this.file(place.OutputFormat ?? 'json')),
        ExpectedBucketOwner: place.BucketOwner,
      },
      { accountId: place.BucketOwner, region: state.region, cause: pipe.id },
    );
  }

  /** Returns the contents of a file: JSON, or tab-separated values with a header line in W3C format. */
  private file(format: S3OutputFormat): string {
    const lines = this.lines.map(({ message, record }) =>
      format === 'json' ? message : FIELDS.map((name) => fieldText(record[name])).join('\t'),
    );
    // https://www.w3.org/TR/WD-logfile.html
    const head = format === 'w3c' ? ['#Version: 1.0', `#Fields: ${FIELDS.join(' ')}`] : [];
    return [...head, ...lines].map((line) => `${line}\n`).join('');
  }
}

/** Formats a value in a line; a dash for a missing value. */
function fieldText(value: unknown): string {
  if (value === undefined) return '-';
  return textOf(value);
}

/** Returns a record and its text, without execution data beyond the limit. */
function fitted(record: Record<string, unknown>): { message: string; record: LogRecord } {
  const truncated: string[] = [];
  let text = JSON.stringify(record);
  for (const name of DATA) {
    if (!exceedsBytes(text, MAX_RECORD)) break;
    if (record[name] === undefined) continue;
    record[name] = '';
    truncated.push(name);
    text = JSON.stringify({ ...record, truncatedFields: truncated });
  }
  return { message: text, record: truncated.length ? { ...record, truncatedFields: truncated } : record };
}
