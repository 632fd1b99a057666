import type { EventDestination, Sesv2Operations } from '@emu/service-types/sesv2';
import { type Context, configurationSetOf } from '../../context.ts';
import {
  badRequest,
  configurationSetExists,
  destinationExists,
  invalidTracking,
  noDestination,
  notActedOn,
  notFound,
} from '../../errors.ts';
import { newConfigurationSet } from '../../events/configuration-sets.ts';
import { destinationRecord } from '../../events/destinations.ts';
import { verifiedIdentityFor } from '../../identities/identities.ts';
import { v2Paging } from '../../paging.ts';
import { CONFIGURATION_SETS, checkCount } from '../../quotas.ts';
import type { ConfigurationSetRecord } from '../../records.ts';
import { tagging } from '../../tags.ts';

type In<Name extends keyof Sesv2Operations> = Sesv2Operations[Name]['input'];
type Out<Name extends keyof Sesv2Operations> = Sesv2Operations[Name]['output'];
type Draft = ConfigurationSetRecord;

/** Changes a configuration set. */
function change(name: string, ctx: Context, apply: (draft: Draft) => void): Record<string, never> {
  configurationSetOf(name, ctx);
  ctx.state.sets.update(name, apply);
  return {};
}

type Delivery = NonNullable<In<'CreateConfigurationSet'>['DeliveryOptions']>;
type Tracking = NonNullable<In<'CreateConfigurationSet'>['TrackingOptions']>;

/** Takes delivery options. @throws AwsError `NotFoundException` for a pool that is not there */
function applyDelivery(draft: Draft, { TlsPolicy, SendingPoolName, MaxDeliverySeconds }: Delivery, ctx: Context): void {
  if (SendingPoolName !== undefined && !ctx.state.pools.get(SendingPoolName))
    throw notFound(`Dedicated IP pool <${SendingPoolName}> does not exist.`);
  draft.tlsPolicy = TlsPolicy ?? 'OPTIONAL';
  delete draft.pool;
  delete draft.maxDeliverySeconds;
  if (SendingPoolName !== undefined) draft.pool = SendingPoolName;
  if (MaxDeliverySeconds !== undefined) draft.maxDeliverySeconds = MaxDeliverySeconds;
}

/** Takes tracking options. @throws AwsError `BadRequestException` for a domain that is not verified */
function applyTracking(draft: Draft, options: Partial<Tracking>, ctx: Context): void {
  const { CustomRedirectDomain: domain, HttpsPolicy } = options;
  if (domain === undefined) {
    if (HttpsPolicy !== undefined) throw invalidTracking('sesv2', 'HttpsPolicy needs a CustomRedirectDomain.');
    delete draft.tracking;
    return;
  }
  if (!verifiedIdentityFor(ctx.state, domain))
    throw invalidTracking('sesv2', `Custom redirect domain <${domain}> is not a verified domain.`);
  draft.tracking = { domain: domain.toLowerCase(), ...(HttpsPolicy !== undefined && { https: HttpsPolicy }) };
}

/**
 * Checks that a configuration set is to have no archive: Mail Manager makes them, which emu does not have.
 * @throws AwsError `NotFoundException` for any archive
 */
function checkArchive(arn: string | undefined): void {
  if (arn !== undefined) throw notFound(`Archive <${arn}> does not exist.`);
}

/** Checks that validation of addresses is off: nobody knows which of them exist. @throws AwsError 501 */
function checkValidation(options: { ConditionThreshold?: { ConditionThresholdEnabled?: string } } | undefined): void {
  if (options?.ConditionThreshold?.ConditionThresholdEnabled === 'ENABLED')
    throw notActedOn('validation of recipients');
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateConfigurationSet.html */
export function CreateConfigurationSet(input: In<'CreateConfigurationSet'>, ctx: Context) {
  const { ConfigurationSetName: name, SuppressionOptions, VdmOptions, ReputationOptions } = input;
  if (!/^[\w-]{1,64}$/.test(name)) throw badRequest(`Invalid configuration set name <${name}>.`);
  if (ctx.state.sets.get(name)) throw configurationSetExists('sesv2', name);
  checkCount(CONFIGURATION_SETS, ctx);
  checkArchive(input.ArchivingOptions?.ArchiveArn);
  checkValidation(SuppressionOptions?.ValidationOptions);
  const record: Draft = { ...newConfigurationSet(name), tags: tagging.merge(undefined, input.Tags) };
  if (input.TrackingOptions) applyTracking(record, input.TrackingOptions, ctx);
  if (input.DeliveryOptions) applyDelivery(record, input.DeliveryOptions, ctx);
  if (input.SendingOptions?.SendingEnabled !== undefined) record.sending = input.SendingOptions.SendingEnabled;
  record.reputationMetrics = ReputationOptions?.ReputationMetricsEnabled ?? false;
  if (ReputationOptions?.LastFreshStart) record.lastFreshStart = ReputationOptions.LastFreshStart.getTime();
  if (SuppressionOptions) record.suppression = suppressionRecord(SuppressionOptions);
  if (VdmOptions) record.vdm = VdmOptions;
  ctx.state.sets.put(name, record);
  return {};
}

const suppressionRecord = ({
  SuppressedReasons,
  ValidationOptions,
}: NonNullable<In<'CreateConfigurationSet'>['SuppressionOptions']>): NonNullable<Draft['suppression']> => ({
  ...(SuppressedReasons && { reasons: SuppressedReasons }),
  ...(ValidationOptions && { validation: ValidationOptions }),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetConfigurationSet.html */
export function GetConfigurationSet(
  { ConfigurationSetName }: In<'GetConfigurationSet'>,
  ctx: Context,
): Out<'GetConfigurationSet'> {
  const set = structuredClone(configurationSetOf(ConfigurationSetName, ctx)) as Draft;
  const { tracking, suppression } = set;
  return {
    ConfigurationSetName: set.name,
    ...(tracking && {
      TrackingOptions: {
        CustomRedirectDomain: tracking.domain,
        ...(tracking.https !== undefined && { HttpsPolicy: tracking.https }),
      },
    }),
    // Those that nobody has set are left out: Terraform would take them away again.
    ...(set.tlsPolicy !== undefined && {
      DeliveryOptions: {
        TlsPolicy: set.tlsPolicy,
        ...(set.pool !== undefined && { SendingPoolName: set.pool }),
        ...(set.maxDeliverySeconds !== undefined && { MaxDeliverySeconds: set.maxDeliverySeconds }),
      },
    }),
    ReputationOptions: {
      ReputationMetricsEnabled: set.reputationMetrics,
      ...(set.lastFreshStart !== undefined && { LastFreshStart: new Date(set.lastFreshStart) }),
    },
    SendingOptions: { SendingEnabled: set.sending },
    Tags: set.tags,
    ...(suppression && {
      SuppressionOptions: {
        ...(suppression.reasons && { SuppressedReasons: suppression.reasons }),
        ...(suppression.validation && { ValidationOptions: suppression.validation }),
      },
    }),
    ...(set.vdm && { VdmOptions: set.vdm }),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_ListConfigurationSets.html */
export const ListConfigurationSets = (
  input: In<'ListConfigurationSets'>,
  { state }: Context,
): Out<'ListConfigurationSets'> =>
  v2Paging.page('ListConfigurationSets', input, state.sets.list(), ({ name }) => name).list(({ name }) => name);

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteConfigurationSet.html */
export function DeleteConfigurationSet({ ConfigurationSetName }: In<'DeleteConfigurationSet'>, ctx: Context) {
  ctx.state.sets.delete(configurationSetOf(ConfigurationSetName, ctx).name);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetArchivingOptions.html */
export function PutConfigurationSetArchivingOptions(
  { ConfigurationSetName, ArchiveArn }: In<'PutConfigurationSetArchivingOptions'>,
  ctx: Context,
): Record<string, never> {
  configurationSetOf(ConfigurationSetName, ctx);
  checkArchive(ArchiveArn);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetDeliveryOptions.html */
export const PutConfigurationSetDeliveryOptions = (
  { ConfigurationSetName, ...options }: In<'PutConfigurationSetDeliveryOptions'>,
  ctx: Context,
) => change(ConfigurationSetName, ctx, (draft) => applyDelivery(draft, options, ctx));

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetReputationOptions.html */
export const PutConfigurationSetReputationOptions = (
  { ConfigurationSetName, ReputationMetricsEnabled = false }: In<'PutConfigurationSetReputationOptions'>,
  ctx: Context,
) =>
  change(ConfigurationSetName, ctx, (draft) => {
    draft.reputationMetrics = ReputationMetricsEnabled;
  });

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetSendingOptions.html */
export const PutConfigurationSetSendingOptions = (
  { ConfigurationSetName, SendingEnabled = false }: In<'PutConfigurationSetSendingOptions'>,
  ctx: Context,
) =>
  change(ConfigurationSetName, ctx, (draft) => {
    if (SendingEnabled && !draft.sending) draft.lastFreshStart = ctx.clock.now();
    draft.sending = SendingEnabled;
  });

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetSuppressionOptions.html */
export function PutConfigurationSetSuppressionOptions(
  { ConfigurationSetName, ...options }: In<'PutConfigurationSetSuppressionOptions'>,
  ctx: Context,
) {
  checkValidation(options.ValidationOptions);
  return change(ConfigurationSetName, ctx, (draft) => {
    draft.suppression = suppressionRecord(options);
  });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetTrackingOptions.html */
export const PutConfigurationSetTrackingOptions = (
  { ConfigurationSetName, ...options }: In<'PutConfigurationSetTrackingOptions'>,
  ctx: Context,
) => change(ConfigurationSetName, ctx, (draft) => applyTracking(draft, options, ctx));

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetVdmOptions.html */
export const PutConfigurationSetVdmOptions = (
  { ConfigurationSetName, VdmOptions }: In<'PutConfigurationSetVdmOptions'>,
  ctx: Context,
) =>
  change(ConfigurationSetName, ctx, (draft) => {
    if (VdmOptions) draft.vdm = VdmOptions;
    else delete draft.vdm;
  });

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateConfigurationSetEventDestination.html */
export async function CreateConfigurationSetEventDestination(
  { ConfigurationSetName, EventDestinationName, EventDestination }: In<'CreateConfigurationSetEventDestination'>,
  ctx: Context,
) {
  const { name, destinations } = configurationSetOf(ConfigurationSetName, ctx);
  if (destinations.some((one) => one.name === EventDestinationName))
    throw destinationExists('sesv2', EventDestinationName, name);
  const record = await destinationRecord(EventDestinationName, EventDestination, name, ctx);
  return change(name, ctx, (draft) => {
    draft.destinations = [...draft.destinations.filter((one) => one.name !== record.name), record];
  });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_UpdateConfigurationSetEventDestination.html */
export async function UpdateConfigurationSetEventDestination(
  { ConfigurationSetName, EventDestinationName, EventDestination }: In<'UpdateConfigurationSetEventDestination'>,
  ctx: Context,
) {
  const { name, destinations } = configurationSetOf(ConfigurationSetName, ctx);
  if (!destinations.some((one) => one.name === EventDestinationName)) throw noDestination('sesv2', name);
  const record = await destinationRecord(EventDestinationName, EventDestination, name, ctx);
  return change(name, ctx, (draft) => {
    draft.destinations = draft.destinations.map((one) => (one.name === record.name ? record : one));
  });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteConfigurationSetEventDestination.html */
export function DeleteConfigurationSetEventDestination(
  { ConfigurationSetName, EventDestinationName }: In<'DeleteConfigurationSetEventDestination'>,
  ctx: Context,
) {
  const { name, destinations } = configurationSetOf(ConfigurationSetName, ctx);
  if (!destinations.some((one) => one.name === EventDestinationName)) throw noDestination('sesv2', name);
  return change(name, ctx, (draft) => {
    draft.destinations = draft.destinations.filter((one) => one.name !== EventDestinationName);
  });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetConfigurationSetEventDestinations.html */
export function GetConfigurationSetEventDestinations(
  { ConfigurationSetName }: In<'GetConfigurationSetEventDestinations'>,
  ctx: Context,
): Out<'GetConfigurationSetEventDestinations'> {
  const { destinations } = structuredClone(configurationSetOf(ConfigurationSetName, ctx)) as Draft;
  return {
    EventDestinations: destinations.map(
      ({ name, enabled, types, ...targets }): EventDestination => ({
        Name: name,
        Enabled: enabled,
        MatchingEventTypes: types,
        ...targets,
      }),
    ),
  };
}
