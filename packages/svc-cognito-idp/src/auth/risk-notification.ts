import type { NotifyConfigurationType, NotifyEmailType } from '@emu/service-types/cognito-idp';
import { AwsError } from '@emu/wire';
import type { AuthEvent } from '../journal.ts';
import { logNotification } from '../logs/notifications.ts';
import { sendThroughSes } from '../messages/email.ts';
import type { User } from '../records.ts';
import type { Auth } from './auth.ts';

/** Subject of a notification: a blocked sign-in, one with a required second factor, or one without action. */
export type RiskEmail = 'BlockEmail' | 'MfaEmail' | 'NoActionEmail';

const DETAILS = 'Time: {login-time}, device: {device-name}, location: {city}, {country}, address: {ip-address}.';
const FEEDBACK = 'It was you: {one-click-link-valid} It was not: {one-click-link-invalid}';

/** Default texts of notifications. */
const DEFAULTS: Readonly<Record<RiskEmail, { Subject: string; TextBody: string }>> = {
  BlockEmail: { Subject: 'Blocked sign-in attempt', TextBody: `A sign-in was blocked. ${DETAILS} ${FEEDBACK}` },
  MfaEmail: { Subject: 'New sign-in attempt', TextBody: `A sign-in needed a second factor. ${DETAILS} ${FEEDBACK}` },
  NoActionEmail: { Subject: 'New sign-in attempt', TextBody: `There was a sign-in. ${DETAILS} ${FEEDBACK}` },
};

/** emu has no locations of addresses. */
const UNKNOWN = 'unknown';

/**
 * Notifies a user by e-mail of a risky sign-in, with links for feedback. Failures do not affect the sign-in: errors of
 * SES are in the pool's exported log.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-message-customizations.html
 */
export async function notifyOfRisk(
  auth: Auth,
  user: User,
  config: NotifyConfigurationType,
  kind: RiskEmail,
  event: AuthEvent,
): Promise<void> {
  const { state, pool } = auth;
  const to = user.attributes.email;
  if (!to) return;
  event.feedbackToken ??= state.ids.bytes(48).toString('base64url');
  const given: Partial<NotifyEmailType> = config[kind] ?? {};
  const { Subject = DEFAULTS[kind].Subject, HtmlBody } = given;
  const TextBody = given.TextBody ?? (HtmlBody === undefined ? DEFAULTS[kind].TextBody : undefined);
  const fill = (words: string | undefined): string | undefined => words && filledIn(words, auth, user, event);
  try {
    await sendThroughSes(
      {
        identity: config.SourceArn,
        from: config.From,
        replyTo: config.ReplyTo,
        to,
        subject: fill(Subject)!,
        html: fill(HtmlBody),
        text: fill(TextBody),
      },
      state,
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    logNotification(pool, user, { source: kind, medium: 'EMAIL' }, error.message, state);
  }
}

function filledIn(words: string, { endpoint, pool }: Auth, { username }: User, event: AuthEvent): string {
  const link = (value: string): string => {
    const query = new URLSearchParams({
      user_name: username,
      event_id: event.eventId,
      feedback_token: event.feedbackToken!,
      feedback_value: value,
    });
    return `${endpoint}/${pool.id}/eventFeedback?${query.toString()}`;
  };
  const values: Readonly<Record<string, string>> = {
    username,
    'ip-address': event.ipAddress ?? UNKNOWN,
    'device-name': event.deviceName ?? UNKNOWN,
    city: UNKNOWN,
    country: UNKNOWN,
    'login-time': new Date(event.at).toUTCString(),
    'event-id': event.eventId,
    'feedback-token': event.feedbackToken!,
    'one-click-link-valid': link('Valid'),
    'one-click-link-invalid': link('Invalid'),
  };
  return words.replace(/\{([a-z-]+)\}/g, (whole, name: string) => values[name] ?? whole);
}
