import { notImplemented } from '@emu/core/service';
import type { AccountSettings, GroupConfigurationItem, InputOf, OutputOf } from '@emu/service-types/resourcegroups';
import { APPLICATION, checkConfiguration, isApplication } from '../configuration.ts';
import type { ResourcegroupsContext } from '../context.ts';
import { badRequest } from '../errors.ts';
import { groupOf } from '../lookup.ts';

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetGroupConfiguration.html */
export function GetGroupConfiguration(
  input: InputOf<'GetGroupConfiguration'>,
  ctx: ResourcegroupsContext,
): OutputOf<'GetGroupConfiguration'> {
  const { configuration } = groupOf(input, ctx);
  if (!configuration) return { GroupConfiguration: { Configuration: [] } };
  const Configuration = configuration as GroupConfigurationItem[];
  return { GroupConfiguration: { Configuration, Status: 'UPDATE_COMPLETE' } };
}

/**
 * Replaces the configuration of a group, effective immediately.
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_PutGroupConfiguration.html
 */
export function PutGroupConfiguration(
  input: InputOf<'PutGroupConfiguration'>,
  ctx: ResourcegroupsContext,
): OutputOf<'PutGroupConfiguration'> {
  const group = groupOf(input, ctx);
  const { Configuration = [] } = input;
  if (group.query) throw badRequest('A group can have either a resource query or a configuration, not both.');
  checkConfiguration(Configuration);
  if (isApplication(group) !== Configuration.some(({ Type }) => Type === APPLICATION))
    throw badRequest(`Configuration not valid: The type ${APPLICATION} can be neither added nor removed.`);
  ctx.state.groups.update(group.name, (draft) => {
    draft.configuration = Configuration;
  });
  return {};
}

/** Settings with inactive group lifecycle events, because emu sends none. */
const OFF: AccountSettings = {
  GroupLifecycleEventsDesiredStatus: 'INACTIVE',
  GroupLifecycleEventsStatus: 'INACTIVE',
};

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetAccountSettings.html */
export function GetAccountSettings(): OutputOf<'GetAccountSettings'> {
  return { AccountSettings: OFF };
}

/**
 * Accepts only the deactivation of group lifecycle events.
 * @throws AwsError `NotImplemented` for their activation
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_UpdateAccountSettings.html
 */
export function UpdateAccountSettings(
  { GroupLifecycleEventsDesiredStatus: desired }: InputOf<'UpdateAccountSettings'>,
  ctx: ResourcegroupsContext,
): OutputOf<'UpdateAccountSettings'> {
  if (desired === 'ACTIVE') throw notImplemented(ctx.service, 'UpdateAccountSettings with group lifecycle events');
  return { AccountSettings: OFF };
}
