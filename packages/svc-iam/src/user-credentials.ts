import type { IamState, User } from './state.ts';

/**
 * Why a user cannot be deleted because of devices, keys and certificates that are registered for it; undefined where it
 * has none. Passwords and access keys are looked at elsewhere.
 * @returns AWS's sentence
 */
export function credentialConflict(_state: IamState, _user: User): string | undefined {
  return undefined;
}

/** What an account has of devices, certificates and identity providers, as GetAccountSummary tells it. */
export function credentialCounts(_state: IamState) {
  return {
    ServerCertificates: 0,
    MFADevices: 0,
    MFADevicesInUse: 0,
    AccountMFAEnabled: 0,
    Providers: 0,
  };
}
