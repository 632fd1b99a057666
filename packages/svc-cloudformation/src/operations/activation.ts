import { notImplemented } from '@emu/core/service';
import type { ActivateTypeInput, InputOf, OutputOf, RegistryType } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { noType, registryError } from '../registry/errors.ts';
import type { PublicType } from '../registry/public-types.ts';
import { latestOf, partsOf } from '../registry/publishing.ts';
import type { ActivatedType } from '../registry/registry.ts';

/** Reserved name prefixes of extensions. */
const RESERVED = /^(Alexa|AMZN|Amazon|ASK|AWS|Custom|Dev)::/i;

const dashed = (name: string): string => name.replaceAll('::', '-');

/**
 * Returns the versions of the public extension that a request names: all, or the one at the end of the ARN.
 * @throws AwsError `TypeNotFoundException`, `CFNRegistryException`
 */
function publicVersions(
  { PublicTypeArn, PublisherId, TypeName, Type }: ActivateTypeInput,
  { state }: CloudformationContext,
): PublicType[] {
  if (PublicTypeArn === undefined && (TypeName === undefined || Type === undefined || PublisherId === undefined))
    throw registryError('You must specify PublicTypeArn, or TypeName, Type, and PublisherId.');
  const found = state.publicTypes().filter(({ name, kind, publisherId, version }) => {
    if (PublicTypeArn === undefined) return name === TypeName && kind === Type && publisherId === PublisherId;
    const path = `:type/${kind.toLowerCase()}/${publisherId}/${dashed(name)}`;
    return PublicTypeArn.endsWith(path) || PublicTypeArn.endsWith(`${path}/${version}`);
  });
  if (!found.length) throw noType(TypeName ?? PublicTypeArn!);
  return found;
}

/** Returns the version to activate: the requested one, or the latest; without a request, an active one is kept. */
function versionFor(
  versions: readonly PublicType[],
  known: ActivatedType | undefined,
  { MajorVersion, VersionBump, PublicTypeArn }: ActivateTypeInput,
): PublicType {
  const { name } = versions[0]!;
  if (MajorVersion !== undefined) {
    const found = latestOf(versions, MajorVersion);
    if (!found) throw noType(`${name} with the major version ${MajorVersion}`);
    return found;
  }
  const active = versions.find(({ version }) => version === known?.version);
  const isNamed = versions.length === 1 && PublicTypeArn?.endsWith(`/${versions[0]!.version}`);
  if (!active || isNamed) return latestOf(versions)!;
  if (VersionBump === 'MAJOR') return latestOf(versions)!;
  return VersionBump === 'MINOR' ? latestOf(versions, partsOf(active.version)[0])! : active;
}

/**
 * Activates a public extension: a Lambda Hook, or a module that an account published.
 * @throws AwsError `TypeNotFoundException`, `CFNRegistryException`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ActivateType.html
 */
export function ActivateType(input: InputOf<'ActivateType'>, ctx: CloudformationContext): OutputOf<'ActivateType'> {
  const { registry, modules } = ctx.state;
  const { TypeNameAlias, ExecutionRoleArn, AutoUpdate, LoggingConfig, MajorVersion, VersionBump } = input;
  const versions = publicVersions(input, ctx);
  const { name: originalName, kind, publisherId } = versions[0]!;
  if (LoggingConfig) throw notImplemented('cloudformation', 'the logs of extensions (LoggingConfig)');
  if (MajorVersion !== undefined && VersionBump !== undefined)
    throw registryError('You can specify MajorVersion or VersionBump, but not both.');
  if (TypeNameAlias !== undefined && RESERVED.test(TypeNameAlias))
    throw registryError(`The alias ${TypeNameAlias} begins with a reserved namespace.`);
  const name = TypeNameAlias ?? originalName;
  if (kind === 'MODULE' && !name.endsWith('::MODULE'))
    throw registryError(`The alias of a module must end with ::MODULE: ${name}`);
  const known = registry.activated(name);
  if ((known && (known.originalName !== originalName || known.publisherId !== publisherId)) || modules.inUse(name))
    throw registryError(`The type ${name} is already activated.`);
  const fresh: ActivatedType = {
    name,
    originalName,
    ...(kind !== 'HOOK' && { kind }),
    publisherId,
    version: versionFor(versions, known, input).version,
    autoUpdate: true,
    activatedAt: ctx.clock.now(),
    configurationVersion: 0,
  };
  const activated = registry.put({
    ...(known ?? fresh),
    version: fresh.version,
    ...(AutoUpdate !== undefined && { autoUpdate: AutoUpdate }),
    ...(ExecutionRoleArn !== undefined && { executionRoleArn: ExecutionRoleArn }),
  });
  return { Arn: registry.arn(activated) };
}

/**
 * Returns the activated extension that a request names.
 * @throws AwsError `TypeNotFoundException`, `CFNRegistryException`
 */
export function activatedNamed(
  { Arn, TypeName, Type }: { Arn?: string | undefined; TypeName?: string | undefined; Type?: RegistryType | undefined },
  { state }: CloudformationContext,
): ActivatedType {
  if (Arn === undefined && (TypeName === undefined || Type === undefined))
    throw registryError('You must specify either Arn, or TypeName and Type.');
  const found = Arn === undefined ? state.registry.activated(TypeName!) : state.registry.byArn(Arn);
  if (!found || (Type !== undefined && Type !== (found.kind ?? 'HOOK'))) throw noType(TypeName ?? Arn!);
  return found;
}

/**
 * Deactivates a public extension and deletes its configuration.
 * @throws AwsError `TypeNotFoundException`, `CFNRegistryException`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeactivateType.html
 */
export function DeactivateType(
  input: InputOf<'DeactivateType'>,
  ctx: CloudformationContext,
): OutputOf<'DeactivateType'> {
  ctx.state.registry.delete(activatedNamed(input, ctx).name);
  return {};
}
