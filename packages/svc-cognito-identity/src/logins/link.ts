import type { CognitoIdentityContext } from '../context.ts';
import { conflict, forbidden, identityNotFound, loginsDiffer, notAuthorized } from '../errors.ts';
import type { LocatedIdentity, LocatedPool } from '../lookup.ts';
import type { Identity, Login } from '../records.ts';
import type { Claims } from './token.ts';
import { OWN_PROVIDER, type VerifiedLogin, verifyLogins, verifyOwnToken } from './verify.ts';

/** An identity that a request may use, with the verified logins. */
export interface Authenticated {
  readonly identity: Identity;
  readonly logins: readonly VerifiedLogin[];
  /** Claims of the identity's own token, if given. */
  readonly own: Claims | undefined;
}

/** A verified unsigned request. Nothing changes before it is accepted. */
export interface Claimed extends Authenticated {
  /** Links the new logins to the identity. */
  accept(): void;
}

const plain = (logins: readonly Login[]): Login[] => logins.map(({ provider, subject }) => ({ provider, subject }));

const linkedElsewhere = () => conflict('Logins are already linked to another identity.');

/** Returns an identity's logins with further ones. An identity has one user per provider. */
function withLogins(identity: Identity, added: readonly Login[]): Login[] {
  const known = plain(identity.logins);
  for (const login of plain(added)) {
    const same = known.find(({ provider }) => provider === login.provider);
    if (!same) known.push(login);
    else if (same.subject !== login.subject) throw linkedElsewhere();
  }
  return known;
}

/**
 * Returns the identity of logins and links the new ones to it. Creates an identity if none is known.
 * @throws AwsError `ResourceConflictException` for logins of different identities
 */
export function identityFor({ state, pool }: LocatedPool, logins: readonly Login[]): Identity {
  const found = new Set(logins.map((login) => state.identityOf(pool.id, login)).filter((one) => one !== undefined));
  if (found.size > 1) throw linkedElsewhere();
  const [identity] = found;
  if (!identity) return state.createIdentity(pool.id, plain(logins));
  const linked = withLogins(identity, logins);
  return linked.length === identity.logins.length ? identity : state.setLogins(identity, linked);
}

/**
 * Returns an identity's logins with further ones.
 * @throws AwsError `ResourceConflictException` for a login of another identity
 */
function linkable({ state, pool }: LocatedPool, identity: Identity, logins: readonly Login[]): Login[] {
  for (const login of logins) {
    const other = state.identityOf(pool.id, login);
    if (other && other.id !== identity.id) throw linkedElsewhere();
  }
  return withLogins(identity, logins);
}

/** Links logins to an identity. @throws AwsError `ResourceConflictException` for a login of another identity */
export function link(located: LocatedPool, identity: Identity, logins: readonly Login[]): Identity {
  const linked = linkable(located, identity, logins);
  return linked.length === identity.logins.length ? identity : located.state.setLogins(identity, linked);
}

/**
 * Checks whether a request may use an identity: without logins as a guest, with a linked login, or with its own token.
 * Further logins are linked when the request is accepted.
 * @throws AwsError `NotAuthorizedException`, `ResourceConflictException`
 */
export async function authenticate(
  located: LocatedIdentity,
  tokens: Readonly<Record<string, string>>,
  ctx: CognitoIdentityContext,
): Promise<Claimed> {
  const { identity, pool } = located;
  if (identity.disabled) throw forbidden(identity.id);
  if (!Object.keys(tokens).length) {
    if (identity.logins.length) throw forbidden(identity.id);
    if (!pool.settings.allowUnauthenticated) throw guestsRefused();
    return { identity, logins: [], own: undefined, accept: () => undefined };
  }
  const ownToken = tokens[OWN_PROVIDER];
  const own = ownToken === undefined ? undefined : verifyOwnToken(ownToken, identity.id, ctx);
  const logins = await verifyLogins(pool, tokens, ctx);
  const isKnown = logins.some(({ provider, subject }) =>
    identity.logins.some((one) => one.provider === provider && one.subject === subject),
  );
  if (!own && !isKnown && identity.logins.length) throw loginsDiffer();
  linkable(located, identity, logins);
  const accept = (): void => {
    // Read again, because another request may have linked a login meanwhile.
    const current = located.state.identity(identity.id);
    if (!current) throw identityNotFound(identity.id);
    link(located, current, logins);
  };
  return { identity, logins, own, accept };
}

/** Error for guests. */
export const guestsRefused = (): Error =>
  notAuthorized('Unauthenticated access is not supported for this identity pool.');
