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
 * What a handler knows besides its input. It calls any operation of any service in-process, with the caller's identity,
 * account and region by default. The answer to the running operation waits until what the call changed is on disk, in
 * persistent mode.
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
   * Id of the request, delivery or run of a timer that caused this operation; undefined for a request from outside. A
   * request that a function makes while it runs is caused by its invocation.
   */
  readonly cause: string | undefined;
  /** Base URL the caller reached emu by, or `EMULATOR_EXTERNAL_URL`; no trailing slash. */
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
  /** Aborted when the caller has gone; long waits end by it. */
  readonly signal: AbortSignal;
  /** Facts of the HTTP request that a few services' rules depend on; undefined for calls between services. */
  readonly http: HttpDetails | undefined;
  /** `X-Amzn-Trace-Id` of the request or of the call between services; undefined where there is none. */
  readonly traceHeader: string | undefined;
  /** What to add to the HTTP answer; without effect for calls between services. */
  readonly reply: ReplyDetails;
  /** Whether policies are enforced for this call; then a handler may rely on what its permissions say. */
  readonly enforced: boolean;
  /**
   * For checks that another resource exists: AWS's refusal where policies are enforced (`--enforce-iam`); else the
   * request goes on, and a warning in the log says what AWS would have answered.
   * @throws AwsError the refusal itself
   */
  wouldRefuse(refusal: AwsError): void;
  /**
   * What another service offers without an API of AWS's; undefined where no mounted service provides it. A promise only
   * where that service has to be loaded first.
   */
  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined>;
}
