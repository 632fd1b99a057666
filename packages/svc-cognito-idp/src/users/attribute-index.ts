import sortedBTree from 'sorted-btree';
import type { User } from '../records.ts';

// The package is CommonJS: what `import` gives is its exports, and the class is their `default`.
const BTree = sortedBTree.default;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Attributes by which ListUsers finds users. */
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

/** Users of one pool by name, alias, group, and the attributes that can be searched for; nothing is found by scanning. */
export class AttributeIndex {
  /** Keys of users by what is indexed, its value and the key itself. */
  private readonly tree = new BTree<string, string>(undefined, compare);

  /** Adds a user, or takes one away. @param key of the user in the pool */
  change(key: string, before: User | undefined, after: User | undefined): void {
    const gone = new Set(before && entriesOf(key, before));
    for (const entry of after ? entriesOf(key, after) : []) if (!gone.delete(entry)) this.tree.set(entry, key);
    for (const entry of gone) this.tree.delete(entry);
  }

  /**
   * Keys of users whose value of something indexed is, or begins with, a text, in order of value and key.
   * @param after where to go on: what `place` said of the last one
   */
  *find(what: string, text: string, isPrefix: boolean, after?: string): Generator<{ key: string; place: string }> {
    const start = `${what}${SEPARATOR}${text}${isPrefix ? '' : SEPARATOR}`;
    let place = this.tree.nextHigherKey(after !== undefined && after > start ? after : start);
    while (place?.startsWith(start)) {
      yield { key: this.tree.get(place)!, place };
      place = this.tree.nextHigherKey(place);
    }
  }

  /** The first user found; undefined where there is none. */
  first(what: string, text: string): string | undefined {
    for (const { key } of this.find(what, text, false)) return key;
    return undefined;
  }
}

/** What a user is found by. */
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

/** How an identity of another provider is looked for. */
export const identityKey = (providerName: string, userId: string): string => `${providerName}${SEPARATOR}${userId}`;
