import { type Principal, parseArn } from '@emu/core/service';

/** Returns account and role name from the ARN of a role or session; undefined for another ARN. */
function roleOf(text: string, service: 'iam' | 'sts'): { accountId: string; name: string } | undefined {
  const arn = parseArn(text);
  if (arn?.service !== service) return undefined;
  const [kind, ...path] = arn.resource.split('/');
  // A role's ARN has a path before the name, a session's ARN the session name after it.
  const name = service === 'iam' ? path.at(-1) : path[0];
  if (kind !== (service === 'iam' ? 'role' : 'assumed-role') || !name) return undefined;
  return { accountId: arn.accountId, name };
}

/** Whether a principal in a policy or grant is the caller or the role of the caller's session. */
export function isNamed(named: string | undefined, { arn, type }: Pick<Principal, 'arn' | 'type'>): boolean {
  if (named === undefined) return false;
  if (named === arn) return true;
  const session = type === 'assumed-role' ? roleOf(arn, 'sts') : undefined;
  const role = roleOf(named, 'iam');
  return session !== undefined && session.accountId === role?.accountId && session.name === role.name;
}
