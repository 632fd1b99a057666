import { type DeepReadonly, parseArn, type StateScope } from '@emu/core/service';
import type { HistoryEventType, LoggingConfiguration } from '@emu/service-types/stepfunctions';
import { AwsError } from '@emu/wire';
import { type EventRecord, withoutData } from './events.ts';

/** Events of every log level. */
const FATAL: ReadonlySet<HistoryEventType> = new Set(['ExecutionAborted', 'ExecutionFailed', 'ExecutionTimedOut']);
/** Suffixes of error event types; the entry of a Fail state is one too. */
const ERROR = /(?:Failed|TimedOut|Aborted)$/;
/** Maximum number of lines of a PutLogEvents request. */
const MAX_LINES = 1000;
/** Maximum number of pending lines; further ones are dropped. */
const MAX_WAITING = 50_000;

/**
 * Whether a level includes an event.
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
 */
function logs(level: LoggingConfiguration['level'], type: HistoryEventType): boolean {
  switch (level) {
    case 'ALL':
      return true;
    case 'ERROR':
      return FATAL.has(type) || ERROR.test(type) || type === 'FailStateEntered';
    case 'FATAL':
      return FATAL.has(type);
    default:
      return false;
  }
}

/** Writes an execution's events to CloudWatch Logs in order. Failures are in emu's own log. */
export class ExecutionLog {
  private readonly lines: { timestamp: number; message: string }[] = [];
  private readonly group: { accountId: string; region: string; logGroupName: string };
  private writing: Promise<void> | undefined;
  private made = false;

  /**
   * @param logging of the state machine, with a destination
   * @param logStreamName of the execution
   * @param redrives number of redrives of the execution
   */
  constructor(
    private readonly scope: StateScope,
    private readonly logging: DeepReadonly<LoggingConfiguration>,
    private readonly executionArn: string,
    private readonly logStreamName: string,
    private readonly redrives: () => number,
  ) {
    this.group = logGroupOf(logging)!;
  }

  /** Logs an event if the level includes it. */
  note(event: EventRecord): void {
    const { level, includeExecutionData = false } = this.logging;
    if (!logs(level, event.type) || this.lines.length >= MAX_WAITING) return;
    const { id, type, previous, at, details } = includeExecutionData ? event : withoutData(event);
    const message = JSON.stringify({
      id: String(id),
      type,
      ...(details && { details: details[1] }),
      previous_event_id: String(previous),
      event_timestamp: String(at),
      execution_arn: this.executionArn,
      redrive_count: String(this.redrives()),
    });
    this.lines.push({ timestamp: at, message });
    this.writing ??= this.write().finally(() => {
      this.writing = undefined;
    });
  }

  /** Writes pending lines until there are none. */
  private async write(): Promise<void> {
    // Lines of one step of the execution are written together.
    await Promise.resolve();
    const { accountId, region, logGroupName } = this.group;
    const { scope, logStreamName } = this;
    const options = { accountId, region, cause: this.executionArn };
    try {
      if (!this.made) await this.makeStream(options);
      this.made = true;
      while (this.lines.length > 0) {
        const logEvents = this.lines.splice(0, MAX_LINES);
        await scope.call('logs', 'PutLogEvents', { logGroupName, logStreamName, logEvents }, options);
      }
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      this.lines.length = 0;
      scope.log.warn(`the log of ${this.executionArn} could not be written: ${error.message}`);
    }
  }

  private async makeStream(options: { accountId: string; region: string }): Promise<void> {
    const { logGroupName } = this.group;
    try {
      await this.scope.call('logs', 'CreateLogStream', { logGroupName, logStreamName: this.logStreamName }, options);
    } catch (error) {
      if (!(error instanceof AwsError) || error.code !== 'ResourceAlreadyExistsException') throw error;
    }
  }
}

/** Returns the log group of a logging configuration; undefined if it has none. */
export function logGroupOf(
  logging: DeepReadonly<LoggingConfiguration>,
): { accountId: string; region: string; logGroupName: string } | undefined {
  const arn = parseArn(logging.destinations?.[0]?.cloudWatchLogsLogGroup?.logGroupArn ?? '');
  if (!arn?.resource.startsWith('log-group:')) return undefined;
  const { accountId, region, resource } = arn;
  return { accountId, region, logGroupName: resource.slice('log-group:'.length).replace(/:\*$/, '') };
}
