import type { PassedRoles } from '../plugin/authorization.ts';
import type { OperationContext } from '../plugin/context.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import { passRole } from '../policy/pass-role.ts';

/**
 * Returns the permissions to pass the roles in an input, one for each role and service.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
 */
export function passedRoles<State>(
  members: PassedRoles<State>,
  input: unknown,
  ctx: OperationContext<State>,
): AuthorizationRequest[] {
  const requests = new Map<string, AuthorizationRequest>();
  for (const [path, passed] of Object.entries(members)) {
    const { service, role } = typeof passed === 'string' ? { service: passed, role: named } : passed;
    const receiver = typeof service === 'string' ? service : service(input);
    for (const value of textsAt(input, path.split('.')))
      for (const arn of [role(value, ctx, input) ?? []].flat())
        if (arn) requests.set(`${receiver} ${arn}`, passRole(arn, receiver));
  }
  return [...requests.values()];
}

/** Returns the value of a member that is the role's ARN. */
const named = (value: string): string => value;

/** Returns the texts at a path. */
function textsAt(value: unknown, path: readonly string[]): string[] {
  if (typeof value === 'string') return path.length === 0 ? [value] : [];
  if (value instanceof Uint8Array) return path.length === 0 ? [Buffer.from(value).toString()] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, path));
  const [name, ...rest] = path;
  const members = Object.entries(value);
  if (name === '**') return [...textsAt(value, rest), ...members.flatMap(([, member]) => textsAt(member, path))];
  return members.flatMap(([key, member]) => (key === name || name === '*' ? textsAt(member, rest) : []));
}
