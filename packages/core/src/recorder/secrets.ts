import { isSecretHeader } from './masks.ts';

/** Names of secrets that models do not mark as sensitive, also in maps. */
const SECRET_NAMES = new Set([
  'SessionToken',
  'SecretAccessKey',
  'SecretKey',
  'AuthorizationToken',
  'Password',
  'ClientSecret',
  'client_secret',
  'PlatformCredential',
  'PrivateKey',
  'ActivationCode',
  'ConfirmationCode',
  // Templates contain defaults of NoEcho parameters, and passwords of resources.
  'TemplateBody',
]);

/** Whether a member or an element of a map is a secret by its name, whatever its model says. */
export const isSecretName = (name: string): boolean => SECRET_NAMES.has(name) || isSecretHeader(name);
