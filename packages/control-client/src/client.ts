import { Areas } from './areas.ts';
import { ClockControl } from './clients/clock.ts';
import { FaultControl } from './clients/faults.ts';
import { RequestControl } from './clients/requests.ts';
import { StateControl } from './clients/state.ts';
import type {
  AdminRecord,
  CredentialsRecord,
  DnsRecordType,
  DnsResolveResult,
  HealthRecord,
  InstanceIdentityDocument,
  ResetResult,
} from './routes/core.ts';
import { type Fetch, Transport } from './transport.ts';

/** Options of a client. */
export interface ControlClientOptions {
  /** Sends the requests; the platform's `fetch` by default. */
  fetch?: Fetch;
}

/**
 * Client of an emulator's control routes, for tasks beyond the AWS APIs: state across accounts, simulated external
 * events, and reset. The sub-clients of the areas are its properties, e.g. `client.sqs.messages()`.
 * Every method that sends a request rejects with an `ApiError` for a status of 400 or more (501 `NotImplemented` if the
 * service of the route does not exist yet), with an `HttpError` without a usable response, and with a `TypeError` for a
 * path parameter that a URL cannot contain: an empty one, `.` and `..`.
 */
export class ControlClient extends Areas {
  /** The emulator's clock. */
  readonly clock: ClockControl;
  /** Faults injected into requests of AWS clients. */
  readonly faults: FaultControl;
  /** The newest requests, and the calls that they caused. */
  readonly requests: RequestControl;
  /** The emulator's state as a file. */
  readonly state: StateControl;

  /**
   * @param baseUrl `http:` or `https:` URL of the emulator, e.g. `http://localhost:4566`
   * @throws TypeError for another value
   */
  constructor(baseUrl: string | URL, options: ControlClientOptions = {}) {
    // Looked up at each call, because test tools replace it, and called unbound, as browsers require.
    const { fetch = (url, init) => globalThis.fetch(url, init) } = options;
    super(new Transport(baseUrl, fetch));
    this.clock = new ClockControl(this.transport);
    this.faults = new FaultControl(this.transport);
    this.requests = new RequestControl(this.transport);
    this.state = new StateControl(this.transport);
  }

  /** Returns the status of the emulator, its version and its services. `GET /_emulator/health` */
  health(): Promise<HealthRecord> {
    return this.transport.json('GET /_emulator/health');
  }

  /**
   * Removes all state of all services. In persistent mode, it is deleted from disk when this resolves. `POST /_reset`
   */
  reset(): Promise<ResetResult> {
    return this.transport.json('POST /_reset');
  }

  /**
   * Removes all state of one service. `POST /_emulator/reset/{service}`
   * @param service name as in `health`
   * @throws ApiError 501 for a service that the emulator does not have
   */
  resetService(service: string): Promise<ResetResult> {
    return this.transport.json('POST /_emulator/reset/{service}', { params: { service } });
  }

  /**
   * Removes the state of one account in one service. `POST /_emulator/reset/{service}/{account_id}`
   * @param service name as in `health`
   * @throws ApiError 501 for a service that the emulator does not have, 400 for `organizations`, which has no state of
   * a single account
   */
  resetServiceAccount(service: string, accountId: string): Promise<ResetResult> {
    return this.transport.json('POST /_emulator/reset/{service}/{account_id}', {
      params: { service, account_id: accountId },
    });
  }

  /**
   * Returns new short-lived credentials of the configured role, which pass signature verification. `GET
   * /_emulator/credentials`
   */
  credentials(): Promise<CredentialsRecord> {
    return this.transport.json('GET /_emulator/credentials');
  }

  /**
   * Returns the instance identity document of the metadata service. `GET /latest/dynamic/instance-identity/document`
   */
  instanceIdentityDocument(): Promise<InstanceIdentityDocument> {
    return this.transport.json('GET /latest/dynamic/instance-identity/document');
  }

  /**
   * Resolves a name in the emulated zones, as the emulator's DNS resolver does. `GET /_emulator/dns/resolve`
   * @param type `A` by default
   * @throws ApiError 400 for an unsupported type
   */
  dnsResolve(name: string, type?: DnsRecordType): Promise<DnsResolveResult> {
    return this.transport.json('GET /_emulator/dns/resolve', { query: { name, type } });
  }

  /**
   * Creates an administrator with an access key in a standalone account. `POST /_emulator/iam/create-admin`
   * @param accountId 12 digits; the account need not exist before
   * @throws ApiError 400 for an invalid account id or user name
   */
  createAdmin(accountId: string, userName: string): Promise<AdminRecord> {
    return this.transport.json('POST /_emulator/iam/create-admin', { body: { accountId, userName } });
  }

  /**
   * Creates an administrator with an access key in an account that becomes a member of an organization, directly below
   * its root. `POST /_emulator/iam/create-admin`
   * @param accountId 12 digits; the account need not exist before
   * @throws ApiError 400 for an invalid account id or user name, and for an unknown organization
   */
  createAdminInOrganization(accountId: string, userName: string, organizationId: string): Promise<AdminRecord> {
    return this.transport.json('POST /_emulator/iam/create-admin', { body: { accountId, userName, organizationId } });
  }
}
