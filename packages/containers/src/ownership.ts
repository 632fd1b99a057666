import { ownIdentity, type ProcessIdentity, processStateOf } from '@emu/core';

/** Label of everything that goes with the emulator that made it: that process, as JSON. */
export const OWNER_LABEL = 'emulator-owner';
/** Label of everything that one run of an emulator made. */
export const RUN_LABEL = 'emulator-run';
/** Label with the id of the container that the emulator runs in. */
export const OWNER_CONTAINER_LABEL = 'emulator-owner-container';
/** Label with the service that an instance belongs to. */
export const SERVICE_LABEL = 'emulator-service';

/** Labels of what must not outlive this process. */
export function ownerLabels(run: string): Record<string, string> {
  return { [OWNER_LABEL]: JSON.stringify(ownIdentity()), [RUN_LABEL]: run };
}

/** Whether labels name an emulator that no longer runs; not so where nobody can tell. */
export function isLeftover(labels: Readonly<Record<string, string>>): boolean {
  const text = labels[OWNER_LABEL];
  if (text === undefined) return false;
  try {
    const identity = JSON.parse(text) as Partial<ProcessIdentity>;
    if (typeof identity.pid !== 'number' || typeof identity.realm !== 'string') return false;
    return processStateOf({ pid: identity.pid, realm: identity.realm, started: identity.started ?? '' }) === 'gone';
  } catch {
    // Somebody else's label.
    return false;
  }
}
