import { type AwsError, awsError } from '@emu/wire';

/** `CFNRegistryException`: what the registry does not do. */
export const registryError = (message: string): AwsError => awsError('CFNRegistryException', message);

/** `TypeNotFoundException` for an extension by its name or ARN. */
export const noType = (name: string): AwsError =>
  awsError('TypeNotFoundException', `The type '${name}' cannot be found.`);
