import { type AwsError, awsError } from '@emu/wire';
import { isObject, type Json, listOf } from './json.ts';

const malformed = (message: string): AwsError => awsError('MalformedPolicy', message, { status: 400 });

/** Bytes of the longest policy. */
const MAX_POLICY = 20 * 1024;

/** @throws AwsError `MalformedPolicy` */
function parse(text: string): Json {
  if (!text.trimStart().startsWith('{')) throw malformed("Policies must be valid JSON and the first byte must be '{'");
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw malformed('This policy contains invalid Json');
  }
  return policy as Json;
}

/**
 * Checks the grammar of a policy of S3's: of a bucket, an access point, or what else S3 Control has policies for.
 * @param covers whether the policy may be about a resource
 * @throws AwsError `MalformedPolicy`, `PolicyTooLarge`
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-policy-language-overview.html
 */
export function checkS3Policy(text: string, covers: (resource: string) => boolean): void {
  const policy = parse(text);
  if (Buffer.byteLength(text) > MAX_POLICY)
    throw awsError('PolicyTooLarge', 'Your policy exceeds the maximum allowed document size.', { status: 400 });
  if (policy.Statement === undefined) throw malformed('Missing required field Statement');
  if (policy.Version !== undefined && policy.Version !== '2012-10-17' && policy.Version !== '2008-10-17')
    throw malformed('The policy must contain a valid version string');
  const statements = listOf(policy.Statement);
  if (statements.length === 0) throw malformed('Could not parse the policy: Statement is empty!');
  for (const statement of statements) checkStatement(statement, covers);
}

function checkStatement(statement: unknown, covers: (resource: string) => boolean): void {
  if (!isObject(statement)) throw malformed('Invalid policy syntax.');
  const { Effect: effect, Principal: principal, NotPrincipal: notPrincipal } = statement;
  if (effect === undefined) throw malformed('Missing required field Effect');
  if (effect !== 'Allow' && effect !== 'Deny') throw malformed(`Invalid effect: ${String(effect)}`);
  if (principal === undefined && notPrincipal === undefined) throw malformed('Missing required field Principal');
  if (principal !== undefined && principal !== '*' && !isObject(principal)) throw malformed('Invalid policy syntax.');
  const actions = listOf(statement.Action ?? statement.NotAction);
  if (actions.length === 0) throw malformed('Missing required field Action');
  for (const action of actions)
    if (typeof action !== 'string' || !/^(\*|s3[a-z-]*:[\w*?]+)$/i.test(action))
      throw malformed('Policy has invalid action');
  const resources = listOf(statement.Resource ?? statement.NotResource);
  if (resources.length === 0) throw malformed('Missing required field Resource');
  for (const resource of resources) {
    if (typeof resource !== 'string' || !covers(resource)) throw malformed('Policy has invalid resource');
  }
}

/** Condition keys that narrow access to somebody known. @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html */
const NARROWING =
  /^(aws:(SourceIp|SourceArn|SourceVpc|SourceVpce|SourceOwner|SourceAccount|userid|PrincipalOrgID|PrincipalOrgPaths|PrincipalArn|PrincipalAccount)|s3:(x-amz-server-side-encryption-aws-kms-key-id|DataAccessPointArn|DataAccessPointAccount))$/i;

/** Whether a policy gives anybody access. It has been checked when it was put. */
export function isPublicPolicy(text: string): boolean {
  return listOf(parse(text).Statement).some((statement) => {
    if (!isObject(statement) || statement.Effect !== 'Allow') return false;
    const principal = statement.Principal;
    const anybody = principal === '*' || (isObject(principal) && listOf(principal.AWS).includes('*'));
    if (!anybody) return false;
    const keys = Object.values((statement.Condition as Json | undefined) ?? {}).flatMap((test) =>
      Object.entries(isObject(test) ? test : {}),
    );
    return !keys.some(
      ([key, value]) =>
        NARROWING.test(key) && !listOf(value).some((one) => String(one).includes('*') || one === '0.0.0.0/0'),
    );
  });
}
