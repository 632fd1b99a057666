import sortedBTree from 'sorted-btree';
import type { User } from '../records.ts';

// The package is CommonJS: the default import is `module.exports`, whose `default` is the class.
const BTree = sortedBTree.default;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Attributes supported by the filter of ListUsers. */
export const SEARCHABLE = [
  'email',
  'phone_number',
  'name',
  'given_name',
  'family_name',
  'preferred_username',
  'sub',
] as const;

const SEPARATOR = '\u0000';

/** Index of a pool's users by name, alias, group and searchable attributes. */
export class AttributeIndex {
  /** User keys by indexed name, value and key. */
  private readonly tree = new BTree<string, string>(undefined, compare);

  /**
   * Adds, updates or removes a user.
   * @param key of the user in the pool
   */
  change(key: string, before: User | undefined, after: User | undefined): void {
    const gone = new Set(before && entriesOf(key, before));
    for (const entry of after ? entriesOf(key, after) : []) if (!gone.delete(entry)) this.tree.set(entry, key);
    for (const entry of gone) this.tree.delete(entry);
  }

  /**
   * Yields keys of users whose indexed value equals, or starts with, a text, ordered by value and key.
   * @param after exclusive start, the `place` of a previous result
   */
  *find(what: string, text: string, isPrefix: boolean, after?: string): Generator<{ key: string; place: string }> {
    const start = `${what}${SEPARATOR}${text}${isPrefix ? '' : SEPARATOR}`;
    let place = this.tree.nextHigherKey(after !== undefined && after > start ? after : start);
    while (place?.startsWith(start)) {
      yield { key: this.tree.get(place)!, place };
      place = this.tree.nextHigherKey(place);
    }
  }

  /** Returns the first match; undefined if there is none. */
  first(what: string, text: string): string | undefined {
    for (const { key } of this.find(what, text, false)) return key;
    return undefined;
  }
}

/** Returns the index entries of a user. */
function entriesOf(key: string, user: User): string[] {
  const entry = (what: string, value: string): string => [what, value, key].join(SEPARATOR);
  const found = [
    entry('all', ''),
    entry('username', user.username),
    entry('status', user.enabled ? 'Enabled' : 'Disabled'),
    entry('cognito:user_status', user.status.toLowerCase()),
  ];
  for (const name of SEARCHABLE) {
    const value = name === 'sub' ? user.sub : user.attributes[name];
    if (value !== undefined) found.push(entry(name, value));
  }
  for (const alias of ['email', 'phone_number'] as const) {
    const value = user.attributes[alias];
    if (value === undefined) continue;
    found.push(entry(`given:${alias}`, value.toLowerCase()));
    if (user.attributes[`${alias}_verified`] === 'true') found.push(entry(`alias:${alias}`, value.toLowerCase()));
  }
  const preferred = user.attributes.preferred_username;
  if (preferred !== undefined) found.push(entry('alias:preferred_username', preferred.toLowerCase()));
  for (const group of user.groups) found.push(entry('group', group));
  for (const { providerName, userId } of user.identities ?? [])
    found.push(entry('identity', `${providerName}${SEPARATOR}${userId}`));
  return found;
}

/** Returns the index value of an identity of another provider. */
export const identityKey = (providerName: string, userId: string): string => `${providerName}${SEPARATOR}${userId}`;
