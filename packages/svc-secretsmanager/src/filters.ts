import type { Filter } from '@emu/service-types/secretsmanager';
import { invalidParameter } from './errors.ts';
import type { Secret } from './state.ts';

/** Whether a text of a secret matches a filter value. @param region of the secret */
type Test = (secret: Secret, value: string, region: string) => boolean;

const startsWith = (text: string | undefined, value: string): boolean => text?.startsWith(value) ?? false;

/** Returns the words of a text in lower case. They end where the case or the kind of the characters changes. */
const wordsOf = (text: string): string[] =>
  (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+|\p{N}+/gu) ?? []).map((word) => word.toLowerCase());

/** Whether a text, or one of its words, begins with a lower-case word. */
const hasWord = (text: string | undefined, word: string): boolean =>
  text !== undefined && (text.toLowerCase().startsWith(word) || wordsOf(text).some((one) => one.startsWith(word)));

/** Returns the region of the primary secret of a replicated secret. */
const primaryRegionOf = ({ primaryRegion, replicas }: Secret, region: string): string | undefined =>
  primaryRegion ?? (replicas && region);

/** Returns all texts of a secret for the filter `all`. */
const textsOf = (secret: Secret, region: string): (string | undefined)[] => [
  secret.name,
  secret.description,
  primaryRegionOf(secret, region),
  ...(secret.tags ?? []).flatMap(({ Key, Value }) => [Key, Value]),
];

const TESTS: Record<string, Test> = {
  name: (secret, value) => startsWith(secret.name, value),
  description: (secret, value) => wordsOf(value).every((word) => hasWord(secret.description, word)),
  'tag-key': (secret, value) => (secret.tags ?? []).some(({ Key }) => startsWith(Key, value)),
  'tag-value': (secret, value) => (secret.tags ?? []).some(({ Value }) => startsWith(Value, value)),
  'primary-region': (secret, value, region) => startsWith(primaryRegionOf(secret, region), value),
  'owning-service': (secret, value) => startsWith(secret.owningService, value),
  all: (secret, value, region) =>
    wordsOf(value).some((word) => textsOf(secret, region).some((text) => hasWord(text, word))),
};

/**
 * Returns a function that checks whether a secret matches every filter: one of its values, or with a leading
 * exclamation mark not that value.
 * @param region of the secrets
 * @throws AwsError `InvalidParameterException`, even without secrets
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/manage_search-secret.html
 */
export function matcherOf(filters: readonly Filter[] | undefined, region: string): (secret: Secret) => boolean {
  const conditions = (filters ?? []).map(({ Key: key, Values: values }) => {
    const test = key === undefined ? undefined : TESTS[key];
    if (!test || !values?.length) throw invalidParameter('Invalid filter: it needs a Key and Values.');
    return (secret: Secret): boolean =>
      values.some((value) =>
        value.startsWith('!') ? !test(secret, value.slice(1), region) : test(secret, value, region),
      );
  });
  return (secret) => conditions.every((holds) => holds(secret));
}
