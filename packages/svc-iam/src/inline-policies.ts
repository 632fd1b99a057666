import type { OperationContext } from '@emu/core';
import { encodeDocument } from './documents.ts';
import { limitExceeded, noSuchEntity } from './errors.ts';
import { type PageRequest, paginate } from './paging.ts';
import { checkIdentityPolicy, policySize } from './policy-document.ts';
import { type PrincipalKind, requireModifiable, requirePrincipal, updatePrincipal } from './principals.ts';
import { QUOTAS } from './quotas.ts';
import type { IamState } from './state.ts';

type Ctx = OperationContext<IamState>;

/** Adds or replaces an inline policy. @throws AwsError `LimitExceeded`, `MalformedPolicyDocument`, `NoSuchEntity`, `UnmodifiableEntity` */
export function putInline(ctx: Ctx, kind: PrincipalKind, owner: string, name: string, document: string): void {
  const { inlinePolicies } = requireModifiable(ctx.state, kind, owner);
  checkIdentityPolicy(document);
  let size = policySize(document);
  for (const [other, text] of Object.entries(inlinePolicies)) if (other !== name) size += policySize(text);
  if (size > QUOTAS.inlinePolicySize[kind])
    throw limitExceeded(`Maximum policy size of ${QUOTAS.inlinePolicySize[kind]} bytes exceeded for ${kind} ${owner}`);
  updatePrincipal(ctx.state, kind, owner, (draft) => {
    draft.inlinePolicies[name] = document;
  });
}

/** Document of an inline policy, encoded. @throws AwsError `NoSuchEntity` */
export function getInline(ctx: Ctx, kind: PrincipalKind, owner: string, name: string): string {
  const { inlinePolicies } = requirePrincipal(ctx.state, kind, owner);
  if (!Object.hasOwn(inlinePolicies, name)) throw noSuchPolicy(kind, name);
  return encodeDocument(inlinePolicies[name]!);
}

/** @throws AwsError `NoSuchEntity`, `UnmodifiableEntity` */
export function deleteInline(ctx: Ctx, kind: PrincipalKind, owner: string, name: string): void {
  const { inlinePolicies } = requireModifiable(ctx.state, kind, owner);
  if (!Object.hasOwn(inlinePolicies, name)) throw noSuchPolicy(kind, name);
  updatePrincipal(ctx.state, kind, owner, (draft) => {
    delete draft.inlinePolicies[name];
  });
}

/** One page of the names of inline policies. @throws AwsError `NoSuchEntity` */
export function listInline(ctx: Ctx, kind: PrincipalKind, owner: string, request: PageRequest) {
  const names = Object.keys(requirePrincipal(ctx.state, kind, owner).inlinePolicies);
  const { items, page } = paginate(names, (name) => name, request);
  return { PolicyNames: items, ...page };
}

const noSuchPolicy = (kind: PrincipalKind, name: string): Error =>
  noSuchEntity(`The ${kind} policy with name ${name} cannot be found.`);
