import { ownIdentity, type ProcessIdentity, processStateOf } from '@emu/core';

/** Label of objects that are removed with their emulator: its process, as JSON. */
export const OWNER_LABEL = 'emulator-owner';
/** Label of objects that one run of an emulator created. */
export const RUN_LABEL = 'emulator-run';
/** Label with the id of the emulator's own container. */
export const OWNER_CONTAINER_LABEL = 'emulator-owner-container';
/** Label with the service of an instance. */
export const SERVICE_LABEL = 'emulator-service';

/** Labels of objects that must not outlive this process. */
export function ownerLabels(run: string): Record<string, string> {
  return { [OWNER_LABEL]: JSON.stringify(ownIdentity()), [RUN_LABEL]: run };
}

/** Whether labels name an emulator that no longer runs; false if unknown. */
export function isLeftover(labels: Readonly<Record<string, string>>): boolean {
  const text = labels[OWNER_LABEL];
  if (text === undefined) return false;
  try {
    const identity = JSON.parse(text) as Partial<ProcessIdentity>;
    if (typeof identity.pid !== 'number' || typeof identity.realm !== 'string') return false;
    return processStateOf({ pid: identity.pid, realm: identity.realm, started: identity.started ?? '' }) === 'gone';
  } catch {
    // A label of another program.
    return false;
  }
}
