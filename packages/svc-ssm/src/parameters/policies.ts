import type { DeepReadonly } from '@emu/core/service';
import type { ParameterInlinePolicy } from '@emu/service-types/ssm';
import { parseJson } from '@emu/wire';
import { ssmError } from '../errors.ts';
import type { ParameterPolicy } from '../records.ts';

const UNITS: Readonly<Record<string, number>> = { Days: 86_400_000, Hours: 3_600_000 };
const MAX_POLICIES = 10;

interface PolicyDocument {
  Type?: unknown;
  Version?: unknown;
  Attributes?: Record<string, unknown>;
}

const invalidAttribute = (message: string) => ssmError('InvalidPolicyAttributeException', message);

/**
 * Parses the policies of a request.
 * @param text JSON list of policies; an empty list removes existing ones
 * @param now epoch milliseconds
 * @throws AwsError `InvalidPolicyTypeException`, `InvalidPolicyAttributeException`, `PoliciesLimitExceededException`,
 * `IncompatiblePolicyException`
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-policies.html
 */
export function readPolicies(text: string, now: number): ParameterPolicy[] {
  const documents = parse(text);
  if (documents.length > MAX_POLICIES)
    throw ssmError('PoliciesLimitExceededException', `A parameter can have at most ${MAX_POLICIES} policies.`);
  const expirations = documents.filter(({ Type }) => Type === 'Expiration');
  if (expirations.length > 1)
    throw ssmError('IncompatiblePolicyException', 'A parameter can have one policy of type Expiration only.');
  const expiresAt = expirations[0] && timestampOf(expirations[0], now);
  return documents.map((document) => {
    const type = document.Type;
    const policy = { text: JSON.stringify(document), done: false };
    switch (type) {
      case 'Expiration':
        return { ...policy, type, dueAt: expiresAt! };
      case 'ExpirationNotification':
        if (expiresAt === undefined)
          throw ssmError(
            'IncompatiblePolicyException',
            'A policy of type ExpirationNotification needs one of type Expiration.',
          );
        return { ...policy, type, dueAt: expiresAt - durationOf(document, 'Before') };
      case 'NoChangeNotification':
        return { ...policy, type, dueAt: now + durationOf(document, 'After') };
      default:
        throw ssmError('InvalidPolicyTypeException', `There is no policy of type ${String(type)}.`);
    }
  });
}

function parse(text: string): PolicyDocument[] {
  let documents: unknown;
  try {
    documents = parseJson(text);
  } catch {
    throw invalidAttribute('The policies are not valid JSON.');
  }
  const list = Array.isArray(documents) ? (documents as unknown[]) : [documents];
  if (list.some((one) => typeof one !== 'object' || one === null))
    throw invalidAttribute('The policies are not a JSON list of objects.');
  return list.filter((one) => Object.keys(one as object).length > 0) as PolicyDocument[];
}

function timestampOf({ Attributes }: PolicyDocument, now: number): number {
  const text = Attributes?.Timestamp;
  const time = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw invalidAttribute('The attribute Timestamp of an Expiration policy is not a time.');
  if (time <= now) throw invalidAttribute('The attribute Timestamp of an Expiration policy is in the past.');
  return time;
}

function durationOf({ Type, Attributes }: PolicyDocument, name: 'Before' | 'After'): number {
  const unit = UNITS[String(Attributes?.Unit)];
  const count = Number(Attributes?.[name]);
  if (unit === undefined || !Number.isInteger(count) || count <= 0)
    throw invalidAttribute(`A ${String(Type)} policy needs ${name}, a whole number, and Unit, Days or Hours.`);
  return unit * count;
}

/** Returns policies as shown in responses. */
export const describePolicies = (policies: DeepReadonly<ParameterPolicy[]>): ParameterInlinePolicy[] =>
  policies.map(({ type, text, done }) => ({
    PolicyText: text,
    PolicyType: type,
    PolicyStatus: done ? 'Finished' : 'Pending',
  }));
