import { isRoleArn, notEmulated } from '@emu/core/service';
import { invalidRequest } from '../errors.ts';

type Check = (value: string) => boolean;

/** SMS attributes with the patterns of their values. An empty value resets an attribute. */
const CHECKS: Readonly<Record<string, Check>> = {
  DefaultSMSType: (value) => value === 'Promotional' || value === 'Transactional',
  DefaultSenderID: (value) => /^[A-Za-z0-9]{1,11}$/.test(value) && /[A-Za-z]/.test(value),
  DeliveryStatusIAMRole: isRoleArn,
  DeliveryStatusSuccessSamplingRate: (value) => /^\d{1,3}$/.test(value) && Number(value) <= 100,
  MonthlySpendLimit: (value) => /^\d{1,9}$/.test(value),
  UsageReportS3Bucket: (value) => /^[a-z0-9.-]{3,63}$/.test(value),
};

/** Defaults of every account. */
export const DEFAULT_SMS_ATTRIBUTES: Readonly<Record<string, string>> = { MonthlySpendLimit: '1' };

/** Attributes about prices and reports, which emu lacks. Only their defaults are accepted. */
const NOT_ACTED_ON = ['MonthlySpendLimit', 'UsageReportS3Bucket'];

/** @throws AwsError `InvalidParameter`; `NotImplemented` for spend limits and reports */
export function checkSmsAttributes(attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!Object.hasOwn(CHECKS, name)) throw invalidRequest(`${name} is not a valid attribute`);
    if (value !== '' && !CHECKS[name]!(value)) throw invalidRequest(`${name} is invalid`);
  }
  for (const name of NOT_ACTED_ON)
    if (attributes[name] && attributes[name] !== DEFAULT_SMS_ATTRIBUTES[name])
      throw notEmulated(`the SMS attribute ${name}`, 'sns');
}
