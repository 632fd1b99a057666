import type { Located, Timestamp } from './common.ts';

/** A recorded invocation of a function. */
export interface LambdaInvocation extends Located {
  requestId: string;
  /** Id of the request or delivery that caused it; absent for a request from outside. */
  cause?: string;
  functionName: string;
  functionArn: string;
  /** The version that ran, e.g. `$LATEST`. */
  version: string;
  invocationType: 'RequestResponse' | 'Event' | 'DryRun';
  /** What caused it, e.g. `lambda:Invoke` or the ARN of an event source. */
  source: string;
  payload: string;
  /** Absent where nothing was answered. */
  response?: string;
  functionError?: 'Handled' | 'Unhandled';
  /** Milliseconds. */
  duration: number;
  /** Whether an environment was started for it. */
  coldStart: boolean;
  timestamp: Timestamp;
}

/** A line of a function's log. */
export interface LambdaLogLine extends Located {
  functionName: string;
  /** The version that ran, e.g. `$LATEST`. */
  version: string;
  /** Of the invocation that the execution environment worked on, or was started for. */
  requestId: string;
  /** Who wrote it: the function's own code, an extension, or Lambda (`START`, `END`, `REPORT`, time-outs). */
  source: 'function' | 'extension' | 'platform';
  logGroup: string;
  logStream: string;
  timestamp: Timestamp;
  /** Without the end of the line. */
  message: string;
}

/** Which lines of logs are wanted. */
export interface LambdaLogQuery {
  function_name?: string;
  request_id?: string;
  /** Lines of this time and later ones. */
  since?: Timestamp;
  /** How many of the newest, up to 10,000; 1,000 by default. */
  limit?: number;
}

/** An execution environment that waits for, or works on, an invocation. */
export interface LambdaWarmContainer extends Located {
  functionName: string;
  functionArn: string;
  version: string;
  /** Id of the container or process behind it. */
  containerId: string;
  backend: 'docker' | 'k8s' | 'process';
  busy: boolean;
  startedAt: Timestamp;
  lastUsedAt?: Timestamp;
}

/** Control routes of Lambda. `file` is `latest.zip` or `<version>.zip` for code, `<version>.zip` for layers. */
export interface LambdaRoutes {
  'GET /_emulator/lambda/invocations': { response: { invocations: LambdaInvocation[] } };
  'GET /_emulator/lambda/logs': { query?: LambdaLogQuery; response: { lines: LambdaLogLine[] } };
  'GET /_emulator/lambda/warm-containers': { response: { containers: LambdaWarmContainer[] } };
  'POST /_emulator/lambda/{function_name}/evict-container': {
    response: { evictedContainers: number };
  };
  'GET /_emulator/lambda/layer-content/{account_id}/{layer_name}/{file}': {
    query?: { region?: string };
    response: Uint8Array;
  };
  'GET /_emulator/lambda/function-code/{account_id}/{function_name}/{file}': {
    query?: { region?: string };
    response: Uint8Array;
  };
}
