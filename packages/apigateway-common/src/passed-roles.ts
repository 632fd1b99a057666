/**
 * Returns the role that credentials of an integration or authorizer name; undefined where they select the caller's
 * identity by the pattern for all users.
 */
export const credentialsRole = (arn: string): string | undefined => (arn.includes(':role/') ? arn : undefined);

/** Members of an OpenAPI document's extensions that name the role of an integration or authorizer. */
const CREDENTIALS: ReadonlySet<string> = new Set(['credentials', 'authorizerCredentials']);

/**
 * Returns the roles that the extensions of an OpenAPI document give to API Gateway.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */
export function documentRoles(document: unknown): string[] {
  const roles = new Set<string>();
  // YAML's aliases repeat objects, which are read once.
  const seen = new Set<object>();
  const pending: unknown[] = [document];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [name, member] of Object.entries(value)) {
      const role = typeof member === 'string' && CREDENTIALS.has(name) ? credentialsRole(member) : undefined;
      if (role !== undefined) roles.add(role);
      pending.push(member);
    }
  }
  return [...roles];
}
