import type { UserType } from '@emu/service-types/cognito-idp';
import type { User } from '../records.ts';
import { identitiesOf, listed } from './attributes.ts';

/** Returns all attributes of a user, for administrators. */
export const allAttributes = (user: User) => listed(user.sub, { ...identitiesOf(user), ...user.attributes });

/**
 * Returns a user in lists.
 * @param wanted attributes to include; all by default
 */
export function describeUser(user: User, wanted?: readonly string[]): UserType {
  const attributes = allAttributes(user);
  return {
    Username: user.username,
    Attributes: wanted?.length ? attributes.filter(({ Name }) => wanted.includes(Name)) : attributes,
    UserCreateDate: new Date(user.createdAt),
    UserLastModifiedDate: new Date(user.updatedAt),
    Enabled: user.enabled,
    UserStatus: user.status,
    ...(user.mfaOptions && { MFAOptions: user.mfaOptions.map((option) => ({ ...option })) }),
  };
}

/** Returns a user's second factors in responses. */
export const mfaOf = (user: User) => ({
  ...(user.mfaOptions && { MFAOptions: user.mfaOptions.map((option) => ({ ...option })) }),
  ...(user.preferredMfa && { PreferredMfaSetting: user.preferredMfa }),
  ...(user.mfa.length && { UserMFASettingList: [...user.mfa] }),
});
