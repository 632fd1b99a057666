import type { EnvironmentLog, PlatformEvent } from './environment-log.ts';
import type { Outcome } from './invocation.ts';

/** Data for the log lines at the end of an invocation; durations are milliseconds. */
export interface Report {
  requestId: string;
  outcome: Outcome;
  duration: number;
  /** MB. */
  memorySize: number;
  /** Bytes. */
  peakMemory: number | undefined;
  /** Set for the first invocation of an environment. */
  initDuration: number | undefined;
  /** Set for the first invocation of a restored environment. */
  restoreDuration: number | undefined;
  /** Trace segment for X-Ray; undefined if not sampled. */
  trace: { root: string; segment: string } | undefined;
  /** Epoch milliseconds. */
  time: number;
}

/** Returns the START line of an invocation. */
export const startLine = (requestId: string, version: string): PlatformEvent => ({
  type: 'start',
  record: { requestId, version },
  text: `START RequestId: ${requestId} Version: ${version}`,
});

/** Whether an error was detected by the platform, rather than by the function's code. */
const isPlatformError = (errorType: string): boolean =>
  errorType === 'Sandbox.Timedout' || errorType === 'Runtime.ExitError' || errorType === 'Runtime.OutOfMemory';

/** Logs the end of an invocation: AWS's END and REPORT lines, preceded by platform errors. */
export function endReport(log: EnvironmentLog, report: Report): void {
  const { requestId, outcome, duration, memorySize, peakMemory, initDuration, restoreDuration, trace, time } = report;
  const { errorType } = outcome;
  const timedOut = errorType === 'Sandbox.Timedout';
  const status =
    errorType === undefined ? 'success' : timedOut ? 'timeout' : isPlatformError(errorType) ? 'failure' : 'error';
  const message = errorType !== undefined && isPlatformError(errorType) ? platformMessage(outcome) : undefined;
  if (log.options.format === 'Text' && message !== undefined) {
    const line = timedOut ? `${new Date(time).toISOString()} ${requestId} ${message}\n` : `${message}\n${errorType}`;
    log.output(Buffer.from(`${line}\n`), 'report', 'platform');
  }
  log.platform({
    type: 'runtimeDone',
    record: {
      requestId,
      status,
      ...(errorType !== undefined && { errorType }),
      metrics: { durationMs: round(duration), producedBytes: outcome.payload.length },
    },
    text: `END RequestId: ${requestId}`,
  });
  const billed = Math.ceil(duration + (initDuration ?? restoreDuration ?? 0));
  const used = Math.min(memorySize, Math.ceil((peakMemory ?? 0) / 1024 / 1024));
  log.platform({
    type: 'report',
    record: {
      requestId,
      metrics: {
        durationMs: round(duration),
        billedDurationMs: billed,
        memorySizeMB: memorySize,
        maxMemoryUsedMB: used,
        ...(initDuration !== undefined && { initDurationMs: round(initDuration) }),
        ...(restoreDuration !== undefined && {
          restoreDurationMs: round(restoreDuration),
          billedRestoreDurationMs: Math.ceil(restoreDuration),
        }),
      },
      status,
      ...(errorType !== undefined && !timedOut && { errorType }),
      ...(trace && {
        tracing: {
          spanId: trace.segment,
          type: 'X-Amzn-Trace-Id',
          value: `Root=${trace.root};Parent=${trace.segment};Sampled=1`,
        },
      }),
    },
    text: [
      `REPORT RequestId: ${requestId}`,
      `Duration: ${duration.toFixed(2)} ms`,
      `Billed Duration: ${billed} ms`,
      `Memory Size: ${memorySize} MB`,
      `Max Memory Used: ${used} MB`,
      ...(initDuration === undefined ? [] : [`Init Duration: ${initDuration.toFixed(2)} ms`]),
      ...(restoreDuration === undefined
        ? []
        : [
            `Restore Duration: ${restoreDuration.toFixed(2)} ms`,
            `Billed Restore Duration: ${Math.ceil(restoreDuration)} ms`,
          ]),
      ...(message === undefined ? [] : [`Status: ${timedOut ? 'timeout' : 'error'}`]),
      ...(message === undefined || timedOut ? [] : [`Error Type: ${errorType}`]),
      ...(trace ? [`\nXRAY TraceId: ${trace.root}`, `SegmentId: ${trace.segment}`, 'Sampled: true'] : []),
      '',
    ].join('\t'),
  });
}

/** Returns the message of a platform error; for a timeout without the request id, which its line already contains. */
function platformMessage({ payload, errorType }: Outcome): string {
  const { errorMessage } = JSON.parse(payload.toString()) as { errorMessage: string };
  return errorType === 'Sandbox.Timedout' ? errorMessage.replace(/^RequestId: \S+ Error: /, '') : errorMessage;
}

const round = (milliseconds: number): number => Number(milliseconds.toFixed(3));
