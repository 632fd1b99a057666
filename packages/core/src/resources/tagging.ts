import type { AwsError } from '@emu/wire';
import type { DeepReadonly } from '../collections/readonly.ts';
import type { ConditionTags } from '../policy/tags.ts';

/** Tags by key, as core sees them whatever their form in a service. */
export type TagRecord = Readonly<Record<string, string>>;

/** A form in which tags are written. */
export interface TagForm<Written> {
  /** Pairs in their order; a key may come twice in a request. */
  entries(tags: DeepReadonly<Written> | undefined): [key: string, value: string][];
  /** The same in the service's form. */
  from(entries: Iterable<readonly [key: string, value: string]>): Written;
}

/** A list of objects, whose members for key and value have the given names. */
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

/** What is wrong with tags; each service words it. */
export type TagProblem =
  | { readonly code: 'reserved' | 'duplicate' | 'key-length'; readonly key: string }
  | { readonly code: 'value-length'; readonly key: string; readonly value: string }
  /** `value` where it, not the key, has characters that tags may not have. */
  | { readonly code: 'characters'; readonly key: string; readonly value?: string }
  /** @see https://docs.aws.amazon.com/tag-editor/latest/userguide/tagging.html */
  | { readonly code: 'too-many'; readonly count: number };

/** The rules for a service's tags. */
export interface TagRules<Shown, Kept> {
  /** Form in requests and answers. */
  readonly form: TagForm<Shown>;
  /** Form in records; that of requests by default. */
  readonly kept?: TagForm<Kept>;
  /** Most tags of a resource; 50 by default. */
  readonly most?: number;
  /** Whether keys that differ in case only are one key, as in IAM. */
  readonly ignoresCase?: boolean;
  /** Whether a key may come twice in a request, the last value counting. */
  readonly repeats?: boolean;
  /**
   * The service's refusal; undefined where it lets the problem pass.
   * @param resource name of the resource, where the caller gives it
   */
  refuse(problem: TagProblem, resource: string | undefined): AwsError | undefined;
}

const MOST = 50;
const MAX_KEY_LENGTH = 128;
const MAX_VALUE_LENGTH = 256;
const RESERVED = /^aws:/i;
const CHARACTERS = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Adds, takes away and checks the tags of a service's resources. */
export class Tagging<Shown, Kept = Shown> {
  private readonly form: TagForm<Shown>;
  private readonly kept: TagForm<Kept>;

  constructor(private readonly rules: TagRules<Shown, Kept>) {
    this.form = rules.form;
    this.kept = rules.kept ?? (rules.form as unknown as TagForm<Kept>);
  }

  /**
   * Tags with others added to them, or in the place of those of the same keys.
   * @param existing undefined for a resource that is being made
   * @param resource its name, for services whose refusals name it
   * @throws AwsError of the rules
   */
  merge(
    existing: DeepReadonly<Kept> | undefined,
    added: DeepReadonly<Shown> | undefined,
    resource?: string | undefined,
  ): Kept {
    const merged = new Map(this.kept.entries(existing).map((entry) => [this.identityOf(entry[0]), entry]));
    for (const [identity, entry] of this.checked(added, resource)) merged.set(identity, entry);
    if (merged.size > (this.rules.most ?? MOST)) this.refuse({ code: 'too-many', count: merged.size }, resource);
    return this.kept.from(merged.values());
  }

  /** Tags without those of some keys; keys that are not there do not matter. */
  remove(existing: DeepReadonly<Kept> | undefined, keys: readonly string[]): Kept {
    const gone = new Set(keys.map((key) => this.identityOf(key)));
    return this.kept.from(this.kept.entries(existing).filter(([key]) => !gone.has(this.identityOf(key))));
  }

  /** Returns the tags of a record as answers have them. */
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

  /**
   * Returns what conditions of policies ask of a request: the tags that it sets and the keys that it names.
   * @param input with members that are called as most services call them
   */
  conditions(input: object): Pick<ConditionTags, 'request' | 'keys'> {
    const { Tags, tags = Tags, TagKeys, tagKeys = TagKeys } = input as ConditionInput<Shown>;
    return { request: this.record(tags), keys: tagKeys };
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

interface ConditionInput<Shown> {
  readonly Tags?: DeepReadonly<Shown>;
  readonly tags?: DeepReadonly<Shown>;
  readonly TagKeys?: readonly string[];
  readonly tagKeys?: readonly string[];
}
