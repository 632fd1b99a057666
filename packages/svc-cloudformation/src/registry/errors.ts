import type { AwsError } from '@emu/wire';
import { cloudformationError } from '../errors.ts';

/** `CFNRegistryException`: the registry rejects a request. */
export const registryError = (message: string): AwsError => cloudformationError('CFNRegistryException', message);

/** `TypeNotFoundException` for an extension, by name or ARN. */
export const noType = (name: string): AwsError =>
  cloudformationError('TypeNotFoundException', `The type '${name}' cannot be found.`);
