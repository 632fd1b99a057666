import type { AuthenticationResultType, ChallengeNameType } from '@emu/service-types/cognito-idp';
import { notAuthorized, passwordResetRequired, userNotConfirmed, userNotFound } from '../errors.ts';
import type { LocatedClient } from '../lookup.ts';
import type { Session, User } from '../records.ts';
import { ADMIN_SCOPE } from '../tokens/claims.ts';
import { beginGrant, issueTokens } from '../tokens/issue.ts';
import { attributesFor, trigger } from '../triggers/invoke.ts';
import { newDevice } from './devices.ts';
import { recordSignIn } from './events.ts';
import type { RequestOrigin } from './origin.ts';
import { beginSession, type NewSession } from './sessions.ts';

/** A sign-in in progress. */
export interface Auth extends LocatedClient {
  readonly admin: boolean;
  /** Base URL with which the caller reached emu. */
  readonly endpoint: string;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly origin: RequestOrigin;
  /** Id of the authentication event of the sign-in, from its first request to its tokens. */
  readonly eventId: string;
  /** Whether its risk requires a second factor, also for users and devices that are otherwise exempt. */
  readonly isAtRisk?: boolean;
  /** Device key that the client sent. */
  readonly deviceKey?: string | undefined;
  /** Scopes of the tokens; by default the one for Cognito's own operations. */
  readonly scopes?: string[];
  /** Called instead of issuing tokens, for sign-ins by the hosted pages. */
  finish?(user: User, eventId: string): void;
}

/** Response of a sign-in step. */
export interface AuthAnswer {
  ChallengeName?: ChallengeNameType;
  Session?: string;
  ChallengeParameters?: Record<string, string>;
  AuthenticationResult?: AuthenticationResultType;
  AvailableChallenges?: ChallengeNameType[];
}

/** Whether responses to clients hide that a user does not exist. */
export const hidesUsers = ({ client }: Pick<LocatedClient, 'client'>): boolean =>
  client.preventUserExistenceErrors === 'ENABLED';

/** Returns the error for an unknown user. */
export const unknownUser = (auth: Auth): Error =>
  hidesUsers(auth) ? notAuthorized('Incorrect username or password.') : userNotFound();

/** Returns a challenge with a new session. */
export function challenge(
  { pool, client, state, admin, eventId, isAtRisk }: Auth,
  session: Omit<NewSession, 'admin' | 'eventId' | 'isAtRisk'>,
  parameters: Record<string, string>,
): AuthAnswer {
  const { id } = beginSession(pool, client, { ...session, admin, eventId, ...(isAtRisk && { isAtRisk }) }, state);
  return { ChallengeName: session.challenge, Session: id, ChallengeParameters: parameters };
}

/**
 * Checks that a user may sign in at all.
 * @throws AwsError if they may not
 */
export function checkMaySignIn({ enabled, status }: User): void {
  if (!enabled) throw notAuthorized('User is disabled.');
  if (status === 'UNCONFIRMED') throw userNotConfirmed();
  if (status === 'RESET_REQUIRED') throw passwordResetRequired();
}

/**
 * Invokes the pool's pre authentication trigger.
 * @throws AwsError of the function
 */
export async function preAuthentication({ state, pool, client, metadata }: Auth, user: User): Promise<void> {
  await trigger(state, pool, 'PreAuthentication', {
    source: 'PreAuthentication_Authentication',
    userName: user.username,
    clientId: client.id,
    request: { userAttributes: attributesFor(user), validationData: metadata ?? {}, userNotFound: false },
    response: {},
  });
}

/**
 * Completes a successful sign-in: invokes the post authentication trigger and issues tokens.
 * @param source of the pre token generation trigger
 */
export async function complete(
  auth: Auth,
  user: User,
  session: Session | undefined,
  source = 'TokenGeneration_Authentication',
): Promise<AuthAnswer> {
  const { state, pool, client, metadata, endpoint } = auth;
  const known = session?.deviceKey;
  const device = known === undefined ? newDevice(auth) : undefined;
  await trigger(state, pool, 'PostAuthentication', {
    source: 'PostAuthentication_Authentication',
    userName: user.username,
    clientId: client.id,
    request: {
      userAttributes: attributesFor(user),
      newDeviceUsed: device !== undefined,
      ...(metadata && { clientMetadata: metadata }),
    },
    response: {},
  });
  if (session) state.sessions.delete(session.id);
  recordSignIn(auth, user.username, { eventResponse: 'Pass' });
  if (auth.finish) {
    auth.finish(user, auth.eventId);
    return {};
  }
  const grant = beginGrant(auth, user, {
    scopes: auth.scopes ?? [ADMIN_SCOPE],
    withRefresh: true,
    eventId: auth.eventId,
    deviceKey: device?.DeviceKey ?? known,
    deviceGroupKey: device?.DeviceGroupKey,
  });
  const result = await issueTokens(auth, user, grant, { source, endpoint, metadata }).catch((error: unknown) => {
    state.revoke(grant.id);
    throw error;
  });
  return {
    AuthenticationResult: { ...result, ...(device && { NewDeviceMetadata: device }) },
    ChallengeParameters: {},
  };
}
