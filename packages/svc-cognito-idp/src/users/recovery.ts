import { invalidParameter, notAuthorized } from '../errors.ts';
import type { Pool, User } from '../records.ts';
import { isVerified } from './attributes.ts';

/** Destination of a password reset code. */
export interface Recovery {
  medium: 'EMAIL' | 'SMS';
  destination: string;
}

/**
 * Returns the pool's preferred recovery destination available to the user.
 * @throws AwsError `NotAuthorizedException` if only administrators reset passwords, `InvalidParameterException` if the
 * user has no destination
 */
export function recoveryOf({ settings }: Pool, user: User): Recovery {
  const mechanisms = settings.AccountRecoverySetting?.RecoveryMechanisms ?? [];
  if (mechanisms.some(({ Name }) => Name === 'admin_only'))
    throw notAuthorized('Contact administrator to reset password.');
  for (const { Name } of [...mechanisms].sort((a, b) => (a.Priority ?? 0) - (b.Priority ?? 0))) {
    if (Name === 'verified_email' && user.attributes.email && isVerified(user, 'email'))
      return { medium: 'EMAIL', destination: user.attributes.email };
    if (Name === 'verified_phone_number' && user.attributes.phone_number && isVerified(user, 'phone_number'))
      return { medium: 'SMS', destination: user.attributes.phone_number };
  }
  throw invalidParameter('Cannot reset password for the user as there is no registered/verified email or phone_number');
}
