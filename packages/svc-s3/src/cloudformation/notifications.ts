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

/** Targets: list name and target ARN in templates and in S3's operations. */
const KINDS = [
  ['LambdaConfigurations', 'Function', 'LambdaFunctionConfigurations', 'LambdaFunctionArn'],
  ['QueueConfigurations', 'Queue', 'QueueConfigurations', 'QueueArn'],
  ['TopicConfigurations', 'Topic', 'TopicConfigurations', 'TopicArn'],
] as const;

/** Converts a template's notifications to PutBucketNotificationConfiguration. */
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

/** Converts S3's notifications to a template; undefined if there are none. Each event is a separate configuration. */
export function templateNotifications(configuration: Properties): Properties | undefined {
  const lists = KINDS.map(([list, target, serviceList, arn]) => [
    list,
    unlessEmpty(
      ((configuration[serviceList] ?? []) as ServiceTarget[]).flatMap(({ Events, Filter, [arn]: to }) =>
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
      EventBridgeConfiguration: configuration.EventBridgeConfiguration ? { EventBridgeEnabled: true } : undefined,
    }),
  );
}
