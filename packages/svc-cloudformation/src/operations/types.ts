import { notImplemented, type ResourceProvider } from '@emu/core';
import type {
  ActivateTypeInput,
  ActivateTypeOutput,
  DeactivateTypeInput,
  DeactivateTypeOutput,
  DescribePublisherInput,
  DescribePublisherOutput,
  DescribeTypeInput,
  DescribeTypeOutput,
  ListTypesInput,
  ListTypesOutput,
  ListTypeVersionsInput,
  ListTypeVersionsOutput,
  RegistryType,
  TypeSummary,
} from '@emu/service-types/cloudformation';
import { type AwsError, awsError } from '@emu/wire';
import type { CloudformationContext } from '../context.ts';
import { HOOK_VERSION } from '../hooks/runner.ts';
import { paging } from '../paging.ts';
import type { ModuleVersion } from '../registry/modules.ts';
import { HOOKS_PUBLISHER, PUBLIC_TYPES, type PublicType } from '../registry/public-types.ts';
import type { ActivatedType } from '../registry/registry.ts';
import { schemaOf } from '../registry/schema.ts';
import { moduleDescription, moduleNamed } from './modules.ts';

const registryError = (message: string): AwsError => awsError('CFNRegistryException', message);
const noType = (name: string): AwsError => awsError('TypeNotFoundException', `The type '${name}' cannot be found.`);

/** Names that extensions of others may not begin with. */
const RESERVED = /^(Alexa|AMZN|Amazon|ASK|AWS|Custom|Dev)::/i;

const dashed = (name: string): string => name.replaceAll('::', '-');

/** The public extension that a request names. @throws AwsError `TypeNotFoundException`, `CFNRegistryException` */
function publicType({ PublicTypeArn, PublisherId, TypeName, Type }: ActivateTypeInput): PublicType {
  if (PublicTypeArn === undefined && (TypeName === undefined || Type === undefined || PublisherId === undefined))
    throw registryError('You must specify PublicTypeArn, or TypeName, Type, and PublisherId.');
  const found = PUBLIC_TYPES.find(({ name, kind, publisherId }) =>
    PublicTypeArn === undefined
      ? name === TypeName && kind === Type && publisherId === PublisherId
      : PublicTypeArn.endsWith(`:type/${kind.toLowerCase()}/${publisherId}/${dashed(name)}`),
  );
  if (!found) throw noType(TypeName ?? PublicTypeArn!);
  return found;
}

/**
 * Makes a public extension one of the account's: of emu's, a Lambda Hook.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ActivateType.html
 */
export function ActivateType(input: ActivateTypeInput, ctx: CloudformationContext): ActivateTypeOutput {
  const { registry } = ctx.state;
  const { TypeNameAlias, ExecutionRoleArn, AutoUpdate, LoggingConfig, MajorVersion, VersionBump } = input;
  const type = publicType(input);
  if (LoggingConfig) throw notImplemented('cloudformation', 'the logs of extensions (LoggingConfig)');
  if (MajorVersion !== undefined && VersionBump !== undefined)
    throw registryError('You can specify MajorVersion or VersionBump, but not both.');
  if (MajorVersion !== undefined && MajorVersion !== Number(type.version.split('.')[0]))
    throw noType(`${type.name} with the major version ${MajorVersion}`);
  if (TypeNameAlias !== undefined && RESERVED.test(TypeNameAlias))
    throw registryError(`The alias ${TypeNameAlias} begins with a reserved namespace.`);
  const name = TypeNameAlias ?? type.name;
  const known = registry.activated(name);
  if (known && known.originalName !== type.name) throw registryError(`The type ${name} is already activated.`);
  const { executionRoleArn: _, ...kept } = known ?? {
    name,
    originalName: type.name,
    publisherId: type.publisherId,
    version: type.version,
    autoUpdate: true,
    activatedAt: ctx.clock.now(),
    configurationVersion: 0,
  };
  const role = ExecutionRoleArn ?? known?.executionRoleArn;
  const activated = registry.put({
    ...kept,
    ...(AutoUpdate !== undefined && { autoUpdate: AutoUpdate }),
    ...(role !== undefined && { executionRoleArn: role }),
  });
  return { Arn: registry.arn(activated) };
}

/** The activated extension that a request names. @throws AwsError `TypeNotFoundException`, `CFNRegistryException` */
export function activatedNamed(
  { Arn, TypeName, Type }: { Arn?: string | undefined; TypeName?: string | undefined; Type?: RegistryType | undefined },
  { state }: CloudformationContext,
): ActivatedType {
  if (Arn === undefined && (TypeName === undefined || Type === undefined))
    throw registryError('You must specify either Arn, or TypeName and Type.');
  const found = Arn === undefined ? state.registry.activated(TypeName!) : state.registry.byArn(Arn);
  if (!found || (Type !== undefined && Type !== 'HOOK')) throw noType(TypeName ?? Arn!);
  return found;
}

/**
 * Takes a public extension away from the account, with its configuration.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeactivateType.html
 */
export function DeactivateType(input: DeactivateTypeInput, ctx: CloudformationContext): DeactivateTypeOutput {
  ctx.state.registry.delete(activatedNamed(input, ctx).name);
  return {};
}

const provisioningOf = ({ update }: ResourceProvider) => (update ? ('FULLY_MUTABLE' as const) : ('IMMUTABLE' as const));

/** The resource type of AWS that a request names, if it names one. */
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
 * Describes an extension: a resource type of AWS with its schema, or an activated hook.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeType.html
 */
export async function DescribeType(input: DescribeTypeInput, ctx: CloudformationContext): Promise<DescribeTypeOutput> {
  const { registry } = ctx.state;
  if (input.Arn === undefined && (input.TypeName === undefined || input.Type === undefined))
    throw registryError('You must specify either Arn, or TypeName and Type.');
  const name = await ownType(input, ctx);
  const provider = name === undefined ? undefined : await ctx.state.comparable(name);
  if (provider) {
    checkVersion(input, provider.typeName);
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
  const found = PUBLIC_TYPES.find(
    ({ name: own, publisherId, kind }) =>
      publisherId === input.PublisherId && own === input.TypeName && kind === input.Type,
  );
  if (found) return publicDescription(found, ctx);
  const type = activatedNamed(input, ctx);
  checkVersion(input, type.name);
  return {
    ...activatedDescription(type, ctx),
    ...publicVersions(type),
  };
}

/** Extensions have one version here. @throws AwsError `TypeNotFoundException` for another */
function checkVersion({ VersionId, PublicVersionNumber }: DescribeTypeInput, name: string): void {
  if (VersionId !== undefined && VersionId !== HOOK_VERSION) throw noType(`${name} with the version ${VersionId}`);
  if (PublicVersionNumber !== undefined && !PUBLIC_TYPES.some(({ version }) => version === PublicVersionNumber))
    throw noType(`${name} with the version ${PublicVersionNumber}`);
}

const publicVersions = ({ version }: ActivatedType) => ({ PublicVersionNumber: version, LatestPublicVersion: version });

function activatedDescription(type: ActivatedType, { state }: CloudformationContext): DescribeTypeOutput {
  const { registry } = state;
  const { name, originalName, publisherId, executionRoleArn, autoUpdate, activatedAt, configuredAt, configuration } =
    type;
  return {
    Arn: registry.arn(type),
    Type: 'HOOK',
    TypeName: name,
    Description: PUBLIC_TYPES.find((one) => one.name === originalName)!.description,
    Visibility: 'PUBLIC',
    ...(executionRoleArn !== undefined && { ExecutionRoleArn: executionRoleArn }),
    TimeCreated: new Date(activatedAt),
    LastUpdated: new Date(configuredAt ?? activatedAt),
    ...(configuration !== undefined && { ConfigurationSchema: configuration }),
    PublisherId: publisherId,
    OriginalTypeName: originalName,
    OriginalTypeArn: registry.publicArn('HOOK', originalName, publisherId),
    IsActivated: true,
    AutoUpdate: autoUpdate,
  };
}

function publicDescription(
  { name, kind, publisherId, description, version }: PublicType,
  { state }: CloudformationContext,
): DescribeTypeOutput {
  return {
    Arn: state.registry.publicArn(kind, name, publisherId),
    Type: kind,
    TypeName: name,
    Description: description,
    Visibility: 'PUBLIC',
    PublisherId: publisherId,
    LatestPublicVersion: version,
    PublicVersionNumber: version,
    IsActivated: state.registry.all().some(({ originalName }) => originalName === name),
  };
}

/** What is listed of an extension, with what it is filtered by. */
interface Listed {
  readonly summary: TypeSummary;
  readonly private: boolean;
  readonly category: 'AWS_TYPES' | 'ACTIVATED' | 'THIRD_PARTY' | 'REGISTERED';
  readonly deprecated?: boolean;
}

/**
 * Lists extensions: the resource types that emu has, public hooks, and those that are activated.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListTypes.html
 */
export async function ListTypes(input: ListTypesInput, ctx: CloudformationContext): Promise<ListTypesOutput> {
  const { Visibility = 'PRIVATE', Type, Filters = {}, ProvisioningType, DeprecatedStatus } = input;
  const { Category, PublisherId, TypeNamePrefix = '' } = Filters;
  const wanted = [...(await ownTypes(ctx)), ...hookTypes(ctx), ...moduleTypes(ctx)].filter(
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

/** Activated hooks of AWS count as extensions of third parties, as AWS lists them. */
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

function hookTypes(ctx: CloudformationContext): Listed[] {
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
    ...PUBLIC_TYPES.map(
      (type): Listed => ({ summary: summary(publicDescription(type, ctx)), private: false, category: 'THIRD_PARTY' }),
    ),
    ...registry.all().map(
      (type): Listed => ({
        summary: { ...summary(activatedDescription(type, ctx)), ...publicVersions(type) },
        private: true,
        category: 'ACTIVATED',
      }),
    ),
  ];
}

/**
 * Lists the versions of an extension: those of a private module; of others there is one.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListTypeVersions.html
 */
export async function ListTypeVersions(
  input: ListTypeVersionsInput,
  ctx: CloudformationContext,
): Promise<ListTypeVersionsOutput> {
  const { DeprecatedStatus } = input;
  const module = input.PublisherId === undefined ? moduleNamed(input, ctx) : undefined;
  if (module) return moduleVersions(input, module, ctx);
  const described = await DescribeType(input, ctx);
  const { Type, TypeName, Description, TimeCreated, PublicVersionNumber } = described;
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

/**
 * Describes a publisher of extensions.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribePublisher.html
 */
export function DescribePublisher({ PublisherId }: DescribePublisherInput): DescribePublisherOutput {
  if (PublisherId === undefined) throw registryError('This account is not registered as a publisher.');
  if (PublisherId !== HOOKS_PUBLISHER) throw registryError(`The publisher ${PublisherId} cannot be found.`);
  return { PublisherId, PublisherStatus: 'VERIFIED' };
}
