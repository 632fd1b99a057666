import { notImplemented } from '@emu/core';
import type {
  AccountSettings,
  GetAccountSettingsOutput,
  GetGroupConfigurationInput,
  GetGroupConfigurationOutput,
  GroupConfigurationItem,
  PutGroupConfigurationInput,
  PutGroupConfigurationOutput,
  UpdateAccountSettingsInput,
  UpdateAccountSettingsOutput,
} from '@emu/service-types/resourcegroups';
import { APPLICATION, checkConfiguration, isApplication } from '../configuration.ts';
import { badRequest } from '../errors.ts';
import { groupOf } from '../lookup.ts';
import type { GroupsContext } from '../query/context.ts';

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetGroupConfiguration.html */
export function GetGroupConfiguration(
  input: GetGroupConfigurationInput,
  ctx: GroupsContext,
): GetGroupConfigurationOutput {
  const { configuration } = groupOf(input, ctx);
  if (!configuration) return { GroupConfiguration: { Configuration: [] } };
  const Configuration = configuration as GroupConfigurationItem[];
  return { GroupConfiguration: { Configuration, Status: 'UPDATE_COMPLETE' } };
}

/**
 * Puts a configuration in the place of the group's. It holds at once.
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_PutGroupConfiguration.html
 */
export function PutGroupConfiguration(
  input: PutGroupConfigurationInput,
  ctx: GroupsContext,
): PutGroupConfigurationOutput {
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

/** Group lifecycle events are off: emu sends none. */
const OFF: AccountSettings = {
  GroupLifecycleEventsDesiredStatus: 'INACTIVE',
  GroupLifecycleEventsStatus: 'INACTIVE',
};

/** @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_GetAccountSettings.html */
export const GetAccountSettings = (): GetAccountSettingsOutput => ({ AccountSettings: OFF });

/**
 * Leaves group lifecycle events off.
 * @throws AwsError `NotImplemented` where they are to be on
 * @see https://docs.aws.amazon.com/ARG/latest/APIReference/API_UpdateAccountSettings.html
 */
export function UpdateAccountSettings(
  { GroupLifecycleEventsDesiredStatus: desired }: UpdateAccountSettingsInput,
  ctx: GroupsContext,
): UpdateAccountSettingsOutput {
  if (desired === 'ACTIVE') throw notImplemented(ctx.service, 'UpdateAccountSettings with group lifecycle events');
  return { AccountSettings: OFF };
}
