import { type DeepReadonly, defineResource } from '@emu/core';
import type { SecretRecord } from './records.ts';
import { tagging } from './tags.ts';

/** The secrets of one account and region, as they are looked for. */
interface SecretRegistry {
  find(name: string): DeepReadonly<SecretRecord> | undefined;
  list(): DeepReadonly<SecretRecord>[];
  /** How many there are, with those that wait for their end. */
  readonly number: number;
}

/** A hyphen and the six random characters that an ARN has after the name. */
const SUFFIX_LENGTH = 7;

/**
 * Secrets: named by name, by ARN, or by the ARN without its random end. The id is what the ARN has: the name with that
 * end, or the name alone until the secret has been found.
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_awssecretsmanager.html
 */
export const secretType = defineResource({
  name: 'Secret',
  service: 'secretsmanager',
  scope: 'region',
  format: 'secret:{id+}',
  cloudFormation: 'AWS::SecretsManager::Secret',
  arnMembers: ['SecretId'],
  identify({ SecretId: id, Name: name }, place) {
    const given = id ?? name;
    // Where it is an ARN it is read as one.
    return typeof given !== 'string' || given.startsWith('arn:') ? undefined : { key: { id: given }, place };
  },
  find(registry: SecretRegistry, { id }) {
    const secret = secretOf(registry, id);
    return secret && { id: idOf(secret) };
  },
  list: (registry) => registry.list().map((secret) => ({ id: idOf(secret) })),
  count: ({ number }) => number,
  tags: (registry, { id }) => tagging.record(secretOf(registry, id)?.tags),
  policy: (registry, { id }) => secretOf(registry, id)?.policy,
});

/** The id that the ARN of a secret has. */
export const idOf = ({ arn }: Pick<DeepReadonly<SecretRecord>, 'arn'>): string => secretType.parse(arn)!.key.id;

/** The secret of an id, or of a name. */
function secretOf(registry: SecretRegistry, id: string): DeepReadonly<SecretRecord> | undefined {
  const whole = registry.find(id.slice(0, -SUFFIX_LENGTH));
  return whole && idOf(whole) === id ? whole : registry.find(id);
}
