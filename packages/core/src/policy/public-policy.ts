import { isObject } from '@emu/wire';
import { listOf, readPolicy, statementsOf } from './json.ts';

/**
 * Condition keys that limit access to known principals.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
 */
const NARROWING =
  /^(aws:(SourceIp|SourceArn|SourceVpc|SourceVpce|SourceOwner|SourceAccount|userid|PrincipalOrgID|PrincipalOrgPaths|PrincipalArn|PrincipalAccount)|s3:(x-amz-server-side-encryption-aws-kms-key-id|DataAccessPointArn|DataAccessPointAccount))$/i;

/** Whether a policy grants public access. The policy was validated when it was set. */
export function isPublicPolicy(text: string): boolean {
  return statementsOf(readPolicy(text)).some((statement) => {
    if (statement.Effect !== 'Allow') return false;
    const principal = statement.Principal;
    const anybody = principal === '*' || (isObject(principal) && listOf(principal.AWS).includes('*'));
    if (!anybody) return false;
    const { Condition: conditions } = statement;
    const keys = Object.values(isObject(conditions) ? conditions : {}).flatMap((test) =>
      Object.entries(isObject(test) ? test : {}),
    );
    return !keys.some(
      ([key, value]) =>
        NARROWING.test(key) && !listOf(value).some((one) => String(one).includes('*') || one === '0.0.0.0/0'),
    );
  });
}
