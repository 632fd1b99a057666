import type { InputOf, OutputOf } from '@emu/service-types/lambda';
import type { LambdaContext } from '../context.ts';
import { invalidParameterValue } from '../errors.ts';
import type { ResolvedFunction } from '../names.ts';
import { DurableEngine } from './engine.ts';

/** Maximum seconds of a synchronously invoked execution. */
const MAX_SYNCHRONOUS = 900;

/**
 * Invokes a durable function: starts an execution and, for a synchronous invocation, returns its result.
 * @throws AwsError `InvalidParameterValueException`, `DurableExecutionAlreadyStartedException`
 */
export async function invokeDurable(
  resolved: ResolvedFunction,
  input: InputOf<'Invoke'>,
  payload: Uint8Array,
  ctx: LambdaContext,
): Promise<OutputOf<'Invoke'>> {
  if (resolved.qualifier === undefined)
    throw invalidParameterValue('You cannot invoke a durable function using an unqualified ARN.');
  const waits = input.InvocationType !== 'Event';
  const { ExecutionTimeout: timeout } = resolved.version.config.durable!;
  if (waits && (timeout === undefined || timeout > MAX_SYNCHRONOUS))
    throw invalidParameterValue(
      'You cannot synchronously invoke a durable function with an executionTimeout greater than 15 minutes.',
    );
  const engine = DurableEngine.of(resolved.state);
  const { arn } = engine.start(resolved, Buffer.from(payload).toString(), input.DurableExecutionName, ctx.requestId);
  if (!waits) return { StatusCode: 202, DurableExecutionArn: arn };
  const gone = new Promise<undefined>((resolve) => {
    ctx.signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const execution = await Promise.race([engine.ended(arn), gone]);
  const succeeded = execution?.status === 'SUCCEEDED';
  const {
    ErrorType: errorType,
    ErrorMessage: errorMessage,
    ErrorData: errorData,
    StackTrace: stackTrace,
  } = execution?.error ?? {};
  const answer = succeeded
    ? (execution.result ?? 'null')
    : JSON.stringify({ errorMessage, errorType, errorData, stackTrace });
  return {
    StatusCode: 200,
    ExecutedVersion: execution?.version ?? resolved.version.version,
    Payload: Buffer.from(answer),
    DurableExecutionArn: arn,
    ...(!succeeded && { FunctionError: 'Unhandled' }),
  };
}
