import { notImplemented } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/cloudformation';
import type { CloudformationContext } from '../context.ts';
import { registryError } from '../registry/errors.ts';
import { HOOKS_PUBLISHER } from '../registry/public-types.ts';
import { isLater, latestOf, partsOf } from '../registry/publishing.ts';
import { existingModule } from './modules.ts';

/** First published version of a module. */
const FIRST_VERSION = '1.0.0';
const ID_LENGTH = 40;

/**
 * Registers the account as a publisher of public extensions, with one id in all regions.
 * @throws AwsError `CFNRegistryException`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_RegisterPublisher.html
 */
export function RegisterPublisher(
  { AcceptTermsAndConditions = false, ConnectionArn }: InputOf<'RegisterPublisher'>,
  { state, ids }: CloudformationContext,
): OutputOf<'RegisterPublisher'> {
  if (!AcceptTermsAndConditions)
    throw registryError('You must accept the terms and conditions to register as a publisher.');
  if (ConnectionArn !== undefined)
    // GitHub and Bitbucket connections belong to a service that emu does not have, so none exist.
    throw registryError(`The connection ${ConnectionArn} cannot be found.`);
  const id = `${ids.uuid()}${ids.uuid()}`.replaceAll('-', '').slice(0, ID_LENGTH);
  return { PublisherId: state.publishing.register(id) };
}

/**
 * Describes a publisher: the account, or the one with an id. As AWS documents, all publishers are verified.
 * @throws AwsError `CFNRegistryException`
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribePublisher.html
 */
export function DescribePublisher(
  { PublisherId }: InputOf<'DescribePublisher'>,
  { state, handle }: CloudformationContext,
): OutputOf<'DescribePublisher'> {
  const own = state.publishing.publisherId();
  if (PublisherId === HOOKS_PUBLISHER) return { PublisherId, PublisherStatus: 'VERIFIED' };
  const id = PublisherId ?? own;
  if (id === undefined) throw registryError('This account is not registered as a publisher.');
  const isKnown = id === own || [...handle.states()].some((other) => other.state.publishing.publisherId() === id);
  if (!isKnown) throw registryError(`The publisher ${id} cannot be found.`);
  return { PublisherId: id, PublisherStatus: 'VERIFIED', IdentityProvider: 'AWS_Marketplace' };
}

/**
 * Tests whether a version of a private module can be published. Registration has already validated its schema, so the
 * test passes. Accounts have no private extensions with handlers.
 * @throws AwsError `TypeNotFoundException`, `CFNRegistryException`; `NotImplemented` for test logs
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_TestType.html
 */
export function TestType(input: InputOf<'TestType'>, ctx: CloudformationContext): OutputOf<'TestType'> {
  const { modules } = ctx.state;
  if (input.LogDeliveryBucket !== undefined)
    throw notImplemented('cloudformation', 'the logs of tests (LogDeliveryBucket)');
  const module = existingModule(input, ctx);
  if (module.isDeprecated) throw registryError(`The version ${module.version} of ${module.name} is deprecated.`);
  modules.passed(module);
  return { TypeVersionArn: `${modules.arn(module.name)}/${module.version}` };
}

/**
 * Publishes the default version of a private module in the region, for all accounts.
 * @throws AwsError `TypeNotFoundException`; `CFNRegistryException` if the account is not a publisher, the version has
 * not passed its test, or the version number is invalid
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_PublishType.html
 */
export function PublishType(input: InputOf<'PublishType'>, ctx: CloudformationContext): OutputOf<'PublishType'> {
  const { registry, publishing } = ctx.state;
  const { PublicVersionNumber } = input;
  const publisherId = publishing.publisherId();
  if (publisherId === undefined) throw registryError('This account is not registered as a publisher.');
  const module = existingModule(input, ctx);
  if (module.isDeprecated) throw registryError(`The version ${module.version} of ${module.name} is deprecated.`);
  const arn = (version: string) => `${registry.publicArn('MODULE', module.name, publisherId)}/${version}`;
  const published = publishing.versionsOf(module.name);
  const again = published.find(({ privateVersion }) => privateVersion === module.version);
  if (again) return { PublicTypeArn: arn(again.version) };
  if (!module.isTested)
    throw registryError(`The version ${module.version} of ${module.name} must have passed its test to be published.`);
  const latest = latestOf(published)?.version;
  if (latest === undefined && PublicVersionNumber !== undefined)
    throw registryError("PublicVersionNumber can't be set for publishing a type for the first time");
  if (latest !== undefined && PublicVersionNumber !== undefined && !isLater(PublicVersionNumber, latest))
    throw registryError(`The version ${PublicVersionNumber} does not come after ${latest}, the latest one.`);
  const version = PublicVersionNumber ?? (latest === undefined ? FIRST_VERSION : nextMinor(latest));
  publishing.publish(module, publisherId, version);
  updateActivations(module.name, publisherId, version, ctx);
  return { PublicTypeArn: arn(version) };
}

/** Returns the next version number if the request gives none. */
function nextMinor(version: string): string {
  const [major, minor] = partsOf(version);
  return `${major}.${minor + 1}.0`;
}

/**
 * Updates accounts that activated the module to a new minor version, unless they opted out; major versions are only
 * activated manually.
 */
function updateActivations(name: string, publisherId: string, version: string, ctx: CloudformationContext): void {
  for (const { region, state } of ctx.handle.states())
    if (region === ctx.region)
      for (const type of state.registry.all())
        if (
          type.originalName === name &&
          type.publisherId === publisherId &&
          type.autoUpdate &&
          partsOf(type.version)[0] === partsOf(version)[0]
        )
          state.registry.update(type.name, (draft) => {
            draft.version = version;
          });
}
