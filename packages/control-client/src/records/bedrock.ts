import type { Located, Timestamp } from './common.ts';

/** A recorded model invocation. */
export interface BedrockInvocation extends Located {
  requestId: string;
  modelId: string;
  operation: 'InvokeModel' | 'InvokeModelWithResponseStream' | 'Converse' | 'ConverseStream';
  /** JSON of the request, or a string if it was not JSON. */
  input: unknown;
  /** JSON of the response; absent for a failed invocation. */
  output?: unknown;
  error?: { code: string; message: string };
  timestamp: Timestamp;
}

/** Response of a model. */
export interface BedrockModelResponse {
  /** JSON that InvokeModel returns unchanged. A string is also the text that Converse returns. */
  response: unknown;
}

/** A response that depends on the prompt. The first matching rule applies. */
export interface BedrockResponseRule extends BedrockModelResponse {
  /** Text that the prompt must contain, case-sensitive; without it the rule matches every prompt. */
  promptContains?: string;
}

/** Faults for the next invocations. */
export interface BedrockFaultRequest {
  kind: 'throttle' | 'timeout' | 'error';
  /** Number of invocations that fail; 1 by default. */
  count?: number;
  /** Limits the fault to invocations of this model. */
  modelId?: string;
  /** Error message; by default AWS's own for this error. */
  message?: string;
}

/** Pending faults. */
export interface BedrockFault {
  kind: 'throttle' | 'timeout' | 'error';
  /** Number of invocations that will still fail. */
  remaining: number;
  modelId?: string;
  message?: string;
}
