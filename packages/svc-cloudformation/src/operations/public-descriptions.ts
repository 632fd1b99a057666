import type { DescribeTypeInput, DescribeTypeOutput } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { HOOK_VERSION } from '../hooks/runner.ts';
import { noType } from '../registry/errors.ts';
import type { PublicType } from '../registry/public-types.ts';
import { latestOf } from '../registry/publishing.ts';
import type { ActivatedType } from '../registry/registry.ts';

/** Returns the versions of a public extension of the region, oldest first. */
export const versionsOfPublic = (
  named: Pick<PublicType, 'name' | 'publisherId'>,
  { state }: CloudformationContext,
): PublicType[] =>
  state.publicTypes().filter(({ name, publisherId }) => name === named.name && publisherId === named.publisherId);

/** Returns the latest version of each public extension of the region. */
export function latestTypes(ctx: CloudformationContext): PublicType[] {
  const all = ctx.state.publicTypes();
  return all.filter((type) => latestOf(all.filter((other) => isSame(type, other))) === type);
}

const isSame = (type: PublicType, { name, publisherId, kind }: PublicType): boolean =>
  type.name === name && type.publisherId === publisherId && type.kind === kind;

/**
 * Returns the version of a public extension that a request identifies by publisher or public ARN, by default the
 * latest; undefined if the request identifies no public extension.
 * @throws AwsError `TypeNotFoundException` for an unknown version
 */
export function publicNamed(input: DescribeTypeInput, ctx: CloudformationContext): PublicType | undefined {
  const { Arn, PublisherId, TypeName, Type, PublicVersionNumber } = input;
  const { registry } = ctx.state;
  const arnOf = ({ kind, name, publisherId }: PublicType) => registry.publicArn(kind, name, publisherId);
  const named = ctx.state
    .publicTypes()
    .filter((type) =>
      Arn === undefined
        ? type.publisherId === PublisherId && type.name === TypeName && type.kind === Type
        : Arn === arnOf(type) || Arn === `${arnOf(type)}/${type.version}`,
    );
  if (!named.length) return undefined;
  const found =
    PublicVersionNumber === undefined ? latestOf(named) : named.find(({ version }) => version === PublicVersionNumber);
  if (!found) throw noType(`${named[0]!.name} with the version ${PublicVersionNumber}`);
  return found;
}

/** Returns the public extension as DescribeType returns it. */
export function publicDescription(type: PublicType, ctx: CloudformationContext): DescribeTypeOutput {
  const { name, kind, publisherId, description, version, schema } = type;
  const { registry } = ctx.state;
  return {
    Arn: registry.publicArn(kind, name, publisherId),
    Type: kind,
    TypeName: name,
    Description: description,
    ...(schema !== undefined && { Schema: schema }),
    Visibility: 'PUBLIC',
    PublisherId: publisherId,
    LatestPublicVersion: latestOf(versionsOfPublic(type, ctx))!.version,
    PublicVersionNumber: version,
    IsActivated: registry.all().some((one) => one.originalName === name && one.publisherId === publisherId),
  };
}

/**
 * Returns the activated extension as DescribeType returns it.
 * @throws AwsError `TypeNotFoundException` for a version that is not the active one
 */
export function activatedDescription(
  type: ActivatedType,
  { VersionId, PublicVersionNumber }: Pick<DescribeTypeInput, 'VersionId' | 'PublicVersionNumber'>,
  ctx: CloudformationContext,
): DescribeTypeOutput {
  const { registry } = ctx.state;
  const { name, originalName, publisherId, kind = 'HOOK', version, executionRoleArn, autoUpdate } = type;
  const { activatedAt, configuredAt, configuration } = type;
  if (VersionId !== undefined && VersionId !== HOOK_VERSION) throw noType(`${name} with the version ${VersionId}`);
  const number = PublicVersionNumber ?? version;
  const versions = versionsOfPublic({ name: originalName, publisherId }, ctx);
  const found = versions.find((one) => one.version === number);
  if (!found) throw noType(`${name} with the version ${number}`);
  return {
    Arn: registry.arn(type),
    Type: kind,
    TypeName: name,
    Description: found.description,
    ...(found.schema !== undefined && { Schema: found.schema }),
    Visibility: 'PUBLIC',
    ...(executionRoleArn !== undefined && { ExecutionRoleArn: executionRoleArn }),
    TimeCreated: new Date(activatedAt),
    LastUpdated: new Date(configuredAt ?? activatedAt),
    ...(configuration !== undefined && { ConfigurationSchema: configuration }),
    PublisherId: publisherId,
    OriginalTypeName: originalName,
    OriginalTypeArn: registry.publicArn(kind, originalName, publisherId),
    PublicVersionNumber: number,
    LatestPublicVersion: latestOf(versions)!.version,
    IsActivated: true,
    AutoUpdate: autoUpdate,
  };
}
