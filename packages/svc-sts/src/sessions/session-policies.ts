import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { parseArn } from '@emu/core/service';
import type { PolicyDescriptorType, Tag } from '@emu/service-types/sts';
import { violationText } from '@emu/wire';
import { invalid, stsError } from '../errors.ts';
import { checkSessionPolicy } from './policy-document.ts';

const MAX_POLICY_ARNS = 10;
/**
 * Packed bytes that equal 100 percent. AWS does not document its packed format. With deflate, this size accepts the
 * policies and tags that AWS's documented limits allow in practice.
 */
const PACKED_BYTES = 1024;

const compress = promisify(deflateRaw);

/** Policies and tags of a new session. */
export interface SessionScope {
  Policy?: string | undefined;
  PolicyArns?: readonly PolicyDescriptorType[] | undefined;
  Tags?: readonly Tag[] | undefined;
}

/** Validated policies of a session. */
export interface SessionPolicies {
  policies?: string[];
  policyArns?: string[];
  /** Used percentage of the packed size; undefined without policies and tags. */
  packedSize: number | undefined;
}

/**
 * Validates session policies and measures them together with the session tags.
 * @param partition of managed policies
 * @throws AwsError `MalformedPolicyDocument`, `PackedPolicyTooLarge` or `ValidationError`
 */
export async function sessionPolicies(scope: SessionScope, partition: string): Promise<SessionPolicies> {
  const { Policy: policy, PolicyArns: descriptors = [], Tags: tags = [] } = scope;
  if (descriptors.length > MAX_POLICY_ARNS) {
    const shown = `[${descriptors.map(({ arn }) => `PolicyDescriptorType(arn=${arn ?? 'null'})`).join(', ')}]`;
    throw invalid(
      violationText('policyArns', `Member must have length less than or equal to ${MAX_POLICY_ARNS}`, shown),
    );
  }
  const policyArns = descriptors.map(({ arn }) => checkPolicyArn(arn, partition));
  const document = policy === undefined ? undefined : checkSessionPolicy(policy);
  return {
    ...(policy !== undefined && { policies: [policy] }),
    ...(policyArns.length && { policyArns }),
    packedSize: await packedSize(document, policyArns, tags),
  };
}

async function packedSize(
  document: string | undefined,
  policyArns: readonly string[],
  tags: readonly Tag[],
): Promise<number | undefined> {
  if (document === undefined && !policyArns.length && !tags.length) return undefined;
  const plain = JSON.stringify([document ?? '', policyArns, tags.map(({ Key, Value }) => [Key, Value])]);
  const percentage = Math.ceil(((await compress(plain)).length * 100) / PACKED_BYTES);
  if (percentage <= 100) return percentage;
  throw stsError(
    'PackedPolicyTooLargeException',
    document === undefined && !policyArns.length
      ? `Packed size of session tags consumes ${percentage}% of allotted space.`
      : `Packed policy consumes ${percentage}% of allotted space, please use smaller policy.`,
  );
}

function checkPolicyArn(value: string | undefined, partition: string): string {
  const arn = value === undefined ? undefined : parseArn(value);
  if (
    value === undefined ||
    arn?.service !== 'iam' ||
    arn.partition !== partition ||
    arn.region !== '' ||
    !/^(aws|\d{12})$/.test(arn.accountId) ||
    !arn.resource.startsWith('policy/')
  )
    throw invalid(`ARN ${value ?? ''} is not valid.`);
  return value;
}
