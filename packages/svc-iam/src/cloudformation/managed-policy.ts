import {
  defined,
  defineProvider,
  everyItem,
  listChanges,
  pick,
  sameValue,
  unless,
  unlessEmpty,
} from '@emu/core/providers';
import type { AnyResourceProvider, ProviderContext } from '@emu/core/service';
import { textOf } from '@emu/wire';
import model from '../../model/cloudformation.json' with { type: 'json' };
import { attach, decodedDocument, detach, type Kind } from './entity-policies.ts';

interface ManagedPolicyProperties {
  Description?: string;
  Groups?: readonly string[];
  ManagedPolicyName?: string;
  Path?: string;
  PolicyDocument: unknown;
  Roles?: readonly string[];
  Users?: readonly string[];
}

const MAX_VERSIONS = 5;
const KINDS: readonly Kind[] = ['Group', 'Role', 'User'];
const ATTRIBUTES = ['AttachmentCount', 'DefaultVersionId', 'IsAttachable', 'PermissionsBoundaryUsageCount', 'PolicyId'];

const existing = async (PolicyArn: string, ctx: ProviderContext) =>
  (await unless(ctx.call('iam', 'GetPolicy', { PolicyArn }), 'NoSuchEntity'))?.Policy;

/** Attaches and detaches a policy by the difference of entity lists; other attachments stay. */
async function changeEntities(
  arn: string,
  previous: Partial<ManagedPolicyProperties>,
  desired: Partial<ManagedPolicyProperties>,
  ctx: ProviderContext,
): Promise<void> {
  for (const kind of KINDS) {
    const { added, removed } = listChanges(previous[`${kind}s`], desired[`${kind}s`]);
    for (const name of added) await attach(kind, name, arn, ctx);
    for (const name of removed) await detach(kind, name, arn, ctx);
  }
}

/** Makes a document the policy's default version; at the version limit, the oldest other version is deleted. */
async function changeDocument(PolicyArn: string, document: unknown, ctx: ProviderContext): Promise<void> {
  const { Versions = [] } = await ctx.call('iam', 'ListPolicyVersions', { PolicyArn });
  const spare = Versions.filter(({ IsDefaultVersion }) => !IsDefaultVersion).at(-1);
  if (Versions.length >= MAX_VERSIONS && spare)
    await ctx.call('iam', 'DeletePolicyVersion', { PolicyArn, VersionId: spare.VersionId! });
  const PolicyDocument = textOf(document);
  await ctx.call('iam', 'CreatePolicyVersion', { PolicyArn, PolicyDocument, SetAsDefault: true });
}

async function entitiesOf(PolicyArn: string, ctx: ProviderContext): Promise<Partial<ManagedPolicyProperties>> {
  const pages = await everyItem(async (Marker) => {
    const page = await ctx.call('iam', 'ListEntitiesForPolicy', defined({ PolicyArn, Marker }));
    return [[page], page.Marker] as const;
  });
  return {
    Groups: unlessEmpty(pages.flatMap((page) => page.PolicyGroups ?? []).map(({ GroupName }) => GroupName!)),
    Roles: unlessEmpty(pages.flatMap((page) => page.PolicyRoles ?? []).map(({ RoleName }) => RoleName!)),
    Users: unlessEmpty(pages.flatMap((page) => page.PolicyUsers ?? []).map(({ UserName }) => UserName!)),
  } as Partial<ManagedPolicyProperties>;
}

/**
 * Customer managed policies.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-iam-managedpolicy.html
 */
export const managedPolicy: AnyResourceProvider = defineProvider<ManagedPolicyProperties>({
  typeName: 'AWS::IAM::ManagedPolicy',
  model,
  handles: ['Description', 'Groups', 'ManagedPolicyName', 'Path', 'PolicyDocument', 'Roles', 'Users'],

  async create(properties, ctx) {
    const { Policy } = await ctx.call('iam', 'CreatePolicy', {
      PolicyName: properties.ManagedPolicyName ?? ctx.name(),
      PolicyDocument: textOf(properties.PolicyDocument),
      ...pick(properties, ['Description', 'Path']),
    });
    const PolicyArn = Policy!.Arn!;
    ctx.created(PolicyArn);
    await changeEntities(PolicyArn, {}, properties, ctx);
    return { identifier: PolicyArn };
  },

  async read(PolicyArn, ctx) {
    const policy = await existing(PolicyArn, ctx);
    if (!policy) return undefined;
    const VersionId = policy.DefaultVersionId!;
    const { PolicyVersion } = await ctx.call('iam', 'GetPolicyVersion', { PolicyArn, VersionId });
    return {
      properties: defined({
        ManagedPolicyName: policy.PolicyName!,
        ...pick(policy, ['Description', 'Path']),
        PolicyDocument: decodedDocument(PolicyVersion!.Document),
        ...(await entitiesOf(PolicyArn, ctx)),
      }),
      attributes: { PolicyArn, ...pick(policy, ATTRIBUTES as never[]) },
    };
  },

  async update(arn, previous, desired, ctx) {
    if (!sameValue(previous.PolicyDocument, desired.PolicyDocument))
      await changeDocument(arn, desired.PolicyDocument, ctx);
    await changeEntities(arn, previous, desired, ctx);
  },

  async delete(PolicyArn, properties, ctx) {
    if (!(await existing(PolicyArn, ctx))) return;
    await changeEntities(PolicyArn, properties, {}, ctx);
    const { Versions = [] } = await ctx.call('iam', 'ListPolicyVersions', { PolicyArn });
    for (const { VersionId, IsDefaultVersion } of Versions)
      if (!IsDefaultVersion) await ctx.call('iam', 'DeletePolicyVersion', { PolicyArn, VersionId: VersionId! });
    await ctx.call('iam', 'DeletePolicy', { PolicyArn });
  },

  list: (ctx) =>
    everyItem(async (Marker) => {
      const page = await ctx.call('iam', 'ListPolicies', defined({ Scope: 'Local' as const, Marker }));
      return [page.Policies?.map(({ Arn }) => Arn!), page.Marker] as const;
    }),
});
