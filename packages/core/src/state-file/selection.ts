import { ControlError } from '../plugin/control.ts';
import type { ServiceManifest } from '../plugin/manifest.ts';

/** A selection of the state. */
export interface StateSelection {
  /** Names of services; all by default. */
  readonly services?: readonly string[] | undefined;
  /** Account ids of 12 digits; all by default. */
  readonly accounts?: readonly string[] | undefined;
}

/** @throws ControlError 400 `InvalidParameter` for unknown services and invalid account ids */
export function checkSelection({ services, accounts }: StateSelection, manifests: readonly ServiceManifest[]): void {
  for (const name of services ?? [])
    if (!manifests.some((manifest) => manifest.name === name))
      throw new ControlError(400, 'InvalidParameter', `${JSON.stringify(name)} is not a service of emu.`);
  for (const account of accounts ?? [])
    if (!/^\d{12}$/.test(account))
      throw new ControlError(400, 'InvalidParameter', `${JSON.stringify(account)} is not a 12-digit account id.`);
}

/** Returns the intersection of two lists; undefined stands for all. */
export function common(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.filter((item) => other.includes(item));
}

/** Returns the account of a record; empty for a record without one. Credentials contain theirs. */
export function accountOf(accountId: string, value: unknown): string {
  if (accountId !== '') return accountId;
  const { accountId: own, principal } = (value ?? {}) as { accountId?: unknown; principal?: { accountId?: unknown } };
  const inside = own ?? principal?.accountId;
  return typeof inside === 'string' ? inside : '';
}

/** Services of the collections of credentials: IAM for users' and STS for sessions'. */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  'access-keys': ['access-keys', 'uses', 'service-uses'],
  sessions: ['sessions'],
};

/** Whether a collection of credentials belongs to the selected services. */
export function selectsCredentials(
  collection: string,
  services: readonly string[] | undefined,
  manifests: readonly ServiceManifest[],
): boolean {
  if (services === undefined) return true;
  return manifests.some(
    ({ name, credentials }) =>
      credentials !== undefined && services.includes(name) && CREDENTIALS[credentials]?.includes(collection),
  );
}
