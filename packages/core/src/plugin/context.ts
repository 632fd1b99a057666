import type { AwsError } from '@emu/wire';
import type { Capability } from '../base/capability.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/log.ts';
import type { ServiceCaller } from '../calls/calls.ts';
import type { EmulatorSettings } from '../config/settings.ts';
import type { CredentialRegistry, Principal } from '../identity/principal.ts';
import type { BodyStore } from '../storage/body-store.ts';
import type { Clock } from '../time/clock.ts';
import type { ServiceHandle } from './handle.ts';
import type { HttpDetails, ReplyDetails } from './http.ts';

/**
 * Context of a handler besides its input. It calls any operation of any service in-process, by default with the
 * caller's identity, account and region. In persistent mode, the response to the running operation waits until the
 * changes of such calls are on disk.
 */
export interface OperationContext<State = unknown> extends ServiceCaller {
  readonly service: string;
  readonly operation: string;
  readonly accountId: string;
  readonly region: string;
  readonly partition: string;
  readonly principal: Principal;
  readonly requestId: string;
  /**
   * Id of the request, delivery or timer run that caused this operation; undefined for a request from outside. The
   * invocation of a function causes its requests while it runs.
   */
  readonly cause: string | undefined;
  /** Base URL of emu in the request, or `EMULATOR_EXTERNAL_URL`; no trailing slash. */
  readonly endpoint: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly bodies: BodyStore;
  readonly settings: EmulatorSettings;
  readonly credentials: CredentialRegistry;
  /** State of the request's account and region. */
  readonly state: State;
  readonly handle: ServiceHandle<State>;
  /** Aborted when the caller disconnects; ends long waits. */
  readonly signal: AbortSignal;
  /** Properties of the HTTP request that a few services' rules depend on; undefined for calls between services. */
  readonly http: HttpDetails | undefined;
  /** `X-Amzn-Trace-Id` of the request or of the call between services, if any. */
  readonly traceHeader: string | undefined;
  /** Additions to the HTTP response; ignored for calls between services. */
  readonly reply: ReplyDetails;
  /** Whether policies are enforced for this call; then a handler may rely on its permissions. */
  readonly enforced: boolean;
  /**
   * Reports an unknown related resource: throws AWS's error if policies are enforced (`--enforce-iam`); else the
   * request continues, and a warning in the log contains AWS's error.
   * @throws AwsError the given error
   */
  wouldRefuse(refusal: AwsError): void;
  /**
   * Returns a capability of another service; undefined if no mounted service provides it. A promise only if that
   * service must be loaded first.
   */
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
}
