import { TailBuffer } from '@emu/core/service';
import type { FunctionLogs, LogSource } from './function-logs.ts';
import { LineSplitter } from './log-lines.ts';

/**
 * Maximum bytes returned for `LogType: Tail`. @see
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
const TAIL = 4096;

/** Encoding of a newline within an event, used by the programs in `bootstraps`. */
const LINE_WITHIN = '\0\r';

/** A log line for the Telemetry API. */
export interface TelemetryEvent {
  /** ISO 8601. */
  time: string;
  /** `function`, `extension`, or `platform.` with the event. */
  type: string;
  record: unknown;
}

/** A platform event in both log formats. */
export interface PlatformEvent {
  /** Name without `platform.`, e.g. `start`. */
  type: string;
  record: Record<string, unknown>;
  /** Line in text format; undefined if there is none. */
  text?: string;
}

/** Configuration of an environment's log. */
export interface EnvironmentLogOptions {
  functionName: string;
  version: string;
  /** Request id of the invocation that the environment is started for. */
  requestId: string;
  group: string;
  stream: string;
  format: 'Text' | 'JSON';
  /** Minimum level of platform events in JSON format. */
  systemLevel: 'DEBUG' | 'INFO' | 'WARN';
  logs: FunctionLogs;
  now(): number;
}

/** Platform events with a level below `WARN`; all others are always logged. */
const QUIET: Readonly<Record<string, 'DEBUG' | 'INFO'>> = {
  initStart: 'INFO',
  initRuntimeDone: 'DEBUG',
  restoreStart: 'INFO',
  runtimeDone: 'DEBUG',
  start: 'INFO',
  report: 'INFO',
  telemetrySubscription: 'INFO',
  extension: 'INFO',
};
const ORDER = ['DEBUG', 'INFO', 'WARN'];

/** The log of one execution environment: lines of its processes and platform events, in order of arrival. */
export class EnvironmentLog {
  private readonly splitters = new Map<string, LineSplitter>();
  /** Recorded during initialization to report failures; later only on request. */
  private tail: TailBuffer | undefined = new TailBuffer(TAIL);
  /** Request id of the current or last invocation. */
  private requestId: string;
  /** Receives all lines and events, for Telemetry API subscribers. */
  listener: ((event: TelemetryEvent) => void) | undefined;

  constructor(readonly options: EnvironmentLogOptions) {
    this.requestId = options.requestId;
  }

  /** Receives output of a process. */
  output(chunk: Uint8Array, stream: string, source: LogSource): void {
    const key = `${source} ${stream}`;
    let splitter = this.splitters.get(key);
    if (!splitter) {
      splitter = new LineSplitter((line) => this.line(line, source));
      this.splitters.set(key, splitter);
    }
    splitter.add(chunk);
  }

  /** Flushes unfinished lines. */
  flush(): void {
    for (const splitter of this.splitters.values()) splitter.flush();
  }

  /** Logs a platform event. */
  platform({ type, record, text }: PlatformEvent): void {
    const event: TelemetryEvent = { time: this.time(), type: `platform.${type}`, record };
    this.listener?.(event);
    if (this.options.format === 'Text') {
      if (text !== undefined) this.write(`${text}\n`, 'platform', true);
      return;
    }
    const level = QUIET[type] ?? 'WARN';
    if (ORDER.indexOf(level) >= ORDER.indexOf(this.options.systemLevel)) {
      const failed = type === 'report' && record.status !== 'success';
      this.write(`${JSON.stringify(event)}\n`, 'platform', !failed);
    }
  }

  /**
   * Starts an invocation.
   * @param wanted whether to keep the tail of its log
   */
  begin(requestId: string, wanted: boolean): void {
    this.requestId = requestId;
    this.tail = wanted ? new TailBuffer(TAIL) : undefined;
  }

  /** Returns the tail of the log since `begin`. */
  takeTail(): Buffer {
    const bytes = this.tail?.bytes() ?? Buffer.alloc(0);
    this.tail = undefined;
    return bytes;
  }

  private line(text: string, source: LogSource): void {
    const line = text.replaceAll(LINE_WITHIN, '\n');
    this.listener?.({ time: this.time(), type: source, record: line });
    this.write(`${line}\n`, source, false);
  }

  private write(message: string, source: LogSource, routine: boolean): void {
    const { functionName, version, group, stream, logs, now } = this.options;
    this.tail?.add(Buffer.from(message));
    const { requestId } = this;
    logs.add({ functionName, version, group, stream, source, requestId, routine, timestamp: now(), message });
  }

  private time(): string {
    return new Date(this.options.now()).toISOString();
  }
}
