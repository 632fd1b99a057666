import type { Pool, User } from '../records.ts';
import type { CognitoState } from '../state.ts';
import { isCaseSensitive } from './case.ts';

/** Returns the attributes with which users may sign in, besides user names. */
export const aliasesOf = ({ settings }: Pool): readonly string[] =>
  settings.UsernameAttributes ?? settings.AliasAttributes ?? [];

/**
 * Returns a user by user name, sub, or an alias that the pool allows. An e-mail address or phone number is an alias if
 * verified; if it serves as user name, it always is.
 */
export function findUser(pool: Pool, name: string, state: CognitoState): User | undefined {
  const byName = state.user(pool, name);
  if (byName) return byName;
  const index = state.index(pool.id);
  const bySub = index.first('sub', name);
  if (bySub !== undefined) return state.userByKey(bySub);
  const exact = isCaseSensitive(pool);
  const kind = pool.settings.UsernameAttributes ? 'given' : 'alias';
  for (const alias of aliasesOf(pool)) {
    for (const { key } of index.find(`${kind}:${alias}`, name.toLowerCase(), false)) {
      const user = state.userByKey(key);
      if (user && (!exact || user.attributes[alias] === name)) return user;
    }
  }
  return undefined;
}

/** Returns the owner of an alias, except a given user. */
export function holderOf(
  pool: Pool,
  alias: string,
  value: string,
  state: CognitoState,
  except?: Pick<User, 'username'>,
): User | undefined {
  const exact = isCaseSensitive(pool);
  const kind = pool.settings.UsernameAttributes && alias !== 'preferred_username' ? 'given' : 'alias';
  for (const { key } of state.index(pool.id).find(`${kind}:${alias}`, value.toLowerCase(), false)) {
    const user = state.userByKey(key);
    if (!user || user.username === except?.username) continue;
    if (!exact || user.attributes[alias] === value) return user;
  }
  return undefined;
}
