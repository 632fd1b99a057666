import { defined, defineProvider, differs, type Properties, pick, run, unless } from '@emu/core/providers';
import type { AnyResourceProvider } from '@emu/core/service';
import type { ThirdPartyType } from '@emu/service-types/cloudformation';
import { cloudformationError } from '../errors.ts';
import { MODEL } from './facts.ts';

const GONE = ['TypeNotFoundException', 'CFNRegistryException'];

interface ActivationProperties extends Properties {
  readonly AutoUpdate?: boolean;
  readonly ExecutionRoleArn?: string;
}

const SETTINGS = ['AutoUpdate', 'ExecutionRoleArn'] as const;
/** Members that identify the extension. */
const NAMED = ['PublicTypeArn', 'PublisherId', 'Type', 'TypeName', 'TypeNameAlias'] as const;
/** Members that identify the version. */
const VERSION = ['MajorVersion', 'VersionBump'] as const;
const ACTIVATED = [...SETTINGS, ...NAMED, ...VERSION] as const;

/** Returns the version that the properties request, as input of the operation. */
const versionIn = ({ MajorVersion, VersionBump }: Properties): Properties => ({
  MajorVersion: MajorVersion === undefined ? undefined : Number(MajorVersion),
  VersionBump,
});

/**
 * Activated public extensions of an account.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-typeactivation.html
 */
export const typeActivation: AnyResourceProvider = defineProvider<ActivationProperties>({
  typeName: 'AWS::CloudFormation::TypeActivation',
  model: MODEL,
  handles: ACTIVATED,

  async create(properties, ctx) {
    const { Arn } = await run(ctx, 'cloudformation', 'ActivateType', { ...properties, ...versionIn(properties) });
    return { identifier: Arn! };
  },

  async read(Arn, ctx) {
    const found = await unless(ctx.call('cloudformation', 'DescribeType', { Arn }), ...GONE);
    if (!found?.OriginalTypeName) return undefined;
    const { OriginalTypeName, TypeName, Type, PublisherId } = found;
    return {
      properties: defined({
        ...pick(found, SETTINGS),
        Type: Type as ThirdPartyType,
        PublisherId,
        TypeName: OriginalTypeName,
        TypeNameAlias: TypeName === OriginalTypeName ? undefined : TypeName,
      }) as ActivationProperties,
      attributes: { Arn },
    };
  },

  async update(_arn, previous, desired, ctx) {
    if (differs(previous, desired, ...SETTINGS, ...VERSION))
      await run(ctx, 'cloudformation', 'ActivateType', {
        ...pick(desired as Record<string, unknown>, NAMED),
        ...pick(desired, SETTINGS),
        AutoUpdate: desired.AutoUpdate ?? true,
        ...(differs(previous, desired, ...VERSION) && versionIn(desired)),
      });
  },

  replaces: (previous, desired) => NAMED.some((name) => differs(previous, desired, name)),

  async delete(Arn, _properties, ctx) {
    await unless(ctx.call('cloudformation', 'DeactivateType', { Arn }), ...GONE);
  },
});

interface ModuleProperties extends Properties {
  readonly ModuleName: string;
  readonly ModulePackage: string;
}

/**
 * Versions of private modules.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-moduleversion.html
 */
export const moduleVersion: AnyResourceProvider = defineProvider<ModuleProperties>({
  typeName: 'AWS::CloudFormation::ModuleVersion',
  model: MODEL,
  handles: ['ModuleName', 'ModulePackage'],

  async create({ ModuleName, ModulePackage }, ctx) {
    const { RegistrationToken } = await ctx.call('cloudformation', 'RegisterType', {
      Type: 'MODULE',
      TypeName: ModuleName,
      SchemaHandlerPackage: ModulePackage,
    });
    const registered = await ctx.call('cloudformation', 'DescribeTypeRegistration', {
      RegistrationToken: RegistrationToken!,
    });
    if (registered.ProgressStatus !== 'COMPLETE')
      throw cloudformationError(
        'GeneralServiceException',
        `The registration of the module failed: ${registered.Description}`,
      );
    return { identifier: registered.TypeVersionArn! };
  },

  async read(Arn, ctx) {
    const found = await unless(ctx.call('cloudformation', 'DescribeType', { Arn }), ...GONE);
    if (!found || found.DeprecatedStatus === 'DEPRECATED') return undefined;
    const { TypeName, TimeCreated } = found;
    return {
      properties: { ModuleName: TypeName! } as ModuleProperties,
      attributes: {
        Arn,
        ...pick(found, ['Description', 'IsDefaultVersion', 'Schema', 'Visibility']),
        TimeCreated: TimeCreated!.toISOString(),
        VersionId: Arn.slice(Arn.lastIndexOf('/') + 1),
      },
    };
  },

  async delete(Arn, _properties, ctx) {
    const found = await unless(ctx.call('cloudformation', 'DescribeType', { Arn }), ...GONE);
    if (found && found.DeprecatedStatus !== 'DEPRECATED') await ctx.call('cloudformation', 'DeregisterType', { Arn });
  },
});

interface DefaultProperties extends Properties {
  readonly Arn?: string;
  readonly ModuleName?: string;
  readonly VersionId?: string;
}

/**
 * Default version of a private module. Deleting the resource leaves the default version unchanged.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-moduledefaultversion.html
 */
export const moduleDefaultVersion: AnyResourceProvider = defineProvider<DefaultProperties>({
  typeName: 'AWS::CloudFormation::ModuleDefaultVersion',
  model: MODEL,
  handles: ['Arn', 'ModuleName', 'VersionId'],

  async create({ Arn, ModuleName, VersionId }, ctx) {
    const named = Arn === undefined ? { Type: 'MODULE', TypeName: ModuleName, VersionId } : { Arn };
    await run(ctx, 'cloudformation', 'SetTypeDefaultVersion', named);
    const found = await run(ctx, 'cloudformation', 'DescribeType', named);
    return { identifier: found.Arn! };
  },

  async read(Arn, ctx) {
    const found = await unless(ctx.call('cloudformation', 'DescribeType', { Arn }), ...GONE);
    return found?.IsDefaultVersion ? { properties: { Arn }, attributes: {} } : undefined;
  },

  async delete() {
    // A module always has a default version.
  },
});
