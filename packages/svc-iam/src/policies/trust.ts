import { malformedPolicy, quotaExceeded } from '../errors.ts';
import { QUOTAS } from '../quotas.ts';
import { policySize } from './document.ts';
import { checkSids, isObject, type Json, statementsOf, stringsOf } from './grammar.ts';

const ACTIONS = /^sts:/i;
const FEDERATED = /^(cognito-identity\.amazonaws\.com|accounts\.google\.com|graph\.facebook\.com|www\.amazon\.com)$/;
const SERVICE = /^[a-z0-9][a-z0-9.-]*\.(amazonaws\.com(\.cn)?|amazon\.com|amazonaws\.eu|aws\.internal)$/;

/** Answers whether a principal of a trust policy exists, as far as emu can know. */
export interface TrustPolicyFacts {
  /** @param arn of a user or role @param accountId of its account */
  exists(arn: string, accountId: string): boolean;
}

/**
 * Checks who may assume a role.
 * @throws AwsError `MalformedPolicyDocument`, `LimitExceeded`
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_update-role-trust-policy.html
 */
export function checkTrustPolicy(text: string, facts: TrustPolicyFacts): void {
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    throw malformedPolicy('This policy contains invalid Json');
  }
  if (isObject(policy)) checkFields(policy);
  const statements = statementsOf(policy);
  for (const { Action, NotAction } of statements)
    if (NotAction !== undefined || !stringsOf(Action).every((action) => ACTIONS.test(action)))
      throw malformedPolicy('AssumeRole policy may only specify STS AssumeRole actions.');
  for (const { Principal, NotPrincipal } of statements) checkPrincipals(Principal ?? NotPrincipal, facts);
  checkSids(statements);
  if (policySize(text) > QUOTAS.trustPolicySize) throw quotaExceeded('ACLSizePerRole', QUOTAS.trustPolicySize);
}

/** What trust policies must and must not have; these are named, where other mistakes are just syntax errors. */
function checkFields(policy: Json): void {
  const { Version: version, Statement: statement } = policy;
  if (version !== undefined && version !== '2012-10-17' && version !== '2008-10-17')
    throw malformedPolicy('The policy must contain a valid version string');
  if (statement === undefined) throw malformedPolicy('Missing required field Statement');
  const statements: unknown[] = Array.isArray(statement) ? statement : [statement];
  if (!statements.length) throw malformedPolicy('Missing required field Statement cannot be empty!');
  for (const one of statements) {
    if (!isObject(one)) continue;
    for (const field of ['Resource', 'NotResource'])
      if (one[field] !== undefined) throw malformedPolicy(`Has prohibited field ${field}`);
    if (one.Effect === undefined) throw malformedPolicy('Missing required field Effect');
    if (one.Effect !== 'Allow' && one.Effect !== 'Deny') throw malformedPolicy(`Invalid effect: ${String(one.Effect)}`);
    if (one.Action === undefined && one.NotAction === undefined) throw malformedPolicy('Missing required field Action');
    if (one.Principal === undefined && one.NotPrincipal === undefined)
      throw malformedPolicy('Missing required field Principal');
  }
}

function checkPrincipals(principal: unknown, facts: TrustPolicyFacts): void {
  if (typeof principal === 'string' || Array.isArray(principal)) {
    for (const one of stringsOf(principal)) if (one !== '*') throw invalidPrincipal('AWS', one);
    return;
  }
  const kinds = Object.entries(principal as Json);
  if (!kinds.length) throw malformedPolicy('Missing required field Principal cannot be empty!');
  for (const [kind, values] of kinds)
    for (const value of stringsOf(values)) if (!isPrincipal(kind, value, facts)) throw invalidPrincipal(kind, value);
}

function isPrincipal(kind: string, value: string, facts: TrustPolicyFacts): boolean {
  switch (kind) {
    case 'Service':
      return SERVICE.test(value);
    case 'Federated':
      return FEDERATED.test(value) || /^arn:[^:]+:iam::\d{12}:(saml-provider|oidc-provider)\/.+$/.test(value);
    case 'AWS':
      return isAwsPrincipal(value, facts);
    default:
      return false;
  }
}

function isAwsPrincipal(value: string, facts: TrustPolicyFacts): boolean {
  if (value === '*' || /^\d{12}$/.test(value) || /^(AIDA|AROA)[A-Z0-9]{12,}$/.test(value)) return true;
  if (/^arn:[^:]+:sts::\d{12}:(assumed-role\/[\w+=,.@-]+\/[\w+=,.@-]+|federated-user\/[\w+=,.@-]+|self)$/.test(value))
    return true;
  const match = /^arn:[^:]+:iam::(\d{12}):(root|(?:user|role)\/[\u0021-\u007e]+)$/.exec(value);
  if (!match) return false;
  const [, accountId, resource] = match as unknown as [string, string, string];
  return resource === 'root' || facts.exists(value, accountId);
}

/** IAM writes services and federated identities in upper case here. */
function invalidPrincipal(kind: string, value: string): Error {
  const written = kind === 'AWS' ? kind : kind.toUpperCase();
  return malformedPolicy(`Invalid principal in policy: "${written}":"${value}"`);
}
