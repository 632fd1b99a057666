import type { Pool, User } from '../records.ts';
import { isVerified } from './attributes.ts';

/** Destination of a password reset code. */
export interface Recovery {
  medium: 'EMAIL' | 'SMS';
  destination: string;
}

/** Returns the pool's preferred recovery destination available to the user; undefined if there is none. */
export function recoveryOf({ settings }: Pool, user: User): Recovery | undefined {
  const mechanisms = settings.AccountRecoverySetting?.RecoveryMechanisms ?? [];
  for (const { Name } of [...mechanisms].sort((a, b) => (a.Priority ?? 0) - (b.Priority ?? 0))) {
    if (Name === 'verified_email' && user.attributes.email && isVerified(user, 'email'))
      return { medium: 'EMAIL', destination: user.attributes.email };
    if (Name === 'verified_phone_number' && user.attributes.phone_number && isVerified(user, 'phone_number'))
      return { medium: 'SMS', destination: user.attributes.phone_number };
  }
  return undefined;
}
