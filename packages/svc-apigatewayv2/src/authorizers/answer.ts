import { evaluate, rootOf } from '@emu/core/service';
import { asString, isObject, parseJson } from '@emu/wire';
import { type AuthorizerVerdict, type LambdaContext, undecided } from './verdict.ts';

/**
 * Parses the verdict of an authorizer function.
 * @param payload JSON that it returned
 * @param simple whether it returns a simple response instead of a policy
 * @throws Refusal for an invalid response, which denies access
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
export function verdictOf(payload: string, simple: boolean): AuthorizerVerdict {
  let answer: unknown;
  try {
    answer = parseJson(payload);
  } catch {
    throw undecided('The authorizer returned invalid JSON');
  }
  if (!isObject(answer)) throw undecided('The authorizer returned no object');
  const values = answer.context ?? {};
  if (!isObject(values)) throw undecided('The context of the authorizer is not an object');
  if (simple) {
    if (typeof answer.isAuthorized !== 'boolean') throw undecided('The authorizer did not return isAuthorized');
    return { allowed: answer.isAuthorized, context: { kind: 'lambda', context: values } };
  }
  const { principalId, policyDocument, usageIdentifierKey: key } = answer;
  if (typeof principalId !== 'string' || principalId === '') throw undecided('The authorizer returned no principalId');
  if (!isObject(policyDocument) || policyDocument.Statement === undefined)
    throw undecided('The authorizer returned no policyDocument');
  const usageIdentifierKey = asString(key);
  const context: LambdaContext = { kind: 'lambda', context: values, principalId, usageIdentifierKey };
  return { policy: JSON.stringify(policyDocument), context };
}

/** Request to evaluate a policy for. */
export interface PolicyQuestion {
  /** ARN of the called route. */
  readonly resource: string;
  readonly accountId: string;
  readonly region: string;
  readonly sourceIp: string;
}

/** Whether a verdict allows a request. */
export function lets(verdict: AuthorizerVerdict, question: PolicyQuestion): boolean {
  if (verdict.policy === undefined) return verdict.allowed;
  const { resource, accountId, region, sourceIp } = question;
  // An invalid policy denies everything.
  try {
    const decision = evaluate(
      {
        principal: { ...rootOf(accountId, region), type: 'user' },
        action: 'execute-api:Invoke',
        resource,
        context: new Map([['aws:sourceip', sourceIp]]),
      },
      { identity: [{ document: verdict.policy, id: 'authorizer' }] },
    );
    return decision.verdict === 'allowed';
  } catch {
    return false;
  }
}
