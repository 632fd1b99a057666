import type { IamState, User } from '../state.ts';

/** Whether any record is a user's. */
function has<T>(records: Iterable<T>, isOfUser: (record: T) => boolean): boolean {
  for (const record of records) if (isOfUser(record)) return true;
  return false;
}

/**
 * Why a user cannot be deleted because of devices, keys and certificates that are registered for it; undefined where it
 * has none. Passwords and access keys are looked at elsewhere.
 * @returns AWS's sentence
 */
export function credentialConflict(state: IamState, { id }: User): string | undefined {
  const isOfUser = ({ userId }: { userId: string }): boolean => userId === id;
  if (has(state.mfaDevices.values(), ({ assigned }) => assigned?.userId === id))
    return 'Cannot delete entity, must delete MFA device first.';
  if (has(state.signingCertificates.values(), isOfUser))
    return 'Cannot delete entity, must delete signing certificates first.';
  if (has(state.sshKeys.values(), isOfUser) || has(state.serviceCredentials.values(), isOfUser))
    return 'Cannot delete entity, must remove referenced objects first.';
  return undefined;
}

/** What an account has of devices, certificates and identity providers, as GetAccountSummary tells it. */
export function credentialCounts(state: IamState) {
  const used = [...state.mfaDevices.values()].filter(({ assigned }) => assigned).length;
  const isOfRoot = ({ userId }: { userId: string }): boolean => userId === state.accountId;
  return {
    ServerCertificates: state.serverCertificates.size,
    MFADevices: state.mfaDevices.size,
    MFADevicesInUse: used,
    // The root user's devices are enabled in the console, which is not here.
    AccountMFAEnabled: 0,
    Providers: state.oidcProviders.size + state.samlProviders.size,
    AccountSigningCertificatesPresent: has(state.signingCertificates.values(), isOfRoot) ? 1 : 0,
  };
}
