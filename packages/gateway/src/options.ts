import type { EmulatorSettings, ServiceManifest } from '@emu/core/service';
import type { InitReport } from './init.ts';
import type { Forwarder } from './pipeline/forwarder.ts';

/** Options of a gateway. Defaults come from the emulator's settings. */
export interface GatewayOptions {
  /** Version in the health route. */
  version?: string;
  /**
   * Largest buffered request body in bytes, after inflation if it is compressed; by default
   * `EMULATOR_MAX_REQUEST_BODY_BYTES`. Streamed uploads are exempt.
   */
  maxRequestBodyBytes?: number;
  /**
   * Whether SigV4 signatures are verified; by default `EMULATOR_VERIFY_SIGV4`. Then only registered access keys work:
   * those of IAM users and of sessions, of `POST /_emulator/iam/create-admin`, `GET /_emulator/credentials` and the
   * metadata service. `test`/`test` and 12-digit account ids are refused.
   */
  verifySigv4?: boolean;
  /** Role of the sessions of `GET /_emulator/credentials`; by default `EMULATOR_CREDENTIALS_ROLE_ARN`. */
  credentialsRoleArn?: string;
  /** Instance id of the metadata service; by default `EMULATOR_IMDS_INSTANCE_ID`, otherwise a generated one. */
  imdsInstanceId?: string;
  /** Supported services that this emulator was created without, for error messages. None by default. */
  leftOut?: readonly ServiceManifest[];
  /** Passes requests of some services on to AWS. None by default. */
  forwarder?: Forwarder;
  /** Returns the state of the scripts that prepare the emulator, if any. */
  init?: () => InitReport;
  /** Runs after a full reset, before its response. */
  afterReset?: () => Promise<void>;
  /** Whether emu runs in a container; false by default. */
  container?: boolean;
  /**
   * Milliseconds for a request's head, from its first byte, or from the connection if no byte arrives; by default
   * `EMULATOR_REQUEST_HEAD_TIMEOUT_MS`. Connections that wait for another request are not limited by it.
   */
  headersTimeout?: number;
  /** Milliseconds for a whole request, 0 for no limit; 300,000 by default. */
  requestTimeout?: number;
  /**
   * Milliseconds for which a client of HTTP/2 may read nothing of a complete response, 0 for no limit; 300,000 by
   * default.
   */
  stallTimeout?: number;
}

/** Options with defaults. */
export type ResolvedGatewayOptions = Required<Omit<GatewayOptions, Undefaulted>> & Pick<GatewayOptions, Undefaulted>;

/** Options without a default. */
type Undefaulted = 'imdsInstanceId' | 'init' | 'afterReset' | 'forwarder';

const NUMBERS = ['maxRequestBodyBytes', 'headersTimeout', 'requestTimeout', 'stallTimeout'] as const;

/** Adds the defaults. @throws RangeError for a limit or time that is not a non-negative integer */
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
    ...(options.forwarder && { forwarder: options.forwarder }),
    ...(options.init && { init: options.init }),
    ...(options.afterReset && { afterReset: options.afterReset }),
    ...(imdsInstanceId !== undefined && { imdsInstanceId }),
  };
  for (const name of NUMBERS)
    if (!Number.isSafeInteger(resolved[name]) || resolved[name] < 0)
      throw new RangeError(`${name} must be a whole number that is not negative`);
  return resolved;
}
