import { type DeepReadonly, notImplemented } from '@emu/core/service';
import type { InputOf, OutputOf, QuotaInfo } from '@emu/service-types/servicequotas';
import { directoryOf } from '../catalogue.ts';
import type { ServicequotasContext } from '../context.ts';
import { noSuchResource } from '../errors.ts';
import type { ManagementRecord } from '../records.ts';

const notStarted = () => noSuchResource('Automatic Management is not started for this account.');

/** @throws AwsError `NotImplemented`, because emu has no AWS User Notifications */
function refuseNotifications(arn: string | undefined): void {
  if (arn !== undefined) throw notImplemented('NotificationArn of servicequotas automatic management');
}

/**
 * Starts monitoring the usage of quotas. AWS Health's event on the default bus reports quotas near their limit.
 * @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_StartAutoManagement.html
 */
export function StartAutoManagement(
  input: InputOf<'StartAutoManagement'>,
  ctx: ServicequotasContext,
): OutputOf<'StartAutoManagement'> {
  refuseNotifications(input.NotificationArn);
  ctx.state.management.start({
    level: input.OptInLevel,
    type: input.OptInType,
    exclusions: input.ExclusionList ?? {},
  });
  return {};
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_UpdateAutoManagement.html */
export function UpdateAutoManagement(
  input: InputOf<'UpdateAutoManagement'>,
  ctx: ServicequotasContext,
): OutputOf<'UpdateAutoManagement'> {
  refuseNotifications(input.NotificationArn);
  const { management } = ctx.state;
  if (!management.record) throw notStarted();
  management.update((draft) => {
    draft.type = input.OptInType ?? draft.type;
    draft.exclusions = input.ExclusionList ?? draft.exclusions;
  });
  return {};
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_StopAutoManagement.html */
export function StopAutoManagement(
  _input: InputOf<'StopAutoManagement'>,
  ctx: ServicequotasContext,
): OutputOf<'StopAutoManagement'> {
  const { management } = ctx.state;
  if (!management.record) throw notStarted();
  management.stop();
  return {};
}

/** Returns excluded quotas with their names, if emu has them. */
async function exclusionsOf(
  { exclusions }: DeepReadonly<ManagementRecord>,
  ctx: ServicequotasContext,
): Promise<Record<string, QuotaInfo[]>> {
  const directory = await directoryOf(ctx);
  const entries = Object.entries(exclusions).map(async ([service, codes]) => {
    const quotas = codes.map(async (QuotaCode): Promise<QuotaInfo> => {
      const quota = await directory.find(service, QuotaCode);
      return { QuotaCode, ...(quota && { QuotaName: quota.name }) };
    });
    return [service, await Promise.all(quotas)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** @see https://docs.aws.amazon.com/servicequotas/2019-06-24/apireference/API_GetAutoManagementConfiguration.html */
export async function GetAutoManagementConfiguration(
  _input: InputOf<'GetAutoManagementConfiguration'>,
  ctx: ServicequotasContext,
): Promise<OutputOf<'GetAutoManagementConfiguration'>> {
  const { record } = ctx.state.management;
  if (!record) return { OptInStatus: 'DISABLED' };
  return {
    OptInLevel: record.level,
    OptInType: record.type,
    OptInStatus: 'ENABLED',
    ExclusionList: await exclusionsOf(record, ctx),
  };
}
