import {
  type AuthorizationRequest,
  type NamedResource,
  namedResource,
  type PassedRole,
  type PassedRoles,
  permissionOn,
  type ResourceType,
  type ServiceAuthorization,
} from '@emu/core/service';
import type { SetSubscriptionAttributesInput, SetTopicAttributesInput, SnsOperations } from '@emu/service-types/sns';
import type { SnsContext } from './context.ts';
import { snsError } from './errors.ts';
import { resources, subscriptionType, topicType } from './resources.ts';
import type { SnsState } from './state.ts';
import { LOGGED_ENDPOINTS } from './topics/feedback.ts';

type Authorization = ServiceAuthorization<SnsOperations, SnsState>;

/** Input members used by conditions. */
interface ConditionInput {
  Protocol?: string;
  Endpoint?: string;
}

/** Operations whose IAM action has another name. */
const ACTIONS: Readonly<Record<string, string>> = { PublishBatch: 'Publish' };

/** Identifies the resource of a request. For a subscription the permission applies to its topic. */
function subjectOf(input: Readonly<Record<string, unknown>>, ctx: SnsContext): NamedResource | undefined {
  const subscription = subscriptionType.identify(input, ctx);
  if (!subscription) return namedResource(resources, input, ctx, ctx.operation);
  const { place, key } = subscription;
  return { type: topicType as ResourceType<object>, address: { place, key: { name: key.topic } } };
}

/**
 * Returns the permission for an operation: its action on the topic, to which the topic policy applies, or on the
 * platform application or endpoint.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsns.html
 */
function requirement(operation: string, input: object, ctx: SnsContext): AuthorizationRequest {
  const action = `SNS:${ACTIONS[operation] ?? operation}`;
  const named = subjectOf(input as Readonly<Record<string, unknown>>, ctx);
  const given = input as ConditionInput;
  const request: AuthorizationRequest = named
    ? permissionOn(action, named.type, named.address, ctx.handle)
    : { action, resource: '*' };
  return { ...request, condition: (key) => conditionOf(key, given, ctx) ?? request.condition?.(key) };
}

/** Returns the value of a condition key of SNS. */
function conditionOf(key: string, { Protocol, Endpoint }: ConditionInput, ctx: SnsContext): string | undefined {
  if (key === 'sns:protocol') return Protocol;
  if (key === 'sns:endpoint') return Endpoint;
  // Account of the caller. The default policy of a topic allows principals of the owner's account and no services.
  if (key === 'aws:sourceowner' && ctx.principal.type !== 'service') return ctx.principal.accountId;
  return undefined;
}

/** The value of an attribute, if the attribute is a role. */
const ATTRIBUTE_ROLE: Readonly<Record<'AttributeValue', PassedRole<SnsState>>> = {
  AttributeValue: {
    service: 'sns',
    role(value, _ctx, input) {
      const { AttributeName } = input as SetSubscriptionAttributesInput | SetTopicAttributesInput;
      return AttributeName.endsWith('RoleArn') ? value : undefined;
    },
  },
};

/** Roles with which SNS logs deliveries to the endpoints of a platform application. */
const FEEDBACK_ROLES: PassedRoles<SnsState> = {
  'Attributes.FailureFeedbackRoleArn': 'sns',
  'Attributes.SuccessFeedbackRoleArn': 'sns',
};

/** Roles with which SNS logs deliveries of a topic, by protocol. */
const TOPIC_FEEDBACK_ROLES: PassedRoles<SnsState> = Object.fromEntries(
  LOGGED_ENDPOINTS.flatMap((endpoint) => [
    [`Attributes.${endpoint}FailureFeedbackRoleArn`, 'sns'],
    [`Attributes.${endpoint}SuccessFeedbackRoleArn`, 'sns'],
  ]),
);

/**
 * Permissions that the operations of SNS require. Endpoints confirm and end their subscriptions with a token, without a
 * permission.
 */
export const authorization: Authorization = {
  prefix: 'sns',
  roles: {
    CreatePlatformApplication: FEEDBACK_ROLES,
    CreateTopic: TOPIC_FEEDBACK_ROLES,
    SetPlatformApplicationAttributes: FEEDBACK_ROLES,
    SetSMSAttributes: { 'attributes.DeliveryStatusIAMRole': 'sns' },
    SetSubscriptionAttributes: ATTRIBUTE_ROLE,
    SetTopicAttributes: ATTRIBUTE_ROLE,
    Subscribe: { 'Attributes.SubscriptionRoleArn': 'sns' },
  },
  // https://docs.aws.amazon.com/sns/latest/api/API_CreateTopic.html
  tagOnCreate: { CreateTopic: 'TagResource' },
  operations: {
    ConfirmSubscription: (input, ctx) =>
      ctx.principal.type === 'anonymous' ? [] : requirement('ConfirmSubscription', input, ctx),
    Unsubscribe: (input, ctx) => (ctx.principal.type === 'anonymous' ? [] : requirement('Unsubscribe', input, ctx)),
  },
  otherwise: (operation, input, ctx) => requirement(operation, input as object, ctx),
  accessDenied: ({ message }) => snsError('AuthorizationErrorException', message),
};
