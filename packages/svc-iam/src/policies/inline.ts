import { policySize } from '@emu/core/service';
import type { IamContext } from '../context.ts';
import { encodeDocument } from '../document-encoding.ts';
import { type PrincipalKind, requireModifiable, requirePrincipal, updatePrincipal } from '../entities/principals.ts';
import { limitExceeded, noSuchEntity } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { type PagedInput, paging } from '../paging.ts';
import { checkIdentityPolicy } from './document.ts';

/**
 * Adds or replaces an inline policy.
 * @throws AwsError `LimitExceeded`, `MalformedPolicyDocument`, `NoSuchEntity`, `UnmodifiableEntity`
 */
export function putInline(ctx: IamContext, kind: PrincipalKind, owner: string, name: string, document: string): void {
  const { inlinePolicies } = requireModifiable(ctx.state, kind, owner);
  checkIdentityPolicy(document);
  let size = policySize(document);
  for (const other of inlinePolicies) if (other.name !== name) size += policySize(other.document);
  if (size > LIMITS.inlinePolicySize[kind])
    throw limitExceeded(`Maximum policy size of ${LIMITS.inlinePolicySize[kind]} bytes exceeded for ${kind} ${owner}`);
  updatePrincipal(ctx.state, kind, owner, (draft) => {
    const existing = draft.inlinePolicies.find((policy) => policy.name === name);
    if (existing) existing.document = document;
    else draft.inlinePolicies.push({ name, document });
  });
}

/**
 * Returns the encoded document of an inline policy.
 * @throws AwsError `NoSuchEntity`
 */
export function getInline(ctx: IamContext, kind: PrincipalKind, owner: string, name: string): string {
  const { inlinePolicies } = requirePrincipal(ctx.state, kind, owner);
  const policy = inlinePolicies.find((one) => one.name === name);
  if (!policy) throw noSuchPolicy(kind, name);
  return encodeDocument(policy.document);
}

/**
 * Deletes an inline policy.
 * @throws AwsError `NoSuchEntity`, `UnmodifiableEntity`
 */
export function deleteInline(ctx: IamContext, kind: PrincipalKind, owner: string, name: string): void {
  const { inlinePolicies } = requireModifiable(ctx.state, kind, owner);
  if (!inlinePolicies.some((policy) => policy.name === name)) throw noSuchPolicy(kind, name);
  updatePrincipal(ctx.state, kind, owner, (draft) => {
    draft.inlinePolicies = draft.inlinePolicies.filter((policy) => policy.name !== name);
  });
}

/**
 * Returns one page of the names of inline policies.
 * @throws AwsError `NoSuchEntity`
 */
export function listInline(
  operation: 'ListGroupPolicies' | 'ListRolePolicies' | 'ListUserPolicies',
  ctx: IamContext,
  kind: PrincipalKind,
  owner: string,
  request: PagedInput,
) {
  const names = requirePrincipal(ctx.state, kind, owner).inlinePolicies.map(({ name }) => name);
  return paging.page(operation, request, names, (name) => name).list((item) => item);
}

const noSuchPolicy = (kind: PrincipalKind, name: string): Error =>
  noSuchEntity(`The ${kind} policy with name ${name} cannot be found.`);
