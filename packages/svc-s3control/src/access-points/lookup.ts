import type { AccessPointDirectory, AccessPointEntry, MultiRegionAccessPoint, ServiceHandle } from '@emu/core';
import { partitionOf } from '@emu/core';
import { GLOBAL_REGIONS } from '../context.ts';
import { type MultiRegionView, multiRegionArn } from '../multi-region/requests.ts';
import type { S3ControlState } from '../state.ts';
import { entryOf, objectLambdaEntryOf } from './access-point.ts';

type Handle = ServiceHandle<S3ControlState>;

const ARN = /^arn:[^:]+:(s3|s3express|s3-object-lambda):([^:]*):(\d{12}):accesspoint[/:]([^/:]+)$/;
/** Label of an access point's host. */
const LABEL = /^(.{3,})-(\d{12})$/;

/** What S3 asks about access points, answered from the states of all accounts. */
export function openDirectory(handle: Handle): AccessPointDirectory {
  /** The state of a place if there is one: whoever asks for a place must not make it. */
  const stateOf = (accountId: string, region: string): S3ControlState | undefined => {
    for (const { state } of handle.states()) if (state.accountId === accountId && state.region === region) return state;
    return undefined;
  };
  const named = (service: string, accountId: string, region: string, name: string): AccessPointEntry | undefined => {
    const state = stateOf(accountId, region);
    if (service === 's3-object-lambda') {
      const record = state?.objectLambdas.get(name);
      return record && objectLambdaEntryOf(record, accountId, region);
    }
    const record = state?.accessPoints.get(name);
    return record && entryOf(record, accountId, region);
  };
  const byAlias = (alias: string): AccessPointEntry | undefined => {
    for (const { accountId, region, state } of handle.states()) {
      const found = state.byAlias(alias);
      if (found)
        return 'bucket' in found ? entryOf(found, accountId, region) : objectLambdaEntryOf(found, accountId, region);
    }
    return undefined;
  };
  const multiRegion = (alias: string): AccessPointEntry | undefined => {
    for (const { accountId, region, state } of handle.states()) {
      const found = state.multiRegion.byAlias(alias);
      if (found && found.status !== 'CREATING') return multiRegionEntryOf(found, accountId, partitionOf(region));
    }
    return undefined;
  };
  return {
    find(name, region) {
      const arn = ARN.exec(name);
      if (arn) {
        const [, service, place, accountId, resource] = arn;
        if (place !== '') return named(service!, accountId!, place!, resource!);
        const found = multiRegion(resource!);
        return found?.accountId === accountId ? found : undefined;
      }
      if (name.endsWith('.mrap')) return multiRegion(name);
      const label = LABEL.exec(name);
      return (label ? named('s3', label[2]!, region, label[1]!) : undefined) ?? byAlias(name);
    },
    *all() {
      for (const { accountId, region, state } of handle.states())
        for (const record of state.accessPoints.values()) yield entryOf(record, accountId, region);
    },
    publicAccessBlock: (accountId, partition) =>
      stateOf(accountId, GLOBAL_REGIONS[partition] ?? 'us-east-1')?.publicAccessBlock,
  };
}

function multiRegionEntryOf(point: MultiRegionView, accountId: string, partition: string): MultiRegionAccessPoint {
  const { name, alias, established, publicAccessBlock, routes } = point;
  return {
    kind: 'multi-region',
    arn: multiRegionArn(partition, accountId, alias),
    name,
    accountId,
    alias,
    policy: established,
    publicAccessBlock,
    routes: routes.map(({ bucket, region, dial }) => ({ bucket, region, active: dial === 100 })),
  };
}
