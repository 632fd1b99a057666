import type { Located, Timestamp } from './common.ts';

/** A recorded invocation of a function. */
export interface LambdaInvocation extends Located {
  requestId: string;
  /** Id of the request or delivery that caused it; absent for a client's request. */
  cause?: string;
  functionName: string;
  functionArn: string;
  /** Version that ran, e.g. `$LATEST`. */
  version: string;
  invocationType: 'RequestResponse' | 'Event' | 'DryRun';
  /** Trigger, e.g. `lambda:Invoke` or the ARN of an event source. */
  source: string;
  payload: string;
  /** Absent without a response. */
  response?: string;
  functionError?: 'Handled' | 'Unhandled';
  /** Milliseconds. */
  duration: number;
  /** Whether it was a cold start. */
  coldStart: boolean;
  timestamp: Timestamp;
}

/** A log line of a function. */
export interface LambdaLogLine extends Located {
  functionName: string;
  /** Version that ran, e.g. `$LATEST`. */
  version: string;
  /** Request id of the invocation that the execution environment handled, or was started for. */
  requestId: string;
  /** Origin: the function's own code, an extension, or Lambda (`START`, `END`, `REPORT`, timeouts). */
  source: 'function' | 'extension' | 'platform';
  logGroup: string;
  logStream: string;
  timestamp: Timestamp;
  /** Without the line end. */
  message: string;
}

/** Filter of log lines. */
export interface LambdaLogQuery {
  function_name?: string;
  request_id?: string;
  /** Lines from this time on. */
  since?: Timestamp;
  /** Number of newest lines, up to 10,000; 1,000 by default. */
  limit?: number;
}

/** An execution environment that is idle or handles an invocation. */
export interface LambdaWarmContainer extends Located {
  functionName: string;
  functionArn: string;
  version: string;
  /** Id of its container or process. */
  containerId: string;
  backend: 'docker' | 'k8s' | 'process';
  busy: boolean;
  startedAt: Timestamp;
  lastUsedAt?: Timestamp;
}

/** An imported layer version. */
export interface LambdaLayer {
  arn: string;
  /** Bytes of its ZIP file. */
  codeSize: number;
  importedAt: Timestamp;
}
