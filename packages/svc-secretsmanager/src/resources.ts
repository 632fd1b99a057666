import { type DeepReadonly, defineResource } from '@emu/core/service';
import type { SecretRecord } from './records.ts';
import { tagging } from './tags.ts';

/** Look-up of the secrets of one account and region. */
interface SecretRegistry {
  find(name: string): DeepReadonly<SecretRecord> | undefined;
  list(): DeepReadonly<SecretRecord>[];
  /** Number of secrets, including those scheduled for deletion. */
  readonly number: number;
}

/** Random suffix of an ARN: a hyphen and six characters. */
const SUFFIX_LENGTH = 7;

/**
 * Secrets, named by name, ARN, or ARN without random suffix. The id is the name with the suffix, or without it until
 * the secret has been found.
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
    // An id that is an ARN is parsed as one.
    return typeof given !== 'string' || given.startsWith('arn:') ? undefined : { key: { id: given }, place };
  },
  find(registry: SecretRegistry, { id }) {
    const secret = secretOf(registry, id);
    return secret && { id: idOf(secret) };
  },
  list: (registry) => registry.list().map((secret) => ({ id: idOf(secret) })),
  count: ({ number }) => number,
  tags: (registry, { id }) => tagging.recordOf(secretOf(registry, id)?.tags),
  policy: (registry, { id }) => secretOf(registry, id)?.policy,
});

/** Returns the id in the ARN of a secret. */
export const idOf = ({ arn }: Pick<DeepReadonly<SecretRecord>, 'arn'>): string => secretType.parse(arn)!.key.id;

/** Returns the secret with an id or a name. */
function secretOf(registry: SecretRegistry, id: string): DeepReadonly<SecretRecord> | undefined {
  const whole = registry.find(id.slice(0, -SUFFIX_LENGTH));
  return whole && idOf(whole) === id ? whole : registry.find(id);
}
