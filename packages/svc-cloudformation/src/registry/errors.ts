import type { AwsError } from '@emu/wire';
import { cloudformationError } from '../errors.ts';

/** Creates a `CFNRegistryException`: the registry rejects a request. */
export const registryError = (message: string): AwsError => cloudformationError('CFNRegistryException', message);

/** Creates a `TypeNotFoundException` for an extension, by name or ARN. */
export const noType = (name: string): AwsError =>
  cloudformationError('TypeNotFoundException', `The type '${name}' cannot be found.`);
