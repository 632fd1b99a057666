import type { TimeUnitsType } from '@emu/service-types/cognito-idp';
import type { Client } from '../records.ts';

const UNITS: Readonly<Record<TimeUnitsType, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };
const HOUR = 3600;

const seconds = (value: number | undefined, unit: TimeUnitsType, otherwise: number): number =>
  value ? value * UNITS[unit] : otherwise;

/** How long a client's tokens are good for, in seconds. */
export interface Validity {
  access: number;
  id: number;
  refresh: number;
}

/** The validities that a client's settings mean. */
export function validityOf({
  accessTokenValidity,
  idTokenValidity,
  refreshTokenValidity,
  units,
}: Pick<Client, 'accessTokenValidity' | 'idTokenValidity' | 'refreshTokenValidity' | 'units'>): Validity {
  return {
    access: seconds(accessTokenValidity, units?.AccessToken ?? 'hours', HOUR),
    id: seconds(idTokenValidity, units?.IdToken ?? 'hours', HOUR),
    refresh: seconds(refreshTokenValidity, units?.RefreshToken ?? 'days', 30 * UNITS.days),
  };
}
