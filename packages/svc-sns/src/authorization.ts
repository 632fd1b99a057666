import { type AuthorizationRequest, parseArn, type ServiceAuthorization } from '@emu/core';
import { awsError } from '@emu/wire';
import type { SnsOperations } from './generated/sns.ts';
import type { SnsContext } from './operations/context.ts';
import { policyOf } from './operations/topics.ts';
import type { SnsState } from './state.ts';

type Authorization = ServiceAuthorization<SnsOperations, SnsState>;

/** Members of inputs that name what an operation is about. */
interface Named {
  TopicArn?: string;
  TargetArn?: string;
  PhoneNumber?: string;
  ResourceArn?: string;
  SubscriptionArn?: string;
  PlatformApplicationArn?: string;
  EndpointArn?: string;
  Name?: string;
  Platform?: string;
  Protocol?: string;
  Endpoint?: string;
}

/** Operations whose permission is spelt otherwise. */
const ACTIONS: Readonly<Record<string, string>> = { PublishBatch: 'Publish' };

/**
 * What an operation needs: its own action on the topic, whose policy takes part, or on the platform application or endpoint.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsns.html
 */
function requirement(operation: string, input: Named, ctx: SnsContext): AuthorizationRequest {
  const action = `SNS:${ACTIONS[operation] ?? operation}`;
  const resource = resourceOf(operation, input, ctx);
  const arn = parseArn(resource);
  const topic =
    arn?.service === 'sns' && arn.region === ctx.region
      ? ctx.handle.state(arn.accountId, arn.region).topic(arn.resource.split(':')[0]!)
      : undefined;
  return {
    action,
    resource: topic?.arn ?? resource,
    ...(topic && { resourcePolicy: { document: policyOf(topic), id: topic.arn } }),
    condition: (key) => conditionOf(key, input, ctx, topic?.record.tags ?? {}),
  };
}

function resourceOf(operation: string, input: Named, ctx: SnsContext): string {
  const arn =
    input.TopicArn ??
    input.TargetArn ??
    input.ResourceArn ??
    input.SubscriptionArn ??
    input.PlatformApplicationArn ??
    input.EndpointArn;
  if (arn !== undefined) return arn;
  if (operation === 'CreateTopic') return ctx.state.arnOfTopic(input.Name ?? '');
  if (operation === 'CreatePlatformApplication')
    return ctx.state.platform.arnOfApplication(`${input.Platform}/${input.Name}`);
  return '*';
}

function conditionOf(
  key: string,
  { Protocol, Endpoint }: Named,
  ctx: SnsContext,
  tags: Readonly<Record<string, string>>,
): string | undefined {
  if (key === 'sns:protocol') return Protocol;
  if (key === 'sns:endpoint') return Endpoint;
  // The account of the caller; a topic's default policy lets in who belongs to the topic's owner, and no service.
  if (key === 'aws:sourceowner') return ctx.principal.type === 'service' ? undefined : ctx.principal.accountId;
  const tag = /^aws:resourcetag\/(.+)$/.exec(key)?.[1];
  return tag === undefined ? undefined : Object.entries(tags).find(([name]) => name.toLowerCase() === tag)?.[1];
}

/** What SNS's operations need. Endpoints confirm and end their subscriptions by what they were told, without a permission. */
export const authorization: Authorization = {
  prefix: 'sns',
  operations: {
    ConfirmSubscription: (input, ctx) =>
      ctx.principal.type === 'anonymous' ? [] : requirement('ConfirmSubscription', input, ctx),
    Unsubscribe: (input, ctx) => (ctx.principal.type === 'anonymous' ? [] : requirement('Unsubscribe', input, ctx)),
  },
  otherwise: (operation, input, ctx) => requirement(operation, input as Named, ctx),
  accessDenied: ({ message }) => awsError('AuthorizationErrorException', message),
};
