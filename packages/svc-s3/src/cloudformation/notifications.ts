import { defined, type Properties, unlessEmpty } from '@emu/core/providers';

interface TemplateTarget {
  Event: string;
  Filter?: { S3Key: { Rules: readonly Properties[] } };
  [target: string]: unknown;
}

interface ServiceTarget {
  Events: readonly string[];
  Filter?: { Key?: { FilterRules?: readonly Properties[] } };
  [target: string]: unknown;
}

/** Kinds of targets: the list and the target's ARN in templates, and in S3's own operations. */
const KINDS = [
  ['LambdaConfigurations', 'Function', 'LambdaFunctionConfigurations', 'LambdaFunctionArn'],
  ['QueueConfigurations', 'Queue', 'QueueConfigurations', 'QueueArn'],
  ['TopicConfigurations', 'Topic', 'TopicConfigurations', 'TopicArn'],
] as const;

/** A template's notifications as PutBucketNotificationConfiguration takes them. */
export function notificationConfiguration(template: Properties): Properties {
  const lists = KINDS.map(([list, target, serviceList, arn]) => [
    serviceList,
    unlessEmpty(
      ((template[list] ?? []) as TemplateTarget[]).map(({ Event, Filter, [target]: to }) =>
        defined({ Events: [Event], [arn]: to, Filter: Filter && { Key: { FilterRules: Filter.S3Key.Rules } } }),
      ),
    ),
  ]);
  const bridge = template.EventBridgeConfiguration as { EventBridgeEnabled?: boolean } | undefined;
  return defined({
    ...Object.fromEntries(lists),
    EventBridgeConfiguration: bridge && bridge.EventBridgeEnabled !== false ? {} : undefined,
  });
}

/** What S3 tells as a template writes it; undefined where there is nothing. Each event is a configuration of its own. */
export function templateNotifications(told: Properties): Properties | undefined {
  const lists = KINDS.map(([list, target, serviceList, arn]) => [
    list,
    unlessEmpty(
      ((told[serviceList] ?? []) as ServiceTarget[]).flatMap(({ Events, Filter, [arn]: to }) =>
        Events.map((Event) =>
          defined({
            Event,
            [target]: to,
            Filter: Filter?.Key?.FilterRules?.length ? { S3Key: { Rules: Filter.Key.FilterRules } } : undefined,
          }),
        ),
      ),
    ),
  ]);
  return unlessEmpty(
    defined({
      ...Object.fromEntries(lists),
      EventBridgeConfiguration: told.EventBridgeConfiguration ? { EventBridgeEnabled: true } : undefined,
    }),
  );
}
