import type { PassedRoles } from '../plugin/authorization.ts';
import type { OperationContext } from '../plugin/context.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import { passRole } from '../policy/pass-role.ts';

/**
 * Returns the permissions to pass the roles that an input names, one for each role and service.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
 */
export function passedRoles<State>(
  members: PassedRoles<State>,
  input: unknown,
  ctx: OperationContext<State>,
): AuthorizationRequest[] {
  const requests = new Map<string, AuthorizationRequest>();
  for (const [path, passed] of Object.entries(members)) {
    const service = typeof passed === 'string' ? passed : passed.service;
    for (const value of textsAt(input, path.split('.'))) {
      const role = typeof passed === 'string' ? value : passed.role(value, ctx, input);
      if (role) requests.set(`${service} ${role}`, passRole(role, service));
    }
  }
  return [...requests.values()];
}

/** Returns the texts at a path. */
function textsAt(value: unknown, path: readonly string[]): string[] {
  if (typeof value === 'string') return path.length === 0 ? [value] : [];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, path));
  const [name, ...rest] = path;
  const members = Object.entries(value);
  if (name === '**') return [...textsAt(value, rest), ...members.flatMap(([, member]) => textsAt(member, path))];
  return members.flatMap(([key, member]) => (key === name || name === '*' ? textsAt(member, rest) : []));
}
