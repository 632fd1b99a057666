import type { Filter } from '@emu/service-types/secretsmanager';
import { invalidParameter } from './errors.ts';
import type { Secret } from './state.ts';

/** Whether one text of a secret meets a value of a filter. */
type Test = (secret: Secret, value: string) => boolean;

const startsWith = (text: string | undefined, value: string): boolean => text?.startsWith(value) ?? false;

/** Whether a word of a text begins with a value, whatever their case. */
const wordStartsWith = (text: string | undefined, value: string): boolean => {
  const wanted = value.toLowerCase();
  const lower = text?.toLowerCase() ?? '';
  return lower.startsWith(wanted) || lower.split(/[\s/_+=.@!-]+/).some((word) => word.startsWith(wanted));
};

/** Everything of a secret that `all` looks at. */
const textsOf = (secret: Secret): (string | undefined)[] => [
  secret.name,
  secret.description,
  secret.primaryRegion,
  ...(secret.tags ?? []).flatMap(({ Key, Value }) => [Key, Value]),
];

const TESTS: Record<string, Test> = {
  name: (secret, value) => startsWith(secret.name, value),
  description: (secret, value) => wordStartsWith(secret.description, value),
  'tag-key': (secret, value) => (secret.tags ?? []).some(({ Key }) => startsWith(Key, value)),
  'tag-value': (secret, value) => (secret.tags ?? []).some(({ Value }) => startsWith(Value, value)),
  'primary-region': (secret, value) => startsWith(secret.primaryRegion, value),
  'owning-service': (secret, value) => startsWith(secret.owningService, value),
  all: (secret, value) =>
    value.split(/\s+/).some((word) => word !== '' && textsOf(secret).some((text) => wordStartsWith(text, word))),
};

/**
 * Whether a secret meets every filter: one of its values, or with an exclamation mark before it, not that value.
 * @throws AwsError `InvalidParameterException`
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Filter.html
 */
export function matches(secret: Secret, filters: readonly Filter[] | undefined): boolean {
  return (filters ?? []).every(({ Key: key, Values: values }) => {
    const test = key === undefined ? undefined : TESTS[key];
    if (!test || !values?.length) throw invalidParameter('Invalid filter: it needs a Key and Values.');
    return values.some((value) => (value.startsWith('!') ? !test(secret, value.slice(1)) : test(secret, value)));
  });
}
