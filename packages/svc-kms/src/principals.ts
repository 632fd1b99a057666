import { type Principal, parseArn } from '@emu/core';

/** Account and name of the role that an ARN of IAM or of a session names; undefined for anything else. */
function roleOf(text: string, service: 'iam' | 'sts'): { accountId: string; name: string } | undefined {
  const arn = parseArn(text);
  if (arn?.service !== service) return undefined;
  const [kind, ...path] = arn.resource.split('/');
  // A role's path stands before its name, the name of a session after it.
  const name = service === 'iam' ? path.at(-1) : path[0];
  if (kind !== (service === 'iam' ? 'role' : 'assumed-role') || !name) return undefined;
  return { accountId: arn.accountId, name };
}

/** Whether a principal that a policy or a grant names is the caller: itself, or the role whose session it is. */
export function isNamed(named: string | undefined, { arn, type }: Pick<Principal, 'arn' | 'type'>): boolean {
  if (named === undefined) return false;
  if (named === arn) return true;
  const session = type === 'assumed-role' ? roleOf(arn, 'sts') : undefined;
  const role = roleOf(named, 'iam');
  return session !== undefined && session.accountId === role?.accountId && session.name === role.name;
}
