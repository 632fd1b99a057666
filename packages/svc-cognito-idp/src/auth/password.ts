import { createHash } from 'node:crypto';
import { invalidParameter, notAuthorized, passwordResetRequired } from '../errors.ts';
import type { Session, User } from '../records.ts';
import { beginSrp, isClientValue, isPassword, proofOf, same } from '../srp/srp.ts';
import { findUser } from '../users/find.ts';
import { matches, srpIdentity } from '../users/passwords.ts';
import {
  type Auth,
  type AuthAnswer,
  challenge,
  checkMaySignIn,
  hidesUsers,
  preAuthentication,
  unknownUser,
} from './auth.ts';
import { deviceOf } from './devices.ts';
import { isCompromised, recordSignIn } from './events.ts';
import { checkLock, countWrongPassword, resetWrongPasswords } from './lockout.ts';
import { migrate } from './migrate.ts';
import { addressStanding, riskOf } from './risks.ts';
import { afterDevice, afterFirstFactor } from './steps.ts';

const WRONG = 'Incorrect username or password.';
/** Dummy verifier, so that unknown users take as long as existing ones. */
const DUMMY_VERIFIER = { salt: '00'.repeat(16), verifier: '02' };

/**
 * Signs in with a password.
 * @throws AwsError
 */
export async function withPassword(
  auth: Auth,
  username: string,
  password: string,
  session?: Session,
): Promise<AuthAnswer> {
  const { pool, state } = auth;
  const found =
    findUser(pool, username, state) ?? (await migrate(auth, username, password, 'UserMigration_Authentication'));
  if (!found) {
    await isPassword(srpIdentity(pool.id, username), password, DUMMY_VERIFIER);
    throw unknownUser(auth);
  }
  await preAuthentication(auth, found);
  if (found.status === 'RESET_REQUIRED') throw passwordResetRequired();
  if (!found.enabled) throw notAuthorized('User is disabled.');
  checkLock(found, state);
  if (!(await matches(found, password))) throw wrong(auth, found);
  const user = resetWrongPasswords(found, state);
  if (isCompromised(state, pool.id, password)) compromised(auth, user);
  recordRightPassword(auth, user);
  return afterFirstFactor(auth, user, session);
}

/** Counts a wrong password and returns its error. */
function wrong(auth: Auth, user: User): Error {
  const { state, pool } = auth;
  countWrongPassword(state.user(pool, user.username) ?? user, state);
  recordSignIn(auth, user.username, { eventResponse: 'Fail', challenges: [{ name: 'Password', response: 'Failure' }] });
  return notAuthorized(WRONG);
}

const recordRightPassword = (auth: Auth, { username }: User): unknown =>
  recordSignIn(auth, username, {
    eventResponse: 'InProgress',
    challenges: [{ name: 'Password', response: 'Success' }],
  });

/** Records a compromised password, and rejects it if the pool's protection is configured to. */
function compromised(auth: Auth, user: User): void {
  const { state, pool, client, origin } = auth;
  const risk = riskOf(pool, client, state);
  if (addressStanding(risk, origin.ip) === 'skipped') return;
  const { Actions, EventFilter } = risk?.compromised ?? {};
  if (EventFilter?.length && !EventFilter.includes('SIGN_IN')) return;
  const isEnforced = pool.settings.UserPoolAddOns?.AdvancedSecurityMode === 'ENFORCED';
  const isRefused = isEnforced && Actions?.EventAction !== 'NO_ACTION';
  recordSignIn(auth, user.username, {
    eventResponse: isRefused ? 'Fail' : 'InProgress',
    compromisedCredentialsDetected: true,
    riskDecision: isRefused ? 'Block' : 'AccountTakeover',
    riskLevel: 'High',
  });
  if (!isRefused) return;
  state.updateUser(user, (draft) => {
    draft.status = 'RESET_REQUIRED';
  });
  throw passwordResetRequired();
}

/** Starts a sign-in by SRP: returns the salt and the server's public value. */
export async function withSrp(
  auth: Auth,
  username: string,
  clientValue: string,
  more: { custom?: boolean; rounds?: Session['rounds'] } = {},
): Promise<AuthAnswer> {
  const { pool, state } = auth;
  if (!isClientValue(clientValue)) throw invalidParameter('SRP_A is not a valid value');
  const user = findUser(pool, username, state);
  if (!user && !hidesUsers(auth)) throw unknownUser(auth);
  if (user) {
    await preAuthentication(auth, user);
    if (user.status === 'RESET_REQUIRED') throw passwordResetRequired();
    if (!user.enabled) throw notAuthorized('User is disabled.');
    checkLock(user, state);
  }
  const { salt, verifier } = user?.password ?? fakeVerifier(auth, username);
  const values = await beginSrp(verifier, (length) => state.ids.bytes(length));
  const name = user?.username ?? username;
  const answer = challenge(
    auth,
    {
      challenge: 'PASSWORD_VERIFIER',
      givenName: username,
      ...(user && { username: user.username }),
      ...(auth.deviceKey !== undefined && { deviceKey: auth.deviceKey }),
      ...(more.custom && { custom: true }),
      ...(more.rounds && { rounds: more.rounds.map((round) => ({ ...round })) }),
      srp: { a: clientValue, ...values, salt },
    },
    { USER_ID_FOR_SRP: name, USERNAME: name, SALT: shortest(salt), SRP_B: values.B },
  );
  answer.ChallengeParameters!.SECRET_BLOCK = answer.Session!;
  // The secret block is the session of this challenge; only custom flows also return `Session`.
  if (!more.custom) delete answer.Session;
  return answer;
}

const shortest = (hex: string): string => hex.replace(/^0+(?=.)/, '');

/** Returns the salt and verifier for an unknown user, stable for a name like those of existing users. */
function fakeVerifier({ pool }: Auth, username: string): { salt: string; verifier: string } {
  const hash = createHash('sha256').update(`${pool.id}/${pool.createdAt}/${username}`).digest('hex');
  return { salt: hash.slice(0, 32), verifier: hash };
}

/** Client's proof of a password by SRP. */
export interface Proof {
  signature: string;
  secretBlock: string;
  timestamp: string;
}

/**
 * Verifies a proof of the user's password.
 * @returns the user
 * @throws AwsError
 */
export async function checkProof(auth: Auth, session: Session, proof: Proof): Promise<User> {
  const { state, pool } = auth;
  const { srp, username } = session;
  const user = username === undefined ? undefined : state.user(pool, username);
  const identity = srpIdentity(pool.id, username ?? session.givenName);
  const verifier = user?.password?.verifier ?? fakeVerifier(auth, session.givenName).verifier;
  // A session is valid for one proof.
  state.sessions.delete(session.id);
  const expected = await proofOf(
    { ...srp!, verifier },
    identity,
    Buffer.from(proof.secretBlock, 'base64'),
    proof.timestamp,
  );
  const isRight = same(Buffer.from(expected), Buffer.from(proof.signature));
  if (!user) throw notAuthorized(WRONG);
  checkLock(user, state);
  if (!isRight || !user.password) throw wrong(auth, user);
  recordRightPassword(auth, user);
  return resetWrongPasswords(user, state);
}

/** Continues after the password proof. */
export async function withProof(auth: Auth, session: Session, proof: Proof): Promise<AuthAnswer> {
  const user = await checkProof(auth, session, proof);
  checkMaySignIn(user);
  return afterFirstFactor(auth, user, session);
}

/** Starts the proof of a device. */
export async function withDeviceSrp(
  auth: Auth,
  session: Session,
  deviceKey: string,
  clientValue: string,
): Promise<AuthAnswer> {
  const { pool, state } = auth;
  const user = state.user(pool, session.username ?? '');
  const device = user && deviceOf(user, deviceKey, state);
  if (!user || !device?.verifier || !device.salt || session.deviceKey !== deviceKey)
    throw notAuthorized('Device does not exist.');
  if (!isClientValue(clientValue)) throw invalidParameter('SRP_A is not a valid value');
  const verifier = Buffer.from(device.verifier, 'base64').toString('hex');
  const salt = Buffer.from(device.salt, 'base64').toString('hex');
  const values = await beginSrp(verifier, (length) => state.ids.bytes(length));
  state.sessions.delete(session.id);
  const answer = challenge(
    auth,
    {
      challenge: 'DEVICE_PASSWORD_VERIFIER',
      username: user.username,
      givenName: session.givenName,
      deviceKey,
      srp: { a: clientValue, ...values, salt },
    },
    { USERNAME: user.username, DEVICE_KEY: deviceKey, SALT: shortest(salt), SRP_B: values.B },
  );
  answer.ChallengeParameters!.SECRET_BLOCK = answer.Session!;
  return answer;
}

/** Continues after the device proof. */
export async function withDeviceProof(auth: Auth, session: Session, proof: Proof): Promise<AuthAnswer> {
  const { pool, state } = auth;
  const user = state.user(pool, session.username ?? '');
  const device = user && deviceOf(user, session.deviceKey ?? '', state);
  state.sessions.delete(session.id);
  if (!user || !device?.verifier) throw notAuthorized('Device does not exist.');
  const verifier = Buffer.from(device.verifier, 'base64').toString('hex');
  const identity = { group: device.groupKey, name: device.key };
  const expected = await proofOf(
    { ...session.srp!, verifier },
    identity,
    Buffer.from(proof.secretBlock, 'base64'),
    proof.timestamp,
  );
  if (!same(Buffer.from(expected), Buffer.from(proof.signature))) throw notAuthorized(WRONG);
  checkMaySignIn(user);
  state.devices.update(`${user.poolId}/${user.username}/${device.key}`, (draft) => {
    draft.lastAuthenticatedAt = state.clock.now();
    if (auth.origin.ip !== undefined) draft.lastIp = auth.origin.ip;
  });
  return afterDevice(auth, user, session);
}
