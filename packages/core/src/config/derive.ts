import { partitionOf } from '../aws/partitions.ts';
import { CONTAINER_SERVICES, type ContainerServiceWord } from './container-options.ts';
import type { OptionName, OptionValues } from './options.ts';

type Draft = { -readonly [Name in keyof OptionValues]: OptionValues[Name] | undefined };

/**
 * Fills in the defaults that follow from other settings.
 * @param given which settings somebody gave
 */
export function deriveDefaults(values: Draft, given: { has(name: OptionName): boolean }): OptionValues {
  const persistent = values.EMULATOR_STORAGE_MODE === 'persistent';
  values.EMULATOR_CREDENTIALS_ROLE_ARN ??= `arn:${partitionOf(values.EMULATOR_REGION!)}:iam::${values.EMULATOR_ACCOUNT_ID}:role/emulator`;
  values.EMULATOR_PERSIST_DB_VOLUMES ??= persistent;
  values.EMULATOR_PERSIST_EC2_VOLUMES ??= persistent;
  if (values.EMULATOR_K8S_SELF_URL) values.EMULATOR_K8S_ECR_URL ??= new URL(values.EMULATOR_K8S_SELF_URL).host;
  const words = Object.keys(CONTAINER_SERVICES) as ContainerServiceWord[];
  for (const word of words) {
    values[`EMULATOR_${word}_BACKEND`] ??= values.EMULATOR_CONTAINER_BACKEND;
    values[`EMULATOR_${word}_K8S_NODE_SELECTOR`] ??= values.EMULATOR_K8S_NODE_SELECTOR;
    values[`EMULATOR_${word}_K8S_TOLERATIONS`] ??= values.EMULATOR_K8S_TOLERATIONS;
    values[`EMULATOR_${word}_K8S_ANNOTATIONS`] ??= values.EMULATOR_K8S_ANNOTATIONS;
  }
  const runsPods =
    values.EMULATOR_CONTAINER_BACKEND === 'k8s' || words.some((word) => values[`EMULATOR_${word}_BACKEND`] === 'k8s');
  values.EMULATOR_ALLOW_REMOTE ??= given.has('EMULATOR_ADDR') || runsPods;
  return values as OptionValues;
}
