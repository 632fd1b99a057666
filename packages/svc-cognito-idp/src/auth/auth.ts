import type { AuthenticationResultType, ChallengeNameType } from '@emu/service-types/cognito-idp';
import { notAuthorized, passwordResetRequired, userNotConfirmed, userNotFound } from '../errors.ts';
import type { LocatedClient } from '../lookup.ts';
import type { Session, User } from '../records.ts';
import { ADMIN_SCOPE } from '../tokens/claims.ts';
import { beginGrant, issueTokens } from '../tokens/issue.ts';
import { attributesFor, trigger } from '../triggers/invoke.ts';
import { newDevice } from './devices.ts';
import { noteSignIn } from './events.ts';
import type { RequestOrigin } from './origin.ts';
import { beginSession, type NewSession } from './sessions.ts';

/** A sign-in under way: whose, through which client, and how. */
export interface Auth extends LocatedClient {
  readonly admin: boolean;
  /** Base URL by which the caller reached emu. */
  readonly endpoint: string;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly origin: RequestOrigin;
  /** Id of the authentication event that the sign-in is, from its first request to its tokens. */
  readonly eventId: string;
  /** Whether its risk needs a second factor, even of users and devices that are not asked for one otherwise. */
  readonly isAtRisk?: boolean;
  /** Device that the client says it runs on. */
  readonly deviceKey?: string | undefined;
  /** Scopes that the tokens get; of Cognito's own operations by default. */
  readonly scopes?: string[];
  /** What to do instead of making tokens, where the hosted pages sign somebody in. */
  finish?(user: User, eventId: string): void;
}

/** What a step of a sign-in answers. */
export interface AuthAnswer {
  ChallengeName?: ChallengeNameType;
  Session?: string;
  ChallengeParameters?: Record<string, string>;
  AuthenticationResult?: AuthenticationResultType;
  AvailableChallenges?: ChallengeNameType[];
}

/** Whether clients are not to notice that a user does not exist. */
export const hidesUsers = ({ client }: Pick<LocatedClient, 'client'>): boolean =>
  client.preventUserExistenceErrors === 'ENABLED';

/** The refusal of a user who does not exist. */
export const unknownUser = (auth: Auth): Error =>
  hidesUsers(auth) ? notAuthorized('Incorrect username or password.') : userNotFound();

/** Asks for a challenge, in a new session. */
export function challenge(
  { pool, client, state, admin, eventId, isAtRisk }: Auth,
  session: Omit<NewSession, 'admin' | 'eventId' | 'isAtRisk'>,
  parameters: Record<string, string>,
): AuthAnswer {
  const { id } = beginSession(pool, client, { ...session, admin, eventId, ...(isAtRisk && { isAtRisk }) }, state);
  return { ChallengeName: session.challenge, Session: id, ChallengeParameters: parameters };
}

/** @throws AwsError where a user may not sign in, whatever they know */
export function checkStanding({ enabled, status }: User): void {
  if (!enabled) throw notAuthorized('User is disabled.');
  if (status === 'UNCONFIRMED') throw userNotConfirmed();
  if (status === 'RESET_REQUIRED') throw passwordResetRequired();
}

/** Asks the pool's function whether somebody may sign in. @throws AwsError of the function */
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
 * Ends a sign-in that has succeeded: tells the pool's function, and makes tokens.
 * @param source of the trigger before tokens are made
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
  noteSignIn(auth, user.username, { eventResponse: 'Pass' });
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
