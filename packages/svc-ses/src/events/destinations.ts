import { asService, parseArn } from '@emu/core/service';
import type { EventDestination as V1Destination, EventType as V1Type } from '@emu/service-types/ses';
import type { DimensionValueSource, EventDestinationDefinition, EventType } from '@emu/service-types/sesv2';
import { AwsError } from '@emu/wire';
import type { SesContext } from '../context.ts';
import {
  type Api,
  apiOf,
  badCloudWatchDestination,
  badFirehoseDestination,
  badSnsDestination,
  invalid,
} from '../errors.ts';
import type { DestinationRecord } from '../records.ts';
import { configurationSetType } from '../resources.ts';
import { WORDS } from './event.ts';
import { asEventRole } from './role.ts';

const NAME = /^[\w-]{1,64}$/;
const DIMENSION = /^[\w:-]{1,256}$/;
const DIMENSION_VALUE = /^[\w.@-]{1,256}$/;

const SOURCES: Readonly<Record<string, DimensionValueSource>> = {
  messageTag: 'MESSAGE_TAG',
  emailHeader: 'EMAIL_HEADER',
  linkTag: 'LINK_TAG',
};

/** Converts a destination of version 1 to version 2. */
export function fromV1(destination: V1Destination): EventDestinationDefinition {
  const { Enabled, MatchingEventTypes, KinesisFirehoseDestination, CloudWatchDestination, SNSDestination } =
    destination;
  const types = Object.entries(WORDS).filter(([, { v1 }]) => MatchingEventTypes.includes(v1 as V1Type));
  return {
    ...(Enabled !== undefined && { Enabled }),
    MatchingEventTypes: types.map(([type]) => type as EventType),
    ...(KinesisFirehoseDestination && {
      KinesisFirehoseDestination: {
        IamRoleArn: KinesisFirehoseDestination.IAMRoleARN,
        DeliveryStreamArn: KinesisFirehoseDestination.DeliveryStreamARN,
      },
    }),
    ...(CloudWatchDestination && {
      CloudWatchDestination: {
        DimensionConfigurations: CloudWatchDestination.DimensionConfigurations.map((one) => ({
          ...one,
          DimensionValueSource: SOURCES[one.DimensionValueSource]!,
        })),
      },
    }),
    ...(SNSDestination && { SnsDestination: { TopicArn: SNSDestination.TopicARN } }),
  };
}

/** Converts a destination of version 2 to version 1; undefined if version 1 does not support it. */
export function toV1(record: DestinationRecord): V1Destination | undefined {
  const { name, enabled, types, KinesisFirehoseDestination, CloudWatchDestination, SnsDestination } = record;
  if (!KinesisFirehoseDestination && !CloudWatchDestination && !SnsDestination) return undefined;
  const sources = Object.fromEntries(Object.entries(SOURCES).map(([word, source]) => [source, word]));
  return {
    Name: name,
    Enabled: enabled,
    MatchingEventTypes: types.flatMap((type) => (WORDS[type].v1 as V1Type | undefined) ?? []).sort(),
    ...(KinesisFirehoseDestination && {
      KinesisFirehoseDestination: {
        IAMRoleARN: KinesisFirehoseDestination.IamRoleArn,
        DeliveryStreamARN: KinesisFirehoseDestination.DeliveryStreamArn,
      },
    }),
    ...(CloudWatchDestination && {
      CloudWatchDestination: {
        DimensionConfigurations: CloudWatchDestination.DimensionConfigurations.map((one) => ({
          ...one,
          DimensionValueSource: sources[one.DimensionValueSource] as 'messageTag',
        })),
      },
    }),
    ...(SnsDestination && { SNSDestination: { TopicARN: SnsDestination.TopicArn } }),
  };
}

/** Recorded message of AWS to the topic of a new destination. */
const WELCOME = 'Successfully validated SNS topic for Amazon SES event publishing.';

/** Whether an error means that another service or its resource is missing. */
const isMissing = (error: unknown): boolean => error instanceof AwsError && error.code !== 'NotImplemented';

/**
 * Checks that a destination's target exists.
 * @throws AwsError of the API
 */
async function checkTarget(definition: EventDestinationDefinition, set: string, ctx: SesContext): Promise<void> {
  const api = apiOf(ctx);
  const { SnsDestination, KinesisFirehoseDestination, EventBridgeDestination, CloudWatchDestination } = definition;
  if (SnsDestination) {
    const { TopicArn } = SnsDestination;
    const arn = parseArn(TopicArn);
    if (arn?.service !== 'sns') throw badSnsDestination(api, `SNS topic <${TopicArn}> not found.`);
    const { accountId, region } = arn;
    const options = {
      ...asService('ses', ctx.accountId, configurationSetType.arn({ name: set }, ctx)),
      accountId,
      region,
    };
    try {
      await ctx.call('sns', 'Publish', { TopicArn, Message: WELCOME }, options);
    } catch (error) {
      if (isMissing(error)) throw badSnsDestination(api, `SNS topic <${TopicArn}> not found.`);
      throw error;
    }
  }
  if (KinesisFirehoseDestination) {
    const { DeliveryStreamArn, IamRoleArn } = KinesisFirehoseDestination;
    const arn = parseArn(DeliveryStreamArn);
    const role = parseArn(IamRoleArn);
    if (role?.service !== 'iam' || !role.resource.startsWith('role/'))
      throw badFirehoseDestination(api, `Invalid IAM role <${IamRoleArn}>.`);
    const missing = badFirehoseDestination(api, `Could not find delivery stream <${DeliveryStreamArn}>.`);
    if (arn?.service !== 'firehose') throw missing;
    try {
      await asEventRole(IamRoleArn, configurationSetType.arn({ name: set }, ctx), ctx);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      throw badFirehoseDestination(api, `Could not assume IAM role <${IamRoleArn}>.`);
    }
    const { accountId, region } = arn;
    const DeliveryStreamName = arn.resource.slice(arn.resource.indexOf('/') + 1);
    try {
      await ctx.call('firehose', 'DescribeDeliveryStream', { DeliveryStreamName }, { accountId, region });
    } catch (error) {
      if (isMissing(error)) throw missing;
      throw error;
    }
  }
  if (EventBridgeDestination) {
    const arn = parseArn(EventBridgeDestination.EventBusArn);
    if (arn?.service !== 'events' || arn.resource !== 'event-bus/default')
      throw invalid(api, 'Only the default event bus is supported.');
  }
  if (CloudWatchDestination) checkDimensions(CloudWatchDestination.DimensionConfigurations, api);
}

function checkDimensions(
  dimensions: readonly { readonly DimensionName: string; readonly DefaultDimensionValue: string }[],
  api: Api,
): void {
  if (!dimensions.length) throw badCloudWatchDestination(api, 'A CloudWatch destination needs a dimension.');
  for (const { DimensionName, DefaultDimensionValue } of dimensions) {
    if (!DIMENSION.test(DimensionName))
      throw badCloudWatchDestination(api, `Invalid dimension name <${DimensionName}>.`);
    if (!DIMENSION_VALUE.test(DefaultDimensionValue))
      throw badCloudWatchDestination(api, `Invalid default dimension value <${DefaultDimensionValue}>.`);
  }
}

/**
 * Validates a destination and returns its record.
 * @throws AwsError of the API for an invalid destination or a missing target
 */
export async function destinationRecord(
  name: string,
  definition: EventDestinationDefinition,
  set: string,
  ctx: SesContext,
): Promise<DestinationRecord> {
  const api = apiOf(ctx);
  const { Enabled = false, MatchingEventTypes, ...targets } = definition;
  if (!NAME.test(name)) throw invalid(api, `Invalid event destination name <${name}>.`);
  if (!MatchingEventTypes?.length) throw invalid(api, 'An event destination needs a matching event type.');
  const given = Object.values(targets).filter((target) => target !== undefined);
  if (given.length !== 1) throw invalid(api, 'An event destination has exactly one target.');
  await checkTarget(definition, set, ctx);
  return { name, enabled: Enabled, types: [...new Set(MatchingEventTypes)], ...structuredClone(targets) };
}
