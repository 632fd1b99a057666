import { documentValue, everyItem, listChanges, run, sameValue, unless } from '@emu/core/providers';
import type { ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';

/** Kinds of entities with policies. */
export type Kind = 'Group' | 'Role' | 'User';

/** An inline policy in template form. */
export interface InlinePolicy {
  PolicyName: string;
  PolicyDocument: unknown;
}

/** Properties common to roles, users and groups. */
export interface PolicyProperties {
  ManagedPolicyArns?: readonly string[];
  Policies?: readonly InlinePolicy[];
}

const GONE = 'NoSuchEntity';

/** Decodes a document, which IAM returns URL-encoded. */
export const decodedDocument = (text: string | undefined): unknown =>
  text === undefined ? undefined : documentValue(decodeURIComponent(text));

/** Returns the input of an operation on one entity. */
const of = (kind: Kind, name: string, more: object = {}) => ({ [`${kind}Name`]: name, ...more });

/** Adds or replaces an inline policy of an entity. */
export const putInline = (
  kind: Kind,
  name: string,
  { PolicyName, PolicyDocument }: InlinePolicy,
  ctx: ProviderContext,
): Promise<unknown> =>
  run(ctx, 'iam', `Put${kind}Policy`, of(kind, name, { PolicyName, PolicyDocument: textOf(PolicyDocument) }));

/** Deletes an inline policy of an entity; either may be missing. */
export const deleteInline = (kind: Kind, name: string, PolicyName: string, ctx: ProviderContext): Promise<unknown> =>
  unless(run(ctx, 'iam', `Delete${kind}Policy`, of(kind, name, { PolicyName })), GONE);

/** Returns the document of an entity's inline policy; undefined if missing. */
export async function readInline(kind: Kind, name: string, PolicyName: string, ctx: ProviderContext): Promise<unknown> {
  const found = await unless(run(ctx, 'iam', `Get${kind}Policy`, of(kind, name, { PolicyName })), GONE);
  return decodedDocument(found?.PolicyDocument);
}

/** Attaches a managed policy to an entity. */
export const attach = (kind: Kind, name: string, PolicyArn: string, ctx: ProviderContext): Promise<unknown> =>
  run(ctx, 'iam', `Attach${kind}Policy`, of(kind, name, { PolicyArn }));

/** Detaches a managed policy from an entity; either may be missing. */
export const detach = (kind: Kind, name: string, PolicyArn: string, ctx: ProviderContext): Promise<unknown> =>
  unless(run(ctx, 'iam', `Detach${kind}Policy`, of(kind, name, { PolicyArn })), GONE);

/** Updates an entity's policies to the desired ones; policies added elsewhere stay. */
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

/** Returns the policies of an entity in template form. */
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
