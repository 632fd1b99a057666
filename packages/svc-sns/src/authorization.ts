import {
  type AuthorizationRequest,
  type NamedResource,
  namedResource,
  permissionOn,
  type ResourceType,
  type ServiceAuthorization,
} from '@emu/core';
import type { SetSubscriptionAttributesInput, SnsOperations, Tag } from '@emu/service-types/sns';
import { awsError } from '@emu/wire';
import type { SnsContext } from './context.ts';
import { resources, subscriptionType, topicType } from './resources.ts';
import type { SnsState } from './state.ts';
import { tagRecord } from './tags.ts';

type Authorization = ServiceAuthorization<SnsOperations, SnsState>;

/** Members of inputs that conditions are about. */
interface ConditionInput {
  Protocol?: string;
  Endpoint?: string;
  Tags?: Tag[];
  TagKeys?: string[];
}

/** Operations whose permission is spelt otherwise. */
const ACTIONS: Readonly<Record<string, string>> = { PublishBatch: 'Publish' };

/** What an input is about; the permission for a subscription is its topic's. */
function subjectOf(input: Readonly<Record<string, unknown>>, ctx: SnsContext): NamedResource | undefined {
  const subscription = subscriptionType.identify(input, ctx);
  if (!subscription) return namedResource(resources, input, ctx, ctx.operation);
  const { place, key } = subscription;
  return { type: topicType as ResourceType<object>, address: { place, key: { name: key.topic } } };
}

/**
 * What an operation needs: its own action on the topic, whose policy takes part, or on the platform application or endpoint.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsns.html
 */
function requirement(operation: string, input: object, ctx: SnsContext): AuthorizationRequest {
  const action = `SNS:${ACTIONS[operation] ?? operation}`;
  const named = subjectOf(input as Readonly<Record<string, unknown>>, ctx);
  const { Tags, TagKeys: keys, ...given } = input as ConditionInput;
  const request: AuthorizationRequest = named
    ? permissionOn(action, named.type, named.address, ctx.handle, { request: tagRecord(Tags), keys })
    : { action, resource: '*' };
  return { ...request, condition: (key) => conditionOf(key, given, ctx) ?? request.condition?.(key) };
}

/** The keys of SNS's own. */
function conditionOf(key: string, { Protocol, Endpoint }: ConditionInput, ctx: SnsContext): string | undefined {
  if (key === 'sns:protocol') return Protocol;
  if (key === 'sns:endpoint') return Endpoint;
  // The account of the caller; a topic's default policy lets in who belongs to the topic's owner, and no service.
  if (key === 'aws:sourceowner' && ctx.principal.type !== 'service') return ctx.principal.accountId;
  return undefined;
}

/** What SNS's operations need. Endpoints confirm and end their subscriptions by what they were told, without a permission. */
export const authorization: Authorization = {
  prefix: 'sns',
  roles: {
    SetSubscriptionAttributes: {
      AttributeValue: {
        service: 'sns',
        role: (value, _ctx, input) =>
          (input as SetSubscriptionAttributesInput).AttributeName === 'SubscriptionRoleArn' ? value : undefined,
      },
    },
    Subscribe: { 'Attributes.SubscriptionRoleArn': 'sns' },
  },
  operations: {
    ConfirmSubscription: (input, ctx) =>
      ctx.principal.type === 'anonymous' ? [] : requirement('ConfirmSubscription', input, ctx),
    Unsubscribe: (input, ctx) => (ctx.principal.type === 'anonymous' ? [] : requirement('Unsubscribe', input, ctx)),
  },
  otherwise: (operation, input, ctx) => requirement(operation, input as object, ctx),
  accessDenied: ({ message }) => awsError('AuthorizationErrorException', message),
};
