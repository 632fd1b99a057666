import type { InputOf, OutputOf } from '@emu/service-types/cognito-idp';
import type { CognitoIdpContext } from '../context.ts';
import { addOnNotEnabled, notAuthorized, notFound } from '../errors.ts';
import type { AuthEvent } from '../journal.ts';
import { type LocatedPool, locatePool, poolOf, userIn } from '../lookup.ts';
import { paging } from '../paging.ts';
import type { Pool, User } from '../records.ts';
import { same } from '../srp/srp.ts';

/**
 * Checks that a pool has threat protection.
 * @throws AwsError `UserPoolAddOnNotEnabledException` if it does not
 */
function checkProtected({ settings }: Pool): void {
  if ((settings.UserPoolAddOns?.AdvancedSecurityMode ?? 'OFF') === 'OFF')
    throw addOnNotEnabled('User Pool Add-ons are not enabled for this user pool.');
}

interface Named extends LocatedPool {
  user: User;
}

/**
 * Returns the user of a request for events.
 * @throws AwsError
 */
function named(input: { UserPoolId: string; Username: string }, ctx: CognitoIdpContext): Named {
  const pool = poolOf(input, ctx);
  const user = userIn(pool, input.Username, ctx.state);
  checkProtected(pool);
  return { state: ctx.state, pool, user };
}

export function AdminListUserAuthEvents(
  input: InputOf<'AdminListUserAuthEvents'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminListUserAuthEvents'> {
  const { pool, user, state } = named(input, ctx);
  const events = state.journal.events
    .list()
    .filter(({ userPoolId, username }) => userPoolId === pool.id && username === user.username);
  return paging
    .page('AdminListUserAuthEvents', input, events, ({ order }) => String(order).padStart(15, '0'), {
      descending: true,
    })
    .list((event) => ({
      EventId: event.eventId,
      EventType: event.eventType,
      CreationDate: new Date(event.at),
      EventResponse: event.eventResponse,
      EventRisk: {
        RiskDecision: event.riskDecision,
        RiskLevel: event.riskLevel,
        CompromisedCredentialsDetected: event.compromisedCredentialsDetected ?? false,
      },
      ChallengeResponses: event.challenges.map(({ name, response }) => ({
        ChallengeName: name,
        ChallengeResponse: response,
      })),
      EventContextData: {
        ...(event.ipAddress !== undefined && { IpAddress: event.ipAddress }),
        ...(event.deviceName !== undefined && { DeviceName: event.deviceName }),
        ...(event.timezone !== undefined && { Timezone: event.timezone }),
      },
      ...(event.feedback && {
        EventFeedback: {
          FeedbackValue: event.feedback.value,
          Provider: event.feedback.provider,
          FeedbackDate: new Date(event.feedback.at),
        },
      }),
    }));
}

/**
 * Returns an event of a user.
 * @throws AwsError `ResourceNotFoundException`
 */
function eventOf({ state, pool, user }: Named, id: string): AuthEvent {
  const event = state.journal.eventsById.get(id);
  if (event?.userPoolId !== pool.id || event.username !== user.username) throw notFound('Event does not exist.');
  return event;
}

export function AdminUpdateAuthEventFeedback(
  input: InputOf<'AdminUpdateAuthEventFeedback'>,
  ctx: CognitoIdpContext,
): OutputOf<'AdminUpdateAuthEventFeedback'> {
  const event = eventOf(named(input, ctx), input.EventId);
  event.feedback = { value: input.FeedbackValue, provider: 'Admin', at: ctx.clock.now() };
  return {};
}

/** Records a user's feedback on an event, authorized by the token in the notification e-mail. */
export function UpdateAuthEventFeedback(
  input: InputOf<'UpdateAuthEventFeedback'>,
  ctx: CognitoIdpContext,
): OutputOf<'UpdateAuthEventFeedback'> {
  const located = locatePool(input.UserPoolId, ctx);
  if (!located) throw notFound(`User pool ${input.UserPoolId} does not exist.`);
  const { pool, state } = located;
  const user = userIn(pool, input.Username, state);
  checkProtected(pool);
  const event = eventOf({ state, pool, user }, input.EventId);
  if (event.feedbackToken === undefined || !same(Buffer.from(event.feedbackToken), Buffer.from(input.FeedbackToken)))
    throw notAuthorized('Invalid feedback token.');
  event.feedback = { value: input.FeedbackValue, provider: 'User', at: state.clock.now() };
  return {};
}
