import type { IamState, User } from '../state.ts';

/** Whether any record belongs to a user. */
function has<T>(records: Iterable<T>, isOfUser: (record: T) => boolean): boolean {
  for (const record of records) if (isOfUser(record)) return true;
  return false;
}

/**
 * Returns AWS's reason why a user's devices, keys or certificates prevent its deletion; undefined if they do not.
 * Passwords and access keys are checked elsewhere.
 * @returns AWS's message
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

/** Returns the numbers of devices, certificates and identity providers for GetAccountSummary. */
export function credentialCounts(state: IamState) {
  const used = [...state.mfaDevices.values()].filter(({ assigned }) => assigned).length;
  const isOfRoot = ({ userId }: { userId: string }): boolean => userId === state.accountId;
  return {
    ServerCertificates: state.serverCertificates.size,
    MFADevices: state.mfaDevices.size,
    MFADevicesInUse: used,
    // MFA devices of the root user are enabled in the console, which emu does not have.
    AccountMFAEnabled: 0,
    Providers: state.oidcProviders.size + state.samlProviders.size,
    AccountSigningCertificatesPresent: has(state.signingCertificates.values(), isOfRoot) ? 1 : 0,
  };
}
