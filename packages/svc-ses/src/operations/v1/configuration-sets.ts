import type { InputOf, OutputOf } from '@emu/service-types/ses';
import type { SesContext } from '../../context.ts';
import { configurationSetOf } from '../../context.ts';
import {
  configurationSetExists,
  destinationExists,
  invalid,
  invalidTracking,
  noDestination,
  noTracking,
  trackingExists,
} from '../../errors.ts';
import { newConfigurationSet } from '../../events/configuration-sets.ts';
import { destinationRecord, fromV1, toV1 } from '../../events/destinations.ts';
import { verifiedIdentityFor } from '../../identities/identities.ts';
import { paging } from '../../paging.ts';
import { CONFIGURATION_SETS, checkCount } from '../../quotas.ts';

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateConfigurationSet.html */
export function CreateConfigurationSet({ ConfigurationSet }: InputOf<'CreateConfigurationSet'>, ctx: SesContext) {
  const { state } = ctx;
  const { Name: name } = ConfigurationSet;
  if (!/^[\w-]{1,64}$/.test(name)) throw invalid('ses', `Invalid configuration set name <${name}>.`);
  if (state.sets.get(name)) throw configurationSetExists('ses', name);
  checkCount(CONFIGURATION_SETS, ctx);
  state.sets.put(name, newConfigurationSet(name));
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteConfigurationSet.html */
export function DeleteConfigurationSet({ ConfigurationSetName }: InputOf<'DeleteConfigurationSet'>, ctx: SesContext) {
  const { name } = configurationSetOf(ConfigurationSetName, ctx);
  ctx.state.sets.delete(name);
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DescribeConfigurationSet.html */
export function DescribeConfigurationSet(
  { ConfigurationSetName, ConfigurationSetAttributeNames = [] }: InputOf<'DescribeConfigurationSet'>,
  ctx: SesContext,
): OutputOf<'DescribeConfigurationSet'> {
  const set = configurationSetOf(ConfigurationSetName, ctx);
  const wants = (name: (typeof ConfigurationSetAttributeNames)[number]) =>
    ConfigurationSetAttributeNames.includes(name);
  return {
    ConfigurationSet: { Name: set.name },
    ...(wants('eventDestinations') && {
      EventDestinations: structuredClone(set.destinations as never[]).flatMap((one) => toV1(one) ?? []),
    }),
    ...(wants('trackingOptions') && set.tracking && { TrackingOptions: { CustomRedirectDomain: set.tracking.domain } }),
    ...(wants('deliveryOptions') &&
      set.tlsPolicy !== undefined && {
        DeliveryOptions: { TlsPolicy: set.tlsPolicy === 'REQUIRE' ? ('Require' as const) : ('Optional' as const) },
      }),
    ...(wants('reputationOptions') && {
      ReputationOptions: {
        SendingEnabled: set.sending,
        ReputationMetricsEnabled: set.reputationMetrics,
        ...(set.lastFreshStart !== undefined && { LastFreshStart: new Date(set.lastFreshStart) }),
      },
    }),
  };
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_ListConfigurationSets.html */
export function ListConfigurationSets(
  input: InputOf<'ListConfigurationSets'>,
  { state }: SesContext,
): OutputOf<'ListConfigurationSets'> {
  return paging
    .page('ListConfigurationSets', input, state.sets.list(), ({ name }) => name)
    .list(({ name: Name }) => ({ Name }));
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateConfigurationSetEventDestination.html */
export async function CreateConfigurationSetEventDestination(
  { ConfigurationSetName, EventDestination }: InputOf<'CreateConfigurationSetEventDestination'>,
  ctx: SesContext,
) {
  const { name, destinations } = configurationSetOf(ConfigurationSetName, ctx);
  if (destinations.some((one) => one.name === EventDestination.Name))
    throw destinationExists('ses', EventDestination.Name, name);
  const record = await destinationRecord(EventDestination.Name, fromV1(EventDestination), name, ctx);
  configurationSetOf(name, ctx);
  ctx.state.sets.update(name, (draft) => {
    draft.destinations = [...draft.destinations.filter((one) => one.name !== record.name), record];
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateConfigurationSetEventDestination.html */
export async function UpdateConfigurationSetEventDestination(
  { ConfigurationSetName, EventDestination }: InputOf<'UpdateConfigurationSetEventDestination'>,
  ctx: SesContext,
) {
  const { name, destinations } = configurationSetOf(ConfigurationSetName, ctx);
  if (!destinations.some((one) => one.name === EventDestination.Name)) throw noDestination('ses', name);
  const record = await destinationRecord(EventDestination.Name, fromV1(EventDestination), name, ctx);
  configurationSetOf(name, ctx);
  ctx.state.sets.update(name, (draft) => {
    draft.destinations = draft.destinations.map((one) => (one.name === record.name ? record : one));
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteConfigurationSetEventDestination.html */
export function DeleteConfigurationSetEventDestination(
  { ConfigurationSetName, EventDestinationName }: InputOf<'DeleteConfigurationSetEventDestination'>,
  ctx: SesContext,
) {
  const { name, destinations } = configurationSetOf(ConfigurationSetName, ctx);
  if (!destinations.some((one) => one.name === EventDestinationName)) throw noDestination('ses', name);
  ctx.state.sets.update(name, (draft) => {
    draft.destinations = draft.destinations.filter((one) => one.name !== EventDestinationName);
  });
  return {};
}

/**
 * Validates a tracking domain.
 * @throws AwsError `InvalidTrackingOptions`
 */
function checkRedirectDomain(domain: string | undefined, { state }: SesContext): string {
  if (!domain || !verifiedIdentityFor(state, domain))
    throw invalidTracking('ses', `Custom redirect domain <${domain ?? ''}> is not a verified domain.`);
  return domain.toLowerCase();
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_CreateConfigurationSetTrackingOptions.html */
export function CreateConfigurationSetTrackingOptions(
  { ConfigurationSetName, TrackingOptions }: InputOf<'CreateConfigurationSetTrackingOptions'>,
  ctx: SesContext,
) {
  const { name, tracking } = configurationSetOf(ConfigurationSetName, ctx);
  if (tracking) throw trackingExists(name);
  const domain = checkRedirectDomain(TrackingOptions.CustomRedirectDomain, ctx);
  ctx.state.sets.update(name, (draft) => {
    draft.tracking = { domain };
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateConfigurationSetTrackingOptions.html */
export function UpdateConfigurationSetTrackingOptions(
  { ConfigurationSetName, TrackingOptions }: InputOf<'UpdateConfigurationSetTrackingOptions'>,
  ctx: SesContext,
) {
  const { name, tracking } = configurationSetOf(ConfigurationSetName, ctx);
  if (!tracking) throw noTracking(name);
  const domain = checkRedirectDomain(TrackingOptions.CustomRedirectDomain, ctx);
  ctx.state.sets.update(name, (draft) => {
    draft.tracking = { ...draft.tracking, domain };
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_DeleteConfigurationSetTrackingOptions.html */
export function DeleteConfigurationSetTrackingOptions(
  { ConfigurationSetName }: InputOf<'DeleteConfigurationSetTrackingOptions'>,
  ctx: SesContext,
) {
  const { name, tracking } = configurationSetOf(ConfigurationSetName, ctx);
  if (!tracking) throw noTracking(name);
  ctx.state.sets.update(name, (draft) => {
    delete draft.tracking;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_PutConfigurationSetDeliveryOptions.html */
export function PutConfigurationSetDeliveryOptions(
  { ConfigurationSetName, DeliveryOptions }: InputOf<'PutConfigurationSetDeliveryOptions'>,
  ctx: SesContext,
) {
  const { name } = configurationSetOf(ConfigurationSetName, ctx);
  ctx.state.sets.update(name, (draft) => {
    draft.tlsPolicy = DeliveryOptions?.TlsPolicy === 'Require' ? 'REQUIRE' : 'OPTIONAL';
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateConfigurationSetReputationMetricsEnabled.html */
export function UpdateConfigurationSetReputationMetricsEnabled(
  { ConfigurationSetName, Enabled }: InputOf<'UpdateConfigurationSetReputationMetricsEnabled'>,
  ctx: SesContext,
) {
  const { name } = configurationSetOf(ConfigurationSetName, ctx);
  ctx.state.sets.update(name, (draft) => {
    draft.reputationMetrics = Enabled;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/ses/latest/APIReference/API_UpdateConfigurationSetSendingEnabled.html */
export function UpdateConfigurationSetSendingEnabled(
  { ConfigurationSetName, Enabled }: InputOf<'UpdateConfigurationSetSendingEnabled'>,
  ctx: SesContext,
) {
  const { name, sending } = configurationSetOf(ConfigurationSetName, ctx);
  const now = ctx.clock.now();
  ctx.state.sets.update(name, (draft) => {
    draft.sending = Enabled;
    if (Enabled && !sending) draft.lastFreshStart = now;
  });
  return {};
}
