import type { DeclaredQuota, QuotaDirectory } from '@emu/core/service';

const IAM_PAGE = 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html';

/** The greatest value that AWS approves for a quota. */
interface Maximum {
  readonly most: number;
  /** Page that documents it. */
  readonly page: string;
}

/** Greatest values by service and quota code, where AWS documents one. Without one, any value is approved. */
const MAXIMA: Readonly<Record<string, Maximum>> = {
  'dynamodb/L-F98FE922': {
    most: 10_000,
    page: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html',
  },
  'iam/L-4019AD8B': { most: 20, page: IAM_PAGE },
  'iam/L-6E65F664': { most: 5000, page: IAM_PAGE },
  'iam/L-BF35879D': { most: 1000, page: IAM_PAGE },
  'iam/L-F4A5425F': { most: 500, page: IAM_PAGE },
  'iam/L-FE177D64': { most: 5000, page: IAM_PAGE },
  's3/L-DC2B2D3D': {
    most: 1_000_000,
    page: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/BucketRestrictions.html',
  },
};

/**
 * Quotas of security groups: rules per group times groups per network interface must not exceed 1,000.
 * @see https://docs.aws.amazon.com/vpc/latest/userguide/amazon-vpc-limits.html
 */
const SECURITY_GROUPS: Readonly<Record<string, string>> = { 'L-0EA8095F': 'L-2AEEBF1A', 'L-2AEEBF1A': 'L-0EA8095F' };
const MAX_RULES = 1000;

/**
 * Returns the reason why AWS would not approve a value.
 * @returns undefined if AWS would approve it
 */
export async function reasonToDeny(
  quota: DeclaredQuota,
  value: number,
  directory: QuotaDirectory,
  accountId: string,
  region: string,
): Promise<string | undefined> {
  const { serviceCode, code } = quota;
  const maximum = MAXIMA[`${serviceCode}/${code}`];
  if (maximum && value > maximum.most)
    return `${value} is more than ${maximum.most}, the greatest value of ${serviceCode}/${code}.`;
  const otherCode = serviceCode === 'vpc' ? SECURITY_GROUPS[code] : undefined;
  const other = otherCode === undefined ? undefined : await directory.find(serviceCode, otherCode);
  if (!other) return undefined;
  const { appliedValue } = directory.state(other, accountId, region);
  return value * appliedValue > MAX_RULES
    ? `${value} times ${appliedValue} is more than ${MAX_RULES}: rules of a security group times security groups of a network interface.`
    : undefined;
}
