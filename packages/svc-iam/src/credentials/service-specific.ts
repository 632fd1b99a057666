import { type Ids, servicePrincipalName } from '@emu/core/service';
import { noSuchEntity } from '../errors.ts';

/** Credentials that IAM issues for a service. */
interface ServiceKind {
  /** Prefix of its API keys; undefined for user names and passwords. */
  readonly keyPrefix?: string;
}

/**
 * Services with service-specific credentials.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_service-specific-creds.html
 */
const SERVICES: ReadonlyMap<string, ServiceKind> = new Map([
  [servicePrincipalName('bedrock'), { keyPrefix: 'ABSK' }],
  [servicePrincipalName('cassandra'), {}],
  [servicePrincipalName('codecommit'), {}],
  [servicePrincipalName('logs'), { keyPrefix: 'ACWL' }],
]);

/**
 * Returns the kind of a service's credentials.
 * @throws AwsError `NoSuchEntity` for a service without service-specific credentials
 */
function kindOf(service: string): ServiceKind {
  const kind = SERVICES.get(service);
  if (!kind) throw noSuchEntity(`No such service ${service} is supported for Service Specific Credentials`);
  return kind;
}

/**
 * Checks that a service has service-specific credentials.
 * @throws AwsError `NoSuchEntity`
 */
export function checkService(service: string): void {
  kindOf(service);
}

/**
 * Whether a service uses API keys, which may expire, instead of user names and passwords.
 * @throws AwsError `NoSuchEntity`
 */
export const takesApiKeys = (service: string): boolean => kindOf(service).keyPrefix !== undefined;

/** Returns an unused name for a user's credential: first `jane-at-123456789012`, then `jane+1-at-123456789012`. */
export function freeName(userName: string, accountId: string, taken: readonly string[]): string {
  for (let number = 0; ; number++) {
    const name = `${userName}${number ? `+${number}` : ''}-at-${accountId}`;
    if (!taken.includes(name)) return name;
  }
}

/** Number of random bytes in a password. */
const SECRET_BYTES = 32;

/** Returns a new password, or an API key that contains its owner. */
export function newSecret(service: string, name: string, ids: Ids): string {
  const secret = ids.bytes(SECRET_BYTES).toString('base64');
  const { keyPrefix } = kindOf(service);
  return keyPrefix === undefined ? secret : keyPrefix + Buffer.from(`${name}:${secret}`).toString('base64');
}

/** Returns the account in an API key of a service; undefined for other text. */
export function apiKeyAccount(key: string, service: string): string | undefined {
  const prefix = SERVICES.get(service)?.keyPrefix;
  if (prefix === undefined || !key.startsWith(prefix)) return undefined;
  return /-at-(\d{12}):/.exec(Buffer.from(key.slice(prefix.length), 'base64').toString())?.[1];
}
