import { invalidLambdaResponse, invalidParameter, notAuthorized, unexpectedLambda } from '../errors.ts';
import type { ChallengeRound, Session, User } from '../records.ts';
import { attributesFor, functionOf, trigger } from '../triggers/invoke.ts';
import { findUser } from '../users/find.ts';
import {
  type Auth,
  type AuthAnswer,
  challenge,
  checkMaySignIn,
  complete,
  preAuthentication,
  unknownUser,
} from './auth.ts';
import { persistentMembers, secondFactor } from './mfa.ts';
import { withSrp } from './password.ts';
import { assess } from './risks.ts';

const WRONG = 'Incorrect username or password.';
/** Maximum number of rounds of a sign-in. */
const MAX_ROUNDS = 50;

/** Returns the trigger input for a response's metadata; metadata of InitiateAuth is not passed to triggers. */
const metadataMember = (metadata: Auth['metadata']) => (metadata ? { clientMetadata: metadata } : {});

/** Starts a sign-in with challenges defined by the pool's functions. */
export async function withCustom(auth: Auth, username: string, clientValue: string | undefined): Promise<AuthAnswer> {
  const { pool, state } = auth;
  if (functionOf(pool, 'DefineAuthChallenge') === undefined)
    throw invalidParameter('Custom auth lambda trigger is not configured for the user pool.');
  const user = findUser(pool, username, state);
  if (!user) throw unknownUser(auth);
  if (clientValue === undefined) {
    await preAuthentication(auth, user);
    checkMaySignIn(user);
    return next({ ...auth, metadata: undefined }, user, [], undefined, undefined);
  }
  const rounds = [{ challengeName: 'SRP_A', challengeResult: true }];
  return next({ ...auth, metadata: undefined }, user, rounds, undefined, clientValue);
}

/**
 * Invokes the pool's functions for the next step.
 * @param clientValue A of SRP, if the client sent one
 */
export async function next(
  auth: Auth,
  user: User,
  rounds: readonly ChallengeRound[],
  session: Session | undefined,
  clientValue?: string,
): Promise<AuthAnswer> {
  const { state, pool, client, metadata } = auth;
  if (rounds.length > MAX_ROUNDS) throw notAuthorized(WRONG);
  const call = { userName: user.username, clientId: client.id };
  const userAttributes = attributesFor(user);
  const decided = await trigger(state, pool, 'DefineAuthChallenge', {
    ...call,
    source: 'DefineAuthChallenge_Authentication',
    request: { userAttributes, session: rounds, ...metadataMember(metadata), userNotFound: false },
    response: { challengeName: null, issueTokens: null, failAuthentication: null },
  });
  if (decided?.failAuthentication === true) {
    if (session) state.sessions.delete(session.id);
    throw notAuthorized(WRONG);
  }
  if (decided?.issueTokens === true) {
    checkMaySignIn(user);
    const assessed = { ...auth, isAtRisk: await assess(auth, user, 'custom') };
    const asked = assessed.isAtRisk ? await secondFactor(assessed, user, session) : undefined;
    if (asked && session) state.sessions.delete(session.id);
    return asked ?? complete(assessed, user, session);
  }
  const name = decided?.challengeName;
  if (name === 'PASSWORD_VERIFIER' && clientValue !== undefined)
    return withSrp(auth, user.username, clientValue, { custom: true, rounds });
  if (name !== 'CUSTOM_CHALLENGE')
    throw invalidLambdaResponse('Invalid lambda trigger response: challengeName must be CUSTOM_CHALLENGE.');
  const created = await trigger(state, pool, 'CreateAuthChallenge', {
    ...call,
    source: 'CreateAuthChallenge_Authentication',
    request: { userAttributes, challengeName: name, session: rounds, ...metadataMember(metadata), userNotFound: false },
    response: { publicChallengeParameters: null, privateChallengeParameters: null, challengeMetadata: null },
  });
  if (!created) throw unexpectedLambda('CreateAuthChallenge is not configured for this user pool.');
  if (session) state.sessions.delete(session.id);
  const { challengeMetadata } = created;
  const round = {
    challengeName: name,
    challengeResult: false,
    ...(typeof challengeMetadata === 'string' && { challengeMetadata }),
  };
  return challenge(
    auth,
    {
      ...persistentMembers(user, session),
      challenge: 'CUSTOM_CHALLENGE',
      custom: true,
      rounds: [...rounds.map((one) => ({ ...one })), round],
      privateChallenge: texts(created.privateChallengeParameters),
    },
    { USERNAME: user.username, ...texts(created.publicChallengeParameters) },
  );
}

/** Verifies an answer with the pool's function and continues. */
export async function withCustomAnswer(auth: Auth, session: Session, answer: string): Promise<AuthAnswer> {
  const { state, pool, client, metadata } = auth;
  const user = state.user(pool, session.username ?? '');
  if (!user) throw notAuthorized(WRONG);
  const judged = await trigger(state, pool, 'VerifyAuthChallengeResponse', {
    source: 'VerifyAuthChallengeResponse_Authentication',
    userName: user.username,
    clientId: client.id,
    request: {
      userAttributes: attributesFor(user),
      privateChallengeParameters: session.privateChallenge ?? {},
      challengeAnswer: answer,
      ...metadataMember(metadata),
      userNotFound: false,
    },
    response: { answerCorrect: null },
  });
  if (!judged) throw unexpectedLambda('VerifyAuthChallengeResponse is not configured for this user pool.');
  const rounds = (session.rounds ?? []).map((round) => ({ ...round }));
  rounds.at(-1)!.challengeResult = judged.answerCorrect === true;
  return next(auth, user, rounds, session);
}

const texts = (value: unknown): Record<string, string> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]))
    : {};
