import type { AwsError } from '@emu/wire';
import type { DeepReadonly } from '../collections/readonly.ts';

/** Tags by key, as core sees them whatever their form in a service. */
export type TagRecord = Readonly<Record<string, string>>;

/** The form in which a service takes, keeps and shows tags. */
export interface TagForm<Stored> {
  /** Pairs in their order; a key may come twice in a request. */
  entries(tags: DeepReadonly<Stored> | undefined): [key: string, value: string][];
  /** The same in the service's form. */
  from(entries: Iterable<readonly [key: string, value: string]>): Stored;
}

/** A list of objects, whose members for key and value have the given names. */
export function tagList<Key extends string, Value extends string>(
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
export const tagMap: TagForm<Record<string, string>> = {
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
export interface TagRules<Stored> {
  readonly form: TagForm<Stored>;
  /** Most tags of a resource; 50 by default. */
  readonly most?: number;
  /** Whether keys that differ in case only are one key, as in IAM. */
  readonly ignoresCase?: boolean;
  /** Whether a key may come twice in a request, the last value counting. */
  readonly repeats?: boolean;
  /** The service's refusal; undefined where it lets the problem pass. */
  refuse(problem: TagProblem): AwsError | undefined;
}

const MOST = 50;
const MAX_KEY_LENGTH = 128;
const MAX_VALUE_LENGTH = 256;
const RESERVED = /^aws:/i;
const CHARACTERS = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Adds, takes away and checks the tags of a service's resources. */
export class Tagging<Stored> {
  private readonly form: TagForm<Stored>;

  constructor(private readonly rules: TagRules<Stored>) {
    this.form = rules.form;
  }

  /**
   * Tags with others added to them, or in the place of those of the same keys.
   * @param existing undefined for a resource that is being made
   * @throws AwsError of the rules
   */
  merge(existing: DeepReadonly<Stored> | undefined, added: DeepReadonly<Stored> | undefined): Stored {
    const merged = new Map(this.form.entries(existing).map((entry) => [this.identityOf(entry[0]), entry]));
    for (const [identity, entry] of this.checked(added)) merged.set(identity, entry);
    if (merged.size > (this.rules.most ?? MOST)) this.refuse({ code: 'too-many', count: merged.size });
    return this.form.from(merged.values());
  }

  /** Tags without those of some keys; keys that are not there do not matter. */
  remove(existing: DeepReadonly<Stored> | undefined, keys: readonly string[]): Stored {
    const gone = new Set(keys.map((key) => this.identityOf(key)));
    return this.form.from(this.form.entries(existing).filter(([key]) => !gone.has(this.identityOf(key))));
  }

  /** The same as an object; undefined stays undefined. */
  record(tags: DeepReadonly<Stored> | undefined): TagRecord | undefined {
    return tags === undefined ? undefined : Object.fromEntries(this.form.entries(tags));
  }

  private checked(added: DeepReadonly<Stored> | undefined): Map<string, [string, string]> {
    const entries = new Map<string, [string, string]>();
    for (const entry of this.form.entries(added)) {
      const [key, value] = entry;
      const identity = this.identityOf(key);
      if (entries.has(identity) && !this.rules.repeats) this.refuse({ code: 'duplicate', key });
      this.check(key, value);
      entries.set(identity, entry);
    }
    return entries;
  }

  private check(key: string, value: string): void {
    if (key.length < 1 || key.length > MAX_KEY_LENGTH) this.refuse({ code: 'key-length', key });
    if (value.length > MAX_VALUE_LENGTH) this.refuse({ code: 'value-length', key, value });
    if (RESERVED.test(key)) this.refuse({ code: 'reserved', key });
    if (!CHARACTERS.test(key)) this.refuse({ code: 'characters', key });
    if (!CHARACTERS.test(value)) this.refuse({ code: 'characters', key, value });
  }

  private identityOf(key: string): string {
    return this.rules.ignoresCase ? key.toLowerCase() : key;
  }

  private refuse(problem: TagProblem): void {
    const error = this.rules.refuse(problem);
    if (error) throw error;
  }
}
