import { partitionOf } from '../aws/partitions.ts';
import { CONTAINER_SERVICES, type ContainerServiceWord } from './container-options.ts';
import type { OptionValues } from './options.ts';

type Draft = { -readonly [Name in keyof OptionValues]: OptionValues[Name] | undefined };

/** Fills in the defaults that follow from other settings. */
export function deriveDefaults(values: Draft): OptionValues {
  const persistent = values.EMULATOR_STORAGE_MODE === 'persistent';
  values.EMULATOR_CREDENTIALS_ROLE_ARN ??= `arn:${partitionOf(values.EMULATOR_REGION!)}:iam::${values.EMULATOR_ACCOUNT_ID}:role/emulator`;
  values.EMULATOR_PERSIST_DB_VOLUMES ??= persistent;
  values.EMULATOR_PERSIST_EC2_VOLUMES ??= persistent;
  if (values.EMULATOR_K8S_SELF_URL) values.EMULATOR_K8S_ECR_URL ??= new URL(values.EMULATOR_K8S_SELF_URL).host;
  for (const word of Object.keys(CONTAINER_SERVICES) as ContainerServiceWord[]) {
    values[`EMULATOR_${word}_BACKEND`] ??= values.EMULATOR_CONTAINER_BACKEND;
    values[`EMULATOR_${word}_K8S_NODE_SELECTOR`] ??= values.EMULATOR_K8S_NODE_SELECTOR;
    values[`EMULATOR_${word}_K8S_TOLERATIONS`] ??= values.EMULATOR_K8S_TOLERATIONS;
    values[`EMULATOR_${word}_K8S_ANNOTATIONS`] ??= values.EMULATOR_K8S_ANNOTATIONS;
  }
  return values as OptionValues;
}
