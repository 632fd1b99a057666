import {
  type Principal,
  parseArn,
  roleSessionPrincipal,
  type ServiceCaller,
  servicePrincipal,
} from '@emu/core/service';
import type { InvokeWithResponseStreamResponseEvent } from '@emu/service-types/lambda';

/** A function call on behalf of an API. */
export interface FunctionCall {
  /** ARN of the function, optionally with version or alias. */
  readonly functionArn: string;
  /** Account of the API. */
  readonly accountId: string;
  /** ARN of the caller: `arn:…:execute-api:<region>:<account>:<api>/<stage>/<method>/<path>`. */
  readonly sourceArn: string;
  /** Role that API Gateway assumes; without it the function's policy must allow API Gateway. */
  readonly role?: string | undefined;
  readonly payload: string;
  readonly traceHeader?: string | undefined;
  /** Id of the request that causes the call. */
  readonly cause: string;
  /** Id of the invocation, as in the function's log; by default a new one. */
  readonly requestId?: string | undefined;
  /** Whether the invocation is asynchronous. */
  readonly event?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a function. */
export interface FunctionAnswer {
  /** JSON, or any output of a custom runtime; the error after a failure. */
  readonly payload: string;
  readonly failed: boolean;
}

/** Returns the service principal of API Gateway. */
export const gatewayPrincipal = (accountId: string): Principal => servicePrincipal('apigateway', accountId);

/** Returns the principal of a role that API Gateway assumed. */
export const rolePrincipal = (role: string): Omit<Principal, 'accessKeyId'> =>
  roleSessionPrincipal(role, 'BackplaneAssumeRoleSession');

/** Returns the identity and region for a function call. */
function callOptions({ functionArn, accountId, sourceArn, role, traceHeader, cause, requestId, signal }: FunctionCall) {
  const arn = parseArn(functionArn);
  return {
    accountId: arn?.accountId || accountId,
    ...(arn?.region && { region: arn.region }),
    principal: role === undefined ? gatewayPrincipal(accountId) : rolePrincipal(role),
    authorize: role === undefined ? { sourceArn, sourceAccount: accountId } : {},
    cause,
    ...(requestId !== undefined && { requestId }),
    ...(traceHeader !== undefined && { traceHeader }),
    ...(signal && { signal }),
  };
}

/**
 * Calls a function.
 * @throws AwsError if it may not be called, does not exist or is throttled
 */
export async function callFunction(caller: ServiceCaller, call: FunctionCall): Promise<FunctionAnswer> {
  const { functionArn, payload, event } = call;
  const output = await caller.call(
    'lambda',
    'Invoke',
    { FunctionName: functionArn, Payload: Buffer.from(payload), InvocationType: event ? 'Event' : 'RequestResponse' },
    callOptions(call),
  );
  const text = output.Payload === undefined ? '' : Buffer.from(output.Payload).toString();
  return { payload: text, failed: output.FunctionError !== undefined };
}

/**
 * Calls a function with a streamed response.
 * @returns its bytes; reading them throws if the function fails
 * @throws AwsError if it may not be called, does not exist or is throttled
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_InvokeWithResponseStream.html
 */
export async function streamFunction(caller: ServiceCaller, call: FunctionCall): Promise<AsyncIterable<Uint8Array>> {
  const { functionArn, payload } = call;
  const output = await caller.call(
    'lambda',
    'InvokeWithResponseStream',
    { FunctionName: functionArn, Payload: Buffer.from(payload) },
    callOptions(call),
  );
  return chunksOf(output.EventStream as AsyncIterable<InvokeWithResponseStreamResponseEvent>);
}

async function* chunksOf(events: AsyncIterable<InvokeWithResponseStreamResponseEvent>): AsyncGenerator<Uint8Array> {
  for await (const { PayloadChunk, InvokeComplete } of events) {
    if (PayloadChunk?.Payload?.length) yield PayloadChunk.Payload as Uint8Array;
    if (InvokeComplete?.ErrorCode !== undefined)
      throw new Error(InvokeComplete.ErrorDetails ?? InvokeComplete.ErrorCode);
  }
}

const FUNCTION_URI =
  /^arn:[^:]+:apigateway:[^:]*:lambda:path\/[\d-]+\/functions\/(.+)\/(?:response-streaming-)?invocations$/;

/** Returns the function in a URI as written, with unresolved stage variables. */
export const functionWrittenIn = (uri: string): string | undefined => FUNCTION_URI.exec(uri)?.[1];

/**
 * Returns the ARN of the function in an integration's or authorizer's URI, with `${stageVariables.…}` resolved.
 * @returns undefined if the URI does not name a function
 */
export function functionOfUri(uri: string, stageVariables: Readonly<Record<string, string>> = {}): string | undefined {
  return FUNCTION_URI.exec(withStageVariables(uri, stageVariables))?.[1];
}

/**
 * Returns AWS's URL for a function URI, for logs.
 * @param region of the API
 */
export const invocationUrl = (uri: string, region: string): string =>
  `https://lambda.${parseArn(uri)?.region || region}.amazonaws.com${uri.replace(/^.*?:path/, '')}`;

/** Resolves `${stageVariables.…}` in text; unknown variables become empty. */
export function withStageVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return text.includes('${')
    ? text.replace(/\$\{stageVariables\.([\w-]+)\}/g, (_, name: string) =>
        Object.hasOwn(variables, name) ? variables[name]! : '',
      )
    : text;
}
