import { notImplemented } from '@emu/core/service';
import type { DescribeTypeOutput, InputOf, OutputOf, RegistryType } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { paging } from '../paging.ts';
import { noType, registryError } from '../registry/errors.ts';
import { readModulePackage, UnusablePackage } from '../registry/module-package.ts';
import type { ModuleVersion, Registration } from '../registry/modules.ts';

const RESERVED = /^(?:Alexa|AMZN|Amazon|ASK|AWS|Custom|Dev)::/i;

/**
 * Registers a version of a private module from its package in S3. The registration is complete before the response.
 * @throws AwsError `CFNRegistryException`; `NotImplemented` for extensions with handlers
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_RegisterType.html
 */
export async function RegisterType(
  input: InputOf<'RegisterType'>,
  ctx: CloudformationContext,
): Promise<OutputOf<'RegisterType'>> {
  const { Type = 'RESOURCE', TypeName, LoggingConfig } = input;
  const { modules } = ctx.state;
  if (Type !== 'MODULE') throw notImplemented('cloudformation', 'extensions with handlers of their own');
  if (LoggingConfig) throw notImplemented('cloudformation', 'the logs of extensions (LoggingConfig)');
  if (!TypeName.endsWith('::MODULE')) throw registryError(`The name of a module must end with ::MODULE: ${TypeName}`);
  if (RESERVED.test(TypeName)) throw registryError(`The name ${TypeName} begins with a reserved namespace.`);
  const { token } = await modules.tokens.once('RegisterType', input, () => register(input, ctx));
  return { RegistrationToken: token };
}

async function register(input: InputOf<'RegisterType'>, ctx: CloudformationContext): Promise<Registration> {
  const { TypeName, SchemaHandlerPackage, ExecutionRoleArn, ClientRequestToken } = input;
  const { modules } = ctx.state;
  const registration = {
    token: ctx.ids.uuid(),
    typeName: TypeName,
    ...(ClientRequestToken !== undefined && { clientToken: ClientRequestToken }),
  };
  try {
    const { fragment, schema } = await readModulePackage(SchemaHandlerPackage, TypeName, ctx.endpoint, {
      call: (service, operation, given, options) => ctx.call(service, operation, given, { authorize: {}, ...options }),
    });
    const { version } = modules.add({
      name: TypeName,
      fragment: JSON.stringify(fragment),
      schema: JSON.stringify(schema),
      description: typeof schema.description === 'string' ? schema.description : '',
      registeredAt: ctx.clock.now(),
      ...(ExecutionRoleArn !== undefined && { executionRoleArn: ExecutionRoleArn }),
    });
    return modules.putRegistration({
      ...registration,
      status: 'COMPLETE',
      description: `Deployment is currently in DEPLOY_STAGE of status COMPLETED`,
      version,
    });
  } catch (error) {
    if (!(error instanceof UnusablePackage)) throw error;
    return modules.putRegistration({ ...registration, status: 'FAILED', description: error.message });
  }
}

/**
 * Describes the status of a registration.
 * @throws AwsError `CFNRegistryException`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeTypeRegistration.html
 */
export function DescribeTypeRegistration(
  { RegistrationToken }: InputOf<'DescribeTypeRegistration'>,
  { state: { modules } }: CloudformationContext,
): OutputOf<'DescribeTypeRegistration'> {
  const found = modules.registration(RegistrationToken);
  if (!found) throw registryError(`No registration token matches ${RegistrationToken}.`);
  const { status, description, typeName, version } = found;
  return {
    ProgressStatus: status,
    Description: description,
    ...(version !== undefined && {
      TypeArn: modules.arn(typeName),
      TypeVersionArn: `${modules.arn(typeName)}/${version}`,
    }),
  };
}

/**
 * Lists registration tokens, newest first.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ListTypeRegistrations.html
 */
export function ListTypeRegistrations(
  input: InputOf<'ListTypeRegistrations'>,
  { state: { modules } }: CloudformationContext,
): OutputOf<'ListTypeRegistrations'> {
  const { Type, TypeName, TypeArn, RegistrationStatusFilter } = input;
  const matches = ({ typeName, status }: Registration): boolean =>
    (Type === undefined || Type === 'MODULE') &&
    (TypeName === undefined || typeName === TypeName) &&
    (TypeArn === undefined || TypeArn === modules.arn(typeName)) &&
    (RegistrationStatusFilter === undefined || status === RegistrationStatusFilter);
  return paging
    .page('ListTypeRegistrations', input, modules.allRegistrations().filter(matches), ({ token }) => token)
    .list(({ token }) => token);
}

/** Members of a request that identify a module. */
export interface NamedModule {
  Arn?: string | undefined;
  TypeName?: string | undefined;
  Type?: RegistryType | undefined;
  VersionId?: string | undefined;
}

/** Returns the requested or the default version of a private module; undefined if the request names no module. */
export function moduleNamed(
  { Arn, TypeName, Type, VersionId }: NamedModule,
  { state: { modules } }: CloudformationContext,
): ModuleVersion | undefined {
  const named =
    Arn === undefined
      ? Type === 'MODULE' && TypeName !== undefined
        ? { name: TypeName }
        : undefined
      : modules.byArn(Arn);
  if (!named) return undefined;
  const version = VersionId ?? ('version' in named ? named.version : undefined);
  const versions = modules.versionsOf(named.name);
  return version === undefined
    ? (versions.find(({ isDefault }) => isDefault) ?? versions.at(-1))
    : versions.find((one) => one.version === version);
}

/**
 * Returns the version of a private module that a request names.
 * @throws AwsError `TypeNotFoundException`, `CFNRegistryException`
 */
export function existingModule(input: NamedModule, ctx: CloudformationContext): ModuleVersion {
  if (input.Arn === undefined && (input.TypeName === undefined || input.Type === undefined))
    throw registryError('You must specify either Arn, or TypeName and Type.');
  const found = moduleNamed(input, ctx);
  if (!found) throw noType(input.TypeName ?? input.Arn!);
  return found;
}

/**
 * Deregisters a version of a private module; deregisters the module with its only version.
 * @throws AwsError `TypeNotFoundException`; `CFNRegistryException`, for example for the default version
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeregisterType.html
 */
export function DeregisterType(
  input: InputOf<'DeregisterType'>,
  ctx: CloudformationContext,
): OutputOf<'DeregisterType'> {
  const { modules } = ctx.state;
  const version = existingModule(input, ctx);
  if (version.isDeprecated) throw noType(input.TypeName ?? input.Arn!);
  const active = modules.versionsOf(version.name).filter(({ isDeprecated }) => !isDeprecated);
  if (version.isDefault && active.length > 1)
    throw registryError(
      `Version '${version.version}' is the default version and cannot be deregistered. Deregister the other versions first, or set another default version.`,
    );
  modules.deprecate(version);
  return {};
}

/**
 * Sets the default version of a private module, which templates use.
 * @throws AwsError `TypeNotFoundException`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_SetTypeDefaultVersion.html
 */
export function SetTypeDefaultVersion(
  input: InputOf<'SetTypeDefaultVersion'>,
  ctx: CloudformationContext,
): OutputOf<'SetTypeDefaultVersion'> {
  const { modules } = ctx.state;
  const version = existingModule(input, ctx);
  const isNamed = input.VersionId !== undefined || input.Arn?.endsWith(`/${version.version}`);
  if (!isNamed) throw registryError('You must specify a version: its ARN, or TypeName, Type and VersionId.');
  if (version.isDeprecated) throw noType(input.TypeName ?? input.Arn!);
  modules.use(version);
  return {};
}

/** Returns the private module as DescribeType returns it. */
export function moduleDescription(
  version: ModuleVersion,
  { state: { modules } }: CloudformationContext,
): DescribeTypeOutput {
  const versions = modules.versionsOf(version.name);
  const arn = modules.arn(version.name);
  const inUse = versions.find(({ isDefault }) => isDefault);
  return {
    Arn: `${arn}/${version.version}`,
    Type: 'MODULE',
    TypeName: version.name,
    ...(inUse && { DefaultVersionId: inUse.version }),
    IsDefaultVersion: version.isDefault,
    TypeTestsStatus: version.isTested ? 'PASSED' : 'NOT_TESTED',
    Description: version.description,
    Schema: version.schema,
    DeprecatedStatus: version.isDeprecated ? 'DEPRECATED' : 'LIVE',
    ...(version.executionRoleArn !== undefined && { ExecutionRoleArn: version.executionRoleArn }),
    Visibility: 'PRIVATE',
    TimeCreated: new Date(version.registeredAt),
    LastUpdated: new Date(versions.at(-1)!.registeredAt),
    IsActivated: true,
  };
}
