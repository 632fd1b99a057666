import type { InputOf, OutputOf } from '@emu/service-types/lambda';
import type { LambdaContext } from '../context.ts';
import { checkRevision, conflict, functionNotFound, invalidParameterValue, notFound } from '../errors.ts';
import { LATEST } from '../function-name.ts';
import { aliasNotFound, targetOf } from '../names.ts';
import { checkPolicySize, policyDocument, statementOf } from '../policy.ts';
import type { PolicyStatement } from '../records.ts';
import type { LambdaState } from '../state.ts';

/** The function, version or alias of a policy. */
interface PolicyTarget {
  state: LambdaState;
  name: string;
  qualifier: string | undefined;
  /** Key of the policy record. */
  key: string;
}

function policyTarget(
  input: { FunctionName: string; Qualifier?: string | undefined },
  ctx: LambdaContext,
): PolicyTarget {
  const { state, name, qualifier } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  if (qualifier === LATEST) throw invalidParameterValue('We currently do not support adding policies for $LATEST.');
  return { state, name, qualifier, key: `${name}:${qualifier ?? LATEST}` };
}

/** Rejects a missing version or alias. */
function requireQualified({ state, name, qualifier, key }: PolicyTarget): void {
  if (state.versions.has(key) || state.aliases.has(key)) return;
  const isAlias = qualifier !== undefined && /^(?!\d+$)[a-zA-Z0-9-_]+$/.test(qualifier);
  throw isAlias ? aliasNotFound(state, name, qualifier) : functionNotFound(state.functionArn(name, qualifier));
}

const revisionOf = ({ state, key }: PolicyTarget): string =>
  (state.versions.get(key) ?? state.aliases.get(key))!.revisionId;

/** Stores a policy and changes the revision of its resource. */
function putStatements({ state, key }: PolicyTarget, statements: PolicyStatement[]): void {
  const revisionId = state.ids.uuid();
  if (statements.length) state.policies.put(key, { statements, revisionId });
  else state.policies.delete(key);
  const owner = state.versions.has(key) ? state.versions : state.aliases;
  owner.update(key, (draft) => {
    draft.revisionId = revisionId;
  });
}

/** Adds a statement to the policy of a function, version or alias. */
export function AddPermission(input: InputOf<'AddPermission'>, ctx: LambdaContext): OutputOf<'AddPermission'> {
  const target = policyTarget(input, ctx);
  const { state, name, qualifier, key } = target;
  if (!state.functions.has(name)) throw functionNotFound(state.functionArn(name));
  requireQualified(target);
  const policy = state.policies.get(key);
  checkRevision(input.RevisionId, revisionOf(target), policy ? 'GetFunction/GetAlias' : 'GetPolicy');
  const statements = structuredClone(policy?.statements ?? []) as PolicyStatement[];
  const { StatementId: sid } = input;
  if (statements.some(({ Sid }) => Sid === sid))
    throw conflict(
      `The statement id (${sid}) provided already exists. Please provide a new statement id, or remove the existing statement.`,
    );
  const statement = statementOf(input, state.functionArn(name, qualifier), ctx.region);
  statements.push(statement);
  checkPolicySize(statements);
  putStatements(target, statements);
  return { Statement: JSON.stringify(statement) };
}

/** Removes a statement. */
export function RemovePermission(input: InputOf<'RemovePermission'>, ctx: LambdaContext): OutputOf<'RemovePermission'> {
  const target = policyTarget(input, ctx);
  const { state, name, key } = target;
  if (!state.functions.has(name)) throw notFound(`No policy found for: ${state.functionArn(name)}`);
  requireQualified(target);
  const policy = state.policies.get(key);
  if (!policy) throw notFound('No policy is associated with the given resource.');
  const { StatementId: sid } = input;
  const statements = structuredClone(policy.statements) as PolicyStatement[];
  const index = statements.findIndex(({ Sid }) => Sid === sid);
  if (index < 0) throw notFound(`Statement ${sid} is not found in resource policy.`);
  checkRevision(input.RevisionId, revisionOf(target), 'GetFunction/GetAlias');
  statements.splice(index, 1);
  putStatements(target, statements);
  return {};
}

/** Returns the policy of a function, version or alias. */
export function GetPolicy(input: InputOf<'GetPolicy'>, ctx: LambdaContext): OutputOf<'GetPolicy'> {
  const { state, name, qualifier } = targetOf(ctx.state, input.FunctionName, input.Qualifier);
  const policy = state.policies.get(`${name}:${qualifier ?? LATEST}`);
  if (!policy) throw notFound('The resource you requested does not exist.');
  return { Policy: policyDocument(policy.statements), RevisionId: policy.revisionId };
}
