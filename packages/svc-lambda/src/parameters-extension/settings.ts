/** What variables of a function set of the extension. */
export interface ExtensionSettings {
  readonly port: number;
  /** Whether the function's own variables name the port. */
  readonly portChosen: boolean;
  /** Items that are kept at most; 0 where nothing is. */
  readonly cacheSize: number;
  /** Milliseconds for which a parameter or secret is kept. */
  readonly parameterTtl: number;
  readonly secretTtl: number;
  /** Whether failures are logged. */
  readonly logs: boolean;
}

const DEFAULT_PORT = 2773;
/** Items of the cache at most, and by default. */
const CACHE_SIZE = 1000;
/** Seconds for which something is kept at most, and by default. */
const TTL = 300;
const NAME = /:layer:AWS-Parameters-and-Secrets-Lambda-Extension(-Arm64)?:\d+$/;

/**
 * Whether an ARN of a layer is one of those by which AWS offers the extension, in accounts of its own.
 * @param accountId of the function
 */
export const isParametersExtension = (arn: string, accountId: string): boolean =>
  NAME.test(arn) && !arn.includes(`:${accountId}:`);

/** A number that a variable gives; the default where it gives none within the limits. */
function numberOf(text: string | undefined, least: number, most: number, otherwise: number): number {
  if (text === undefined || !/^\d{1,6}$/.test(text)) return otherwise;
  const value = Number(text);
  return value >= least && value <= most ? value : otherwise;
}

/**
 * Reads the variables that set the extension. Timeouts and connections, of the network between the extension and the
 * services, have no effect where there is none.
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
