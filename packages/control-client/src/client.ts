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

/** Settings of a client. */
export interface ControlClientOptions {
  /** Sends the requests; the platform's `fetch` by default. */
  fetch?: Fetch;
}

/**
 * Client of an emulator's control routes: what the AWS APIs don't offer, such as its state across accounts, simulated
 * outside events, and reset. The sub-clients of the areas are its properties, e.g. `client.sqs.messages()`.
 *
 * Every method that sends a request rejects with an `ApiError` where the emulator answers with a status of 400 or more
 * (501 `NotImplemented` where the service of the route does not exist yet), with an `HttpError` where no usable answer
 * comes, and with a `TypeError` for a path parameter that a URL cannot carry: an empty one, `.` and `..`.
 */
export class ControlClient extends Areas {
  /** The emulator's clock. */
  readonly clock: ClockControl;
  /** Faults injected into the calls of AWS clients. */
  readonly faults: FaultControl;
  /** The newest requests, and what they caused. */
  readonly requests: RequestControl;
  /** The emulator's state as a file. */
  readonly state: StateControl;

  /**
   * @param baseUrl `http:` or `https:` URL of the emulator, e.g. `http://localhost:4566`
   * @throws TypeError for anything else
   */
  constructor(baseUrl: string | URL, options: ControlClientOptions = {}) {
    // Looked up at each call, as test tools replace it, and called unbound, as browsers demand.
    const { fetch = (url, init) => globalThis.fetch(url, init) } = options;
    super(new Transport(baseUrl, fetch));
    this.clock = new ClockControl(this.transport);
    this.faults = new FaultControl(this.transport);
    this.requests = new RequestControl(this.transport);
    this.state = new StateControl(this.transport);
  }

  /** Whether the emulator is up, its version and its services. `GET /_emulator/health` */
  health(): Promise<HealthRecord> {
    return this.transport.json('GET /_emulator/health');
  }

  /**
   * Removes all state of all services; in persistent mode, it is off the disk when this resolves. `POST /_reset`
   */
  reset(): Promise<ResetResult> {
    return this.transport.json('POST /_reset');
  }

  /**
   * Removes all state of one service. `POST /_emulator/reset/{service}`
   * @param service one of the names that `health` lists
   * @throws ApiError 501 for a service that the emulator does not have
   */
  resetService(service: string): Promise<ResetResult> {
    return this.transport.json('POST /_emulator/reset/{service}', { params: { service } });
  }

  /**
   * Removes what one account has in one service. `POST /_emulator/reset/{service}/{account_id}`
   * @param service one of the names that `health` lists
   * @throws ApiError 501 for a service that the emulator does not have, 400 for `organizations`, which has no state of a single account
   */
  resetServiceAccount(service: string, accountId: string): Promise<ResetResult> {
    return this.transport.json('POST /_emulator/reset/{service}/{account_id}', {
      params: { service, account_id: accountId },
    });
  }

  /**
   * New short-lived credentials of the configured role; they pass signature verification.
   * `GET /_emulator/credentials`
   */
  credentials(): Promise<CredentialsRecord> {
    return this.transport.json('GET /_emulator/credentials');
  }

  /** The metadata service's instance identity document. `GET /latest/dynamic/instance-identity/document` */
  instanceIdentityDocument(): Promise<InstanceIdentityDocument> {
    return this.transport.json('GET /latest/dynamic/instance-identity/document');
  }

  /**
   * Resolves a name from the emulated zones, as the emulator's DNS resolver does. `GET /_emulator/dns/resolve`
   * @param type `A` by default
   * @throws ApiError 400 for a type that is not supported
   */
  dnsResolve(name: string, type?: DnsRecordType): Promise<DnsResolveResult> {
    return this.transport.json('GET /_emulator/dns/resolve', { query: { name, type } });
  }

  /**
   * Makes an administrator with an access key in an account that stands alone. `POST /_emulator/iam/create-admin`
   * @param accountId 12 digits; the account need not exist before
   * @throws ApiError 400 for something that is not an account id or a user name
   */
  createAdmin(accountId: string, userName: string): Promise<AdminRecord> {
    return this.transport.json('POST /_emulator/iam/create-admin', { body: { accountId, userName } });
  }

  /**
   * Makes an administrator with an access key in an account that becomes a member of an organization, directly below
   * its root. `POST /_emulator/iam/create-admin`
   * @param accountId 12 digits; the account need not exist before
   * @throws ApiError 400 for something that is not an account id or a user name, and for an unknown organization
   */
  createAdminInOrganization(accountId: string, userName: string, organizationId: string): Promise<AdminRecord> {
    return this.transport.json('POST /_emulator/iam/create-admin', { body: { accountId, userName, organizationId } });
  }
}
