import { TailBuffer } from '@emu/core/service';
import type { FunctionLogs, LogSource } from './function-logs.ts';
import { LineSplitter } from './log-lines.ts';

/** Bytes that `LogType: Tail` answers. @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
const TAIL = 4096;

/** How the programs in `bootstraps` write a line's end that ends no event. */
const LINE_WITHIN = '\0\r';

/** A line as the Telemetry API tells it. */
export interface TelemetryEvent {
  /** ISO 8601. */
  time: string;
  /** `function`, `extension`, or `platform.` and what happened. */
  type: string;
  record: unknown;
}

/** How a platform's event reads in both log formats. */
export interface PlatformEvent {
  /** Behind `platform.`, e.g. `start`. */
  type: string;
  record: Record<string, unknown>;
  /** The line of the text format; undefined where that has none. */
  text?: string;
}

/** Everything an environment's log needs to know. */
export interface EnvironmentLogOptions {
  functionName: string;
  version: string;
  /** Of the invocation that the environment is started for. */
  requestId: string;
  group: string;
  stream: string;
  format: 'Text' | 'JSON';
  /** Least serious platform events of the JSON format that are logged. */
  systemLevel: 'DEBUG' | 'INFO' | 'WARN';
  logs: FunctionLogs;
  now(): number;
}

/** Platform events that are logged below the level `WARN`; all others are told at every level. */
const QUIET: Readonly<Record<string, 'DEBUG' | 'INFO'>> = {
  initStart: 'INFO',
  initRuntimeDone: 'DEBUG',
  runtimeDone: 'DEBUG',
  start: 'INFO',
  report: 'INFO',
  telemetrySubscription: 'INFO',
  extension: 'INFO',
};
const ORDER = ['DEBUG', 'INFO', 'WARN'];

/** The log of one execution environment: lines of its processes and of the platform, in the order they come. */
export class EnvironmentLog {
  private readonly splitters = new Map<string, LineSplitter>();
  /** From the start, so that a failed initialization can be told of; later only while somebody wants it. */
  private tail: TailBuffer | undefined = new TailBuffer(TAIL);
  /** Of the invocation that it works on, or the last one. */
  private requestId: string;
  /** Told of every line and event, for subscribers of the Telemetry API. */
  listener: ((event: TelemetryEvent) => void) | undefined;

  constructor(readonly options: EnvironmentLogOptions) {
    this.requestId = options.requestId;
  }

  /** Takes output of a process. */
  output(chunk: Uint8Array, stream: string, source: LogSource): void {
    const key = `${source} ${stream}`;
    let splitter = this.splitters.get(key);
    if (!splitter) {
      splitter = new LineSplitter((line) => this.line(line, source));
      this.splitters.set(key, splitter);
    }
    splitter.add(chunk);
  }

  /** Ends unfinished lines. */
  flush(): void {
    for (const splitter of this.splitters.values()) splitter.flush();
  }

  /** Logs what the platform did. */
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

  /** Begins an invocation. @param wanted whether the end of its log is to be kept */
  begin(requestId: string, wanted: boolean): void {
    this.requestId = requestId;
    this.tail = wanted ? new TailBuffer(TAIL) : undefined;
  }

  /** The end of the log since `begin`. */
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
