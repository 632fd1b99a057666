import { type DeepReadonly, parseArn, type StateScope } from '@emu/core/service';
import type { HistoryEventType, LoggingConfiguration } from '@emu/service-types/stepfunctions';
import { AwsError } from '@emu/wire';
import { type EventRecord, withoutData } from './events.ts';

/** Events that every level has. */
const FATAL: ReadonlySet<HistoryEventType> = new Set(['ExecutionAborted', 'ExecutionFailed', 'ExecutionTimedOut']);
/** What the types of events of errors end with; the entry of a Fail state is one too. */
const ERROR = /(?:Failed|TimedOut|Aborted)$/;
/** Lines of one PutLogEvents. */
const MOST_LINES = 1000;
/** Lines that wait to be written; the log does without what is more. */
const MOST_WAITING = 50_000;

/** Whether a level has an event. @see https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html */
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

/** What of an execution goes to CloudWatch Logs, in the order of its events. What cannot be written is in emu's own log. */
export class ExecutionLog {
  private readonly lines: { timestamp: number; message: string }[] = [];
  private readonly group: { accountId: string; region: string; logGroupName: string };
  private writing: Promise<void> | undefined;
  private made = false;

  /**
   * @param logging of the state machine, with a destination
   * @param logStreamName of the execution's own
   * @param redrives how often the execution was redriven
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

  /** Notes an event, where the level has it. */
  note(event: EventRecord): void {
    const { level, includeExecutionData = false } = this.logging;
    if (!logs(level, event.type) || this.lines.length >= MOST_WAITING) return;
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

  /** Writes what waits, and what comes meanwhile. */
  private async write(): Promise<void> {
    // What one step of the execution notes is written together.
    await Promise.resolve();
    const { accountId, region, logGroupName } = this.group;
    const { scope, logStreamName } = this;
    const options = { accountId, region, cause: this.executionArn };
    try {
      if (!this.made) await this.makeStream(options);
      this.made = true;
      while (this.lines.length > 0) {
        const logEvents = this.lines.splice(0, MOST_LINES);
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

/** The log group of a logging configuration; undefined where it has none. */
export function logGroupOf(
  logging: DeepReadonly<LoggingConfiguration>,
): { accountId: string; region: string; logGroupName: string } | undefined {
  const arn = parseArn(logging.destinations?.[0]?.cloudWatchLogsLogGroup?.logGroupArn ?? '');
  if (!arn?.resource.startsWith('log-group:')) return undefined;
  const { accountId, region, resource } = arn;
  return { accountId, region, logGroupName: resource.slice('log-group:'.length).replace(/:\*$/, '') };
}
