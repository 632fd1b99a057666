import type { ResourceProvider } from '@emu/core/service';
import type {
  DescribeTypeInput,
  DescribeTypeOutput,
  InputOf,
  ListTypeVersionsInput,
  OutputOf,
  TypeSummary,
} from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { HOOK_VERSION } from '../hooks/runner.ts';
import { paging } from '../paging.ts';
import { noType, registryError } from '../registry/errors.ts';
import type { ModuleVersion } from '../registry/modules.ts';
import type { PublicType } from '../registry/public-types.ts';
import { latestOf } from '../registry/publishing.ts';
import { schemaOf } from '../registry/schema.ts';
import { activatedNamed } from './activation.ts';
import { moduleDescription, moduleNamed } from './modules.ts';
import {
  activatedDescription,
  latestTypes,
  publicDescription,
  publicNamed,
  versionsOfPublic,
} from './public-descriptions.ts';

const dashed = (name: string): string => name.replaceAll('::', '-');

const provisioningOf = ({ update }: ResourceProvider) => (update ? ('FULLY_MUTABLE' as const) : ('IMMUTABLE' as const));

/** Returns the AWS resource type that a request names, if any. */
async function ownType(
  { Arn, TypeName, Type }: DescribeTypeInput,
  { state }: CloudformationContext,
): Promise<string | undefined> {
  if (Type !== undefined && Type !== 'RESOURCE') return undefined;
  const names = await state.resourceTypes();
  return names.find((name) =>
    Arn === undefined ? name === TypeName : Arn.includes('::type/resource/') && Arn.endsWith(`/${dashed(name)}`),
  );
}

/**
 * Describes an extension: an AWS resource type with its schema, or an activated hook.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeType.html
 */
export async function DescribeType(
  input: InputOf<'DescribeType'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'DescribeType'>> {
  const { registry } = ctx.state;
  if (input.Arn === undefined && (input.TypeName === undefined || input.Type === undefined))
    throw registryError('You must specify either Arn, or TypeName and Type.');
  const name = await ownType(input, ctx);
  const provider = name === undefined ? undefined : await ctx.state.comparable(name);
  if (provider) {
    const { VersionId } = input;
    if (VersionId !== undefined && VersionId !== HOOK_VERSION) throw noType(`${name} with the version ${VersionId}`);
    return {
      Arn: registry.publicArn('RESOURCE', provider.typeName),
      Type: 'RESOURCE',
      TypeName: provider.typeName,
      IsDefaultVersion: true,
      Description: `Resource Type definition for ${provider.typeName}`,
      Schema: JSON.stringify(schemaOf(provider)),
      ProvisioningType: provisioningOf(provider),
      DeprecatedStatus: 'LIVE',
      Visibility: 'PUBLIC',
    };
  }
  const module = input.PublisherId === undefined ? moduleNamed(input, ctx) : undefined;
  if (module) return moduleDescription(module, ctx);
  const found = publicNamed(input, ctx);
  return found ? publicDescription(found, ctx) : activatedDescription(activatedNamed(input, ctx), input, ctx);
}

/** A listed extension with the values that filters use. */
interface Listed {
  readonly summary: TypeSummary;
  readonly private: boolean;
  readonly category: 'AWS_TYPES' | 'ACTIVATED' | 'THIRD_PARTY' | 'REGISTERED';
  readonly deprecated?: boolean;
}

/**
 * Lists extensions: AWS resource types that emu supports, and public, activated or private extensions.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListTypes.html
 */
export async function ListTypes(
  input: InputOf<'ListTypes'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'ListTypes'>> {
  const { Visibility = 'PRIVATE', Type, Filters = {}, ProvisioningType, DeprecatedStatus } = input;
  const { Category, PublisherId, TypeNamePrefix = '' } = Filters;
  const wanted = [...(await ownTypes(ctx)), ...publicTypes(ctx), ...moduleTypes(ctx)].filter(
    ({ summary, private: own, category, deprecated = false }) =>
      (Category === undefined ? own === (Visibility === 'PRIVATE') : inCategory(category, Category)) &&
      (Type === undefined || summary.Type === Type) &&
      (PublisherId === undefined || summary.PublisherId === PublisherId) &&
      summary.TypeName!.startsWith(TypeNamePrefix) &&
      deprecated === (DeprecatedStatus === 'DEPRECATED'),
  );
  const kept: Listed[] = [];
  for (const listed of wanted) {
    if (ProvisioningType !== undefined && listed.summary.Type === 'RESOURCE') {
      const provider = await ctx.state.comparable(listed.summary.TypeName!);
      if (!provider || provisioningOf(provider) !== ProvisioningType) continue;
    }
    kept.push(listed);
  }
  return paging
    .page('ListTypes', input, kept, ({ summary }) => `${summary.TypeName} ${summary.TypeArn}`)
    .list(({ summary }) => summary);
}

/**
 * Whether a listed extension belongs to a category. Like AWS, counts AWS's activated hooks as third-party extensions.
 */
const inCategory = (category: Listed['category'], wanted: string): boolean =>
  wanted === 'THIRD_PARTY' ? category === 'ACTIVATED' || category === 'THIRD_PARTY' : category === wanted;

async function ownTypes({ state }: CloudformationContext): Promise<Listed[]> {
  const names = await state.resourceTypes();
  return names.map((name) => ({
    summary: {
      Type: 'RESOURCE',
      TypeName: name,
      TypeArn: state.registry.publicArn('RESOURCE', name),
      Description: `Resource Type definition for ${name}`,
      IsActivated: true,
    },
    private: false,
    category: 'AWS_TYPES',
  }));
}

function moduleTypes(ctx: CloudformationContext): Listed[] {
  const { modules } = ctx.state;
  return modules.names().map((name): Listed => {
    const { LastUpdated, Description, DefaultVersionId } = moduleDescription(
      moduleNamed({ TypeName: name, Type: 'MODULE' }, ctx)!,
      ctx,
    );
    return {
      summary: {
        Type: 'MODULE',
        TypeName: name,
        TypeArn: modules.arn(name),
        LastUpdated,
        Description,
        ...(DefaultVersionId !== undefined && { DefaultVersionId }),
        IsActivated: true,
      },
      private: true,
      category: 'REGISTERED',
      deprecated: modules.inUse(name) === undefined,
    };
  });
}

function publicTypes(ctx: CloudformationContext): Listed[] {
  const { registry } = ctx.state;
  const summary = ({ Arn, ...rest }: DescribeTypeOutput): TypeSummary => ({
    TypeArn: Arn,
    ...Object.fromEntries(
      Object.entries(rest).filter(([name]) =>
        /^(Type|TypeName|LastUpdated|Description|PublisherId|OriginalTypeName|PublicVersionNumber|LatestPublicVersion|IsActivated)$/.test(
          name,
        ),
      ),
    ),
  });
  return [
    ...latestTypes(ctx).map(
      (type): Listed => ({ summary: summary(publicDescription(type, ctx)), private: false, category: 'THIRD_PARTY' }),
    ),
    ...registry.all().map(
      (type): Listed => ({
        summary: summary(activatedDescription(type, {}, ctx)),
        private: true,
        category: 'ACTIVATED',
      }),
    ),
  ];
}

/**
 * Lists the versions of an extension: all of a private module or public extension, one of any other.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListTypeVersions.html
 */
export async function ListTypeVersions(
  input: InputOf<'ListTypeVersions'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'ListTypeVersions'>> {
  const { DeprecatedStatus } = input;
  const module = input.PublisherId === undefined ? moduleNamed(input, ctx) : undefined;
  if (module) return moduleVersions(input, module, ctx);
  const described = await DescribeType(input, ctx);
  const { Type, TypeName, Description, TimeCreated, PublicVersionNumber } = described;
  const published = publicNamed(input, ctx);
  if (published) return publicVersions(input, published, ctx);
  const versions = [
    {
      Type,
      TypeName,
      VersionId: HOOK_VERSION,
      IsDefaultVersion: true,
      Arn: `${described.Arn}/${HOOK_VERSION}`,
      ...(TimeCreated && { TimeCreated }),
      Description,
      ...(PublicVersionNumber !== undefined && { PublicVersionNumber }),
    },
  ].filter(() => DeprecatedStatus !== 'DEPRECATED');
  return paging.page('ListTypeVersions', input, versions, ({ VersionId }) => VersionId).list((version) => version);
}

function publicVersions(input: ListTypeVersionsInput, type: PublicType, ctx: CloudformationContext) {
  const versions = versionsOfPublic(type, ctx).filter(() => input.DeprecatedStatus !== 'DEPRECATED');
  const latest = latestOf(versions);
  const arn = ctx.state.registry.publicArn(type.kind, type.name, type.publisherId);
  return paging
    .page('ListTypeVersions', input, versions, ({ version }) => version)
    .list(({ kind, name, version, description }) => ({
      Type: kind,
      TypeName: name,
      VersionId: versionId(versions, version),
      IsDefaultVersion: version === latest?.version,
      Arn: `${arn}/${version}`,
      Description: description,
      PublicVersionNumber: version,
    }));
}

/** Returns the version number with eight digits. */
const versionId = (versions: readonly PublicType[], version: string): string =>
  String(versions.findIndex((one) => one.version === version) + 1).padStart(8, '0');

function moduleVersions(input: ListTypeVersionsInput, { name }: ModuleVersion, ctx: CloudformationContext) {
  const { modules } = ctx.state;
  const wanted = input.DeprecatedStatus === 'DEPRECATED';
  const versions = modules.versionsOf(name).filter(({ isDeprecated }) => isDeprecated === wanted);
  return paging
    .page('ListTypeVersions', input, versions, ({ version }) => version)
    .list(({ version, isDefault, registeredAt, description }) => ({
      Type: 'MODULE' as const,
      TypeName: name,
      VersionId: version,
      IsDefaultVersion: isDefault,
      Arn: `${modules.arn(name)}/${version}`,
      TimeCreated: new Date(registeredAt),
      Description: description,
    }));
}
