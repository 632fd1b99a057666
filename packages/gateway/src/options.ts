import type { EmulatorSettings, ServiceManifest } from '@emu/core/service';
import type { InitReport } from './init.ts';

/** What a gateway can be told; by default it goes by the emulator's settings. */
export interface GatewayOptions {
  /** Version that the health route reports. */
  version?: string;
  /**
   * Most bytes of a buffered request body, inflated where it is compressed; by default
   * `EMULATOR_MAX_REQUEST_BODY_BYTES`. Streamed uploads are exempt.
   */
  maxRequestBodyBytes?: number;
  /**
   * Checks SigV4 signatures; by default `EMULATOR_VERIFY_SIGV4`. Then only registered access keys work: those of IAM
   * users and of sessions, of `POST /_emulator/iam/create-admin`, `GET /_emulator/credentials` and the metadata
   * service. `test`/`test` and 12-digit account ids are nobody's keys and are refused.
   */
  verifySigv4?: boolean;
  /** Role whose sessions `GET /_emulator/credentials` hands out; by default `EMULATOR_CREDENTIALS_ROLE_ARN`. */
  credentialsRoleArn?: string;
  /** Instance id of the metadata service; by default `EMULATOR_IMDS_INSTANCE_ID`, else one is made up. */
  imdsInstanceId?: string;
  /** Services that exist and were left out of this emulator: requests for them are told so. None by default. */
  leftOut?: readonly ServiceManifest[];
  /** What became of the scripts that prepare the emulator, where there are any. */
  init?: () => InitReport;
  /** Runs when everything was reset, before the reset answers. */
  afterReset?: () => Promise<void>;
  /** Whether emu runs in a container; false by default. */
  container?: boolean;
  /**
   * Milliseconds a client may take to send a request's head, from its first byte, or from the connection where none comes;
   * by default `EMULATOR_REQUEST_HEAD_TIMEOUT_MS`. Connections that are kept for another request are not bounded by it.
   */
  headersTimeout?: number;
  /** Milliseconds a client may take to send a whole request, 0 for any time; 300,000 by default. */
  requestTimeout?: number;
  /** Milliseconds a client of HTTP/2 may take nothing of a complete answer, 0 for any time; 300,000 by default. */
  stallTimeout?: number;
}

/** Options with their defaults in place. */
export type ResolvedGatewayOptions = Required<Omit<GatewayOptions, Undefaulted>> & Pick<GatewayOptions, Undefaulted>;

/** Options that may be absent. */
type Undefaulted = 'imdsInstanceId' | 'init' | 'afterReset';

const NUMBERS = ['maxRequestBodyBytes', 'headersTimeout', 'requestTimeout', 'stallTimeout'] as const;

/** Puts the defaults in place. @throws RangeError for a limit or time that is not a whole number */
export function resolveOptions(options: GatewayOptions, { values }: EmulatorSettings): ResolvedGatewayOptions {
  const imdsInstanceId = options.imdsInstanceId ?? values.EMULATOR_IMDS_INSTANCE_ID;
  const resolved: ResolvedGatewayOptions = {
    version: options.version ?? '0.0.0',
    maxRequestBodyBytes: options.maxRequestBodyBytes ?? values.EMULATOR_MAX_REQUEST_BODY_BYTES,
    verifySigv4: options.verifySigv4 ?? values.EMULATOR_VERIFY_SIGV4,
    credentialsRoleArn: options.credentialsRoleArn ?? values.EMULATOR_CREDENTIALS_ROLE_ARN,
    leftOut: options.leftOut ?? [],
    headersTimeout: options.headersTimeout ?? values.EMULATOR_REQUEST_HEAD_TIMEOUT_MS,
    requestTimeout: options.requestTimeout ?? 300_000,
    stallTimeout: options.stallTimeout ?? 300_000,
    container: options.container ?? false,
    ...(options.init && { init: options.init }),
    ...(options.afterReset && { afterReset: options.afterReset }),
    ...(imdsInstanceId !== undefined && { imdsInstanceId }),
  };
  for (const name of NUMBERS)
    if (!Number.isSafeInteger(resolved[name]) || resolved[name] < 0)
      throw new RangeError(`${name} must be a whole number that is not negative`);
  return resolved;
}
