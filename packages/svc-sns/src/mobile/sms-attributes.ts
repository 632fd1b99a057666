import { isRoleArn } from '@emu/core';
import { invalidRequest, notActedOn } from '../errors.ts';

type Check = (value: string) => boolean;

/** SMS attributes, and which values they take besides none, which resets them. */
const CHECKS: Readonly<Record<string, Check>> = {
  DefaultSMSType: (value) => value === 'Promotional' || value === 'Transactional',
  DefaultSenderID: (value) => /^[A-Za-z0-9]{1,11}$/.test(value) && /[A-Za-z]/.test(value),
  DeliveryStatusIAMRole: isRoleArn,
  DeliveryStatusSuccessSamplingRate: (value) => /^\d{1,3}$/.test(value) && Number(value) <= 100,
  MonthlySpendLimit: (value) => /^\d{1,9}$/.test(value),
  UsageReportS3Bucket: (value) => /^[a-z0-9.-]{3,63}$/.test(value),
};

/** What every account has. */
export const DEFAULT_SMS_ATTRIBUTES: Readonly<Record<string, string>> = { MonthlySpendLimit: '1' };

/** Attributes that only have an effect where prices, logs or reports are; their defaults have none. */
const NOT_ACTED_ON = ['DeliveryStatusIAMRole', 'MonthlySpendLimit', 'UsageReportS3Bucket'];

/** @throws AwsError `InvalidParameter`; `NotImplemented` for a limit, logs or reports that emu does not know */
export function checkSmsAttributes(attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (!Object.hasOwn(CHECKS, name)) throw invalidRequest(`${name} is not a valid attribute`);
    if (value !== '' && !CHECKS[name]!(value)) throw invalidRequest(`${name} is invalid`);
  }
  for (const name of NOT_ACTED_ON)
    if (attributes[name] && attributes[name] !== DEFAULT_SMS_ATTRIBUTES[name])
      throw notActedOn(`the SMS attribute ${name}`);
}
