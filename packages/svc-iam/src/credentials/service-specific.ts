import { type Ids, servicePrincipalName } from '@emu/core/service';
import { noSuchEntity } from '../errors.ts';

/** What IAM hands out for a service. */
interface ServiceKind {
  /** First letters of its API keys; undefined where it takes user names and passwords. */
  readonly keyPrefix?: string;
}

/**
 * Services that take credentials of their own.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_service-specific-creds.html
 */
const SERVICES: ReadonlyMap<string, ServiceKind> = new Map([
  [servicePrincipalName('bedrock'), { keyPrefix: 'ABSK' }],
  [servicePrincipalName('cassandra'), {}],
  [servicePrincipalName('codecommit'), {}],
  [servicePrincipalName('logs'), { keyPrefix: 'ACWL' }],
]);

/** @throws AwsError `NoSuchEntity` for a service without credentials of its own */
function kindOf(service: string): ServiceKind {
  const kind = SERVICES.get(service);
  if (!kind) throw noSuchEntity(`No such service ${service} is supported for Service Specific Credentials`);
  return kind;
}

/** Checks that a service takes credentials of its own. @throws AwsError `NoSuchEntity` */
export function checkService(service: string): void {
  kindOf(service);
}

/** Whether a service takes API keys, which may expire, and no user names and passwords. @throws AwsError `NoSuchEntity` */
export const takesApiKeys = (service: string): boolean => kindOf(service).keyPrefix !== undefined;

/** The name of a user's credential: its first is `jane-at-123456789012`, the next `jane+1-at-123456789012`. */
export function freeName(userName: string, accountId: string, taken: readonly string[]): string {
  for (let number = 0; ; number++) {
    const name = `${userName}${number ? `+${number}` : ''}-at-${accountId}`;
    if (!taken.includes(name)) return name;
  }
}

/** Bytes of chance in a password. */
const SECRET_BYTES = 32;

/** A new password, or an API key, which says whose it is. */
export function newSecret(service: string, name: string, ids: Ids): string {
  const secret = ids.bytes(SECRET_BYTES).toString('base64');
  const { keyPrefix } = kindOf(service);
  return keyPrefix === undefined ? secret : keyPrefix + Buffer.from(`${name}:${secret}`).toString('base64');
}

/** The account that an API key of a service says it is of; undefined for a text that is none. */
export function apiKeyAccount(key: string, service: string): string | undefined {
  const prefix = SERVICES.get(service)?.keyPrefix;
  if (prefix === undefined || !key.startsWith(prefix)) return undefined;
  return /-at-(\d{12}):/.exec(Buffer.from(key.slice(prefix.length), 'base64').toString())?.[1];
}
