import {
  type AccessPointDirectory,
  type AccessPointEntry,
  type MultiRegionAccessPoint,
  type Place,
  parseArn,
  type ResourceAddress,
  type ServiceHandle,
} from '@emu/core/service';
import { globalRegionOf } from '../global-region.ts';
import type { MultiRegionView } from '../multi-region/records.ts';
import { accessPointType, directoryAccessPointType, multiRegionType, objectLambdaType } from '../resources.ts';
import type { S3ControlState } from '../state.ts';
import { entryOf, objectLambdaEntryOf } from './access-point.ts';

type Handle = ServiceHandle<S3ControlState>;

/** Host label of an access point. */
const LABEL = /^(.{3,})-(\d{12})$/;

/** Returns the lookup of access points for S3, in the states of all accounts. */
export function openDirectory(handle: Handle): AccessPointDirectory {
  const pointAt = ({ key: { name }, place: { accountId, region } }: ResourceAddress<{ name: string }>) => {
    const record = handle.existingState(accountId, region)?.accessPoints.get(name);
    return record && entryOf(record, accountId, region);
  };
  const objectLambdaAt = ({ key: { name }, place: { accountId, region } }: ResourceAddress<{ name: string }>) => {
    const record = handle.existingState(accountId, region)?.objectLambdas.get(name);
    return record && objectLambdaEntryOf(record, accountId, region);
  };
  const byAlias = (alias: string): AccessPointEntry | undefined => {
    for (const { accountId, region, state } of handle.states()) {
      const found = state.byAlias(alias);
      if (found)
        return 'bucket' in found ? entryOf(found, accountId, region) : objectLambdaEntryOf(found, accountId, region);
    }
    return undefined;
  };
  const multiRegion = (alias: string): MultiRegionAccessPoint | undefined => {
    for (const { accountId, region, state } of handle.states()) {
      const found = state.multiRegion.byAlias(alias);
      if (found && found.status !== 'CREATING') return multiRegionEntryOf(found, { accountId, region });
    }
    return undefined;
  };
  const byArn = (text: string): AccessPointEntry | undefined => {
    // AWS also accepts a colon before the name.
    const arn = text.replace(/:accesspoint:/, ':accesspoint/');
    const point = accessPointType.parse(arn) ?? directoryAccessPointType.parse(arn);
    if (point) return pointAt(point);
    const objectLambda = objectLambdaType.parse(arn);
    if (objectLambda) return objectLambdaAt(objectLambda);
    const address = multiRegionType.parse(arn);
    const found = address && multiRegion(address.key.alias);
    return found?.accountId === address?.place.accountId ? found : undefined;
  };
  return {
    find(name, region) {
      if (parseArn(name)) return byArn(name);
      if (name.endsWith('.mrap')) return multiRegion(name);
      const label = LABEL.exec(name);
      return (label && pointAt({ key: { name: label[1]! }, place: { accountId: label[2]!, region } })) ?? byAlias(name);
    },
    *all() {
      for (const { accountId, region, state } of handle.states())
        for (const record of state.accessPoints.values()) yield entryOf(record, accountId, region);
    },
    publicAccessBlock: (accountId, partition) =>
      handle.existingState(accountId, globalRegionOf(partition))?.publicAccessBlock,
  };
}

function multiRegionEntryOf(point: MultiRegionView, place: Place): MultiRegionAccessPoint {
  const { name, alias, established, publicAccessBlock, routes } = point;
  return {
    kind: 'multi-region',
    arn: multiRegionType.arn({ alias }, place),
    name,
    accountId: place.accountId,
    alias,
    policy: established,
    publicAccessBlock,
    routes: routes.map(({ bucket, region, dial }) => ({ bucket, region, active: dial === 100 })),
  };
}
