/** Extension settings from a function's variables. */
export interface ExtensionSettings {
  readonly port: number;
  /** Whether the function configures the port. */
  readonly portChosen: boolean;
  /** Maximum number of cached items; 0 disables the cache. */
  readonly cacheSize: number;
  /** Cache lifetime of a parameter or secret in milliseconds. */
  readonly parameterTtl: number;
  readonly secretTtl: number;
  /** Whether failures are logged. */
  readonly logs: boolean;
}

const DEFAULT_PORT = 2773;
/** Maximum and default number of cached items. */
const CACHE_SIZE = 1000;
/** Maximum and default cache lifetime in seconds. */
const TTL = 300;
const NAME = /:layer:AWS-Parameters-and-Secrets-Lambda-Extension(-Arm64)?:\d+$/;

/**
 * Whether a layer ARN is one of AWS's for the extension, which are in accounts of AWS.
 * @param accountId account of the function
 */
export const isParametersExtension = (arn: string, accountId: string): boolean =>
  NAME.test(arn) && !arn.includes(`:${accountId}:`);

/** Parses a number in a variable; returns the default if it is missing or out of range. */
function numberOf(text: string | undefined, least: number, most: number, otherwise: number): number {
  if (text === undefined || !/^\d{1,6}$/.test(text)) return otherwise;
  const value = Number(text);
  return value >= least && value <= most ? value : otherwise;
}

/**
 * Reads the extension's variables. Timeouts and connection limits have no effect, because no network is involved.
 * @see https://docs.aws.amazon.com/systems-manager/latest/userguide/ps-integration-lambda-extensions.html
 */
export function extensionSettings(variables: Readonly<Record<string, string>> = {}): ExtensionSettings {
  const { PARAMETERS_SECRETS_EXTENSION_HTTP_PORT: port, PARAMETERS_SECRETS_EXTENSION_CACHE_ENABLED: enabled } =
    variables;
  const size = numberOf(variables.PARAMETERS_SECRETS_EXTENSION_CACHE_SIZE, 0, CACHE_SIZE, CACHE_SIZE);
  return {
    port: numberOf(port, 1, 65_535, DEFAULT_PORT),
    portChosen: port !== undefined,
    cacheSize: enabled?.toLowerCase() === 'false' ? 0 : size,
    parameterTtl: numberOf(variables.SSM_PARAMETER_STORE_TTL, 0, TTL, TTL) * 1000,
    secretTtl: numberOf(variables.SECRETS_MANAGER_TTL, 0, TTL, TTL) * 1000,
    logs: variables.PARAMETERS_SECRETS_EXTENSION_LOG_LEVEL?.toLowerCase() !== 'none',
  };
}
