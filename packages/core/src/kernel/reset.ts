import { allCommitted } from '../persistence/all-committed.ts';
import { ControlError } from '../plugin/control.ts';
import type { Environment } from '../services/environment.ts';
import type { Parts } from '../services/parts.ts';
import { Slices } from '../time/slices.ts';

/**
 * Removes the state of a service, or of all if none is given, for one account or for all; on disk too before it
 * resolves. Also removes the credentials that belong to a service by its manifest.
 * @throws ControlError `InvalidRequest` for an invalid account id, and for an account of a service without accounts;
 * AwsError `NotImplemented` for an unknown service
 */
export async function reset(parts: Parts, service: string | undefined, accountId: string | undefined): Promise<void> {
  const { environment, ownState, quotas, registry, storage } = parts;
  const { credentials } = environment;
  if (accountId !== undefined) checkAccount(environment, service, accountId);
  const targets = service === undefined ? registry.loadedServices() : [await registry.service(service)];
  const released: Promise<void>[] = [];
  for (const target of targets) {
    await target.plugin.onReset?.(target as never, accountId);
    target.dropStates(accountId);
    released.push(target.store.clearInSlices(accountId, new Slices()));
    target.data?.clear(accountId);
  }
  if (service === undefined) {
    credentials.reset(undefined, accountId);
    quotas.reset(accountId);
    await ownState.store.committed();
  } else {
    const kind = environment.manifestOf(service)?.credentials;
    if (kind) credentials.reset(kind, accountId);
  }
  const stores = [...targets.map((target) => target.store), credentials.store];
  await Promise.all([...released, allCommitted(stores)]);
  await Promise.all([
    ...stores.map((store) => store.rewrite()),
    ...targets.map((target) => target.data?.committed()),
    ...targets.filter((target) => target.store.hasBodies).map((target) => storage.bodiesOf(target.name).clearOut()),
  ]);
}

/** @throws ControlError for an invalid account id, and for a service without state per account */
function checkAccount(environment: Environment, service: string | undefined, accountId: string): void {
  if (service !== undefined && environment.manifestOf(service)?.withoutAccounts)
    throw new ControlError(400, 'InvalidRequest', `${service} has no state per account; reset all of it.`);
  if (!/^\d{12}$/.test(accountId))
    throw new ControlError(400, 'InvalidRequest', `${JSON.stringify(accountId)} is not a 12-digit account id.`);
}
