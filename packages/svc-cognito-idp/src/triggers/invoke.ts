import { asService, parseArn } from '@emu/core/service';
import { AwsError, isObject, parseJson } from '@emu/wire';
import { invalidLambdaResponse, lambdaValidation, unexpectedLambda } from '../errors.ts';
import type { Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';

/** Timeout of a function in milliseconds, and number of attempts. */
const TIMEOUT = 5_000;
const TRIES = 3;

/** Triggers by member of LambdaConfig, which messages also use. */
export type TriggerName =
  | 'PreSignUp'
  | 'CustomMessage'
  | 'PostConfirmation'
  | 'PreAuthentication'
  | 'PostAuthentication'
  | 'DefineAuthChallenge'
  | 'CreateAuthChallenge'
  | 'VerifyAuthChallengeResponse'
  | 'PreTokenGeneration'
  | 'UserMigration'
  | 'CustomEmailSender'
  | 'CustomSMSSender'
  | 'InboundFederation';

/** Input of a trigger. */
export interface TriggerCall {
  /** For example `PreSignUp_SignUp`. */
  source: string;
  /** Undefined for a client's own token. */
  userName: string | undefined;
  clientId: string;
  request: Record<string, unknown>;
  /** Initial response, which the function may change. */
  response: Record<string, unknown>;
  version?: string;
}

/** Returns the function of a trigger; undefined if the pool has none. */
export function functionOf({ settings }: Pool, trigger: TriggerName): string | undefined {
  const function_ = settings.LambdaConfig?.[trigger];
  return typeof function_ === 'object' ? function_.LambdaArn : function_;
}

/** Returns the attributes of a user in trigger events. */
export const attributesFor = (user: User): Record<string, string> => ({
  sub: user.sub,
  'cognito:user_status': user.status,
  ...user.attributes,
});

/**
 * Invokes a trigger of a pool.
 * @returns the function's response; undefined if the pool has no such trigger
 * @throws AwsError `UserLambdaValidationException` for the function's own error, `UnexpectedLambdaException` if the
 * call failed, `InvalidLambdaResponseException`
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-working-with-lambda-triggers.html
 */
export async function trigger(
  state: CognitoState,
  pool: Pool,
  name: TriggerName,
  call: TriggerCall,
): Promise<Record<string, unknown> | undefined> {
  const answer = await send(state, pool, name, call);
  if (answer === undefined) return undefined;
  const answered = objectIn(answer)?.response;
  if (!isObject(answered)) throw invalidLambdaResponse('Unrecognizable lambda output');
  return answered;
}

/**
 * Invokes a trigger without expected response.
 * @returns the function's payload; undefined if the pool has no such trigger
 * @throws AwsError as `trigger` does
 */
export async function send(
  state: CognitoState,
  pool: Pool,
  name: TriggerName,
  { source, userName, clientId, request, response, version = '1' }: TriggerCall,
): Promise<string | undefined> {
  const arn = functionOf(pool, name);
  if (arn === undefined) return undefined;
  const event = {
    version,
    region: state.region,
    userPoolId: pool.id,
    userName,
    callerContext: { awsSdkVersion: 'aws-sdk-unknown-unknown', clientId },
    triggerSource: source,
    request,
    response,
  };
  return invoke(state, pool, arn, name, Buffer.from(JSON.stringify(event)));
}

/** Invokes a function and returns its payload. */
async function invoke(
  state: CognitoState,
  pool: Pool,
  arn: string,
  name: TriggerName,
  payload: Buffer,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const answer = await once(state, pool, arn, name, payload);
    if (answer !== undefined) return answer;
    if (attempt === TRIES) throw unexpectedLambda(`${name} invocation failed due to error Timeout.`);
  }
}

/**
 * Invokes a function once.
 * @returns undefined after a timeout
 */
async function once(
  state: CognitoState,
  pool: Pool,
  arn: string,
  name: TriggerName,
  payload: Buffer,
): Promise<string | undefined> {
  const { accountId, region } = parseArn(arn)!;
  const end = new AbortController();
  const timer = state.clock.after(TIMEOUT, () => end.abort());
  try {
    const { FunctionError: failed, Payload = new Uint8Array() } = await state.call(
      'lambda',
      'Invoke',
      { FunctionName: arn, InvocationType: 'RequestResponse', Payload: payload },
      {
        accountId,
        region,
        ...asService('cognito-idp', state.accountId, state.poolArn(pool.id)),
        signal: end.signal,
      },
    );
    const text = Buffer.from(Payload).toString();
    if (failed === undefined) return text;
    const message = objectIn(text)?.errorMessage;
    throw lambdaValidation(`${name} failed with error ${typeof message === 'string' ? message : failed}.`);
  } catch (error) {
    if (end.signal.aborted) return undefined;
    if (!(error instanceof AwsError) || error.code === 'UserLambdaValidationException') throw error;
    if (error.code === 'NotImplemented') throw error;
    if (error.code === 'AccessDeniedException')
      throw unexpectedLambda(`${name} invocation failed due to error AccessDeniedException.`);
    throw unexpectedLambda(`${name} invocation failed due to error ${error.code}.`);
  } finally {
    timer.cancel();
  }
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseJson(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
