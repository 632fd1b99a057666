import { copyOf, parseArn } from '@emu/core/service';
import type {
  InputOf,
  LogConfigurationType,
  LogDeliveryConfigurationType,
  OutputOf,
} from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { invalidParameter, unavailableInTier } from '../errors.ts';
import { poolOf } from '../lookup.ts';
import type { Pool } from '../records.ts';

/**
 * Validates a log configuration.
 * @throws AwsError if it is invalid
 */
function check(pool: Pool, configuration: LogConfigurationType): void {
  const { EventSource: source, LogLevel: level } = configuration;
  const { CloudWatchLogsConfiguration: logs, S3Configuration: s3, FirehoseConfiguration: firehose } = configuration;
  if ([logs, s3, firehose].filter((one) => one !== undefined).length !== 1)
    throw invalidParameter('Each log configuration must have exactly one destination.');
  if (source === 'userNotification') {
    if (level !== 'ERROR') throw invalidParameter('LogLevel must be ERROR for the event source userNotification.');
    if (!logs) throw invalidParameter('Logs of userNotification can be delivered to CloudWatch Logs only.');
  } else {
    if (level !== 'INFO') throw invalidParameter('LogLevel must be INFO for the event source userAuthEvents.');
    if (pool.settings.UserPoolTier !== 'PLUS')
      throw unavailableInTier('Export of user activity logs is available in the PLUS feature plan only.');
  }
  checkArn(logs?.LogGroupArn, 'logs', logs !== undefined);
  checkArn(s3?.BucketArn, 's3', s3 !== undefined);
  checkArn(firehose?.StreamArn, 'firehose', firehose !== undefined);
}

function checkArn(arn: string | undefined, service: string, isGiven: boolean): void {
  if (isGiven && (arn === undefined || parseArn(arn)?.service !== service))
    throw invalidParameter(`Invalid ARN of a ${service} destination: ${arn ?? ''}`);
}

const describe = (pool: Pool, { state }: CognitoIdpContext): LogDeliveryConfigurationType => ({
  UserPoolId: pool.id,
  LogConfigurations: copyOf(state.logDeliveries.get(pool.id)?.configurations ?? []) as LogConfigurationType[],
});

export function SetLogDeliveryConfiguration(
  input: InputOf<'SetLogDeliveryConfiguration'>,
  ctx: CognitoIdpContext,
): OutputOf<'SetLogDeliveryConfiguration'> {
  const pool = poolOf(input, ctx);
  const { LogConfigurations: configurations } = input;
  for (const configuration of configurations) check(pool, configuration);
  if (new Set(configurations.map(({ EventSource }) => EventSource)).size < configurations.length)
    throw invalidParameter('Each event source can have one log configuration only.');
  if (configurations.length === 0) ctx.state.logDeliveries.delete(pool.id);
  else ctx.state.logDeliveries.put(pool.id, { poolId: pool.id, configurations: copyOf(configurations) });
  return { LogDeliveryConfiguration: describe(pool, ctx) };
}

export function GetLogDeliveryConfiguration(
  input: InputOf<'GetLogDeliveryConfiguration'>,
  ctx: CognitoIdpContext,
): OutputOf<'GetLogDeliveryConfiguration'> {
  return { LogDeliveryConfiguration: describe(poolOf(input, ctx), ctx) };
}
