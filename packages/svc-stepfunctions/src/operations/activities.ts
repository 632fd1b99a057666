import { stateInRegion } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/stepfunctions';
import { parseJson } from '@emu/wire';
import { StateFailure } from '../asl/failure.ts';
import type { Json } from '../asl/json.ts';
import type { StepfunctionsContext } from '../context.ts';
import { describeEncryption, newEncryption, useKey } from '../encryption.ts';
import { activityNotFound, invalidArn, invalidToken, stepfunctionsError } from '../errors.ts';
import { activityOf, checkName } from '../lookup.ts';
import { paging } from '../paging.ts';
import { activityType } from '../resources.ts';
import type { Waiting } from '../runtime/waiting.ts';
import { tagging } from '../tags.ts';

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_CreateActivity.html */
export async function CreateActivity(
  input: InputOf<'CreateActivity'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'CreateActivity'>> {
  const { state } = ctx;
  const { name, encryptionConfiguration: given } = input;
  checkName(name);
  const encryption = await newEncryption(given, state.activityArn(name), ctx);
  const existing = state.activity(name);
  if (existing && existing.encryption?.keyId !== encryption?.keyId)
    throw stepfunctionsError('ActivityAlreadyExists', `Activity Already Exists: '${state.activityArn(name)}'`);
  const tags = tagging.merge(undefined, input.tags);
  const activity =
    existing ?? state.putActivity({ name, createdAt: ctx.clock.now(), tags, ...(encryption && { encryption }) });
  return { activityArn: state.activityArn(name), creationDate: new Date(activity.createdAt) };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeActivity.html */
export function DescribeActivity(
  input: InputOf<'DescribeActivity'>,
  ctx: StepfunctionsContext,
): OutputOf<'DescribeActivity'> {
  const { activity } = activityOf(input.activityArn, ctx);
  return {
    activityArn: input.activityArn,
    name: activity.name,
    creationDate: new Date(activity.createdAt),
    encryptionConfiguration: describeEncryption(activity.encryption),
  };
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_DeleteActivity.html */
export function DeleteActivity(
  input: InputOf<'DeleteActivity'>,
  ctx: StepfunctionsContext,
): OutputOf<'DeleteActivity'> {
  const address = activityType.parse(input.activityArn);
  if (!address) throw invalidArn(`Invalid ARN prefix: ${input.activityArn}`);
  const state = stateInRegion(address.place, ctx);
  if (state?.activity(address.key.name)) state.deleteActivity(address.key.name);
  return {};
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListActivities.html */
export function ListActivities(
  input: InputOf<'ListActivities'>,
  ctx: StepfunctionsContext,
): OutputOf<'ListActivities'> {
  const { state } = ctx;
  return paging
    .page('ListActivities', input, state.listActivities(), ({ name }) => name)
    .list(({ name, createdAt }) => ({
      activityArn: state.activityArn(name),
      name,
      creationDate: new Date(createdAt),
    }));
}

/** Long poll duration of GetActivityTask, in milliseconds. */
const POLL = 60_000;

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_GetActivityTask.html */
export async function GetActivityTask(
  input: InputOf<'GetActivityTask'>,
  ctx: StepfunctionsContext,
): Promise<OutputOf<'GetActivityTask'>> {
  const { activityArn: arn, workerName } = input;
  const { state, activity } = activityOf(arn, ctx);
  await useKey(activity.encryption, ctx);
  const { waiting } = state.executions;
  const until = ctx.clock.now() + POLL;
  for (;;) {
    const task = waiting.take(arn);
    if (task) {
      task.started(workerName);
      return { taskToken: task.token, input: task.input };
    }
    const again = await new Promise<boolean>((resolve) => {
      const done = (answer: boolean) => () => {
        timer.cancel();
        stop();
        ctx.signal.removeEventListener('abort', gone);
        resolve(answer);
      };
      const gone = done(false);
      const timer = ctx.clock.at(until, gone);
      let stop = (): unknown => undefined;
      ctx.signal.addEventListener('abort', gone);
      stop = waiting.onTask(arn, done(true));
    });
    if (!again || waiting.isClosing || ctx.signal.aborted) return {};
    if (!state.activityExists(arn)) throw activityNotFound(arn);
  }
}

/**
 * Returns the task of a token.
 * @throws AwsError `InvalidToken`, `TaskTimedOut`
 */
function taskOf(token: string, ctx: StepfunctionsContext): Waiting {
  const waiting = ctx.state.executions.waiting.get(token);
  if (waiting) return waiting;
  // Tokens are long base64 texts; other text was never a token.
  if (!/^[A-Za-z0-9+/]{100,}={0,2}$/.test(token)) throw invalidToken();
  throw stepfunctionsError('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskSuccess.html */
export function SendTaskSuccess(
  input: InputOf<'SendTaskSuccess'>,
  ctx: StepfunctionsContext,
): OutputOf<'SendTaskSuccess'> {
  const waiting = taskOf(input.taskToken, ctx);
  let output: Json;
  try {
    output = parseJson(input.output) as Json;
  } catch {
    throw stepfunctionsError('InvalidOutput', "Invalid Output: 'The output is not valid JSON'");
  }
  waiting.succeed(output);
  return {};
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskFailure.html */
export function SendTaskFailure(
  input: InputOf<'SendTaskFailure'>,
  ctx: StepfunctionsContext,
): OutputOf<'SendTaskFailure'> {
  taskOf(input.taskToken, ctx).fail(new StateFailure(input.error, input.cause));
  return {};
}

/** @see https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskHeartbeat.html */
export function SendTaskHeartbeat(
  input: InputOf<'SendTaskHeartbeat'>,
  ctx: StepfunctionsContext,
): OutputOf<'SendTaskHeartbeat'> {
  taskOf(input.taskToken, ctx).beat();
  return {};
}
