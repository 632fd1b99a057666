import { asService, type DeepReadonly, metricsOf, parseArn, servicePrincipal } from '@emu/core/service';
import type { ConfigurationSet } from '../context.ts';
import type { DestinationRecord } from '../records.ts';
import { configurationSetType } from '../resources.ts';
import type { SesState } from '../state.ts';
import { eventRecord, WORDS } from './event.ts';
import type { MailEvent } from './mail-event.ts';
import { asEventRole } from './role.ts';
import type { SentMail } from './sent.ts';

/** Recorded subject of event messages to topics. */
const SUBJECT = 'Amazon SES Email Event Notification';

type Destination = DeepReadonly<DestinationRecord>;

/** Returns the value of a CloudWatch dimension. */
function dimensionValue(
  {
    DimensionName,
    DimensionValueSource,
    DefaultDimensionValue,
  }: {
    readonly DimensionName: string;
    readonly DimensionValueSource: string;
    readonly DefaultDimensionValue: string;
  },
  mail: SentMail,
  event: MailEvent,
): string {
  const name = DimensionName.toLowerCase();
  const found =
    DimensionValueSource === 'MESSAGE_TAG'
      ? Object.entries(mail.eventTags).find(([key]) => key.toLowerCase() === name)?.[1][0]
      : DimensionValueSource === 'EMAIL_HEADER'
        ? mail.headers.find((header) => header.name.toLowerCase() === name)?.value
        : (event.body.linkTags as Record<string, string[]> | undefined)?.[DimensionName]?.[0];
  return found ?? DefaultDimensionValue;
}

/** Returns the kind of a destination and the function that sends an event to it. */
function target(
  state: SesState,
  destination: Destination,
  mail: SentMail,
  event: MailEvent,
  setArn: string,
): { arn: string; send(): Promise<unknown> | undefined } | undefined {
  const record = eventRecord(mail, event);
  const { SnsDestination, KinesisFirehoseDestination, EventBridgeDestination, CloudWatchDestination } = destination;
  const { caller } = state;
  if (SnsDestination) {
    const { TopicArn: arn } = SnsDestination;
    const { accountId, region } = parseArn(arn) ?? state;
    const input = { TopicArn: arn, Subject: SUBJECT, Message: JSON.stringify(record) };
    return {
      arn,
      send: () =>
        caller.call('sns', 'Publish', input, { ...asService('ses', state.accountId, setArn), accountId, region }),
    };
  }
  if (KinesisFirehoseDestination) {
    const { DeliveryStreamArn: arn, IamRoleArn } = KinesisFirehoseDestination;
    const { accountId, region, resource } = parseArn(arn)!;
    const input = {
      DeliveryStreamName: resource.slice(resource.indexOf('/') + 1),
      Record: { Data: Buffer.from(`${JSON.stringify(record)}\n`) },
    };
    return {
      arn,
      send: async () => {
        const role = await asEventRole(IamRoleArn, setArn, state.scope);
        await caller.call('firehose', 'PutRecord', input, { ...role, accountId, region });
      },
    };
  }
  if (EventBridgeDestination) {
    const { EventBusArn: arn } = EventBridgeDestination;
    const entry = {
      EventBusName: arn,
      Source: 'aws.ses',
      DetailType: WORDS[event.type].detailType,
      Resources: [setArn],
      Time: new Date(event.at),
      Detail: JSON.stringify(record),
    };
    const { accountId } = state;
    const principal = servicePrincipal('ses', accountId);
    return {
      arn,
      send: async () => {
        const { Entries } = await caller.call('events', 'PutEvents', { Entries: [entry] }, { principal });
        const refused = Entries?.find(({ ErrorCode }) => ErrorCode !== undefined);
        if (refused) throw new Error(refused.ErrorMessage ?? refused.ErrorCode);
      },
    };
  }
  if (CloudWatchDestination) {
    const dimensions = Object.fromEntries(
      CloudWatchDestination.DimensionConfigurations.map((one) => [one.DimensionName, dimensionValue(one, mail, event)]),
    );
    const sorted = Object.fromEntries(Object.entries(dimensions).sort(([a], [b]) => (a < b ? -1 : 1)));
    return {
      arn: 'cloudwatch',
      send: () => {
        metricsOf(state.scope.service, state.accountId, state.region)
          ?.resource('AWS/SES', sorted)
          .add(WORDS[event.type].metric, 1, event.at);
        return undefined;
      },
    };
  }
  // Pinpoint destinations are stored without effect.
  return undefined;
}

/**
 * Sends an event to the destinations of its configuration set. Failures do not affect the sender: they are in the
 * delivery log.
 * @see https://docs.aws.amazon.com/ses/latest/dg/monitor-using-event-publishing.html
 */
export async function publish(state: SesState, set: ConfigurationSet, mail: SentMail, event: MailEvent): Promise<void> {
  const setArn = configurationSetType.arn({ name: set.name }, state);
  for (const destination of set.destinations) {
    if (!destination.enabled || !destination.types.includes(event.type)) continue;
    const reached = target(state, destination, mail, event, setArn);
    if (!reached) continue;
    const entry = {
      accountId: state.accountId,
      region: state.region,
      configurationSetName: set.name,
      eventDestinationName: destination.name,
      destinationArn: reached.arn,
      eventType: WORDS[event.type].name,
      messageId: mail.messageId,
      timestamp: new Date(event.at).toISOString(),
    };
    try {
      await reached.send();
      state.deliveries.add({ ...entry, status: 'delivered' });
    } catch (error) {
      const { message } = error as Error;
      state.scope.log.warn(`an event destination of the configuration set ${set.name} did not take an event`, {
        error,
      });
      state.deliveries.add({ ...entry, status: 'failed', error: message });
    }
  }
}
