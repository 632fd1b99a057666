import type { UserType } from '@emu/service-types/cognito-idp';
import type { User } from '../records.ts';
import { identitiesOf, listed } from './attributes.ts';

/** Every attribute of a user, as administrators see them. */
export const allAttributes = (user: User) => listed(user.sub, { ...identitiesOf(user), ...user.attributes });

/** A user as lists tell of them. @param wanted attributes to tell; all by default */
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

/** What answers tell of a user's second factors. */
export const mfaOf = (user: User) => ({
  ...(user.mfaOptions && { MFAOptions: user.mfaOptions.map((option) => ({ ...option })) }),
  ...(user.preferredMfa && { PreferredMfaSetting: user.preferredMfa }),
  ...(user.mfa.length && { UserMFASettingList: [...user.mfa] }),
});
