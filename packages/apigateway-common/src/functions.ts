import {
  type Principal,
  parseArn,
  roleSessionPrincipal,
  type ServiceCaller,
  servicePrincipal,
} from '@emu/core/service';
import type { InvokeWithResponseStreamResponseEvent } from '@emu/service-types/lambda';

/** A call of a function on behalf of an API. */
export interface FunctionCall {
  /** ARN of the function, which may name a version or an alias. */
  readonly functionArn: string;
  /** Account that owns the API. */
  readonly accountId: string;
  /** ARN of what the API calls it for: `arn:…:execute-api:<region>:<account>:<api>/<stage>/<method>/<path>`. */
  readonly sourceArn: string;
  /** Role that API Gateway takes; without it the function's own policy lets API Gateway in. */
  readonly role?: string | undefined;
  readonly payload: string;
  readonly traceHeader?: string | undefined;
  /** Id of the request that causes the call. */
  readonly cause: string;
  /** Id of the invocation itself, as the function's log has it; by default a new one. */
  readonly requestId?: string | undefined;
  /** Whether nobody waits for what comes of it. */
  readonly event?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a function answered. */
export interface FunctionAnswer {
  /** JSON, or whatever a custom runtime answers; the error where it failed. */
  readonly payload: string;
  readonly failed: boolean;
}

/** API Gateway, as services see who calls them. */
export const gatewayPrincipal = (accountId: string): Principal => servicePrincipal('apigateway', accountId);

/** As whom API Gateway takes a role. */
export const rolePrincipal = (role: string): Omit<Principal, 'accessKeyId'> =>
  roleSessionPrincipal(role, 'BackplaneAssumeRoleSession');

/** As whom a function is called, and where it is. */
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
 * @throws AwsError where it may not be called, does not exist or is throttled
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
 * Calls a function whose answer comes while it is made.
 * @returns its bytes; reading them throws where the function fails
 * @throws AwsError where it may not be called, does not exist or is throttled
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

/** What a URI names as its function, as it is written: stage variables are not put in. */
export const functionWrittenIn = (uri: string): string | undefined => FUNCTION_URI.exec(uri)?.[1];

/**
 * The ARN of the function that an integration's or an authorizer's URI names, `${stageVariables.…}` put in.
 * @returns undefined where the URI names no function
 */
export function functionOfUri(uri: string, stageVariables: Readonly<Record<string, string>> = {}): string | undefined {
  return FUNCTION_URI.exec(withStageVariables(uri, stageVariables))?.[1];
}

/** The URL that AWS calls for the URI of a function, as logs tell it. @param region of the API */
export const invocationUrl = (uri: string, region: string): string =>
  `https://lambda.${parseArn(uri)?.region || region}.amazonaws.com${uri.replace(/^.*?:path/, '')}`;

/** A text with the values of stage variables in the place of `${stageVariables.…}`; empty where there is none. */
export function withStageVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return text.includes('${')
    ? text.replace(/\$\{stageVariables\.([\w-]+)\}/g, (_, name: string) =>
        Object.hasOwn(variables, name) ? variables[name]! : '',
      )
    : text;
}
