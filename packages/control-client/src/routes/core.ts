import type {
  AdminRecord,
  CreateAdminRequest,
  CredentialsRecord,
  DnsRecordType,
  DnsResolveResult,
  HealthRecord,
  InstanceIdentityDocument,
  ResetResult,
} from '../records/core.ts';
import { json, type RoutesOf } from '../table.ts';
import type { clock } from './clock.ts';

/** Routes outside of any area, methods of the client itself. */
export const core = {
  /** Returns the status of the emulator, its version and its services. `GET /_emulator/health` */
  health: json<HealthRecord>()('GET /_emulator/health'),

  /**
   * Removes all state of all services. In persistent mode, it is deleted from disk when this resolves. `POST /_reset`
   */
  reset: json<ResetResult>()('POST /_reset'),

  /**
   * Removes all state of one service. `POST /_emulator/reset/{service}`
   * @param service name as in `health`
   * @throws ApiError 501 for a service that the emulator does not have
   */
  resetService: json<ResetResult>()('POST /_emulator/reset/{service}', (service: string) => ({ params: { service } })),

  /**
   * Removes the state of one account in one service. `POST /_emulator/reset/{service}/{account_id}`
   * @param service name as in `health`
   * @throws ApiError 501 for a service that the emulator does not have, 400 for `organizations`, which has no state of
   * a single account
   */
  resetServiceAccount: json<ResetResult>()(
    'POST /_emulator/reset/{service}/{account_id}',
    (service: string, accountId: string) => ({ params: { service, account_id: accountId } }),
  ),

  /**
   * Returns new short-lived credentials of the configured role, which pass signature verification. `GET
   * /_emulator/credentials`
   */
  credentials: json<CredentialsRecord>()('GET /_emulator/credentials'),

  /**
   * Returns the instance identity document of the metadata service. `GET /latest/dynamic/instance-identity/document`
   */
  instanceIdentityDocument: json<InstanceIdentityDocument>()('GET /latest/dynamic/instance-identity/document'),

  /**
   * Creates an administrator with an access key in a standalone account. `POST /_emulator/iam/create-admin`
   * @param accountId 12 digits; the account need not exist before
   * @throws ApiError 400 for an invalid account id or user name
   */
  createAdmin: json<AdminRecord>()(
    'POST /_emulator/iam/create-admin',
    (accountId: string, userName: string): { body: CreateAdminRequest } => ({ body: { accountId, userName } }),
  ),

  /**
   * Creates an administrator with an access key in an account that becomes a member of an organization, directly below
   * its root. `POST /_emulator/iam/create-admin`
   * @param accountId 12 digits; the account need not exist before
   * @throws ApiError 400 for an invalid account id or user name, and for an unknown organization
   */
  createAdminInOrganization: json<AdminRecord>()(
    'POST /_emulator/iam/create-admin',
    (accountId: string, userName: string, organizationId: string): { body: CreateAdminRequest } => ({
      body: { accountId, userName, organizationId },
    }),
  ),
};

/** Routes of the emulated DNS, methods of the client itself. */
export const dns = {
  /**
   * Resolves a name in the emulated zones, as the emulator's DNS resolver does. `GET /_emulator/dns/resolve`
   * @param type `A` by default
   * @throws ApiError 400 for an unsupported type
   */
  dnsResolve: json<DnsResolveResult>()(
    'GET /_emulator/dns/resolve',
    (name: string, type?: DnsRecordType): { query: { name: string; type?: DnsRecordType } } => ({
      query: { name, type },
    }),
  ),
};

/** Control routes outside of any area, those of the clock included, by name. */
export type CoreRoutes = RoutesOf<typeof core | typeof dns | typeof clock>;
