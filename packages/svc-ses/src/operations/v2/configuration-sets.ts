import { notEmulated } from '@emu/core/service';
import type { EventDestination, InputOf, OutputOf } from '@emu/service-types/sesv2';
import type { SesContext } from '../../context.ts';
import { configurationSetOf } from '../../context.ts';
import {
  badRequest,
  configurationSetExists,
  destinationExists,
  invalidTracking,
  noDestination,
  notFound,
} from '../../errors.ts';
import { newConfigurationSet } from '../../events/configuration-sets.ts';
import { destinationRecord } from '../../events/destinations.ts';
import { verifiedIdentityFor } from '../../identities/identities.ts';
import { v2Paging } from '../../paging.ts';
import { CONFIGURATION_SETS, checkCount } from '../../quotas.ts';
import type { ConfigurationSetRecord } from '../../records.ts';
import { tagging } from '../../tags.ts';

type Draft = ConfigurationSetRecord;

/** Changes a configuration set. */
function change(name: string, ctx: SesContext, apply: (draft: Draft) => void): Record<string, never> {
  configurationSetOf(name, ctx);
  ctx.state.sets.update(name, apply);
  return {};
}

type Delivery = NonNullable<InputOf<'CreateConfigurationSet'>['DeliveryOptions']>;
type Tracking = NonNullable<InputOf<'CreateConfigurationSet'>['TrackingOptions']>;

/**
 * Applies delivery options.
 * @throws AwsError `NotFoundException` for an unknown pool
 */
function applyDelivery(
  draft: Draft,
  { TlsPolicy, SendingPoolName, MaxDeliverySeconds }: Delivery,
  ctx: SesContext,
): void {
  if (SendingPoolName !== undefined && !ctx.state.pools.get(SendingPoolName))
    throw notFound(`Dedicated IP pool <${SendingPoolName}> does not exist.`);
  draft.tlsPolicy = TlsPolicy ?? 'OPTIONAL';
  delete draft.pool;
  delete draft.maxDeliverySeconds;
  if (SendingPoolName !== undefined) draft.pool = SendingPoolName;
  if (MaxDeliverySeconds !== undefined) draft.maxDeliverySeconds = MaxDeliverySeconds;
}

/**
 * Applies tracking options.
 * @throws AwsError `BadRequestException` for an unverified domain
 */
function applyTracking(draft: Draft, options: Partial<Tracking>, ctx: SesContext): void {
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
 * Rejects archives, which Mail Manager creates and emu does not have.
 * @throws AwsError `NotFoundException` for any archive
 */
function checkArchive(arn: string | undefined): void {
  if (arn !== undefined) throw notFound(`Archive <${arn}> does not exist.`);
}

/**
 * Rejects address validation, which emu does not support.
 * @throws AwsError 501
 */
function checkValidation(options: { ConditionThreshold?: { ConditionThresholdEnabled?: string } } | undefined): void {
  if (options?.ConditionThreshold?.ConditionThresholdEnabled === 'ENABLED')
    throw notEmulated('validation of recipients', 'ses');
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateConfigurationSet.html */
export function CreateConfigurationSet(input: InputOf<'CreateConfigurationSet'>, ctx: SesContext) {
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
}: NonNullable<InputOf<'CreateConfigurationSet'>['SuppressionOptions']>): NonNullable<Draft['suppression']> => ({
  ...(SuppressedReasons && { reasons: SuppressedReasons }),
  ...(ValidationOptions && { validation: ValidationOptions }),
});

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetConfigurationSet.html */
export function GetConfigurationSet(
  { ConfigurationSetName }: InputOf<'GetConfigurationSet'>,
  ctx: SesContext,
): OutputOf<'GetConfigurationSet'> {
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
    // Unset options are omitted: Terraform would remove them otherwise.
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
export function ListConfigurationSets(
  input: InputOf<'ListConfigurationSets'>,
  { state }: SesContext,
): OutputOf<'ListConfigurationSets'> {
  return v2Paging.page('ListConfigurationSets', input, state.sets.list(), ({ name }) => name).list(({ name }) => name);
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_DeleteConfigurationSet.html */
export function DeleteConfigurationSet({ ConfigurationSetName }: InputOf<'DeleteConfigurationSet'>, ctx: SesContext) {
  ctx.state.sets.delete(configurationSetOf(ConfigurationSetName, ctx).name);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetArchivingOptions.html */
export function PutConfigurationSetArchivingOptions(
  { ConfigurationSetName, ArchiveArn }: InputOf<'PutConfigurationSetArchivingOptions'>,
  ctx: SesContext,
): OutputOf<'PutConfigurationSetArchivingOptions'> {
  configurationSetOf(ConfigurationSetName, ctx);
  checkArchive(ArchiveArn);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetDeliveryOptions.html */
export function PutConfigurationSetDeliveryOptions(
  { ConfigurationSetName, ...options }: InputOf<'PutConfigurationSetDeliveryOptions'>,
  ctx: SesContext,
) {
  return change(ConfigurationSetName, ctx, (draft) => applyDelivery(draft, options, ctx));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetReputationOptions.html */
export function PutConfigurationSetReputationOptions(
  { ConfigurationSetName, ReputationMetricsEnabled = false }: InputOf<'PutConfigurationSetReputationOptions'>,
  ctx: SesContext,
) {
  return change(ConfigurationSetName, ctx, (draft) => {
    draft.reputationMetrics = ReputationMetricsEnabled;
  });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetSendingOptions.html */
export function PutConfigurationSetSendingOptions(
  { ConfigurationSetName, SendingEnabled = false }: InputOf<'PutConfigurationSetSendingOptions'>,
  ctx: SesContext,
) {
  return change(ConfigurationSetName, ctx, (draft) => {
    if (SendingEnabled && !draft.sending) draft.lastFreshStart = ctx.clock.now();
    draft.sending = SendingEnabled;
  });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetSuppressionOptions.html */
export function PutConfigurationSetSuppressionOptions(
  { ConfigurationSetName, ...options }: InputOf<'PutConfigurationSetSuppressionOptions'>,
  ctx: SesContext,
) {
  checkValidation(options.ValidationOptions);
  return change(ConfigurationSetName, ctx, (draft) => {
    draft.suppression = suppressionRecord(options);
  });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetTrackingOptions.html */
export function PutConfigurationSetTrackingOptions(
  { ConfigurationSetName, ...options }: InputOf<'PutConfigurationSetTrackingOptions'>,
  ctx: SesContext,
) {
  return change(ConfigurationSetName, ctx, (draft) => applyTracking(draft, options, ctx));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_PutConfigurationSetVdmOptions.html */
export function PutConfigurationSetVdmOptions(
  { ConfigurationSetName, VdmOptions }: InputOf<'PutConfigurationSetVdmOptions'>,
  ctx: SesContext,
) {
  return change(ConfigurationSetName, ctx, (draft) => {
    if (VdmOptions) draft.vdm = VdmOptions;
    else delete draft.vdm;
  });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_CreateConfigurationSetEventDestination.html */
export async function CreateConfigurationSetEventDestination(
  { ConfigurationSetName, EventDestinationName, EventDestination }: InputOf<'CreateConfigurationSetEventDestination'>,
  ctx: SesContext,
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
  { ConfigurationSetName, EventDestinationName, EventDestination }: InputOf<'UpdateConfigurationSetEventDestination'>,
  ctx: SesContext,
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
  { ConfigurationSetName, EventDestinationName }: InputOf<'DeleteConfigurationSetEventDestination'>,
  ctx: SesContext,
) {
  const { name, destinations } = configurationSetOf(ConfigurationSetName, ctx);
  if (!destinations.some((one) => one.name === EventDestinationName)) throw noDestination('sesv2', name);
  return change(name, ctx, (draft) => {
    draft.destinations = draft.destinations.filter((one) => one.name !== EventDestinationName);
  });
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetConfigurationSetEventDestinations.html */
export function GetConfigurationSetEventDestinations(
  { ConfigurationSetName }: InputOf<'GetConfigurationSetEventDestinations'>,
  ctx: SesContext,
): OutputOf<'GetConfigurationSetEventDestinations'> {
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
