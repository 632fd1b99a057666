import { isRoleArn, parseArn, stateInRegion } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import type { LogsContext } from '../context.ts';
import { accessDenied, invalidParameter } from '../errors.ts';
import { destinationType, groupType } from '../resources.ts';
import { deliver, invoke, type Target } from './destination.ts';
import { controlMessage, streamKey } from './payload.ts';
import { ownGroupOf } from './selection.ts';

/** Stream names in messages, by service. */
const STREAMS: Readonly<Record<string, string>> = { kinesis: 'Kinesis stream', firehose: 'Firehose stream' };

/**
 * Validates a subscription's destination: a function must permit the invocation, a stream receives a control message.
 * @param group name of the log group; undefined for a subscription of the account
 * @throws AwsError `InvalidParameterException`, `AccessDeniedException`; `NotImplemented` if the service is missing
 */
export async function checkTarget(target: Target, group: string | undefined, ctx: LogsContext): Promise<void> {
  const { destinationArn, roleArn } = target;
  const arn = parseArn(destinationArn);
  checkRole(roleArn);
  if (!arn) throw invalidParameter(`Invalid destination ARN: ${destinationArn}`);
  const foreign = arn.accountId !== ctx.accountId;
  if (arn.service === 'lambda') {
    if (foreign)
      throw accessDenied(
        'Cross-account lambda invocation passing is not allowed. You must use DestinationPolicies to create cross account lambda triggers.',
      );
    if (group !== undefined && group === ownGroupOf(destinationArn))
      throw invalidParameter('The log group provided is reserved for the function logs of the destination function.');
    await checkFunction(destinationArn, group, ctx);
    return;
  }
  const stream = STREAMS[arn.service];
  if (stream !== undefined) {
    if (roleArn === undefined)
      throw invalidParameter(`destinationArn for vendor ${arn.service} cannot be used without roleArn`);
    await checkStream(target, arn.service, stream, ctx);
    return;
  }
  const address = destinationType.parse(destinationArn);
  if (!address) throw invalidParameter(`Invalid destination ARN: ${destinationArn}`);
  if (!stateInRegion(address.place, ctx)?.destinations.has(address.key.name))
    throw invalidParameter('The specified destination does not exist.');
}

/** @throws AwsError `InvalidParameterException` unless the ARN is a role's */
export function checkRole(roleArn: string | undefined): void {
  if (roleArn !== undefined && !isRoleArn(roleArn)) throw invalidParameter(`Invalid role ARN: ${roleArn}`);
}

/** @throws AwsError `InvalidParameterException` if the function is missing or does not permit CloudWatch Logs */
async function checkFunction(FunctionName: string, group: string | undefined, ctx: LogsContext): Promise<void> {
  const sourceArn =
    group === undefined ? groupType.arn({ name: '*' }, ctx) : `${groupType.arn({ name: group }, ctx)}:*`;
  try {
    await ctx.call('lambda', 'GetFunction', { FunctionName });
    await invoke(ctx.state, FunctionName, { sourceArn, dryRun: true });
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw invalidParameter(
      'Could not execute the lambda function. Make sure you have given CloudWatch Logs permission to execute your function.',
    );
  }
}

/** @throws AwsError `InvalidParameterException` if the stream rejects the control message */
export async function checkStream(target: Target, service: string, stream: string, ctx: LogsContext): Promise<void> {
  const data = controlMessage(service === 'firehose' ? 'Firehose' : stream, ctx.clock.now());
  try {
    await deliver(ctx.state, target, { data, partitionKey: streamKey(''), sourceArn: '' });
  } catch (error) {
    if (!(error instanceof AwsError) || error.code === 'NotImplemented') throw error;
    throw invalidParameter(
      `Could not deliver test message to specified ${stream}. Check if the given ${stream} is in ACTIVE state.`,
    );
  }
}
