import type { Properties } from '@emu/core/providers';
import { notEmulated } from '@emu/core/service';

/** Auto scaling of a capacity in a template. */
interface Scaling extends Properties {
  readonly MinCapacity: number;
  readonly MaxCapacity: number;
}

/** Provisioned capacity of a global table, one of its indexes, or a replica of either. */
export interface Provisioned {
  readonly ReadProvisionedThroughputSettings?: {
    readonly ReadCapacityUnits?: number;
    readonly ReadCapacityAutoScalingSettings?: Scaling;
  };
  readonly WriteProvisionedThroughputSettings?: { readonly WriteCapacityAutoScalingSettings?: Scaling };
}

/**
 * Returns the units of a capacity that auto scaling cannot change.
 * @throws AwsError `NotImplemented` for a capacity that would scale
 */
function fixedUnits(scaling: Scaling | undefined, property: string): number | undefined {
  if (scaling && scaling.MinCapacity !== scaling.MaxCapacity)
    throw notEmulated(`auto scaling by ${property}, whose MinCapacity is not its MaxCapacity`, 'dynamodb');
  return scaling?.MinCapacity;
}

/**
 * Returns the read capacity units; undefined without settings.
 * @throws AwsError `NotImplemented` for a capacity that would scale
 */
export function readUnits({ ReadProvisionedThroughputSettings: read }: Provisioned): number | undefined {
  return (
    read?.ReadCapacityUnits ?? fixedUnits(read?.ReadCapacityAutoScalingSettings, 'ReadCapacityAutoScalingSettings')
  );
}

/**
 * Returns the write capacity units; undefined without settings.
 * @throws AwsError `NotImplemented` for a capacity that would scale
 */
export function writeUnits({ WriteProvisionedThroughputSettings: write }: Provisioned): number | undefined {
  return fixedUnits(write?.WriteCapacityAutoScalingSettings, 'WriteCapacityAutoScalingSettings');
}

/**
 * Returns the settings for read capacity units: those of the template, if they have the same units.
 * @param applied settings of the template
 */
export function readSettings(units: number | undefined, applied: Provisioned = {}): Provisioned {
  if (units === undefined) return {};
  const { ReadProvisionedThroughputSettings: given } = applied;
  return {
    ReadProvisionedThroughputSettings: given && readUnits(applied) === units ? given : { ReadCapacityUnits: units },
  };
}

/**
 * Returns the settings for write capacity units: those of the template, if they have the same units.
 * @param applied settings of the template
 */
export function writeSettings(units: number | undefined, applied: Provisioned = {}): Provisioned {
  if (units === undefined) return {};
  const { WriteProvisionedThroughputSettings: given } = applied;
  return {
    WriteProvisionedThroughputSettings:
      given && writeUnits(applied) === units
        ? given
        : { WriteCapacityAutoScalingSettings: { MinCapacity: units, MaxCapacity: units } },
  };
}
