import { nameMatcher } from '@emu/core/service';
import { isObject, parseJson } from '@emu/wire';
import { invalid } from '../errors.ts';
import type { JsonObject } from '../templates/values.ts';

const MEMBERS = new Set(['Effect', 'Action', 'NotAction', 'Principal', 'Resource', 'NotResource', 'Condition']);
const ACTIONS = /^(\*|Update:(\*|Modify|Replace|Delete))$/;

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

/**
 * Validates a stack policy.
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/protect-stack-resources.html
 */
export function checkPolicy(text: string): string {
  const refuse = () => invalid('Error validating stack policy: Invalid stack policy');
  let document: unknown;
  try {
    document = parseJson(text);
  } catch {
    throw refuse();
  }
  if (!isObject(document)) throw refuse();
  for (const statement of listOf(document.Statement)) {
    if (!isObject(statement) || Object.keys(statement).some((name) => !MEMBERS.has(name))) throw refuse();
    const { Effect, Action, NotAction, Principal } = statement;
    if (Effect !== 'Allow' && Effect !== 'Deny') throw refuse();
    if (Principal !== '*' && !(isObject(Principal) && Principal.AWS === '*')) throw refuse();
    const actions = listOf(Action ?? NotAction);
    if (actions.length === 0 || actions.some((action) => typeof action !== 'string' || !ACTIONS.test(action)))
      throw refuse();
  }
  return text;
}

/**
 * Rejects a stack policy that names resources which the stack lacks. Patterns may match nothing.
 * @param has whether the stack has a resource
 * @throws AwsError `ValidationError`
 * @see https://github.com/sparkleformation/sfn/issues/238
 */
export function checkPolicyResources(policy: string, has: (logicalId: string) => boolean): void {
  const { Statement } = JSON.parse(policy) as JsonObject;
  for (const { Resource, NotResource } of listOf(Statement) as JsonObject[])
    for (const name of [...listOf(Resource), ...listOf(NotResource)]) {
      const logicalId = typeof name === 'string' ? /^LogicalResourceId\/([^*?]+)$/.exec(name)?.[1] : undefined;
      if (logicalId !== undefined && !has(logicalId))
        throw invalid(
          `Error validating stack policy: Unknown logical id '${name}' in statement {} - stack policies can only be applied to logical ids referenced in the template`,
        );
    }
}

const anyMatches = (patterns: unknown, value: string): boolean =>
  listOf(patterns).some((pattern) => typeof pattern === 'string' && nameMatcher(pattern, false)(value));

function applies(statement: JsonObject, action: string, resource: string, type: string): boolean {
  const { Action, NotAction, Resource, NotResource, Condition } = statement;
  if (Action !== undefined ? !anyMatches(Action, action) : anyMatches(NotAction, action)) return false;
  if (NotResource !== undefined ? anyMatches(NotResource, resource) : !anyMatches(Resource ?? '*', resource))
    return false;
  if (!isObject(Condition)) return true;
  return Object.entries(Condition).every(([operator, keys]) => {
    if (!isObject(keys)) return true;
    const values = keys.ResourceType;
    return operator === 'StringLike' || operator === 'StringEquals'
      ? anyMatches(values, type)
      : !anyMatches(values, type);
  });
}

/**
 * Returns why a stack policy denies an update action on a resource; undefined if it allows it. The reason shows the
 * actions and resources of the denying statement.
 * @param action e.g. `Update:Replace`
 */
export function deniedByPolicy(policy: string, action: string, logicalId: string, type: string): string | undefined {
  const { Statement } = JSON.parse(policy) as JsonObject;
  const statements = listOf(Statement) as JsonObject[];
  if (statements.length === 0) return undefined;
  const resource = `LogicalResourceId/${logicalId}`;
  const denying = statements.findIndex(
    (statement) => statement.Effect === 'Deny' && applies(statement, action, resource, type),
  );
  if (denying >= 0) {
    const { Action, NotAction, Resource = resource } = statements[denying]!;
    return `Action denied by stack policy: Statement [#${denying + 1}] does not allow [${listOf(Action ?? NotAction).join(', ')}] for resource [${listOf(Resource).join(', ')}];`;
  }
  const allowed = statements.some(
    (statement) => statement.Effect === 'Allow' && applies(statement, action, resource, type),
  );
  return allowed ? undefined : 'Action not allowed by stack policy';
}
