import type { TimeUnitsType } from '@emu/service-types/cognito-idp';
import type { Client } from '../records.ts';

const UNITS: Readonly<Record<TimeUnitsType, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };
const HOUR = 3600;

const seconds = (value: number | undefined, unit: TimeUnitsType, otherwise: number): number =>
  value ? value * UNITS[unit] : otherwise;

/** Validity of a client's tokens, in seconds. */
export interface Validity {
  access: number;
  id: number;
  refresh: number;
}

/** Returns the token validities of a client's settings. */
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
