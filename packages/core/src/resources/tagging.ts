import type { AwsError } from '@emu/wire';
import type { DeepReadonly } from '../collections/readonly.ts';

/** Tags by key: core's form, for any form of a service. */
export type TagRecord = Readonly<Record<string, string>>;

/** A service's form of tags. */
export interface TagForm<Written> {
  /** Returns key-value pairs in order; a request may have a key twice. */
  entries(tags: DeepReadonly<Written> | undefined): [key: string, value: string][];
  /** Returns tags in the service's form. */
  from(entries: Iterable<readonly [key: string, value: string]>): Written;
}

/** Returns the form of a list of objects, with the given member names for key and value. */
export function tagsAsList<Key extends string, Value extends string>(
  key: Key,
  value: Value,
): TagForm<{ [Name in Key | Value]: string }[]> {
  type Tag = { [Name in Key | Value]: string };
  return {
    entries: (tags = []) =>
      (tags as readonly Partial<Tag>[]).map((tag) => [tag[key] ?? '', tag[value] ?? ''] as [string, string]),
    from: (entries) => [...entries].map(([name, text]) => ({ [key]: name, [value]: text }) as Tag),
  };
}

/** An object with a member for each tag. */
export const tagsAsMap: TagForm<Record<string, string>> = {
  entries: (tags) => Object.entries(tags ?? {}),
  from: (entries) => Object.fromEntries(entries),
};

/** A problem of tags; each service words the message. */
export type TagProblem =
  | { readonly code: 'reserved' | 'duplicate' | 'key-length'; readonly key: string }
  | { readonly code: 'value-length'; readonly key: string; readonly value: string }
  /** `value` if the value, not the key, has invalid characters. */
  | { readonly code: 'characters'; readonly key: string; readonly value?: string }
  /** @see https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html */
  | { readonly code: 'too-many'; readonly count: number };

/** Rules of a service's tags. */
export interface TagRules<Shown, Kept> {
  /** Form in requests and responses. */
  readonly form: TagForm<Shown>;
  /** Form in records; by default that of requests. */
  readonly kept?: TagForm<Kept>;
  /** Maximum number of tags of a resource; 50 by default. */
  readonly most?: number;
  /** Whether keys ignore case, as in IAM. */
  readonly ignoresCase?: boolean;
  /** Whether a request may have a key twice, where the last value counts. */
  readonly repeats?: boolean;
  /**
   * Returns the service's error; undefined if it accepts the problem.
   * @param resource name of the resource, if the caller gives it
   */
  refuse(problem: TagProblem, resource: string | undefined): AwsError | undefined;
}

const MAX_TAGS = 50;
const MAX_KEY_LENGTH = 128;
const MAX_VALUE_LENGTH = 256;
const RESERVED = /^aws:/i;
const CHARACTERS = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Adds, removes and checks the tags of a service's resources. */
export class Tagging<Shown, Kept = Shown> {
  private readonly form: TagForm<Shown>;
  private readonly kept: TagForm<Kept>;

  constructor(private readonly rules: TagRules<Shown, Kept>) {
    this.form = rules.form;
    this.kept = rules.kept ?? (rules.form as unknown as TagForm<Kept>);
  }

  /**
   * Returns tags with others added, which replace those of the same keys.
   * @param existing undefined for a new resource
   * @param resource its name, for services whose errors contain it
   * @throws AwsError of the rules
   */
  merge(
    existing: DeepReadonly<Kept> | undefined,
    added: DeepReadonly<Shown> | undefined,
    resource?: string | undefined,
  ): Kept {
    const merged = new Map(this.kept.entries(existing).map((entry) => [this.identityOf(entry[0]), entry]));
    for (const [identity, entry] of this.checked(added, resource)) merged.set(identity, entry);
    if (merged.size > (this.rules.most ?? MAX_TAGS)) this.refuse({ code: 'too-many', count: merged.size }, resource);
    return this.kept.from(merged.values());
  }

  /** Returns tags without those of some keys; ignores unknown keys. */
  remove(existing: DeepReadonly<Kept> | undefined, keys: readonly string[]): Kept {
    const gone = new Set(keys.map((key) => this.identityOf(key)));
    return this.kept.from(this.kept.entries(existing).filter(([key]) => !gone.has(this.identityOf(key))));
  }

  /** Returns the tags of a record in the form of responses. */
  show(existing: DeepReadonly<Kept> | undefined): Shown {
    return this.form.from(this.kept.entries(existing));
  }

  /** Returns the tags of a request as an object; undefined stays undefined. */
  record(tags: DeepReadonly<Shown> | undefined): TagRecord | undefined {
    return tags === undefined ? undefined : Object.fromEntries(this.form.entries(tags));
  }

  /** Returns the tags of a record as an object; undefined stays undefined. */
  recordOf(existing: DeepReadonly<Kept> | undefined): TagRecord | undefined {
    return existing === undefined ? undefined : Object.fromEntries(this.kept.entries(existing));
  }

  private checked(added: DeepReadonly<Shown> | undefined, resource: string | undefined): Map<string, [string, string]> {
    const entries = new Map<string, [string, string]>();
    for (const entry of this.form.entries(added)) {
      const [key, value] = entry;
      const identity = this.identityOf(key);
      if (entries.has(identity) && !this.rules.repeats) this.refuse({ code: 'duplicate', key }, resource);
      this.check(key, value, resource);
      entries.set(identity, entry);
    }
    return entries;
  }

  private check(key: string, value: string, resource: string | undefined): void {
    if (key.length < 1 || key.length > MAX_KEY_LENGTH) this.refuse({ code: 'key-length', key }, resource);
    if (value.length > MAX_VALUE_LENGTH) this.refuse({ code: 'value-length', key, value }, resource);
    if (RESERVED.test(key)) this.refuse({ code: 'reserved', key }, resource);
    if (!CHARACTERS.test(key)) this.refuse({ code: 'characters', key }, resource);
    if (!CHARACTERS.test(value)) this.refuse({ code: 'characters', key, value }, resource);
  }

  private identityOf(key: string): string {
    return this.rules.ignoresCase ? key.toLowerCase() : key;
  }

  private refuse(problem: TagProblem, resource: string | undefined): void {
    const error = this.rules.refuse(problem, resource);
    if (error) throw error;
  }
}
