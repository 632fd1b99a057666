import { type AwsError, awsError } from '@emu/wire';

/** `CFNRegistryException`: the registry rejects a request. */
export const registryError = (message: string): AwsError => awsError('CFNRegistryException', message);

/** `TypeNotFoundException` for an extension, by name or ARN. */
export const noType = (name: string): AwsError =>
  awsError('TypeNotFoundException', `The type '${name}' cannot be found.`);
