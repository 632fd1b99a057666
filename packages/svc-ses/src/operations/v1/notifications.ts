import { parseArn } from '@emu/core/service';
import type { InputOf, NotificationType, OutputOf } from '@emu/service-types/ses';
import type { SesContext } from '../../context.ts';
import { identityNameIn, identityOf } from '../../context.ts';
import { invalid, rejected } from '../../errors.ts';
import { checkPolicy } from '../../identities/policies.ts';
import { identityType } from '../../resources.ts';

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SetIdentityNotificationTopic.html */
export function SetIdentityNotificationTopic(
  { Identity, NotificationType: type, SnsTopic }: InputOf<'SetIdentityNotificationTopic'>,
  ctx: SesContext,
) {
  const { name, forwarding, topics } = identityOf(identityNameIn(Identity, ctx), ctx);
  if (SnsTopic && parseArn(SnsTopic)?.service !== 'sns') throw invalid('ses', `Invalid SNS topic <${SnsTopic}>.`);
  if (!SnsTopic && !forwarding && type !== 'Delivery' && topics[type] !== undefined)
    throw invalid('ses', `Feedback forwarding is disabled, so the ${type} topic is required.`);
  ctx.state.identities.update(name, (draft) => {
    if (SnsTopic) draft.topics[type] = SnsTopic;
    else delete draft.topics[type];
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SetIdentityFeedbackForwardingEnabled.html */
export function SetIdentityFeedbackForwardingEnabled(
  { Identity, ForwardingEnabled }: InputOf<'SetIdentityFeedbackForwardingEnabled'>,
  ctx: SesContext,
) {
  const { name, topics } = identityOf(Identity, ctx);
  if (!ForwardingEnabled && (topics.Bounce === undefined || topics.Complaint === undefined))
    throw invalid(
      'ses',
      `Identity <${name}> has no topics for bounces and complaints; feedback forwarding cannot be disabled.`,
    );
  ctx.state.identities.update(name, (draft) => {
    draft.forwarding = ForwardingEnabled;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_SetIdentityHeadersInNotificationsEnabled.html */
export function SetIdentityHeadersInNotificationsEnabled(
  { Identity, NotificationType: type, Enabled }: InputOf<'SetIdentityHeadersInNotificationsEnabled'>,
  { state }: SesContext,
) {
  const types: readonly NotificationType[] = ['Bounce', 'Complaint', 'Delivery'];
  if (!types.includes(type))
    throw invalid('ses', `Invalid notification type: ${type}. Valid values are: Bounce, Complaint, Delivery.`);
  const identity = state.identity(Identity);
  if (!identity) throw rejected(`Identity ${Identity} is not verified or does not exist.`);
  state.identities.update(identity.name, (draft) => {
    draft.headersIn[type] = Enabled;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetIdentityNotificationAttributes.html */
export function GetIdentityNotificationAttributes(
  { Identities }: InputOf<'GetIdentityNotificationAttributes'>,
  { state }: SesContext,
): OutputOf<'GetIdentityNotificationAttributes'> {
  return {
    NotificationAttributes: Object.fromEntries(
      Identities.flatMap((given) => {
        const identity = state.identity(given);
        if (!identity) return [];
        const { topics, headersIn, forwarding } = identity;
        // AWS omits unset topics, although its model requires them.
        const set = {
          ...(topics.Bounce !== undefined && { BounceTopic: topics.Bounce }),
          ...(topics.Complaint !== undefined && { ComplaintTopic: topics.Complaint }),
          ...(topics.Delivery !== undefined && { DeliveryTopic: topics.Delivery }),
        } as { BounceTopic: string; ComplaintTopic: string; DeliveryTopic: string };
        const attributes = {
          ...set,
          ForwardingEnabled: forwarding,
          HeadersInBounceNotificationsEnabled: headersIn.Bounce ?? false,
          HeadersInComplaintNotificationsEnabled: headersIn.Complaint ?? false,
          HeadersInDeliveryNotificationsEnabled: headersIn.Delivery ?? false,
        };
        return [[given, attributes]];
      }),
    ),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_PutIdentityPolicy.html */
export function PutIdentityPolicy({ Identity, PolicyName, Policy }: InputOf<'PutIdentityPolicy'>, ctx: SesContext) {
  const { name } = identityOf(identityNameIn(Identity, ctx), ctx);
  checkPolicy(Policy, identityType.arn({ name }, ctx), 'ses');
  ctx.state.identities.update(name, (draft) => {
    draft.policies[PolicyName] = Policy;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteIdentityPolicy.html */
export function DeleteIdentityPolicy({ Identity, PolicyName }: InputOf<'DeleteIdentityPolicy'>, ctx: SesContext) {
  const identity = ctx.state.identity(identityNameIn(Identity, ctx));
  if (identity && PolicyName in identity.policies)
    ctx.state.identities.update(identity.name, (draft) => {
      delete draft.policies[PolicyName];
    });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_GetIdentityPolicies.html */
export function GetIdentityPolicies(
  { Identity, PolicyNames }: InputOf<'GetIdentityPolicies'>,
  ctx: SesContext,
): OutputOf<'GetIdentityPolicies'> {
  const policies = ctx.state.identity(identityNameIn(Identity, ctx))?.policies ?? {};
  return { Policies: Object.fromEntries(Object.entries(policies).filter(([name]) => PolicyNames.includes(name))) };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListIdentityPolicies.html */
export function ListIdentityPolicies(
  { Identity }: InputOf<'ListIdentityPolicies'>,
  ctx: SesContext,
): OutputOf<'ListIdentityPolicies'> {
  return { PolicyNames: Object.keys(ctx.state.identity(identityNameIn(Identity, ctx))?.policies ?? {}).sort() };
}
