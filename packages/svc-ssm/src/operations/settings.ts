import { notEmulated } from '@emu/core/service';
import type { InputOf, OutputOf, ServiceSetting } from '@emu/service-types/ssm';
import type { SsmContext } from '../context.ts';
import { invalid, ssmError } from '../errors.ts';
import { settingType } from '../resources.ts';
import { SETTINGS } from '../settings.ts';

/**
 * Returns the id of a setting, given as id or ARN.
 * @throws AwsError `ServiceSettingNotFound`
 */
function settingOf(given: string): string {
  const id = given.replace(/^arn:[^:]*:ssm:[^:]*:[^:]*:servicesetting/, '');
  if (!Object.hasOwn(SETTINGS, id))
    throw ssmError('ServiceSettingNotFound', `Setting ${given} not found. Please verify service setting name.`);
  return id;
}

/**
 * Date of a default setting.
 * @see https://docs.aws.amazon.com/cli/latest/reference/ssm/get-service-setting.html
 */
const INITIAL_DATE = new Date('2019-04-17T20:26:58.578Z');

function describe(id: string, ctx: SsmContext): ServiceSetting {
  const changed = ctx.state.settings.get(id);
  return {
    SettingId: id,
    SettingValue: changed?.value ?? SETTINGS[id]!.initial,
    LastModifiedDate: changed ? new Date(changed.modifiedAt) : INITIAL_DATE,
    LastModifiedUser: changed?.modifiedBy ?? 'System',
    ARN: settingType.arn({ id: id.slice(1) }, ctx),
    Status: changed ? 'Customized' : 'Default',
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetServiceSetting.html */
export function GetServiceSetting(input: InputOf<'GetServiceSetting'>, ctx: SsmContext): OutputOf<'GetServiceSetting'> {
  return {
    ServiceSetting: describe(settingOf(input.SettingId), ctx),
  };
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_UpdateServiceSetting.html */
export function UpdateServiceSetting(
  input: InputOf<'UpdateServiceSetting'>,
  ctx: SsmContext,
): OutputOf<'UpdateServiceSetting'> {
  const id = settingOf(input.SettingId);
  const { accepts } = SETTINGS[id]!;
  if (!accepts) throw notEmulated(`the service setting ${id} of ssm`);
  if (!accepts.test(input.SettingValue))
    throw invalid(`The value ${input.SettingValue} is not valid for setting ${id}.`);
  ctx.state.settings.put(id, {
    value: input.SettingValue,
    modifiedAt: Math.floor(ctx.clock.now()),
    modifiedBy: ctx.principal.arn,
  });
  return {};
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ResetServiceSetting.html */
export function ResetServiceSetting(
  input: InputOf<'ResetServiceSetting'>,
  ctx: SsmContext,
): OutputOf<'ResetServiceSetting'> {
  const id = settingOf(input.SettingId);
  ctx.state.settings.delete(id);
  return { ServiceSetting: describe(id, ctx) };
}
