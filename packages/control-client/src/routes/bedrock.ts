import type { Located, Timestamp } from './common.ts';

/** A captured model invocation. */
export interface BedrockInvocation extends Located {
  requestId: string;
  modelId: string;
  operation: 'InvokeModel' | 'InvokeModelWithResponseStream' | 'Converse' | 'ConverseStream';
  /** The request's JSON; a string where it was not JSON. */
  input: unknown;
  /** The answer's JSON; absent where the invocation failed. */
  output?: unknown;
  error?: { code: string; message: string };
  timestamp: Timestamp;
}

/** What a model answers. */
export interface BedrockModelResponse {
  /** JSON that InvokeModel answers with as it is; a string is also the text Converse answers with. */
  response: unknown;
}

/** An answer that depends on the prompt. The first rule that matches wins. */
export interface BedrockResponseRule extends BedrockModelResponse {
  /** Text the prompt must contain, case-sensitive; a rule without it matches every prompt. */
  promptContains?: string;
}

/** Faults for the next invocations. */
export interface BedrockFaultRequest {
  kind: 'throttle' | 'timeout' | 'error';
  /** How many invocations fail; 1 by default. */
  count?: number;
  /** Only invocations of this model. */
  modelId?: string;
  /** Message of the error, by default AWS's own for its kind. */
  message?: string;
}

/** Faults that are still to come. */
export interface BedrockFault {
  kind: 'throttle' | 'timeout' | 'error';
  /** Invocations that will still fail. */
  remaining: number;
  modelId?: string;
  message?: string;
}

/** Control routes of Bedrock. Clearing rules, and listing and clearing faults, are emu's additions. */
export interface BedrockRoutes {
  'GET /_emulator/bedrock/invocations': { response: { invocations: BedrockInvocation[] } };
  'POST /_emulator/bedrock/models/{model_id}/response': { body: BedrockModelResponse; response: { modelId: string } };
  'POST /_emulator/bedrock/models/{model_id}/responses': {
    body: { rules: BedrockResponseRule[] };
    response: { modelId: string; ruleCount: number };
  };
  'DELETE /_emulator/bedrock/models/{model_id}/responses': { response: { modelId: string; ruleCount: number } };
  'POST /_emulator/bedrock/faults': { body: BedrockFaultRequest; response: { faults: BedrockFault[] } };
  'GET /_emulator/bedrock/faults': { response: { faults: BedrockFault[] } };
  'DELETE /_emulator/bedrock/faults': { response: { faults: BedrockFault[] } };
}
