import { documentValue, everyItem, listChanges, run, sameValue, unless } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';

/** What policies are given to. */
export type Kind = 'Group' | 'Role' | 'User';

/** An inline policy as a template writes it. */
export interface InlinePolicy {
  PolicyName: string;
  PolicyDocument: unknown;
}

/** Properties that roles, users and groups have in common. */
export interface PolicyProperties {
  ManagedPolicyArns?: readonly string[];
  Policies?: readonly InlinePolicy[];
}

const GONE = 'NoSuchEntity';

/** IAM returns documents URL-encoded. */
export const decodedDocument = (text: string | undefined): unknown =>
  text === undefined ? undefined : documentValue(decodeURIComponent(text));

/** The input of an operation on one entity. */
const of = (kind: Kind, name: string, more: object = {}) => ({ [`${kind}Name`]: name, ...more });

/** Gives an entity an inline policy, or another document to the one it has. */
export const putInline = (
  kind: Kind,
  name: string,
  { PolicyName, PolicyDocument }: InlinePolicy,
  ctx: ProviderContext,
): Promise<unknown> =>
  run(ctx, 'iam', `Put${kind}Policy`, of(kind, name, { PolicyName, PolicyDocument: textOf(PolicyDocument) }));

/** Takes an inline policy from an entity; either may be gone. */
export const deleteInline = (kind: Kind, name: string, PolicyName: string, ctx: ProviderContext): Promise<unknown> =>
  unless(run(ctx, 'iam', `Delete${kind}Policy`, of(kind, name, { PolicyName })), GONE);

/** The document of an entity's inline policy; undefined where there is none. */
export async function readInline(kind: Kind, name: string, PolicyName: string, ctx: ProviderContext): Promise<unknown> {
  const found = await unless(run(ctx, 'iam', `Get${kind}Policy`, of(kind, name, { PolicyName })), GONE);
  return decodedDocument(found?.PolicyDocument);
}

/** Attaches a managed policy to an entity. */
export const attach = (kind: Kind, name: string, PolicyArn: string, ctx: ProviderContext): Promise<unknown> =>
  run(ctx, 'iam', `Attach${kind}Policy`, of(kind, name, { PolicyArn }));

/** Detaches a managed policy from an entity; either may be gone. */
export const detach = (kind: Kind, name: string, PolicyArn: string, ctx: ProviderContext): Promise<unknown> =>
  unless(run(ctx, 'iam', `Detach${kind}Policy`, of(kind, name, { PolicyArn })), GONE);

/** Changes an entity's policies to those that are desired; what was given to it elsewhere stays. */
export async function changePolicies(
  kind: Kind,
  name: string,
  previous: PolicyProperties,
  desired: PolicyProperties,
  ctx: ProviderContext,
): Promise<void> {
  const arns = listChanges(previous.ManagedPolicyArns, desired.ManagedPolicyArns);
  for (const arn of arns.added) await attach(kind, name, arn, ctx);
  for (const arn of arns.removed) await detach(kind, name, arn, ctx);
  const kept = new Set(desired.Policies?.map(({ PolicyName }) => PolicyName));
  for (const { PolicyName } of previous.Policies ?? [])
    if (!kept.has(PolicyName)) await deleteInline(kind, name, PolicyName, ctx);
  for (const policy of desired.Policies ?? [])
    if (!previous.Policies?.some((other) => sameValue(other, policy))) await putInline(kind, name, policy, ctx);
}

/** The policies of an entity, as a template writes them. */
export async function readPolicies(kind: Kind, name: string, ctx: ProviderContext): Promise<PolicyProperties> {
  const names = await everyItem(async (Marker) => {
    const page = await run(ctx, 'iam', `List${kind}Policies`, of(kind, name, { Marker }));
    return [page.PolicyNames, page.Marker] as const;
  });
  const attached = await everyItem(async (Marker) => {
    const page = await run(ctx, 'iam', `ListAttached${kind}Policies`, of(kind, name, { Marker }));
    return [page.AttachedPolicies, page.Marker] as const;
  });
  const Policies: InlinePolicy[] = [];
  for (const PolicyName of names)
    Policies.push({ PolicyName, PolicyDocument: await readInline(kind, name, PolicyName, ctx) });
  return {
    ...(attached.length && { ManagedPolicyArns: attached.map(({ PolicyArn }) => PolicyArn!) }),
    ...(Policies.length && { Policies }),
  };
}
